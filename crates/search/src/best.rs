//! Finding a move to play.

use super::root::{Goal, Root};
use super::{MAX_DEPTH, Report, Table};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move};
use crate::rng;
use crate::settings::words_of;
use rand::RngExt;

/// Which of several equally good moves is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// The first in the game's canonical order: what plain minimax plays that replaces its choice by a strictly better one only.
    #[default]
    First,
    /// Any, each as likely as the others, from the game's seed.
    Random,
}

impl Ties {
    pub const WORDS: &'static [(&'static str, Ties)] = &[("first", Ties::First), ("random", Ties::Random)];
}
words_of!(Ties);

/// How far to search and what for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Plies, 1 to [`MAX_DEPTH`]; more is taken as that.
    pub depth: u32,
    pub ties: Ties,
    /// Decides between equally good moves, where `ties` says at random.
    pub seed: u64,
    /// Whether `ties` must hold for every iteration, because the search may be cut short, and not for the last one only.
    pub every_depth: bool,
}

impl Limits {
    /// The first of the best moves that plain minimax finds to `depth`.
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
    /// A search with a table of its own, of at most 64 megabytes.
    pub fn new(from: impl Into<GameState<G>>, limits: Limits) -> Search<G> {
        Search::with_table(from, limits, Table::new(64))
    }

    /// A search that begins with what earlier searches left in `table`: that changes how long it takes, and nothing else
    /// except perhaps how far the lines reach.
    pub fn with_table(from: impl Into<GameState<G>>, limits: Limits, table: Table<G>) -> Search<G> {
        let limits = Limits { depth: limits.depth.clamp(1, MAX_DEPTH), ..limits };
        let root = Root::new(&from.into(), table, wanted(limits.ties));
        let done = root.is_solved() || limits.depth <= root.depth().into();
        Search { root, limits, done }
    }

    /// Searches on until the budget is spent or the result is final.
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
                // No deeper search can change the value: from here on it matters which moves have it.
                self.limits.every_depth = true;
                continue;
            }
            self.root.conclude(goal);
            self.done = self.root.is_solved() || u32::from(self.root.depth()) >= self.limits.depth;
        }
        Status::Done
    }

    /// What is known so far: the last completed depth with its best move, or with all best moves if ties are drawn.
    pub fn report(&self) -> Report {
        self.root.report()
    }

    /// The best move so far; `None` if the game is over.
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

    /// The table, for the next search.
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
