//! A set of the moves of one position, by their places in the game's order.

use crate::game::{Game, Move};

/// A set of moves of one position, each known by its place among the legal ones in their canonical order.
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

    /// How many moves are in it.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub fn is_empty(&self) -> bool {
        *self == MoveSet::default()
    }

    /// The set in 64 bits, if it has no move beyond the 64th.
    #[inline]
    pub fn word(&self) -> Option<u64> {
        (self.0[1..] == [0; 3]).then_some(self.0[0])
    }

    /// The set that has this [`word`](MoveSet::word).
    #[inline]
    pub fn from_word(word: u64) -> MoveSet {
        MoveSet([word, 0, 0, 0])
    }

    /// The moves of `pos` that are in it, in their canonical order.
    #[inline]
    pub fn of<G: Game>(self, pos: &G) -> impl Iterator<Item = Move> {
        pos.moves().enumerate().filter(move |&(place, _)| self.contains(place)).map(|(_, mv)| mv)
    }
}
