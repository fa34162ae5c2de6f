//! The weighted sum of the terms, as the search asks for it: millions of times a second.
//!
//! The sum is made of whole numbers: each weight is taken as so many of a small unit, which is chosen so that the greatest sum there
//! can be fits into four bytes. So it is the same on every machine, whatever order it is added up in, and equally good moves are
//! equally good. Weights a million times smaller than the greatest count for nothing.

use super::scene::Scene;
use super::terms::{self, COUNT};
use super::weights::{PIECES, Weights};
use crate::game::checkers::{Checkers, KING, MAN};
use crate::game::{Game, Side};
use crate::search::weighing::{GREATEST, Judge};

/// No term is worth more halves than this to a side, or less than minus this: thirty-two kings are not.
const MOST_HALVES: f64 = 192.0;

/// The evaluation of one set of weights.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// What a half of each term is worth.
    weights: [i32; COUNT],
    /// What half a unit of a term of weight 1 is worth.
    half: f64,
    /// Nothing but pieces has a weight.
    is_material: bool,
    slack: i32,
}

/// Weights whose sum is no more than this count for nothing.
const SMALLEST: f64 = 1e-200;

impl Evaluator {
    pub fn new(weights: &Weights) -> Evaluator {
        let sum: f64 = weights.0.iter().map(|weight| weight.abs()).sum();
        // A power of two, so that weights of 1 and their sums are exact. Weights so small that it would not be finite count for nothing.
        let most = || f64::from(GREATEST) / (MOST_HALVES * sum);
        let half = if sum > SMALLEST { libm::exp2(libm::log2(most()).floor()) } else { 1.0 };
        let whole = weights.0.map(|weight| (weight * half).round() as i32);
        let is_material = weights.0.iter().zip(PIECES.0).all(|(&weight, piece)| weight == 0.0 || piece != 0.0);
        let man = 2 * MAN * whole[COUNT - 1].abs();
        // Where pieces count for little, other things take their place.
        let mean = 2 * MAN * (whole.iter().map(|weight| i64::from(weight.abs())).sum::<i64>() / COUNT as i64) as i32;
        Evaluator { weights: whole, half, is_material, slack: man.max(mean) }
    }

    /// What `pos` is worth to `side`, in units of the evaluation's own.
    #[inline]
    pub fn of_side(&self, pos: &Checkers, side: Side) -> i32 {
        if self.is_material {
            let material = |side| {
                let count = |set: u32| set.count_ones() as i32;
                MAN * count(pos.men(side)) + KING * count(pos.kings(side))
            };
            return 2 * self.weights[COUNT - 1] * (material(side) - material(side.other()));
        }
        terms::weighed(&Scene::new(pos, side), &self.weights)
    }
}

impl Judge<Checkers> for Evaluator {
    #[inline]
    fn value(&self, pos: &Checkers) -> i32 {
        self.of_side(pos, pos.side())
    }

    /// No jump is compulsory.
    #[inline]
    fn is_quiet(&self, pos: &Checkers) -> bool {
        !pos.must_jump()
    }

    fn thousandths(&self, value: i32) -> i64 {
        (f64::from(value) / self.half * 500.0).round() as i64
    }

    /// What a man is worth.
    fn slack(&self) -> i32 {
        self.slack
    }
}
