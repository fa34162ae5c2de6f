//! Exact solution of a position of Kalah: the final margin under best play, and a line of best moves.
//!
//! Null-window searches to the end of the game bound the margin; no depth limits them (see [`window`]). Values follow
//! from finished games alone, so they are exact whatever the tables forget.

mod moves;
mod rank;
mod table;
#[cfg(test)]
mod tests;
mod window;

use crate::budget::{Budget, Status};
use crate::game::kalah::{End, Kalah};
use crate::game::{Game as _, Move};
use mancalab_base::{Error, bail};
pub use moves::MoveSolver;
use rank::{MAX_SEEDS, Ranks};
use std::cmp::Ordering;
use window::Window;

/// Nodes between two checks of the budget.
const SLICE: u64 = 1 << 15;

/// A slice repeats the path to where the last one stopped. If it forgets the results too, slices that grow with the
/// nodes of a search by this share reach its end all the same.
const GROWTH: u64 = 64;

/// A solution in progress.
pub struct Solver {
    window: Window,
    root: Kalah,
    /// Bounds of the root's share.
    lower: u8,
    upper: u8,
    /// Nodes of the current null-window search.
    searched: u64,
    /// Best moves from the root, as far as they are known, and the position after them.
    line: Vec<Move>,
    end: Kalah,
    /// Moves at the end of the line that are not best.
    refuted: Vec<Move>,
}

/// What is known of a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Least and greatest final margin of the root's side to move; equal once it is known.
    pub margins: (i32, i32),
    /// Best play from the root, as far as it is known.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

impl Solver {
    /// Solves `root` with a transposition table of at most `megabytes`.
    ///
    /// # Errors
    /// The board has too many seeds for exact entries in a table of this size, or the rules are those of `end=mover`.
    pub fn new(root: &Kalah, megabytes: usize) -> Result<Solver, Error> {
        Solver::check(root)?;
        let (rules, left) = (root.rules(), left(root));
        // Room for all positions of a game, if possible.
        let start = (2 * rules.pits() * rules.seeds()).clamp(left, MAX_SEEDS);
        let window = [start, left].into_iter().find_map(|most| Window::new(rules, most, left, megabytes));
        let window = window
            .ok_or_else(|| format!("a board of {rules} with {left} seeds needs a table of more than {megabytes} MB"))?;
        Ok(Solver::with_window(root, window))
    }

    /// Checks the rules and the number of seeds of a position to solve.
    ///
    /// # Errors
    /// The board has too many seeds for exact entries in any table, or the rules are those of `end=mover`.
    pub fn check(root: &Kalah) -> Result<(), Error> {
        let left = left(root);
        if root.rules().end() != End::Either {
            bail!("a game to solve must end when either side has no seeds (got {})", root.rules());
        }
        if left > MAX_SEEDS {
            bail!("a position to solve must have at most {MAX_SEEDS} seeds in its pits (got {left})");
        }
        Ok(())
    }

    /// Solves another position, with the table of this solution if that has the seeds and at least the size.
    ///
    /// # Errors
    /// See [`Solver::new`].
    pub fn again(self, root: &Kalah, megabytes: usize) -> Result<Solver, Error> {
        if self.window.fits(root.rules(), left(root), megabytes) {
            return Ok(Solver::with_window(root, self.window));
        }
        drop(self);
        Solver::new(root, megabytes)
    }

    /// Returns the table size for a position, in megabytes, at most `most`. Searches of all sizes visit about as many nodes as the
    /// power 5/8 of the number of boards.
    fn megabytes(root: &Kalah, most: usize) -> usize {
        let boards =
            Ranks::new(root.rules().pits().into(), left(root)).map_or(u64::MAX, |ranks| ranks.count(left(root)));
        (1 << (boards.ilog2() * 5 / 8).saturating_sub(16)).min(most)
    }

    fn with_window(root: &Kalah, mut window: Window) -> Solver {
        let (line, refuted) = (Vec::new(), Vec::new());
        window.nodes = 0;
        Solver { window, root: *root, lower: 0, upper: left(root), searched: 0, line, end: *root, refuted }
    }

    /// Continues until the budget is spent or the value and a whole line are known. The nodes searched do not depend
    /// on the division into steps.
    pub fn step(&mut self, budget: Budget) -> Status {
        loop {
            if self.lower == self.upper && self.end.is_over() {
                return Status::Done;
            }
            if self.lower < self.upper {
                self.within(Solver::narrow)
            } else {
                self.within(Solver::extend)
            };
            if budget.is_spent() {
                return Status::Running;
            }
        }
    }

    /// Compares the position's value with a draw; `None` if the budget is spent first. Needs less than the value.
    pub fn compare_with_draw(&mut self, budget: Budget) -> Option<Ordering> {
        loop {
            match self.solution().margins {
                (1.., _) => return Some(Ordering::Greater),
                (_, ..0) => return Some(Ordering::Less),
                (0, 0) => return Some(Ordering::Equal),
                _ if budget.is_spent() => return None,
                _ => self.within(Solver::narrow),
            };
        }
    }

    /// Runs a slice of a search.
    fn within<T>(&mut self, search: impl FnOnce(&mut Solver) -> Option<T>) -> Option<T> {
        let before = self.window.nodes;
        self.window.limit = before + SLICE + self.searched / GROWTH;
        let answer = search(self);
        self.searched = if answer.is_some() { 0 } else { self.searched + self.window.nodes - before };
        answer
    }

    /// Returns what is known so far.
    pub fn solution(&self) -> Solution {
        let (line, nodes) = (self.line.clone(), self.window.nodes);
        Solution { margins: (self.margin(self.lower), self.margin(self.upper)), line, nodes }
    }

    /// Returns the final margin for the root's side to move, from its share.
    fn margin(&self, share: u8) -> i32 {
        self.root.margin(self.root.side()) + 2 * i32::from(share) - i32::from(left(&self.root))
    }

    /// Continues the null-window search of a move of the root: a bound of the share by it, as in [`Window::share`].
    fn share_by(&mut self, mv: Move, least: u8) -> Option<u8> {
        let (board, left) = (self.root.key(), left(&self.root));
        self.within(|solver| solver.window.share_by(board, left, mv, least))
    }

    /// Continues the null-window search that narrows the bounds. Its windows move by one seed from the half towards
    /// the value: a search whose answer is far from the value is cheap, and fills the table for the next.
    fn narrow(&mut self) -> Option<()> {
        let left = left(&self.root);
        let least = match (self.lower, self.upper) {
            (_, upper) if upper < left => upper,
            (0, _) => left / 2 + 1,
            (lower, _) => lower + 1,
        };
        let share = self.window.share(self.root.key(), left, least)?;
        if share >= least {
            self.lower = share
        } else {
            self.upper = share
        }
        Some(())
    }

    /// Continues the null-window search that finds the next move of the line.
    fn extend(&mut self) -> Option<()> {
        let pos = self.end;
        let margin =
            if pos.side() == self.root.side() { self.solution().margins.0 } else { -self.solution().margins.0 };
        let share = ((margin - pos.margin(pos.side()) + i32::from(left(&pos))) / 2) as u8;
        let hint = self.window.hint(pos.key());
        let untried = |mv: &Move| !self.refuted.contains(mv);
        let mv = pos.moves().filter(untried).max_by_key(|&mv| mv == hint)?;
        if self.window.share_by(pos.key(), left(&pos), mv, share)? < share {
            self.refuted.push(mv);
            return Some(());
        }
        self.refuted.clear();
        self.line.push(mv);
        self.end = pos.play(mv);
        Some(())
    }
}

/// Seeds in the pits.
fn left(pos: &Kalah) -> u8 {
    pos.reach() as u8
}
