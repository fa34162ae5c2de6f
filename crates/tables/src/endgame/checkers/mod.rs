//! Endgame tables of English checkers: whether the side to move wins, draws or loses, and in how many plies.
//!
//! A table has every position of up to some pieces in which both sides have one. Its values are those of the game without
//! draws by repetition, by moves without progress or by a move limit: an endless game is drawn. The distance is the number
//! of plies until the loser has no legal move, where the winner plays for the shortest win and the loser for the longest
//! game. What remains of a win under those rules depends on the game's history, which a search has and a table lacks.
//!
//! K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9 (1986); R. Lake, J. Schaeffer and P. Lu, "Solving
//! Large Retrograde Analysis Problems Using a Network of Workstations", Advances in Computer Chess 7 (1994).

mod layers;
mod slices;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::sync::Arc;

pub(super) use layers::Layers;
pub(super) use slices::{Placement, Slices};

use super::{EndgameTable, TableRules, find};
use crate::game::checkers::Checkers;

/// The name of the table.
pub const NAME: &str = "checkers";

/// The numbers of pieces that a table may have. With more, distances do not fit a byte.
pub const PIECES: RangeInclusive<u8> = 2..=6;

/// The value of a position for its side to move, with best play by both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Wins in this many plies, an odd number.
    Wins(u8),
    Draws,
    /// Loses in this many plies, an even number; 0 without a legal move.
    Loses(u8),
}

/// The byte of a drawn position.
const DRAWN: u8 = u8::MAX;

impl Value {
    /// A byte is the distance, whose parity decides who wins.
    pub fn from_byte(byte: u8) -> Value {
        match byte {
            DRAWN => Value::Draws,
            plies if plies % 2 == 1 => Value::Wins(plies),
            plies => Value::Loses(plies),
        }
    }

    /// The distance in plies; `None` for a draw.
    pub fn plies(self) -> Option<u8> {
        match self {
            Value::Wins(plies) | Value::Loses(plies) => Some(plies),
            Value::Draws => None,
        }
    }

    /// The value for the other side of the move that leads to this position.
    #[must_use]
    pub fn before(self) -> Value {
        match self {
            Value::Wins(plies) => Value::Loses(plies.saturating_add(1)),
            Value::Draws => Value::Draws,
            Value::Loses(plies) => Value::Wins(plies.saturating_add(1)),
        }
    }

    /// Greater is better for the side to move: sooner wins and later losses.
    pub fn rank(self) -> i32 {
        match self {
            Value::Wins(plies) => 256 - i32::from(plies),
            Value::Draws => 0,
            Value::Loses(plies) => i32::from(plies) - 256,
        }
    }
}

/// What a table numbers a position by: the mover's and the opponent's men and kings, men in the lower 32 bits.
#[inline]
pub fn board(pos: &Checkers) -> [u64; 2] {
    pos.sides().map(|[men, kings]| u64::from(men) | u64::from(kings) << 32)
}

/// The table of the process, if there is one. Clones and threads share its blocks in memory, at most 64 MB.
#[derive(Clone)]
pub struct Tables(Arc<EndgameTable>);

impl Tables {
    /// Opens the table in the folder set by [`set_folder`](super::set_folder); `None` if there is no usable one.
    pub fn open() -> Option<Tables> {
        find(TableRules::Checkers).ok().flatten().map(Tables)
    }

    /// Maximal number of pieces of a position.
    pub fn pieces(&self) -> u8 {
        self.0.most()
    }

    /// Returns the value of a position under any move limit; `None` if it has too many pieces, one side has none, or reading
    /// fails. Takes a tenth of a microsecond for a position whose block is in memory.
    #[inline]
    pub fn probe(&self, pos: &Checkers) -> Option<Value> {
        self.0.value(pos)
    }
}
