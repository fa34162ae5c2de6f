//! Bounds of a position's margin from an endgame table, in a game with history; [`wins`] has those of games where only winning
//! counts.
//!
//! The table's bounds hold if the game began with the board. A side's strategy may lead to a position that came up before,
//! since the last capture; the game then ends, with the margin that its rules give. So an earlier position lowers the
//! guarantee to that margin, unless the strategy cannot reach it: its guarantees never fall, and its ranks fall where the
//! guarantee stays the same.

mod wins;

use crate::SearchHints;
use crate::game::{History, Move};
use crate::tables::endgame::Bounds;
use crate::tables::endgame::checkers::Value;
use crate::tables::endgame::{self, EndgameTable};
use std::sync::Arc;

/// Bounds of the margin of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Margins {
    pub least: i32,
    pub most: i32,
    /// The margin if no earlier position comes up again and both sides do their best, or the nearest to 0 to come that
    /// the bounds allow: the value where a search ends.
    pub likely: i32,
}

impl Margins {
    /// No bounds.
    pub const NONE: Margins = Margins { least: i32::MIN, most: i32::MAX, likely: 0 };
}

/// The endgame table of a game, once a search may open it.
#[derive(Clone)]
pub(super) struct MarginTable(Option<Arc<EndgameTable>>);

impl MarginTable {
    /// No table.
    pub const NONE: MarginTable = MarginTable(None);

    /// This table, which must be for the rules of the game.
    #[cfg(test)]
    pub fn new(table: Arc<EndgameTable>) -> MarginTable {
        MarginTable(Some(table))
    }

    /// Opens the table for the rules of `pos`, if there is one. A table that is not usable is none: the commands that
    /// list tables report it.
    pub fn open<G: SearchHints>(pos: &G) -> MarginTable {
        let find = || endgame::find_named(&pos.endgame_table()).ok().flatten();
        MarginTable(if G::HAS_ENDGAMES { find() } else { None })
    }

    /// Whether the table has proved damaged.
    #[inline]
    pub fn is_damaged(&self) -> bool {
        self.0.as_ref().is_some_and(|table| table.is_damaged())
    }

    /// Whether the table has the board of `pos`.
    #[inline]
    pub fn has<G: SearchHints>(&self, pos: &G) -> bool {
        G::HAS_ENDGAMES && self.0.as_ref().is_some_and(|table| table.has(pos.endgame_board()))
    }

    /// Bounds of a position that is not over; `None` if the table does not have it.
    #[inline(never)]
    pub fn get<G: SearchHints>(&self, pos: &G, history: &History<G>) -> Option<Margins> {
        if !G::HAS_ENDGAMES {
            return None;
        }
        if let Some(won) = G::WIN_SCORE {
            return wins::margins(self.0.as_ref()?, pos, history, won);
        }
        let bounds = self.0.as_ref()?.bounds(pos.endgame_board())?;
        let margin = pos.margin(pos.side());
        let [least, most] = [bounds.least, bounds.most].map(|bound| margin + i32::from(bound));
        let mut margins = Margins { least, most, likely: margin.clamp(least, most) };
        for before in history.positions().iter().rev().take_while(|before| before.reach() == pos.reach()) {
            let Some(known) = self.0.as_ref()?.bounds(before.endgame_board()) else { break };
            let value = before.stopped_margin(pos.side()).unwrap_or(0);
            let passes = |side| may_pass((pos.side() == side, bounds), (before.side() == side, known));
            if passes(pos.side()) {
                margins.least = margins.least.min(value);
            }
            if passes(pos.side().other()) {
                margins.most = margins.most.max(value);
            }
        }
        Some(margins)
    }

    /// Returns the value of a position in a table of wins and losses, whatever came before it.
    pub fn value<G: SearchHints>(&self, pos: &G) -> Option<Value> {
        let table = self.0.as_ref().filter(|_| G::WIN_SCORE.is_some())?;
        if pos.is_over() { Some(Value::Loses(0)) } else { table.value_of(pos.endgame_board()) }
    }

    /// Returns the first of the moves with the soonest win or the latest loss; `None` without a table of those, and in a
    /// drawn position.
    pub fn best_move<G: SearchHints>(&self, pos: &G) -> Option<Move> {
        self.value(pos)?.plies().filter(|&plies| plies > 0)?;
        let rank = |mv: Move| self.value(&pos.play(mv)).map_or(i32::MAX, Value::rank);
        pos.moves().min_by_key(|&mv| rank(mv))
    }
}

/// Whether a side's strategy from the first board may lead to the second, given whether the side is the mover of each.
fn may_pass((moves, bounds): (bool, Bounds), (moved, before): (bool, Bounds)) -> bool {
    let ((guarantee, rank), (earlier, earlier_rank)) = (bounds.guarantee(moves), before.guarantee(moved));
    // A strategy of rank 0 stays among boards that give at least the guarantee.
    let descends = rank < u8::MAX && rank <= earlier_rank;
    rank > 0 && (earlier > guarantee || earlier == guarantee && !descends)
}

#[cfg(test)]
mod tests;
