//! What programs are bred for.

use mancalab_base::Error;
use std::sync::Arc;
use std::time::Duration;

use super::genome::Genome;
use super::scores::{Measures, Scores};
use super::tableau::Tableau;
use crate::budget::{Budget, Status};
use crate::pool::Pool;
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::settings::{Entry, Listed, Tabled as _};

/// What a program achieved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// At least 0; more is better.
    pub fitness: f64,
    /// What the problem measures, in the order of its [`Measures`].
    pub scores: Scores,
    /// Equal for programs that behaved the same in every case.
    pub behaviour: u64,
}

/// How much a problem's memory spared it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memo {
    /// How often it was asked.
    pub asked: u64,
    /// How often it had to work the answer out.
    pub missed: u64,
    /// How many answers it keeps.
    pub kept: u64,
    /// How long it worked answers out; a part of the time that evaluation took.
    pub spent: Duration,
}

impl Memo {
    /// From 0 to 1.
    pub fn hit_rate(&self) -> f64 {
        if self.asked == 0 { 0.0 } else { 1.0 - self.missed as f64 / self.asked as f64 }
    }
}

/// A problem with its settings. The outcome of a program follows from the program, the settings and, if the problem
/// [changes](Problem::changes), the number of the generation.
pub trait Problem: Send + Sized + 'static {
    type Language: Language;
    type Settings: Settings;
    /// Programs that are being evaluated.
    type Batch: Send;

    /// The kind of the runs, for their directories.
    const KIND: &'static str;
    /// # Errors
    /// The settings cannot be run with: a sentence.
    fn new(settings: &Self::Settings) -> Result<Self, Error>;

    /// Settings of a run that is to be read, all that it lists still being the usual.
    fn unread(preset: &str, seed: u64, generations: u64) -> Self::Settings;

    /// What the trees of an individual are grown from: a grammar for each of them, at least one.
    ///
    /// # Errors
    /// The settings name a function that there is not: a sentence.
    fn grammars(settings: &Self::Settings) -> Result<Vec<Grammar<Self::Language>>, Error>;

    /// Whether what programs have to do is another in every generation, so that all of them are evaluated anew.
    fn changes(&self) -> bool {
        false
    }

    /// Whether fitness tells programs of a generation from each other only, so that the best so far is that of the newest generation.
    fn is_relative(&self) -> bool {
        false
    }

    /// How many of the fittest programs of the generation before it wants to [meet](Problem::meet); a problem that wants any
    /// [changes](Problem::changes).
    fn champions_wanted(&self) -> usize {
        0
    }

    /// Told before each generation but the first which programs of the one before were the fittest, the fittest first, each once: as many
    /// as are [wanted](Problem::champions_wanted), or as there are.
    fn meet(&mut self, _champions: Vec<Arc<Genome<Self::Language>>>) {}

    /// Programs of this generation, to be evaluated.
    fn begin(&self, programs: Vec<Arc<Genome<Self::Language>>>, generation: u64) -> Self::Batch;

    /// Evaluates on until the budget is spent or all outcomes are known.
    fn advance(&mut self, batch: &mut Self::Batch, pool: &Pool, budget: Budget) -> Status;

    /// How many outcomes of the batch are known.
    fn evaluated(batch: &Self::Batch) -> usize;

    /// The outcomes in the order of the programs, once all are known.
    fn finish(batch: Self::Batch) -> Vec<Outcome>;

    /// Since the run was started or resumed; nothing of a problem without a memory.
    fn memo(&self) -> Memo {
        Memo::default()
    }

    /// A program for people and for the player that reads it from a file: without a line end.
    fn text(settings: &Self::Settings, program: &Genome<Self::Language>) -> String;

    /// The same without what never matters, in short, and how many nodes it has then.
    fn simplified(settings: &Self::Settings, program: &Genome<Self::Language>) -> (String, usize);
}

/// Settings of a problem, the tableau among them. What flags, forms and files read and write of them is what they [list](Listed).
pub trait Settings: Listed + Clone + Send + Sync + 'static {
    fn tableau(&self) -> &Tableau;

    fn tableau_mut(&mut self) -> &mut Tableau;

    /// Which preset they started from.
    fn preset(&self) -> &str;

    /// What is measured of each program.
    fn measures(&self) -> &'static Measures;

    /// Whether a run may stop that has found a program with these scores.
    fn is_reached(&self, _scores: &Scores) -> bool {
        false
    }

    /// See [`Run::files`](crate::job::Run::files).
    fn files(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}

/// The tableau's entries as settings of a problem, which come before its own.
pub fn tableau_entries<S: Settings>() -> Vec<Entry<S>> {
    Tableau::entries().into_iter().map(|entry| entry.within(S::tableau, S::tableau_mut)).collect()
}
