//! Results of all legal moves, computed together and sorted by the freedom that each leaves the opponent.

use mancalab_games::othello::lines::{Held, legal_of_all};

/// The four corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Penalty for moves in quarters with an even number of empty squares.
const PARITY: u32 = 8;

/// Results and search order of at most `N` legal moves, a power of two up to [`SORTED`](super::SORTED).
pub(super) struct Choices<const N: usize> {
    /// After each move: the discs of the side to move, those of the other side, and the legal squares of the side to
    /// move.
    pub us: [u64; N],
    pub them: [u64; N],
    pub answers: [u64; N],
    /// The moves, best first: square in bits 0 to 5, index in the arrays above in bits 6 to 10, and the penalty above.
    pub order: [u32; N],
    pub len: usize,
}

impl<const N: usize> Choices<N> {
    /// At most `N` squares of `legal`; squares in `first` win ties.
    #[inline]
    pub fn new(own: u64, other: u64, legal: u64, first: u64) -> Choices<N> {
        let held = Held::new(own, other);
        let none = [0; N];
        let mut new = Choices { us: none, them: none, answers: none, order: [0; N], len: 0 };
        let mut n = 0;
        let mut left = legal;
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
            let us = new.us[at];
            let them = new.them[at];
            let answers = new.answers[at];
            // A corner counts twice, as it is the best reply.
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
}

/// Squares adjacent to a set, without the set itself.
#[inline(always)]
pub(super) const fn around(set: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let sideways = (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    let row = set | sideways;
    (sideways | row << 8 | row >> 8) & !set
}
