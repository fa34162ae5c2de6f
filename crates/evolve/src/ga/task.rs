//! What a genetic algorithm is used for, and the settings of its runs.

use mancalab_base::{Error, bail};
use std::fmt;

use super::contest::Contest;
use super::genome::{Gene, Genome};
use super::operators::Operators;
use super::play::GameKey;
use crate::game::{Move, Variant};
use crate::settings::{Entry, Tabled, entry};

/// Something to tune: its genes, how they are judged, and the operators they are bred with.
pub trait Task: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    type Contest: Contest;

    /// What runs, in a word: the kind of the run.
    const KIND: &'static str;
    /// The presets: (name, what it is). The first is the usual one.
    const PRESETS: &'static [(&'static str, &'static str)];
    /// Settings besides those that every run has.
    fn entries() -> Vec<Entry<Self>>;

    /// The header of `generations.csv`: [`ROW`] and the names of the genes.
    fn columns() -> &'static str;

    /// The settings of the usual preset.
    fn settings() -> Settings<Self>;

    /// The settings of a preset; the seed is 1.
    fn preset(name: &str) -> Option<Settings<Self>>;

    fn genes(&self) -> Vec<Gene>;

    /// What each gene weighs, for people: a short name, and a few words.
    fn labels() -> Vec<(&'static str, &'static str)>;

    /// Between which values each gene ended in the source, if it says so.
    fn published() -> Option<Vec<(f64, f64)>> {
        None
    }

    /// Whether only the proportions of the genes matter, so that people are shown each as a share of the largest.
    const RELATIVE: bool = false;

    /// Whether members are knocked out, so that there is a [bracket](Contest::bracket) to be seen.
    fn is_knockout(&self) -> bool {
        false
    }

    fn operators(&self) -> Operators;

    /// The contest of the run with this seed.
    ///
    /// # Errors
    /// The settings do not go together: a sentence.
    fn contest(&self, seed: u64) -> Result<Self::Contest, Error>;

    /// What the settings name and is read from elsewhere; see [`Run::files`](crate::job::Run::files).
    fn files(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// What is played.
    fn game(&self) -> Variant;

    /// The text that names the player a genome makes.
    fn player(&self, genome: &Genome) -> String;

    /// The text that names a player who looks as far ahead and is not tuned, to be compared with.
    fn yardstick(&self) -> String;

    /// The moves of a game that was played in a contest, by whoever moved first and the other; `None` if games are not to be looked at.
    /// It takes as long as it took then.
    fn replay(&self, _key: GameKey, _players: [&Genome; 2]) -> Option<Vec<Move>> {
        None
    }

    /// The genome as a file to keep, with where it comes from as (key, value).
    fn file_text(&self, genome: &Genome, origin: &[(&str, String)]) -> String;
}

/// The first columns of every `generations.csv`: fitness in percent, and the number and birth of the best.
pub const ROW: &str = "generation,best_percent,mean_percent,worst_percent,best_id,best_born";

/// The [`Entry`] of a field that tasks have in common whose members play games: `depth` or `opening`.
#[macro_export]
macro_rules! playing {
    (depth) => {
        mancalab_base::entry!(depth: whole(1, 12), "plies every player looks ahead, 1 to 12")
    };
    (opening) => {
        mancalab_base::entry!(opening: whole(0, 20), "moves at the beginning of a game that are drawn at random, 0 to 20")
    };
}

/// All that decides what a run computes.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings<T> {
    /// The preset they started from.
    pub preset: String,
    pub seed: u64,
    /// Generations after the first, number 0.
    pub generations: u64,
    /// Genomes in a generation, 2 to 1000.
    pub population: usize,
    /// The best of a generation that go into the next unchanged.
    pub elite: usize,
    /// The chance of a gene to mutate.
    pub mutation_rate: f64,
    /// The chance of two parents to cross over.
    pub crossover_rate: f64,
    pub task: T,
}

impl<T: Task> Settings<T> {
    /// # Errors
    /// Which settings do not go together.
    pub fn check(&self) -> Result<(), Error> {
        if self.elite >= self.population {
            bail!(
                "elite: fewer than the {} genomes of the population are expected; '{}' is not",
                self.population,
                self.elite
            );
        }
        Ok(())
    }
}

impl<T: Task> Tabled for Settings<T> {
    fn entries() -> Vec<Entry<Settings<T>>> {
        let mut entries = vec![
            entry!(seed: whole(0, i64::MAX as u64), "decides all random choices").common(),
            entry!(generations: whole(0, 1_000_000), "generations bred after the first").common(),
            entry!(population: whole(2, 1000), "genomes in a generation, 2 to 1000"),
            entry!(
                elite: whole(0, 999),
                "the best that go into the next generation unchanged, fewer than the population"
            ),
            entry!(mutation_rate: real(0.0, 1.0), "the chance of a gene to mutate, 0 to 1"),
            entry!(crossover_rate: real(0.0, 1.0), "the chance of two parents to cross over, 0 to 1"),
        ];
        let own = T::entries().into_iter();
        entries.extend(own.map(|entry| entry.within(|s: &Settings<T>| &s.task, |s| &mut s.task)));
        entries
    }
}
