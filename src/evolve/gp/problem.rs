//! What programs are bred for.

use std::sync::Arc;
use std::time::Duration;

use super::tableau::Tableau;
use crate::crew::Crew;
use crate::document::Listed;
use crate::program::language::Language;
use crate::program::tree::Tree;
use crate::step::{Budget, Status};

/// What a program achieved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// At least 0; more is better.
    pub fitness: f64,
    /// What the fitness was made of: for games, the mean score moving first and moving second.
    pub scores: [f64; 2],
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

/// A problem with its settings. The outcome of a program depends on the program and the settings alone.
pub trait Problem: Send + Sized + 'static {
    type Language: Language;
    type Settings: Settings;
    /// Programs that are being evaluated.
    type Batch: Send;

    /// The kind of the runs, for their directories.
    const KIND: &'static str;
    /// Names of [`Outcome::scores`], with their unit.
    const SCORES: [&'static str; 2];

    /// # Errors
    /// The settings cannot be run with: a sentence.
    fn new(settings: &Self::Settings) -> Result<Self, String>;

    fn begin(&self, programs: Vec<Arc<Tree<Self::Language>>>) -> Self::Batch;

    /// Evaluates on until the budget is spent or all outcomes are known.
    fn advance(&mut self, batch: &mut Self::Batch, crew: &Crew, budget: Budget) -> Status;

    /// How many outcomes of the batch are known.
    fn evaluated(batch: &Self::Batch) -> usize;

    /// The outcomes in the order of the programs, once all are known.
    fn finish(batch: Self::Batch) -> Vec<Outcome>;

    /// Since the run was started or resumed.
    fn memo(&self) -> Memo;
}

/// Settings of a problem, the tableau among them. What flags, forms and files read and write of them is what they [list](Listed).
pub trait Settings: Listed + Clone + Send + Sync + 'static {
    fn tableau(&self) -> &Tableau;

    /// Which preset they started from.
    fn preset(&self) -> &str;

    /// See [`Run::files`](crate::job::Run::files).
    fn files(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// Settings of a run that is to be read, all that it lists still being the usual.
    fn unread(preset: &str, seed: u64, generations: u64) -> Self;
}
