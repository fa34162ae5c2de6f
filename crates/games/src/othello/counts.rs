//! Board counts: discs, corners, near corners and edges of each side, now and after each legal move.
//!
//! A player that evaluates the boards after all of its moves needs only these, so all moves are counted together: flips
//! are read from [`Held`], and only flipped discs are counted, as they are the change of the counts. Plain loops over
//! the moves let the compiler vectorize.

use super::lines::Held;
use super::{Othello, PASS};
use crate::{Move, Side};

/// Counts of each side: discs, corners, near corners, edges.
pub const COUNTS: usize = 4;

/// Maximal number of moves of any position, rounded up.
pub const MOST_MOVES: usize = 36;

/// Definition of near corners and edges, for sources that only name them. By default all three squares adjacent to a
/// corner are near it, and corners do not belong to edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Zones {
    /// Only the square diagonally adjacent to a corner is near it.
    pub near_is_x: bool,
    /// Corners belong to edges.
    pub edges_are_whole: bool,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Squares diagonally adjacent to a corner.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// Squares adjacent to a corner on an edge.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
const BORDER: u64 = 0xff81_8181_8181_81ff;

impl Zones {
    /// Squares of each of the [`COUNTS`].
    #[inline]
    pub fn masks(self) -> [u64; COUNTS] {
        let near = if self.near_is_x { X_SQUARES } else { X_SQUARES | C_SQUARES };
        let edges = if self.edges_are_whole { BORDER } else { BORDER & !CORNERS };
        [u64::MAX, CORNERS, near, edges]
    }
}

/// The legal moves and their flips, in canonical order.
#[derive(Clone, Debug)]
pub struct Afterwards {
    pos: Othello,
    moves: [Move; MOST_MOVES],
    flipped: [u64; MOST_MOVES],
    count: usize,
}

impl Afterwards {
    /// All legal moves of `pos`, a pass included; none once the game is over.
    #[inline]
    pub fn new(pos: &Othello) -> Afterwards {
        let mut after = Afterwards { pos: *pos, moves: [PASS; MOST_MOVES], flipped: [0; MOST_MOVES], count: 0 };
        if pos.legal == 0 {
            after.count = usize::from(!pos.over);
            return after;
        }
        let held = Held::new(pos.own, pos.other);
        let mut left = pos.legal;
        while left != 0 && after.count < MOST_MOVES {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            (after.moves[after.count], after.flipped[after.count]) = (square.into(), held.flips(square));
            after.count += 1;
        }
        after
    }

    /// The moves in canonical order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.count]
    }

    /// The position after move number `number`.
    #[inline]
    pub fn position(&self, number: usize) -> Othello {
        match self.moves[number] {
            PASS => self.pos.passed(),
            mv => self.pos.after(mv.0 as u8, self.flipped[number]),
        }
    }

    /// Counts after each move. Calls `row` with the index and the per-move values of each count in the bit set
    /// `wanted`. The counts are those of the moving side, then the other side's, [`COUNTS`] each. Rows are padded to a
    /// multiple of `lanes`, up to [`MOST_MOVES`]; values after the last move are unspecified.
    #[inline]
    pub fn count(&self, zones: Zones, wanted: u32, lanes: usize, mut row: impl FnMut(usize, &[i32])) {
        let room = self.count.next_multiple_of(lanes).min(MOST_MOVES);
        let is_put = u64::from(self.pos.legal != 0);
        let mut taken = [0; MOST_MOVES];
        let mut lost = [0; MOST_MOVES];
        for (zone, mask) in zones.masks().into_iter().enumerate() {
            let is_wanted = |side: usize| wanted >> (side * COUNTS + zone) & 1 == 1;
            if !is_wanted(0) && !is_wanted(1) {
                continue;
            }
            let own = (self.pos.own & mask).count_ones() as i32;
            let other = (self.pos.other & mask).count_ones() as i32;
            self.count_flipped(mask, other, &mut lost[..room]);
            for ((taken, lost), mv) in taken[..room].iter_mut().zip(&lost).zip(&self.moves) {
                *taken = own + other - lost + (mask >> (mv.0 & 63) & is_put) as i32;
            }
            if is_wanted(0) {
                row(zone, &taken[..room]);
            }
            if is_wanted(1) {
                row(COUNTS + zone, &lost[..room]);
            }
        }
    }

    /// Of the other side's `before` discs in a set of squares, those left after each move.
    #[inline]
    fn count_flipped(&self, mask: u64, before: i32, left: &mut [i32]) {
        if mask == CORNERS {
            // Discs in corners are never flipped.
            return left.fill(before);
        }
        for (left, &flipped) in left.iter_mut().zip(&self.flipped) {
            *left = before - (flipped & mask).count_ones() as i32;
        }
    }
}

impl Othello {
    /// Counts of the current board, those of `side` first; see [`Afterwards::count`].
    pub fn counts(&self, side: Side, zones: Zones) -> [i32; 2 * COUNTS] {
        let discs = self.discs();
        let own = discs[side.index()];
        let other = discs[side.other().index()];
        let masks = zones.masks();
        std::array::from_fn(|at| {
            let discs = if at < COUNTS { own } else { other };
            (discs & masks[at % COUNTS]).count_ones() as i32
        })
    }
}
