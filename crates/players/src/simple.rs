//! Players that look at most one move ahead.

use super::{Player, Purpose, Turn};
use crate::game::{Game, Move};
use crate::step::Budget;
use rand::{Rng as _, RngExt};

/// Any legal move, each as likely as the others.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer;

impl<G: Game> Player<G> for RandomPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        (!turn.pos.is_over()).then(|| turn.pos.pick(turn.rng(Purpose::Move).next_u32()))
    }
}

/// The move with the greatest [gain](Game::gain): in Kalah that after which the own store holds most; ties at random.
#[derive(Clone, Copy, Debug)]
pub struct MaxPlayer;

impl<G: Game> Player<G> for MaxPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        let most = turn.pos.moves().map(|mv| turn.pos.gain(mv)).max()?;
        let best = turn.pos.moves().filter(|&mv| turn.pos.gain(mv) == most);
        let nth = turn.rng(Purpose::Tie).random_range(0..best.clone().count());
        best.into_iter().nth(nth)
    }
}
