//! Search values: evaluations, and wins and losses outside their range.
//!
//! A value is that for the side to move. Shorter wins and longer losses are better. Plies count from the
//! position itself, so that the value is independent of the path and the table may store it; each step back
//! to the parent adds one ply.

/// Value of a game won in this position.
pub const WON: i32 = 1 << 30;

/// Lower limit of winning values: it leaves 1024 plies for the deepest search and the captures beyond it.
const WIN: i32 = WON - (1 << 10);

/// Greater than any value.
pub(crate) const ABOVE_ALL: i32 = WON + (1 << 10);

/// Limit of the absolute value of an evaluation.
pub const GREATEST: i32 = 1 << 29;

/// A search value in readable form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// In the evaluation's own unit.
    Evaluated(i32),
    /// The side to move wins in this many plies.
    Wins(u32),
    /// The side to move loses in this many plies.
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

/// Converts the value of a position to that of its parent, for the parent's mover; `turns`: the move passes
/// the turn.
#[inline]
pub(crate) fn before(turns: bool, value: i32) -> i32 {
    let value = if turns { -value } else { value };
    match value {
        win if win >= WIN => win - 1,
        loss if loss <= -WIN => loss + 1,
        value => value,
    }
}

/// Converts a parent's window to that of the position after a move; the inverse of [`before`].
#[inline]
pub(crate) fn after(turns: bool, (alpha, beta): (i32, i32)) -> (i32, i32) {
    let bound = |bound: i32| match bound {
        win if win >= WIN => win + 1,
        loss if loss <= -WIN => loss - 1,
        bound => bound,
    };
    if turns { (bound(-beta), bound(-alpha)) } else { (bound(alpha), bound(beta)) }
}
