//! UCT as in section 5.5 of the Kalah thesis, after Chaslot: selection descends to the child with the highest
//! mean + 2·Cp·√(2 ln N / n), Cp = √2/2, until it reaches an unvisited child. A playout from there gives the
//! reward (win 1, draw ½, loss 0, for each side its own), which is added to every node on the path.
//!
//! A visit stores the mean and 1/√n of each node, so that selection takes one multiplication and one addition
//! per child.

use std::fmt;
use std::str::FromStr;

use mancalab_base::Error;
use rand::Rng as _;

use super::tree::{Node, Tree};
use super::{Mcts, Method, TreeSearch};
use crate::game::{Ending, Game, GameState, Side, referee};
use crate::rng::Rng;
use crate::settings::string_enum;
use crate::{MoveStatistics, playout};

/// 2·Cp·√2 with Cp = √2/2, so that a child's bound is mean + 2·Cp·√(2 ln N / n) = mean + WEIGHT·√(ln N)·1/√n.
const WEIGHT: f32 = 2.0;

/// Maximum number of children of a node: the legal moves of a position.
const MOST_CHILDREN: usize = 256;

/// Method with playouts from the leaves.
pub struct Uct {
    rollout: Rollout,
    rng: Rng,
}

/// Statistics of a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodePoints {
    /// Half points for the side that moved to this node.
    halves: u32,
    /// Mean points per visit, 0 to 1.
    mean: f32,
    /// 1/√visits.
    narrow: f32,
    /// WEIGHT·√(ln visits), for its children's bounds.
    reach: f32,
}

#[cfg(test)]
impl NodePoints {
    /// Adds this many won games.
    pub(super) fn pretend(&mut self, games: u32) {
        self.halves += 2 * games;
    }
}

impl<G: Game> Mcts<G> {
    /// Creates a search of the current position of a game.
    pub fn new(root: impl Into<GameState<G>>, rollout: Rollout, rng: Rng) -> Mcts<G> {
        TreeSearch::with_method(&root.into(), Uct { rollout, rng })
    }
}

impl<G: Game> Method<G> for Uct {
    type NodeResults = NodePoints;
    /// Half points of South.
    type Seen = u32;

    const PLAYS_OUT: bool = true;

    fn begin(&mut self, rng: Rng) {
        self.rng = rng;
    }

    fn plant(&mut self, tree: &mut Tree<G, NodePoints>) {
        tree.expand(0, |_| NodePoints::default());
    }

    #[inline]
    fn visit(&mut self, tree: &mut Tree<G, NodePoints>, at: usize) -> Option<(u32, i32)> {
        let node = &tree.nodes[at];
        // History-dependent rules end the game below the root only: the root needs a move.
        if at == 0 || node.visits > 0 && referee::ruling(&node.pos, &tree.history).is_none() {
            if node.count > 0 {
                return None;
            }
            if !node.pos.is_over() && tree.make_room(MOST_CHILDREN) {
                tree.expand(at, |_| NodePoints::default());
                return None;
            }
        }
        let leaf = GameState::after(tree.nodes[at].pos, std::mem::take(&mut tree.history), tree.plies());
        let (end, ending) = self.rollout.end(leaf, &mut self.rng);
        tree.history = end.into_history();
        Some((ending.outcome(Side::South).halves(), ending.margin(Side::South)))
    }

    /// Selects a random unvisited child, or else the child with the highest upper confidence bound.
    #[inline]
    fn select(&mut self, tree: &mut Tree<G, NodePoints>, at: usize) -> usize {
        let node = &mut tree.nodes[at];
        let block = node.block();
        let reach = node.kept.reach;
        if node.fresh > 0 {
            let nth = (u64::from(self.rng.next_u32()) * u64::from(node.fresh)) >> 32;
            node.fresh -= 1;
            let mut fresh = block.clone().filter(|&child| tree.nodes[child].visits == 0);
            return fresh.nth(nth as usize).unwrap_or(block.start);
        }
        let mut best = block.start;
        let mut highest = f32::NEG_INFINITY;
        for (child, node) in block.clone().zip(&tree.nodes[block]) {
            let bound = node.kept.mean + reach * node.kept.narrow;
            if bound > highest {
                (best, highest) = (child, bound);
            }
        }
        best
    }

    #[inline]
    fn absorb(node: &mut Node<G, NodePoints>, south: u32) {
        let kept = &mut node.kept;
        kept.halves += if node.by == Side::South { south } else { 2 - south };
        let visits = node.visits as f32;
        kept.mean = kept.halves as f32 / (2.0 * visits);
        kept.narrow = 1.0 / visits.sqrt();
        if node.count != 0 {
            kept.reach = WEIGHT * libm::logf(visits).sqrt();
        }
    }

    fn mean(node: &Node<G, NodePoints>) -> f32 {
        node.kept.mean
    }

    fn tried(&self, parent: u64, visits: u64, mean: f64, _: &NodePoints) -> MoveStatistics {
        let exploration = f64::from(WEIGHT) * (libm::log(parent.max(1) as f64) / visits.max(1) as f64).sqrt();
        let unit = |points: f64| (points * f64::from(MoveStatistics::UNIT)).round() as u32;
        MoveStatistics { visits, mean: unit(mean), exploration: unit(exploration) }
    }
}

/// A probability in ten-thousandths, so that settings compare and print exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Epsilon(u16);

impl Epsilon {
    const ONE: u16 = 10_000;
    /// A tenth, the default.
    pub const USUAL: Epsilon = Epsilon(1000);

    /// Returns the probability, 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(Epsilon::ONE)
    }

    /// Returns the number that 32 random bits are below with this probability.
    fn threshold(self) -> u64 {
        (u64::from(self.0) << 32) / u64::from(Epsilon::ONE)
    }
}

impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.share().to_string())
    }
}

impl FromStr for Epsilon {
    type Err = Error;

    fn from_str(text: &str) -> Result<Epsilon, Error> {
        let share = text.parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share));
        let share = share.ok_or_else(|| format!("eps must be a probability from 0 to 1 (got {text})"))?;
        Ok(Epsilon((share * f64::from(Epsilon::ONE)).round() as u16))
    }
}

/// Choice of moves beyond the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// A random legal move with probability epsilon, otherwise that of [`Game::greedy`]: the greatest
    /// immediate gain, ties at random.
    #[default]
    Greedy,
    /// A uniformly random legal move.
    Random,
}

string_enum!(Policy { "greedy" => Greedy, "random" => Random });

/// Rollout settings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rollout {
    pub policy: Policy,
    /// Unused by the random policy.
    pub epsilon: Epsilon,
}

impl Default for Rollout {
    fn default() -> Rollout {
        Rollout { policy: Policy::Greedy, epsilon: Epsilon::USUAL }
    }
}

impl Rollout {
    /// Plays a game to its end. Returns the final state and how the game ended.
    #[inline]
    pub(super) fn end<G: Game>(self, from: GameState<G>, rng: &mut Rng) -> (GameState<G>, Ending) {
        if self.policy == Policy::Random {
            return playout(from, rng);
        }
        let threshold = self.epsilon.threshold();
        let choose = |pos: &G| {
            let word = rng.next_u64();
            let bits = (word >> 32) as u32;
            let any = word & 0xffff_ffff < threshold;
            if any { pos.pick(bits) } else { pos.greedy(bits) }
        };
        referee::play_out(from, choose)
    }
}
