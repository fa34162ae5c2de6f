//! The search below the root.
//!
//! A [`Driver`](super::super::driver::Driver) runs the upper plies; subtrees of [`SUBTREE`] plies are searched without
//! interruption.

use super::super::driver::{Others, Path, Policy};
use super::super::pvs::{ABOVE_ALL, GREATEST, after, before};
use super::node::{Ask, Child, FIRST, Node, NodeSearch};
use super::order::Order;
use super::table::Table;
use super::{Cut, Evaluator};
use crate::game::{Game, Move};

/// Depth in plies of the subtrees searched without interruption.
const SUBTREE: u8 = 5;

/// Rank of a child that another thread searches.
const LAST: i32 = i32::MIN;

/// Smallest depth stored in the table.
const REMEMBERED: u8 = 2;

/// Smallest depth at which moves are ordered by the evaluation.
const EVALUATED: u8 = 3;

pub(super) struct Walk<G: Game, E: Evaluator<G>> {
    evaluator: E,
    pub table: Table,
    /// Positions visited so far.
    pub nodes: u64,
    /// Best move of the last search of a whole position.
    pub root_move: Option<Move>,
    path: Path<G>,
    /// Whether the next node is the root.
    is_at_root: bool,
    /// The children of all nodes on the path, those of the last node at the end.
    children: Vec<Child<G, E::State>>,
    /// Used if [`Evaluator::USES_ORDER`].
    order: Order,
}

type AskOf<G, E> = Ask<G, <E as Evaluator<G>>::State>;

impl<G: Game, E: Evaluator<G>> Walk<G, E> {
    pub fn new(evaluator: E, table: Table, path: Path<G>) -> Walk<G, E> {
        let order = Order::new(E::USES_ORDER);
        let children = Vec::new();
        Walk { evaluator, table, nodes: 0, root_move: None, path, is_at_root: false, children, order }
    }

    /// Returns another search from the same root, with the same table. `None` if the table is not shared.
    pub fn helper(&self) -> Option<Walk<G, E>> {
        let helper = Walk::new(self.evaluator.clone(), self.table.handle()?, self.path.at_root());
        Some(Walk { order: self.order.clone(), ..helper })
    }

    #[inline]
    fn is_free(&self, pos: &G, depth: u8) -> bool {
        !self.evaluator.depends_on_history(pos, &self.path.history, depth)
    }

    /// The probe that the static value makes more likely to succeed.
    #[inline]
    fn probe(&self, ask: &AskOf<G, E>, cut: Cut) -> NodeSearch {
        if self.evaluator.value(&ask.pos, &ask.state) >= ask.window.1 {
            NodeSearch::High(cut)
        } else {
            NodeSearch::Low(cut)
        }
    }

    /// Lists the children of a position.
    #[inline]
    fn list(&mut self, pos: &G, state: &E::State, depth: u8, hint: Move) {
        for mv in pos.moves() {
            let child = pos.play(mv);
            let mut rank = self.evaluator.rank(pos, mv, &child);
            let mut next = *state;
            if depth > REMEMBERED {
                self.table.prefetch(G::hash(&child.key()));
            }
            if depth >= EVALUATED && !child.is_over() {
                next = self.evaluator.after(state, pos, &child);
                let value = self.evaluator.value(&child, &next);
                rank += if child.side() == pos.side() { value } else { -value };
            }
            if E::USES_ORDER {
                rank += self.order.rank(pos.side(), mv);
            }
            if mv == hint {
                rank = i32::MAX;
            }
            self.children.push(Child { rank, mv, pos: child, state: next });
        }
    }

    /// Value of a position one ply before the horizon, or at it if it is not quiet.
    #[inline]
    fn frontier(&mut self, pos: &G, state: &E::State, depth: u8, (alpha, beta): (i32, i32)) -> i32 {
        let mut best = -ABOVE_ALL;
        for mv in pos.moves() {
            let child = pos.play(mv);
            let turns = child.side() != pos.side();
            let next = self.evaluator.after(state, pos, &child);
            let is_forced = self.evaluator.is_forced(pos, mv);
            let value = if child.is_over() {
                self.nodes += 1;
                self.evaluator.ended(&child)
            } else if is_forced || !self.evaluator.is_quiet(&child) {
                let depth = if is_forced { depth } else { 0 };
                let window = after(turns, (alpha.max(best), beta));
                self.searched(pos, &Ask { pos: child, state: next, depth, window, mv: Some(mv) })
            } else {
                self.nodes += 1;
                self.evaluator.value(&child, &next)
            };
            best = best.max(before(turns, value));
            if best >= beta {
                break;
            }
        }
        best
    }

    #[inline]
    fn next_move(&mut self, ask: &AskOf<G, E>, node: &mut Node, others: Option<Others>) -> Option<AskOf<G, E>> {
        if node.pending {
            if node.end == 0 {
                (node.first, node.current) = (self.children.len(), self.children.len());
                self.list(&ask.pos, &ask.state, ask.depth, node.hint);
                node.end = self.children.len();
            }
            // The best of the rest comes next.
            let best = self.next_child(ask, node, others)?;
            self.children.swap(node.current, best);
            let narrow = node.best > -ABOVE_ALL && ask.window.1 > node.alpha + 1;
            let is_null = ask.window.1 == node.alpha + 1;
            let nth = node.current - node.first;
            let reduced = if is_null { self.evaluator.reduction(&ask.pos, ask.depth, nth) } else { 0 };
            node.search = NodeSearch::Move { narrow, reduced };
        } else if node.current > node.first
            && let Some(mut others) = others
        {
            // The next search of the same child.
            others.mark(G::hash(&self.children[node.current].pos.key()), ask.depth, ask.window.1);
        }
        node.pending = false;
        let NodeSearch::Move { narrow, reduced } = node.search else { return None };
        let child = &mut self.children[node.current];
        if ask.depth < EVALUATED {
            child.state = self.evaluator.after(&ask.state, &ask.pos, &child.pos);
        }
        let beta = if narrow { node.alpha + 1 } else { ask.window.1 };
        let is_forced = self.evaluator.is_forced(&ask.pos, child.mv);
        let depth = if is_forced { ask.depth } else { ask.depth.saturating_sub(1 + reduced) };
        let window = after(child.pos.side() != ask.pos.side(), (node.alpha, beta));
        self.path.history.push(&ask.pos, child.mv);
        Some(Ask { pos: child.pos, state: child.state, depth, window, mv: Some(child.mv) })
    }

    /// Returns the untried child to search next, by rank: after the first, preferably one that no other thread searches.
    #[inline]
    fn next_child(&mut self, ask: &AskOf<G, E>, node: &Node, others: Option<Others>) -> Option<usize> {
        let first = |children: &[Child<G, E::State>]| {
            (node.current..node.end).max_by_key(|&at| (children[at].rank, std::cmp::Reverse(at)))
        };
        if let Some(mut others) = others {
            while node.current > node.first
                && let Some(at) = first(&self.children).filter(|&at| self.children[at].rank > LAST)
            {
                let hash = G::hash(&self.children[at].pos.key());
                if others.mark(hash, ask.depth, ask.window.1) {
                    return Some(at);
                }
                self.children[at].rank = LAST;
            }
        }
        first(&self.children)
    }

    #[inline]
    fn absorb_move(&mut self, ask: &AskOf<G, E>, node: &mut Node, value: i32, narrow: bool, reduced: u8) {
        let child = &self.children[node.current];
        let value = before(child.pos.side() != ask.pos.side(), value);
        if value > node.alpha && (reduced > 0 || value < ask.window.1 && narrow) {
            node.search = FIRST;
            return;
        }
        if value > node.best {
            (node.best, node.mv) = (value, child.mv);
            node.alpha = node.alpha.max(value);
        }
        if E::USES_ORDER && node.best >= ask.window.1 && ask.depth > 0 {
            let tried = self.children[node.first..=node.current].iter().map(|child| child.mv);
            self.order.learn(ask.pos.side(), ask.depth, child.mv, tried);
        }
        node.current += 1;
        node.pending = true;
        node.done = node.best >= ask.window.1 || node.current == node.end;
    }

    /// Searches a subtree of `pos`, with the move that leads to it in the history.
    #[inline]
    fn searched(&mut self, pos: &G, ask: &AskOf<G, E>) -> i32 {
        let Some(mv) = ask.mv.filter(|_| G::USES_HISTORY) else { return self.run(ask) };
        self.path.history.push(pos, mv);
        let value = self.run(ask);
        self.path.history.pop();
        value
    }

    /// Prepares for the search `ask` from `root`.
    pub fn begin(&mut self, root: &G, ask: &AskOf<G, E>) {
        self.children.clear();
        self.root_move = None;
        self.is_at_root = true;
        self.path.return_to_root();
        if let Some(mv) = ask.mv {
            self.path.leave_root(root, mv);
        }
    }

    /// See [`Evaluator::is_outcome`].
    pub fn is_outcome(&self, value: i32) -> bool {
        self.evaluator.is_outcome(value)
    }

    /// Returns the value of perfect play of a move from `root`, where it is known without a search.
    pub fn exact(&mut self, root: &G, mv: Move) -> Option<i32> {
        self.path.leave_root(root, mv);
        let child = root.play(mv);
        let value = self.evaluator.settled(&child, &self.path.history, 0, (-ABOVE_ALL, ABOVE_ALL))?;
        Some(before(child.side() != root.side(), value))
    }

    /// Returns the principal variation from `root` that begins with `mv`, as far as it is in the table.
    pub fn line(&mut self, root: &G, mv: Move, depth: u8) -> Vec<Move> {
        let mut line = vec![mv];
        let mut pos = root.play(mv);
        while line.len() < usize::from(depth) && !pos.is_over() {
            let key = pos.key();
            let known = self.table.get(E::words(&key), G::hash(&key)).map(|entry| entry.mv);
            let Some(next) = known.filter(|&mv| pos.moves().any(|legal| legal == mv)) else { break };
            line.push(next);
            pos = pos.play(next);
        }
        line
    }
}

impl<G: Game, E: Evaluator<G>> Policy for Walk<G, E> {
    type Request = AskOf<G, E>;
    type Node = Node;
    type Value = i32;

    fn is_small(&self, ask: &AskOf<G, E>) -> bool {
        ask.depth <= SUBTREE && !self.is_at_root
    }

    #[inline]
    fn enter(&mut self, ask: &AskOf<G, E>) -> Result<i32, Node> {
        let Ask { pos, state, depth, window: (alpha, beta), .. } = ask;
        let depth = *depth;
        let alpha = *alpha;
        let beta = *beta;
        self.nodes += 1;
        if pos.is_over() {
            return Ok(self.evaluator.ended(pos));
        }
        // The root needs a node: its move counts, not its value alone.
        let is_root = std::mem::take(&mut self.is_at_root);
        let is_reached = !is_root || ask.mv.is_some();
        if G::USES_HISTORY && is_reached && self.evaluator.is_drawn(pos, &self.path.history, self.path.len()) {
            return Ok(0);
        }
        if is_reached && let Some(value) = self.evaluator.settled(pos, &self.path.history, depth, (alpha, beta)) {
            return Ok(value);
        }
        if depth == 0 && self.evaluator.is_quiet(pos) {
            return Ok(self.evaluator.value(pos, state));
        }
        let is_null = beta == alpha + 1;
        if depth <= 1 && !is_root {
            return Ok(self.frontier(pos, state, depth, (alpha, beta)));
        }
        let mut hint = Move::NONE;
        if self.is_free(pos, depth) {
            let key = pos.key();
            if let Some(entry) = self.table.get(E::words(&key), G::hash(&key)) {
                if entry.depth >= depth && !is_root {
                    if entry.lower >= beta || entry.lower == entry.upper {
                        return Ok(entry.lower);
                    }
                    if entry.upper <= alpha {
                        return Ok(entry.upper);
                    }
                }
                hint = entry.mv;
            }
        }
        let is_evaluated = is_null && beta.abs() < GREATEST;
        let cut = if is_evaluated { self.evaluator.cut(pos, depth) } else { None };
        let search = match cut {
            Some(cut) => self.probe(ask, cut),
            None => FIRST,
        };
        Err(Node::new(alpha, hint, search))
    }

    #[inline]
    fn next(&mut self, ask: &AskOf<G, E>, node: &mut Node, others: Option<Others>) -> Option<AskOf<G, E>> {
        if node.done {
            return None;
        }
        let own = |depth, window| Some(Ask { pos: ask.pos, state: ask.state, depth, window, mv: None });
        match node.search {
            NodeSearch::High(cut) => {
                let bound = ask.window.1 + cut.margin;
                own(cut.depth, (bound - 1, bound))
            }
            NodeSearch::Low(cut) => {
                let bound = node.alpha - cut.margin;
                own(cut.depth, (bound, bound + 1))
            }
            NodeSearch::Move { .. } => self.next_move(ask, node, others),
        }
    }

    #[inline]
    fn absorb(&mut self, ask: &AskOf<G, E>, node: &mut Node, value: i32) {
        match node.search {
            NodeSearch::High(cut) => {
                if value >= ask.window.1 + cut.margin {
                    (node.best, node.done) = (ask.window.1, true);
                }
                node.search = FIRST;
            }
            NodeSearch::Low(cut) => {
                if value <= node.alpha - cut.margin {
                    (node.best, node.done) = (node.alpha, true);
                }
                node.search = FIRST;
            }
            NodeSearch::Move { narrow, reduced } => {
                self.path.history.pop();
                self.absorb_move(ask, node, value, narrow, reduced);
            }
        }
    }

    #[inline]
    fn leave(&mut self, ask: &AskOf<G, E>, node: Node) -> i32 {
        self.root_move = (node.mv != Move::NONE).then_some(node.mv);
        if node.end > 0 {
            self.children.truncate(node.first);
        }
        if ask.depth >= REMEMBERED && self.is_free(&ask.pos, ask.depth) {
            let key = ask.pos.key();
            self.table.put(E::words(&key), G::hash(&key), ask.depth, ask.window, node.best, node.mv);
        }
        node.best
    }
}
