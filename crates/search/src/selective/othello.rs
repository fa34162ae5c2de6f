//! Othello's evaluation for selective search: the patterns, and how well their shallow searches predict deep ones.

use super::{Cut, Cuts, Evaluator, SelectiveGame};
use crate::SearchHints as _;
use crate::evaluations::othello::{Contents, DISC, Weights};
use crate::game::othello::{Othello, PASS};
use crate::game::{Game, History, Move};
use std::sync::Arc;

/// Number of standard deviations at which a deep search is left out.
///
/// 0.9 gives the strength of 1.3 at equal depth with a fifth fewer positions; 0.65 loses strength.
const SURE: f32 = 0.9;

/// Smallest depth that is predicted, in a search to a depth and in one that the clock ends.
const PREDICTED: u8 = 3;
const PREDICTED_IN_TIME: u8 = 2;

/// Number of empty squares up to which the rules solve the rest without a search.
const SOLVED: u32 = 8;

/// See the [module](self).
#[derive(Clone)]
pub struct OthelloEvaluator {
    weights: Arc<Weights>,
    cuts: Cuts,
    predicted: u8,
}

impl OthelloEvaluator {
    fn new(weights: Arc<Weights>, cuts: Cuts) -> OthelloEvaluator {
        OthelloEvaluator { weights, cuts, predicted: PREDICTED }
    }

    /// The same for a search that the clock ends: it predicts smaller depths.
    #[must_use]
    pub fn in_time(self) -> OthelloEvaluator {
        OthelloEvaluator { predicted: PREDICTED_IN_TIME, ..self }
    }
}

impl SelectiveGame for Othello {
    type Evaluator = OthelloEvaluator;

    fn evaluator(weights: Arc<Weights>) -> OthelloEvaluator {
        let cuts = Cuts::new(weights.errors, SURE);
        OthelloEvaluator::new(weights, cuts)
    }

    fn evaluator_in_full(weights: Arc<Weights>) -> OthelloEvaluator {
        OthelloEvaluator::new(weights, Cuts::NONE)
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

impl Evaluator<Othello> for OthelloEvaluator {
    type State = Contents;

    const THOUSANDTHS: i64 = 1000 / DISC as i64;
    const MARGIN: i32 = DISC;
    const SWINGS: bool = true;

    fn words(key: &[u64; 2]) -> [u64; 2] {
        *key
    }

    fn state(&self, pos: &Othello) -> Contents {
        Contents::read(pos)
    }

    #[inline]
    fn after(&self, state: &Contents, pos: &Othello, child: &Othello) -> Contents {
        state.after(pos, child)
    }

    #[inline]
    fn value(&self, pos: &Othello, state: &Contents) -> i32 {
        self.weights.value(pos, state)
    }

    #[inline]
    fn ended(&self, pos: &Othello) -> i32 {
        DISC * pos.margin(pos.side())
    }

    /// Few replies first, and corners.
    #[inline]
    fn rank(&self, _: &Othello, mv: Move, child: &Othello) -> i32 {
        let is_corner = mv != PASS && CORNERS >> mv.0 & 1 == 1;
        -60 * child.count_moves() as i32 + if is_corner { 200 } else { 0 }
    }

    #[inline]
    fn is_forced(&self, _: &Othello, mv: Move) -> bool {
        mv == PASS
    }

    #[inline]
    fn cut(&self, pos: &Othello, depth: u8) -> Option<Cut> {
        if depth < self.predicted { None } else { self.cuts.get(depth, pos.put()) }
    }

    #[inline]
    fn settled(&self, pos: &Othello, _: &History<Othello>, depth: u8, (alpha, beta): (i32, i32)) -> Option<i32> {
        let empty = 60_u32.saturating_sub(pos.put());
        if beta > alpha + 1 || empty > SOLVED || u32::from(depth) < empty {
            return None;
        }
        // The smallest margin that reaches beta.
        let margin = -(-beta).div_euclid(DISC);
        pos.finish(margin).map(|horizon| DISC * horizon.best)
    }
}
