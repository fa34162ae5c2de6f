//! What lies on the board in numbers: discs, corners, near corners and edges of each side, also as it will be after each legal move.
//!
//! A player that values the boards after all of its moves asks for nothing else, thousands of times a game, so they are counted
//! together: what each move flips is read off what the mover holds, and the squares of eight sets are counted by plain loops over
//! the moves, which the compiler makes into loops over as many at a time as the processor has lanes for.

use super::lines::Held;
use super::{Othello, PASS};
use crate::game::{Game, Move, Side};

/// Counts of each side: discs, corners, near corners, edges.
pub const COUNTS: usize = 4;

/// Moves that are counted together: as many as any position has, rounded up.
pub const MOST_MOVES: usize = 36;

/// Which squares count as near corners and as edges, where a source says no more than their names. Usually all three squares next
/// to a corner are near it, and corners are no edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Zones {
    /// Only the square diagonally next to a corner is near it.
    pub near_is_x: bool,
    /// Corners are of the edges.
    pub edges_are_whole: bool,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Diagonally next to a corner.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// Next to a corner on an edge.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
const BORDER: u64 = 0xff81_8181_8181_81ff;

impl Zones {
    /// The squares of each of the [`COUNTS`].
    #[inline]
    pub fn masks(self) -> [u64; COUNTS] {
        let near = if self.near_is_x { X_SQUARES } else { X_SQUARES | C_SQUARES };
        let edges = if self.edges_are_whole { BORDER } else { BORDER & !CORNERS };
        [u64::MAX, CORNERS, near, edges]
    }
}

/// The boards after each legal move, in the moves' order.
#[derive(Clone, Debug)]
pub struct Afterwards {
    /// The discs of the side that has moved, and the other's.
    discs: [[u64; MOST_MOVES]; 2],
    moves: [Move; MOST_MOVES],
    count: usize,
}

impl Default for Afterwards {
    fn default() -> Afterwards {
        Afterwards { discs: [[0; MOST_MOVES]; 2], moves: [Move::NONE; MOST_MOVES], count: 0 }
    }
}

impl Afterwards {
    /// Of all legal moves of `pos`; a pass leaves the board as it is. None once the game is over.
    #[inline]
    pub fn of(&mut self, pos: &Othello) {
        self.count = 0;
        if pos.legal == 0 {
            if !pos.is_over() {
                self.push(PASS, pos.own, pos.other);
            }
            return;
        }
        let held = Held::new(pos.own, pos.other);
        let mut left = pos.legal;
        while left != 0 && self.count < MOST_MOVES {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let flipped = held.flips(square);
            self.push(square.into(), pos.own | flipped | 1 << square, pos.other ^ flipped);
        }
    }

    #[inline]
    fn push(&mut self, mv: Move, own: u64, other: u64) {
        (self.moves[self.count], self.discs[0][self.count], self.discs[1][self.count]) = (mv, own, other);
        self.count += 1;
    }

    /// The moves, in their canonical order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.count]
    }

    /// The counts after each move, as a row of a number a move for each of the two sides, the one that has moved first, and each
    /// of its [`COUNTS`]. Rows are a multiple of `lanes` long, as far as there is room; what stands behind the last move means
    /// nothing.
    #[inline]
    pub fn count(&self, zones: Zones, lanes: usize, mut row: impl FnMut(usize, &[i32])) {
        let mut counts = [0; MOST_MOVES];
        let room = self.count.next_multiple_of(lanes).min(MOST_MOVES);
        for (side, discs) in self.discs.iter().enumerate() {
            for (zone, mask) in zones.masks().into_iter().enumerate() {
                for (count, &discs) in counts[..room].iter_mut().zip(&discs[..room]) {
                    *count = (discs & mask).count_ones() as i32;
                }
                row(side * COUNTS + zone, &counts[..room]);
            }
        }
    }
}

impl Othello {
    /// The counts of the board as it lies, those of `side` first; see [`Afterwards::count`].
    pub fn counts(&self, side: Side, zones: Zones) -> [i32; 2 * COUNTS] {
        let discs = self.discs();
        let (own, other) = (discs[side.index()], discs[side.other().index()]);
        std::array::from_fn(|at| {
            let discs = if at < COUNTS { own } else { other };
            (discs & zones.masks()[at % COUNTS]).count_ones() as i32
        })
    }
}
