//! Selective search: as deep as possible in a given time, with values that are estimates.
//!
//! Principal variation search by iterative deepening over an evaluation that follows the position move by move. It skips
//! what is probably irrelevant: a shallow search predicts a deep one's value with a known error, and where the prediction
//! lies far outside the window the deep search is left out (M. Buro, "ProbCut: An Effective Selective Extension of the
//! Alpha-Beta Algorithm", 1995). An [`Evaluator`] says what else a game leaves out, shortens or extends. The exact searches are [`Search`](super::Search)
//! and [`pvs`](super::pvs).
//!
//! Interruptions never change a result.

mod checkers;
mod node;
mod order;
mod othello;
mod table;
#[cfg(test)]
mod tests;
mod walk;

pub use checkers::CheckersEvaluator;
pub use othello::OthelloEvaluator;
pub use table::Table;

use super::pvs::{ABOVE_ALL, GREATEST, Value};
use super::report::{Line, MoveValue, Report};
use crate::SearchHints;
use crate::active::ActiveSearches;
use crate::budget::{Budget, Status};
use crate::driver::{Driver, Path};
use crate::evaluations::{Errors, LearnedEvaluation};
use crate::game::{Game, GameState, History, Move};
use crate::parallel::{Helpers, Threads};
use node::Ask;
use std::sync::Arc;
use walk::Walk;

/// What a shallow search predicts of a deep one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Depth of the shallow search.
    pub depth: u8,
    /// Distance from the window at which the deep search is left out.
    pub margin: i32,
}

/// Evaluation that follows the position move by move. Values are for the side to move, within ±[`GREATEST`].
pub trait Evaluator<G: Game>: Clone + Send {
    /// What the evaluation keeps for a position.
    type State: Copy + Send;

    /// Thousandths of the displayed unit in one unit of the value.
    const THOUSANDTHS: i64;

    /// Units of the value in one of the game's [margin](Game::margin).
    const MARGIN: i32;

    /// Whether the history heuristic orders moves.
    const USES_ORDER: bool = false;

    /// Whether the side that moves last before the horizon is favoured, so that values swing from depth to depth.
    const SWINGS: bool = false;

    /// A position's key as the table holds it.
    fn words(key: &G::Key) -> [u64; 2];

    /// Prepares for a search from this position.
    fn begin(&mut self, _root: &G) {}

    fn state(&self, pos: &G) -> Self::State;

    /// State of `child`, reached from `pos` by a move.
    fn after(&self, state: &Self::State, pos: &G, child: &G) -> Self::State;

    fn value(&self, pos: &G, state: &Self::State) -> i32;

    /// Value of a finished game.
    fn ended(&self, pos: &G) -> i32;

    /// Whether a value that is no proof of a win or a loss stands for one, and not for an estimate: an endgame's outcome is known.
    fn is_outcome(&self, _value: i32) -> bool {
        false
    }

    /// Rank of a move by a cheap look at the resulting position; greater is searched first.
    fn rank(&self, pos: &G, mv: Move, child: &G) -> i32;

    /// Whether the move is forced and costs no depth.
    fn is_forced(&self, pos: &G, mv: Move) -> bool;

    /// Whether a position at the horizon may be evaluated; otherwise its moves are searched.
    fn is_quiet(&self, _pos: &G) -> bool {
        true
    }

    /// Plies by which the search of a move is shortened at first, where the window is null. `nth` counts from 0 in the order of
    /// the search.
    fn reduction(&self, _pos: &G, _depth: u8, _nth: usize) -> u8 {
        0
    }

    /// Prediction of a search to `depth` by a shallower one.
    fn cut(&self, pos: &G, depth: u8) -> Option<Cut>;

    /// Value of a position, or a bound on the same side of the window, that needs no search at this depth; with the widest
    /// window the value of perfect play.
    fn settled(&self, pos: &G, history: &History<G>, depth: u8, window: (i32, i32)) -> Option<i32>;

    /// Whether the table must not store the value of a search because it depends on earlier moves.
    fn depends_on_history(&self, pos: &G, history: &History<G>, depth: u8) -> bool {
        G::USES_HISTORY && pos.depends_on_history(history, depth.into())
    }

    /// Whether a position counts as drawn because of earlier moves, the last `searched` of which belong to the search.
    fn is_drawn(&self, pos: &G, history: &History<G>, _searched: usize) -> bool {
        G::USES_HISTORY && pos.ruling(history).is_some()
    }
}

/// A game whose learned evaluation a selective search uses.
pub trait SelectiveGame: LearnedEvaluation + SearchHints {
    type Evaluator: Evaluator<Self> + Sync + 'static;

    /// Evaluates by `weights`; searches leave out what is probably irrelevant by their errors.
    fn evaluator(weights: Arc<Self::Weights>) -> Self::Evaluator;

    /// Evaluates by `weights`; searches leave out nothing.
    fn evaluator_in_full(weights: Arc<Self::Weights>) -> Self::Evaluator;
}

/// Cuts by depth and [progress](LearnedEvaluation::progress); `None`: every move is searched to the full depth.
#[derive(Clone)]
struct Cuts(Option<Arc<Vec<[Cut; 64]>>>);

/// Largest depth whose margins are tabulated; deeper searches use the last.
const MOST_DEPTH: usize = 32;

/// Depth of the search that predicts one to `depth`: about half of it, of the same parity.
fn shallow(depth: u8) -> u8 {
    2 * (depth / 4) + (depth & 1)
}

impl Cuts {
    const NONE: Cuts = Cuts(None);

    fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Leaves out searches `sure` standard deviations from the window.
    fn new(errors: Errors, sure: f32) -> Cuts {
        let cut = |depth: usize, progress: usize| {
            let depth = depth as u8;
            let margin = sure * errors.deviation(depth.into(), shallow(depth).into(), progress as u32);
            Cut { depth: shallow(depth), margin: (margin as i32).min(GREATEST) }
        };
        let of_depth = |depth| std::array::from_fn(|progress| cut(depth, progress));
        Cuts(Some(Arc::new((0..MOST_DEPTH).map(of_depth).collect())))
    }

    #[inline]
    fn get(&self, depth: u8, progress: u32) -> Option<Cut> {
        let cuts = self.0.as_ref()?;
        Some(cuts[usize::from(depth).min(MOST_DEPTH - 1)][progress as usize & 63])
    }
}

/// Depth and kind of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aim {
    /// Plies, at least 1.
    pub depth: u32,
    /// Whether every move gets its value, or the best one alone.
    pub all: bool,
}

/// A search for the best move, or for the values of all.
pub struct Selective<G: Game, E: Evaluator<G>> {
    pos: G,
    aim: Aim,
    walk: Driver<Walk<G, E>>,
    tasks: Vec<Task<G, E::State>>,
    /// Whether the report has the means of two depths.
    is_averaged: bool,
    /// Whether it deepens by two plies at a time.
    skips_depths: bool,
    helpers: Helpers<Selective<G, E>>,
    /// Depth of the running or last iteration, in plies.
    depth: u8,
    /// The task being searched, and its window.
    current: usize,
    asked: Option<(i32, i32)>,
    done: bool,
    best: Option<Move>,
    report: Report,
    /// Positions visited up to the end of the search to each depth; to a depth left out, those to the next.
    nodes_to: Vec<u64>,
}

/// A position to search: the root, or the position after one of its moves. Values are for the root's mover.
#[derive(Clone)]
struct Task<G, S> {
    mv: Option<Move>,
    pos: G,
    state: S,
    turns: bool,
    value: i32,
    /// The value one ply less deep.
    before: i32,
}

impl<G, S> Task<G, S> {
    /// Returns the mean of the last two depths, each of which favours one side. A won or lost game has no mean.
    fn mean(&self) -> i32 {
        let is_estimate = |value: &i32| matches!(Value::from(*value), Value::Evaluated(_));
        let is_mean = is_estimate(&self.before) && is_estimate(&self.value);
        if is_mean { (self.before + self.value).div_euclid(2) } else { self.value }
    }

    /// Whether the move is better than another at both depths: it has gained more than it swings.
    fn passes(&self, other: &Task<G, S>) -> bool {
        let gains = [self.before - other.before, self.value - other.value];
        gains[0].min(gains[1]) >= 0 && gains != [0, 0]
    }
}

/// The depth from which a search may deepen by two plies.
const SKIPS_FROM: u8 = 6;

/// Half the width of the first window of an iteration, in hundredths; and where it is two plies deeper than the one before.
const ASPIRATION: i32 = 150;
const WIDER_ASPIRATION: i32 = 250;

impl<G: Game, E: Evaluator<G>> Selective<G, E> {
    pub fn new(from: impl Into<GameState<G>>, mut evaluator: E, aim: Aim, mut table: Table) -> Selective<G, E> {
        let game_state = from.into();
        let pos = *game_state.pos();
        evaluator.begin(&pos);
        let aim = Aim { depth: aim.depth.clamp(1, super::MAX_DEPTH), ..aim };
        table.begin(aim.depth);
        let state = evaluator.state(&pos);
        let over = game_state.is_over();
        // A search of no ply, so that the first one has a depth before it.
        let at_root = if over { 0 } else { evaluator.value(&pos, &state) };
        let tasks = if over {
            Vec::new()
        } else if aim.all {
            let task = |mv| {
                let child = pos.play(mv);
                let state = evaluator.after(&state, &pos, &child);
                let turns = child.side() != pos.side();
                Task { mv: Some(mv), pos: child, state, turns, value: at_root, before: at_root }
            };
            pos.moves().map(task).collect()
        } else {
            vec![Task { mv: None, pos, state, turns: false, value: at_root, before: at_root }]
        };
        let walk = Driver::new(Walk::new(evaluator, table, Path::new(game_state.history())));
        let report = Report { solved: over, ..Report::default() };
        let best = if over { None } else { pos.moves().next() };
        Selective {
            pos,
            aim,
            walk,
            tasks,
            is_averaged: false,
            skips_depths: false,
            helpers: Helpers::NONE,
            depth: 1,
            current: 0,
            asked: None,
            done: over,
            best,
            report,
            nodes_to: Vec::new(),
        }
    }

    /// Searches on these threads. Values, and so the move, then depend on their timing: estimates follow from what others have
    /// searched.
    #[must_use]
    pub fn on(mut self, threads: Threads) -> Selective<G, E> {
        if threads.count() > 1 {
            self.walk.policy.table.share(self.aim.depth);
        }
        Selective { helpers: Helpers::new(threads), ..self }
    }

    /// Reports the mean of each depth and the one before, where values [swing](Evaluator::SWINGS), and keeps the order of moves
    /// that are better at one of the two only.
    #[must_use]
    pub fn averaged(self) -> Selective<G, E> {
        Selective { is_averaged: E::SWINGS && self.aim.all, ..self }
    }

    /// Deepens by two plies at a time from a few plies on, where values [swing](Evaluator::SWINGS): for a search that the clock ends. Guesses are
    /// then of the depth's own parity.
    #[must_use]
    pub fn by_two_plies(self) -> Selective<G, E> {
        Selective { skips_depths: E::SWINGS, ..self }
    }

    /// Returns whether it deepens by [two plies](Selective::by_two_plies).
    pub fn is_by_two_plies(&self) -> bool {
        self.skips_depths
    }

    /// Continues the search until the budget is spent or the result is final.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            let mut helpers = std::mem::take(&mut self.helpers);
            let status = helpers.step(self, budget, Selective::iterate, Selective::helper);
            self.helpers = helpers;
            if status == Status::Done {
                self.walk.policy.nodes +=
                    self.helpers.take().iter().map(|helper| helper.walk.policy.nodes).sum::<u64>();
                self.conclude();
            }
            if budget.is_spent() && !self.done {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Continues the iteration until the budget is spent or all tasks have their values.
    fn iterate(&mut self, budget: Budget) -> Status {
        while self.current < self.tasks.len() {
            let answer = if self.asked.is_some() { self.walk.step(budget) } else { self.ask(self.first_window()) };
            if let Some(value) = answer {
                self.absorb(value);
            }
            if budget.is_spent() && self.current < self.tasks.len() {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Returns a helper in the iteration, with the same table; `None` if the table is not shared.
    fn helper(&mut self, active: &Arc<ActiveSearches>) -> Option<Selective<G, E>> {
        let walk = self.walk.helper(self.walk.policy.helper()?, active);
        let tasks = self.tasks.clone();
        let helpers = Helpers::NONE;
        let report = Report::default();
        let nodes_to = Vec::new();
        Some(Selective { walk, tasks, helpers, report, nodes_to, asked: None, ..*self })
    }

    fn first_window(&self) -> (i32, i32) {
        let guess = self.tasks[self.current].value;
        let half = if self.skips_depths { WIDER_ASPIRATION } else { ASPIRATION };
        if self.depth <= 2 { (-ABOVE_ALL, ABOVE_ALL) } else { (guess - half, guess + half) }
    }

    /// Starts the search of the current task with this window, for the root's mover.
    fn ask(&mut self, window: (i32, i32)) -> Option<i32> {
        self.asked = Some(window);
        let task = &self.tasks[self.current];
        let depth = if task.mv.is_some() { self.depth - 1 } else { self.depth };
        let window = if task.mv.is_some() { super::pvs::after(task.turns, window) } else { window };
        let ask = Ask { pos: task.pos, state: task.state, depth, window, mv: task.mv };
        self.walk.policy.begin(&self.pos, &ask);
        self.walk.start(ask)
    }

    /// Processes a result of the current task: widens its window, or continues with the next.
    fn absorb(&mut self, value: i32) {
        let task = &mut self.tasks[self.current];
        let value = if task.mv.is_some() { super::pvs::before(task.turns, value) } else { value };
        let Some((alpha, beta)) = self.asked.take() else { return };
        let wider = if value <= alpha && alpha > -ABOVE_ALL {
            (-ABOVE_ALL, beta)
        } else if value >= beta && beta < ABOVE_ALL {
            (alpha, ABOVE_ALL.min(beta.saturating_add(beta.saturating_sub(alpha).saturating_mul(4))))
        } else {
            (task.before, task.value) = (task.value, value);
            self.best = if task.mv.is_none() { self.walk.policy.root_move.or(self.best) } else { self.best };
            self.current += 1;
            return;
        };
        if let Some(value) = self.ask(wider) {
            self.absorb(value);
        }
    }

    /// Writes the finished iteration into the report, and begins the next one unless it is the last.
    fn conclude(&mut self) {
        if self.aim.all {
            self.sort();
            self.best = self.tasks.first().and_then(|task| task.mv);
        }
        let heads: Vec<(Option<Move>, i32, i32)> =
            self.tasks.iter().map(|task| (task.mv.or(self.best), task.value, task.mean())).collect();
        let line = |(mv, value, mean)| {
            let mv: Move = mv?;
            let is_exact = self.walk.policy.exact(&self.pos, mv) == Some(value);
            Some(self.line(mv, if self.is_averaged && !is_exact { mean } else { value }, is_exact))
        };
        let lines: Vec<Line> = heads.into_iter().filter_map(line).collect();
        let solved = lines.iter().all(|line| line.solved) && (self.aim.all || self.is_proven());
        self.report = Report { depth: self.depth.into(), nodes: self.walk.policy.nodes, games: 0, solved, lines };
        self.nodes_to.resize(self.depth.into(), self.walk.policy.nodes);
        self.done = solved || u32::from(self.depth) >= self.aim.depth;
        if !self.done {
            let plies = if self.skips_depths && self.depth >= SKIPS_FROM { 2 } else { 1 };
            self.depth = (self.depth + plies).min(self.aim.depth as u8);
        }
        self.current = 0;
    }

    /// Orders the moves, the best first.
    fn sort(&mut self) {
        if !self.is_averaged {
            return crate::sort::sort_by_key(&mut self.tasks, |task| -task.value);
        }
        for end in 1..self.tasks.len() {
            let mut at = end;
            while at > 0 && self.tasks[at].passes(&self.tasks[at - 1]) {
                self.tasks.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// Whether the position is won or lost: other moves cannot change that.
    fn is_proven(&self) -> bool {
        self.tasks.iter().all(|task| !matches!(Value::from(task.value), Value::Evaluated(_)))
    }

    fn line(&mut self, mv: Move, value: i32, is_exact: bool) -> Line {
        let won = G::WIN_SCORE.unwrap_or(i16::MAX.into());
        let (weighed, margin) = match Value::from(value) {
            Value::Evaluated(value) => {
                let thousandths = i64::from(value) * E::THOUSANDTHS;
                match self.walk.policy.is_outcome(value) {
                    true => (MoveValue::Outcome(thousandths), won * value.signum()),
                    false => (MoveValue::Value(thousandths), (f64::from(value) / f64::from(E::MARGIN)).round() as i32),
                }
            }
            Value::Wins(plies) => (MoveValue::Wins(plies), won),
            Value::Loses(plies) => (MoveValue::Loses(plies), -won),
        };
        let solved = matches!(weighed, MoveValue::Wins(_) | MoveValue::Loses(_)) || is_exact;
        let pv = self.walk.policy.line(&self.pos, mv, self.depth);
        // An exact value without a winner is a margin, not an estimate.
        let is_margin = solved && matches!(weighed, MoveValue::Value(_));
        let weighed = (!is_margin).then_some(weighed);
        Line { mv, margin, depth: self.depth.into(), solved, pv, tried: None, weighed }
    }

    /// Returns the last completed depth with its best move, or with all moves.
    pub fn report(&self) -> Report {
        Report { nodes: self.nodes(), ..self.report.clone() }
    }

    /// Returns the positions visited so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.walk.policy.nodes + self.helpers.sum(|helper| helper.walk.policy.nodes)
    }

    /// Returns the positions visited up to the end of the search to `depth`, once it has ended.
    pub fn nodes_to(&self, depth: u32) -> Option<u64> {
        self.nodes_to.get(depth.checked_sub(1)? as usize).copied()
    }

    /// Returns the best move so far; `None` if the game is over. In an interrupted iteration it is the best of the moves that
    /// the iteration has searched, if one of them is good enough to be in its window.
    pub fn best_move(&self) -> Option<Move> {
        let node = if self.done || self.aim.all { None } else { self.walk.root() };
        let newer =
            node.filter(|(ask, node)| node.best > ask.window.0 && node.mv != Move::NONE).map(|(_, node)| node.mv);
        newer.or(self.best)
    }

    /// Returns the best move's value for the side to move, once it is known.
    pub fn value(&self) -> Option<i32> {
        (self.report.depth > 0).then(|| self.tasks.first().map(|task| task.value)).flatten()
    }

    pub fn table(&self) -> &Table {
        &self.walk.policy.table
    }

    /// Returns the table, for the next search.
    pub fn into_table(self) -> Table {
        self.walk.policy.table
    }
}
