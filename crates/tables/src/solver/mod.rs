//! Exact solution of a position of Kalah: the final margin under best play, and a line of best moves.
//!
//! Null-window searches to the end of the game bound the margin; no depth limits them (see [`window`]). Values follow
//! from finished games alone, so they are exact whatever the tables forget.
//!
//! The book: exact margins of the starts of all small boards and of their moves, so that the first move needs no search.
//!
//! `book.csv` has what `mancalab solve position 6x4 --all --moves` and the same for 4x6 print. Solutions never use it, only
//! [`MoveSolver`](super::MoveSolver) does.

mod checkpoint;
mod table;
#[cfg(test)]
mod tests;
mod window;

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use mancalab_base::pool::Pool;
use mancalab_base::{Error, bail};

use super::budget::{Budget, Status};
use super::endgame::{self, EndgameTable};
use super::game::kalah::{End, Kalah};
use super::game::{BoardGame as _, Game as _, Move};
use super::rank::{MAX_SEEDS, Ranks};
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
struct Entry {
    pub start: Kalah,
    pub share: u8,
    pub by_move: Vec<u8>,
}

static BOOK: LazyLock<Vec<Entry>> =
    LazyLock::new(|| include_str!("book.csv").lines().skip(1).filter_map(entry).collect());

/// All starts of the book.
fn entries() -> &'static [Entry] {
    &BOOK
}

/// Returns the entry of a position with the pits of a start, whatever its stores.
fn find(pos: &Kalah) -> Option<&'static Entry> {
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
