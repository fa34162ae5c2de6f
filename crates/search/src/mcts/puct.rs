//! Monte Carlo tree search without playouts: a network gives the priors of moves and the values of leaves.
//!
//! PUCT as in "Mastering the game of Go without human knowledge" (Silver et al., 2017): selection descends to
//! the child with the highest Q + c·P·√N / (1 + n). P is the network's probability of the move (softmax of
//! its logits divided by a temperature), N the visits of the parent, n those of the child, and Q its mean
//! value; before its first visit, that of its parent. The network evaluates each leaf once: its policy gives
//! the children's P, and its value is added to every node on the path. The search is deterministic: the
//! result depends on the position, the network and the number of iterations.

use std::sync::Arc;

use super::tree::{Node, Tree};
use super::{Method, PuctSearch, TreeSearch};
use crate::MoveStatistics;
use crate::game::{Ending, GameState, Planes, Side, referee};
use crate::net::{Activations, Network, Policy};

/// The network and its search parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Guide {
    pub network: Arc<Network>,
    /// Index of the game's encoding that the network reads.
    pub encoding: usize,
    /// Value of a lead larger by one, relative to a won game, in the network's training: the network predicts
    /// the value still to come.
    pub shaping: f32,
    /// c: weight of the exploration term, above 0.
    pub exploration: f32,
    /// Divisor of the policy's logits, above 0: larger values spread the search over more moves. A policy
    /// trained to play without search is too confident for it.
    pub temperature: f32,
}

/// Method that evaluates leaves by a network.
pub struct Puct {
    guide: Guide,
    input: Vec<(u16, f32)>,
    legal: Vec<u16>,
    printed: Activations,
    pub(super) policy: Policy,
}

/// Statistics of a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeValue {
    /// The network's probability of the move to this node.
    prior: f32,
    /// Sum of the values below, for the side that moved to this node: about -1 to 1 each.
    total: f64,
}

impl<G: Planes> PuctSearch<G> {
    /// Creates a search of the current position of a game.
    pub fn new(root: impl Into<GameState<G>>, guide: Guide) -> PuctSearch<G> {
        let input = Vec::new();
        let legal = Vec::new();
        let method = Puct { guide, input, legal, printed: Activations::default(), policy: Policy::default() };
        TreeSearch::with_method(&root.into(), method)
    }
}

impl Puct {
    /// Returns the value for South, and the margin, of a game that ended on the current path.
    fn at_the_end<G: Planes>(&self, tree: &Tree<G, NodeValue>, ending: Ending) -> (f32, i32) {
        let outcome = ending.outcome(Side::South).halves() as f32 - 1.0;
        // A margin that only encodes the winner does not count; the one before the last move does.
        let parent = tree.path[tree.path.len().saturating_sub(2)];
        let margin = match G::WIN_SCORE {
            Some(_) => tree.nodes[parent as usize].pos.margin(Side::South),
            None => ending.margin(Side::South),
        };
        (outcome + self.guide.shaping * margin as f32, margin)
    }

    /// Evaluates a leaf by the network and adds its children, if the tree has capacity. Returns its value for
    /// South and its margin.
    fn at_a_leaf<G: Planes>(&mut self, tree: &mut Tree<G, NodeValue>, at: usize) -> (f32, i32) {
        let Puct { guide, input, legal, printed, policy } = self;
        let pos = tree.nodes[at].pos;
        input.clear();
        pos.encode(guide.encoding, input);
        guide.network.forward(input, printed);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        if tree.make_room(legal.len()) {
            policy.read(printed.logits(), legal, guide.temperature);
            tree.expand(at, |nth| NodeValue { prior: policy.chances[nth], total: 0.0 });
        }
        let margin = pos.margin(Side::South);
        let value = if pos.side() == Side::South { printed.value() } else { -printed.value() };
        (value + guide.shaping * margin as f32, margin)
    }

    /// Returns the exploration term of a child.
    fn reach(&self, parent: u64, visits: u64, prior: f32) -> f32 {
        self.guide.exploration * prior * (parent as f32).sqrt() / (1.0 + visits as f32)
    }
}

impl<G: Planes> Method<G> for Puct {
    type NodeResults = NodeValue;
    /// Value for South.
    type Seen = f32;

    const PLAYS_OUT: bool = false;

    fn visit(&mut self, tree: &mut Tree<G, NodeValue>, at: usize) -> Option<(f32, i32)> {
        let node = &tree.nodes[at];
        // History-dependent rules end the game below the root only: the root needs a move.
        if at != 0
            && let Some(ending) = referee::ending(&node.pos, &tree.history, tree.plies())
        {
            return Some(self.at_the_end(tree, ending));
        }
        (node.count == 0).then(|| self.at_a_leaf(tree, at))
    }

    /// Selects the child with the highest bound, the first of equals.
    fn select(&mut self, tree: &mut Tree<G, NodeValue>, at: usize) -> usize {
        let node = &tree.nodes[at];
        // For the side to move here.
        let unknown = if node.by == node.pos.side() { Self::mean(node) } else { -Self::mean(node) };
        let mut best = node.block().start;
        let mut highest = f32::NEG_INFINITY;
        for child in node.block() {
            let one = &tree.nodes[child];
            let mean = if one.visits == 0 { unknown } else { Self::mean(one) };
            let bound = mean + self.reach(node.visits.into(), one.visits.into(), one.kept.prior);
            if bound > highest {
                (best, highest) = (child, bound);
            }
        }
        best
    }

    fn absorb(node: &mut Node<G, NodeValue>, south: f32) {
        node.kept.total += f64::from(if node.by == Side::South { south } else { -south });
    }

    /// For the side that moved to this node; 0 before the first visit.
    fn mean(node: &Node<G, NodeValue>) -> f32 {
        if node.visits == 0 { 0.0 } else { (node.kept.total / f64::from(node.visits)) as f32 }
    }

    fn prior(kept: &NodeValue) -> f32 {
        kept.prior
    }

    fn tried(&self, parent: u64, visits: u64, mean: f64, kept: &NodeValue) -> MoveStatistics {
        let unit = |number: f32| (number * MoveStatistics::UNIT as f32).round() as u32;
        // A value from -1 to 1 as points from 0 to 1.
        let points = ((mean as f32 + 1.0) / 2.0).clamp(0.0, 1.0);
        MoveStatistics { visits, mean: unit(points), exploration: unit(self.reach(parent, visits, kept.prior) / 2.0) }
    }
}

#[cfg(test)]
mod tests;
