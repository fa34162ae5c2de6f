//! Estimate of the final margin by a shallow search over the patterns, to order the moves of a solution and to choose its
//! first window.

use super::choices::Choices;
use super::{Contents, DISC, SORTED, Weights};
use crate::LearnedEvaluation as _;
use mancalab_games::othello::{Othello, lines::legal};
use mancalab_games::{Game as _, Side};

/// Search depth of an estimate, in plies.
const AHEAD: u32 = 4;

/// Larger than any estimate, in hundredths of a disc.
pub(super) const FAR: i32 = 65 * DISC;

/// Estimate of the mover's final margin from a search of a few plies.
pub fn static_eval(pos: &Othello) -> i32 {
    let weights = Othello::shipped();
    let [own, other] = pos.key();
    let contents = Contents::of_discs(own, other);
    let scout = Scout { weights: &weights, depth: AHEAD, side: Side::South, contents };
    let value = scout.value(own, other, pos.legal(), [-FAR, FAR]);
    (value / DISC).clamp(-64, 64)
}

/// A position with what a shallow search of it needs besides its discs.
pub(super) struct Scout<'a> {
    pub weights: &'a Weights,
    /// Plies to search.
    pub depth: u32,
    /// The side to move; the contents count South's discs as those of the first side.
    pub side: Side,
    pub contents: Contents,
}

impl Scout<'_> {
    /// Fail-soft alpha-beta with weights at the leaves; `moves` are the mover's legal squares.
    pub fn value(&self, own: u64, other: u64, moves: u64, [alpha, beta]: [i32; 2]) -> i32 {
        let answers = || legal(other, own);
        if moves == 0 {
            let answers = answers();
            if answers == 0 {
                return DISC * (own.count_ones() as i32 - other.count_ones() as i32);
            }
            let passed = Scout { side: self.side.other(), ..*self };
            return -passed.value(other, own, answers, [-beta, -alpha]);
        }
        if self.depth == 0 {
            return self.weights.value_of(own | other, &self.contents, self.side, [moves, answers()]);
        }
        let choices = Choices::<SORTED>::new(own, other, moves, !0);
        let mut best = i32::MIN;
        for item in &choices.order[..choices.len] {
            let at = (item >> 6) as usize & (SORTED - 1);
            let us = choices.us[at];
            let them = choices.them[at];
            let after = self.after(them & !own, other);
            best = best.max(-after.value(us, them, choices.answers[at], [-beta, -alpha.max(best)]));
            if best >= beta {
                break;
            }
        }
        best
    }

    /// After a move that gives the mover the discs `new`, some of which were the `other` side's: one ply less to search.
    #[inline]
    pub fn after(&self, new: u64, other: u64) -> Scout<'_> {
        Scout {
            weights: self.weights,
            depth: self.depth.saturating_sub(1),
            side: self.side.other(),
            contents: self.contents.with(new, other, self.side),
        }
    }
}
