//! A function as the evaluation of a search.

use std::cell::RefCell;

use crate::game::Side;
use crate::game::othello::{Othello, Zones};
use crate::program::Tape;
use crate::program::othello::{Function, OthelloLanguage};
use crate::search::alpha_beta::{EvalValue, Evaluation};

/// A float with a total order; NaN is less than all numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TotalOrder(i64);

impl TotalOrder {
    #[inline]
    pub fn new(value: f64) -> TotalOrder {
        if value.is_nan() {
            return TotalOrder::LEAST;
        }
        // There is a single zero; the bits of negative numbers are in reverse order.
        let bits = (value + 0.0).to_bits() as i64;
        TotalOrder(if bits < 0 { i64::MIN - bits } else { bits })
    }
}

/// A game ended by a rule has the value 0.
impl Default for TotalOrder {
    fn default() -> TotalOrder {
        TotalOrder(0)
    }
}

impl EvalValue for TotalOrder {
    const LEAST: TotalOrder = TotalOrder(i64::MIN + 1);
    const MOST: TotalOrder = TotalOrder(i64::MAX);

    /// Moves have no value of their own.
    #[inline]
    fn plus(self, _: TotalOrder) -> TotalOrder {
        self
    }

    #[inline]
    fn below(self) -> TotalOrder {
        TotalOrder(self.0.saturating_sub(1).max(TotalOrder::LEAST.0))
    }
}

/// A compiled function as an evaluation.
pub struct FunctionEvaluation {
    tape: RefCell<Tape<OthelloLanguage>>,
    zones: Zones,
    /// Plies searched in one step: fewer, the longer the tape.
    subtree: u32,
}

/// Instructions per step, approximately: some milliseconds.
const INSTRUCTIONS: usize = 1 << 20;

impl FunctionEvaluation {
    pub fn new(function: &Function, zones: Zones) -> FunctionEvaluation {
        let tape = function.tape();
        // A position has about eight moves, and the counts take as long as about forty instructions.
        let fits = |plies: &u32| 8_usize.pow(*plies).saturating_mul(tape.len() + 40) <= INSTRUCTIONS;
        let subtree = (1..=4).rev().find(fits).unwrap_or(1);
        FunctionEvaluation { tape: RefCell::new(tape), zones, subtree }
    }
}

impl Evaluation<Othello> for FunctionEvaluation {
    type Value = TotalOrder;

    #[inline]
    fn position(&self, pos: &Othello, side: Side) -> TotalOrder {
        TotalOrder::new(self.tape.borrow_mut().run(&pos.counts(side, self.zones)))
    }

    fn subtree(&self) -> u32 {
        self.subtree
    }
}
