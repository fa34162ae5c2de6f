//! The weighted sum of the ten heuristics as a search evaluation, called millions of times a second.
//!
//! The sum is linear in the seeds of the pits and, once it is known whether each store holds enough, of the stores too; so the ten
//! weights are folded into a few coefficients when a player is built. A test compares it with the sum of the terms.

use super::terms::ENOUGH;
use super::{Nearness, Reading, Weights};
use crate::game::{Game, Move, PitGame, Seeds, Side};
use crate::search::alpha_beta::{Evaluation, JudgedMove};

/// The evaluation of one set of weights, in units of 1/2000: weights are thousandths, terms are halves.
#[derive(Clone, Debug)]
pub struct Evaluator {
    leftmost_pit: i32,
    pits: i32,
    filled: i32,
    /// Coefficients of a seed in the own store and in the opponent's, indexed by whether the own and the opponent's hold [`ENOUGH`].
    stores: [[i32; 2]; 4],
    rightmost: i32,
    again: i32,
    /// H9 and H10, as indicators.
    near: [i32; 2],
    nearness: Nearness,
    judged: JudgedMove,
}

impl Evaluator {
    /// The evaluation of `weights` under `reading`.
    pub fn new(weights: &Weights, reading: Reading) -> Evaluator {
        let [w1, w2, w3, w4, w5, w6, w7, w8, w9, w10] = weights.thousandths();
        let counts = reading.nearness != Nearness::Indicator;
        // H9's coefficient of a seed in the own store, and H10's of both, in halves.
        let h9_own = if matches!(reading.nearness, Nearness::Printed | Nearness::Harmful) { -2 } else { 2 };
        let h10 = if reading.nearness == Nearness::Harmful { [-3, 2] } else { [3, -2] };
        let stores = std::array::from_fn(|enough| {
            let near = |bit: usize, weight: i32| if counts && enough >> bit & 1 == 1 { weight } else { 0 };
            let w9 = near(1, w9);
            let w10 = near(0, w10);
            [2 * w4 + 2 * w8 + h9_own * w9 + h10[0] * w10, -2 * w6 - 2 * w8 - 3 * w9 + h10[1] * w10]
        });
        Evaluator {
            leftmost_pit: 2 * w1,
            pits: 2 * w2,
            filled: 2 * w3,
            stores,
            rightmost: 2 * w5,
            again: 2 * w7,
            near: [2 * w9, -2 * w10],
            nearness: reading.nearness,
            judged: reading.judged,
        }
    }

    /// Returns the value of the seeds on the board for the side of `own`.
    #[inline]
    fn seeds(&self, own: Seeds, other: Seeds) -> i32 {
        let enough = usize::from(own.store >= ENOUGH) | usize::from(other.store >= ENOUGH) << 1;
        let [own_seed, other_seed] = self.stores[enough];
        let mut value = self.leftmost_pit * i32::from(own.leftmost_pit)
            + self.pits * i32::from(own.pits)
            + self.filled * i32::from(own.filled)
            + own_seed * i32::from(own.store)
            + other_seed * i32::from(other.store);
        if self.nearness == Nearness::Indicator {
            value += self.indicated(own.store, other.store) + self.indicated_against(own.store, other.store);
        }
        value
    }

    fn indicated(&self, own: u8, other: u8) -> i32 {
        if other >= ENOUGH && 2 * i32::from(own) >= 3 * i32::from(other) { self.near[0] } else { 0 }
    }

    fn indicated_against(&self, own: u8, other: u8) -> i32 {
        if own >= ENOUGH && 2 * i32::from(other) >= 3 * i32::from(own) { self.near[1] } else { 0 }
    }
}

impl<G: PitGame> Evaluation<G> for Evaluator {
    type Value = i32;

    #[inline]
    fn position(&self, pos: &G, side: Side) -> i32 {
        self.seeds(pos.seeds(side), pos.seeds(side.other()))
    }

    #[inline]
    fn mv(&self, pos: &G, mv: Move, after: &G) -> i32 {
        let mut value = 0;
        if self.rightmost != 0 && is_rightmost(pos, mv) {
            value += self.rightmost;
        }
        if gives_another_turn(pos, after) {
            value += self.again;
        }
        value
    }

    /// As at any other end of a game: with what the rule gives each side in its store.
    #[cold]
    fn ruled(&self, pos: &G, side: Side) -> i32 {
        let stored = |side: Side| Seeds { store: pos.final_seeds(side), ..Seeds::default() };
        self.seeds(stored(side), stored(side.other()))
    }

    fn judged(&self) -> JudgedMove {
        self.judged
    }
}

/// Returns whether `mv` sows the rightmost pit with seeds.
#[inline]
pub(super) fn is_rightmost<G: Game>(pos: &G, mv: Move) -> bool {
    pos.moves().last() == Some(mv)
}

/// Returns whether the move from `pos` to `after` gave its side another turn; a move that ends the game does not.
#[inline]
pub(super) fn gives_another_turn<G: Game>(pos: &G, after: &G) -> bool {
    !after.is_over() && after.side() == pos.side()
}
