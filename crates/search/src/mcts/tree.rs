//! The tree of a Monte Carlo search: nodes in one vector, a node's children side by side. What a visit brings and which child is visited next
//! is up to a [`Method`].

use super::Method;
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, History, Move, Side};

/// Nodes a tree may have: beyond them its leaves stay leaves.
pub const MAX_NODES: usize = 4 << 20;

/// Nodes whose children are taken over between two looks at the clock.
const TOGETHER: usize = 1024;

/// Visits the root may have, and with it any node: points are counted in halves, and in 32 bits.
pub const MAX_VISITS: u32 = u32::MAX / 4;

/// A position, with what its visits have brought: `K` is the method's own.
#[derive(Clone, Copy, Debug)]
pub struct Node<G, K> {
    pub(super) pos: G,
    pub(super) kept: K,
    /// Margins at the ends of the visits, added up, for South.
    pub(super) margins: i64,
    pub(super) visits: u32,
    /// Where the children begin; without meaning as long as there are none.
    children: u32,
    pub(super) count: u16,
    /// Children that were never visited.
    pub(super) fresh: u16,
    pub(super) mv: Move,
    /// Who made the move to here.
    pub(super) by: Side,
}

impl<G: Game, K: Copy> Node<G, K> {
    fn new(pos: G, kept: K, mv: Move, by: Side) -> Node<G, K> {
        Node { pos, kept, margins: 0, visits: 0, children: 0, count: 0, fresh: 0, mv, by }
    }

    pub(super) fn block(&self) -> std::ops::Range<usize> {
        let first = self.children as usize;
        first..first + usize::from(self.count)
    }
}

/// See the module.
pub struct Tree<G, K> {
    pub(super) nodes: Vec<Node<G, K>>,
    /// What was played before the root, and beyond while an iteration goes down.
    pub(super) history: History<G>,
    /// Moves played before the root.
    plies: u32,
    /// The way of the present iteration.
    pub(super) path: Vec<u32>,
    /// The nodes of the turn before, whose room is used again.
    spare: Vec<Node<G, K>>,
    /// While what is known of the turn before is being taken over from there: of so many nodes the children have been.
    taken_over: Option<usize>,
    /// Nodes it may have.
    pub(super) most: usize,
}

impl<G: Game, K: Copy> Tree<G, K> {
    /// A tree of the root alone.
    pub(super) fn new(root: &GameState<G>, kept: K) -> Tree<G, K> {
        let (history, plies) = (root.history().clone(), root.plies());
        let (nodes, path, spare) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = Tree { nodes, history, plies, path, spare, taken_over: None, most: MAX_NODES };
        tree.plant(root.pos(), kept);
        tree
    }

    /// Grows no further than `mb` megabytes.
    pub(super) fn keep_to(&mut self, mb: usize) {
        self.most = (mb.saturating_mul(1 << 20) / size_of::<Node<G, K>>()).min(MAX_NODES);
    }

    /// Begins anew at `pos`.
    fn plant(&mut self, pos: &G, kept: K) {
        self.taken_over = None;
        self.nodes.clear();
        self.nodes.push(Node::new(*pos, kept, Move::NONE, pos.side().other()));
    }

    pub(super) fn root(&self) -> &Node<G, K> {
        &self.nodes[0]
    }

    /// Whether there is room for so many nodes more.
    pub(super) fn has_room(&self, nodes: usize) -> bool {
        self.nodes.len() + nodes <= self.most
    }

    /// Iterations until the root has all the visits it may have.
    pub(super) fn visits_left(&self) -> u64 {
        MAX_VISITS.saturating_sub(self.root().visits).into()
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The children of the root, in the game's canonical order of moves.
    pub(super) fn choices(&self) -> &[Node<G, K>] {
        &self.nodes[self.root().block()]
    }

    /// Moves played before the end of the present way.
    pub(super) fn plies(&self) -> u32 {
        self.plies + self.path.len() as u32 - 1
    }

    /// The moves visited most, from the child of the root that `mv` leads to.
    pub(super) fn line(&self, mv: Move) -> Vec<Move> {
        let mut line = Vec::new();
        let mut next = self.root().block().find(|&at| self.nodes[at].mv == mv);
        while let Some(at) = next.filter(|&at| self.nodes[at].visits > 0) {
            let node = &self.nodes[at];
            line.push(node.mv);
            // What is still to be taken over is not here.
            let is_here = self.taken_over.is_none_or(|upto| at < upto);
            let block = if is_here { node.block() } else { 0..0 };
            // The first of those visited most.
            next = block.rev().max_by_key(|&child| self.nodes[child].visits);
        }
        line
    }

    /// Gives a node its children, each with what is kept of it before its first visit.
    pub(super) fn expand(&mut self, at: usize, mut kept: impl FnMut(usize) -> K) {
        let Node { pos, .. } = self.nodes[at];
        let (first, by) = (self.nodes.len(), pos.side());
        let child = |(nth, mv)| Node::new(pos.play(mv), kept(nth), mv, by);
        self.nodes.extend(pos.moves().enumerate().map(child));
        let count = (self.nodes.len() - first) as u16;
        let node = &mut self.nodes[at];
        (node.children, node.count, node.fresh) = (first as u32, count, count);
    }

    /// Down to where a visit ends, and back up with what it brought.
    #[inline]
    pub(super) fn iterate<M: Method<G, Kept = K>>(&mut self, method: &mut M) {
        self.path.clear();
        self.path.push(0);
        let (before, mut at) = (self.history.len(), 0);
        let (seen, margin) = loop {
            if let Some(seen) = method.visit(self, at) {
                break seen;
            }
            let from = at;
            at = method.select(self, at);
            self.history.push(&self.nodes[from].pos, self.nodes[at].mv);
            self.path.push(at as u32);
        };
        self.history.truncate(before);
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.margins += i64::from(margin);
            M::absorb(node, seen);
        }
    }

    /// Goes on from `root` with what the tree knows below it, if it is at most `plies` moves below the root; whether it is.
    /// Otherwise the tree begins anew there. What it knows is to be [taken over](Tree::take_over) before it iterates.
    pub(super) fn descend(&mut self, root: &GameState<G>, kept: K, plies: u32) -> bool {
        self.take_over(Budget::UNLIMITED);
        let pos = root.pos();
        (self.history, self.plies) = (root.history().clone(), root.plies());
        let mut level = vec![0];
        for _ in 0..plies {
            level =
                level.iter().flat_map(|&at| self.nodes[at].block()).filter(|&at| self.nodes[at].visits > 0).collect();
        }
        let found = level.into_iter().filter(|&at| self.nodes[at].pos == *pos);
        let Some(root) = found.max_by_key(|&at| self.nodes[at].visits) else {
            self.plant(pos, kept);
            return false;
        };
        self.keep_below(root);
        true
    }

    /// Leaves all but what lies below `root` behind. The children of the root are taken over at once.
    fn keep_below(&mut self, root: usize) {
        std::mem::swap(&mut self.nodes, &mut self.spare);
        self.nodes.clear();
        self.nodes.push(self.spare[root]);
        self.take_children(0);
        self.taken_over = Some(1);
    }

    /// Takes over what is known of the turn before, until that is done or the budget is spent.
    pub(super) fn take_over(&mut self, budget: Budget) -> Status {
        while let Some(first) = self.taken_over {
            let end = self.nodes.len().min(first + TOGETHER);
            (first..end).for_each(|at| self.take_children(at));
            self.taken_over = (end < self.nodes.len()).then_some(end);
            if self.taken_over.is_some() && budget.is_spent() {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Copies the children of a node from the turn before. Level by level, they stay side by side.
    fn take_children(&mut self, at: usize) {
        let block = self.nodes[at].block();
        if !block.is_empty() {
            self.nodes[at].children = self.nodes.len() as u32;
            self.nodes.extend_from_slice(&self.spare[block]);
        }
    }
}
