//! The best move of a position of Kalah, or the exact margin of every move.

use super::{Solver, left};
use crate::budget::{Budget, Status};
use crate::game::kalah::Kalah;
use crate::game::{Game as _, Move};
use crate::{Line, Report};
use mancalab_base::Error;

/// A solution of a position's moves in progress: first the position's value, then the moves in their order.
pub struct MoveSolver {
    solver: Solver,
    /// Whether every move is solved, not only the first that is best.
    all: bool,
    /// Each move with the bounds of the mover's share by it.
    moves: Vec<(Move, u8, u8)>,
}

impl MoveSolver {
    /// Solves the moves of `root`: all, or the first that is best, with a table of at most this size. Continues with the table of
    /// `before` if that fits.
    ///
    /// # Errors
    /// See [`Solver::new`].
    pub fn new(
        root: &Kalah,
        all: bool,
        most_megabytes: usize,
        before: Option<MoveSolver>,
    ) -> Result<MoveSolver, Error> {
        let megabytes = Solver::megabytes(root, most_megabytes);
        let solver = match before {
            Some(before) => before.solver.again(root, megabytes)?,
            None => Solver::new(root, megabytes)?,
        };
        let moves = root.moves().map(|mv| (mv, 0, left(root))).collect();
        Ok(MoveSolver { solver, all, moves })
    }

    /// Continues until the budget is spent or the moves are known.
    pub fn step(&mut self, budget: Budget) -> Status {
        if self.solver.step(budget) == Status::Running {
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

    /// Returns the first move to solve, once the value of the position is known.
    fn open(&self) -> Option<usize> {
        let best = self.solver.upper;
        let is_best = |&(_, lower, _): &(Move, u8, u8)| lower == best;
        if !self.all && self.moves.iter().any(is_best) {
            return None;
        }
        self.moves.iter().position(|&(_, lower, upper)| lower < upper)
    }

    /// Continues the null-window search that narrows a move's bounds, from the position's value down.
    fn narrow(&mut self, at: usize) {
        let (mv, lower, upper) = self.moves[at];
        let least = upper.min(self.solver.upper);
        let (lower, upper) = match self.solver.share_by(mv, least) {
            None => (lower, upper),
            Some(share) if share >= least => (share, share),
            Some(share) => (lower, share),
        };
        self.moves[at] = (mv, lower, upper);
    }

    /// Returns the first best move, once it is known.
    pub fn best(&self) -> Option<Move> {
        let is_known = self.solver.lower == self.solver.upper;
        self.moves.iter().find(|(_, lower, _)| is_known && *lower == self.solver.upper).map(|&(mv, ..)| mv)
    }

    /// Returns the solved moves, best first; every move once done, if all were wanted.
    pub fn report(&self) -> Report {
        let solution = self.solver.solution();
        let best = self.best();
        let mut lines: Vec<Line> = self
            .moves
            .iter()
            .filter(|(_, lower, upper)| lower == upper)
            .map(|&(mv, share, _)| {
                let pv = if Some(mv) == best && solution.line.first() == best.as_ref() {
                    solution.line.clone()
                } else {
                    vec![mv]
                };
                let depth = pv.len() as u32;
                Line { mv, margin: self.solver.margin(share), depth, solved: true, pv, tried: None, weighed: None }
            })
            .collect();
        lines.sort_by_key(|line| -line.margin);
        let depth = lines.first().map_or(0, |line| line.depth);
        let solved = best.is_some() && (!self.all || lines.len() == self.moves.len());
        Report { depth, nodes: solution.nodes, games: 0, solved, lines }
    }
}
