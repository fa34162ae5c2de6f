//! The evaluation of a population: its members play each other for points.

use super::bracket::Bracket;
use super::genome::Individual;
use crate::budget::{Budget, Status};
use crate::pool::Pool;

/// Evaluates generations, in steps. The results depend on the run's seed, the generation and the genomes, not on the number of
/// threads or on how the work is divided into steps.
pub trait Contest: Send + 'static {
    /// Starts the evaluation of a generation.
    fn begin(&mut self, generation: u64, members: &[Individual]);

    /// Works until the budget is spent or all members are evaluated.
    fn step(&mut self, pool: &Pool, budget: Budget) -> Status;

    fn progress(&self) -> ContestProgress;

    /// Returns the points of each member so far, in the order of `members`.
    fn points(&self) -> &[u64];

    /// Returns the points that correspond to a fitness of 100 %, given the points of all members.
    fn possible(&self, points: &[u64]) -> u64;

    /// Returns the pairings; `None` if everyone plays everyone.
    fn bracket(&self) -> Option<&Bracket> {
        None
    }
}

/// Progress of the evaluation of a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContestProgress {
    /// Pairings played.
    pub pairings: u64,
    pub all_pairings: u64,
    /// Games played for these pairings.
    pub games: u64,
    /// Games per generation.
    pub of_games: u64,
}
