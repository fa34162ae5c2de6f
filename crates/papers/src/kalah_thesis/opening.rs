//! Openings by kind of pair. Games of deterministic players repeat without random moves at their start; a player that chooses its moves by
//! chance needs none, so that such pairs are also played without.

use mancalab_base::Error;

use super::readings::{Readings, number};
use crate::Options;
use crate::player::Spec;

/// The setting: the other number of random moves, or [`SAME`].
pub(super) const KEY: &str = "chance_opening";
/// The value without a second opening.
const SAME: &str = "same";

/// Returns whether a player draws each of its moves.
pub(super) fn chooses_by_chance(player: &Spec) -> bool {
    matches!(player, Spec::Random | Spec::Mcts(_) | Spec::A3c(_))
}

/// Returns the other number of random opening moves of such pairs; `None` if it is that of all pairs.
///
/// # Errors
/// The setting is neither a number nor `same`.
pub(super) fn other(options: &Options) -> Result<Option<u32>, Error> {
    let moves = match options.value(KEY) {
        Some(SAME) => return Ok(None),
        Some(value) => number(KEY, value, 0, 100)?,
        None => 0,
    };
    Ok(Some(moves).filter(|moves| Readings::asked(options).is_ok_and(|read| read.opening != *moves)))
}

/// Returns the options with this number of random opening moves for all pairs.
pub(super) fn with(options: &Options, moves: u32) -> Options {
    let mut options = options.clone();
    options.set.push(("opening".to_owned(), moves.to_string()));
    options
}

/// Returns the reading.
pub(super) fn reading(other: Option<u32>) -> Vec<(&'static str, String)> {
    let text = |moves: u32| {
        format!("pairs with a player that chooses by chance (random, mcts, a3c) also from {moves} random moves")
    };
    other.map(|moves| ("by chance", text(moves))).into_iter().collect()
}
