//! Selective search: as deep as possible in a given time, with values that are estimates.
//!
//! Principal variation search by iterative deepening over an evaluation that follows the position move by move. It skips
//! what is probably irrelevant: a shallow search predicts a deep one's value with a known error, and where the prediction
//! lies far outside the window the deep search is left out (M. Buro, "ProbCut: An Effective Selective Extension of the
//! Alpha-Beta Algorithm", 1995). The exact searches are [`Search`](super::Search)
//! and [`pvs`](super::pvs).
//!
//! Interruptions never change a result.

mod othello;
mod table;
#[cfg(test)]
mod tests;
mod walk;

pub use othello::PatternEvaluator;
pub use table::Table;

use super::pvs::{GREATEST, Value};
use super::report::{Line, Report, Weighed};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move};
use walk::{Ask, Walk};

/// What a shallow search predicts of a deep one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Depth of the shallow search.
    pub depth: u8,
    /// Distance from the window at which the deep search is left out.
    pub margin: i32,
}

/// Evaluation that follows the position move by move. Values are for the side to move, within ±[`GREATEST`].
pub trait Evaluator<G: Game>: Send {
    /// What the evaluation keeps for a position.
    type State: Copy + Send;

    fn state(&self, pos: &G) -> Self::State;

    /// State of `child`, reached from `pos` by a move.
    fn after(&self, state: &Self::State, pos: &G, child: &G) -> Self::State;

    fn value(&self, pos: &G, state: &Self::State) -> i32;

    /// Value of a finished game.
    fn ended(&self, pos: &G) -> i32;

    /// Rank of a move by a cheap look at the resulting position; greater is searched first.
    fn rank(&self, pos: &G, mv: Move, child: &G) -> i32;

    /// Thousandths of the displayed unit in one unit of the value.
    const THOUSANDTHS: i64;

    /// Whether the move is no choice and costs no depth.
    fn is_forced(&self, pos: &G, mv: Move) -> bool;

    /// Prediction of a search to `depth` by a shallower one.
    fn cut(&self, pos: &G, depth: u8) -> Option<Cut>;

    /// Value of a position, or a bound on the same side of `beta`, that needs no search at this depth.
    fn settled(&self, pos: &G, depth: u8, beta: i32) -> Option<i32>;
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
    walk: Walk<G, E>,
    tasks: Vec<Task<G, E::State>>,
    /// Depth of the running or last iteration, in plies.
    depth: u8,
    /// The task being searched, and its window.
    current: usize,
    asked: Option<(i32, i32)>,
    done: bool,
    best: Option<Move>,
    report: Report,
}

/// A position to search: the root, or the position after one of its moves. Values are for the root's mover.
struct Task<G, S> {
    mv: Option<Move>,
    pos: G,
    state: S,
    turns: bool,
    value: i32,
}

/// Half the width of the first window of an iteration, in hundredths.
const ASPIRATION: i32 = 150;

impl<G: Game, E: Evaluator<G>> Selective<G, E> {
    pub fn new(from: impl Into<GameState<G>>, evaluator: E, aim: Aim, mut table: Table<G>) -> Selective<G, E> {
        let game_state = from.into();
        let pos = *game_state.pos();
        let aim = Aim { depth: aim.depth.clamp(1, super::MAX_DEPTH), ..aim };
        table.begin(&pos, aim.depth);
        let state = evaluator.state(&pos);
        let over = game_state.is_over();
        let tasks = if over {
            Vec::new()
        } else if aim.all {
            let task = |mv| {
                let child = pos.play(mv);
                let state = evaluator.after(&state, &pos, &child);
                Task { mv: Some(mv), pos: child, state, turns: child.side() != pos.side(), value: 0 }
            };
            pos.moves().map(task).collect()
        } else {
            vec![Task { mv: None, pos, state, turns: false, value: 0 }]
        };
        let walk = Walk::new(evaluator, table, &game_state);
        let report = Report { solved: over, ..Report::default() };
        let mut search =
            Selective { pos, aim, walk, tasks, depth: 1, current: 0, asked: None, done: over, best: None, report };
        search.best = if over { None } else { search.pos.moves().next() };
        search
    }

    /// Continues the search until the budget is spent or the result is final.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            let answer = if self.asked.is_some() { self.walk.step(budget) } else { self.ask(self.first_window()) };
            if let Some(value) = answer {
                self.absorb(value);
            }
            if budget.is_spent() && !self.done {
                return Status::Running;
            }
        }
        Status::Done
    }

    fn first_window(&self) -> (i32, i32) {
        let guess = self.tasks[self.current].value;
        if self.depth <= 2 { (-GREATEST, GREATEST) } else { (guess - ASPIRATION, guess + ASPIRATION) }
    }

    /// Starts the search of the current task with this window, for the root's mover.
    fn ask(&mut self, window: (i32, i32)) -> Option<i32> {
        self.asked = Some(window);
        let task = &self.tasks[self.current];
        let depth = if task.mv.is_some() { self.depth - 1 } else { self.depth };
        let window = super::pvs::after(task.turns, window);
        let ask = Ask { pos: task.pos, state: task.state, depth, window, mv: task.mv };
        self.walk.ask(&self.pos, ask)
    }

    /// Processes a result of the current task: widens its window, or continues with the next.
    fn absorb(&mut self, value: i32) {
        let task = &mut self.tasks[self.current];
        let value = super::pvs::before(task.turns, value);
        let Some((alpha, beta)) = self.asked.take() else { return };
        let wider = if value <= alpha && alpha > -GREATEST {
            (-GREATEST, beta)
        } else if value >= beta && beta < GREATEST {
            (alpha, GREATEST.min(beta.saturating_add((beta - alpha).saturating_mul(4))))
        } else {
            task.value = value;
            self.best = if task.mv.is_none() { self.walk.root_move.or(self.best) } else { self.best };
            self.current += 1;
            if self.current == self.tasks.len() {
                self.conclude();
            }
            return;
        };
        if let Some(value) = self.ask(wider) {
            self.absorb(value);
        }
    }

    /// Writes the finished iteration into the report, and begins the next one unless it is the last.
    fn conclude(&mut self) {
        if self.aim.all {
            self.tasks.sort_by_key(|task| -task.value);
            self.best = self.tasks.first().and_then(|task| task.mv);
        }
        let heads: Vec<(Option<Move>, i32)> =
            self.tasks.iter().map(|task| (task.mv.or(self.best), task.value)).collect();
        let lines = heads.into_iter().filter_map(|(mv, value)| Some(self.line(mv?, value))).collect();
        self.report = Report { depth: self.depth.into(), nodes: self.walk.nodes, games: 0, solved: false, lines };
        self.done = u32::from(self.depth) >= self.aim.depth;
        self.depth += u8::from(!self.done);
        self.current = 0;
    }

    fn line(&mut self, mv: Move, value: i32) -> Line {
        let weighed = match Value::from(value) {
            Value::Evaluated(value) => Weighed::Value(i64::from(value) * E::THOUSANDTHS),
            Value::Wins(plies) => Weighed::Wins(plies),
            Value::Loses(plies) => Weighed::Loses(plies),
        };
        let margin = match weighed {
            Weighed::Value(thousandths) => (thousandths as f64 / 1000.0).round() as i32,
            Weighed::Wins(_) => i16::MAX.into(),
            Weighed::Loses(_) => i16::MIN.into(),
        };
        let pv = self.walk.line(&self.pos, mv, self.depth);
        Line { mv, margin, depth: self.depth.into(), solved: false, pv, tried: None, weighed: Some(weighed) }
    }

    /// Returns the last completed depth with its best move, or with all moves.
    pub fn report(&self) -> Report {
        Report { nodes: self.walk.nodes, ..self.report.clone() }
    }

    /// Returns the best move so far; `None` if the game is over. In an interrupted iteration it is the best of the moves that
    /// the iteration has searched, if one of them is good enough to be in its window.
    pub fn best_move(&self) -> Option<Move> {
        let newer = if self.done || self.aim.all { None } else { self.walk.best_at_root() };
        newer.or(self.best)
    }

    /// Returns the best move's value for the side to move, once it is known.
    pub fn value(&self) -> Option<i32> {
        (self.report.depth > 0).then(|| self.tasks.first().map(|task| task.value)).flatten()
    }

    pub fn table(&self) -> &Table<G> {
        &self.walk.table
    }

    /// Returns the table, for the next search.
    pub fn into_table(self) -> Table<G> {
        self.walk.table
    }
}
