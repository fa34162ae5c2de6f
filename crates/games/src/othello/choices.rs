//! What can be done in a position, worked out for all legal moves at once, and sorted by what each leaves the opponent.

use super::lines::{Held, legal_of_all};

/// The four corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// How bad it looks to move where others are to be moved first.
const PARITY: u32 = 8;

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
