//! The weighted sum of the terms as a search evaluation, called millions of times a second.
//!
//! The sum uses integers: each weight is a multiple of a small unit, chosen so that the greatest possible sum fits into four bytes.
//! So the sum is the same on every machine in any order of addition, and equally good moves are exactly equal. Weights a million times
//! smaller than the greatest become 0.

use super::scene::Scene;
use super::terms::{self, COUNT};
use super::weights::{PIECES, Weights};
use crate::game::checkers::{Checkers, KING, MAN};
use crate::game::{Game, Side};
use crate::search::pvs::{Evaluate, GREATEST};

/// The maximum absolute value of a term for a side, in halves; thirty-two kings stay below it.
const MOST_HALVES: f64 = 192.0;

/// The evaluation of one set of weights.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// The value of half a unit of each term.
    weights: [i32; COUNT],
    /// The value of half a unit of a term with weight 1.
    half: f64,
    /// Only the piece term has a weight.
    is_material: bool,
    slack: i32,
}

/// Weights become 0 if the sum of their absolute values is at most this.
const SMALLEST: f64 = 1e-200;

/// Returns the greatest power of two that is at most a positive normal number: its exponent without its mantissa. Not by logarithm,
/// whose last digit differs between libraries.
fn power_of_two(number: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(number.to_bits() & EXPONENT)
}

impl Evaluator {
    pub fn new(weights: &Weights) -> Evaluator {
        let sum: f64 = weights.0.iter().map(|weight| weight.abs()).sum();
        // A power of two keeps weights of 1 and their sums exact. Weights so small that it would not be finite become 0.
        let half = if sum > SMALLEST { power_of_two(f64::from(GREATEST) / (MOST_HALVES * sum)) } else { 1.0 };
        let whole = weights.0.map(|weight| (weight * half).round() as i32);
        let is_material = weights.0.iter().zip(PIECES.0).all(|(&weight, piece)| weight == 0.0 || piece != 0.0);
        let man = 2 * MAN * whole[COUNT - 1].abs();
        // Where pieces have a small weight, the mean weight takes its place.
        let mean = 2 * MAN * (whole.iter().map(|weight| i64::from(weight.abs())).sum::<i64>() / COUNT as i64) as i32;
        Evaluator { weights: whole, half, is_material, slack: man.max(mean) }
    }

    /// Returns the value of `pos` for `side`, in the evaluation's own unit.
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

    /// Returns whether no jump is compulsory.
    #[inline]
    fn is_quiet(&self, pos: &Checkers) -> bool {
        !pos.must_jump()
    }

    fn thousandths(&self, value: i32) -> i64 {
        (f64::from(value) / self.half * 500.0).round() as i64
    }

    /// The value of a man.
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

    /// Only the proportions of weights matter, from the greatest to the smallest; below that they become 0.
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
        // Among very unequal weights the small ones become 0 and the greatest does not.
        let mut unlike = [f64::MIN_POSITIVE; COUNT];
        unlike[COUNT - 1] = super::super::weights::GREATEST;
        let unlike = Evaluator::new(&Weights(unlike)).weights;
        assert!(unlike[COUNT - 1] > 1 << 20 && unlike[..COUNT - 1].iter().all(|weight| *weight == 0), "{unlike:?}");
        // Just above the limit, and with a single weight.
        for weight in [SMALLEST.next_up(), 1e-199, 1e-100] {
            let mut one = [0.0; COUNT];
            one[COUNT - 1] = weight;
            assert!(Evaluator::new(&Weights(one)).weights[COUNT - 1] > 1 << 20, "{weight:e}");
        }
    }
}
