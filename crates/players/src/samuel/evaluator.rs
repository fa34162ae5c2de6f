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
use crate::search::pvs::{Evaluate, GREATEST};

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

/// The greatest power of two that is no more than a positive number, not a subnormal one: its exponent without its digits. Logarithms are
/// left alone, for their last digit is not the same with every library.
fn power_of_two(number: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(number.to_bits() & EXPONENT)
}

impl Evaluator {
    pub fn new(weights: &Weights) -> Evaluator {
        let sum: f64 = weights.0.iter().map(|weight| weight.abs()).sum();
        // A power of two, so that weights of 1 and their sums are exact. Weights so small that it would not be finite count for nothing.
        let half = if sum > SMALLEST { power_of_two(f64::from(GREATEST) / (MOST_HALVES * sum)) } else { 1.0 };
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

impl Evaluate<Checkers> for Evaluator {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BoardGame as _;
    use crate::game::checkers::Rules;

    #[test]
    fn powers_of_two_are_exact_right_up_to_the_next() {
        for exponent in [-1000, -45, -1, 0, 1, 24, 52, 1000] {
            let power = 2.0_f64.powi(exponent);
            for number in [power, power.next_up(), 1.5 * power, (2.0 * power).next_down()] {
                assert_eq!(power_of_two(number).to_bits(), power.to_bits(), "{number:e}");
            }
        }
    }

    /// Only the proportions of weights matter, from the greatest to the tiniest; below that they count for nothing.
    #[test]
    fn weights_of_any_magnitude_weigh_alike() {
        let alike = |weight: f64| Weights([weight; COUNT]);
        let ones = Evaluator::new(&alike(1.0));
        let start = Checkers::start(Rules::default());
        for exponent in [-660, -600, -300, -30, -1, 29] {
            let scaled = Evaluator::new(&alike(2.0_f64.powi(exponent)));
            assert_eq!((scaled.weights, scaled.slack), (ones.weights, ones.slack), "2^{exponent}");
        }
        for weight in [0.0, 5e-324, f64::MIN_POSITIVE, 1e-300, SMALLEST / COUNT as f64 / 2.0] {
            let nothing = Evaluator::new(&alike(weight));
            assert_eq!((nothing.weights, nothing.slack), ([0; COUNT], 0), "{weight:e}");
            assert_eq!(nothing.thousandths(nothing.value(&start)), 0);
        }
        // Of very unlike weights the small ones are lost, and the greatest is not.
        let mut unlike = [f64::MIN_POSITIVE; COUNT];
        unlike[COUNT - 1] = super::super::weights::GREATEST;
        let unlike = Evaluator::new(&Weights(unlike)).weights;
        assert!(unlike[COUNT - 1] > 1 << 20 && unlike[..COUNT - 1].iter().all(|weight| *weight == 0), "{unlike:?}");
        // Just above what counts for nothing, and of one weight alone.
        for weight in [SMALLEST.next_up(), 1e-199, 1e-100] {
            let mut one = [0.0; COUNT];
            one[COUNT - 1] = weight;
            assert!(Evaluator::new(&Weights(one)).weights[COUNT - 1] > 1 << 20, "{weight:e}");
        }
    }
}
