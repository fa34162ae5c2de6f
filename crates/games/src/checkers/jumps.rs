//! All the ways in which one piece can jump, one after the other, without a list of them.
//!
//! A jump goes on until nothing more can be jumped, and a piece may come by a square again, its own among them, for it has left
//! that. No piece is jumped twice. By the rules (World Checkers Draughts Federation, as the American Checker Federation has them) the
//! captured pieces are lifted once the move is complete; that they stay until then bars no way: a piece that jumps only ever lands on
//! squares an even number of rows from where it set out, and what it jumps lies an odd number away.
//!
//! What it jumps lies inside the border, too, on every other row and every other file: nine squares at most. The eight squares it can
//! land on and the nine between them are always one of the same few small graphs, in which no more than nine ways that use no
//! edge twice lead from one square to another, and no more than sixteen from one: a move's number among those between the same two
//! squares has room in six bits, and twelve kings have less than 256 moves.

use super::numbers::numbered;
use super::sets::{BEHIND, NEXT, NOWHERE};
use crate::Move;

/// The most pieces that one move captures.
pub const MOST_CAPTURED: usize = 9;

/// The squares of one move, by their numbers from 1 to 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    squares: [u8; MOST_CAPTURED + 1],
    captured: [u8; MOST_CAPTURED],
    landings: u8,
    captures: u8,
}

impl Path {
    /// Where the piece sets out, then every square it lands on.
    pub fn squares(&self) -> &[u8] {
        &self.squares[..=usize::from(self.landings)]
    }

    /// What is captured, in the order of jumps; empty for a step.
    pub fn captured(&self) -> &[u8] {
        &self.captured[..usize::from(self.captures)]
    }

    pub(super) fn step(from: u8, to: u8) -> Path {
        let mut path = Path { squares: [0; MOST_CAPTURED + 1], captured: [0; MOST_CAPTURED], landings: 1, captures: 0 };
        (path.squares[0], path.squares[1]) = (from + 1, to + 1);
        path
    }

    /// A jump by these ways, two bits each, the last in the lowest.
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

/// A walk through all jumps of one piece. Squares are bits, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walk {
    /// Where it may land: the empty squares, and where it set out.
    free: u32,
    /// What is not jumped yet.
    prey: u32,
    /// The ways of the jumps up to here, two bits each, the last in the lowest.
    trail: u32,
    from: u8,
    at: u8,
    /// Jumps up to here.
    jumps: u8,
    /// The next way to try from here.
    way: u8,
    /// The ways the piece may go: from the first up to, but not, the last.
    first: u8,
    last: u8,
    /// How many jumps of more than one piece ended on each of the squares that can be landed on, eight bits each.
    ends: u64,
}

impl Walk {
    /// There is nothing to jump.
    pub const NONE: Walk =
        Walk { free: 0, prey: 0, trail: 0, from: 0, at: 0, jumps: 0, way: 0, first: 0, last: 0, ends: 0 };

    /// Before the first jump of the piece on `from`, which may go the ways from `first` up to `last`.
    #[inline]
    pub fn new(from: u8, (first, last): (u8, u8), empty: u32, prey: u32) -> Walk {
        Walk { free: empty | 1 << from, prey, trail: 0, from, at: from, jumps: 0, way: first, first, last, ends: 0 }
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

    /// Jumps the next way that can be jumped from here, if there is one.
    #[inline]
    fn jump(&mut self) -> bool {
        let at = usize::from(self.at & 31);
        while self.way < self.last {
            let way = usize::from(self.way & 3);
            let (over, to) = (NEXT[at][way], BEHIND[at][way]);
            self.way += 1;
            if to != NOWHERE && self.prey >> (over & 31) & self.free >> (to & 31) & 1 == 1 {
                self.prey ^= 1 << (over & 31);
                self.trail = self.trail << 2 | way as u32;
                (self.at, self.way) = (to, self.first);
                self.jumps += 1;
                return true;
            }
        }
        false
    }

    /// Takes the last jump back; the way after it is the next to try.
    #[inline]
    fn retreat(&mut self) {
        let way = (self.trail & 3) as usize;
        // The ways lie in the table so that the last is the way back of the first.
        self.at = BEHIND[usize::from(self.at & 31)][3 - way];
        self.prey |= 1 << (NEXT[usize::from(self.at & 31)][way] & 31);
        self.trail >>= 2;
        self.jumps -= 1;
        self.way = way as u8 + 1;
    }

    /// The move that ends here; asked once at every end, for it counts them.
    #[inline]
    pub fn take_move(&mut self) -> Move {
        let mut number = 0;
        if self.jumps > 1 {
            // Two squares of every other row can be landed on, one of them in each half of it.
            let shift = 8 * (u32::from(self.at) >> 3 << 1 | u32::from(self.at) >> 1 & 1);
            self.ends += 1 << shift;
            number = (self.ends >> shift) as u16 & 0xff;
        }
        numbered(self.from, self.at, number)
    }

    /// What has not been captured on the way to here.
    #[inline]
    pub fn left(&self) -> u32 {
        self.prey
    }

    pub fn path(&self) -> Path {
        Path::jump(self.from, self.trail, self.jumps)
    }
}
