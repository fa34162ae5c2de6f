//! Alpha-beta over an evaluation other than the margin.
//!
//! [`Search`](super::Search) is specialized for the margin: it uses null windows and shares results between
//! positions that differ only in the margin so far. An evaluation may depend on anything, seldom gives two
//! positions the same value, and is mostly searched a few plies deep, where a table costs more than it saves.
//! So this is plain fail-soft alpha-beta without a table. It is exact: values are integers, and it finds
//! every move that has the root's value, as random ties require.
//!
//! Values are those for the side to move at the root, which maximizes; the other side minimizes. For
//! interruptions the upper plies are frames on an explicit stack, as in the search for the margin.

use std::fmt;

use crate::MoveSet;
use crate::SearchHints;
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, History, Move, Side, referee};
use crate::settings::string_enum;

/// Depth in plies of the subtrees searched without interruption, for evaluations that take some nanoseconds:
/// some tenths of a millisecond.
const SUBTREE: u32 = 6;

/// Which move of the maximizing side adds its own value to that of the leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum JudgedMove {
    /// The move at the root.
    #[default]
    Root,
    /// The side's last move on the path to the leaf.
    Path,
}

impl JudgedMove {
    pub const WORDS: &'static [(&'static str, JudgedMove)] = &[("root", JudgedMove::Root), ("path", JudgedMove::Path)];
}
string_enum!(JudgedMove);

/// A value of positions and moves.
pub trait EvalValue: Copy + Ord + fmt::Debug + Default + Send + 'static {
    /// Lower and upper limit of all values.
    const LEAST: Self;
    const MOST: Self;

    /// Returns the sum of a position's and a move's value.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Returns the next lower value; saturates at the lowest.
    #[must_use]
    fn below(self) -> Self;
}

/// The sum of a position's and a move's value is within ±2^30.
impl EvalValue for i32 {
    const LEAST: i32 = i32::MIN;
    const MOST: i32 = i32::MAX;

    #[inline(always)]
    fn plus(self, other: i32) -> i32 {
        self + other
    }

    #[inline(always)]
    fn below(self) -> i32 {
        self.saturating_sub(1)
    }
}

/// Evaluation of positions and moves.
pub trait Evaluation<G: Game>: Send {
    type Value: EvalValue;

    /// Returns the value of `pos` for `side`, in the evaluation's own unit.
    fn position(&self, pos: &G, side: Side) -> Self::Value;

    /// Returns the additional value of playing `mv` in `pos`, with the result `after`, for the mover.
    fn mv(&self, _pos: &G, _mv: Move, _after: &G) -> Self::Value {
        Self::Value::default()
    }

    /// Returns the value for `side` of a game that a history-dependent rule ends at `pos`.
    fn ruled(&self, _pos: &G, _side: Side) -> Self::Value {
        Self::Value::default()
    }

    /// Which moves [`mv`](Evaluation::mv) evaluates.
    fn judged(&self) -> JudgedMove {
        JudgedMove::Root
    }

    /// Depth in plies, at least 1, of the subtrees searched without checking the budget; never changes a
    /// result.
    fn subtree(&self) -> u32 {
        SUBTREE
    }
}

/// The best moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best<V> {
    /// Their value, in the evaluation's unit.
    pub value: V,
    pub moves: MoveSet,
    /// Positions visited.
    pub nodes: u64,
}

impl<V: EvalValue> Best<V> {
    const NONE: Best<V> = Best { value: V::LEAST, moves: MoveSet::NONE, nodes: 0 };

    /// Updates the best moves with a move's value, or with an upper bound below the best value.
    #[inline]
    fn absorb<G: SearchHints>(&mut self, pos: &G, mv: Move, value: V) {
        if value > self.value {
            (self.value, self.moves) = (value, MoveSet::default());
        }
        if value == self.value {
            pos.moves().position(|legal| legal == mv).into_iter().for_each(|place| self.moves.insert(place));
        }
    }

    /// Alpha for the next move: the exact value is needed only above it.
    #[inline]
    fn alpha(&self) -> V {
        self.value.below()
    }
}

/// Returns the best moves of `pos`, which must not be over, at `depth` plies, without interruption. Only for
/// games whose rules do not depend on history.
#[inline]
pub fn best_moves<G: SearchHints, E: Evaluation<G>>(pos: &G, depth: u32, evaluation: &E) -> Best<E::Value> {
    debug_assert!(!G::USES_HISTORY, "this search has no history of the game");
    best_moves_after(pos, &mut History::default(), depth, evaluation)
}

/// As [`best_moves`], for a game that came to `pos` through `history`, which it leaves as it was.
#[inline]
pub fn best_moves_after<G: SearchHints, E: Evaluation<G>>(
    pos: &G,
    history: &mut History<G>,
    depth: u32,
    evaluation: &E,
) -> Best<E::Value> {
    let mut prover = Prover { evaluation, judged: evaluation.judged(), side: pos.side(), history, nodes: 0 };
    let mut best = Best::NONE;
    for mv in pos.ordered_moves(depth.saturating_sub(1)) {
        let child = pos.play(mv);
        prover.history.push(pos, mv);
        let bonus = evaluation.mv(pos, mv, &child);
        let value = prover.value(&child, depth.saturating_sub(1), best.alpha(), E::Value::MOST, bonus);
        prover.history.pop();
        best.absorb(pos, mv, value);
    }
    best.nodes = prover.nodes;
    best
}

struct Prover<'a, G, E> {
    evaluation: &'a E,
    judged: JudgedMove,
    /// The side to move at the root.
    side: Side,
    /// Moves before the current position.
    history: &'a mut History<G>,
    nodes: u64,
}

impl<G: SearchHints, E: Evaluation<G>> Prover<'_, G, E> {
    /// Returns the value of `pos` at `depth` plies: exact between `alpha` and `beta`, otherwise a bound on
    /// the same side. `bonus` is the value of the judged move.
    #[inline]
    fn value(&mut self, pos: &G, depth: u32, alpha: E::Value, beta: E::Value, bonus: E::Value) -> E::Value {
        if referee::ruling(pos, self.history).is_some() && !pos.is_over() {
            self.nodes += 1;
            self.evaluation.ruled(pos, self.side)
        } else if depth == 0 || pos.is_over() {
            self.nodes += 1;
            self.evaluation.position(pos, self.side).plus(bonus)
        } else if pos.side() == self.side {
            self.node::<true>(pos, depth, alpha, beta, bonus)
        } else {
            self.node::<false>(pos, depth, alpha, beta, bonus)
        }
    }

    /// Searches the last ply, where most of the work is; move ordering costs more than it saves here.
    #[inline]
    fn last_ply<const MINE: bool>(&mut self, pos: &G, alpha: E::Value, beta: E::Value, bonus: E::Value) -> E::Value {
        self.nodes += 1;
        let mut best = if MINE { E::Value::LEAST } else { E::Value::MOST };
        for mv in pos.moves() {
            let child = pos.play(mv);
            let judged = MINE && self.judged == JudgedMove::Path;
            let bonus = if judged { self.evaluation.mv(pos, mv, &child) } else { bonus };
            self.history.push(pos, mv);
            let is_ruled = referee::ruling(&child, self.history).is_some() && !child.is_over();
            self.history.pop();
            let value = if is_ruled {
                self.evaluation.ruled(&child, self.side)
            } else {
                self.evaluation.position(&child, self.side).plus(bonus)
            };
            self.nodes += 1;
            best = if MINE { best.max(value) } else { best.min(value) };
            if if MINE { best >= beta } else { best <= alpha } {
                break;
            }
        }
        best
    }

    fn node<const MINE: bool>(
        &mut self,
        pos: &G,
        depth: u32,
        mut alpha: E::Value,
        mut beta: E::Value,
        bonus: E::Value,
    ) -> E::Value {
        if depth == 1 {
            return self.last_ply::<MINE>(pos, alpha, beta, bonus);
        }
        self.nodes += 1;
        let mut best = if MINE { E::Value::LEAST } else { E::Value::MOST };
        for mv in pos.ordered_moves(depth - 1) {
            let child = pos.play(mv);
            let bonus =
                if MINE && self.judged == JudgedMove::Path { self.evaluation.mv(pos, mv, &child) } else { bonus };
            self.history.push(pos, mv);
            let value = self.value(&child, depth - 1, alpha, beta, bonus);
            self.history.pop();
            if MINE {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// A resumable search for the best moves.
pub struct Searching<G: SearchHints, E: Evaluation<G>> {
    evaluation: E,
    pos: G,
    /// Moves before the current position.
    history: History<G>,
    depth: u32,
    best: Best<E::Value>,
    /// The root move being searched.
    trying: Move,
    /// Untried root moves, the next one last.
    untried: Vec<Move>,
    stack: Vec<Frame<G, E::Value>>,
    /// The untried moves of all frames on the stack, those of the top frame last.
    moves: Vec<Move>,
}

/// A position whose moves are being tried.
struct Frame<G, V> {
    pos: G,
    depth: u32,
    alpha: V,
    beta: V,
    bonus: V,
    /// The best value so far, for the side to move here.
    best: V,
    mine: bool,
    /// Index of this frame's first move.
    moves: usize,
}

impl<G, V: EvalValue> Frame<G, V> {
    /// Updates the frame with a move's value. Returns whether it causes a cutoff.
    fn absorb(&mut self, value: V) -> bool {
        if self.mine {
            self.best = self.best.max(value);
            self.alpha = self.alpha.max(value);
        } else {
            self.best = self.best.min(value);
            self.beta = self.beta.min(value);
        }
        self.alpha >= self.beta
    }
}

impl<G: SearchHints, E: Evaluation<G>> Searching<G, E> {
    /// Creates a search of the current position of a game, at least one ply deep.
    pub fn new(from: impl Into<GameState<G>>, depth: u32, evaluation: E) -> Searching<G, E> {
        let from = from.into();
        let pos = *from.pos();
        let history = from.history().clone();
        let depth = depth.max(1);
        let mut untried: Vec<Move> = pos.ordered_moves(depth - 1).collect();
        untried.reverse();
        let stack = Vec::new();
        let moves = Vec::new();
        Searching { evaluation, pos, history, depth, best: Best::NONE, trying: Move::NONE, untried, stack, moves }
    }

    /// Continues the search until the budget is spent or the best moves are known.
    pub fn step(&mut self, budget: Budget) -> Status {
        loop {
            let value = match self.stack.last() {
                Some(_) => self.try_next(),
                None => match self.untried.pop() {
                    None => return Status::Done,
                    Some(mv) => self.try_at_root(mv),
                },
            };
            if let Some(value) = value {
                self.ascend(value);
            }
            if budget.is_spent() && !(self.stack.is_empty() && self.untried.is_empty()) {
                return Status::Running;
            }
        }
    }

    /// Returns the best of the moves searched so far; all moves are searched once a step returns `Done`.
    /// Empty if the game is over.
    pub fn best(&self) -> Best<E::Value> {
        self.best
    }

    fn try_at_root(&mut self, mv: Move) -> Option<E::Value> {
        self.trying = mv;
        let child = self.pos.play(mv);
        self.history.push(&self.pos, mv);
        let bonus = self.evaluation.mv(&self.pos, mv, &child);
        self.descend(&child, self.depth - 1, (self.best.alpha(), E::Value::MOST), bonus)
    }

    /// Searches the next move of the top frame.
    fn try_next(&mut self) -> Option<E::Value> {
        let frame = self.stack.last()?;
        let mv = self.moves.pop()?;
        let child = frame.pos.play(mv);
        self.history.push(&frame.pos, mv);
        let judged = frame.mine && self.evaluation.judged() == JudgedMove::Path;
        let bonus = if judged { self.evaluation.mv(&frame.pos, mv, &child) } else { frame.bonus };
        self.descend(&child, frame.depth - 1, (frame.alpha, frame.beta), bonus)
    }

    /// Searches a small subtree at once, or pushes the position onto the stack.
    fn descend(
        &mut self,
        pos: &G,
        depth: u32,
        (alpha, beta): (E::Value, E::Value),
        bonus: E::Value,
    ) -> Option<E::Value> {
        let side = self.pos.side();
        if depth <= self.evaluation.subtree() || pos.is_over() || referee::ruling(pos, &self.history).is_some() {
            let evaluation = &self.evaluation;
            let mut prover =
                Prover { evaluation, judged: evaluation.judged(), side, history: &mut self.history, nodes: 0 };
            let value = prover.value(pos, depth, alpha, beta, bonus);
            self.best.nodes += prover.nodes;
            return Some(value);
        }
        self.best.nodes += 1;
        let moves = self.moves.len();
        self.moves.extend(pos.ordered_moves(depth - 1));
        self.moves[moves..].reverse();
        let mine = pos.side() == side;
        let best = if mine { E::Value::LEAST } else { E::Value::MOST };
        self.stack.push(Frame { pos: *pos, depth, alpha, beta, bonus, best, mine, moves });
        None
    }

    /// Propagates a value down the stack as far as frames are complete.
    fn ascend(&mut self, mut value: E::Value) {
        self.history.pop();
        while let Some(frame) = self.stack.last_mut() {
            if !frame.absorb(value) && self.moves.len() > frame.moves {
                return;
            }
            value = frame.best;
            self.moves.truncate(frame.moves);
            self.stack.pop();
            self.history.pop();
        }
        self.best.absorb(&self.pos, self.trying, value);
    }
}
