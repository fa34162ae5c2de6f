//! Search for a move to play.

use super::root::{Goal, Root};
use super::{MAX_DEPTH, Report, Table, Ties};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move};
use crate::rng;
use rand::RngExt;

/// Depth and tie-breaking of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Plies, 1 to [`MAX_DEPTH`]; larger values are clamped.
    pub depth: u32,
    pub ties: Ties,
    /// Seed for random ties.
    pub seed: u64,
    /// Whether `ties` applies to every iteration, because the search may be interrupted, or only to the last
    /// one.
    pub every_depth: bool,
}

impl Limits {
    /// Limits for a search to `depth` that plays the first of the best moves.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, ties: Ties::First, seed: 0, every_depth: false }
    }
}

/// A search for the best move, by iterative deepening.
pub struct Search<G: Game> {
    root: Root<G>,
    limits: Limits,
    done: bool,
}

impl<G: Game> Search<G> {
    /// Creates a search with its own table of at most 64 MB.
    pub fn new(from: impl Into<GameState<G>>, limits: Limits) -> Search<G> {
        Search::with_table(from, limits, Table::new(64))
    }

    /// Creates a search that reuses `table` of earlier searches. This changes the time it takes and perhaps
    /// the length of the lines, never a value.
    pub fn with_table(from: impl Into<GameState<G>>, limits: Limits, table: Table<G>) -> Search<G> {
        let limits = Limits { depth: limits.depth.clamp(1, MAX_DEPTH), ..limits };
        let root = Root::new(&from.into(), table, wanted(limits.ties));
        let done = root.is_solved() || limits.depth <= root.depth().into();
        Search { root, limits, done }
    }

    /// Uses the endgame table of the process for the game's rules, if there is one, from the second ply on.
    #[must_use]
    pub fn with_endgames(mut self) -> Search<G> {
        self.root.use_endgames();
        self
    }

    /// Continues the search until the budget is spent or the result is final.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            if self.root.is_concluded() {
                self.root.deepen(self.limits.depth);
            }
            let last = self.limits.every_depth || u32::from(self.root.depth()) == self.limits.depth;
            let goal = if last { wanted(self.limits.ties) } else { Goal::Value };
            if self.root.step(goal, budget) == Status::Running {
                return Status::Running;
            }
            if goal == Goal::Value && self.root.is_value_solved() {
                // No deeper search changes the value: from here on every iteration finds the moves that have
                // it.
                self.limits.every_depth = true;
                continue;
            }
            self.root.conclude(goal);
            self.done = self.root.is_solved() || u32::from(self.root.depth()) >= self.limits.depth;
        }
        Status::Done
    }

    /// Returns the last completed depth with its best move, or with all best moves if the choice needs them.
    pub fn report(&self) -> Report {
        self.root.report()
    }

    /// Returns the best move so far; `None` if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        let report = self.report();
        let draw = |count| rng::keyed(&[self.limits.seed]).random_range(0..count);
        self.limits.ties.choose(self.root.pos(), report.lines.iter().map(|line| line.mv), draw)
    }

    pub fn table(&self) -> &Table<G> {
        self.root.table()
    }

    /// Returns the table, for the next search.
    pub fn into_table(self) -> Table<G> {
        self.root.into_table()
    }
}

fn wanted(ties: Ties) -> Goal {
    if ties.needs_all() { Goal::Best } else { Goal::First }
}
