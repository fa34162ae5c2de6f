//! Null-window alpha-beta: tests whether a position is worth at least some margin.
//!
//! Every search has a null window ("at least `beta`, or less?"): such windows cut most, and the table answers
//! most of them. A few of them give an exact value (see [`root`](super::root)). Values are exact minimax
//! values: depth counts moves, and a leaf has its margin as value. The search is fail-soft: a bound may be
//! better than `beta`.
//!
//! A [`Driver`](super::driver::Driver) runs the upper plies. Only subtrees of [`SUBTREE`] plies, some tenths of a millisecond
//! each, are searched recursively.

mod line;

use super::driver::{Others, Path, Policy, Untried};
use super::margins::{MarginTable, Margins};
use super::table::{Bound, NO_MOVE, SearchResult, Table};
use crate::SearchHints;
use crate::game::{History, Horizon, Move, referee};

/// Minimum depth stored in the table; shallower positions are faster to search again.
const REMEMBERED: u8 = 4;

/// Minimum depth, in searches to the end of the game, at which the table is probed for a refutation before
/// any move is searched.
const WORTH_A_LOOK: u8 = 19;

/// Depth in plies of the subtrees that are searched without interruption.
const SUBTREE: u8 = 8;

/// A search with one null window at a time, and the table that stores all results.
pub(super) struct NullWindow<G: SearchHints> {
    pub table: Table<G>,
    pub endgames: MarginTable,
    /// Positions visited so far.
    pub nodes: u64,
    path: Path<G>,
    untried: Untried,
}

/// A null-window search at `beta`; `depth` is [within the game](within_game).
pub(super) struct Request<G> {
    pos: G,
    depth: u8,
    beta: i32,
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

/// A node of the upper plies.
pub(super) struct UpperNode {
    node: Node,
    /// Where its untried moves begin.
    moves: usize,
    /// The move being searched.
    trying: Move,
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
    pub fn new(table: Table<G>, path: Path<G>) -> NullWindow<G> {
        NullWindow { table, endgames: MarginTable::NONE, nodes: 0, path, untried: Untried::default() }
    }

    /// Returns the table, and the moves before the root.
    pub fn into_parts(mut self) -> (Table<G>, History<G>) {
        self.path.return_to_root();
        (self.table, self.path.history)
    }

    /// Returns another search from the same root, with the same table. `None` if the table is not shared.
    pub fn helper(&self) -> Option<NullWindow<G>> {
        let helper = NullWindow::new(self.table.handle()?, self.path.at_root());
        Some(NullWindow { endgames: self.endgames.clone(), ..helper })
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
        !G::USES_HISTORY || !pos.depends_on_history(&self.path.history, depth)
    }

    /// Returns the bound of `pos` if it is known without trying moves; otherwise the move to try first, and what is known
    /// of the value.
    // Always inline: otherwise the compiler leaves one call site out and passes the result through memory.
    #[inline(always)]
    fn probe_node(&mut self, pos: &G, depth: u8, beta: i32) -> Result<Bound, (Move, Margins)> {
        self.nodes += 1;
        if G::USES_HISTORY
            && !pos.is_over()
            && let Some(value) = referee::ruled_value(pos, &self.path.history)
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
            && let Some(known) = self.endgames.get(pos, &self.path.history)
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
    fn store(&mut self, pos: &G, node: &Node) -> Bound {
        let best = node.best.min(node.most);
        if node.depth < REMEMBERED || !self.is_free(pos, node.depth) {
            return Bound { value: best, solved: node.solved };
        }
        let key = pos.key();
        let is_lower = best >= node.beta;
        let gain = Bound { value: best - pos.margin(pos.side()), solved: node.solved };
        let mv = if is_lower { node.mv } else { NO_MOVE };
        self.table.put(key, G::hash(&key), SearchResult { depth: node.depth, bound: gain, is_lower, mv });
        Bound { value: best, solved: node.solved }
    }

    /// Searches `pos` with the null window at `beta`. Returns a bound on the same side of `beta` as the
    /// value.
    fn subtree(&mut self, pos: &G, depth: u8, beta: i32) -> Bound {
        let depth = within_game(pos, depth);
        let (hint, known) = match self.probe_node(pos, depth, beta) {
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
        self.store(pos, &node)
    }

    #[inline(always)]
    fn try_move(&mut self, pos: &G, mv: Move, node: &mut Node) -> bool {
        let child = pos.play(mv);
        self.path.history.push(pos, mv);
        let bound = self.subtree(&child, node.depth - 1, child_beta(pos, &child, node.beta));
        self.path.history.pop();
        node.absorb(mv, from_child(pos, &child, bound))
    }

    /// Returns the search of `child`, which `mv` reaches from the root.
    pub fn request(&mut self, (root, mv): (&G, Move), child: &G, depth: u8, beta: i32) -> Request<G> {
        self.untried.clear();
        self.path.leave_root(root, mv);
        Request { pos: *child, depth: within_game(child, depth), beta }
    }
}

impl<G: SearchHints> Policy for NullWindow<G> {
    type Request = Request<G>;
    type Node = UpperNode;
    type Value = Bound;

    fn is_small(&self, request: &Request<G>) -> bool {
        request.depth <= SUBTREE
    }

    fn enter(&mut self, &Request { ref pos, depth, beta }: &Request<G>) -> Result<Bound, UpperNode> {
        self.probe_node(pos, depth, beta).map_err(|(hint, known)| {
            let moves = self.untried.list_after(hint, pos.ordered_moves(u32::from(depth - 1)));
            UpperNode { node: Node::new(depth, beta, known), moves, trying: NO_MOVE }
        })
    }

    fn next(
        &mut self,
        &Request { ref pos, depth, beta }: &Request<G>,
        node: &mut UpperNode,
        others: Option<Others>,
    ) -> Option<Request<G>> {
        let depth = depth - 1;
        let search = |mv| {
            let child = pos.play(mv);
            (G::hash(&child.key()), depth, child_beta(pos, &child, beta))
        };
        node.trying = self.untried.take_free(node.moves, others.filter(|_| node.trying != NO_MOVE), search)?;
        let child = pos.play(node.trying);
        self.path.history.push(pos, node.trying);
        Some(Request { pos: child, depth: within_game(&child, depth), beta: child_beta(pos, &child, beta) })
    }

    fn absorb(&mut self, Request { pos, .. }: &Request<G>, node: &mut UpperNode, bound: Bound) {
        self.path.history.pop();
        let child = pos.play(node.trying);
        if node.node.absorb(node.trying, from_child(pos, &child, bound)) {
            self.untried.drop_last(node.moves);
        }
    }

    fn leave(&mut self, request: &Request<G>, node: UpperNode) -> Bound {
        self.store(&request.pos, &node.node)
    }

    /// The moves of small subtrees are generated one by one: most are never tried.
    fn run(&mut self, request: &Request<G>) -> Bound {
        self.subtree(&request.pos, request.depth, request.beta)
    }
}
