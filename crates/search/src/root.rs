//! The root of a search: bounds on its moves, and the iterations that narrow them.
//!
//! An iteration has one fixed depth. It runs null-window searches ("is this move worth at least `beta`?") and
//! stores a lower and an upper bound for each move. The next window follows from the bounds and the [`Goal`]
//! alone, so an iteration has no other state. Windows move as in MTD(f), starting from the previous
//! iteration's value, or from the game's static evaluation where a search jumps to the end of the game.

use super::driver::{Driver, Path};
#[cfg(test)]
use super::margins::MarginTable;
use super::margins::Margins;
use super::null_window::{NullWindow, child_beta, from_child};
use super::report::{Line, MoveValue, Report};
use super::table::{Bound, Table};
use crate::SearchHints;
use crate::active::{ActiveSearches, Mark, Taken};
use crate::budget::{Budget, Status};
use crate::game::{GameState, History, Move};
use crate::tables::endgame::checkers::Value;
use std::sync::Arc;

/// The result an iteration computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// The root's value and one move that has it.
    Value,
    /// The root's value and the first move, in canonical order, that has it.
    First,
    /// The root's value and all moves that have it.
    Best,
    /// The value of every move.
    All,
}

/// A move at the root, with bounds on its value for the root's mover at the depth of the iteration.
#[derive(Clone)]
struct RootMove<G> {
    mv: Move,
    child: G,
    lower: Bound,
    upper: Bound,
    /// First guess of the value.
    guess: i32,
    /// The value by an endgame table of wins and losses that has the root.
    known: Option<Value>,
}

/// A null window to search at the root.
struct Question {
    /// The index of the move.
    index: usize,
    beta: i32,
    mark: Option<Mark>,
}

pub(super) struct Root<G: SearchHints> {
    pos: G,
    search: Driver<NullWindow<G>>,
    /// In canonical order.
    moves: Vec<RootMove<G>>,
    /// Indices into `moves`, most promising first.
    order: Vec<usize>,
    /// Depth of the running or last iteration, in plies.
    depth: u8,
    /// The root's value in the last iteration.
    value: i32,
    /// The null-window search in progress: index of the move, and beta; and its mark.
    asked: Option<(usize, i32)>,
    mark: Option<Mark>,
    /// Whether the iteration is finished and in the report.
    concluded: bool,
    /// Whether the iteration is so much deeper than the last that the earlier values are poor guesses.
    leaps: bool,
    /// Whether the next iteration opens the endgame table.
    uses_endgames: bool,
    report: Report,
}

/// Depth in plies at which a search may jump to the end of the game: it yields first values and a move order.
const FIRST_LOOK: u8 = 1;

/// The same where the end may take long, and the plies to the end from which it does: a search that is stopped on the way has a
/// move that it looked into.
const LONG_LOOK: u8 = 6;
const LONG: u32 = 28;

/// First step away from the guess, in an iteration that jumps to the end of the game.
const STRIDE: i32 = 4;

const AT_LEAST: Bound = Bound { value: -i32::MAX, solved: false };
const AT_MOST: Bound = Bound { value: i32::MAX, solved: false };

impl<G: SearchHints> RootMove<G> {
    fn is_exact(&self) -> bool {
        self.lower.value == self.upper.value
    }

    /// Greater is better among moves with the same value: sooner wins and later losses.
    fn rank(&self) -> i32 {
        self.known.map_or(0, Value::rank)
    }
}

impl<G: SearchHints> Root<G> {
    /// Creates a root and searches one ply, so that a report exists at once.
    pub fn new(game_state: &GameState<G>, mut table: Table<G>, goal: Goal) -> Root<G> {
        let pos = game_state.pos();
        table.begin(pos);
        let side = pos.side();
        let root_move = |mv| {
            let child = pos.play(mv);
            RootMove { mv, child, lower: AT_LEAST, upper: AT_MOST, guess: child.margin(side), known: None }
        };
        let moves: Vec<RootMove<G>> = pos.moves().map(root_move).collect();
        let mut root = Root {
            pos: *pos,
            search: Driver::new(NullWindow::new(table, Path::new(game_state.history()))),
            order: (0..moves.len()).collect(),
            moves,
            depth: 0,
            value: pos.margin(side),
            asked: None,
            mark: None,
            concluded: true,
            leaps: false,
            uses_endgames: false,
            report: Report { solved: pos.is_over(), ..Report::default() },
        };
        if !pos.is_over() {
            root.deepen(1);
            root.step(goal, Budget::UNLIMITED);
            root.conclude(goal);
        }
        root
    }

    pub fn report(&self) -> Report {
        Report { nodes: self.search.policy.nodes, ..self.report.clone() }
    }

    pub fn pos(&self) -> &G {
        &self.pos
    }

    pub fn is_solved(&self) -> bool {
        self.report.solved
    }

    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Returns whether the iteration is finished and in the report.
    pub fn is_concluded(&self) -> bool {
        self.concluded
    }

    pub fn table(&self) -> &Table<G> {
        &self.search.policy.table
    }

    pub fn into_table(self) -> Table<G> {
        self.search.policy.table
    }

    /// Lets the next iterations use the endgame table for the rules, if there is one. The next one opens its file: a root
    /// may be made where no file is to be read.
    pub fn use_endgames(&mut self) {
        self.uses_endgames = true;
    }

    /// Whether the endgame table has proved damaged, so that the search has to [begin again](Root::begin_again).
    pub fn has_lost_endgames(&self) -> bool {
        self.search.policy.endgames.is_damaged()
    }

    /// Begins the search again without an endgame table. Nothing found so far is used: values of a depth are others with the table.
    /// The helpers must have ended.
    pub fn begin_again(&mut self, goal: Goal) {
        let mut search = NullWindow::new(Table::new(0), Path::new(&History::default()));
        std::mem::swap(&mut search, &mut self.search.policy);
        let (mut table, history) = search.into_parts();
        table.clear();
        *self = Root::new(&GameState::after(self.pos, history, 0), table, goal);
    }

    /// Uses this endgame table from now on.
    #[cfg(test)]
    pub fn set_endgames(&mut self, endgames: MarginTable) {
        self.uses_endgames = false;
        self.search.policy.endgames = endgames;
        self.probe();
    }

    /// Begins the next iteration, at most `limit` deep: one ply deeper than the last, or to the end of the
    /// game if that is within the limit. Solved bounds are kept.
    pub fn deepen(&mut self, limit: u32) {
        if std::mem::take(&mut self.uses_endgames) {
            self.search.policy.open_endgames(&self.pos);
            self.probe();
        }
        let look = |plies| if plies >= LONG { LONG_LOOK } else { FIRST_LOOK };
        let end = self.pos.plies_left().filter(|&plies| plies <= limit && self.depth >= look(plies));
        let end = end.and_then(|plies| u8::try_from(plies).ok()).filter(|&plies| plies > self.depth);
        self.leaps = end.is_some_and(|plies| plies > self.depth + 1);
        self.depth = end.unwrap_or(self.depth + 1);
        if self.leaps {
            self.look_ahead();
        }
        self.concluded = false;
        for root_move in &mut self.moves {
            if !root_move.lower.solved {
                root_move.lower = AT_LEAST;
            }
            if !root_move.upper.solved {
                root_move.upper = AT_MOST;
            }
        }
    }

    /// Makes a table that is not shared an empty one that threads can share.
    pub fn share_table(&mut self) {
        self.search.policy.table.share(&self.pos);
    }

    /// Returns a helper in the iteration, with the same table; `None` if the table is not shared.
    pub fn helper(&mut self, active: &Arc<ActiveSearches>) -> Option<Root<G>> {
        let search = self.search.helper(self.search.policy.helper()?, active);
        let moves = self.moves.clone();
        let order = self.order.clone();
        let report = Report::default();
        Some(Root { search, moves, order, report, asked: None, mark: None, ..*self })
    }

    /// Adds the nodes of a helper.
    pub fn add_nodes(&mut self, helper: &Root<G>) {
        self.search.policy.nodes += helper.search.policy.nodes;
    }

    /// Sets the bounds of all moves, if an endgame table of wins and losses has the root.
    fn probe(&mut self) {
        if self.search.policy.endgames.value(&self.pos).is_none() {
            return;
        }
        for m in &mut self.moves {
            let Some((value, Margins { least, most, .. })) = self.search.policy.probe((&self.pos, m.mv), &m.child)
            else {
                continue;
            };
            let bound = |value| from_child(&self.pos, &m.child, Bound { value, solved: true });
            (m.lower, m.upper, m.known) = (bound(most), bound(least), Some(value.before()));
        }
    }

    /// Sets the guesses to static evaluations and orders the moves by them, if the game has one.
    fn look_ahead(&mut self) {
        let side = self.pos.side();
        for m in &mut self.moves {
            let turns = m.child.side() != side;
            let guess = if m.child.is_over() { Some(m.child.margin(m.child.side())) } else { m.child.static_eval() };
            let Some(guess) = guess else { return };
            m.guess = if turns { -guess } else { guess };
        }
        let moves = &self.moves;
        crate::sort::sort_by_key(&mut self.order, |&index| -moves[index].guess);
        self.value = moves.iter().map(|m| m.guess).max().unwrap_or(self.value);
    }

    /// Continues the iteration until it reaches `goal`, the budget is spent, or the search has to [begin
    /// again](Root::begin_again).
    pub fn step(&mut self, goal: Goal, budget: Budget) -> Status {
        loop {
            if self.has_lost_endgames() {
                return Status::Done;
            }
            let answer = match self.asked {
                Some(_) => self.search.step(budget),
                None => match self.question(goal) {
                    None => return Status::Done,
                    Some(Question { index, beta, mark }) => {
                        (self.asked, self.mark) = (Some((index, beta)), mark);
                        let RootMove { mv, child, .. } = &self.moves[index];
                        let beta = child_beta(&self.pos, child, beta);
                        let request = self.search.policy.request((&self.pos, *mv), child, self.depth - 1, beta);
                        self.search.start(request)
                    }
                },
            };
            if let (Some(bound), Some((index, beta))) = (answer, self.asked) {
                (self.asked, self.mark) = (None, None);
                let root_move = &mut self.moves[index];
                let bound = from_child(&self.pos, &root_move.child, bound);
                if bound.value >= beta {
                    root_move.lower = bound
                } else {
                    root_move.upper = bound
                }
                if goal == Goal::All {
                    self.report_solved(index);
                }
            }
            if budget.is_spent() {
                return Status::Running;
            }
        }
    }

    /// Puts a move into the report as soon as it is solved: the others may take long.
    fn report_solved(&mut self, index: usize) {
        let RootMove { mv, lower, upper, .. } = self.moves[index];
        if lower.value != upper.value || !(lower.solved && upper.solved) {
            return;
        }
        if let Some(at) = self.report.lines.iter().position(|line| line.mv == mv) {
            self.report.lines[at] = self.line(index);
            crate::sort::sort_by_key(&mut self.report.lines, |line| -line.margin);
        }
    }

    /// Returns a lower and an upper bound of the root's value.
    fn bounds(&self) -> (i32, i32) {
        let lower = self.moves.iter().map(|m| m.lower.value).max().unwrap_or(AT_LEAST.value);
        let upper = self.moves.iter().map(|m| m.upper.value).max().unwrap_or(AT_MOST.value);
        (lower, upper)
    }

    /// Returns the next window, or `None` once `goal` is reached.
    fn question(&self, goal: Goal) -> Option<Question> {
        let ordered = self.order.iter().map(|&index| (index, &self.moves[index]));
        if goal == Goal::All {
            let open = ordered.filter(|(_, m)| !m.is_exact());
            let error = self.error();
            return self.free(
                open.map(|(index, m)| (index, self.next_beta(m.lower.value, m.upper.value, m.guess + error))),
                None,
            );
        }
        let (lower, upper) = self.bounds();
        if lower < upper {
            let beta = self.next_beta(lower, upper, self.value);
            let open = ordered.filter(|(_, m)| m.upper.value >= beta);
            return self.free(open.map(|(index, _)| (index, beta)), self.order.first().copied());
        }
        // The rank decides between moves with the best value, so all of them must be known.
        let goal = if self.moves.iter().any(|m| m.known.is_some()) { Goal::Best } else { goal };
        let open = |m: &RootMove<G>| m.lower.value < lower && m.upper.value >= lower;
        let mut canonical = self.moves.iter();
        let index = match goal {
            Goal::Value | Goal::All => None,
            Goal::First => canonical.position(|m| m.upper.value >= lower).filter(|&index| open(&self.moves[index])),
            Goal::Best => {
                let open = self.moves.iter().enumerate().filter(|(_, m)| open(m));
                return self.free(open.map(|(index, _)| (index, lower)), None);
            }
        };
        index.map(|index| Question { index, beta: lower, mark: None })
    }

    /// Returns the first of these windows that no other thread searches, or else the first. All threads search the move
    /// `joined` together.
    fn free(&self, windows: impl Iterator<Item = (usize, i32)>, joined: Option<usize>) -> Option<Question> {
        let mut busy = None;
        for (index, beta) in windows {
            let child = &self.moves[index].child;
            let claim = if joined == Some(index) { Ok(None) } else { self.search.claim(child, self.depth - 1) };
            match claim {
                Ok(mark) => return Some(Question { index, beta, mark }),
                Err(Taken) => busy = busy.or(Some((index, beta))),
            }
        }
        busy.map(|(index, beta)| Question { index, beta, mark: None })
    }

    /// Mean error of the guesses of the exact moves, after a jump to the end; used to correct the other
    /// guesses.
    fn error(&self) -> i32 {
        if !self.leaps {
            return 0;
        }
        let (sum, count) = self
            .moves
            .iter()
            .filter(|m| m.is_exact())
            .fold((0, 0), |(sum, count), m| (sum + m.lower.value - m.guess, count + 1));
        if count == 0 { 0 } else { sum / count }
    }

    /// Returns whether the value holds at every greater depth: a best move has it as a solved lower bound,
    /// and all upper bounds are solved.
    pub fn is_value_solved(&self) -> bool {
        let (lower, _) = self.bounds();
        self.moves.iter().any(|m| m.lower.value == lower && m.lower.solved) && self.moves.iter().all(|m| m.upper.solved)
    }

    /// Writes the finished iteration into the report and orders the moves for the next.
    pub fn conclude(&mut self, goal: Goal) {
        self.concluded = true;
        let (value, _) = self.bounds();
        let worth = |m: &RootMove<G>| if m.is_exact() { m.lower.value } else { m.upper.value.min(value) };
        for m in &mut self.moves {
            m.guess = worth(m);
        }
        let moves = &self.moves;
        crate::sort::sort_by_key(&mut self.order, |&index| {
            let m = &moves[index];
            (-m.guess, m.lower.value < m.guess, -m.rank())
        });
        self.value = value;
        let is_best = |m: &&RootMove<G>| m.lower.value == value;
        let rank = self.moves.iter().filter(is_best).map(RootMove::rank).max().unwrap_or(0);
        let best = |index: &usize| Some(&self.moves[*index]).filter(is_best).is_some_and(|m| m.rank() == rank);
        let shown: Vec<usize> = match goal {
            Goal::All => self.order.clone(),
            Goal::Best => (0..self.moves.len()).filter(best).collect(),
            Goal::First => (0..self.moves.len()).find(best).into_iter().collect(),
            Goal::Value => self.order.iter().copied().find(best).into_iter().collect(),
        };
        let lines: Vec<Line> = shown.into_iter().map(|index| self.line(index)).collect();
        let solved = self.is_value_solved() && lines.iter().all(|line| line.solved);
        self.report = Report { depth: self.depth.into(), nodes: self.search.policy.nodes, games: 0, solved, lines };
    }

    /// Returns the report line of a move whose value is exact.
    fn line(&mut self, index: usize) -> Line {
        let m = &self.moves[index];
        let margin = m.lower.value;
        let to_child = if m.child.side() == self.pos.side() { margin } else { -margin };
        let solved = m.lower.solved && m.upper.solved;
        let weighed = m.known.filter(|_| solved).and_then(|value| match value {
            Value::Wins(plies) => Some(MoveValue::Wins(plies.into())),
            Value::Loses(plies) => Some(MoveValue::Loses(plies.into())),
            Value::Draws => None,
        });
        let pv = self.search.policy.pv(&self.pos, m.mv, self.depth - 1, to_child);
        Line { mv: m.mv, margin, depth: self.depth.into(), solved, pv, tried: None, weighed }
    }

    /// Returns the next beta for a value between `lower` and `upper`: from the guess in one direction, as in
    /// MTD(f); after a jump to the end, with doubling strides and then by bisection.
    fn next_beta(&self, lower: i32, upper: i32, guess: i32) -> i32 {
        match (lower > AT_LEAST.value, upper < AT_MOST.value) {
            (false, false) => guess,
            (true, true) if self.leaps => lower + (upper - lower + 1) / 2,
            (_, true) if self.leaps => upper - (guess - upper).max(STRIDE),
            (true, _) if self.leaps => lower + (lower - guess).max(STRIDE),
            (_, true) => upper,
            (true, false) => lower + 1,
        }
    }
}
