//! Which move to try first. Alpha-beta lives on a good first guess, and where much is searched below a move the best one known is
//! the move that leaves the opponent the fewest: its answers are soon tried, and it soon has to give something away. Where more is
//! searched than a look ahead costs, how things look some plies later counts for more.

use super::end::in_odd_quarters;
use super::lines::{Held, legal_of_all};
use super::outlook::{FAR, looked};
use super::squares::PASS;
use super::{MOST, Othello};
use crate::game::Move;

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Next to a corner: aslant, and on the edge.
const NEAR_CORNERS: [u64; 2] = [0x0042_0000_0000_4200, 0x4281_0000_0000_8142];

/// From so many plies on below a move it pays to look at what the opponent can do after each.
const LOOKED_AT: u32 = 3;

/// From so many plies on, to look at how things stand after each, and from each of the next on a ply further ahead.
const LOOKS_AHEAD: [u32; 5] = [16, 22, 28, 32, 36];

/// How much worse than the best move so far one may look before it does not matter how much worse, in the unit of [`outlook`](super::outlook).
const SLACK: i32 = 8;

/// What each answer of the opponent counts besides.
const ANSWER: u32 = 8;

/// How bad it looks to move where others are to be moved first.
const PARITY: u32 = 8;
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
    /// See [`Game::promising`](crate::game::Game::promising).
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

/// What each move leads to, and in which order to try them.
///
/// Of at most `N` moves, a power of two up to [`MOST`].
pub(super) struct Choices<const N: usize> {
    /// The discs of the side that moves next, those of the other, and where the one may put its next, after each move.
    pub us: [u64; N],
    pub them: [u64; N],
    pub answers: [u64; N],
    /// For each move, the best first: its place in the arrays above in bits 6 to 10, its square in bits 0 to 5, and above them how
    /// bad it looks.
    pub order: [u32; N],
    pub len: usize,
}

impl<const N: usize> Choices<N> {
    /// At most `N` of the squares in `legal`; of two that look alike those in `first` come first.
    #[inline]
    pub fn new(own: u64, other: u64, legal: u64, first: u64) -> Choices<N> {
        let held = Held::new(own, other);
        let none = [0; N];
        let mut new = Choices { us: none, them: none, answers: none, order: [0; N], len: 0 };
        let (mut n, mut left) = (0, legal);
        while left != 0 && n < N {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let flipped = held.flips(square);
            new.us[n] = other ^ flipped;
            new.them[n] = own | flipped | 1 << square;
            new.order[n] = u32::from(square);
            n += 1;
        }
        legal_of_all(&new.us, &new.them, &mut new.answers, n.next_multiple_of(4).min(N));
        for at in 0..n {
            let square = new.order[at];
            let (us, them, answers) = (new.us[at], new.them[at], new.answers[at]);
            // A corner among the answers counts twice, as it is the best of them.
            let freedom = answers.count_ones() + (answers & CORNERS).count_ones();
            let open = around(them) & !(us | them);
            let is_later = (first >> square & 1) as u32 ^ 1;
            let badness = 16 * freedom + 2 * open.count_ones() + PARITY * is_later;
            let item = badness << 11 | (at as u32) << 6 | square;
            let mut to = at;
            while to > 0 && new.order[to - 1] > item {
                new.order[to] = new.order[to - 1];
                to -= 1;
            }
            new.order[to] = item;
        }
        new.len = n;
        new
    }

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

/// The squares next to any of a set, without the set's own.
#[inline(always)]
pub(super) const fn around(set: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let sideways = (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    let row = set | sideways;
    (sideways | row << 8 | row >> 8) & !set
}
