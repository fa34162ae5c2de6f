//! The search below the root: alpha-beta with a table, principal variation windows, and captures played out at the end.
//!
//! To be interruptible the upper plies are frames on an explicit stack, and only subtrees of [`SUBTREE`] plies are searched by plain
//! recursion. Where a search is interrupted changes nothing it computes.

use super::super::table::{Bound, Finding, NO_MOVE, Table};
use super::value::{ABOVE_ALL, WON, after, before};
use super::{Evaluate, Options};
use crate::budget::Budget;
use crate::game::{Game, GameState, History, Move, Outcome, referee};

/// Plies searched in one go, some tenths of a millisecond.
const SUBTREE: u8 = 4;

/// Shallower positions are searched again sooner than found in the table.
const REMEMBERED: u8 = 1;

/// Positions from which so few plies are looked ahead are pruned, where pruning is on; at one ply there is nothing to save.
const PRUNED: std::ops::RangeInclusive<u8> = 2..=3;

pub(super) struct Walk<G: Game, J> {
    pub judge: J,
    manner: Options,
    pub table: Table<G, i32>,
    /// Positions visited so far.
    pub nodes: u64,
    /// What was played before the position that is looked at.
    history: History<G>,
    /// How much of it was played before the root.
    before_root: usize,
    stack: Vec<Frame<G>>,
    /// The moves that are still to be tried, those of the position looked at last at the end, the next one last.
    moves: Vec<Move>,
    /// By depth, the two moves that refuted a position last: they are tried early in its neighbours.
    killers: Vec<[Move; 2]>,
}

/// A position whose moves are being tried.
struct Node {
    depth: u8,
    /// The window as it was asked for; `alpha` rises with the best.
    from: i32,
    alpha: i32,
    beta: i32,
    /// The best value so far, and the move that gave it.
    best: i32,
    mv: Move,
}

struct Frame<G> {
    pos: G,
    node: Node,
    /// Where this frame's moves begin.
    moves: usize,
    /// The move whose value is awaited, and whether it gives the turn to the other side.
    trying: Move,
    turns: bool,
    /// It was only asked whether the move is better than the best.
    scouting: bool,
}

impl Node {
    fn new(depth: u8, (alpha, beta): (i32, i32)) -> Node {
        Node { depth, from: alpha, alpha, beta, best: -ABOVE_ALL, mv: NO_MOVE }
    }

    fn is_first(&self) -> bool {
        self.best == -ABOVE_ALL
    }

    /// The window for the next move, and whether it is a mere question if the move is better than the best.
    #[inline]
    fn window(&self) -> ((i32, i32), bool) {
        let scouting = !self.is_first() && self.beta > self.alpha + 1;
        ((self.alpha, if scouting { self.alpha + 1 } else { self.beta }), scouting)
    }

    /// Whether this answer to such a question leaves the value open.
    #[inline]
    fn leaves_open(&self, value: i32) -> bool {
        value > self.alpha && value < self.beta
    }

    /// Takes in what a move is worth; whether that settles the position's value.
    #[inline]
    fn absorb(&mut self, mv: Move, value: i32) -> bool {
        if value > self.best {
            (self.best, self.mv) = (value, mv);
            self.alpha = self.alpha.max(value);
        }
        self.best >= self.beta
    }
}

/// What a game is worth to the side to move that has ended here.
#[inline]
fn ended<G: Game>(pos: &G) -> i32 {
    match pos.outcome(pos.side()) {
        Outcome::Won => WON,
        Outcome::Drawn => 0,
        Outcome::Lost => -WON,
    }
}

impl<G: Game, J: Evaluate<G>> Walk<G, J> {
    pub fn new(judge: J, manner: Options, table: Table<G, i32>, course: &GameState<G>) -> Walk<G, J> {
        let history = course.history().clone();
        let before_root = history.len();
        let (stack, moves, killers) = (Vec::new(), Vec::new(), Vec::new());
        Walk { judge, manner, table, nodes: 0, history, before_root, stack, moves, killers }
    }

    /// Whether what is found of `pos` to this depth holds however the game came there, so that the table may know it.
    #[inline]
    fn is_free(&self, pos: &G, depth: u8) -> bool {
        !G::USES_HISTORY || !pos.depends_on_history(&self.history, depth.into())
    }

    /// What is known about `pos` without trying its moves; otherwise the move to try first.
    #[inline]
    fn enter(&mut self, pos: &G, depth: u8, (alpha, beta): (i32, i32)) -> Result<i32, Move> {
        self.nodes += 1;
        if pos.is_over() {
            return Ok(ended(pos));
        }
        if referee::ruling(pos, &self.history).is_some() {
            return Ok(0);
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

    /// What `pos` is worth at the depth, where the game goes on: what the evaluation says, of the position after best play as long as
    /// none is quiet. Rules that look back are not asked on that way, for there is no going back on it.
    fn leaf(&mut self, pos: &G, (mut alpha, beta): (i32, i32)) -> i32 {
        if !self.manner.plays_out || self.judge.is_quiet(pos) {
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

    /// Keeps what trying the moves of `pos` has shown, and gives its value.
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

    /// Puts the moves of `pos` at the end of the list, the most promising last.
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

    /// The value of `pos`: exactly, if it lies within the window, otherwise a bound on the same side of it.
    fn subtree(&mut self, pos: &G, depth: u8, window: (i32, i32)) -> i32 {
        let hint = match self.enter(pos, depth, window) {
            Ok(value) => return value,
            Err(hint) => hint,
        };
        let begin = self.moves.len();
        self.list_moves(pos, depth, hint);
        let mut node = Node::new(depth, window);
        let prunes = self.manner.prunes && PRUNED.contains(&depth) && self.judge.is_quiet(pos);
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

    /// What a move could be worth at most that pruning skips: not the first, one that leaves nothing to capture and the position after
    /// which is worth so little now that it would have to gain a man's worth a ply to be the best.
    #[inline]
    fn hopeless(&self, pos: &G, child: &G, node: &Node) -> Option<i32> {
        if node.is_first() || child.is_over() || !self.judge.is_quiet(child) {
            return None;
        }
        let now = before(child.side() != pos.side(), self.judge.value(child));
        let most = now.saturating_add(self.judge.slack().saturating_mul(i32::from(node.depth) - 1));
        (most <= node.alpha).then_some(most)
    }

    /// Asks what `child`, to which `mv` leads from the root, is worth to its mover; [`step`](Walk::step) answers, unless it is known
    /// already.
    pub fn ask(&mut self, (root, mv): (&G, Move), child: &G, depth: u8, window: (i32, i32)) -> Option<i32> {
        self.stack.clear();
        self.moves.clear();
        self.history.truncate(self.before_root);
        self.history.push(root, mv);
        self.descend(child, depth, window)
    }

    /// Works on the question until it is answered or the budget is spent; something is always done.
    pub fn step(&mut self, budget: Budget) -> Option<i32> {
        while let (Some(frame), Some(mv)) = (self.stack.last_mut(), self.moves.pop()) {
            let child = frame.pos.play(mv);
            (frame.trying, frame.turns) = (mv, child.side() != frame.pos.side());
            let (asked, scouting) = frame.node.window();
            frame.scouting = scouting;
            let (depth, window) = (frame.node.depth - 1, after(frame.turns, asked));
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

    /// Answers at once where that is quick, or puts the position on the stack.
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
                self.stack.push(Frame { pos: *pos, node, moves, trying: NO_MOVE, turns: false, scouting: false });
                None
            }
        }
    }

    /// Hands a value up the stack as far as it settles anything; the answer if that is all the way.
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

    /// Best play from `root` on that begins with `mv`, as far as the table knows it, looking `depth` plies ahead in all.
    pub fn line(&mut self, root: &G, mv: Move, depth: u8) -> Vec<Move> {
        self.history.truncate(self.before_root);
        self.history.push(root, mv);
        let (mut line, mut pos) = (vec![mv], root.play(mv));
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
