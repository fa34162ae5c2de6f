//! Games of random moves.

use crate::game::Game;
use crate::rng::Rng;
use rand::Rng as _;

/// Plays random legal moves, each as likely as the others, to the end of the game; gives the end and the number of moves.
pub fn playout<G: Game>(pos: &G, rng: &mut Rng) -> (G, u32) {
    let mut pos = *pos;
    let mut plies = 0;
    while !pos.is_over() {
        pos = pos.play(pos.pick(rng.next_u32()));
        plies += 1;
    }
    (pos, plies)
}
