//! Margins of games where only winning counts, from a table of wins and losses without draws by rule.
//!
//! A draw of the table is one under any such rule: each side has a strategy that never loses. A win remains one if its plies
//! fit before a rule ends the game, and no earlier position can come up for the third time: the plies left fall with every
//! move of the line to the win, so it can only reach positions that are nearer to it. Otherwise the side that would win does
//! not lose.

use super::Margins;
use crate::SearchHints;
use crate::game::History;
use crate::tables::EndgameTable;
use crate::tables::endgame::checkers::Value;

/// Minimal number of earlier positions of which one came up twice.
const FEWEST: usize = 5;

/// Bounds of the margin of the side to move, of a position that is not over; `None` if the table does not have it. `won` is
/// the margin of a won game.
pub(super) fn margins<G: SearchHints>(
    table: &EndgameTable,
    pos: &G,
    history: &History<G>,
    won: i32,
) -> Option<Margins> {
    let value = table.value_of(pos.endgame_board())?;
    let Some(plies) = value.plies() else { return Some(Margins { least: 0, most: 0, likely: 0 }) };
    let is_certain = u32::from(plies) <= pos.plies_to_rule(history) && !may_recur(table, pos, history, value);
    let assured = if is_certain { won } else { 0 };
    Some(match value {
        Value::Loses(_) => Margins { least: -won, most: -assured, likely: -won },
        Value::Wins(_) | Value::Draws => Margins { least: assured, most: won, likely: won },
    })
}

/// Whether the line to a win may reach a position that came up twice.
fn may_recur<G: SearchHints>(table: &EndgameTable, pos: &G, history: &History<G>, value: Value) -> bool {
    let before = history.positions();
    if before.len() < FEWEST || !pos.depends_on_history(history, u32::MAX) {
        return false;
    }
    let is_nearer = |earlier: &G| {
        let known = table.value_of(earlier.endgame_board()).filter(|known| known.plies() < value.plies());
        match known {
            Some(Value::Draws) | None => false,
            Some(known) => {
                matches!(known, Value::Wins(_)) == (matches!(value, Value::Wins(_)) == (earlier.side() == pos.side()))
            }
        }
    };
    let came_up_twice = |at: usize| before[..at].iter().any(|earlier| earlier.key() == before[at].key());
    (FEWEST - 1..before.len()).any(|at| came_up_twice(at) && is_nearer(&before[at]))
}

#[cfg(test)]
mod tests;
