//! Estimate of the final margin by a shallow search over the patterns, to order the moves of a solution and to choose its
//! first window.

use super::choices::Choices;
use super::lines::legal;
use super::patterns::{DISC, Weights};
use super::{MOST, Othello};
use crate::patterns::Patterned as _;

/// Search depth of an estimate, in plies.
const AHEAD: u32 = 4;

/// Larger than any estimate, in hundredths of a disc.
pub(super) const FAR: i32 = 65 * DISC;

impl Othello {
    /// See [`Game::static_eval`](crate::Game::static_eval).
    pub(super) fn looks_like(&self) -> i32 {
        let value = looked(&Othello::shipped(), self.own, self.other, self.legal, AHEAD, -FAR, FAR);
        (value / DISC).clamp(-64, 64)
    }
}

/// Alpha-beta search of `depth` plies with `weights` at the leaves, fail-soft; `moves` are the mover's legal squares.
pub(super) fn looked(weights: &Weights, own: u64, other: u64, moves: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
    let answers = || legal(other, own);
    if moves == 0 {
        let answers = answers();
        if answers == 0 {
            return DISC * (own.count_ones() as i32 - other.count_ones() as i32);
        }
        return -looked(weights, other, own, answers, depth, -beta, -alpha);
    }
    if depth == 0 {
        return weights.value_of(own, other, moves, answers());
    }
    let choices = Choices::<MOST>::new(own, other, moves, !0);
    let mut best = i32::MIN;
    for item in &choices.order[..choices.len] {
        let at = (item >> 6) as usize & (MOST - 1);
        let value =
            -looked(weights, choices.us[at], choices.them[at], choices.answers[at], depth - 1, -beta, -alpha.max(best));
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    best
}
