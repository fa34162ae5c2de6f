//! Othello's evaluation for selective search: the patterns, and how well their shallow searches predict deep ones.

use super::{Cut, Evaluator};
use crate::game::othello::patterns::{Contents, DISC, Errors, Weights};
use crate::game::othello::{Othello, PASS};
use crate::game::{Game, Move};
use std::sync::Arc;

/// Number of standard deviations at which a deep search is left out.
///
/// 0.9 gives the strength of 1.3 at equal depth with a fifth fewer positions; 0.65 loses strength.
const SURE: f32 = 0.9;

/// Smallest depth that is predicted.
const PREDICTED: u8 = 3;

/// Largest depth whose margins are tabulated; deeper searches use the last.
const MOST_DEPTH: usize = 32;

/// Number of empty squares up to which the rules solve the rest without a search.
const SOLVED: u32 = 8;

/// See the [module](self).
#[derive(Clone)]
pub struct PatternEvaluator {
    weights: Arc<Weights>,
    /// By depth and discs placed; `None`: every move is searched to the full depth.
    cuts: Option<Arc<Vec<[Cut; 64]>>>,
}

/// Depth of the search that predicts one to `depth`: about half of it, of the same parity.
fn shallow(depth: u8) -> u8 {
    2 * (depth / 4) + (depth & 1)
}

impl PatternEvaluator {
    /// Evaluates by `weights`; searches leave out what is probably irrelevant by their errors.
    pub fn new(weights: Arc<Weights>) -> PatternEvaluator {
        let errors = weights.errors;
        PatternEvaluator::with_errors(weights, Some(errors))
    }

    /// Evaluates by `weights`; searches leave out nothing.
    pub fn in_full(weights: Arc<Weights>) -> PatternEvaluator {
        PatternEvaluator::with_errors(weights, None)
    }

    fn with_errors(weights: Arc<Weights>, errors: Option<Errors>) -> PatternEvaluator {
        let cut = |errors: &Errors, depth: usize, put: usize| {
            let depth = depth as u8;
            let margin = SURE * errors.deviation(depth.into(), shallow(depth).into(), put as u32);
            Cut { depth: shallow(depth), margin: margin as i32 }
        };
        let cuts = errors.map(|errors| {
            let of_depth = |depth| std::array::from_fn(|put| cut(&errors, depth, put));
            Arc::new((0..MOST_DEPTH).map(of_depth).collect())
        });
        PatternEvaluator { weights, cuts }
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

impl Evaluator<Othello> for PatternEvaluator {
    type State = Contents;

    const THOUSANDTHS: i64 = 1000 / DISC as i64;

    fn state(&self, pos: &Othello) -> Contents {
        Contents::of(pos)
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
        let cuts = self.cuts.as_ref().filter(|_| depth >= PREDICTED)?;
        Some(cuts[usize::from(depth).min(MOST_DEPTH - 1)][pos.put() as usize & 63])
    }

    #[inline]
    fn settled(&self, pos: &Othello, depth: u8, beta: i32) -> Option<i32> {
        let empty = 60_u32.saturating_sub(pos.put());
        if empty > SOLVED || u32::from(depth) < empty {
            return None;
        }
        // The smallest margin that reaches beta.
        let margin = -(-beta).div_euclid(DISC);
        pos.finish(margin).map(|horizon| DISC * horizon.best)
    }
}
