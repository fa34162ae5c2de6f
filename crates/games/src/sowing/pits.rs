//! Sets of pits as bits, the leftmost pit in the lowest bit.

use super::words::nonzero;
use crate::Move;
use crate::bits::NTH;

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

/// A pit of a set that is not empty, by 32 random bits, uniformly to within 2^-24.
#[inline]
pub(crate) fn any(set: u8, bits: u32) -> Move {
    // Eight times the pit's number in the set. A shift of its members is faster than a second load.
    let shift = (u64::from(bits) * u64::from(count(set))) >> 29 & 56;
    Move::from((u64::from_le_bytes(NTH[usize::from(set)]) >> shift) as u8)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_the_iterator() {
        for set in 0..=255 {
            let pits: Vec<Move> = Pits(set).collect();
            assert_eq!(pits.len(), usize::from(count(set)));
            for bits in (0..=u32::MAX).step_by(0x0123_4567).chain([u32::MAX]).filter(|_| set != 0) {
                let n = (u64::from(bits) * pits.len() as u64) >> 32;
                assert_eq!(any(set, bits), pits[n as usize]);
            }
        }
    }
}
