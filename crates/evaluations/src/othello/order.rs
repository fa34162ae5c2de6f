//! Move ordering for alpha-beta. With much search below a move, the best cheap order is by the number of the opponent's
//! replies: few replies are searched quickly and soon force concessions. With enough search below to pay for it, moves
//! are ordered by a shallow search.

use super::choices::{CORNERS, Choices};
use super::quarters::in_odd_quarters;
use super::static_eval::{FAR, Scout};
use super::{Contents, SORTED};
use crate::LearnedEvaluation as _;
use mancalab_games::othello::{Othello, PASS};
use mancalab_games::{Game as _, Move, Side};

/// Squares adjacent to a corner: diagonally, and on the edge.
const NEAR_CORNERS: [u64; 2] = [0x0042_0000_0000_4200, 0x4281_0000_0000_8142];

/// Minimal number of plies below a move to order moves by the opponent's replies.
const LOOKED_AT: u32 = 3;

/// Numbers of plies below a move from which moves are ordered by a search: of depth 0 from the first on, one ply deeper
/// from each further one.
const LOOKS_AHEAD: [u32; 5] = [18, 24, 30, 36, 40];

/// Moves that are worse than the best so far by more than this are not evaluated exactly, in hundredths of a disc.
const SLACK: i32 = 100;

/// Penalty per reply of the opponent, in hundredths of a disc: few replies are searched quickly.
const ANSWER: u32 = 300;

/// Penalty for moves in quarters with an even number of empty squares, in hundredths of a disc.
const PARITY_AHEAD: u32 = 100;

/// The legal moves, most promising first.
#[derive(Clone, Copy, Debug)]
pub struct OrderedMoves {
    /// The moves in order, squares in the lowest six bits.
    sorted: [u32; SORTED],
    next: usize,
    len: usize,
    /// Sets of squares after those, in order.
    groups: [u64; 3],
    passes: bool,
}

impl Iterator for OrderedMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.next < self.len {
            self.next += 1;
            return Some(Move((self.sorted[self.next - 1] & 63) as u16));
        }
        let Some(group) = self.groups.iter_mut().find(|group| **group != 0) else {
            return std::mem::take(&mut self.passes).then_some(PASS);
        };
        let square = group.trailing_zeros();
        *group &= *group - 1;
        Some(Move(square as u16))
    }
}

/// Corners, squares neither corner nor adjacent to one, and the rest.
#[inline]
fn grouped(legal: u64) -> [u64; 3] {
    let near = NEAR_CORNERS[0] | NEAR_CORNERS[1];
    [legal & CORNERS, legal & !(CORNERS | near), legal & near]
}

/// The legal moves, most promising first, where `plies` are searched below each.
#[inline]
pub fn ordered_moves(pos: &Othello, plies: u32) -> OrderedMoves {
    let legal = pos.legal();
    let passes = legal == 0 && !pos.is_over();
    let mut ordered = OrderedMoves { sorted: [0; SORTED], next: 0, len: 0, groups: [0; 3], passes };
    let count = legal.count_ones() as usize;
    if plies < LOOKED_AT || count > SORTED {
        ordered.groups = grouped(legal);
    } else if count < 2 {
        ordered.groups[0] = legal;
    } else {
        let [own, other] = pos.key();
        let mut choices = Choices::<SORTED>::new(own, other, legal, !0);
        let looks = LOOKS_AHEAD.iter().filter(|&&from| plies >= from).count() as u32;
        if looks > 0 {
            choices.look_ahead(looks, [own, other]);
        }
        (ordered.sorted, ordered.len) = (choices.order, choices.len);
    }
    ordered
}

impl<const N: usize> Choices<N> {
    /// Orders the moves from these discs by a search of `depth` plies, the move included; squares in odd quarters win ties.
    fn look_ahead(&mut self, depth: u32, [own, other]: [u64; 2]) {
        let weights = Othello::shipped();
        let first = in_odd_quarters(!(own | other));
        let scout = Scout { weights: &weights, depth, side: Side::South, contents: Contents::of_discs(own, other) };
        let mut least = FAR - SLACK;
        for item in &mut self.order[..self.len] {
            let at = (*item >> 6) as usize & (N - 1);
            let answers = self.answers[at];
            let us = self.us[at];
            let them = self.them[at];
            let after = scout.after(them & !own, other);
            let value = after.value(us, them, answers, [-FAR, least + SLACK]).clamp(-FAR, FAR);
            least = least.min(value);
            let is_later = (first >> (*item & 63) & 1) as u32 ^ 1;
            let badness = (FAR + value) as u32 + ANSWER * answers.count_ones() + PARITY_AHEAD * is_later;
            *item = badness << 11 | *item & 0x7ff;
        }
        self.order[..self.len].sort_unstable();
    }
}
