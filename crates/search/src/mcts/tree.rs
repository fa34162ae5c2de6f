//! The tree of a Monte Carlo search: nodes in one vector, siblings adjacent. The [`Method`] evaluates and
//! selects.

use mancalab_base::memory::TableBytes;

use super::Method;
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, History, Move, Side};

/// Maximum number of nodes; in a full tree leaves are no longer expanded.
pub const MAX_NODES: usize = 4 << 20;

/// Nodes of a new tree, whose memory is not counted.
pub(super) const START: usize = 1 << 10;

/// Nodes whose children are copied between two checks of the budget.
const TOGETHER: usize = 1024;

/// Maximum visits of the root, and with it of any node: half points are counted in 32 bits.
pub const MAX_VISITS: u32 = u32::MAX / 4;

/// A position with its statistics; `K` is the method's own part.
#[derive(Clone, Copy, Debug)]
pub struct Node<G, K> {
    pub(super) pos: G,
    pub(super) kept: K,
    /// Sum of the margins at the ends of the visits, for South.
    pub(super) margins: i64,
    pub(super) visits: u32,
    /// Index of the first child; no meaning without children.
    children: u32,
    pub(super) count: u16,
    /// Number of unvisited children.
    pub(super) fresh: u16,
    pub(super) mv: Move,
    /// The side that moved to this node.
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

/// Search tree; see the module.
pub struct Tree<G, K> {
    pub(super) nodes: Vec<Node<G, K>>,
    /// Moves before the root, extended along the path during an iteration.
    pub(super) history: History<G>,
    /// Number of moves before the root.
    plies: u32,
    /// Node indices on the path of the current iteration.
    pub(super) path: Vec<u32>,
    /// Nodes of the previous turn; the buffer is reused.
    spare: Vec<Node<G, K>>,
    /// The memory of both.
    pub(super) memory: NodeMemory,
    pub(super) spare_memory: NodeMemory,
    /// While the previous turn's subtree is being copied: number of nodes whose children are copied.
    taken_over: Option<usize>,
    /// Maximum number of nodes.
    most: usize,
}

/// The memory of a buffer of nodes, of which that beyond [`START`] is counted.
pub(super) struct NodeMemory {
    /// Number of nodes that fit.
    room: usize,
    pub(super) counted: TableBytes,
}

impl Default for NodeMemory {
    fn default() -> NodeMemory {
        NodeMemory { room: START, counted: TableBytes::default() }
    }
}

impl<G: Game, K: Copy> Tree<G, K> {
    /// Creates a tree with the root only.
    pub(super) fn new(root: &GameState<G>, kept: K) -> Tree<G, K> {
        let history = root.history().clone();
        let plies = root.plies();
        let nodes = Vec::new();
        let path = Vec::new();
        let spare = Vec::new();
        let memory = NodeMemory::default();
        let spare_memory = NodeMemory::default();
        let mut tree =
            Tree { nodes, history, plies, path, spare, memory, spare_memory, taken_over: None, most: MAX_NODES };
        tree.plant(root.pos(), kept);
        tree
    }

    /// Limits the tree to `mb` megabytes.
    pub(super) fn keep_to(&mut self, mb: usize) {
        self.keep_to_nodes((mb.saturating_mul(1 << 20) / size_of::<Node<G, K>>()).min(MAX_NODES));
    }

    /// Limits the tree to this many nodes.
    pub(super) fn keep_to_nodes(&mut self, most: usize) {
        self.most = most;
        for memory in [&mut self.memory, &mut self.spare_memory] {
            memory.room = memory.room.min(most);
        }
    }

    /// Restarts the tree at `pos`.
    fn plant(&mut self, pos: &G, kept: K) {
        self.taken_over = None;
        self.nodes.clear();
        self.nodes.push(Node::new(*pos, kept, Move::NONE, pos.side().other()));
    }

    pub(super) fn root(&self) -> &Node<G, K> {
        &self.nodes[0]
    }

    /// Makes room for this many more nodes. Returns whether there is any.
    #[inline]
    pub(super) fn make_room(&mut self, nodes: usize) -> bool {
        let wanted = self.nodes.len() + nodes;
        wanted <= self.memory.room || self.grow(wanted)
    }

    /// Doubles the room, unless the tree is full or the tables of the process have all memory that they may.
    #[cold]
    fn grow(&mut self, wanted: usize) -> bool {
        if wanted > self.most {
            return false;
        }
        let room = (2 * self.memory.room).clamp(wanted, self.most);
        let is_granted = self.memory.counted.grow((room - self.memory.room) * size_of::<Node<G, K>>());
        if is_granted {
            self.memory.room = room;
            self.nodes.reserve_exact(room - self.nodes.len());
        }
        is_granted
    }

    /// Returns the number of iterations until the root's visits reach the maximum.
    pub(super) fn visits_left(&self) -> u64 {
        MAX_VISITS.saturating_sub(self.root().visits).into()
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the children of the root, in the game's canonical order of moves.
    pub(super) fn choices(&self) -> &[Node<G, K>] {
        &self.nodes[self.root().block()]
    }

    /// Number of moves before the end of the current path.
    pub(super) fn plies(&self) -> u32 {
        self.plies + self.path.len() as u32 - 1
    }

    /// Returns the most visited line, beginning with the root's child by `mv`.
    pub(super) fn line(&self, mv: Move) -> Vec<Move> {
        let mut line = Vec::new();
        let mut next = self.root().block().find(|&at| self.nodes[at].mv == mv);
        while let Some(at) = next.filter(|&at| self.nodes[at].visits > 0) {
            let node = &self.nodes[at];
            line.push(node.mv);
            // Children not copied yet are not available.
            let is_here = self.taken_over.is_none_or(|upto| at < upto);
            let block = if is_here { node.block() } else { 0..0 };
            // The first of the most visited.
            next = block.rev().max_by_key(|&child| self.nodes[child].visits);
        }
        line
    }

    /// Adds the children of a node; `kept` gives their initial statistics.
    pub(super) fn expand(&mut self, at: usize, mut kept: impl FnMut(usize) -> K) {
        let Node { pos, .. } = self.nodes[at];
        let first = self.nodes.len();
        let by = pos.side();
        let child = |(nth, mv)| Node::new(pos.play(mv), kept(nth), mv, by);
        self.nodes.extend(pos.moves().enumerate().map(child));
        let count = (self.nodes.len() - first) as u16;
        let node = &mut self.nodes[at];
        (node.children, node.count, node.fresh) = (first as u32, count, count);
    }

    /// Runs one iteration: descends to the end of a visit and adds its result to every node on the path.
    #[inline]
    pub(super) fn iterate<M: Method<G, NodeResults = K>>(&mut self, method: &mut M) {
        self.path.clear();
        self.path.push(0);
        let before = self.history.len();
        let mut at = 0;
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

    /// Moves the root to `root` and keeps its subtree, if it is at most `plies` moves below the current root.
    /// Otherwise restarts the tree there. Returns whether the subtree was kept;
    /// [`take_over`](Tree::take_over) copies it before the next iteration.
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

    /// Drops all nodes except those below `root`. The children of the root are copied at once.
    fn keep_below(&mut self, root: usize) {
        std::mem::swap(&mut self.nodes, &mut self.spare);
        std::mem::swap(&mut self.memory, &mut self.spare_memory);
        self.nodes.clear();
        self.nodes.push(self.spare[root]);
        self.take_children(0);
        self.taken_over = Some(1);
    }

    /// Copies the previous turn's subtree until it is complete or the budget is spent.
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

    /// Copies the children of a node from the previous turn. Level by level, siblings stay adjacent. A node whose children find no
    /// room becomes a leaf.
    fn take_children(&mut self, at: usize) {
        let block = self.nodes[at].block();
        if block.is_empty() {
            return;
        }
        let has_room = self.make_room(block.len());
        let first = self.nodes.len() as u32;
        let node = &mut self.nodes[at];
        if has_room {
            node.children = first;
            self.nodes.extend_from_slice(&self.spare[block]);
        } else {
            (node.count, node.fresh) = (0, 0);
        }
    }
}
