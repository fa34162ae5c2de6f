//! The value of every legal move.

use super::parallel::{Helpers, Threads};
use super::root::{Goal, Root};
use super::{MAX_DEPTH, Report, Table};
use crate::SearchHints;
use crate::budget::{Budget, Status};
use crate::game::GameState;
use mancalab_base::pool::Pool;

/// Computes the exact value of every legal move, by iterative deepening to a given depth or until the game is
/// solved. Uses the endgame table of the process for the game's rules, if there is one, from the second ply on.
pub struct Analysis<G: SearchHints> {
    root: Root<G>,
    max_depth: u32,
    done: bool,
    helpers: Helpers<Root<G>>,
}

impl<G: SearchHints> Analysis<G> {
    pub fn new(from: impl Into<GameState<G>>, max_depth: u32, table: Table<G>) -> Analysis<G> {
        let max_depth = max_depth.clamp(1, MAX_DEPTH);
        let mut root = Root::new(&from.into(), table, Goal::All);
        root.use_endgames();
        let done = root.is_solved() || max_depth <= root.depth().into();
        Analysis { root, max_depth, done, helpers: Helpers::NONE }
    }

    /// Searches on all threads of `pool` from the next iteration on. Values do not depend on them; the nodes do, and perhaps
    /// the length of the lines. The table is then replaced by one that threads can share; only then, as asking for the number of
    /// threads starts the pool.
    #[must_use]
    pub fn on(self, pool: &Pool) -> Analysis<G> {
        Analysis { helpers: Helpers::new(Threads::Shared(pool.clone())), ..self }
    }

    #[cfg(test)]
    pub(super) fn set_endgames(&mut self, endgames: super::margins::MarginTable) {
        self.root.set_endgames(endgames);
    }

    /// Continues the search until the budget is spent or the result is final.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            if self.root.is_concluded() {
                self.root.deepen(self.max_depth);
                if self.helpers.threads().count() > 1 {
                    self.root.share_table();
                }
            }
            let work = |root: &mut Root<G>, budget| root.step(Goal::All, budget);
            if self.helpers.step(&mut self.root, budget, work, Root::helper) == Status::Running {
                return Status::Running;
            }
            let helpers = self.helpers.take();
            if self.root.has_lost_endgames() {
                self.root.begin_again(Goal::All);
                continue;
            }
            helpers.iter().for_each(|helper| self.root.add_nodes(helper));
            self.root.conclude(Goal::All);
            self.done = self.root.is_solved() || u32::from(self.root.depth()) >= self.max_depth;
        }
        Status::Done
    }

    /// Returns all moves, best first, each with its value at the last completed depth.
    pub fn report(&self) -> Report {
        let report = self.root.report();
        Report { nodes: report.nodes + self.helpers.sum(|helper| helper.report().nodes), ..report }
    }

    /// Returns the table, for the next search.
    pub fn into_table(self) -> Table<G> {
        self.root.into_table()
    }
}
