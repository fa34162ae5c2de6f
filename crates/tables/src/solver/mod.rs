//! Exact solution of a position of Kalah: the final margin under best play, and a line of best moves.
//!
//! Null-window searches to the end of the game bound the margin; no depth limits them (see [`window`]). Values follow
//! from finished games alone, so they are exact whatever the tables forget.

mod checkpoint;
mod moves;
mod table;
#[cfg(test)]
mod tests;
mod window;

use crate::budget::{Budget, Status};
use crate::endgame::{self, EndgameTable};
use crate::game::kalah::{End, Kalah};
use crate::game::{Game as _, Move};
use crate::rank::{MAX_SEEDS, Ranks};
use mancalab_base::pool::Pool;
use mancalab_base::{Error, bail};
pub use moves::MoveSolver;
use std::cmp::Ordering;
use std::sync::Arc;
use window::Window;

/// Nodes between two checks of the budget.
const SLICE: u64 = 1 << 15;

/// A slice repeats the path to where the last one stopped. If it forgets the results too, slices that grow with the
/// nodes of a search by this share reach its end all the same.
const GROWTH: u64 = 64;

/// A solution in progress.
pub struct Solver {
    window: Window,
    /// Windows of the other threads.
    helpers: Vec<Window>,
    pool: Pool,
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
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Solution {
    /// Least and greatest final margin of the root's side to move; equal once it is known.
    pub margins: (i32, i32),
    /// Best play from the root, as far as it is known.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

impl Solver {
    /// Solves `root` with a transposition table of at most `megabytes`, and the [endgame table](endgame) of the process,
    /// if there is one.
    ///
    /// # Errors
    /// The board has too many seeds for exact entries in a table of this size, or the rules are those of `end=mover`.
    pub fn new(root: &Kalah, megabytes: usize) -> Result<Solver, Error> {
        Solver::with_table(root, megabytes, endgame::find(root.rules().into()).ok().flatten())
    }

    /// As [`new`](Solver::new), with this endgame table for the rules, or none.
    ///
    /// # Errors
    /// Those of [`new`](Solver::new).
    pub fn with_table(root: &Kalah, megabytes: usize, table: Option<Arc<EndgameTable>>) -> Result<Solver, Error> {
        Solver::check(root)?;
        let rules = root.rules();
        let left = left(root);
        // Room for all positions of a game, if possible.
        let start = (2 * rules.pits() * rules.seeds()).clamp(left, MAX_SEEDS);
        let window =
            [start, left].into_iter().find_map(|most| Window::new(rules, most, left, megabytes, table.clone()));
        let window = window
            .ok_or_else(|| format!("a board of {rules} with {left} seeds needs a table of more than {megabytes} MB"))?;
        Ok(Solver::with_window(root, window))
    }

    fn with_window(root: &Kalah, mut window: Window) -> Solver {
        let line = Vec::new();
        let refuted = Vec::new();
        let helpers = Vec::new();
        let pool = Pool::alone();
        window.nodes = 0;
        let upper = left(root);
        Solver { window, helpers, pool, root: *root, lower: 0, upper, searched: 0, line, end: *root, refuted }
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
        if Ranks::new(root.rules().pits().into(), left).is_none() {
            bail!("a board of {} with {left} seeds has too many positions to number", root.rules());
        }
        Ok(())
    }

    /// Solves another position, with the tables of this solution if they fit.
    ///
    /// # Errors
    /// See [`Solver::new`].
    pub fn again(mut self, root: &Kalah, megabytes: usize) -> Result<Solver, Error> {
        self.window.filled = self.filled();
        if self.window.fits(root.rules(), left(root), megabytes) {
            return Ok(Solver { pool: self.pool, ..Solver::with_window(root, self.window) });
        }
        drop(self.window);
        Ok(Solver::new(root, megabytes)?.on(&self.pool))
    }

    /// Searches on all threads of `pool` from now on. The value does not depend on them; with several threads, the nodes and
    /// the choice among best moves do.
    #[must_use]
    pub fn on(self, pool: &Pool) -> Solver {
        Solver { pool: pool.clone(), ..self }
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

    /// Runs a slice of a search, once the endgames are known.
    fn within<T>(&mut self, search: impl FnOnce(&mut Solver) -> Option<T>) -> Option<T> {
        if !self.window.is_ready(&self.pool) {
            return None;
        }
        self.window.table().grow(self.filled());
        let before = self.window.nodes;
        self.window.limit = before + SLICE + self.searched / GROWTH;
        let answer = search(self);
        self.searched = if answer.is_some() { 0 } else { self.searched + self.window.nodes - before };
        answer
    }

    fn all_windows(&self) -> impl Iterator<Item = &Window> {
        std::iter::once(&self.window).chain(&self.helpers)
    }

    /// The number of entries in the table.
    fn filled(&self) -> u64 {
        self.all_windows().map(|window| window.filled).sum()
    }

    /// Returns what is known so far.
    pub fn solution(&self) -> Solution {
        let nodes = self.all_windows().map(|window| window.nodes).sum();
        let line = self.line.clone();
        Solution { margins: (self.margin(self.lower), self.margin(self.upper)), line, nodes }
    }

    fn margin(&self, share: u8) -> i32 {
        margin(&self.root, share)
    }

    /// Continues the null-window search of a move of the root: a bound of the share by it, as in [`Window::share`].
    fn share_by(&mut self, mv: Move, least: u8) -> Option<u8> {
        let board = self.root.key();
        let left = left(&self.root);
        self.within(|solver| solver.search(|window| window.share_by(board, left, mv, least)))
    }

    /// The answer of the first thread that has one.
    fn search(&mut self, search: impl Fn(&mut Window) -> Option<u8> + Sync + Send) -> Option<u8> {
        if self.pool.count() == 1 {
            return search(&mut self.window);
        }
        let Solver { window, helpers, pool, .. } = self;
        while helpers.len() + 1 < pool.count() {
            helpers.push(window.helper());
        }
        let slice = window.limit - window.nodes;
        helpers.iter_mut().for_each(|helper| helper.limit = helper.nodes + slice);
        window.stop(false);
        let mut all: Vec<&mut Window> = std::iter::once(window).chain(helpers).collect();
        let answers = pool.map_each(&mut all, |window| {
            let answer = search(window);
            window.stop(true);
            answer
        });
        answers.into_iter().flatten().next()
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
        let root = self.root.key();
        let share = self.search(|window| window.share(root, left, least))?;
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
        let share = share(&pos, margin);
        let hint = self.window.hint(pos.key());
        let untried = |mv: &Move| !self.refuted.contains(mv);
        let mv = pos.moves().filter(untried).max_by_key(|&mv| mv == hint)?;
        if self.search(|window| window.share_by(pos.key(), left(&pos), mv, share))? < share {
            self.refuted.push(mv);
            return Some(());
        }
        self.refuted.clear();
        self.line.push(mv);
        self.end = pos.play(mv);
        Some(())
    }
}

/// Returns the final margin for the side to move, from its share.
fn margin(pos: &Kalah, share: u8) -> i32 {
    pos.margin(pos.side()) + 2 * i32::from(share) - i32::from(left(pos))
}

/// Returns the share of the side to move, from its final margin.
fn share(pos: &Kalah, margin: i32) -> u8 {
    ((margin - pos.margin(pos.side()) + i32::from(left(pos))) / 2) as u8
}

/// Seeds in the pits.
fn left(pos: &Kalah) -> u8 {
    pos.reach() as u8
}
