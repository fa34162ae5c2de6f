//! What a position looks like it will come to, without playing it out: good enough to tell which of two moves to try first and
//! near which margin to look for the true one, and used for nothing else.
//!
//! A sum of what both sides could do and hold, whose weights are a least squares fit to the margins of some ten thousand games
//! from 8 to 16 empty squares on.

use super::choices::{CORNERS, Choices};
use super::lines::legal;
use super::{MOST, Othello};

/// Plies looked ahead for a guess at the margin.
const AHEAD: u32 = 4;

/// Beyond any outlook.
pub(super) const FAR: i32 = 1000;

/// What a disc of the margin counts as, so that the weights are whole numbers.
pub(super) const DISC: i32 = 4;

/// For each legal move more than the other side has.
const MOVE: i32 = 11;
/// For each corner that the mover can take at once.
const CORNER: i32 = 10;
/// For each disc on an edge that leads to a corner without a gap.
const ANCHORED: i32 = 8;
/// For each disc next to an empty corner: on an edge, and aslant.
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

/// Discs of a side on edges in line from a corner.
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

/// The mover's margin as it looks, a [`DISC`] being the unit; `moves` and `answers` are both sides' legal moves.
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

/// The same, `depth` plies ahead: a bound of it on the same side of the window.
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
