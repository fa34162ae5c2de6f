//! Arithmetic on pits stored as the bytes of a word, the leftmost in the lowest byte.

/// 1 in every non-zero byte.
#[inline]
fn marks(bytes: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    ((((bytes & LOW) + LOW) | bytes) & !LOW) >> 7
}

/// One bit per non-zero byte, the lowest byte's first.
#[inline]
pub(crate) fn nonzero(bytes: u64) -> u8 {
    // Moves bit 8i to bit 56 + i; no two products meet in one bit, so nothing carries.
    (marks(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// One bit per non-zero byte, the highest byte's first: [`nonzero`] with its bits reversed.
#[inline]
pub(crate) fn nonzero_reversed(bytes: u64) -> u8 {
    // Moves bit 8i to bit 63 - i, again without carries.
    (marks(bytes).wrapping_mul(0x8040_2010_0804_0201) >> 56) as u8
}

/// Sum of all bytes: the seeds in a side's pits; must be below 256.
#[inline]
pub fn total(bytes: u64) -> u8 {
    (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// 0xff in the byte of every pit in a set.
#[inline]
pub(crate) fn spread(set: u8) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let bits = u64::from(set).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    // Sets the highest bit of every non-zero byte, and copies it down.
    let high = (((bits & !HIGH) + !HIGH) | bits) & HIGH;
    (high >> 7).wrapping_mul(0xff)
}

/// The set of pits with this many seeds.
#[inline]
pub(crate) fn holding(pits: u64, seeds: u8) -> u8 {
    !nonzero(pits ^ (u64::from(seeds) * 0x0101_0101_0101_0101))
}

/// A row of counts as a word; no count is above 255.
pub(crate) fn word(row: &[u16]) -> u64 {
    row.iter().rev().fold(0, |word, &seeds| word << 8 | u64::from(seeds))
}

/// The counts of the first `pits` bytes of a word.
pub(crate) fn row(word: u64, pits: u8) -> Vec<u16> {
    word.to_le_bytes()[..usize::from(pits)].iter().map(|&seeds| seeds.into()).collect()
}

/// 64 well-mixed bits of both sides' pits.
#[inline]
pub(crate) fn mixed([own, other]: &[u64; 2]) -> u64 {
    let word = (own ^ other.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 32) ^ other).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ (word >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_gets_its_bit() {
        for byte in 0..8 {
            for value in [1, 0x7f, 0x80, 0xff] {
                assert_eq!(nonzero(value << (8 * byte)), 1 << byte);
            }
        }
        assert_eq!(nonzero(u64::MAX), 0xff);
        assert_eq!(nonzero(0x0100_0002_0000_8001), 0b1001_0011);
        for set in 0..=255 {
            assert_eq!(nonzero_reversed(spread(set)), set.reverse_bits());
        }
    }

    #[test]
    fn sets_become_bytes_and_counts_become_sets() {
        for set in 0..=255 {
            assert_eq!(nonzero(spread(set)), set);
            assert_eq!(holding(spread(set), 0xff), set);
        }
        assert_eq!(spread(0b101), 0xff_00ff);
        assert_eq!(row(word(&[3, 0, 255]), 3), [3, 0, 255]);
    }
}
