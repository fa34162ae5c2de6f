//! A search that plays no games out: a network says which moves are worth a look, and what a leaf is worth.
//!
//! PUCT as in "Mastering the game of Go without human knowledge" (Silver et al., 2017): from the root the child with the highest
//! Q + c·P·√N / (1 + n), where P is the network's chance of the move (of its logits divided by a temperature), N the visits of its parent, n its own, and Q the mean value of
//! what was seen below it; before its first visit, that of its parent. The leaf is put before the network once: its policy becomes
//! the children's P, its value goes back to every node on the way. Nothing is drawn at random: what is found follows from the position, the network and the number
//! of iterations.

use std::sync::Arc;

use super::tree::{Node, Tree};
use super::{Method, PuctSearch, TreeSearch};
use crate::Tried;
use crate::game::{Ending, GameState, Planes, Side, referee};
use crate::net::{Activations, Network, Policy};

/// Who is asked, and how much the answers count.
#[derive(Clone, PartialEq, Debug)]
pub struct Guide {
    pub network: Arc<Network>,
    /// Which of the game's encodings it reads.
    pub encoding: usize,
    /// What it was taught that a lead larger by one is worth beside a game won: its value is that of what is still to come.
    pub shaping: f32,
    /// c: how far the network's policy draws the search, above 0.
    pub exploration: f32,
    /// What the policy's logits are divided by, above 0: more spreads the search over more moves. A policy that learned to play by
    /// itself, without a search behind it, is surer of its moves than it should be here.
    pub temperature: f32,
}

/// Leaves are put before a network.
pub struct Puct {
    guide: Guide,
    input: Vec<(u16, f32)>,
    legal: Vec<u16>,
    said: Activations,
    pub(super) policy: Policy,
}

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Valued {
    /// The chance that the network gives the move to here.
    prior: f32,
    /// Values seen below, added up, for the side that made the move to here: about -1 to 1 each.
    total: f64,
}

impl<G: Planes> PuctSearch<G> {
    /// A search of the position that a game has come to.
    pub fn new(root: impl Into<GameState<G>>, guide: Guide) -> PuctSearch<G> {
        let (input, legal) = (Vec::new(), Vec::new());
        let method = Puct { guide, input, legal, said: Activations::default(), policy: Policy::default() };
        TreeSearch::of(&root.into(), method)
    }
}

impl Puct {
    /// What a game that ended on the present way is worth to South, and its margin.
    fn at_the_end<G: Planes>(&self, tree: &Tree<G, Valued>, ending: Ending) -> (f32, i32) {
        let outcome = ending.outcome(Side::South).halves() as f32 - 1.0;
        // A margin that only says who has won is none to be counted: the one before the last move is.
        let parent = tree.path[tree.path.len().saturating_sub(2)];
        let margin = match G::WIN_SCORE {
            Some(_) => tree.nodes[parent as usize].pos.margin(Side::South),
            None => ending.margin(Side::South),
        };
        (outcome + self.guide.shaping * margin as f32, margin)
    }

    /// Puts a position before the network: it gets its children, if there is room for them. What it is worth to South, and its margin.
    fn at_a_leaf<G: Planes>(&mut self, tree: &mut Tree<G, Valued>, at: usize) -> (f32, i32) {
        let Puct { guide, input, legal, said, policy } = self;
        let pos = tree.nodes[at].pos;
        input.clear();
        pos.encode(guide.encoding, input);
        guide.network.forward(input, said);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        if tree.has_room(legal.len()) {
            policy.read(said.logits(), legal, guide.temperature);
            tree.expand(at, |nth| Valued { prior: policy.chances[nth], total: 0.0 });
        }
        let margin = pos.margin(Side::South);
        let value = if pos.side() == Side::South { said.value() } else { -said.value() };
        (value + guide.shaping * margin as f32, margin)
    }

    /// How far the bound of a child lies above its mean.
    fn reach(&self, parent: u64, visits: u64, prior: f32) -> f32 {
        self.guide.exploration * prior * (parent as f32).sqrt() / (1.0 + visits as f32)
    }
}

impl<G: Planes> Method<G> for Puct {
    type Kept = Valued;
    /// What it is worth to South.
    type Seen = f32;

    const PLAYS_OUT: bool = false;

    fn visit(&mut self, tree: &mut Tree<G, Valued>, at: usize) -> Option<(f32, i32)> {
        let node = &tree.nodes[at];
        // A rule that looks back ends what lies below the root; at the root itself a move is wanted.
        if at != 0
            && let Some(ending) = referee::ending(&node.pos, &tree.history, tree.plies())
        {
            return Some(self.at_the_end(tree, ending));
        }
        (node.count == 0).then(|| self.at_a_leaf(tree, at))
    }

    /// The one with the highest bound, the first among equals.
    fn select(&mut self, tree: &mut Tree<G, Valued>, at: usize) -> usize {
        let node = &tree.nodes[at];
        // For the side to move here.
        let unknown = if node.by == node.pos.side() { Self::mean(node) } else { -Self::mean(node) };
        let (mut best, mut highest) = (node.block().start, f32::NEG_INFINITY);
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

    fn absorb(node: &mut Node<G, Valued>, south: f32) {
        node.kept.total += f64::from(if node.by == Side::South { south } else { -south });
    }

    /// For the side that made the move to here; 0 before the first visit.
    fn mean(node: &Node<G, Valued>) -> f32 {
        if node.visits == 0 { 0.0 } else { (node.kept.total / f64::from(node.visits)) as f32 }
    }

    fn prior(kept: &Valued) -> f32 {
        kept.prior
    }

    fn tried(&self, parent: u64, visits: u64, mean: f64, kept: &Valued) -> Tried {
        let unit = |number: f32| (number * Tried::UNIT as f32).round() as u32;
        // A value from -1 to 1 as points from 0 to 1.
        let points = ((mean as f32 + 1.0) / 2.0).clamp(0.0, 1.0);
        Tried { visits, mean: unit(points), exploration: unit(self.reach(parent, visits, kept.prior) / 2.0) }
    }
}

#[cfg(test)]
mod tests;
