//! A board and its mirror image side by side in one wide word.
//!
//! Turned upside down, a board's rows come in the opposite order, and what ran down now runs up. So one shift of both looks two
//! ways at once, and additions, whose carries run one way only, do as well.

/// Two words.
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

    /// What is in `self` and not in `other`.
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

    /// All ones in a lane that is 0, nothing in any other.
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

    /// What is in either lane, the right way up.
    #[inline(always)]
    pub fn merged(self) -> u64 {
        let [upright, mirrored] = self.words();
        upright | mirrored.swap_bytes()
    }
}
