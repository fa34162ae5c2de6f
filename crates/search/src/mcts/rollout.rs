//! Rollout policy of playouts.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use crate::game::{Ending, Game, GameState, referee};
use crate::playout;
use crate::rng::Rng;
use crate::settings::string_enum;
use rand::Rng as _;

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
