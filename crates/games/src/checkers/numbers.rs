//! Encoding of a move as a number: start square, end square, and an index among the moves between them.

use crate::Move;

/// A move between two squares, counted from 0. `number` is 0 for steps and single jumps. Multiple jumps between the
/// same two squares are numbered from 1, in the order in which they are generated.
#[inline]
pub(super) const fn numbered(from: u8, to: u8, number: u16) -> Move {
    Move(from as u16 | (to as u16) << 5 | number << 10)
}

/// Inverse of [`numbered`].
#[inline]
pub(super) const fn parts(mv: Move) -> (u8, u8, u16) {
    (mv.0 as u8 & 31, (mv.0 >> 5) as u8 & 31, mv.0 >> 10)
}
