//! The weights of the ten heuristics as a task: the genetic algorithm of the Kalah thesis (section 5.4), in Kalah or another
//! game of pits.
//!
//! The thesis defines the population size, the number of generations, the mutation rate, the Gaussian mutation and the games.
//! What it leaves open (the standard deviation of mutations, the crossover, an elite of one, the spread of the first
//! population) is a setting here.

#[cfg(test)]
mod tests;

use crate::evolve::champion::{PanelTask, panel_of_genomes};
use crate::evolve::ga::operators::Crossover;
use crate::evolve::ga::round_robin::RoundRobin;
use crate::evolve::ga::{Contest, Ga, Gene, Genome, Operators, Settings, Task};
use crate::evolve::terms::{Terms, tied};
use crate::game::kalah::Rules;
use crate::game::{PitGame, Variant, of_pits};
use crate::job::measured::Measurement;
use crate::panel::Panel;
use crate::player::Spec;
use crate::player::heuristic::terms::{COUNT, TERMS};
use crate::player::heuristic::weights::TABLE3;
use crate::player::heuristic::{Evaluator, Heuristic, HeuristicReading, Nearness, Weights};
use crate::search::alpha_beta::JudgedMove;
use crate::search::{SearchHints, Ties};
use crate::settings::{Entry, SettingsTable as _, entry};
use mancalab_base::{Error, bail};
use mancalab_evolve::playing;

use super::duel::{Games, Weigher};
use super::{breeding, settings};

/// A run that tunes weights.
pub type WeightsRun = Ga<HeuristicWeights>;
/// The settings of such a run.
pub type WeightsSettings = Settings<HeuristicWeights>;

/// The task's settings.
#[derive(Clone, PartialEq, Debug)]
pub struct HeuristicWeights {
    /// A game of pits with its rules.
    pub game: Variant,
    /// Search depth of every player in plies, 1 to 12.
    pub depth: u32,
    /// Games that each member of a pairing begins.
    pub games: u32,
    /// Number of random moves at the start of a game.
    pub opening: u32,
    pub ties: Ties,
    pub reading: HeuristicReading,
    /// Standard deviation of a mutation.
    pub sigma: f64,
    pub start: Start,
    /// Standard deviation of the first population.
    pub spread: f64,
    /// Whether W4 stays 1, as in every row of Table 3.
    pub fix_w4: bool,
    pub crossover: Crossover,
    /// The heuristics that are weighted, in the order of [`TERMS`].
    pub terms: Terms<COUNT>,
    pub panel: Panel,
}

/// Returns the names of the heuristics.
fn names() -> [&'static str; COUNT] {
    TERMS.each_ref().map(|term| term.name)
}

/// The centre of the first population.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// High for the heuristics that were strong alone (H4, H6, H7), low for the weakest (H3), 0.5 for the rest.
    #[default]
    Thesis,
    /// 0.5 for all weights.
    Middle,
}

impl Start {
    fn weights(self) -> [f64; COUNT] {
        match self {
            Start::Thesis => [0.5, 0.5, 0.2, 1.0, 0.5, 0.8, 0.8, 0.5, 0.5, 0.5],
            Start::Middle => [0.5, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
        }
    }
}
crate::settings::string_enum!(Start { "thesis" => Thesis, "middle" => Middle });

impl Task for HeuristicWeights {
    const KIND: &'static str = "ga-weights";
    const PRESETS: &'static [(&'static str, &'static str)] = &[
        ("kalah-thesis", "weights of ten heuristics for Kalah: 50 genomes, 250 generations, round robin"),
        ("oware-weights", "weights of the heuristics for Oware: 30 genomes, 60 generations, round robin"),
    ];

    fn entries() -> Vec<Entry<HeuristicWeights>> {
        let mut entries = vec![
            Entry::new(
                "game",
                "game of the weights, such as 6x4:standard",
                |t: &HeuristicWeights| game_text(&t.game),
                |t, text| read_game(text).map(|game| t.game = game),
            )
            .words(["6x4:standard"].into_iter().chain(settings::names().into_iter().skip(1))),
            playing!(depth),
            entry!(games: whole(1, 1000), "games that each of two genomes begins, 1 to 1000"),
            playing!(opening),
            entry!(ties: one_of(Ties::WORDS), "choice among equal moves: first, last, random or window"),
            entry!(
                "judged",
                reading.judged: one_of(JudgedMove::WORDS),
                "move that H5 and H7 judge: the one at the root, or the last own one on the path"
            ),
            entry!(
                "near",
                reading.nearness: one_of(Nearness::WORDS),
                "reading of H9 and H10: difference, indicator, printed or harmful"
            ),
            entry!(sigma: real(0.0, 1.0), "standard deviation of a mutation, 0 to 1"),
            entry!(
                start: one_of(Start::WORDS),
                "centre of the first population: thesis (H4, H6, H7 high, H3 low) or middle"
            ),
            entry!(spread: real(0.0, 1.0), "standard deviation of the first population, 0 to 1"),
            entry!(fix_w4: flag, "keep W4 at 1: true or false"),
            entry!(
                crossover: one_of(Crossover::WORDS),
                "crossover: one-point; uniform, each gene from either parent; linear (Wright); or blend (BLX-0.5)"
            )
            .implied("one-point"),
            Entry::new(
                "terms",
                "heuristics to weight: all, names such as H4,H7, or -H8 for all but H8; 2*H6-H8 ties weights; all others have weight 0",
                |t: &HeuristicWeights| t.terms.text(names()),
                |t, text| Terms::read(names(), text).map(|terms| t.terms = terms),
            )
            .noted("heuristics to weight: all, names such as H4,H7, or -H8 for all but H8; all others have weight 0")
            .words(["all", "-H8"]),
        ];
        entries.extend(Panel::entries_of(|task: &Self| &task.panel, |task| &mut task.panel));
        entries
    }

    fn columns() -> &'static str {
        "generation,best_percent,mean_percent,worst_percent,best_id,best_born,W1,W2,W3,W4,W5,W6,W7,W8,W9,W10"
    }

    fn preset(name: &str) -> Option<WeightsSettings> {
        match name {
            "kalah-thesis" => Some(HeuristicWeights::settings()),
            "oware-weights" => {
                let mut settings = Settings { preset: name.to_owned(), ..HeuristicWeights::settings() };
                // Games of Oware take about thirty times as long.
                (settings.population, settings.generations) = (30, 60);
                settings.task.game = "oware".parse().ok()?;
                settings.task.start = Start::Middle;
                // No move of Oware gives another turn.
                settings.task.terms = Terms::all_but(&[6]);
                Some(settings)
            }
            _ => None,
        }
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
            initial: Default::default(),
            conduct: Default::default(),
            task: HeuristicWeights {
                game: Variant::Kalah(Rules::default()),
                depth: 4,
                games: 5,
                opening: 2,
                ties: Ties::Random,
                reading: HeuristicReading::default(),
                sigma: 0.1,
                start: Start::Thesis,
                spread: 0.1,
                fix_w4: true,
                crossover: Crossover::OnePoint,
                terms: Terms::all_but(&[]),
                panel: Panel::default(),
            },
        }
    }

    fn genes(&self) -> Vec<Gene> {
        let start = self.start.weights();
        let start: [f64; COUNT] =
            std::array::from_fn(|index| if self.terms.contains(index) { start[index] } else { 0.0 });
        let is_fixed = |index: usize| !self.terms.contains(index) || (self.fix_w4 && index == 3);
        let mut genes = breeding::genes(&start, self.spread, is_fixed);
        tied(&mut genes, &self.terms);
        genes
    }

    fn labels() -> Vec<(&'static str, &'static str)> {
        TERMS.iter().map(|term| (term.name, term.title)).collect()
    }

    /// The rows of Table 3, for Kalah.
    fn published(&self) -> Option<Vec<(f64, f64)>> {
        let Variant::Kalah(_) = self.game else { return None };
        let rows = TABLE3.map(|weights| weights.reals());
        let range = |gene: usize| {
            let values = || rows.iter().map(|row| row[gene]);
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        Some((0..COUNT).map(range).collect())
    }

    fn operators(&self) -> Operators {
        breeding::operators(self.crossover, self.sigma)
    }

    fn contest(&self, seed: u64) -> Result<Box<dyn Contest>, Error> {
        if self.terms.is_empty() {
            bail!("terms must contain at least one heuristic");
        }
        if self.fix_w4 && self.terms.tie(3).is_some() {
            bail!(
                "terms: the weight of H4 follows another one, but fix_w4 keeps it at 1; set fix_w4 to false, or name H4 first"
            );
        }
        let start = self.game.start();
        let contest = of_pits!(Pits => Pits::try_from(start).ok().map(|start| self.contest_from(start, seed)));
        // The setting accepts games of pits only.
        contest.ok_or_else(|| format!("the ten heuristics do not value {}", self.game).into())
    }

    fn files(&self) -> Vec<(String, u64)> {
        self.panel.files()
    }

    fn measurement(settings: &WeightsSettings) -> Result<Option<Box<dyn Measurement>>, Error> {
        panel_of_genomes(settings)
    }

    fn game(&self) -> Variant {
        self.game
    }

    fn player(&self, genome: &Genome, _: &str) -> String {
        self.heuristic(genome).to_string()
    }

    fn yardstick(&self) -> String {
        format!("minimax:{}", self.depth)
    }

    /// Names the game, unless it is Kalah.
    fn file_text(&self, genome: &Genome, origin: &[(&str, String)]) -> String {
        match self.game {
            Variant::Kalah(_) => weights(genome).file_text(origin),
            game => weights(genome).file_text(&[origin, &[("game", settings::text(&game))]].concat()),
        }
    }
}

impl PanelTask for HeuristicWeights {
    fn panel(&self) -> &Panel {
        &self.panel
    }

    fn spec(&self, genome: &Genome) -> Result<Spec, Error> {
        Ok(Spec::Heuristic(self.heuristic(genome)))
    }
}

impl HeuristicWeights {
    /// Returns the player with a genome.
    fn heuristic(&self, genome: &Genome) -> Heuristic {
        let ties = self.ties;
        let reading = self.reading;
        Heuristic { ties, reading, ..Heuristic::new(self.depth, weights(genome)) }
    }

    /// Returns the contest in a game that starts with this position.
    fn contest_from<G: PitGame + SearchHints>(&self, start: G, seed: u64) -> Box<dyn Contest> {
        let games =
            Games { weigher: Ten(self.reading), start, depth: self.depth, ties: self.ties, opening: self.opening };
        Box::new(RoundRobin::new(games, self.games, seed))
    }
}

/// Reads a game of pits; rules of Kalah may stand alone.
fn read_game(text: &str) -> Result<Variant, Error> {
    let is_size = text.is_empty() || text.starts_with(|first: char| first.is_ascii_digit());
    if is_size { text.parse().map(Variant::Kalah) } else { settings::read(text) }
}

/// Returns the text of a game: of Kalah the rules alone.
fn game_text(game: &Variant) -> String {
    match game {
        Variant::Kalah(rules) => rules.to_string(),
        other => settings::text(other),
    }
}

/// Weights of the ten heuristics, with this reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ten(pub(super) HeuristicReading);

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

/// Returns the settings of a preset, with seed 1.
pub fn preset(name: &str) -> Option<WeightsSettings> {
    HeuristicWeights::preset(name)
}

/// Returns the weights of a genome.
pub fn weights(genome: &Genome) -> Weights {
    let reals = <&[f64; COUNT]>::try_from(&genome[..]).ok();
    reals.and_then(|reals| Weights::from_reals(reals).ok()).unwrap_or_default()
}
