//! Generator of the legal moves of a position.

use super::Checkers;
use super::jump_sources::JumpSources;
use super::jumps::{Path, Walk};
use super::numbers::{numbered, parts};
use super::sets::STEPS;
use crate::Move;

/// The legal moves, ordered by start square, then by landing squares: of two jumps, the one with the lower square where
/// they first differ comes first.
#[derive(Clone, Debug)]
pub struct Moves {
    pos: Checkers,
    empty: u32,
    /// Pieces not yet visited.
    left: u32,
    /// Remaining targets of the current piece: steps, or jumps if none of its jumps can continue.
    targets: u32,
    from: u8,
    /// Jumps of the current piece, if any of them can continue.
    walk: Walk,
    jump_sources: JumpSources,
    /// Pieces with a jump that can continue.
    going_on: u32,
}

impl Moves {
    #[inline]
    pub(super) fn new(pos: &Checkers) -> Moves {
        let (jump_sources, going_on) = if pos.jumps { pos.jump_sources() } else { (JumpSources::NONE, 0) };
        let (pos, empty, left) = (*pos, pos.empty(), pos.able);
        Moves { pos, empty, left, targets: 0, from: 0, walk: Walk::NONE, jump_sources, going_on }
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
            if self.going_on != 0 && self.walk.advance() {
                return Some(self.walk.take_move());
            }
            if self.left == 0 {
                return None;
            }
            self.from = self.left.trailing_zeros() as u8;
            self.left &= self.left - 1;
            let kind = self.pos.kind(self.from);
            if !self.pos.jumps {
                self.targets = STEPS[kind][usize::from(self.from & 31)] & self.empty;
            } else if self.going_on >> (self.from & 31) & 1 == 1 {
                self.walk = self.pos.walk(self.from);
            } else {
                self.targets = self.jump_sources.ends(self.from, WAYS[kind]);
            }
        }
    }
}

/// Directions of each kind of piece, as a half-open range.
const WAYS: [(u8, u8); 3] = [(2, 4), (0, 2), (0, 4)];

impl Checkers {
    /// Jump sources of the mover, and those of its pieces with a jump that can continue.
    #[inline]
    pub(super) fn jump_sources(&self) -> (JumpSources, u32) {
        if self.side == 0 {
            let jump_sources = self.jump_sources_of::<true>();
            (jump_sources, self.going_on_of::<true>(jump_sources))
        } else {
            let jump_sources = self.jump_sources_of::<false>();
            (jump_sources, self.going_on_of::<false>(jump_sources))
        }
    }

    /// The jumps of the mover's piece on a square.
    #[inline]
    pub(super) fn walk(&self, from: u8) -> Walk {
        Walk::new(from, self.ways(from), self.empty(), self.pieces[usize::from(self.side ^ 1)])
    }

    /// Directions of the mover's piece on a square, as a half-open range.
    #[inline]
    pub(super) fn ways(&self, from: u8) -> (u8, u8) {
        WAYS[self.kind(from)]
    }

    /// Kind of the mover's piece on a square: 0 for a man of South, 1 for a man of North, 2 for a king.
    #[inline]
    pub(super) fn kind(&self, square: u8) -> usize {
        if self.kings >> (square & 31) & 1 == 1 { 2 } else { usize::from(self.side & 1) }
    }

    /// The walk at the end of a legal jump over several pieces.
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

    /// The path of a legal move.
    pub fn path(&self, mv: Move) -> Path {
        let (from, to, _) = parts(mv);
        if self.jumps { self.walked(mv).path() } else { Path::step(from, to) }
    }
}
