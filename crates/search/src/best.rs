//! Search for a move to play, or for the value of every legal move.

use mancalab_base::pool::Pool;
use rand::RngExt;

use super::budget::{Budget, Status};
use super::game::{GameState, Move};
use super::parallel::{Helpers, Threads};
use super::root::{Goal, Root};
use super::{MAX_DEPTH, Report, SearchHints, Table, Ties, rng};

/// Depth of a search and the choice among its best moves.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Plies, 1 to [`MAX_DEPTH`]; larger values are clamped.
    pub depth: u32,
    pub ties: Ties,
    /// Greater than 0: a random one of the moves whose margin is at most this far below the best, whatever `ties` says.
    pub spread: f64,
    /// Seed for random choices.
    pub seed: u64,
    /// Whether the choice applies to every iteration, because the search may be interrupted, or only to the last
    /// one.
    pub every_depth: bool,
}

impl Limits {
    /// Limits for a search to `depth` that plays the first of the best moves.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, ties: Ties::First, spread: 0.0, seed: 0, every_depth: false }
    }
}

/// A search for the best move, by iterative deepening.
pub struct Search<G: SearchHints> {
    root: Root<G>,
    helpers: Helpers<Root<G>>,
    limits: Limits,
    done: bool,
}

impl<G: SearchHints> Search<G> {
    /// Creates a search with its own table of at most 64 MB.
    pub fn new(from: impl Into<GameState<G>>, limits: Limits) -> Search<G> {
        Search::with_table(from, limits, Table::new(64))
    }

    /// Creates a search that reuses `table` of earlier searches. This changes the time it takes and perhaps
    /// the length of the lines, never a value.
    pub fn with_table(from: impl Into<GameState<G>>, limits: Limits, table: Table<G>) -> Search<G> {
        let limits = Limits { depth: limits.depth.clamp(1, MAX_DEPTH), ..limits };
        let root = Root::new(&from.into(), table, wanted(&limits));
        let done = root.is_solved() || limits.depth <= root.depth().into();
        Search { root, helpers: Helpers::NONE, limits, done }
    }

    /// Searches on these threads. Values and the best move do not depend on them; the nodes do, and perhaps the length of
    /// the lines. A table that threads cannot share yet is replaced by an empty one.
    #[must_use]
    pub fn on(mut self, threads: Threads) -> Search<G> {
        if threads.count() > 1 {
            self.root.share_table();
        }
        Search { helpers: Helpers::new(threads), ..self }
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
            let goal = if last { wanted(&self.limits) } else { Goal::Value };
            let work = |root: &mut Root<G>, budget| root.step(goal, budget);
            if self.helpers.step(&mut self.root, budget, work, Root::helper) == Status::Running {
                return Status::Running;
            }
            if self.root.has_lost_endgames() {
                self.helpers.take();
                self.root.begin_again(goal);
                continue;
            }
            if goal == Goal::Value && self.root.is_value_solved() {
                // No deeper search changes the value: from here on every iteration finds the moves that have
                // it.
                self.limits.every_depth = true;
                continue;
            }
            self.helpers.take().iter().for_each(|helper| self.root.add_nodes(helper));
            self.root.conclude(goal);
            self.done = self.root.is_solved() || u32::from(self.root.depth()) >= self.limits.depth;
        }
        Status::Done
    }

    /// Returns the last completed depth with its best move, or with all best moves if the choice needs them.
    pub fn report(&self) -> Report {
        let report = self.root.report();
        Report { nodes: report.nodes + self.helpers.sum(|helper| helper.report().nodes), ..report }
    }

    /// Returns the best move so far; `None` if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        let report = self.report();
        let draw = |count| rng::keyed(&[self.limits.seed]).random_range(0..count);
        let pos = self.root.pos();
        if self.limits.spread > 0.0 {
            let near: Vec<Move> = report.within(self.limits.spread, 1).map(|line| line.mv).collect();
            return Ties::Random.choose(pos, pos.moves().filter(|mv| near.contains(mv)), draw);
        }
        self.limits.ties.choose(pos, report.lines.iter().map(|line| line.mv), draw)
    }

    #[cfg(test)]
    pub(super) fn set_endgames(&mut self, endgames: super::margins::MarginTable) {
        self.root.set_endgames(endgames);
    }

    #[cfg(test)]
    pub(super) fn helpers_count(&self) -> usize {
        self.helpers.sum(|_| 1) as usize
    }

    pub fn table(&self) -> &Table<G> {
        self.root.table()
    }

    /// Returns the table, for the next search.
    pub fn into_table(self) -> Table<G> {
        self.root.into_table()
    }
}

fn wanted(limits: &Limits) -> Goal {
    match limits {
        _ if limits.spread > 0.0 => Goal::All,
        _ if limits.ties.needs_all() => Goal::Best,
        _ => Goal::First,
    }
}

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
