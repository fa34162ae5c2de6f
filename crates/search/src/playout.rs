//! Games of random moves.

use crate::game::{Course, Ending, Game, referee};
use crate::rng::Rng;
use rand::Rng as _;

/// Plays random legal moves, each as likely as the others, to the end of the game; gives the end and how it came about.
#[inline]
pub fn playout<G: Game>(from: impl Into<Course<G>>, rng: &mut Rng) -> (Course<G>, Ending) {
    referee::play_out(from.into(), |pos| pos.pick(rng.next_u32()))
}
