//! What an analysis of one game does for [`analysing`](super::analysing), which knows all of them.

use crate::budget::{Budget, Status};
use crate::search::{Analysis, Report, SearchHints};
use crate::tables::MoveSolver;

/// An analysis of any game.
pub(crate) trait Analyst: Send {
    fn step(&mut self, budget: Budget) -> Status;
    fn report(&self) -> Report;
    /// Returns the solver, for another position.
    fn into_solver(self: Box<Self>) -> Option<MoveSolver> {
        None
    }
}

impl<G: SearchHints> Analyst for Analysis<G> {
    fn step(&mut self, budget: Budget) -> Status {
        Analysis::step(self, budget)
    }

    fn report(&self) -> Report {
        Analysis::report(self)
    }
}
