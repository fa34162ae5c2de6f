//! Games between two sets of weights: what a genome's fitness is made of, played millions of times in a run.

use rand::{Rng as _, RngExt};

use crate::game::{Game, Move};
use crate::player::heuristic::Evaluator;
use crate::rng::Rng;
use crate::search::Ties;
use crate::search::evaluated::{MoveSet, best_moves};

/// How the games of a run are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Games<G> {
    pub start: G,
    /// Plies each side looks ahead.
    pub depth: u32,
    pub ties: Ties,
    /// Moves at the beginning of a game that are drawn at random.
    pub opening: u32,
}

impl<G: Game> Games<G> {
    /// Whether chance has no say: then every game between the same two is the same.
    pub fn is_certain(&self) -> bool {
        self.opening == 0 && self.ties == Ties::First
    }

    /// The first side's points in a game, in halves: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn play(&self, first: &Evaluator, second: &Evaluator, rng: &mut Rng) -> u32 {
        let mut pos = self.start;
        let side = pos.side();
        for _ in 0..self.opening {
            if !pos.is_over() {
                pos = pos.play(pos.pick(rng.next_u32()));
            }
        }
        while !pos.is_over() {
            let evaluator = if pos.side() == side { first } else { second };
            let best = best_moves(&pos, self.depth, evaluator).moves;
            pos = pos.play(self.draw(&pos, best, rng));
        }
        match pos.margin(side) {
            ..0 => 0,
            0 => 1,
            1.. => 2,
        }
    }

    #[inline]
    fn draw(&self, pos: &G, best: MoveSet, rng: &mut Rng) -> Move {
        let nth = match self.ties {
            Ties::Random if best.len() > 1 => rng.random_range(0..best.len()),
            _ => 0,
        };
        best.of(pos).nth(nth as usize).unwrap_or_default()
    }
}
