//! The best move of a position of Kalah, or the exact margin of every move, first from the book.
//!
//! `book.csv` has what `mancalab solve position 6x4 --all --moves` and the same for 4x6 print. Solutions never use it, only
//! [`MoveSolver`](super::MoveSolver) does.

use std::sync::LazyLock;

use mancalab_base::Error;
use mancalab_base::pool::Pool;

use super::{Solver, left, margin, share};
use crate::budget::{Budget, Status};
use crate::game::kalah::{End, Kalah};
use crate::game::{BoardGame as _, Game as _, Move};

/// A solution of a position's moves in progress: first the position's value, then the moves in their order.
pub struct MoveSolver {
    root: Kalah,
    /// Whether every move is solved, not only the first that is best.
    all: bool,
    /// Each move with the bounds of the mover's share by it.
    moves: Vec<(Move, u8, u8)>,
    /// The root's entry in the [book]. With one, the solver is that of an earlier position, whose tables serve a later one.
    booked: Option<&'static Entry>,
    solver: Option<Solver>,
}

impl MoveSolver {
    /// Solves the moves of `root`: all, or the first that is best, with a table of at most this size. Continues with the table of
    /// `before` if that fits.
    ///
    /// # Errors
    /// See [`Solver::new`].
    pub fn new(root: &Kalah, all: bool, megabytes: usize, before: Option<MoveSolver>) -> Result<MoveSolver, Error> {
        let before = before.and_then(|before| before.solver);
        if let Some(entry) = find(root) {
            let moves = root.moves().zip(&entry.by_move).map(|(mv, &share)| (mv, share, share)).collect();
            return Ok(MoveSolver { root: *root, all, moves, booked: Some(entry), solver: before });
        }
        let solver = match before {
            Some(before) => before.again(root, megabytes)?,
            None => Solver::new(root, megabytes)?,
        };
        Ok(MoveSolver { all, ..MoveSolver::from_solver(solver) })
    }

    /// Whether the values of the position's moves are known without a search.
    pub fn is_in_book(root: &Kalah) -> bool {
        find(root).is_some()
    }

    /// Solves all moves of a solution's root, continuing that solution.
    pub fn from_solver(solver: Solver) -> MoveSolver {
        let root = solver.root;
        let moves = root.moves().map(|mv| (mv, 0, left(&root))).collect();
        MoveSolver { root, all: true, moves, booked: None, solver: Some(solver) }
    }

    /// Searches on all threads of `pool` from now on, see [`Solver::on`].
    #[must_use]
    pub fn on(self, pool: &Pool) -> MoveSolver {
        MoveSolver { solver: self.solver.map(|solver| solver.on(pool)), ..self }
    }

    /// Continues until the budget is spent or the moves are known.
    pub fn step(&mut self, budget: Budget) -> Status {
        let Some(solver) = self.solver.as_mut().filter(|_| self.booked.is_none()) else { return Status::Done };
        if solver.step(budget) == Status::Running {
            return Status::Running;
        }
        while let Some(at) = self.open() {
            self.narrow(at);
            if budget.is_spent() && self.open().is_some() {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// The share of the best moves, once it is known.
    fn value(&self) -> Option<u8> {
        if let Some(entry) = self.booked {
            return Some(entry.share);
        }
        self.solver.as_ref().filter(|solver| solver.lower == solver.upper).map(|solver| solver.upper)
    }

    /// Returns the first move to solve, once the value of the position is known.
    fn open(&self) -> Option<usize> {
        if !self.all && self.best().is_some() {
            return None;
        }
        self.moves.iter().position(|&(_, lower, upper)| lower < upper)
    }

    /// Continues the null-window search that narrows a move's bounds, from the position's value down.
    fn narrow(&mut self, at: usize) {
        let (mv, lower, upper) = self.moves[at];
        let least = self.value().map_or(upper, |value| upper.min(value));
        let (lower, upper) = match self.solver.as_mut().and_then(|solver| solver.share_by(mv, least)) {
            None => (lower, upper),
            Some(share) if share >= least => (share, share),
            Some(share) => (lower, share),
        };
        self.moves[at] = (mv, lower, upper);
    }

    /// Returns the first best move, once it is known.
    pub fn best(&self) -> Option<Move> {
        let value = self.value()?;
        self.moves.iter().find(|&&(_, lower, _)| lower == value).map(|&(mv, ..)| mv)
    }

    /// Returns whether the best move is known, and every move's margin if all were wanted.
    pub fn is_solved(&self) -> bool {
        self.best().is_some() && self.open().is_none()
    }

    /// Returns the final margins for the root's side to move by the moves that are solved, in the moves' order.
    pub fn margins(&self) -> impl Iterator<Item = (Move, i32)> {
        let solved = self.moves.iter().filter(|(_, lower, upper)| lower == upper);
        solved.map(|&(mv, share, _)| (mv, margin(&self.root, share)))
    }

    /// Returns the solution that is continued, unless the book has the moves.
    pub fn solver(&self) -> Option<&Solver> {
        self.solver.as_ref().filter(|_| self.booked.is_none())
    }
}

/// A start with the mover's share, and its shares by each move in their order.
pub(super) struct Entry {
    pub start: Kalah,
    pub share: u8,
    pub by_move: Vec<u8>,
}

static BOOK: LazyLock<Vec<Entry>> =
    LazyLock::new(|| include_str!("book.csv").lines().skip(1).filter_map(entry).collect());

/// All starts of the book.
pub(super) fn entries() -> &'static [Entry] {
    &BOOK
}

/// Returns the entry of a position with the pits of a start, whatever its stores.
pub(super) fn find(pos: &Kalah) -> Option<&'static Entry> {
    let rules = pos.rules();
    let key = pos.key();
    let is_for = |start: &Kalah| start.key() == key && start.rules().pits() == rules.pits();
    let fits = |entry: &&Entry| is_for(&entry.start) && entry.start.rules().capture() == rules.capture();
    entries().iter().find(fits).filter(|_| rules.end() == End::Either)
}

fn entry(row: &str) -> Option<Entry> {
    let [pits, seeds, capture, margin, moves] = row.split(',').collect::<Vec<_>>().try_into().ok()?;
    let start = Kalah::start(format!("{pits}x{seeds}:{capture}").parse().ok()?);
    let share = |margin: &str| Some(share(&start, margin.parse().ok()?));
    Some(Entry { start, share: share(margin)?, by_move: moves.split(' ').map(share).collect::<Option<_>>()? })
}
