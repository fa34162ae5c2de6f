//! The search below the root.
//!
//! [`next`](Walk::next) returns the next search that a [`Node`] needs, [`absorb`](Walk::absorb) processes the result. The upper plies are nodes on a stack, so that a search can stop between any two of them; subtrees of [`SUBTREE`]
//! plies are searched recursively.

use super::super::pvs::{ABOVE_ALL, GREATEST, after, before};
use super::node::{Ask, Child, FIRST, Node, Trying};
use super::order::Order;
use super::table::Table;
use super::{Cut, Evaluator};
use crate::active::{ActiveSearches, Mark};
use crate::budget::Budget;
use crate::game::{Game, GameState, History, Move};
use std::sync::Arc;

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
    pub table: Table<G>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Best move of the last search of a whole position.
    pub root_move: Option<Move>,
    history: History<G>,
    before_root: usize,
    stack: Vec<Node<G, E::State>>,
    /// The children of all nodes on the path, those of the last node at the end.
    children: Vec<Child<G, E::State>>,
    /// Used if [`Evaluator::USES_ORDER`].
    order: Order,
    /// The searches of all threads, if there are others, and the marks of the moves that the nodes on the stack try.
    active: Option<Arc<ActiveSearches>>,
    marks: Vec<Option<Mark>>,
}

type NodeOf<G, E> = Node<G, <E as Evaluator<G>>::State>;
type AskOf<G, E> = Ask<G, <E as Evaluator<G>>::State>;

impl<G: Game, E: Evaluator<G>> Walk<G, E> {
    pub fn new(evaluator: E, table: Table<G>, game_state: &GameState<G>) -> Walk<G, E> {
        let history = game_state.history().clone();
        let before_root = history.len();
        let stack = Vec::new();
        let children = Vec::new();
        let order = Order::new(E::USES_ORDER);
        let nodes = 0;
        let root_move = None;
        let active = None;
        let marks = Vec::new();
        Walk { evaluator, table, nodes, root_move, history, before_root, stack, children, order, active, marks }
    }

    /// Shares `active` and the table, and returns another search from the same root that does. `None` if the table is not shared.
    pub fn helper(&mut self, root: &G, active: &Arc<ActiveSearches>) -> Option<Walk<G, E>> {
        self.active = Some(Arc::clone(active));
        let mut history = self.history.clone();
        history.truncate(self.before_root);
        let helper = Walk::new(self.evaluator.clone(), self.table.handle()?, &GameState::after(*root, history, 0));
        Some(Walk { order: self.order.clone(), active: self.active.clone(), ..helper })
    }

    #[inline]
    fn is_free(&self, pos: &G, depth: u8) -> bool {
        !self.evaluator.depends_on_history(pos, &self.history, depth)
    }

    /// Returns the value of a position that needs no node, or its node.
    #[inline]
    fn enter(&mut self, ask: &AskOf<G, E>) -> Result<i32, NodeOf<G, E>> {
        let Ask { pos, state, depth, window: (alpha, beta), .. } = ask;
        let depth = *depth;
        let alpha = *alpha;
        let beta = *beta;
        self.nodes += 1;
        if pos.is_over() {
            return Ok(self.evaluator.ended(pos));
        }
        // The root needs a node: its move counts, not its value alone.
        let is_root = self.stack.is_empty();
        let is_reached = !is_root || ask.mv.is_some();
        if G::USES_HISTORY
            && is_reached
            && self.evaluator.is_drawn(pos, &self.history, self.history.len() - self.before_root)
        {
            return Ok(0);
        }
        if is_reached && let Some(value) = self.evaluator.settled(pos, &self.history, depth, (alpha, beta)) {
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
            if let Some(entry) = self.table.get(&key, G::hash(&key)) {
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
        let trying = match cut {
            Some(cut) => self.probe(ask, cut),
            None => FIRST,
        };
        Err(Node::new(ask, hint, trying))
    }

    /// The probe that the static value makes more likely to succeed.
    #[inline]
    fn probe(&self, ask: &AskOf<G, E>, cut: Cut) -> Trying {
        if self.evaluator.value(&ask.pos, &ask.state) >= ask.window.1 { Trying::High(cut) } else { Trying::Low(cut) }
    }

    /// Lists the children of a position.
    #[inline]
    fn list(&mut self, pos: &G, state: &E::State, depth: u8, hint: Move) {
        for mv in pos.moves() {
            let child = pos.play(mv);
            let mut rank = self.evaluator.rank(pos, mv, &child);
            let mut next = *state;
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

    /// Returns the next search that the node needs; `None` once its value is known.
    #[inline]
    fn next(&mut self, node: &mut NodeOf<G, E>) -> Option<AskOf<G, E>> {
        if node.done {
            return None;
        }
        let own = |depth, window| Some(Ask { pos: node.pos, state: node.state, depth, window, mv: None });
        match node.trying {
            Trying::High(cut) => {
                let bound = node.beta + cut.margin;
                own(cut.depth, (bound - 1, bound))
            }
            Trying::Low(cut) => {
                let bound = node.alpha - cut.margin;
                own(cut.depth, (bound, bound + 1))
            }
            Trying::Move { .. } => self.next_move(node),
        }
    }

    #[inline]
    fn next_move(&mut self, node: &mut NodeOf<G, E>) -> Option<AskOf<G, E>> {
        if node.pending {
            if node.end == 0 {
                (node.first, node.current) = (self.children.len(), self.children.len());
                self.list(&node.pos, &node.state, node.depth, node.hint);
                node.end = self.children.len();
            }
            // The best of the rest comes next.
            let best = self.next_child(node)?;
            self.children.swap(node.current, best);
            let narrow = node.best > -ABOVE_ALL && node.beta > node.alpha + 1;
            let is_null = node.beta == node.alpha + 1;
            let nth = node.current - node.first;
            let reduced = if is_null { self.evaluator.reduction(&node.pos, node.depth, nth) } else { 0 };
            node.trying = Trying::Move { narrow, reduced };
        }
        node.pending = false;
        let Trying::Move { narrow, reduced } = node.trying else { return None };
        let child = &mut self.children[node.current];
        if node.depth < EVALUATED {
            child.state = self.evaluator.after(&node.state, &node.pos, &child.pos);
        }
        let beta = if narrow { node.alpha + 1 } else { node.beta };
        let is_forced = self.evaluator.is_forced(&node.pos, child.mv);
        let depth = if is_forced { node.depth } else { node.depth.saturating_sub(1 + reduced) };
        let window = after(child.pos.side() != node.pos.side(), (node.alpha, beta));
        Some(Ask { pos: child.pos, state: child.state, depth, window, mv: Some(child.mv) })
    }

    /// Returns the untried child to search next: after the first, preferably one that no other thread searches.
    #[inline]
    fn next_child(&mut self, node: &NodeOf<G, E>) -> Option<usize> {
        let first = |children: &[Child<G, E::State>]| {
            (node.current..node.end).max_by_key(|&at| (children[at].rank, std::cmp::Reverse(at)))
        };
        match &self.active {
            Some(active) if node.depth > SUBTREE => {
                let level = self.stack.len();
                self.marks.resize_with(level, || None);
                self.marks.push(None);
                while node.current > node.first
                    && let Some(at) = first(&self.children).filter(|&at| self.children[at].rank > LAST)
                {
                    let hash = G::hash(&self.children[at].pos.key());
                    self.marks[level] = active.mark_search(hash, node.depth, node.beta);
                    if self.marks[level].is_some() {
                        return Some(at);
                    }
                    self.children[at].rank = LAST;
                }
            }
            _ => {}
        }
        first(&self.children)
    }

    /// Processes the result of the search that the node needed.
    #[inline]
    fn absorb(&mut self, node: &mut NodeOf<G, E>, value: i32) {
        match node.trying {
            Trying::High(cut) => {
                if value >= node.beta + cut.margin {
                    (node.best, node.done) = (node.beta, true);
                }
                node.trying = FIRST;
            }
            Trying::Low(cut) => {
                if value <= node.alpha - cut.margin {
                    (node.best, node.done) = (node.alpha, true);
                }
                node.trying = FIRST;
            }
            Trying::Move { narrow, reduced } => self.absorb_move(node, value, narrow, reduced),
        }
    }

    #[inline]
    fn absorb_move(&mut self, node: &mut NodeOf<G, E>, value: i32, narrow: bool, reduced: u8) {
        let child = &self.children[node.current];
        let value = before(child.pos.side() != node.pos.side(), value);
        if value > node.alpha && (reduced > 0 || value < node.beta && narrow) {
            node.trying = FIRST;
            return;
        }
        if value > node.best {
            (node.best, node.mv) = (value, child.mv);
            node.alpha = node.alpha.max(value);
        }
        if E::USES_ORDER && node.best >= node.beta && node.depth > 0 {
            let tried = self.children[node.first..=node.current].iter().map(|child| child.mv);
            self.order.learn(node.pos.side(), node.depth, child.mv, tried);
        }
        node.current += 1;
        node.pending = true;
        node.done = node.best >= node.beta || node.current == node.end;
    }

    /// Stores a node's value and returns it.
    #[inline]
    fn leave(&mut self, node: &NodeOf<G, E>) -> i32 {
        if node.end > 0 {
            self.children.truncate(node.first);
        }
        if node.depth >= REMEMBERED && self.is_free(&node.pos, node.depth) {
            let key = node.pos.key();
            self.table.put(key, G::hash(&key), node.depth, (node.from, node.beta), node.best, node.mv);
        }
        node.best
    }

    /// Searches a subtree of `pos`, with the move that leads to it in the history.
    #[inline]
    fn searched(&mut self, pos: &G, ask: &AskOf<G, E>) -> i32 {
        let Some(mv) = ask.mv.filter(|_| G::USES_HISTORY) else { return self.subtree(ask) };
        self.history.push(pos, mv);
        let value = self.subtree(ask);
        self.history.pop();
        value
    }

    fn subtree(&mut self, ask: &AskOf<G, E>) -> i32 {
        let mut node = match self.enter(ask) {
            Ok(value) => return value,
            Err(node) => node,
        };
        while let Some(ask) = self.next(&mut node) {
            let value = self.searched(&node.pos, &ask);
            self.absorb(&mut node, value);
        }
        self.leave(&node)
    }

    /// Starts a search from `root`. Returns the result if it is known at once; otherwise [`step`](Walk::step) computes it.
    pub fn ask(&mut self, root: &G, ask: AskOf<G, E>) -> Option<i32> {
        self.stack.clear();
        self.marks.clear();
        self.children.clear();
        self.root_move = None;
        self.history.truncate(self.before_root);
        if let Some(mv) = ask.mv {
            self.history.push(root, mv);
        }
        match self.enter(&ask) {
            Ok(value) => Some(value),
            Err(node) => {
                self.stack.push(node);
                None
            }
        }
    }

    /// Continues the search until it is complete or the budget is spent; makes progress on every call.
    pub fn step(&mut self, budget: Budget) -> Option<i32> {
        while let Some(mut node) = self.stack.pop() {
            let value = match self.next(&mut node) {
                Some(ask) => {
                    if let Some(mv) = ask.mv {
                        self.history.push(&node.pos, mv);
                    }
                    self.stack.push(node);
                    self.descend(ask)
                }
                None => {
                    self.marks.truncate(self.stack.len());
                    self.root_move = Some(node.mv).filter(|&mv| mv != Move::NONE);
                    Some(self.leave(&node))
                }
            };
            if let Some(value) = value
                && let Some(value) = self.ascend(value)
            {
                return Some(value);
            }
            if budget.is_spent() {
                return None;
            }
        }
        None
    }

    /// Passes a value to the node on top of the stack. Returns it if the stack is empty.
    fn ascend(&mut self, value: i32) -> Option<i32> {
        let Some(mut node) = self.stack.pop() else { return Some(value) };
        if matches!(node.trying, Trying::Move { .. }) {
            self.history.pop();
        }
        self.absorb(&mut node, value);
        self.stack.push(node);
        None
    }

    /// Searches a small subtree at once, or pushes its node.
    fn descend(&mut self, ask: AskOf<G, E>) -> Option<i32> {
        if ask.depth <= SUBTREE {
            return Some(self.subtree(&ask));
        }
        match self.enter(&ask) {
            Ok(value) => Some(value),
            Err(node) => {
                self.stack.push(node);
                None
            }
        }
    }

    /// Returns the best move that the running search of a whole position has found, if it is inside the window.
    pub fn best_at_root(&self) -> Option<Move> {
        let node = self.stack.first()?;
        (node.best > node.from && node.mv != Move::NONE).then_some(node.mv)
    }

    /// Returns the value of perfect play of a move from `root`, where it is known without a search.
    pub fn exact(&mut self, root: &G, mv: Move) -> Option<i32> {
        self.history.truncate(self.before_root);
        self.history.push(root, mv);
        let child = root.play(mv);
        let value = self.evaluator.settled(&child, &self.history, 0, (-ABOVE_ALL, ABOVE_ALL))?;
        Some(before(child.side() != root.side(), value))
    }

    /// Returns the principal variation from `root` that begins with `mv`, as far as it is in the table.
    pub fn line(&mut self, root: &G, mv: Move, depth: u8) -> Vec<Move> {
        let mut line = vec![mv];
        let mut pos = root.play(mv);
        while line.len() < usize::from(depth) && !pos.is_over() {
            let key = pos.key();
            let known = self.table.get(&key, G::hash(&key)).map(|entry| entry.mv);
            let Some(next) = known.filter(|&mv| pos.moves().any(|legal| legal == mv)) else { break };
            line.push(next);
            pos = pos.play(next);
        }
        line
    }
}
