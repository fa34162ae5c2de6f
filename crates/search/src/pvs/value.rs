//! Values of this search: what an evaluation says, and wins and losses beyond all that it could say.
//!
//! A value is that of the side to move. A win counts for less the more plies there are to it, a loss for more, so that a win is played
//! for as soon as possible and a loss put off. Plies are counted from the position itself, so that the value is the same however
//! the position came about and a table may know it; from one position to the one before, it moves a ply further away.

/// The game is won here.
pub(super) const WON: i32 = 1 << 30;

/// A value of so much or more is a win: there is room for the plies of the deepest search, and of all captures behind it.
const WIN: i32 = WON - (1 << 10);

/// Greater than any value.
pub(super) const ABOVE_ALL: i32 = WON + (1 << 10);

/// No evaluation is beyond this, one way or the other.
pub const GREATEST: i32 = 1 << 29;

/// A value that a search has found, as it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// In the evaluation's own unit.
    Evaluated(i32),
    /// The side to move wins in so many plies.
    Wins(u32),
    /// It loses in so many plies.
    Loses(u32),
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        match value {
            win if win >= WIN => Value::Wins((WON - win) as u32),
            loss if loss <= -WIN => Value::Loses((WON + loss) as u32),
            value => Value::Evaluated(value),
        }
    }
}

/// The value of the position before, to its mover, where the move leads to one worth `value`; `turns`: to the other side's turn.
#[inline]
pub(super) fn before(turns: bool, value: i32) -> i32 {
    let value = if turns { -value } else { value };
    match value {
        win if win >= WIN => win - 1,
        loss if loss <= -WIN => loss + 1,
        value => value,
    }
}

/// The window in which the value after a move is asked for, where that of the position before it is asked for in this one.
#[inline]
pub(super) fn after(turns: bool, (alpha, beta): (i32, i32)) -> (i32, i32) {
    let bound = |bound: i32| match bound {
        win if win >= WIN => win + 1,
        loss if loss <= -WIN => loss - 1,
        bound => bound,
    };
    if turns { (bound(-beta), bound(-alpha)) } else { (bound(alpha), bound(beta)) }
}
