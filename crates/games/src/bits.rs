//! Members of sets that are stored as the bits of a word.
//!
//! All functions are free of branches, which random choices would mispredict. The baseline processors of portable builds lack
//! instructions for the number of bits and for the nth bit.

const ONES: u64 = 0x0101_0101_0101_0101;

/// A member of a set that is not empty, by 32 random bits, uniformly to within 2^-24.
#[inline]
pub(crate) fn any(set: u64, bits: u32) -> u8 {
    let upto = prefix_counts(set);
    nth(set, upto, (u64::from(bits) * (upto >> 56)) >> 32)
}

/// Per byte: number of members of a set up to its end, at most 64. The highest byte holds the number of all members.
#[inline]
pub(crate) fn prefix_counts(set: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(ONES)
}

/// Member number `n`, from 0, of a set with more than `n` members and these [`prefix_counts`].
#[inline]
pub(crate) fn nth(set: u64, upto: u64, n: u64) -> u8 {
    // Per byte: whether its count exceeds n.
    let beyond = ((upto | (0x80 * ONES)) - (n + 1) * ONES) & (0x80 * ONES);
    let first = beyond.trailing_zeros() & 56;
    let before = ((upto << 8) >> first) as u8;
    let byte = (set >> first) as u8;
    first as u8 + NTH[usize::from(byte)][(n as u8 - before) as usize & 7]
}

/// By a set of eight members: the members in ascending order, then zeros.
pub(crate) static NTH: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let mut n = 0;
        let mut at = 0;
        while at < 8 {
            if set >> at & 1 == 1 {
                table[set][n] = at;
                n += 1;
            }
            at += 1;
        }
        set += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use rand::Rng as _;

    #[test]
    fn members_are_those_of_a_walk_through_all_bits() {
        let mut random = rng::keyed(&[3]);
        let mut sets = vec![1, 1 << 63, u64::MAX];
        sets.extend((0..2000).map(|n| random.next_u64() & if n % 2 == 0 { random.next_u64() } else { u64::MAX }));
        for set in sets {
            let members: Vec<u8> = (0..64).filter(|at| set >> at & 1 == 1).collect();
            let upto = prefix_counts(set);
            assert_eq!(upto >> 56, members.len() as u64);
            assert!(members.iter().zip(0..).all(|(&at, n)| nth(set, upto, n) == at), "{set:x}");
            for bits in [0, 1 << 31, u32::MAX, random.next_u32()] {
                let n = (u64::from(bits) * members.len() as u64) >> 32;
                assert_eq!(any(set, bits), members[n as usize], "{set:x} {bits:x}");
            }
        }
    }
}
