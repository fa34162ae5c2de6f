//! Null-window alpha-beta: tests whether a position is worth at least some margin.
//!
//! Every search has a null window ("at least `beta`, or less?"): such windows cut most, and the table answers
//! most of them. A few of them give an exact value (see [`root`](super::root)). Values are exact minimax
//! values: depth counts moves, and a leaf has its margin as value. The search is fail-soft: a bound may be
//! better than `beta`.
//!
//! For interruptions the upper plies are frames on an explicit stack. Only subtrees of [`SUBTREE`] plies,
//! some tenths of a millisecond each, are searched recursively. Interruptions never change a result.
//! Several threads avoid moves that another is searching (see [`ActiveSearches`]).

mod line;

use super::margins::{MarginTable, Margins};
use super::table::{Bound, Finding, NO_MOVE, Table};
use crate::SearchHints;
use crate::active::{ActiveSearches, Mark, Taken};
use crate::budget::Budget;
use crate::game::{History, Horizon, Move, referee};
use std::sync::Arc;

/// Minimum depth stored in the table; shallower positions are faster to search again.
const REMEMBERED: u8 = 4;

/// Minimum depth, in searches to the end of the game, at which the table is probed for a refutation before
/// any move is searched.
const WORTH_A_LOOK: u8 = 19;

/// Depth in plies of the subtrees that are searched without interruption.
const SUBTREE: u8 = 8;

/// A search in progress: one null window at a time, and the table that stores all results.
pub(super) struct NullWindow<G: SearchHints> {
    pub table: Table<G>,
    pub endgames: MarginTable,
    /// Positions visited so far.
    pub nodes: u64,
    /// Moves before the current position.
    history: History<G>,
    /// Length of the history at the root.
    before_root: usize,
    stack: Vec<Frame<G>>,
    /// The untried moves of all frames on the stack, those of the top frame last.
    moves: Vec<Move>,
    /// The searches of all threads, if there are others.
    active: Option<Arc<ActiveSearches>>,
}

/// A position whose moves are being tried.
struct Node {
    depth: u8,
    beta: i32,
    /// Upper bound of the value.
    most: i32,
    /// The best bound so far, and its move.
    best: i32,
    mv: Move,
    /// Whether the bounds of all moves that failed low are solved.
    solved: bool,
}

struct Frame<G> {
    pos: G,
    node: Node,
    /// Index of this frame's first move.
    moves: usize,
    /// The move being searched.
    trying: Move,
    /// The mark of its search.
    mark: Option<Mark>,
}

impl Node {
    fn new(depth: u8, beta: i32, known: Margins) -> Node {
        Node { depth, beta, most: known.most, best: known.least, mv: NO_MOVE, solved: true }
    }

    /// Updates the best bound with a move's bound. Returns whether it fails high.
    #[inline]
    fn absorb(&mut self, mv: Move, bound: Bound) -> bool {
        if bound.value > self.best {
            self.best = bound.value;
            self.mv = mv;
        }
        if bound.value >= self.beta {
            self.solved = bound.solved;
            return true;
        }
        self.solved &= bound.solved;
        false
    }
}

/// Returns the child's beta for a beta of `pos`'s mover.
#[inline]
pub(super) fn child_beta<G: SearchHints>(pos: &G, child: &G, beta: i32) -> i32 {
    if child.side() == pos.side() { beta } else { 1 - beta }
}

/// Converts a child's bound to the point of view of the parent's mover.
#[inline]
pub(super) fn from_child<G: SearchHints>(pos: &G, child: &G, bound: Bound) -> Bound {
    if child.side() == pos.side() { bound } else { Bound { value: -bound.value, ..bound } }
}

/// Limits `depth` to the plies left in the game: any greater depth gives the same result and shares one table
/// entry.
#[inline]
fn within_game<G: SearchHints>(pos: &G, depth: u8) -> u8 {
    pos.plies_left().map_or(depth, |plies| depth.min(plies.try_into().unwrap_or(u8::MAX)))
}

impl<G: SearchHints> NullWindow<G> {
    pub fn new(table: Table<G>, history: &History<G>) -> NullWindow<G> {
        let (history, before_root) = (history.clone(), history.len());
        let endgames = MarginTable::NONE;
        let stack = Vec::new();
        let moves = Vec::new();
        NullWindow { table, endgames, nodes: 0, history, before_root, stack, moves, active: None }
    }

    /// Returns the table, and the moves before the root.
    pub fn into_parts(mut self) -> (Table<G>, History<G>) {
        self.history.truncate(self.before_root);
        (self.table, self.history)
    }

    /// Shares `active` and the table, and returns another search from the same root that does. `None` if the table is not shared.
    pub fn helper(&mut self, active: &Arc<ActiveSearches>) -> Option<NullWindow<G>> {
        self.active = Some(Arc::clone(active));
        let mut history = self.history.clone();
        history.truncate(self.before_root);
        let helper = NullWindow::new(self.table.handle()?, &history);
        Some(NullWindow { endgames: self.endgames.clone(), active: self.active.clone(), ..helper })
    }

    /// Marks the search of a root's move, which leads to `child`, until the mark is dropped.
    ///
    /// # Errors
    /// Another thread searches it.
    pub fn claim(&self, child: &G, depth: u8) -> Result<Option<Mark>, Taken> {
        self.active.as_ref().map(|active| active.claim(G::hash(&child.key()), depth)).transpose()
    }

    /// Uses the endgame table for the rules of `pos` from now on, if there is one.
    pub fn open_endgames(&mut self, pos: &G) {
        self.endgames = MarginTable::open(pos);
    }

    /// Returns whether the value of `pos` at this depth is independent of the history, so that the table may
    /// store it. Bounds from an endgame table depend on it at any depth, until seeds are captured.
    #[inline]
    fn is_free(&self, pos: &G, depth: u8) -> bool {
        let depth = if self.endgames.has(pos) { u32::MAX } else { depth.into() };
        !G::USES_HISTORY || !pos.depends_on_history(&self.history, depth)
    }

    /// Returns the bound of `pos` if it is known without trying moves; otherwise the move to try first, and what is known
    /// of the value.
    // Always inline: otherwise the compiler leaves one call site out and passes the result through memory.
    #[inline(always)]
    fn enter(&mut self, pos: &G, depth: u8, beta: i32) -> Result<Bound, (Move, Margins)> {
        self.nodes += 1;
        if G::USES_HISTORY
            && !pos.is_over()
            && let Some(value) = referee::ruled_value(pos, &self.history)
        {
            return Ok(Bound { value, solved: true });
        }
        let banked = pos.margin(pos.side());
        if self.endgames.is_damaged() {
            // The search begins again; this one only has to end.
            return Ok(Bound { value: banked, solved: false });
        }
        if self.endgames.has(pos)
            && !pos.is_over()
            && let Some(known) = self.endgames.get(pos, &self.history)
        {
            return self.enter_known(depth, beta, known);
        }
        if pos.is_over() || depth == 0 {
            return Ok(Bound { value: banked, solved: pos.is_over() });
        }
        if let Some(value) = pos.bound(beta) {
            return Ok(Bound { value, solved: true });
        }
        let is_end_in_sight = !G::USES_HISTORY && pos.plies_left().is_some_and(|plies| plies <= depth.into());
        if is_end_in_sight && let Some(horizon) = pos.finish(beta) {
            return Ok(self.seen(horizon));
        }
        if depth == 1 && self.is_free(pos, depth) {
            return Ok(self.seen(pos.horizon(beta)));
        }
        if depth < REMEMBERED || !self.is_free(pos, depth) {
            return Err((NO_MOVE, Margins::NONE));
        }
        let key = pos.key();
        let mut hint = NO_MOVE;
        if let Some(entry) = self.table.get(&key, G::hash(&key)) {
            let banked_too = |bound: Bound| Bound { value: bound.value + banked, ..bound };
            if let Some(lower) = entry.lower(depth).map(banked_too).filter(|lower| lower.value >= beta) {
                return Ok(lower);
            }
            if let Some(upper) = entry.upper(depth).map(banked_too).filter(|upper| upper.value < beta) {
                return Ok(upper);
            }
            hint = entry.mv;
        }
        if is_end_in_sight
            && depth >= WORTH_A_LOOK
            && let Some(bound) = self.known_refutation(pos, depth, beta)
        {
            return Ok(bound);
        }
        Err((hint, Margins::NONE))
    }

    /// The same for a position in the endgame table. Its value at any depth is between its bounds, so every window
    /// finds the same.
    fn enter_known(&self, depth: u8, beta: i32, known: Margins) -> Result<Bound, (Move, Margins)> {
        let Margins { least, most, likely } = known;
        if least >= beta {
            Ok(Bound { value: least, solved: true })
        } else if most < beta {
            Ok(Bound { value: most, solved: true })
        } else if depth == 0 {
            Ok(Bound { value: likely, solved: false })
        } else {
            Err((NO_MOVE, known))
        }
    }

    #[inline]
    fn seen(&mut self, horizon: Horizon) -> Bound {
        self.nodes += u64::from(horizon.visited);
        Bound { value: horizon.best, solved: horizon.solved }
    }

    /// Returns the bound of a move that fails high according to the table, if there is one.
    fn known_refutation(&self, pos: &G, depth: u8, beta: i32) -> Option<Bound> {
        pos.moves().find_map(|mv| {
            let child = pos.play(mv);
            let key = child.key();
            let entry = self.table.get(&key, G::hash(&key))?;
            let depth = within_game(&child, depth - 1);
            let turns = child.side() != pos.side();
            let bound = if turns { entry.upper(depth) } else { entry.lower(depth) }?;
            let bound = Bound { value: bound.value + child.margin(child.side()), ..bound };
            Some(from_child(pos, &child, bound)).filter(|bound| bound.value >= beta)
        })
    }

    /// Stores the result for `pos` in the table and returns it.
    #[inline(always)]
    fn leave(&mut self, pos: &G, node: &Node) -> Bound {
        let best = node.best.min(node.most);
        if node.depth < REMEMBERED || !self.is_free(pos, node.depth) {
            return Bound { value: best, solved: node.solved };
        }
        let key = pos.key();
        let is_lower = best >= node.beta;
        let gain = Bound { value: best - pos.margin(pos.side()), solved: node.solved };
        let mv = if is_lower { node.mv } else { NO_MOVE };
        self.table.put(key, G::hash(&key), Finding { depth: node.depth, bound: gain, is_lower, mv });
        Bound { value: best, solved: node.solved }
    }

    /// Searches `pos` with the null window at `beta`. Returns a bound on the same side of `beta` as the
    /// value.
    fn subtree(&mut self, pos: &G, depth: u8, beta: i32) -> Bound {
        let depth = within_game(pos, depth);
        let (hint, known) = match self.enter(pos, depth, beta) {
            Ok(bound) => return bound,
            Err(unknown) => unknown,
        };
        let mut node = Node::new(depth, beta, known);
        if hint == NO_MOVE || !self.try_move(pos, hint, &mut node) {
            for mv in pos.ordered_moves(u32::from(depth - 1)) {
                if mv != hint && self.try_move(pos, mv, &mut node) {
                    break;
                }
            }
        }
        self.leave(pos, &node)
    }

    #[inline(always)]
    fn try_move(&mut self, pos: &G, mv: Move, node: &mut Node) -> bool {
        let child = pos.play(mv);
        self.history.push(pos, mv);
        let bound = self.subtree(&child, node.depth - 1, child_beta(pos, &child, node.beta));
        self.history.pop();
        node.absorb(mv, from_child(pos, &child, bound))
    }

    /// Starts the null-window search of `child`, which `mv` reaches from the root. Returns the result if it
    /// is known at once; otherwise [`step`](NullWindow::step) computes it.
    pub fn ask(&mut self, (root, mv): (&G, Move), child: &G, depth: u8, beta: i32) -> Option<Bound> {
        self.stack.clear();
        self.moves.clear();
        self.leave_root(root, mv);
        self.descend(child, depth, beta)
    }

    fn leave_root(&mut self, root: &G, mv: Move) {
        self.history.truncate(self.before_root);
        self.history.push(root, mv);
    }

    /// Continues the search until it is complete or the budget is spent; makes progress on every call.
    pub fn step(&mut self, budget: Budget) -> Option<Bound> {
        while let (Some(mv), Some(frame)) = (self.next_move(), self.stack.last_mut()) {
            frame.trying = mv;
            let child = frame.pos.play(mv);
            self.history.push(&frame.pos, mv);
            let depth = frame.node.depth - 1;
            let beta = child_beta(&frame.pos, &child, frame.node.beta);
            if let Some(bound) = self.descend(&child, depth, beta)
                && let Some(answer) = self.ascend(child, bound)
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
        if let Some(active) = self.active.as_ref().filter(|_| frame.trying != NO_MOVE) {
            let depth = frame.node.depth - 1;
            let beta = frame.node.beta;
            let search = |at: usize| {
                let child = frame.pos.play(self.moves[at]);
                (G::hash(&child.key()), depth, child_beta(&frame.pos, &child, beta))
            };
            if let Some((at, mark)) = active.mark_first((frame.moves..self.moves.len()).rev(), search) {
                frame.mark = Some(mark);
                return Some(self.moves.remove(at));
            }
        }
        self.moves.pop()
    }

    /// Propagates a bound up the stack. Returns the result if it reaches the root of the search.
    fn ascend(&mut self, mut child: G, mut bound: Bound) -> Option<Bound> {
        while let Some(mut frame) = self.stack.pop() {
            self.history.pop();
            let is_cut = frame.node.absorb(frame.trying, from_child(&frame.pos, &child, bound));
            if !is_cut && self.moves.len() > frame.moves {
                self.stack.push(frame);
                return None;
            }
            self.moves.truncate(frame.moves);
            bound = self.leave(&frame.pos, &frame.node);
            child = frame.pos;
        }
        Some(bound)
    }

    /// Searches a small subtree at once, or pushes the position onto the stack.
    fn descend(&mut self, pos: &G, depth: u8, beta: i32) -> Option<Bound> {
        let depth = within_game(pos, depth);
        if depth <= SUBTREE {
            return Some(self.subtree(pos, depth, beta));
        }
        match self.enter(pos, depth, beta) {
            Ok(bound) => Some(bound),
            Err((hint, known)) => {
                let moves = self.moves.len();
                self.moves.extend(pos.ordered_moves(u32::from(depth - 1)).filter(|&mv| mv != hint));
                self.moves[moves..].reverse();
                self.moves.extend((hint != NO_MOVE).then_some(hint));
                let node = Node::new(depth, beta, known);
                self.stack.push(Frame { pos: *pos, node, moves, trying: NO_MOVE, mark: None });
                None
            }
        }
    }
}
