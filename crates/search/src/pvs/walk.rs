//! The search below the root: alpha-beta with a transposition table, principal variation search, and
//! quiescence search at the horizon.
//!
//! A [`Driver`](super::super::driver::Driver) runs the upper plies; subtrees of [`SUBTREE`] plies are searched without interruption.
//!
//! Search values: evaluations, and wins and losses outside their range.
//!
//! A value is that for the side to move. Shorter wins and longer losses are better. Plies count from the
//! position itself, so that the value is independent of the path and the table may store it; each step back
//! to the parent adds one ply.

use super::{Evaluate, Options};
use crate::SearchHints;
use crate::driver::{Others, Path, Policy, Untried};
use crate::game::{Move, Outcome, referee};
use crate::table::{Bound, NO_MOVE, SearchResult, Table};

/// Depth in plies of the subtrees searched without interruption: some tenths of a millisecond.
const SUBTREE: u8 = 4;

/// Minimum depth stored in the table; shallower positions are faster to search again.
const REMEMBERED: u8 = 1;

/// Remaining depths at which pruning applies, all of them within small subtrees; at one ply it saves nothing.
const PRUNED: std::ops::RangeInclusive<u8> = 2..=3;
const _: () = assert!(*PRUNED.end() <= SUBTREE);

pub(super) struct Walk<G: SearchHints, J> {
    pub judge: J,
    options: Options,
    pub table: Table<G, i32>,
    /// Positions visited so far.
    pub nodes: u64,
    path: Path<G>,
    untried: Untried,
    /// Killer moves: by depth, the two moves that caused the last cutoffs.
    killers: Vec<[Move; 2]>,
}

/// A search of `depth` plies; the window is for the mover of `pos`.
pub(super) struct Request<G> {
    pos: G,
    depth: u8,
    window: (i32, i32),
}

/// A position whose moves are being tried.
pub(super) struct Node {
    /// The lower end of the window, which rises with the best value.
    alpha: i32,
    beta: i32,
    /// The best value so far, and its move.
    best: i32,
    mv: Move,
    /// Where the untried moves begin.
    moves: usize,
    /// The move being searched, and whether it passes the turn.
    trying: Move,
    turns: bool,
    /// Whether the search of this move has a null window.
    scouting: bool,
    /// Whether this move needs another search, with the full window.
    is_open: bool,
}

impl Node {
    fn new((alpha, beta): (i32, i32), moves: usize) -> Node {
        Node {
            alpha,
            beta,
            best: -ABOVE_ALL,
            mv: NO_MOVE,
            moves,
            trying: NO_MOVE,
            turns: false,
            scouting: false,
            is_open: false,
        }
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
    pub fn new(judge: J, options: Options, table: Table<G, i32>, path: Path<G>) -> Walk<G, J> {
        Walk { judge, options, table, nodes: 0, path, untried: Untried::default(), killers: Vec::new() }
    }

    /// Returns another search from the same root, with the same table. `None` if the table is not shared.
    pub fn helper(&self) -> Option<Walk<G, J>> {
        let helper = Walk::new(self.judge.clone(), self.options, self.table.handle()?, self.path.at_root());
        Some(Walk { killers: self.killers.clone(), ..helper })
    }

    /// Returns whether the value of `pos` at this depth is independent of the history, so that the table may
    /// store it.
    #[inline]
    fn is_free(&self, pos: &G, depth: u8) -> bool {
        !G::USES_HISTORY || !pos.depends_on_history(&self.path.history, depth.into())
    }

    /// Returns the value of `pos` if it is known without trying moves; otherwise the move to try first.
    #[inline]
    fn probe(&mut self, pos: &G, depth: u8, (alpha, beta): (i32, i32)) -> Result<i32, Move> {
        self.nodes += 1;
        if pos.is_over() {
            return Ok(ended(pos));
        }
        if let Some(margin) = referee::ruled_value(pos, &self.path.history) {
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

    /// Lists the moves of `pos`, and returns where they begin.
    #[inline]
    fn list_moves(&mut self, pos: &G, depth: u8, hint: Move) -> usize {
        let begin = self.untried.list(pos.ordered_moves(u32::from(depth - 1)));
        let moves = self.untried.of_last(begin);
        let [first, second] = self.killers.get(usize::from(depth)).copied().unwrap_or([NO_MOVE; 2]);
        for mv in [second, first, hint].into_iter().filter(|&mv| mv != NO_MOVE) {
            if let Some(at) = moves.iter().position(|&listed| listed == mv) {
                moves[at..].rotate_left(1);
            }
        }
        begin
    }

    /// Stores a node's value and returns it.
    #[inline]
    fn store(&mut self, pos: &G, depth: u8, (alpha, beta): (i32, i32), node: &Node) -> i32 {
        let Node { best, mv, .. } = *node;
        if best >= beta {
            self.note_killer(depth, mv);
        }
        if depth >= REMEMBERED && self.is_free(pos, depth) {
            let key = pos.key();
            let hash = G::hash(&key);
            let bound = Bound { value: best, solved: false };
            if best < beta {
                self.table.put(key, hash, SearchResult { depth, bound, is_lower: false, mv: NO_MOVE });
            }
            if best > alpha {
                self.table.put(key, hash, SearchResult { depth, bound, is_lower: true, mv });
            }
        }
        best
    }
    /// Searches a small subtree; only there moves are pruned. Most positions are here: requests would copy them once more.
    fn subtree(&mut self, pos: &G, depth: u8, window: (i32, i32)) -> i32 {
        let hint = match self.probe(pos, depth, window) {
            Ok(value) => return value,
            Err(hint) => hint,
        };
        let moves = self.list_moves(pos, depth, hint);
        let mut node = Node::new(window, moves);
        let prunes = self.options.prunes && PRUNED.contains(&depth) && self.judge.is_quiet(pos);
        while let Some(mv) = self.untried.take(moves) {
            let child = pos.play(mv);
            if prunes && let Some(most) = self.hopeless(pos, &child, depth, &node) {
                node.best = node.best.max(most);
                continue;
            }
            self.path.history.push(pos, mv);
            let turns = child.side() != pos.side();
            let (asked, scouting) = node.window();
            let mut value = self.value_after(&child, turns, depth, asked);
            if scouting && node.leaves_open(value) {
                value = self.value_after(&child, turns, depth, (node.alpha, node.beta));
            }
            self.path.history.pop();
            if node.absorb(mv, value) {
                break;
            }
        }
        self.untried.drop_last(moves);
        self.store(pos, depth, window, &node)
    }

    #[inline]
    fn value_after(&mut self, child: &G, turns: bool, depth: u8, window: (i32, i32)) -> i32 {
        before(turns, self.subtree(child, depth - 1, after(turns, window)))
    }

    /// Returns an upper bound for a move that pruning skips: not the first move, quiet, and with a static
    /// value so far below alpha that it would need more than [`Evaluate::slack`] per ply to become the best.
    #[inline]
    fn hopeless(&self, pos: &G, child: &G, depth: u8, node: &Node) -> Option<i32> {
        if node.is_first() || child.is_over() || !self.judge.is_quiet(child) {
            return None;
        }
        let now = before(child.side() != pos.side(), self.judge.value(child));
        let most = now.saturating_add(self.judge.slack().saturating_mul(i32::from(depth) - 1));
        (most <= node.alpha).then_some(most)
    }

    /// Returns the search of `child`, which `mv` reaches from the root, for its mover.
    pub fn request(&mut self, (root, mv): (&G, Move), child: &G, depth: u8, window: (i32, i32)) -> Request<G> {
        self.untried.clear();
        self.path.leave_root(root, mv);
        Request { pos: *child, depth, window }
    }

    /// Returns the principal variation from `root` that begins with `mv`, as far as it is in the table, at a
    /// total depth of `depth` plies.
    pub fn line(&mut self, root: &G, mv: Move, depth: u8) -> Vec<Move> {
        self.path.leave_root(root, mv);
        let mut line = vec![mv];
        let mut pos = root.play(mv);
        for depth in (REMEMBERED..depth).rev() {
            if pos.is_over() || referee::ruling(&pos, &self.path.history).is_some() || !self.is_free(&pos, depth) {
                break;
            }
            let key = pos.key();
            let known = self.table.get(&key, G::hash(&key));
            let exact = known.filter(|entry| entry.lower(depth).is_some() && entry.lower(depth) == entry.upper(depth));
            let Some(next) = exact.map(|entry| entry.mv).filter(|&mv| pos.moves().any(|legal| legal == mv)) else {
                break;
            };
            line.push(next);
            self.path.history.push(&pos, next);
            pos = pos.play(next);
        }
        line
    }
}

impl<G: SearchHints, J: Evaluate<G>> Policy for Walk<G, J> {
    type Request = Request<G>;
    type Node = Node;
    type Value = i32;

    fn is_small(&self, request: &Request<G>) -> bool {
        request.depth <= SUBTREE
    }

    fn enter(&mut self, request: &Request<G>) -> Result<i32, Node> {
        let Request { pos, depth, window } = request;
        self.probe(pos, *depth, *window).map_err(|hint| Node::new(*window, self.list_moves(pos, *depth, hint)))
    }

    fn next(&mut self, request: &Request<G>, node: &mut Node, others: Option<Others>) -> Option<Request<G>> {
        let pos = &request.pos;
        let depth = request.depth - 1;
        let (child, window);
        if std::mem::take(&mut node.is_open) {
            child = pos.play(node.trying);
            window = (node.alpha, node.beta);
            if let Some(mut others) = others {
                others.mark(G::hash(&child.key()), depth, node.beta);
            }
        } else {
            let search = |mv| (G::hash(&pos.play(mv).key()), depth, node.beta);
            node.trying = self.untried.take_free(node.moves, others.filter(|_| !node.is_first()), search)?;
            child = pos.play(node.trying);
            node.turns = child.side() != pos.side();
            (window, node.scouting) = node.window();
        }
        self.path.history.push(pos, node.trying);
        Some(Request { pos: child, depth, window: after(node.turns, window) })
    }

    fn absorb(&mut self, _request: &Request<G>, node: &mut Node, value: i32) {
        self.path.history.pop();
        let value = before(node.turns, value);
        if std::mem::take(&mut node.scouting) && node.leaves_open(value) {
            node.is_open = true;
        } else if node.absorb(node.trying, value) {
            self.untried.drop_last(node.moves);
        }
    }

    fn leave(&mut self, request: &Request<G>, node: Node) -> i32 {
        self.store(&request.pos, request.depth, request.window, &node)
    }

    fn run(&mut self, request: &Request<G>) -> i32 {
        self.subtree(&request.pos, request.depth, request.window)
    }
}

/// Value of a game won in this position.
pub const WON: i32 = 1 << 30;

/// Lower limit of winning values: it leaves 1024 plies for the deepest search and the captures beyond it.
const WIN: i32 = WON - (1 << 10);

/// Greater than any value.
pub(crate) const ABOVE_ALL: i32 = WON + (1 << 10);

/// Limit of the absolute value of an evaluation.
pub const GREATEST: i32 = 1 << 29;

/// A search value in readable form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// In the evaluation's own unit.
    Evaluated(i32),
    /// The side to move wins in this many plies.
    Wins(u32),
    /// The side to move loses in this many plies.
    Loses(u32),
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        match value {
            win if win >= WIN => Value::Wins((WON - win) as u32),
            loss if loss <= -WIN => Value::Loses((WON + loss) as u32),
            value => Value::Evaluated(value),
        }
    }
}

/// Converts the value of a position to that of its parent, for the parent's mover; `turns`: the move passes
/// the turn.
#[inline]
pub(crate) fn before(turns: bool, value: i32) -> i32 {
    let value = if turns { -value } else { value };
    match value {
        win if win >= WIN => win - 1,
        loss if loss <= -WIN => loss + 1,
        value => value,
    }
}

/// Converts a parent's window to that of the position after a move; the inverse of [`before`].
#[inline]
pub(crate) fn after(turns: bool, (alpha, beta): (i32, i32)) -> (i32, i32) {
    let bound = |bound: i32| match bound {
        win if win >= WIN => win + 1,
        loss if loss <= -WIN => loss - 1,
        bound => bound,
    };
    if turns { (bound(-beta), bound(-alpha)) } else { (bound(alpha), bound(beta)) }
}
