//! Search for a move to play.

use super::root::{Goal, Root};
use super::{MAX_DEPTH, Report, Table};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move};
use crate::rng;
use crate::settings::string_enum;
use rand::RngExt;

/// Choice among equally good moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// The first in the game's canonical order, as in plain minimax that replaces its choice only by a
    /// strictly better move.
    #[default]
    First,
    /// A uniformly random one, drawn from the game's seed.
    Random,
}

impl Ties {
    pub const WORDS: &'static [(&'static str, Ties)] = &[("first", Ties::First), ("random", Ties::Random)];
}
string_enum!(Ties);

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

    /// Returns the last completed depth with its best move, or with all best moves if ties are drawn.
    pub fn report(&self) -> Report {
        self.root.report()
    }

    /// Returns the best move so far; `None` if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        let report = self.report();
        match self.limits.ties {
            Ties::First => report.best(),
            Ties::Random if report.lines.is_empty() => None,
            Ties::Random => {
                let nth = rng::keyed(&[self.limits.seed]).random_range(0..report.lines.len());
                Some(report.lines[nth].mv)
            }
        }
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
    match ties {
        Ties::First => Goal::First,
        Ties::Random => Goal::Best,
    }
}
