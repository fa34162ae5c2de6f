//! How a game is played out from where the tree ends.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use crate::game::{Ending, Game, GameState, referee};
use crate::playout;
use crate::rng::Rng;
use crate::settings::words_of;
use rand::Rng as _;

/// A probability in ten-thousandths, so that settings compare and print exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Epsilon(u16);

impl Epsilon {
    const ONE: u16 = 10_000;
    /// A tenth, the value in use where none is given.
    pub const USUAL: Epsilon = Epsilon(1000);

    /// From 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(Epsilon::ONE)
    }

    /// What 32 random bits fall below with this probability.
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
        let share = share.ok_or_else(|| format!("eps takes a probability from 0 to 1; '{text}' is none"))?;
        Ok(Epsilon((share * f64::from(Epsilon::ONE)).round() as u16))
    }
}

/// How moves are chosen beyond the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// With probability epsilon any legal move, otherwise the one that [`Game::greedy`] takes: the greatest gain by this one
    /// move, ties at random.
    #[default]
    Greedy,
    /// Any legal move, each as likely as the others.
    Random,
}

impl Policy {
    pub const WORDS: &'static [(&'static str, Policy)] = &[("greedy", Policy::Greedy), ("random", Policy::Random)];
}
words_of!(Policy);

/// The rollout in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rollout {
    pub policy: Policy,
    /// Without meaning where the policy is random.
    pub epsilon: Epsilon,
}

impl Default for Rollout {
    fn default() -> Rollout {
        Rollout { policy: Policy::Greedy, epsilon: Epsilon::USUAL }
    }
}

impl Rollout {
    /// The end of a game that goes on from here, and how it came about.
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
