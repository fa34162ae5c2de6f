//! Alpha-beta by iterative deepening over an evaluation, with a transposition table.
//!
//! [`Search`](super::Search) is specialized for the margin, and [`alpha_beta`](super::alpha_beta) for shallow
//! searches with evaluations of moves too. This one is for slow evaluations of positions, where a table pays
//! for itself. Without pruning it finds exactly what plain minimax finds at the same depth: a table entry
//! counts only at the depth it was computed for, and never where the value depends on the game's history.
//!
//! At the horizon it can play out captures to the next quiet position (quiescence search).

mod walk;

#[cfg(test)]
mod tests;

use super::driver::{Driver, Path};
use super::parallel::{Helpers, Threads};
use super::report::{Line, MoveValue, Report};
use super::table::Table;
use super::{MAX_DEPTH, Ties};
use crate::active::{ActiveSearches, Mark};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move};
use crate::{SearchHints, rng};
use rand::RngExt;
use std::sync::Arc;
use walk::Walk;
pub(crate) use walk::{ABOVE_ALL, after, before};
pub use walk::{GREATEST, Value, WON};

/// Evaluation of positions that are not over.
pub trait Evaluate<G: Game>: Clone + Send {
    /// Returns the value for the side to move, within ±[`GREATEST`].
    fn value(&self, pos: &G) -> i32;

    /// Returns whether no capture is pending that would change the value at once.
    fn is_quiet(&self, _pos: &G) -> bool {
        true
    }

    /// Converts a value to thousandths of the evaluation's unit, for display.
    fn thousandths(&self, value: i32) -> i64;

    /// Gain that a single quiet move may achieve: pruning skips moves that would need more.
    fn slack(&self) -> i32 {
        GREATEST
    }
}

/// Search options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether the search continues beyond the depth until the position is quiet.
    pub plays_out: bool,
    /// Futility pruning two and three plies before the horizon: skips moves after which the position is too
    /// far below alpha. The result is then no longer exact.
    pub prunes: bool,
}

/// Depth, tie-breaking and options of a search.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Plies, 1 to [`MAX_DEPTH`]; larger values are clamped.
    pub depth: u32,
    pub ties: Ties,
    /// Seed for random ties.
    pub seed: u64,
    pub options: Options,
}

/// A search for the best move.
pub struct Pvs<G: SearchHints, J: Evaluate<G>> {
    pos: G,
    aim: Aim,
    walk: Driver<Walk<G, J>>,
    /// In canonical order.
    moves: Vec<RootMove<G>>,
    /// Indices into `moves`, in search order.
    order: Vec<usize>,
    /// Depth of the running or last iteration, in plies.
    depth: u8,
    /// Number of moves of `order` that this iteration has evaluated, and the best value so far.
    valued: usize,
    best: i32,
    /// The search in progress: `Some(true)` with a null window, `Some(false)` with a full window.
    asked: Option<bool>,
    mark: Option<Mark>,
    helpers: Helpers<Pvs<G, J>>,
    done: bool,
    report: Report,
}

/// A move at the root, with its value for the root's mover.
#[derive(Clone)]
struct RootMove<G> {
    mv: Move,
    child: G,
    turns: bool,
    /// Exact, or an upper bound below the best value.
    value: i32,
}

impl<G: SearchHints, J: Evaluate<G>> Pvs<G, J> {
    /// Creates a search that reuses `table` of earlier searches. This changes the time it takes and perhaps
    /// the length of the lines; values change only with pruning. The table must come from searches with the
    /// same `judge` and [`Options`].
    pub fn new(from: impl Into<GameState<G>>, judge: J, aim: Aim, mut table: Table<G, i32>) -> Pvs<G, J> {
        let game_state = from.into();
        let pos = *game_state.pos();
        table.begin(&pos);
        let root_move = |mv| {
            let child = pos.play(mv);
            RootMove { mv, child, turns: child.side() != pos.side(), value: -ABOVE_ALL }
        };
        let moves: Vec<RootMove<G>> =
            if game_state.is_over() { Vec::new() } else { pos.moves().map(root_move).collect() };
        let aim = Aim { depth: aim.depth.clamp(1, MAX_DEPTH), ..aim };
        let ordered_moves: Vec<Move> = pos.ordered_moves(aim.depth - 1).collect();
        let mut order: Vec<usize> = (0..moves.len()).collect();
        crate::sort::sort_by_key(&mut order, |&index| ordered_moves.iter().position(|&mv| mv == moves[index].mv));
        Pvs {
            pos,
            aim,
            walk: Driver::new(Walk::new(judge, aim.options, table, Path::new(game_state.history()))),
            done: moves.is_empty(),
            moves,
            order,
            depth: 1,
            valued: 0,
            best: -ABOVE_ALL,
            asked: None,
            mark: None,
            helpers: Helpers::NONE,
            report: Report { solved: game_state.is_over(), ..Report::default() },
        }
    }

    /// Searches on these threads. Values do not depend on them, without pruning; the nodes do, and perhaps the length of the
    /// lines. A table that threads cannot share yet is replaced by an empty one.
    #[must_use]
    pub fn on(mut self, threads: Threads) -> Pvs<G, J> {
        if threads.count() > 1 {
            self.walk.policy.table.share(&self.pos);
        }
        Pvs { helpers: Helpers::new(threads), ..self }
    }

    /// Continues the search until the budget is spent or the result is final.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            if self.valued == self.order.len() {
                self.conclude();
                continue;
            }
            let mut helpers = std::mem::take(&mut self.helpers);
            if helpers.step(self, budget, Pvs::iterate, Pvs::helper) == Status::Done {
                self.walk.policy.nodes += helpers.take().iter().map(|helper| helper.walk.policy.nodes).sum::<u64>();
            }
            self.helpers = helpers;
            if budget.is_spent() && !(self.valued == self.order.len() && self.is_last()) {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Continues the iteration until the budget is spent or all moves have their values.
    fn iterate(&mut self, budget: Budget) -> Status {
        while self.valued < self.order.len() {
            let answer = if self.asked.is_some() { self.walk.step(budget) } else { self.ask() };
            if let Some(value) = answer {
                self.absorb(value);
            }
            if budget.is_spent() && self.valued < self.order.len() {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Returns a helper in the iteration, with the same table; `None` if the table is not shared.
    fn helper(&mut self, active: &Arc<ActiveSearches>) -> Option<Pvs<G, J>> {
        let walk = self.walk.helper(self.walk.policy.helper()?, active);
        let moves = self.moves.clone();
        let order = self.order.clone();
        let report = Report::default();
        Some(Pvs { walk, moves, order, report, asked: None, mark: None, helpers: Helpers::NONE, ..*self })
    }

    /// Puts a move that no other thread searches next in the order, if there is one.
    fn claim(&mut self) {
        for at in self.valued..self.order.len() {
            if let Ok(mark) = self.walk.claim(&self.moves[self.order[at]].child, self.depth - 1) {
                self.mark = mark;
                return self.order[self.valued..=at].rotate_right(1);
            }
        }
    }

    /// Searches the next move: the first with a full window, the others with a null window at the best value.
    fn ask(&mut self) -> Option<i32> {
        let scouting = self.valued > 0;
        if scouting {
            self.claim();
        }
        self.ask_within(scouting)
    }

    fn ask_within(&mut self, scouting: bool) -> Option<i32> {
        self.asked = Some(scouting);
        // Ties with the best value must be exact too: such moves are equally good.
        let window =
            (if self.valued > 0 { self.best - 1 } else { -ABOVE_ALL }, if scouting { self.best } else { ABOVE_ALL });
        let RootMove { mv, child, turns, .. } = &self.moves[self.order[self.valued]];
        let request = self.walk.policy.request((&self.pos, *mv), child, self.depth - 1, after(*turns, window));
        self.walk.start(request)
    }

    /// Processes the result of a root move.
    fn absorb(&mut self, value: i32) {
        let root_move = &mut self.moves[self.order[self.valued]];
        let value = before(root_move.turns, value);
        if self.asked.take() == Some(true) && value >= self.best {
            // A lower bound only: search again with the full window.
            if let Some(value) = self.ask_within(false) {
                self.absorb(value);
            }
            return;
        }
        root_move.value = value;
        self.mark = None;
        self.best = self.best.max(value);
        self.valued += 1;
    }

    /// Returns whether the iteration is the last: at the maximum depth, or the game is decided.
    fn is_last(&self) -> bool {
        u32::from(self.depth) >= self.aim.depth || self.is_decided()
    }

    /// Returns whether the game is a forced win or loss within the depth.
    fn is_decided(&self) -> bool {
        match Value::from(self.best) {
            Value::Evaluated(_) => false,
            Value::Wins(plies) | Value::Loses(plies) => plies <= self.depth.into(),
        }
    }

    /// Writes the finished iteration into the report, and begins the next one unless it is the last.
    fn conclude(&mut self) {
        let best: Vec<usize> = (0..self.moves.len()).filter(|&index| self.moves[index].value == self.best).collect();
        let shown = if self.aim.ties.needs_all() { &best[..] } else { &best[..best.len().min(1)] };
        let solved = self.is_decided();
        let lines = shown.iter().map(|&index| self.line(index, solved)).collect();
        self.report = Report { depth: self.depth.into(), nodes: self.walk.policy.nodes, games: 0, solved, lines };
        self.done = self.is_last();
        if self.done {
            return;
        }
        let moves = &self.moves;
        crate::sort::sort_by_key(&mut self.order, |&index| -moves[index].value);
        self.depth += 1;
        (self.valued, self.best) = (0, -ABOVE_ALL);
    }

    /// Returns the report line of a best move.
    fn line(&mut self, index: usize, solved: bool) -> Line {
        let (weighed, margin) = match Value::from(self.best) {
            Value::Evaluated(value) => {
                let thousandths = self.walk.policy.judge.thousandths(value);
                (MoveValue::Value(thousandths), (thousandths / 1000) as i32)
            }
            Value::Wins(plies) => (MoveValue::Wins(plies), i16::MAX.into()),
            Value::Loses(plies) => (MoveValue::Loses(plies), i16::MIN.into()),
        };
        let mv = self.moves[index].mv;
        let pv = self.walk.policy.line(&self.pos, mv, self.depth);
        Line { mv, margin, depth: self.depth.into(), solved, pv, tried: None, weighed: Some(weighed) }
    }

    /// Returns the last completed depth with its best move, or with all best moves if the choice needs them.
    pub fn report(&self) -> Report {
        let helpers = self.helpers.sum(|helper| helper.walk.policy.nodes);
        Report { nodes: self.walk.policy.nodes + helpers, ..self.report.clone() }
    }

    /// Returns the best move so far; `None` if the game is over. In an interrupted iteration this is the best
    /// of the moves it has evaluated, which include the previous best.
    pub fn best_move(&self) -> Option<Move> {
        let valued = if self.done || self.valued == 0 { None } else { Some(&self.order[..self.valued]) };
        if let Some(valued) = valued {
            let best = valued.iter().filter(|&&index| self.moves[index].value == self.best).min();
            return best.map(|&index| self.moves[index].mv);
        }
        if self.report.lines.is_empty() {
            return self.order.first().map(|&index| self.moves[index].mv);
        }
        let draw = |count| rng::keyed(&[self.aim.seed]).random_range(0..count);
        self.aim.ties.choose(&self.pos, self.report.lines.iter().map(|line| line.mv), draw)
    }

    /// Returns the value of the best move for the side to move, once it is known.
    pub fn worth(&self) -> Option<Value> {
        (self.best > -ABOVE_ALL).then(|| Value::from(self.best))
    }

    pub fn table(&self) -> &Table<G, i32> {
        &self.walk.policy.table
    }

    /// Returns the table, for the next search.
    pub fn into_table(self) -> Table<G, i32> {
        self.walk.policy.table
    }
}
