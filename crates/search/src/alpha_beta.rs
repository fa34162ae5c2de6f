//! Alpha-beta over an evaluation other than the margin.
//!
//! [`Search`](super::Search) is made for the margin: it asks null-window questions and shares what it learns between positions
//! that differ only in what is banked. An evaluation may look at anything, seldom gives two positions the same value, and is
//! mostly searched a few plies deep, where a table costs more than it saves. So this is plain fail-soft alpha-beta, without a
//! table, and exact: values are integers, and every move that has the root's value is found, which random ties need.
//!
//! An evaluation is always that of the side to move at the root: the other side is taken to make it as small as it can.
//! To be interruptible the upper plies are frames on an explicit stack, as in the search for the margin.

use std::fmt;

use crate::MoveSet;
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, History, Move, Side, referee};
use crate::settings::words_of;

/// Plies searched in one go where positions are valued in some nanoseconds: some tenths of a millisecond.
const SUBTREE: u32 = 6;

/// Which moves of the side that chooses count for themselves, besides the positions they lead to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Judged {
    /// The move at the root.
    #[default]
    Root,
    /// The last of its moves on the way to the position that is valued.
    Path,
}

impl Judged {
    pub const WORDS: &'static [(&'static str, Judged)] = &[("root", Judged::Root), ("path", Judged::Path)];
}
words_of!(Judged);

/// A value that positions and moves are compared by.
pub trait EvalValue: Copy + Ord + fmt::Debug + Default + Send + 'static {
    /// No position is worth less, nor more.
    const LEAST: Self;
    const MOST: Self;

    /// The sum of what a position and a move are worth.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The next lower value; the lowest is its own.
    #[must_use]
    fn below(self) -> Self;
}

/// The sum of a position's and a move's value lies within ±2^30.
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

/// What positions and moves are worth. A game that a rule ends which looks back is worth the default.
pub trait Evaluation<G: Game>: Send {
    type Value: EvalValue;

    /// What `pos` is worth to `side`, in units of the evaluation's own.
    fn position(&self, pos: &G, side: Side) -> Self::Value;

    /// What playing `mv` in `pos`, which gives `after`, is worth to the mover besides.
    fn mv(&self, _pos: &G, _mv: Move, _after: &G) -> Self::Value {
        Self::Value::default()
    }

    /// Which moves [`mv`](Evaluation::mv) is asked about.
    fn judged(&self) -> Judged {
        Judged::Root
    }

    /// How many plies are searched in one go, without a look at the clock, at least 1; changes nothing of what is found.
    fn subtree(&self) -> u32 {
        SUBTREE
    }
}

/// The best moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best<V> {
    /// What they are worth, in the evaluation's unit.
    pub value: V,
    pub moves: MoveSet,
    /// Positions visited for it.
    pub nodes: u64,
}

impl<V: EvalValue> Best<V> {
    const NONE: Best<V> = Best { value: V::LEAST, moves: MoveSet::NONE, nodes: 0 };

    /// Takes in what a move of `pos` is worth, or that it is worth no more than `value` if that is less than the best so far.
    #[inline]
    fn absorb<G: Game>(&mut self, pos: &G, mv: Move, value: V) {
        if value > self.value {
            (self.value, self.moves) = (value, MoveSet::default());
        }
        if value == self.value {
            pos.moves().position(|legal| legal == mv).into_iter().for_each(|place| self.moves.insert(place));
        }
    }

    /// The bound above which a further move must have its exact value.
    #[inline]
    fn alpha(&self) -> V {
        self.value.below()
    }
}

/// The best moves of `pos`, which is not over, `depth` plies ahead, found in one go; for games whose rules never look back.
#[inline]
pub fn best_moves<G: Game, E: Evaluation<G>>(pos: &G, depth: u32, evaluation: &E) -> Best<E::Value> {
    debug_assert!(!G::USES_HISTORY, "what was played before is not known here");
    let mut history = History::default();
    let mut prover =
        Prover { evaluation, judged: evaluation.judged(), side: pos.side(), history: &mut history, nodes: 0 };
    let mut best = Best::NONE;
    for mv in pos.ordered_moves(depth.saturating_sub(1)) {
        let child = pos.play(mv);
        let bonus = evaluation.mv(pos, mv, &child);
        let value = prover.value(&child, depth.saturating_sub(1), best.alpha(), E::Value::MOST, bonus);
        best.absorb(pos, mv, value);
    }
    best.nodes = prover.nodes;
    best
}

struct Prover<'a, G, E> {
    evaluation: &'a E,
    judged: Judged,
    /// To move at the root.
    side: Side,
    /// What was played before the position that is looked at.
    history: &'a mut History<G>,
    nodes: u64,
}

impl<G: Game, E: Evaluation<G>> Prover<'_, G, E> {
    /// What `pos` is worth `depth` plies ahead: exactly, if that is between `alpha` and `beta`, otherwise a bound on the same
    /// side of them. `bonus` is what the judged move is worth.
    #[inline]
    fn value(&mut self, pos: &G, depth: u32, alpha: E::Value, beta: E::Value, bonus: E::Value) -> E::Value {
        if referee::ruling(pos, self.history).is_some() && !pos.is_over() {
            self.nodes += 1;
            E::Value::default()
        } else if depth == 0 || pos.is_over() {
            self.nodes += 1;
            self.evaluation.position(pos, self.side).plus(bonus)
        } else if pos.side() == self.side {
            self.node::<true>(pos, depth, alpha, beta, bonus)
        } else {
            self.node::<false>(pos, depth, alpha, beta, bonus)
        }
    }

    /// The same one ply ahead, where most of the work is: to look for promising moves first would cost more than it saves.
    #[inline]
    fn last_ply<const MINE: bool>(&mut self, pos: &G, alpha: E::Value, beta: E::Value, bonus: E::Value) -> E::Value {
        self.nodes += 1;
        let mut best = if MINE { E::Value::LEAST } else { E::Value::MOST };
        for mv in pos.moves() {
            let child = pos.play(mv);
            let judged = MINE && self.judged == Judged::Path;
            let bonus = if judged { self.evaluation.mv(pos, mv, &child) } else { bonus };
            self.history.push(pos, mv);
            let is_drawn = referee::ruling(&child, self.history).is_some() && !child.is_over();
            self.history.pop();
            let value =
                if is_drawn { E::Value::default() } else { self.evaluation.position(&child, self.side).plus(bonus) };
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
            let bonus = if MINE && self.judged == Judged::Path { self.evaluation.mv(pos, mv, &child) } else { bonus };
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

/// A search for the best moves that works in steps.
pub struct Searching<G: Game, E: Evaluation<G>> {
    evaluation: E,
    pos: G,
    /// What was played before the position that is looked at.
    history: History<G>,
    depth: u32,
    best: Best<E::Value>,
    /// The move at the root whose value is awaited.
    trying: Move,
    /// Moves at the root that are still to be tried, the next one last.
    untried: Vec<Move>,
    stack: Vec<Frame<G, E::Value>>,
    /// The moves that the frames on the stack have still to try, each frame's at the end of those below it.
    moves: Vec<Move>,
}

/// A position whose moves are being tried.
struct Frame<G, V> {
    pos: G,
    depth: u32,
    alpha: V,
    beta: V,
    bonus: V,
    /// The best value so far, for whoever moves here.
    best: V,
    mine: bool,
    /// Where this frame's moves begin.
    moves: usize,
}

impl<G, V: EvalValue> Frame<G, V> {
    /// Takes in what a move is worth; whether that settles the frame's value.
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

impl<G: Game, E: Evaluation<G>> Searching<G, E> {
    /// Looks `depth` plies ahead, at least one, of the position that a game has come to.
    pub fn new(from: impl Into<GameState<G>>, depth: u32, evaluation: E) -> Searching<G, E> {
        let from = from.into();
        let (pos, history) = (*from.pos(), from.history().clone());
        let depth = depth.max(1);
        let mut untried: Vec<Move> = pos.ordered_moves(depth - 1).collect();
        untried.reverse();
        let (stack, moves) = (Vec::new(), Vec::new());
        Searching { evaluation, pos, history, depth, best: Best::NONE, trying: Move::NONE, untried, stack, moves }
    }

    /// Searches on until the budget is spent or the best moves are known.
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

    /// The best of the moves searched so far: all of them, once a step has said that it is done. No move if the game is over.
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

    /// Tries the next move of the uppermost frame.
    fn try_next(&mut self) -> Option<E::Value> {
        let (frame, mv) = (self.stack.last()?, self.moves.pop()?);
        let child = frame.pos.play(mv);
        self.history.push(&frame.pos, mv);
        let judged = frame.mine && self.evaluation.judged() == Judged::Path;
        let bonus = if judged { self.evaluation.mv(&frame.pos, mv, &child) } else { frame.bonus };
        self.descend(&child, frame.depth - 1, (frame.alpha, frame.beta), bonus)
    }

    /// The value at once where that is quick; otherwise the position is put on the stack.
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

    /// Hands a value down the stack as far as it settles anything.
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
