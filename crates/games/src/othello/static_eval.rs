//! Estimate of the final margin without playing the game out: good enough to order moves and to choose the first search
//! window, and used for nothing else.
//!
//! A weighted sum of features of both sides. The weights are a least squares fit to the margins of some ten thousand
//! games, from 8 to 16 empty squares on.

use super::choices::{CORNERS, Choices};
use super::lines::legal;
use super::{MOST, Othello};

/// Search depth of an estimate, in plies.
const AHEAD: u32 = 4;

/// Larger than any estimate.
pub(super) const FAR: i32 = 1000;

/// Value of one disc of margin, chosen so that the weights are integers.
pub(super) const DISC: i32 = 4;

/// Per legal move more than the other side has.
const MOVE: i32 = 11;
/// Per corner that the mover can take at once.
const CORNER: i32 = 10;
/// Per disc on an edge that is connected to a corner without a gap.
const ANCHORED: i32 = 8;
/// Per disc adjacent to an empty corner: on an edge, and diagonally.
const BESIDE_CORNER: i32 = -12;
const ASLANT_OF_CORNER: i32 = -4;
const TO_MOVE: i32 = 6;

impl Othello {
    /// See [`Game::static_eval`](crate::Game::static_eval).
    pub(super) fn looks_like(&self) -> i32 {
        let value = looked(self.own, self.other, self.legal, AHEAD, -FAR, FAR);
        (value / DISC).clamp(-64, 64)
    }
}

const EDGES: [u64; 2] = [0xff00_0000_0000_00ff, 0x8181_8181_8181_8181];

/// A side's edge discs in an unbroken line from a corner.
#[inline]
fn anchored(own: u64) -> u64 {
    let (rows, files) = (own & EDGES[0], own & EDGES[1]);
    let corners = own & CORNERS;
    let (mut along, mut down) = (corners, corners);
    for _ in 0..6 {
        along |= rows & (along << 1 | along >> 1);
        down |= files & (down << 8 | down >> 8);
    }
    along | down
}

/// Estimate of the mover's margin, with [`DISC`] per disc; `moves` and `answers` are both sides' legal moves.
#[inline]
pub(super) fn static_eval(own: u64, other: u64, moves: u64, answers: u64) -> i32 {
    let more = |ours: u64, theirs: u64| ours.count_ones() as i32 - theirs.count_ones() as i32;
    let open = CORNERS & !(own | other);
    let beside = (open << 1 | open >> 1 | open << 8 | open >> 8) & (EDGES[0] | EDGES[1]);
    let aslant = (open << 9 | open >> 9 | open << 7 | open >> 7) & 0x0042_0000_0000_4200;
    let mut sum = TO_MOVE + MOVE * more(moves, answers) + ANCHORED * more(anchored(own), anchored(other));
    sum += CORNER * (moves & CORNERS).count_ones() as i32;
    if open != 0 {
        sum += BESIDE_CORNER * more(own & beside, other & beside);
        sum += ASLANT_OF_CORNER * more(own & aslant, other & aslant);
    }
    sum
}

/// Alpha-beta search of `depth` plies with [`static_eval`] at the leaves, fail-soft.
pub(super) fn looked(own: u64, other: u64, moves: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
    let answers = || legal(other, own);
    if moves == 0 {
        let answers = answers();
        if answers == 0 {
            return DISC * (own.count_ones() as i32 - other.count_ones() as i32);
        }
        return -looked(other, own, answers, depth, -beta, -alpha);
    }
    if depth == 0 {
        return static_eval(own, other, moves, answers());
    }
    let choices = Choices::<MOST>::new(own, other, moves, !0);
    let mut best = i32::MIN;
    for item in &choices.order[..choices.len] {
        let at = (item >> 6) as usize & (MOST - 1);
        let value = -looked(choices.us[at], choices.them[at], choices.answers[at], depth - 1, -beta, -alpha.max(best));
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    best
}
