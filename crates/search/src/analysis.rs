//! Finding the value of every move.

use super::root::{Goal, Root};
use super::{MAX_DEPTH, Report, Table};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState};

/// The exact value of every legal move, deepening until a given depth or until perfect play is known.
pub struct Analysis<G: Game> {
    root: Root<G>,
    max_depth: u32,
    done: bool,
}

impl<G: Game> Analysis<G> {
    pub fn new(from: impl Into<GameState<G>>, max_depth: u32, table: Table<G>) -> Analysis<G> {
        let max_depth = max_depth.clamp(1, MAX_DEPTH);
        let root = Root::new(&from.into(), table, Goal::All);
        let done = root.is_solved() || max_depth <= root.depth().into();
        Analysis { root, max_depth, done }
    }

    /// Searches on until the budget is spent or there is nothing more to find.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            if self.root.is_concluded() {
                self.root.deepen(self.max_depth);
            }
            if self.root.step(Goal::All, budget) == Status::Running {
                return Status::Running;
            }
            self.root.conclude(Goal::All);
            self.done = self.root.is_solved() || u32::from(self.root.depth()) >= self.max_depth;
        }
        Status::Done
    }

    /// All moves, best first, each with its value at the last completed depth.
    pub fn report(&self) -> Report {
        self.root.report()
    }

    /// The table, for the next search.
    pub fn into_table(self) -> Table<G> {
        self.root.into_table()
    }
}
