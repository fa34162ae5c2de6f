//! The weights of the ten heuristics as something to tune: the genetic algorithm of the Kalah thesis (section 5.4).
//!
//! The thesis gives the size of the population, the generations, the mutation rate, the gaussian mutation and the games;
//! what it leaves open (the mutation's width, the crossover, an elite of one, how wide the first population is spread) is a
//! setting here.

#[cfg(test)]
mod tests;

use crate::evolve::ga::round_robin::RoundRobin;
use crate::evolve::ga::{Ga, Gene, Genome, Operators, Settings, Task};
use crate::game::kalah::{Kalah, Rules};
use crate::game::{BoardGame, PitGame, Variant};
use crate::player::heuristic::terms::{COUNT, TERMS};
use crate::player::heuristic::weights::TABLE3;
use crate::player::heuristic::{Evaluator, Heuristic, Nearness, Reading, Weights};
use crate::search::Ties;
use crate::search::alpha_beta::Judged;
use crate::settings::{Entry, entry};
use mancalab_base::Error;
use mancalab_evolve::playing;

use super::breeding;
use super::duel::{Games, Weigher};

/// A run that tunes weights.
pub type WeightsRun = Ga<HeuristicWeights>;
/// The settings of one.
pub type WeightsSettings = Settings<HeuristicWeights>;

/// The settings of a tuning of the ten weights.
#[derive(Clone, PartialEq, Debug)]
pub struct HeuristicWeights {
    pub rules: Rules,
    /// Plies every player looks ahead, 1 to 12.
    pub depth: u32,
    /// Games each member of a pairing begins.
    pub games: u32,
    /// Moves at the beginning of a game that are drawn at random.
    pub opening: u32,
    pub ties: Ties,
    pub reading: Reading,
    /// The standard deviation of a mutation.
    pub sigma: f64,
    pub start: Start,
    /// The standard deviation of the first population around its start.
    pub spread: f64,
    /// Whether W4 stays 1, as in every row of Table 3.
    pub fix_w4: bool,
}

/// Around what the first population is spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// What was strong alone (H4, H6, H7) high, what was weakest (H3) low, the rest in the middle.
    #[default]
    Thesis,
    /// All in the middle.
    Middle,
}

impl Start {
    pub const WORDS: &'static [(&'static str, Start)] = &[("thesis", Start::Thesis), ("middle", Start::Middle)];

    fn weights(self) -> [f64; COUNT] {
        match self {
            Start::Thesis => [0.5, 0.5, 0.2, 1.0, 0.5, 0.8, 0.8, 0.5, 0.5, 0.5],
            Start::Middle => [0.5, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
        }
    }
}
crate::settings::words_of!(Start);

impl Task for HeuristicWeights {
    type Contest = RoundRobin<Games<Kalah, Ten>>;

    const KIND: &'static str = "ga-weights";
    const PRESETS: &'static [(&'static str, &'static str)] = &[(
        "kalah-thesis",
        "the weights of ten heuristics for Kalah: 50 genomes, 250 generations, everyone plays everyone",
    )];

    fn entries() -> Vec<Entry<HeuristicWeights>> {
        vec![
            entry!("game", rules: word, "the game the weights are for, such as 6x4:standard"),
            playing!(depth),
            entry!(games: whole(1, 1000), "games each of two genomes begins against the other, 1 to 1000"),
            playing!(opening),
            entry!(ties: one_of(Ties::WORDS), "which of several equally good moves is played: first or random"),
            entry!(
                "judged",
                reading.judged: one_of(Judged::WORDS),
                "the move H5 and H7 are about: that at the root, or the last own one on the path"
            ),
            entry!(
                "near",
                reading.nearness: one_of(Nearness::WORDS),
                "how H9 and H10 are read: as a difference or an indicator"
            ),
            entry!(sigma: real(0.0, 1.0), "the standard deviation of a mutation, 0 to 1"),
            entry!(
                start: one_of(Start::WORDS),
                "around what the first population is spread: thesis (H4, H6, H7 high, H3 low) or middle"
            ),
            entry!(spread: real(0.0, 1.0), "the standard deviation of the first population around that, 0 to 1"),
            entry!(fix_w4: flag, "whether W4 stays 1: true or false"),
        ]
    }

    fn columns() -> &'static str {
        "generation,best_percent,mean_percent,worst_percent,best_id,best_born,W1,W2,W3,W4,W5,W6,W7,W8,W9,W10"
    }

    fn preset(name: &str) -> Option<WeightsSettings> {
        (name == Self::PRESETS[0].0).then(HeuristicWeights::settings)
    }

    fn settings() -> WeightsSettings {
        Settings {
            preset: Self::PRESETS[0].0.to_owned(),
            seed: 1,
            generations: 250,
            population: 50,
            elite: 1,
            mutation_rate: 0.1,
            crossover_rate: 1.0,
            task: HeuristicWeights {
                rules: Rules::default(),
                depth: 4,
                games: 5,
                opening: 2,
                ties: Ties::Random,
                reading: Reading::default(),
                sigma: 0.1,
                start: Start::Thesis,
                spread: 0.1,
                fix_w4: true,
            },
        }
    }

    fn genes(&self) -> Vec<Gene> {
        breeding::genes(&self.start.weights(), self.spread, |index| self.fix_w4 && index == 3)
    }

    fn labels() -> Vec<(&'static str, &'static str)> {
        TERMS.iter().map(|term| (term.name, term.title)).collect()
    }

    /// The rows of Table 3.
    fn published() -> Option<Vec<(f64, f64)>> {
        let rows = TABLE3.map(|weights| weights.reals());
        let range = |gene: usize| {
            let values = || rows.iter().map(|row| row[gene]);
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        Some((0..COUNT).map(range).collect())
    }

    fn operators(&self) -> Operators {
        breeding::operators(self.sigma)
    }

    fn contest(&self, seed: u64) -> Result<RoundRobin<Games<Kalah, Ten>>, Error> {
        let (weigher, start) = (Ten(self.reading), Kalah::start(self.rules));
        let games = Games { weigher, start, depth: self.depth, ties: self.ties, opening: self.opening };
        Ok(RoundRobin::new(games, self.games, seed))
    }

    fn game(&self) -> Variant {
        Variant::Kalah(self.rules)
    }

    fn player(&self, genome: &Genome) -> String {
        let (ties, reading) = (self.ties, self.reading);
        Heuristic { ties, reading, ..Heuristic::new(self.depth, weights(genome)) }.to_string()
    }

    fn yardstick(&self) -> String {
        format!("minimax:{}", self.depth)
    }

    fn file_text(&self, genome: &Genome, origin: &[(&str, String)]) -> String {
        weights(genome).file_text(origin)
    }
}

/// Weighs the ten heuristics, as its reading has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ten(Reading);

impl<G: PitGame> Weigher<G> for Ten {
    type Player = Evaluator;
    type Kept = ();
    type Evaluation = Evaluator;

    const AT_ONCE: u32 = 6;
    const QUICK: u32 = 4;

    fn player(&self, genome: &Genome) -> Evaluator {
        Evaluator::new(&weights(genome), self.0)
    }

    fn kept(&self, _: &G) {}

    fn evaluation(&self, player: &Evaluator, (): &()) -> Evaluator {
        player.clone()
    }
}

/// The settings of the preset of this name; the seed is 1.
pub fn preset(name: &str) -> Option<WeightsSettings> {
    HeuristicWeights::preset(name)
}

/// The weights a genome stands for.
pub fn weights(genome: &Genome) -> Weights {
    let reals = <&[f64; COUNT]>::try_from(&genome[..]).ok();
    reals.and_then(|reals| Weights::from_reals(reals).ok()).unwrap_or_default()
}
