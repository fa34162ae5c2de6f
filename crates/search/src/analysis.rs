//! The value of every legal move.

use super::root::{Goal, Root};
use super::{MAX_DEPTH, Report, Table};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move};
use mancalab_base::pool::Pool;

/// Computes the exact value of every legal move, by iterative deepening to a given depth or until the game is
/// solved. Uses the endgame table of the process for the game's rules, if there is one, from the second ply on.
pub struct Analysis<G: Game> {
    root: Root<G>,
    max_depth: u32,
    done: bool,
    pool: Pool,
    /// The moves of other threads, in the iteration that reaches the end of the game, and the ranking of all.
    parts: Vec<Root<G>>,
    ranking: Vec<Move>,
}

impl<G: Game> Analysis<G> {
    pub fn new(from: impl Into<GameState<G>>, max_depth: u32, table: Table<G>) -> Analysis<G> {
        let max_depth = max_depth.clamp(1, MAX_DEPTH);
        let mut root = Root::new(&from.into(), table, Goal::All);
        root.use_endgames();
        let done = root.is_solved() || max_depth <= root.depth().into();
        Analysis { root, max_depth, done, pool: Pool::alone(), parts: Vec::new(), ranking: Vec::new() }
    }

    /// Divides the moves among the threads of `pool` in the iteration that reaches the end of the game, each with a table of
    /// its own. Values do not depend on them; the nodes do, and perhaps the length of the lines.
    #[must_use]
    pub fn on(self, pool: &Pool) -> Analysis<G> {
        Analysis { pool: pool.clone(), ..self }
    }

    /// Continues the search until the budget is spent or the result is final.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            if self.root.is_concluded() {
                self.root.deepen(self.max_depth);
                self.ranking = self.root.ranking();
                self.parts = self.root.divide(self.pool.count());
            }
            if self.search(budget) == Status::Running {
                return Status::Running;
            }
            self.root.conclude(Goal::All);
            for mut part in self.parts.drain(..) {
                part.conclude(Goal::All);
                self.root.unite(&part, &self.ranking);
            }
            self.done = self.root.is_solved() || u32::from(self.root.depth()) >= self.max_depth;
        }
        Status::Done
    }

    /// Continues the iteration, on as many threads as it is divided among.
    fn search(&mut self, budget: Budget) -> Status {
        if self.parts.is_empty() {
            return self.root.step(Goal::All, budget);
        }
        let _turn = self.pool.turn();
        let budget = budget.afresh();
        let mut all: Vec<&mut Root<G>> = std::iter::once(&mut self.root).chain(&mut self.parts).collect();
        let statuses = self.pool.map_each(&mut all, |root| root.step(Goal::All, budget));
        if statuses.contains(&Status::Running) { Status::Running } else { Status::Done }
    }

    /// Returns all moves, best first, each with its value at the last completed depth.
    pub fn report(&self) -> Report {
        let report = self.root.report();
        let others = self.parts.iter().map(|part| part.report().nodes).sum::<u64>();
        Report { nodes: report.nodes + others, ..report }
    }

    /// Returns the table, for the next search.
    pub fn into_table(self) -> Table<G> {
        self.root.into_table()
    }
}
