//! A number per game: `depth = 8`, or `depth = { kalah = 16, othello = 10 }`.

use std::ops::RangeInclusive;

use crate::game::Variant;
use crate::settings::{Diagnostic, Value};

/// One number per game, for all of its variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerGame(Vec<(&'static str, u32)>);

impl PerGame {
    /// Returns the same number for all games.
    pub fn all(number: u32) -> PerGame {
        PerGame(Variant::KNOWN.iter().map(|(game, _)| (*game, number)).collect())
    }

    pub fn get(&self, variant: &Variant) -> u32 {
        self.0.iter().find(|(game, _)| *game == variant.name()).map_or(0, |(_, number)| *number)
    }

    /// Reduces the numbers to at most this one.
    pub fn limit(&mut self, most: u32) {
        self.0.iter_mut().for_each(|(_, number)| *number = (*number).min(most));
    }

    /// Parses one number for all games, or a table; games missing from the table keep their numbers.
    ///
    /// # Errors
    /// A value is not a number or out of range, or a game is unknown.
    pub(super) fn read(&mut self, value: &Value<'_>, range: RangeInclusive<u32>) -> Result<(), Diagnostic> {
        let games = || Variant::KNOWN.iter().map(|(game, _)| *game);
        if !value.is_table() {
            let least = range.start();
            let most = range.end();
            let game = games().next().unwrap_or_default();
            let expected = format!("a whole number from {least} to {most}, or one per game: {{ {game} = {least} }}");
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

#[cfg(test)]
mod tests {
    use super::super::Config;
    use crate::paths::Paths;

    fn depth(text: &str, variant: &str) -> u32 {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        let config = Config::check_file(file.path(), &Paths::default()).unwrap();
        config.review.terms(&variant.parse().unwrap(), config.search.table_mb).depth
    }

    #[test]
    fn a_number_is_for_all_games_and_a_table_for_those_it_names() {
        let [kalah, othello] = ["kalah:6x4", "othello"].map(|variant| depth("", variant));
        assert_ne!(kalah, othello, "the usual ones differ");
        assert_eq!(depth("", "kalah:3x2:empty"), kalah, "whichever rules it is played by");
        let games = ["kalah:6x4", "othello"];
        assert_eq!(games.map(|game| depth("[review]\ndepth = 7\n", game)), [7; 2]);
        assert_eq!(games.map(|game| depth("[review.depth]\nothello = 4\n", game)), [kalah, 4]);
    }

    #[test]
    fn a_blunder_is_no_less_than_a_mistake() {
        let error_of = |text: &str| Config::check_text("x.toml", text).unwrap_err().to_string();
        let text = error_of("[review]\nblunder = 2\n");
        assert!(
            text.contains("`review.blunder` is less than `review.mistake`") && text.contains("x.toml:2:"),
            "{text}"
        );
        assert!(text.contains("a mistake gives away 10 % and a blunder 2 %"), "{text}");
        assert!(error_of("[review]\nmistake = 101\n").contains("1 to 100"));
        Config::check_text("x.toml", "[review]\nmistake = 2\nblunder = 2\n").unwrap();
    }
}
