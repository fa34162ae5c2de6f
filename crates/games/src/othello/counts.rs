//! What lies on the board in numbers: discs, corners, near corners and edges of each side, also as it will be after each legal move.
//!
//! A player that values the boards after all of its moves asks for nothing else, so all moves are counted together: what each flips
//! is read off what the mover holds, and only flipped discs are counted, for they are what the counts change by. That is done by
//! plain loops over the moves, which the compiler makes into loops over as many at a time as the processor has lanes for.

use super::lines::Held;
use super::{Othello, PASS};
use crate::{Move, Side};

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

/// What each legal move does, in the moves' order.
#[derive(Clone, Debug)]
pub struct Afterwards {
    pos: Othello,
    moves: [Move; MOST_MOVES],
    flipped: [u64; MOST_MOVES],
    count: usize,
}

impl Afterwards {
    /// All legal moves of `pos`; a pass leaves the board as it is. None once the game is over.
    #[inline]
    pub fn of(pos: &Othello) -> Afterwards {
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

    /// The moves, in their canonical order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.count]
    }

    /// The position after a move, by its number.
    #[inline]
    pub fn position(&self, number: usize) -> Othello {
        match self.moves[number] {
            PASS => self.pos.passed(),
            mv => self.pos.after(mv.0 as u8, self.flipped[number]),
        }
    }

    /// The counts after each move: gives `row` the number of each count that is `wanted`, a bit each, with a number a move. The
    /// counts are those of the side that moves and then the other's, [`COUNTS`] each. Rows are a multiple of `lanes` long, as far as
    /// there is room; what stands behind the last move means nothing.
    #[inline]
    pub fn count(&self, zones: Zones, wanted: u32, lanes: usize, mut row: impl FnMut(usize, &[i32])) {
        let room = self.count.next_multiple_of(lanes).min(MOST_MOVES);
        let is_put = u64::from(self.pos.legal != 0);
        let (mut taken, mut lost) = ([0; MOST_MOVES], [0; MOST_MOVES]);
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

    /// How many of `before` discs of the other side are left in a set of squares.
    #[inline]
    fn count_flipped(&self, mask: u64, before: i32, left: &mut [i32]) {
        if mask == CORNERS {
            // No disc in a corner is ever flipped.
            return left.fill(before);
        }
        for (left, &flipped) in left.iter_mut().zip(&self.flipped) {
            *left = before - (flipped & mask).count_ones() as i32;
        }
    }
}

impl Othello {
    /// The counts of the board as it lies, those of `side` first; see [`Afterwards::count`].
    pub fn counts(&self, side: Side, zones: Zones) -> [i32; 2 * COUNTS] {
        let discs = self.discs();
        let (own, other) = (discs[side.index()], discs[side.other().index()]);
        let masks = zones.masks();
        std::array::from_fn(|at| {
            let discs = if at < COUNTS { own } else { other };
            (discs & masks[at % COUNTS]).count_ones() as i32
        })
    }
}
