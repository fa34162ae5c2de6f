//! The games of a tournament as rows, one per game.

use super::game::{Final, PlayedGame, Spent};
use super::settings::{Cell, Settings};
use crate::game::Outcome;
use mancalab_base::Error;

/// Columns of [`games`], after the run.
pub(crate) const GAME_COLUMNS: &[&str] = &[
    "round",
    "pair",
    "first_player",
    "second_player",
    "first_outcome",
    "first_points",
    "first_margin",
    "first_lost",
    "second_lost",
    "moves_count",
    "moves",
];

/// Columns of [`times`], after the run.
pub(crate) const TIME_COLUMNS: &[&str] =
    &["round", "pair", "first_player", "second_player", "seat", "player", "seconds", "moves_count"];

/// The cells of a tournament with the names of their players.
pub(crate) struct Games<'a> {
    settings: &'a Settings,
    cells: Vec<(Cell, [String; 2])>,
    has_margins: bool,
}

impl<'a> Games<'a> {
    pub fn new(settings: &'a Settings) -> Games<'a> {
        let name = |player: usize| settings.players[player].to_string();
        let cells = settings.cells().into_iter().map(|cell| (cell, [name(cell.first), name(cell.second)])).collect();
        Games { settings, cells, has_margins: settings.variant.start().decided().is_none() }
    }

    /// Splits a row into the number of its round and the texts of its cells in the last field.
    fn texts<'r>(&self, row: &'r str) -> Result<(u32, std::str::Split<'r, char>), Error> {
        let odd = || format!("'{}…' is not a round of this tournament", row.chars().take(20).collect::<String>());
        let round = row.split(',').next().and_then(|text| text.parse().ok()).ok_or_else(odd)?;
        let (_, games) = row.rsplit_once(',').ok_or_else(odd)?;
        Ok((round, games.split(' ')))
    }

    /// Returns the games of a row of `generations.csv`. Results are those of the player that moved first; fields that were not
    /// measured or recorded are empty.
    ///
    /// # Errors
    /// The row is invalid.
    pub fn games(&self, row: &str) -> Result<Vec<Vec<String>>, Error> {
        let (round, texts) = self.texts(row)?;
        let mut games = Vec::new();
        for (index, (text, (cell, [first, second]))) in
            texts.zip(&self.cells).enumerate().filter(|(_, (text, _))| *text != "-")
        {
            let (end, code) = text.split_once(':').map_or((text, None), |(end, code)| (end, Some(code)));
            let odd = || format!("round {round}: '{}' is not a game", text.chars().take(20).collect::<String>());
            let end = Final::parse(end).ok_or_else(odd)?;
            let played =
                code.map(|code| PlayedGame::decode(self.settings, (index, *cell), round, end, code).ok_or_else(odd));
            let played = played.transpose()?;
            let lost = |side: usize| end.lost.map(|lost| lost[side].to_string()).unwrap_or_default();
            games.push(vec![
                round.to_string(),
                (index + 1).to_string(),
                first.clone(),
                second.clone(),
                outcome(end.outcome).to_owned(),
                (f64::from(end.outcome.halves()) / 2.0).to_string(),
                if self.has_margins { end.margin.to_string() } else { String::new() },
                lost(0),
                lost(1),
                played.as_ref().map(|played| played.moves.len().to_string()).unwrap_or_default(),
                played.map(|played| played.moves_text(self.settings.variant)).unwrap_or_default(),
            ]);
        }
        Ok(games)
    }

    /// Returns the times of a row of `timings.csv`, one per game and player.
    ///
    /// # Errors
    /// The row is invalid.
    pub fn times(&self, row: &str) -> Result<Vec<Vec<String>>, Error> {
        let (round, texts) = self.texts(row)?;
        let mut times = Vec::new();
        for (index, (text, (_, players))) in texts.zip(&self.cells).enumerate() {
            let Some(spent) = Spent::parse(text) else { continue };
            for (side, seat) in ["first", "second"].into_iter().enumerate() {
                let seconds = format!("{:.9}", spent.time[side].as_secs_f64());
                let [first, second] = players.clone();
                times.push(vec![
                    round.to_string(),
                    (index + 1).to_string(),
                    first,
                    second,
                    seat.to_owned(),
                    players[side].clone(),
                    seconds,
                    spent.turns[side].to_string(),
                ]);
            }
        }
        Ok(times)
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won",
        Outcome::Drawn => "drawn",
        Outcome::Lost => "lost",
    }
}
