//! The legal moves of a position, one after the other.

use super::Checkers;
use super::jumps::{Path, Walk};
use super::numbers::{numbered, parts};
use super::sets::STEPS;
use crate::game::Move;

/// The legal moves, by the number of the square they begin on, then of those they lead to: of two jumps the one that lands on the
/// lower number where they part.
#[derive(Clone, Debug)]
pub struct Moves {
    pos: Checkers,
    empty: u32,
    /// The pieces whose turn is still to come.
    left: u32,
    /// Where the present piece can still step.
    targets: u32,
    from: u8,
    /// The present piece's jumps.
    walk: Walk,
}

impl Moves {
    #[inline]
    pub(super) fn new(pos: &Checkers) -> Moves {
        Moves { pos: *pos, empty: pos.empty(), left: pos.able, targets: 0, from: 0, walk: Walk::NONE }
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        loop {
            if self.targets != 0 {
                let to = self.targets.trailing_zeros() as u8;
                self.targets &= self.targets - 1;
                return Some(numbered(self.from, to, 0));
            }
            if self.pos.jumps && self.walk.advance() {
                return Some(self.walk.take_move());
            }
            if self.left == 0 {
                return None;
            }
            self.from = self.left.trailing_zeros() as u8;
            self.left &= self.left - 1;
            if self.pos.jumps {
                self.walk = self.pos.walk(self.from);
            } else {
                self.targets = STEPS[self.pos.kind(self.from)][usize::from(self.from & 31)] & self.empty;
            }
        }
    }
}

impl Checkers {
    /// The jumps of the mover's piece on a square.
    #[inline]
    pub(super) fn walk(&self, from: u8) -> Walk {
        let ways = [(2, 4), (0, 2), (0, 4)][self.kind(from)];
        Walk::new(from, ways, self.empty(), self.pieces[usize::from(self.side ^ 1)])
    }

    /// Whether the mover's piece on a square is a man of South, 0, a man of North, 1, or a king, 2.
    #[inline]
    pub(super) fn kind(&self, square: u8) -> usize {
        if self.kings >> (square & 31) & 1 == 1 { 2 } else { usize::from(self.side & 1) }
    }

    /// The walk at the end of a jump over several pieces, which is legal.
    #[inline]
    pub(super) fn walked(&self, mv: Move) -> Walk {
        let mut walk = self.walk(parts(mv).0);
        while walk.advance() {
            if walk.take_move() == mv {
                break;
            }
        }
        walk
    }

    /// The squares of a legal move.
    pub fn path(&self, mv: Move) -> Path {
        let (from, to, _) = parts(mv);
        if self.jumps { self.walked(mv).path() } else { Path::step(from, to) }
    }
}
