//! A position as the side to move sees it.

use crate::game::Side;
use crate::game::checkers::Checkers;
use crate::game::checkers::sets::{Way, neighbours};

/// Squares of the mover's and of the opponent's pieces. The mover's men move to higher numbers: where White moves, the board is
/// turned by half a turn. So positions that differ only in colours are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Of the mover and of the opponent.
    pub men: [u32; 2],
    pub kings: [u32; 2],
}

impl Placement {
    #[inline]
    pub fn from_position(pos: &Checkers) -> Placement {
        let [own, other] = pos.sides();
        Placement { men: [own[0], other[0]], kings: [own[1], other[1]] }
    }

    /// The placement of a [board](super::board).
    #[inline]
    pub fn of_board(board: [u64; 2]) -> Placement {
        Placement { men: board.map(|side| side as u32), kings: board.map(|side| (side >> 32) as u32) }
    }

    /// The same board with the other side to move.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Placement {
        let turn = |[mover, other]: [u32; 2]| [other.reverse_bits(), mover.reverse_bits()];
        Placement { men: turn(self.men), kings: turn(self.kings) }
    }

    /// The position with South to move.
    #[inline]
    pub fn position(self) -> Checkers {
        Checkers::from_sets(self.men, self.kings, Side::South)
    }

    /// The placements before a step of the opponent that captured nothing and made no king. In some of them the opponent
    /// would have had to jump.
    #[inline]
    pub fn for_each_parent(self, mut visit: impl FnMut(Placement)) {
        let empty = !(self.men[0] | self.men[1] | self.kings[0] | self.kings[1]);
        // The opponent's men move to lower numbers, so they come from higher ones.
        for way in Way::ALL {
            let from = |pieces: u32| neighbours(pieces, way) & empty;
            if Way::FAR.contains(&way) {
                each(from(self.men[1]), |square| {
                    let men = [self.men[0], self.men[1] & !neighbours(square, way.back()) | square];
                    visit(Placement { men, ..self }.turned());
                });
            }
            each(from(self.kings[1]), |square| {
                let kings = [self.kings[0], self.kings[1] & !neighbours(square, way.back()) | square];
                visit(Placement { kings, ..self }.turned());
            });
        }
    }
}

/// Calls `visit` with each square of a set.
#[inline]
fn each(mut set: u32, mut visit: impl FnMut(u32)) {
    while set != 0 {
        visit(set & set.wrapping_neg());
        set &= set - 1;
    }
}
