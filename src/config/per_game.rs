//! A number that may differ from game to game: `depth = 8`, or `depth = { kalah = 16, othello = 10 }`.

use std::ops::RangeInclusive;

use crate::document::{Problem, Value};
use crate::game::Variant;

/// One number a game, whichever of its variants is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerGame(Vec<(&'static str, u32)>);

impl PerGame {
    /// The same for all games.
    pub fn all(number: u32) -> PerGame {
        PerGame(Variant::KNOWN.iter().map(|(game, _)| (*game, number)).collect())
    }

    pub fn of(&self, variant: &Variant) -> u32 {
        self.0.iter().find(|(game, _)| *game == variant.name()).map_or(0, |(_, number)| *number)
    }

    /// Games that a table does not name keep their numbers.
    ///
    /// # Errors
    /// A number that is none, or out of the range, or of a game that nobody knows.
    pub(super) fn read(&mut self, value: &Value<'_>, range: RangeInclusive<u32>) -> Result<(), Problem> {
        let games = || Variant::KNOWN.iter().map(|(game, _)| *game);
        if !value.is_table() {
            let (least, most, game) = (range.start(), range.end(), games().next().unwrap_or_default());
            let expected = format!("a whole number from {least} to {most}, or one a game: {{ {game} = {least} }}");
            *self = PerGame::all(value.whole(range).map_err(|_| value.wrong(expected))?);
            return Ok(());
        }
        let table = value.table()?;
        for entry in table.entries() {
            match self.0.iter_mut().find(|(game, _)| *game == entry.key()) {
                Some((_, number)) => *number = entry.whole(range.clone())?,
                None => return Err(table.unknown(&entry, "game", games())),
            }
        }
        Ok(())
    }
}
