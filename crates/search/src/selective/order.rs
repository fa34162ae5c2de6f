//! The history heuristic: moves that were best elsewhere come first.

use crate::game::{Move, Side};

/// How often a move was best, by side and move.
#[derive(Clone)]
pub(super) struct Order(Vec<i32>);

/// Limit of a rank, in the unit of evaluations.
const MOST: i32 = 128;

/// Moves with the same lower bits share a rank: in checkers those between the same squares.
const BITS: u32 = 10;

#[inline]
fn at(side: Side, mv: Move) -> usize {
    side.index() << BITS | mv.index() & ((1 << BITS) - 1)
}

impl Order {
    /// Empty unless it is used.
    pub fn new(is_used: bool) -> Order {
        Order(vec![0; if is_used { 2 << BITS } else { 0 }])
    }

    #[inline]
    pub fn rank(&self, side: Side, mv: Move) -> i32 {
        self.0[at(side, mv)]
    }

    /// Raises the rank of the move that ended a search to this depth, and lowers those of the moves tried before it.
    pub fn learn(&mut self, side: Side, depth: u8, best: Move, tried: impl Iterator<Item = Move>) {
        let gain = (i32::from(depth) * i32::from(depth)).min(MOST);
        for mv in tried {
            let rank = &mut self.0[at(side, mv)];
            let change = if mv == best { gain } else { -gain };
            // The closer to the limit, the smaller the change.
            *rank += change - *rank * gain / MOST;
        }
    }
}
