//! How a move is a number: where it begins, where it ends, and which of the moves between these squares it is.

use crate::Move;

/// A move between two squares, bits counted from 0. The number is 0 for a step and for a jump over one piece; jumps over several
/// that lead from the same square to the same other one are counted from 1, in the order in which they are found.
#[inline]
pub(super) const fn numbered(from: u8, to: u8, number: u16) -> Move {
    Move(from as u16 | (to as u16) << 5 | number << 10)
}

/// What [`numbered`] made a move of.
#[inline]
pub(super) const fn parts(mv: Move) -> (u8, u8, u16) {
    (mv.0 as u8 & 31, (mv.0 >> 5) as u8 & 31, mv.0 >> 10)
}
