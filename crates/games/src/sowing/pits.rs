//! Sets of pits as bits, the leftmost pit in the lowest bit.

use super::words::nonzero;
use crate::Move;

/// A set of pits, iterated from left to right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pits(pub(crate) u8);

impl Pits {
    /// The pits of a side with seeds, from its word of a [`Game::Key`](crate::Game::Key).
    #[inline]
    pub fn filled(side: u64) -> Pits {
        Pits(nonzero(side))
    }
}

impl Iterator for Pits {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let pit = Move(self.0.trailing_zeros() as u16);
        self.0 &= self.0 - 1;
        Some(pit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = usize::from(count(self.0));
        (count, Some(count))
    }
}

impl ExactSizeIterator for Pits {}

/// Number of pits in a set.
// A table, because the baseline processors of portable builds lack a population count instruction.
#[inline]
pub(crate) fn count(set: u8) -> u8 {
    COUNT[usize::from(set)]
}

/// Pit number `n` of a set, from the left and from 0.
#[inline]
pub(crate) fn nth(set: u8, n: usize) -> Move {
    NTH[usize::from(set)][n & 7].into()
}

static COUNT: [u8; 256] = {
    let mut count = [0; 256];
    let mut set = 1;
    while set < 256 {
        count[set] = count[set / 2] + (set % 2) as u8;
        set += 1;
    }
    count
};

static NTH: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let mut n = 0;
        let mut pit = 0;
        while pit < 8 {
            if set >> pit & 1 == 1 {
                table[set][n] = pit;
                n += 1;
            }
            pit += 1;
        }
        set += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_the_iterator() {
        for set in 0..=255 {
            let pits: Vec<Move> = Pits(set).collect();
            assert_eq!(pits.len(), usize::from(count(set)));
            assert!(pits.iter().enumerate().all(|(n, &pit)| nth(set, n) == pit));
        }
    }
}
