//! The tree of a Monte Carlo search: nodes in one vector, a node's children side by side.
//!
//! What selection needs of a child is written when it is visited (its mean, and one over the root of its visits), so that
//! choosing among children is one multiplication and one addition each.

use super::rollout::Rollout;
use crate::game::{Course, Game, Move, Past, Side, referee};
use crate::rng::Rng;
use crate::step::{Budget, Status};
use rand::Rng as _;

/// 2·Cp·√2 with Cp = √2/2, so that a child's bound is mean + 2·Cp·√(2 ln N / n) = mean + WEIGHT·√(ln N)·1/√n.
const WEIGHT: f32 = 2.0;

/// Nodes a tree may have: beyond them games are played out from its leaves, and it grows no further.
pub const MAX_NODES: usize = 4 << 20;

/// Children a node may have: the legal moves of a position.
const MOST_CHILDREN: usize = 256;

/// Nodes whose children are taken over between two looks at the clock.
const TOGETHER: usize = 1024;

/// Visits the root may have, and with it any node: points are counted in halves, and in 32 bits.
pub const MAX_VISITS: u32 = u32::MAX / 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node<G> {
    pub pos: G,
    /// Final margins seen below, added up, for South.
    pub margins: i64,
    pub visits: u32,
    /// Points in halves, a win being two, for the side that made the move to here.
    halves: u32,
    /// Points a visit, from 0 to 1.
    pub mean: f32,
    /// 1/√visits.
    narrow: f32,
    /// WEIGHT·√(ln visits), for its children.
    reach: f32,
    /// Where the children begin; without meaning as long as there are none.
    children: u32,
    count: u16,
    /// Children that were never visited.
    fresh: u16,
    pub mv: Move,
    /// Who made the move to here.
    by: Side,
}

/// How far the bound of a child with so many visits lies above its mean, if its parent has `parent` visits.
pub(super) fn exploration(parent: u64, visits: u64) -> f64 {
    f64::from(WEIGHT) * (libm::log(parent.max(1) as f64) / visits as f64).sqrt()
}

impl<G: Game> Node<G> {
    fn new(pos: G, mv: Move, by: Side) -> Node<G> {
        Node {
            pos,
            margins: 0,
            visits: 0,
            halves: 0,
            mean: 0.0,
            narrow: 0.0,
            reach: 0.0,
            children: 0,
            count: 0,
            fresh: 0,
            mv,
            by,
        }
    }

    fn block(&self) -> std::ops::Range<usize> {
        let first = self.children as usize;
        first..first + usize::from(self.count)
    }

    /// Takes in the end of a game.
    #[inline]
    fn absorb(&mut self, margin: i32, south: u32) {
        self.visits += 1;
        self.halves += if self.by == Side::South { south } else { 2 - south };
        self.margins += i64::from(margin);
        let visits = self.visits as f32;
        self.mean = self.halves as f32 / (2.0 * visits);
        self.narrow = 1.0 / visits.sqrt();
        if self.count != 0 {
            self.reach = WEIGHT * libm::logf(visits).sqrt();
        }
    }
}

pub(super) struct Tree<G> {
    nodes: Vec<Node<G>>,
    /// What was played before the root, and beyond while an iteration goes down.
    past: Past<G>,
    /// Moves played before the root.
    plies: u32,
    /// The way of the present iteration.
    path: Vec<u32>,
    /// The nodes of the turn before, whose room is used again.
    spare: Vec<Node<G>>,
    /// While what is known of the turn before is being taken over from there: of so many nodes the children have been.
    taken_over: Option<usize>,
    /// Nodes it may have.
    most: usize,
}

impl<G: Game> Tree<G> {
    pub fn new(root: Course<G>) -> Tree<G> {
        let mut tree = Tree {
            nodes: Vec::new(),
            past: root.past().clone(),
            plies: root.plies(),
            path: Vec::new(),
            spare: Vec::new(),
            taken_over: None,
            most: MAX_NODES,
        };
        tree.plant(root.pos());
        tree
    }

    /// Grows no further than `mb` megabytes.
    pub fn keep_to(&mut self, mb: usize) {
        self.most = (mb.saturating_mul(1 << 20) / size_of::<Node<G>>()).min(MAX_NODES);
    }

    /// Begins anew at `pos`.
    fn plant(&mut self, pos: &G) {
        self.taken_over = None;
        self.nodes.clear();
        self.nodes.push(Node::new(*pos, Move::NONE, pos.side().other()));
        self.expand(0);
    }

    pub fn root(&self) -> &Node<G> {
        &self.nodes[0]
    }

    /// Iterations until the root has all the visits it may have.
    pub fn room(&self) -> u64 {
        MAX_VISITS.saturating_sub(self.root().visits).into()
    }

    /// As if so many more games had been played and won.
    #[cfg(test)]
    pub fn pretend(&mut self, visits: u32) {
        let root = &mut self.nodes[0];
        (root.visits, root.halves) = (root.visits + visits, root.halves + 2 * visits);
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The children of the root, in the game's canonical order of moves.
    pub fn choices(&self) -> &[Node<G>] {
        &self.nodes[self.root().block()]
    }

    /// The moves visited most, from the child of the root that `mv` leads to.
    pub fn line(&self, mv: Move) -> Vec<Move> {
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

    fn expand(&mut self, at: usize) {
        let Node { pos, .. } = self.nodes[at];
        let (first, by) = (self.nodes.len(), pos.side());
        self.nodes.extend(pos.moves().map(|mv| Node::new(pos.play(mv), mv, by)));
        let count = (self.nodes.len() - first) as u16;
        let node = &mut self.nodes[at];
        (node.children, node.count, node.fresh) = (first as u32, count, count);
    }

    /// Down to a leaf, a game from there to its end, and back up with the result.
    #[inline]
    pub fn iterate(&mut self, rollout: Rollout, rng: &mut Rng) {
        self.path.clear();
        self.path.push(0);
        let before = self.past.len();
        let mut at = 0;
        while self.nodes[at].visits > 0 || at == 0 {
            // A rule that looks back ends what lies below the root; at the root itself a move is wanted.
            if at != 0 && referee::ruling(&self.nodes[at].pos, &self.past).is_some() {
                break;
            }
            if self.nodes[at].count == 0 {
                if self.nodes[at].pos.is_over() || self.nodes.len() + MOST_CHILDREN > self.most {
                    break;
                }
                self.expand(at);
            }
            let from = at;
            at = self.select(at, rng);
            self.past.push(&self.nodes[from].pos, self.nodes[at].mv);
            self.path.push(at as u32);
        }
        let plies = self.plies + self.path.len() as u32 - 1;
        let leaf = Course::after(self.nodes[at].pos, std::mem::take(&mut self.past), plies);
        let (end, ending) = rollout.end(leaf, rng);
        self.past = end.into_past();
        self.past.truncate(before);
        let (margin, south) = (ending.margin(Side::South), ending.outcome(Side::South).halves());
        for &at in &self.path {
            self.nodes[at as usize].absorb(margin, south);
        }
    }

    /// The child to visit next: one that never was, any of those, or else the one with the highest upper confidence bound.
    #[inline]
    fn select(&mut self, at: usize, rng: &mut Rng) -> usize {
        let node = &mut self.nodes[at];
        let (block, reach) = (node.block(), node.reach);
        if node.fresh > 0 {
            let nth = (u64::from(rng.next_u32()) * u64::from(node.fresh)) >> 32;
            node.fresh -= 1;
            let mut fresh = block.clone().filter(|&child| self.nodes[child].visits == 0);
            return fresh.nth(nth as usize).unwrap_or(block.start);
        }
        let (mut best, mut highest) = (block.start, f32::NEG_INFINITY);
        for (child, node) in block.clone().zip(&self.nodes[block]) {
            let bound = node.mean + reach * node.narrow;
            if bound > highest {
                (best, highest) = (child, bound);
            }
        }
        best
    }

    /// Goes on from `root` with what the tree knows below it, if it is at most `plies` moves below the root; whether it is.
    /// Otherwise the tree begins anew there. What it knows is to be [taken over](Tree::take_over) before it iterates.
    pub fn descend(&mut self, root: Course<G>, plies: u32) -> bool {
        self.take_over(Budget::UNLIMITED);
        let pos = root.pos();
        (self.past, self.plies) = (root.past().clone(), root.plies());
        let mut level = vec![0];
        for _ in 0..plies {
            level =
                level.iter().flat_map(|&at| self.nodes[at].block()).filter(|&at| self.nodes[at].visits > 0).collect();
        }
        let found = level.into_iter().filter(|&at| self.nodes[at].pos == *pos);
        let Some(root) = found.max_by_key(|&at| self.nodes[at].visits) else {
            self.plant(pos);
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
        if self.nodes[0].count == 0 {
            self.expand(0);
        }
    }

    /// Takes over what is known of the turn before, until that is done or the budget is spent.
    pub fn take_over(&mut self, budget: Budget) -> Status {
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
