//! Alpha-beta over an evaluation other than the margin.
//!
//! [`Search`](super::Search) is specialized for the margin: it uses null windows and shares results between
//! positions that differ only in the margin so far. An evaluation may depend on anything, seldom gives two
//! positions the same value, and is mostly searched a few plies deep, where a table costs more than it saves.
//! So this is plain fail-soft alpha-beta without a table. It is exact: values are integers, and it finds
//! every move that has the root's value, as random ties require.
//!
//! Values are those for the side to move at the root, which maximizes; the other side minimizes. For
//! interruptions a [`Driver`] runs the upper plies, as in the search for the margin.

use std::fmt;

use crate::MoveSet;
use crate::SearchHints;
use crate::budget::{Budget, Status};
use crate::driver::{Driver, Others, Path, Policy, Untried};
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

string_enum!(JudgedMove { "root" => Root, "path" => Path });

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
    let mut prover = Recursion { evaluation, judged: evaluation.judged(), side: pos.side(), history, nodes: 0 };
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

struct Recursion<'a, G, E> {
    evaluation: &'a E,
    judged: JudgedMove,
    /// The side to move at the root.
    side: Side,
    /// Moves before the current position.
    history: &'a mut History<G>,
    nodes: u64,
}

impl<G: SearchHints, E: Evaluation<G>> Recursion<'_, G, E> {
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
pub struct AlphaBetaSearch<G: SearchHints, E: Evaluation<G>> {
    pos: G,
    depth: u32,
    best: Best<E::Value>,
    /// The root move being searched, if there is one.
    trying: Option<Move>,
    /// Untried root moves, the next one last.
    untried: Vec<Move>,
    driver: Driver<AlphaBeta<G, E>>,
}

/// The search below the root.
struct AlphaBeta<G, E> {
    evaluation: E,
    /// The side to move at the root.
    side: Side,
    path: Path<G>,
    untried: Untried,
    nodes: u64,
}

/// A search of `depth` plies; `bonus` is the value of the judged move.
struct Request<G, V> {
    pos: G,
    depth: u32,
    alpha: V,
    beta: V,
    bonus: V,
}

/// A position whose moves are being tried. The window narrows with the best value.
struct Node<V> {
    alpha: V,
    beta: V,
    /// The best value so far, for the side to move here.
    best: V,
    mine: bool,
    /// Where the untried moves begin.
    moves: usize,
}

impl<V: EvalValue> Node<V> {
    /// Updates the node with a move's value. Returns whether it causes a cutoff.
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

type RequestOf<G, E> = Request<G, <E as Evaluation<G>>::Value>;
type NodeOf<G, E> = Node<<E as Evaluation<G>>::Value>;

impl<G: SearchHints, E: Evaluation<G>> Policy for AlphaBeta<G, E> {
    type Request = RequestOf<G, E>;
    type Node = NodeOf<G, E>;
    type Value = E::Value;

    fn is_small(&self, Request { pos, depth, .. }: &RequestOf<G, E>) -> bool {
        *depth <= self.evaluation.subtree() || pos.is_over() || referee::ruling(pos, &self.path.history).is_some()
    }

    fn enter(&mut self, request: &RequestOf<G, E>) -> Result<E::Value, NodeOf<G, E>> {
        let Request { pos, depth, alpha, beta, .. } = request;
        self.nodes += 1;
        let mine = pos.side() == self.side;
        let best = if mine { E::Value::LEAST } else { E::Value::MOST };
        let moves = self.untried.list(pos.ordered_moves(depth - 1));
        Err(Node { alpha: *alpha, beta: *beta, best, mine, moves })
    }

    fn next(
        &mut self,
        Request { pos, depth, bonus, .. }: &RequestOf<G, E>,
        node: &mut NodeOf<G, E>,
        _others: Option<Others>,
    ) -> Option<RequestOf<G, E>> {
        let mv = self.untried.take(node.moves)?;
        let child = pos.play(mv);
        self.path.history.push(pos, mv);
        let is_judged = node.mine && self.evaluation.judged() == JudgedMove::Path;
        let bonus = if is_judged { self.evaluation.mv(pos, mv, &child) } else { *bonus };
        Some(Request { pos: child, depth: depth - 1, alpha: node.alpha, beta: node.beta, bonus })
    }

    fn absorb(&mut self, _request: &RequestOf<G, E>, node: &mut NodeOf<G, E>, value: E::Value) {
        self.path.history.pop();
        if node.absorb(value) {
            self.untried.drop_last(node.moves);
        }
    }

    fn leave(&mut self, _request: &RequestOf<G, E>, node: NodeOf<G, E>) -> E::Value {
        node.best
    }

    fn run(&mut self, request: &RequestOf<G, E>) -> E::Value {
        let AlphaBeta { evaluation, side, path, .. } = self;
        let Request { pos, depth, alpha, beta, bonus } = request;
        let judged = evaluation.judged();
        let mut prover =
            Recursion { evaluation: &*evaluation, judged, side: *side, history: &mut path.history, nodes: 0 };
        let value = prover.value(pos, *depth, *alpha, *beta, *bonus);
        self.nodes += prover.nodes;
        value
    }
}

impl<G: SearchHints, E: Evaluation<G>> AlphaBetaSearch<G, E> {
    /// Creates a search of the current position of a game, at least one ply deep.
    pub fn new(from: impl Into<GameState<G>>, depth: u32, evaluation: E) -> AlphaBetaSearch<G, E> {
        let from = from.into();
        let pos = *from.pos();
        let depth = depth.max(1);
        let mut untried: Vec<Move> = pos.ordered_moves(depth - 1).collect();
        untried.reverse();
        let path = Path::new(from.history());
        let policy = AlphaBeta { evaluation, side: pos.side(), path, untried: Untried::default(), nodes: 0 };
        AlphaBetaSearch { pos, depth, best: Best::NONE, trying: None, untried, driver: Driver::new(policy) }
    }

    /// Continues the search until the budget is spent or the best moves are known.
    pub fn step(&mut self, budget: Budget) -> Status {
        loop {
            let value = match self.trying {
                Some(_) => self.driver.step(budget),
                None => match self.untried.pop() {
                    None => return Status::Done,
                    Some(mv) => self.try_move(mv),
                },
            };
            if let Some(value) = value
                && let Some(mv) = self.trying.take()
            {
                self.best.absorb(&self.pos, mv, value);
            }
            if budget.is_spent() && !(self.trying.is_none() && self.untried.is_empty()) {
                return Status::Running;
            }
        }
    }

    /// Returns the best of the moves searched so far; all moves are searched once a step returns `Done`.
    /// Empty if the game is over.
    pub fn best(&self) -> Best<E::Value> {
        Best { nodes: self.driver.policy.nodes, ..self.best }
    }

    /// Starts the search of a root move.
    fn try_move(&mut self, mv: Move) -> Option<E::Value> {
        self.trying = Some(mv);
        let child = self.pos.play(mv);
        let AlphaBeta { evaluation, path, .. } = &mut self.driver.policy;
        path.leave_root(&self.pos, mv);
        let bonus = evaluation.mv(&self.pos, mv, &child);
        let depth = self.depth - 1;
        self.driver.start(Request { pos: child, depth, alpha: self.best.alpha(), beta: E::Value::MOST, bonus })
    }
}
