//! Which move to try first. Alpha-beta lives on a good first guess, and where much is searched below a move the best one known is
//! the move that leaves the opponent the fewest: its answers are soon tried, and it soon has to give something away. Where more is
//! searched than a look ahead costs, how things look some plies later counts for more.

use super::choices::{CORNERS, Choices};
use super::quarters::in_odd_quarters;
use super::squares::PASS;
use super::static_eval::{FAR, looked};
use super::{MOST, Othello};
use crate::Move;

/// Next to a corner: aslant, and on the edge.
const NEAR_CORNERS: [u64; 2] = [0x0042_0000_0000_4200, 0x4281_0000_0000_8142];

/// From so many plies on below a move it pays to look at what the opponent can do after each.
const LOOKED_AT: u32 = 3;

/// From so many plies on, to look at how things stand after each, and from each of the next on a ply further ahead.
const LOOKS_AHEAD: [u32; 5] = [16, 22, 28, 32, 36];

/// How much worse than the best move so far one may look before it does not matter how much worse, in the unit of
/// [`outlook`](super::outlook).
const SLACK: i32 = 8;

/// What each answer of the opponent counts besides.
const ANSWER: u32 = 8;

/// How bad it looks to move where others are to be moved first.
const PARITY_AHEAD: u32 = 6;

/// The legal moves, the most promising first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ordered {
    /// Squares in the lowest six bits, in this order.
    sorted: [u32; MOST],
    next: usize,
    len: usize,
    /// Sets of squares behind those, each tried before the next.
    groups: [u64; 3],
    passes: bool,
}

impl Iterator for Ordered {
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

/// Corners, squares that are neither that nor next to one, and the rest.
#[inline]
fn grouped(legal: u64) -> [u64; 3] {
    let near = NEAR_CORNERS[0] | NEAR_CORNERS[1];
    [legal & CORNERS, legal & !(CORNERS | near), legal & near]
}

impl Othello {
    /// See [`Game::ordered_moves`](crate::Game::ordered_moves).
    #[inline]
    pub(super) fn ordered(&self, plies: u32) -> Ordered {
        let mut ordered =
            Ordered { sorted: [0; MOST], next: 0, len: 0, groups: [0; 3], passes: self.legal == 0 && !self.over };
        let count = self.legal.count_ones() as usize;
        if plies < LOOKED_AT || count > MOST {
            ordered.groups = grouped(self.legal);
        } else if count < 2 {
            ordered.groups[0] = self.legal;
        } else {
            let mut choices = Choices::<MOST>::new(self.own, self.other, self.legal, !0);
            let looks = LOOKS_AHEAD.iter().filter(|&&from| plies >= from).count() as u32;
            if looks > 0 {
                choices.look_ahead(looks - 1, in_odd_quarters(!(self.own | self.other)));
            }
            (ordered.sorted, ordered.len) = (choices.order, choices.len);
        }
        ordered
    }
}

impl<const N: usize> Choices<N> {
    /// Orders the moves by how things look `depth` plies after each; of two that look alike those in `first` come first.
    fn look_ahead(&mut self, depth: u32, first: u64) {
        let mut least = FAR - SLACK;
        for item in &mut self.order[..self.len] {
            let at = (*item >> 6) as usize & (N - 1);
            let answers = self.answers[at];
            let value = looked(self.us[at], self.them[at], answers, depth, -FAR, least + SLACK).clamp(-FAR, FAR);
            least = least.min(value);
            let is_later = (first >> (*item & 63) & 1) as u32 ^ 1;
            let badness = (FAR + value) as u32 + ANSWER * answers.count_ones() + PARITY_AHEAD * is_later;
            *item = badness << 11 | *item & 0x7ff;
        }
        self.order[..self.len].sort_unstable();
    }
}
