//! The search below the root: alpha-beta with a transposition table, principal variation search, and
//! quiescence search at the horizon.
//!
//! For interruptions the upper plies are frames on an explicit stack; only subtrees of [`SUBTREE`] plies are
//! searched recursively. Interruptions never change a result.

use super::super::table::{Bound, Finding, NO_MOVE, Table};
use super::value::{ABOVE_ALL, WON, after, before};
use super::{Evaluate, Options};
use crate::SearchHints;
use crate::active::{ActiveSearches, Mark, Taken};
use crate::budget::Budget;
use crate::game::{GameState, History, Move, Outcome, referee};
use std::sync::Arc;

/// Depth in plies of the subtrees searched without interruption: some tenths of a millisecond.
const SUBTREE: u8 = 4;

/// Minimum depth stored in the table; shallower positions are faster to search again.
const REMEMBERED: u8 = 1;

/// Remaining depths at which pruning applies; at one ply it saves nothing.
const PRUNED: std::ops::RangeInclusive<u8> = 2..=3;

pub(super) struct Walk<G: SearchHints, J> {
    pub judge: J,
    options: Options,
    pub table: Table<G, i32>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Moves before the current position.
    history: History<G>,
    /// Length of the history at the root.
    before_root: usize,
    stack: Vec<Frame<G>>,
    /// The untried moves of all positions on the path, those of the current position at the end, the next one
    /// last.
    moves: Vec<Move>,
    /// Killer moves: by depth, the two moves that caused the last cutoffs.
    killers: Vec<[Move; 2]>,
    /// The searches of all threads, if there are others.
    active: Option<Arc<ActiveSearches>>,
}

/// A position whose moves are being tried.
struct Node {
    depth: u8,
    /// The original lower end of the window; `alpha` rises with the best value.
    from: i32,
    alpha: i32,
    beta: i32,
    /// The best value so far, and its move.
    best: i32,
    mv: Move,
}

struct Frame<G> {
    pos: G,
    node: Node,
    /// Index of this frame's first move.
    moves: usize,
    /// The move being searched, and whether it passes the turn.
    trying: Move,
    turns: bool,
    /// Whether the search of this move has a null window.
    scouting: bool,
    /// The mark of its search.
    mark: Option<Mark>,
}

impl Node {
    fn new(depth: u8, (alpha, beta): (i32, i32)) -> Node {
        Node { depth, from: alpha, alpha, beta, best: -ABOVE_ALL, mv: NO_MOVE }
    }

    fn is_first(&self) -> bool {
        self.best == -ABOVE_ALL
    }

    /// Returns the window for the next move, and whether it is a null window.
    #[inline]
    fn window(&self) -> ((i32, i32), bool) {
        let scouting = !self.is_first() && self.beta > self.alpha + 1;
        ((self.alpha, if scouting { self.alpha + 1 } else { self.beta }), scouting)
    }

    /// Returns whether this result of a null window requires a search with the full window.
    #[inline]
    fn leaves_open(&self, value: i32) -> bool {
        value > self.alpha && value < self.beta
    }

    /// Updates the best value with a move's value. Returns whether it causes a cutoff.
    #[inline]
    fn absorb(&mut self, mv: Move, value: i32) -> bool {
        if value > self.best {
            (self.best, self.mv) = (value, mv);
            self.alpha = self.alpha.max(value);
        }
        self.best >= self.beta
    }
}

/// Value of a finished game for the side to move.
#[inline]
fn ended<G: SearchHints>(pos: &G) -> i32 {
    decided(pos.outcome(pos.side()))
}

#[inline]
fn decided(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Won => WON,
        Outcome::Drawn => 0,
        Outcome::Lost => -WON,
    }
}

impl<G: SearchHints, J: Evaluate<G>> Walk<G, J> {
    pub fn new(judge: J, options: Options, table: Table<G, i32>, game_state: &GameState<G>) -> Walk<G, J> {
        let history = game_state.history().clone();
        let before_root = history.len();
        let stack = Vec::new();
        let moves = Vec::new();
        let killers = Vec::new();
        Walk { judge, options, table, nodes: 0, history, before_root, stack, moves, killers, active: None }
    }

    /// Shares `active` and the table, and returns another search from the same root that does. `None` if the table is not shared.
    pub fn helper(&mut self, root: &G, active: &Arc<ActiveSearches>) -> Option<Walk<G, J>> {
        self.active = Some(Arc::clone(active));
        let mut history = self.history.clone();
        history.truncate(self.before_root);
        let game_state = GameState::after(*root, history, 0);
        let helper = Walk::new(self.judge.clone(), self.options, self.table.handle()?, &game_state);
        Some(Walk { killers: self.killers.clone(), active: self.active.clone(), ..helper })
    }

    /// Marks the search of a root's move, which leads to `child`, until the mark is dropped.
    ///
    /// # Errors
    /// Another thread searches it.
    pub fn claim(&self, child: &G, depth: u8) -> Result<Option<Mark>, Taken> {
        self.active.as_ref().map(|active| active.claim(G::hash(&child.key()), depth)).transpose()
    }

    /// Returns whether the value of `pos` at this depth is independent of the history, so that the table may
    /// store it.
    #[inline]
    fn is_free(&self, pos: &G, depth: u8) -> bool {
        !G::USES_HISTORY || !pos.depends_on_history(&self.history, depth.into())
    }

    /// Returns the value of `pos` if it is known without trying moves; otherwise the move to try first.
    #[inline]
    fn enter(&mut self, pos: &G, depth: u8, (alpha, beta): (i32, i32)) -> Result<i32, Move> {
        self.nodes += 1;
        if pos.is_over() {
            return Ok(ended(pos));
        }
        if let Some(margin) = referee::ruled_value(pos, &self.history) {
            return Ok(decided(Outcome::from_margin(margin)));
        }
        if depth == 0 {
            return Ok(self.leaf(pos, (alpha, beta)));
        }
        if depth < REMEMBERED || !self.is_free(pos, depth) {
            return Err(NO_MOVE);
        }
        let key = pos.key();
        let Some(entry) = self.table.get(&key, G::hash(&key)) else { return Err(NO_MOVE) };
        if let Some(lower) = entry.lower(depth).filter(|lower| lower.value >= beta) {
            return Ok(lower.value);
        }
        match entry.upper(depth) {
            Some(upper) if upper.value <= alpha => Ok(upper.value),
            Some(upper) if entry.lower(depth) == Some(upper) => Ok(upper.value),
            _ => Err(entry.mv),
        }
    }

    /// Returns the value of `pos` at the horizon: the evaluation after best play of captures to a quiet
    /// position. This part ignores history-dependent rules: captures are irreversible.
    fn leaf(&mut self, pos: &G, (mut alpha, beta): (i32, i32)) -> i32 {
        if !self.options.plays_out || self.judge.is_quiet(pos) {
            return self.judge.value(pos);
        }
        let mut best = -ABOVE_ALL;
        for mv in pos.moves() {
            let child = pos.play(mv);
            self.nodes += 1;
            let turns = child.side() != pos.side();
            let window = after(turns, (alpha, beta));
            let value = before(turns, if child.is_over() { ended(&child) } else { self.leaf(&child, window) });
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Stores the result for `pos` in the table and returns its value.
    #[inline]
    fn leave(&mut self, pos: &G, node: &Node) -> i32 {
        let Node { depth, best, mv, .. } = *node;
        if best >= node.beta {
            self.note_killer(depth, mv);
        }
        if depth >= REMEMBERED && self.is_free(pos, depth) {
            let key = pos.key();
            let hash = G::hash(&key);
            let bound = Bound { value: best, solved: false };
            if best < node.beta {
                self.table.put(key, hash, Finding { depth, bound, is_lower: false, mv: NO_MOVE });
            }
            if best > node.from {
                self.table.put(key, hash, Finding { depth, bound, is_lower: true, mv });
            }
        }
        best
    }

    fn note_killer(&mut self, depth: u8, mv: Move) {
        let depth = usize::from(depth);
        if self.killers.len() <= depth {
            self.killers.resize(depth + 1, [NO_MOVE; 2]);
        }
        let [first, second] = &mut self.killers[depth];
        if *first != mv {
            (*first, *second) = (mv, *first);
        }
    }

    /// Appends the moves of `pos` to the list, the most promising last.
    #[inline]
    fn list_moves(&mut self, pos: &G, depth: u8, hint: Move) {
        let begin = self.moves.len();
        self.moves.extend(pos.ordered_moves(u32::from(depth - 1)));
        let moves = &mut self.moves[begin..];
        moves.reverse();
        let [first, second] = self.killers.get(usize::from(depth)).copied().unwrap_or([NO_MOVE; 2]);
        for mv in [second, first, hint].into_iter().filter(|&mv| mv != NO_MOVE) {
            if let Some(at) = moves.iter().position(|&listed| listed == mv) {
                moves[at..].rotate_left(1);
            }
        }
    }

    /// Returns the value of `pos`: exact within the window, otherwise a bound on the same side.
    fn subtree(&mut self, pos: &G, depth: u8, window: (i32, i32)) -> i32 {
        let hint = match self.enter(pos, depth, window) {
            Ok(value) => return value,
            Err(hint) => hint,
        };
        let begin = self.moves.len();
        self.list_moves(pos, depth, hint);
        let mut node = Node::new(depth, window);
        let prunes = self.options.prunes && PRUNED.contains(&depth) && self.judge.is_quiet(pos);
        while self.moves.len() > begin {
            let Some(mv) = self.moves.pop() else { break };
            let child = pos.play(mv);
            if prunes && let Some(most) = self.hopeless(pos, &child, &node) {
                node.best = node.best.max(most);
                continue;
            }
            self.history.push(pos, mv);
            let turns = child.side() != pos.side();
            let (asked, scouting) = node.window();
            let mut value = self.value_after(&child, turns, depth, asked);
            if scouting && node.leaves_open(value) {
                value = self.value_after(&child, turns, depth, (node.alpha, node.beta));
            }
            self.history.pop();
            if node.absorb(mv, value) {
                break;
            }
        }
        self.moves.truncate(begin);
        self.leave(pos, &node)
    }

    #[inline]
    fn value_after(&mut self, child: &G, turns: bool, depth: u8, window: (i32, i32)) -> i32 {
        before(turns, self.subtree(child, depth - 1, after(turns, window)))
    }

    /// Returns an upper bound for a move that pruning skips: not the first move, quiet, and with a static
    /// value so far below alpha that it would need more than [`Evaluate::slack`] per ply to become the best.
    #[inline]
    fn hopeless(&self, pos: &G, child: &G, node: &Node) -> Option<i32> {
        if node.is_first() || child.is_over() || !self.judge.is_quiet(child) {
            return None;
        }
        let now = before(child.side() != pos.side(), self.judge.value(child));
        let most = now.saturating_add(self.judge.slack().saturating_mul(i32::from(node.depth) - 1));
        (most <= node.alpha).then_some(most)
    }

    /// Starts the search of `child`, which `mv` reaches from the root. Returns its value for its mover if it
    /// is known at once; otherwise [`step`](Walk::step) computes it.
    pub fn ask(&mut self, (root, mv): (&G, Move), child: &G, depth: u8, window: (i32, i32)) -> Option<i32> {
        self.stack.clear();
        self.moves.clear();
        self.history.truncate(self.before_root);
        self.history.push(root, mv);
        self.descend(child, depth, window)
    }

    /// Continues the search until it is complete or the budget is spent; makes progress on every call.
    pub fn step(&mut self, budget: Budget) -> Option<i32> {
        while let (Some(mv), Some(frame)) = (self.next_move(), self.stack.last_mut()) {
            let child = frame.pos.play(mv);
            (frame.trying, frame.turns) = (mv, child.side() != frame.pos.side());
            let (asked, scouting) = frame.node.window();
            frame.scouting = scouting;
            let depth = frame.node.depth - 1;
            let window = after(frame.turns, asked);
            self.history.push(&frame.pos, mv);
            if let Some(value) = self.descend(&child, depth, window)
                && let Some(answer) = self.ascend(value)
            {
                return Some(answer);
            }
            if budget.is_spent() {
                return None;
            }
        }
        None
    }

    /// Takes the next move of the top frame: after the first, preferably one that no other thread searches.
    fn next_move(&mut self) -> Option<Move> {
        let frame = self.stack.last_mut()?;
        frame.mark = None;
        if let Some(active) = self.active.as_ref().filter(|_| !frame.node.is_first()) {
            let depth = frame.node.depth - 1;
            let beta = frame.node.beta;
            let search = |at: usize| (G::hash(&frame.pos.play(self.moves[at]).key()), depth, beta);
            if let Some((at, mark)) = active.mark_first((frame.moves..self.moves.len()).rev(), search) {
                frame.mark = Some(mark);
                return Some(self.moves.remove(at));
            }
        }
        self.moves.pop()
    }

    /// Searches a small subtree at once, or pushes the position onto the stack.
    fn descend(&mut self, pos: &G, depth: u8, window: (i32, i32)) -> Option<i32> {
        if depth <= SUBTREE {
            return Some(self.subtree(pos, depth, window));
        }
        match self.enter(pos, depth, window) {
            Ok(value) => Some(value),
            Err(hint) => {
                let moves = self.moves.len();
                self.list_moves(pos, depth, hint);
                let node = Node::new(depth, window);
                let trying = NO_MOVE;
                let turns = false;
                let scouting = false;
                let mark = None;
                self.stack.push(Frame { pos: *pos, node, moves, trying, turns, scouting, mark });
                None
            }
        }
    }

    /// Propagates a value up the stack. Returns the result if it reaches the root of the search.
    fn ascend(&mut self, mut value: i32) -> Option<i32> {
        while let Some(frame) = self.stack.last_mut() {
            let found = before(frame.turns, value);
            if std::mem::take(&mut frame.scouting) && frame.node.leaves_open(found) {
                let child = frame.pos.play(frame.trying);
                let window = after(frame.turns, (frame.node.alpha, frame.node.beta));
                let depth = frame.node.depth - 1;
                value = self.descend(&child, depth, window)?;
                continue;
            }
            self.history.pop();
            if !frame.node.absorb(frame.trying, found) && self.moves.len() > frame.moves {
                return None;
            }
            self.moves.truncate(frame.moves);
            let Some(frame) = self.stack.pop() else { break };
            value = self.leave(&frame.pos, &frame.node);
        }
        Some(value)
    }

    /// Returns the principal variation from `root` that begins with `mv`, as far as it is in the table, at a
    /// total depth of `depth` plies.
    pub fn line(&mut self, root: &G, mv: Move, depth: u8) -> Vec<Move> {
        self.history.truncate(self.before_root);
        self.history.push(root, mv);
        let mut line = vec![mv];
        let mut pos = root.play(mv);
        for depth in (REMEMBERED..depth).rev() {
            if pos.is_over() || referee::ruling(&pos, &self.history).is_some() || !self.is_free(&pos, depth) {
                break;
            }
            let key = pos.key();
            let known = self.table.get(&key, G::hash(&key));
            let exact = known.filter(|entry| entry.lower(depth).is_some() && entry.lower(depth) == entry.upper(depth));
            let Some(next) = exact.map(|entry| entry.mv).filter(|&mv| pos.moves().any(|legal| legal == mv)) else {
                break;
            };
            line.push(next);
            self.history.push(&pos, next);
            pos = pos.play(next);
        }
        line
    }
}
