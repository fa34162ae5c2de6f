//! The weights of the ten heuristics and of a network's value as a task: genetic algorithm and actor-critic combined, as the
//! Kalah thesis proposes at its end.
//!
//! Games and breeding are those of [`weights`](super::weights). The search evaluates a network at each leaf, which takes a
//! hundred times as long. The network's value of a position does not depend on the genome, so each thread caches it for all
//! genomes and generations; population, games and generations are small.

#[cfg(test)]
mod tests;

use mancalab_base::Error;
use std::sync::{Arc, Mutex};

use super::breeding;
use super::duel::{Games, Weigher};
use crate::codec::checksum;
use crate::evolve::champion::{PanelTask, panel_of_genomes};
use crate::evolve::ga::operators::Crossover;
use crate::evolve::ga::round_robin::RoundRobin;
use crate::evolve::ga::{Contest, Ga, Gene, Genome, Operators, Settings, Task};
use crate::game::kalah::{Kalah, Rules};
use crate::game::{BoardGame, PitGame, Planes, Variant};
use crate::job::measured::Measurement;
use crate::panel::Panel;
use crate::player::Spec;
use crate::player::heuristic::terms::{COUNT as TEN, TERMS};
use crate::player::heuristic::{self, Heuristic, HeuristicReading};
use crate::player::hybrid::{COUNT, Evaluator, Hybrid, Net, Values, Weights};
use crate::player::hybrid::{NAME, TITLE};
use crate::search::Ties;
use crate::settings::{Entry, SettingsTable as _, entry};
use mancalab_evolve::playing;

/// A run that tunes the weights.
pub type HybridRun = Ga<HybridWeights>;
/// The settings of such a run.
pub type HybridSettings = Settings<HybridWeights>;

/// The task's settings. Ten of the terms are read as the heuristic player usually does.
#[derive(Clone, PartialEq, Debug)]
pub struct HybridWeights {
    pub rules: Rules,
    /// The network whose value is the eleventh term.
    pub net: Net,
    /// Search depth of every player in plies, 1 to 12.
    pub depth: u32,
    /// Games that each member of a pairing begins.
    pub games: u32,
    /// Number of random moves at the start of a game.
    pub opening: u32,
    pub ties: Ties,
    /// Standard deviation of a mutation.
    pub sigma: f64,
    pub start: Start,
    /// Standard deviation of the first population.
    pub spread: f64,
    pub panel: Panel,
}

/// The centre of the first population. W11 is 0.5 in both cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// The weights bred for the ten heuristics alone: those of the player `heuristic:D`.
    #[default]
    Bred,
    /// 0.5 for all weights.
    Middle,
}

impl Start {
    fn weights(self) -> [f64; COUNT] {
        let ten = match self {
            Start::Bred => heuristic::Weights::usual().reals(),
            Start::Middle => [0.5; TEN],
        };
        std::array::from_fn(|index| ten.get(index).copied().unwrap_or(0.5))
    }
}
crate::settings::string_enum!(Start { "bred" => Bred, "middle" => Middle });

impl Task for HybridWeights {
    const KIND: &'static str = "ga-hybrid";
    const PRESETS: &'static [(&'static str, &'static str)] =
        &[("kalah-hybrid", "weights of ten heuristics and a network's value")];

    fn entries() -> Vec<Entry<HybridWeights>> {
        let mut entries = vec![
            entry!(
                "game",
                rules: word,
                "game of the weights, such as 6x4:standard; the network must support it"
            ),
            entry!(net: word, "network of the eleventh term: best, or the file of a network"),
            playing!(depth),
            entry!(games: whole(1, 1000), "games that each of two genomes begins, 1 to 1000"),
            playing!(opening),
            entry!(ties: one_of(Ties::WORDS), "choice among equal moves: first, last, random or window"),
            entry!(sigma: real(0.0, 1.0), "standard deviation of a mutation, 0 to 1"),
            entry!(
                start: one_of(Start::WORDS),
                "centre of the first population: bred (the weights of heuristic:D, W11 0.5) or middle"
            ),
            entry!(spread: real(0.0, 1.0), "standard deviation of the first population, 0 to 1"),
        ];
        entries.extend(Panel::entries_of(|task: &Self| &task.panel, |task| &mut task.panel));
        entries
    }

    fn columns() -> &'static str {
        "generation,best_percent,mean_percent,worst_percent,best_id,best_born,W1,W2,W3,W4,W5,W6,W7,W8,W9,W10,W11"
    }

    fn settings() -> HybridSettings {
        Settings {
            preset: Self::PRESETS[0].0.to_owned(),
            seed: 1,
            generations: 40,
            population: 20,
            elite: 1,
            mutation_rate: 0.2,
            crossover_rate: 1.0,
            initial: Default::default(),
            conduct: Default::default(),
            task: HybridWeights {
                rules: Rules::default(),
                net: Net::shipped(),
                depth: 4,
                games: 10,
                opening: 2,
                ties: Ties::Random,
                sigma: 0.1,
                start: Start::Bred,
                spread: 0.1,
                panel: Panel::default(),
            },
        }
    }

    fn genes(&self) -> Vec<Gene> {
        breeding::genes(&self.start.weights(), self.spread, |_| false)
    }

    fn labels() -> Vec<(&'static str, &'static str)> {
        TERMS.iter().map(|term| (term.name, term.title)).chain([(NAME, TITLE)]).collect()
    }

    fn operators(&self) -> Operators {
        breeding::operators(Crossover::OnePoint, self.sigma)
    }

    fn contest(&self, seed: u64) -> Result<Box<dyn Contest>, Error> {
        self.net.check_plays(&self.game())?;
        let weigher = Eleven(self.net.clone());
        let start = Kalah::start(self.rules);
        let games = Games { weigher, start, depth: self.depth, ties: self.ties, opening: self.opening };
        Ok(Box::new(RoundRobin::new(games, self.games, seed)))
    }

    fn files(&self) -> Vec<(String, u64)> {
        let network = (format!("the network {}", self.net), checksum(self.net.contents().as_bytes()));
        [vec![network], self.panel.files()].concat()
    }

    fn measurement(settings: &HybridSettings) -> Result<Option<Box<dyn Measurement>>, Error> {
        panel_of_genomes(settings)
    }

    fn game(&self) -> Variant {
        Variant::Kalah(self.rules)
    }

    fn player(&self, genome: &Genome, _: &str) -> String {
        self.hybrid(genome).to_string()
    }

    fn yardstick(&self) -> String {
        format!("heuristic:{}", self.depth)
    }

    fn file_text(&self, genome: &Genome, origin: &[(&str, String)]) -> String {
        let net = [("net", self.net.to_string())];
        weights(genome).file_text(&[origin, &net].concat())
    }
}

impl PanelTask for HybridWeights {
    fn panel(&self) -> &Panel {
        &self.panel
    }

    fn spec(&self, genome: &Genome) -> Result<Spec, Error> {
        Ok(Spec::Hybrid(Box::new(self.hybrid(genome))))
    }
}

impl HybridWeights {
    /// Returns the player with a genome.
    fn hybrid(&self, genome: &Genome) -> Hybrid {
        let weights = weights(genome);
        let plain = Heuristic { ties: self.ties, ..Heuristic::new(self.depth, weights.ten) };
        Hybrid::new(plain, weights, self.net.clone())
    }
}

/// Weights of the ten heuristics and the value of this network.
#[derive(Clone, Debug)]
pub struct Eleven(Net);

/// A genome's weights, and the evaluator of the ten heuristics.
pub struct Ten(Weights, heuristic::Evaluator);

/// Values cached per thread, some ten megabytes: about the number of positions in a generation of the preset.
const REMEMBERED: usize = 1 << 18;

impl<G: PitGame + Planes> Weigher<G> for Eleven {
    type Player = Ten;
    type Kept = Arc<Mutex<Values<G>>>;
    type Evaluation = Evaluator<G>;

    const AT_ONCE: u32 = 4;
    /// Never: one search may take a millisecond.
    const QUICK: u32 = 0;

    fn player(&self, genome: &Genome) -> Ten {
        let weights = weights(genome);
        Ten(weights, heuristic::Evaluator::new(&weights.ten, HeuristicReading::default()))
    }

    fn kept(&self, start: &G) -> Arc<Mutex<Values<G>>> {
        self.0.values(start, REMEMBERED).shared()
    }

    fn evaluation(&self, Ten(weights, ten): &Ten, kept: &Arc<Mutex<Values<G>>>) -> Evaluator<G> {
        Evaluator::by(ten.clone(), weights, kept)
    }
}

/// Returns the weights of a genome.
pub fn weights(genome: &Genome) -> Weights {
    let reals = <&[f64; COUNT]>::try_from(&genome[..]).ok();
    reals.and_then(|reals| Weights::from_reals(reals).ok()).unwrap_or_default()
}
