//! How a population is judged: its members meet, and each is worth the points it brings home.

use super::bracket::Bracket;
use super::genome::Individual;
use crate::budget::{Budget, Status};
use crate::pool::Pool;

/// Judges one generation after the other, in steps. What it finds follows from the run's seed, the generation and the genomes,
/// and not from how the work was cut or how many threads did it.
pub trait Contest: Send + 'static {
    /// Turns to a new generation.
    fn begin(&mut self, generation: u64, members: &[Individual]);

    /// Works until the budget is spent or all have been judged.
    fn step(&mut self, pool: &Pool, budget: Budget) -> Status;

    fn standing(&self) -> Standing;

    /// The points of each member so far, in the order they were given in.
    fn points(&self) -> &[u64];

    /// The points that stand for a fitness of 100 %, where the members of a generation brought home so many.
    fn possible(&self, points: &[u64]) -> u64;

    /// Who has met whom; `None` where everyone meets everyone.
    fn bracket(&self) -> Option<&Bracket> {
        None
    }
}

impl Contest for Box<dyn Contest> {
    fn begin(&mut self, generation: u64, members: &[Individual]) {
        (**self).begin(generation, members);
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        (**self).step(pool, budget)
    }

    fn standing(&self) -> Standing {
        (**self).standing()
    }

    fn points(&self) -> &[u64] {
        (**self).points()
    }

    fn possible(&self, points: &[u64]) -> u64 {
        (**self).possible(points)
    }

    fn bracket(&self) -> Option<&Bracket> {
        (**self).bracket()
    }
}

/// How far the judging of a generation has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Pairings that have been played.
    pub pairings: u64,
    pub of: u64,
    /// Games that were played for them.
    pub games: u64,
    /// Games in a whole generation.
    pub of_games: u64,
}
