//! A board and its mirror image in two lanes of one wide word.
//!
//! The mirror image is upside down, so its rows come in reverse order. One shift of both lanes thus covers two
//! directions, and so do additions, whose carries run one way only.

/// Two lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes([u64; 2]);

impl Lanes {
    #[inline(always)]
    pub fn new(upright: u64, mirrored: u64) -> Lanes {
        Lanes([upright, mirrored])
    }

    #[inline(always)]
    pub fn both(word: u64) -> Lanes {
        Lanes([word, word])
    }

    #[inline(always)]
    pub fn words(self) -> [u64; 2] {
        self.0
    }

    #[inline(always)]
    pub fn and(self, other: Lanes) -> Lanes {
        Lanes([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    #[inline(always)]
    pub fn or(self, other: Lanes) -> Lanes {
        Lanes([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// Bits of `self` that are not in `other`.
    #[inline(always)]
    pub fn without(self, other: Lanes) -> Lanes {
        Lanes([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    #[inline(always)]
    pub fn minus(self, other: Lanes) -> Lanes {
        Lanes([self.0[0].wrapping_sub(other.0[0]), self.0[1].wrapping_sub(other.0[1])])
    }

    #[inline(always)]
    pub fn shifted<const BY: i32>(self) -> Lanes {
        Lanes(self.0.map(|word| word << BY))
    }

    /// All ones in lanes that are 0, zero in the others.
    #[inline(always)]
    pub fn zeros(self) -> Lanes {
        Lanes(self.0.map(|word| u64::from(word == 0).wrapping_neg()))
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
