//! Sets of squares as bits: a1 in the lowest bit, then b1 to h1, then a2.

use crate::Move;
pub(super) use crate::bits::any;

/// The move that leaves the board unchanged, legal if there is no other and the game is not over.
pub const PASS: Move = Move(64);

/// A side's legal moves: squares from a1 to h8, row by row, or the pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moves {
    squares: u64,
    passes: bool,
}

impl Moves {
    #[inline]
    pub(super) fn new(squares: u64, passes: bool) -> Moves {
        Moves { squares, passes }
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.squares == 0 {
            return std::mem::take(&mut self.passes).then_some(PASS);
        }
        let square = self.squares.trailing_zeros();
        self.squares &= self.squares - 1;
        Some(Move(square as u16))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.squares.count_ones() as usize + usize::from(self.passes);
        (count, Some(count))
    }
}

impl ExactSizeIterator for Moves {}

/// Sum of the sizes of many sets, in a few operations per set.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// Per byte: number of squares in all sets.
    bytes: u64,
}

impl Tally {
    /// Maximal number of sets before a byte can overflow.
    pub const MOST: u32 = 31;

    #[inline(always)]
    pub fn add(&mut self, set: u64) {
        let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        self.bytes += (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    }

    #[inline(always)]
    pub fn total(self) -> u64 {
        let twice = (self.bytes & 0x00ff_00ff_00ff_00ff) + (self.bytes >> 8 & 0x00ff_00ff_00ff_00ff);
        twice.wrapping_mul(0x0001_0001_0001_0001) >> 48
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use rand::Rng as _;

    #[test]
    fn the_tally_agrees_with_the_iterator() {
        let mut random = rng::keyed(&[3]);
        let mut sets = vec![0, 1, 1 << 63, u64::MAX];
        sets.extend((0..2000).map(|n| random.next_u64() & if n % 2 == 0 { random.next_u64() } else { u64::MAX }));
        for chunk in sets.chunks(Tally::MOST as usize) {
            let mut tally = Tally::default();
            for &set in chunk {
                let squares: Vec<Move> = Moves::new(set, false).collect();
                assert_eq!(squares.len(), Moves::new(set, false).len());
                tally.add(set);
            }
            assert_eq!(tally.total(), chunk.iter().map(|set| u64::from(set.count_ones())).sum::<u64>());
        }
        let mut full = Tally::default();
        (0..Tally::MOST).for_each(|_| full.add(u64::MAX));
        assert_eq!(full.total(), 64 * u64::from(Tally::MOST));
    }
}
