//! Set of moves of one position.

use crate::game::{Game, Move};

/// A set of moves of one position, stored as indices into its legal moves in canonical order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveSet([u64; 4]);

impl MoveSet {
    pub(crate) const NONE: MoveSet = MoveSet([0; 4]);

    #[inline]
    pub(crate) fn insert(&mut self, place: usize) {
        self.0[place / 64 % 4] |= 1 << (place % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, place: usize) -> bool {
        self.0[place / 64 % 4] >> (place % 64) & 1 == 1
    }

    /// Returns the number of moves.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub fn is_empty(&self) -> bool {
        *self == MoveSet::default()
    }

    /// Returns the set as 64 bits, or `None` if it contains a move beyond the 64th.
    #[inline]
    pub fn word(&self) -> Option<u64> {
        (self.0[1..] == [0; 3]).then_some(self.0[0])
    }

    /// Creates a set from its [`word`](MoveSet::word).
    #[inline]
    pub fn from_word(word: u64) -> MoveSet {
        MoveSet([word, 0, 0, 0])
    }

    /// Returns the moves of `pos` in this set, in canonical order.
    #[inline]
    pub fn legal<G: Game>(self, pos: &G) -> impl Iterator<Item = Move> {
        pos.moves().enumerate().filter(move |&(place, _)| self.contains(place)).map(|(_, mv)| mv)
    }
}
