//! A board and its mirror image in two lanes of one wide word.
//!
//! The mirror image is upside down, so its rows come in reverse order. One shift of both lanes thus covers two
//! directions, and so do additions, whose carries run one way only.

#[cfg(not(target_arch = "x86_64"))]
use plain as words;
#[cfg(target_arch = "x86_64")]
use wide as words;

/// Two lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes(words::Pair);

impl Lanes {
    #[inline(always)]
    pub fn new(upright: u64, mirrored: u64) -> Lanes {
        Lanes(words::pair(upright, mirrored))
    }

    #[inline(always)]
    pub fn both(word: u64) -> Lanes {
        Lanes::new(word, word)
    }

    #[inline(always)]
    pub fn words(self) -> [u64; 2] {
        words::parts(self.0)
    }

    #[inline(always)]
    pub fn and(self, other: Lanes) -> Lanes {
        Lanes(words::and(self.0, other.0))
    }

    #[inline(always)]
    pub fn or(self, other: Lanes) -> Lanes {
        Lanes(words::or(self.0, other.0))
    }

    /// Bits of `self` that are not in `other`.
    #[inline(always)]
    pub fn without(self, other: Lanes) -> Lanes {
        Lanes(words::without(self.0, other.0))
    }

    #[inline(always)]
    pub fn minus(self, other: Lanes) -> Lanes {
        Lanes(words::minus(self.0, other.0))
    }

    #[inline(always)]
    pub fn shifted<const BY: i32>(self) -> Lanes {
        Lanes(words::shifted::<BY>(self.0))
    }

    /// All ones in lanes that are 0, zero in the others.
    #[inline(always)]
    pub fn zeros(self) -> Lanes {
        Lanes(words::zeros(self.0))
    }
}

/// In one register of SSE2, which every x86-64 processor has. The compiler does not find that out by itself.
#[cfg(target_arch = "x86_64")]
mod wide {
    pub use safe_arch::{
        bitand_m128i as and, bitor_m128i as or, m128i as Pair, shl_imm_u64_m128i as shifted, sub_i64_m128i as minus,
    };
    use safe_arch::{bitandnot_m128i, cmp_eq_mask_i32_m128i, set_i64_m128i, shuffle_ai_f32_all_m128i, zeroed_m128i};

    #[inline(always)]
    pub fn pair(upright: u64, mirrored: u64) -> Pair {
        set_i64_m128i(mirrored.cast_signed(), upright.cast_signed())
    }

    #[inline(always)]
    pub fn parts(pair: Pair) -> [u64; 2] {
        pair.into()
    }

    #[inline(always)]
    pub fn without(pair: Pair, other: Pair) -> Pair {
        bitandnot_m128i(other, pair)
    }

    #[inline(always)]
    pub fn zeros(pair: Pair) -> Pair {
        let halves = cmp_eq_mask_i32_m128i(pair, zeroed_m128i());
        // A lane is 0 if both of its halves are.
        and(halves, shuffle_ai_f32_all_m128i::<0b10_11_00_01>(halves))
    }
}

/// In two words.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    pub type Pair = [u64; 2];

    #[inline(always)]
    pub fn pair(upright: u64, mirrored: u64) -> Pair {
        [upright, mirrored]
    }

    #[inline(always)]
    pub fn parts(pair: Pair) -> [u64; 2] {
        pair
    }

    #[inline(always)]
    pub fn and([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a & c, b & d]
    }

    #[inline(always)]
    pub fn or([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a | c, b | d]
    }

    #[inline(always)]
    pub fn without([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a & !c, b & !d]
    }

    #[inline(always)]
    pub fn minus([a, b]: Pair, [c, d]: Pair) -> Pair {
        [a.wrapping_sub(c), b.wrapping_sub(d)]
    }

    #[inline(always)]
    pub fn shifted<const BY: i32>(pair: Pair) -> Pair {
        pair.map(|word| word << BY)
    }

    #[inline(always)]
    pub fn zeros(pair: Pair) -> Pair {
        pair.map(|word| u64::from(word == 0).wrapping_neg())
    }
}

impl Lanes {
    #[inline(always)]
    pub fn mirrored(board: u64) -> Lanes {
        Lanes::new(board, board.swap_bytes())
    }

    /// Union of both lanes, upright.
    #[inline(always)]
    pub fn merged(self) -> u64 {
        let [upright, mirrored] = self.words();
        upright | mirrored.swap_bytes()
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use mancalab_base::rng;
    use rand::Rng as _;

    /// Those of other processors, which compute with two words, and those of this one.
    #[test]
    fn wide_words_compute_as_two_words() {
        let mut random = rng::keyed(&[3]);
        // Zero often, in one half or both, for `zeros`.
        let mut word = || random.next_u64() & [u64::MAX, 0, 0xffff_ffff, !0xffff_ffff][random.next_u32() as usize % 4];
        for _ in 0..1000 {
            let [a, b, c, d] = std::array::from_fn(|_| word());
            let [own, other] = [Lanes::new(a, b), Lanes::new(c, d)];
            assert_eq!(own.and(other).words(), plain::and([a, b], [c, d]));
            assert_eq!(own.or(other).words(), plain::or([a, b], [c, d]));
            assert_eq!(own.without(other).words(), plain::without([a, b], [c, d]));
            assert_eq!(own.minus(other).words(), plain::minus([a, b], [c, d]));
            assert_eq!(own.shifted::<9>().words(), plain::shifted::<9>([a, b]));
            assert_eq!(own.zeros().words(), plain::zeros([a, b]));
            assert_eq!((own.words(), plain::parts(plain::pair(a, b))), ([a, b], [a, b]));
        }
    }
}
