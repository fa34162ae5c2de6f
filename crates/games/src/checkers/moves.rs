//! Generator of the legal moves of a position, and of all jumps of one piece.
//!
//! Generator of all jumps of one piece, without a list.
//!
//! A jump continues until nothing more can be captured. A piece may pass a square again, its start square among them,
//! which it has left. No piece is jumped twice. By the rules (World Checkers Draughts Federation, following the
//! American Checker Federation) captured pieces are lifted once the move is complete. Until then they block nothing: a
//! jumping piece only lands on squares an even number of rows from its start, and the pieces it captures are an odd
//! number of rows away.
//!
//! Captured pieces are inside the border and on every other row and file: nine squares at most. The eight squares to
//! land on and the nine between them always form one of a few small graphs. In these at most nine paths without a
//! repeated edge connect two squares, and at most sixteen start from one: so the index of a move among those between
//! the same two squares fits in six bits, and twelve kings have fewer than 256 moves.

use super::Checkers;
use super::jump_sources::JumpSources;
use super::sets::{BEHIND, NEXT, NOWHERE, STEPS};
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

/// Maximal number of pieces that one move captures.
pub const MOST_CAPTURED: usize = 9;

/// The squares of one move, numbered 1 to 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    squares: [u8; MOST_CAPTURED + 1],
    captured: [u8; MOST_CAPTURED],
    landings: u8,
    captures: u8,
}

impl Path {
    /// The start square, then every landing square.
    pub fn squares(&self) -> &[u8] {
        &self.squares[..=usize::from(self.landings)]
    }

    /// The captured squares in the order of the jumps; empty for a step.
    pub fn captured(&self) -> &[u8] {
        &self.captured[..usize::from(self.captures)]
    }

    pub(super) fn step(from: u8, to: u8) -> Path {
        let mut path = Path { squares: [0; MOST_CAPTURED + 1], captured: [0; MOST_CAPTURED], landings: 1, captures: 0 };
        (path.squares[0], path.squares[1]) = (from + 1, to + 1);
        path
    }

    /// A jump in these directions, two bits each, the last in the lowest bits.
    fn jump(from: u8, trail: u32, jumps: u8) -> Path {
        let mut path =
            Path { squares: [0; MOST_CAPTURED + 1], captured: [0; MOST_CAPTURED], landings: jumps, captures: jumps };
        let mut at = from;
        path.squares[0] = from + 1;
        for nth in 0..usize::from(jumps) {
            let way = (trail >> (2 * (usize::from(jumps) - 1 - nth))) as usize & 3;
            path.captured[nth] = NEXT[usize::from(at & 31)][way] + 1;
            at = BEHIND[usize::from(at & 31)][way];
            path.squares[nth + 1] = at + 1;
        }
        path
    }
}

/// Depth-first walk through all jumps of one piece. Squares count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walk {
    /// Squares to land on: the empty squares and the start square.
    free: u32,
    /// Pieces not yet captured.
    capturable: u32,
    /// Directions of the jumps so far, two bits each, the last in the lowest bits.
    trail: u32,
    from: u8,
    square: u8,
    /// Number of jumps so far.
    jumps: u8,
    /// Next direction to try from here.
    way: u8,
    /// Directions of the piece, as a half-open range.
    first: u8,
    last: u8,
    /// Number of multiple jumps that ended on each landing square, eight bits each.
    ends: u64,
}

impl Walk {
    /// A walk without jumps.
    pub const NONE: Walk =
        Walk { free: 0, capturable: 0, trail: 0, from: 0, square: 0, jumps: 0, way: 0, first: 0, last: 0, ends: 0 };

    /// Walk of the piece on `from`, before its first jump, in directions `first` to `last - 1`.
    #[inline]
    pub fn new(from: u8, (first, last): (u8, u8), empty: u32, capturable: u32) -> Walk {
        Walk {
            free: empty | 1 << from,
            capturable,
            trail: 0,
            from,
            square: from,
            jumps: 0,
            way: first,
            first,
            last,
            ends: 0,
        }
    }

    /// Goes to the end of the next jump; false if there is none.
    #[inline]
    pub fn advance(&mut self) -> bool {
        let mut has_jumped = false;
        loop {
            if self.jump() {
                has_jumped = true;
            } else if has_jumped {
                return true;
            } else if self.jumps == 0 {
                return false;
            } else {
                self.retreat();
            }
        }
    }

    /// Jumps in the next possible direction, if any.
    #[inline]
    fn jump(&mut self) -> bool {
        let at = usize::from(self.square & 31);
        while self.way < self.last {
            let way = usize::from(self.way & 3);
            let over = NEXT[at][way];
            let to = BEHIND[at][way];
            self.way += 1;
            if to != NOWHERE && self.capturable >> (over & 31) & self.free >> (to & 31) & 1 == 1 {
                self.capturable ^= 1 << (over & 31);
                self.trail = self.trail << 2 | way as u32;
                (self.square, self.way) = (to, self.first);
                self.jumps += 1;
                return true;
            }
        }
        false
    }

    /// Takes back the last jump and continues with the direction after it.
    #[inline]
    fn retreat(&mut self) {
        let way = (self.trail & 3) as usize;
        // The directions are ordered so that 3 minus one is its opposite.
        self.square = BEHIND[usize::from(self.square & 31)][3 - way];
        self.capturable |= 1 << (NEXT[usize::from(self.square & 31)][way] & 31);
        self.trail >>= 2;
        self.jumps -= 1;
        self.way = way as u8 + 1;
    }

    /// The move that ends here. Call once at every end, as it counts them.
    #[inline]
    pub fn take_move(&mut self) -> Move {
        let mut number = 0;
        if self.jumps > 1 {
            // Each second row has two landing squares, one in each half.
            let shift = 8 * (u32::from(self.square) >> 3 << 1 | u32::from(self.square) >> 1 & 1);
            self.ends += 1 << shift;
            number = (self.ends >> shift) as u16 & 0xff;
        }
        numbered(self.from, self.square, number)
    }

    /// Pieces not captured on the way here.
    #[inline]
    pub fn left(&self) -> u32 {
        self.capturable
    }

    pub fn path(&self) -> Path {
        Path::jump(self.from, self.trail, self.jumps)
    }
}

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
