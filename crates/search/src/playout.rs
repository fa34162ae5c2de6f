//! Games of random moves.

use crate::game::{Ending, Game, GameState, referee};
use crate::rng::Rng;
use rand::Rng as _;

/// Plays random legal moves, each as likely as the others, to the end of the game; gives the end and how it came about.
#[inline]
pub fn playout<G: Game>(from: impl Into<GameState<G>>, rng: &mut Rng) -> (GameState<G>, Ending) {
    referee::play_out(from.into(), |pos| pos.pick(rng.next_u32()))
}
