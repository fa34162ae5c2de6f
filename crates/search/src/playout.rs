//! Games of random moves.

use crate::game::{Ending, Game, GameState, referee};
use crate::rng::Rng;
use rand::Rng as _;

/// Plays uniformly random legal moves to the end of the game. Returns the final state and how the game ended.
#[inline]
pub fn playout<G: Game>(from: impl Into<GameState<G>>, rng: &mut Rng) -> (GameState<G>, Ending) {
    referee::play_out(from.into(), |pos| pos.pick(rng.next_u32()))
}
