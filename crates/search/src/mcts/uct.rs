//! UCT as the Kalah thesis has it (its section 5.5, after Chaslot): from the root the child with the highest
//! mean + 2·Cp·√(2 ln N / n), Cp = √2/2, until a child that was never visited; from there a game to its end, and the reward
//! (1 for a win, ½ for a draw, 0 for a loss, to each side its own) back to every node on the way.
//!
//! What selection needs of a child is written when it is visited (its mean, and one over the root of its visits), so that
//! choosing among children is one multiplication and one addition each.

use super::rollout::Rollout;
use super::tree::{Node, Tree};
use super::{Mcts, Method, TreeSearch};
use crate::Tried;
use crate::game::{Game, GameState, Side, referee};
use crate::rng::Rng;
use rand::Rng as _;

/// 2·Cp·√2 with Cp = √2/2, so that a child's bound is mean + 2·Cp·√(2 ln N / n) = mean + WEIGHT·√(ln N)·1/√n.
const WEIGHT: f32 = 2.0;

/// Children a node may have: the legal moves of a position.
const MOST_CHILDREN: usize = 256;

/// Games are played out from the leaves.
pub struct Uct {
    rollout: Rollout,
    rng: Rng,
}

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Won {
    /// Points in halves, a win being two, for the side that made the move to here.
    halves: u32,
    /// Points a visit, from 0 to 1.
    mean: f32,
    /// 1/√visits.
    narrow: f32,
    /// WEIGHT·√(ln visits), for its children.
    reach: f32,
}

#[cfg(test)]
impl Won {
    /// As if so many more games had been won.
    pub(super) fn pretend(&mut self, games: u32) {
        self.halves += 2 * games;
    }
}

impl<G: Game> Mcts<G> {
    /// A search of the position that a game has come to.
    pub fn new(root: impl Into<GameState<G>>, rollout: Rollout, rng: Rng) -> Mcts<G> {
        TreeSearch::of(&root.into(), Uct { rollout, rng })
    }
}

impl<G: Game> Method<G> for Uct {
    type Kept = Won;
    /// Points of South, in halves.
    type Seen = u32;

    const PLAYS_OUT: bool = true;

    fn begin(&mut self, rng: Rng) {
        self.rng = rng;
    }

    fn plant(&mut self, tree: &mut Tree<G, Won>) {
        tree.expand(0, |_| Won::default());
    }

    #[inline]
    fn visit(&mut self, tree: &mut Tree<G, Won>, at: usize) -> Option<(u32, i32)> {
        let node = &tree.nodes[at];
        // A rule that looks back ends what lies below the root; at the root itself a move is wanted.
        if at == 0 || node.visits > 0 && referee::ruling(&node.pos, &tree.history).is_none() {
            if node.count > 0 {
                return None;
            }
            if !node.pos.is_over() && tree.has_room(MOST_CHILDREN) {
                tree.expand(at, |_| Won::default());
                return None;
            }
        }
        let leaf = GameState::after(node.pos, std::mem::take(&mut tree.history), tree.plies());
        let (end, ending) = self.rollout.end(leaf, &mut self.rng);
        tree.history = end.into_history();
        Some((ending.outcome(Side::South).halves(), ending.margin(Side::South)))
    }

    /// One that never was visited, any of those, or else the one with the highest upper confidence bound.
    #[inline]
    fn select(&mut self, tree: &mut Tree<G, Won>, at: usize) -> usize {
        let node = &mut tree.nodes[at];
        let (block, reach) = (node.block(), node.kept.reach);
        if node.fresh > 0 {
            let nth = (u64::from(self.rng.next_u32()) * u64::from(node.fresh)) >> 32;
            node.fresh -= 1;
            let mut fresh = block.clone().filter(|&child| tree.nodes[child].visits == 0);
            return fresh.nth(nth as usize).unwrap_or(block.start);
        }
        let (mut best, mut highest) = (block.start, f32::NEG_INFINITY);
        for (child, node) in block.clone().zip(&tree.nodes[block]) {
            let bound = node.kept.mean + reach * node.kept.narrow;
            if bound > highest {
                (best, highest) = (child, bound);
            }
        }
        best
    }

    #[inline]
    fn absorb(node: &mut Node<G, Won>, south: u32) {
        let kept = &mut node.kept;
        kept.halves += if node.by == Side::South { south } else { 2 - south };
        let visits = node.visits as f32;
        kept.mean = kept.halves as f32 / (2.0 * visits);
        kept.narrow = 1.0 / visits.sqrt();
        if node.count != 0 {
            kept.reach = WEIGHT * libm::logf(visits).sqrt();
        }
    }

    fn mean(node: &Node<G, Won>) -> f32 {
        node.kept.mean
    }

    fn tried(&self, parent: u64, visits: u64, mean: f64, _: &Won) -> Tried {
        let exploration = f64::from(WEIGHT) * (libm::log(parent.max(1) as f64) / visits.max(1) as f64).sqrt();
        let unit = |points: f64| (points * f64::from(Tried::UNIT)).round() as u32;
        Tried { visits, mean: unit(mean), exploration: unit(exploration) }
    }
}
