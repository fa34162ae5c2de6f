//! A game played elsewhere, as a line of text.
//!
//! The line may be damaged or misplaced. All cheap checks are done: every game's end, and the legality of all stored
//! moves, which are as many as resuming a run replays.

use super::game::{Final, LONGEST_GAME, PlayedGame, Spent};
use super::settings::{Cell, Settings};
use mancalab_base::Error;

/// A game's line and its timings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameLine<'a> {
    end: Final,
    /// The moves as in [`PlayedGame::code`], if present.
    code: Option<&'a str>,
    spent: Spent,
}

/// Games of a tournament played elsewhere, per cell in the order of rounds.
pub(crate) trait Source {
    /// Returns the next game of this cell, until [`pass`](Source::pass) skips it; `None` if it is not available yet.
    ///
    /// # Errors
    /// It cannot be read.
    fn peek(&mut self, cell: usize) -> Result<Option<GameLine<'_>>, Error>;

    /// Advances past that game, which has been counted.
    fn pass(&mut self, cell: usize);
}

/// Returns the first characters of a text, for error messages.
fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}

impl<'a> GameLine<'a> {
    /// Parses a line of a [block's](super::Block) games and its line of timings, both without the line break. Empty
    /// timings count as no time.
    ///
    /// # Errors
    /// The lines are invalid.
    pub(crate) fn parse(game: &'a str, timings: &str) -> Result<GameLine<'a>, Error> {
        let (end, code) = game.split_once(':').map_or((game, None), |(end, code)| (end, Some(code)));
        let end = Final::parse(end).filter(|_| game.len() <= LONGEST_GAME).ok_or_else(|| {
            format!("'{}' is not a game: a margin, or a margin, a colon and moves are expected", beginning(game))
        })?;
        let spent = if timings.is_empty() { Some(Spent::default()) } else { Spent::parse(timings) };
        let spent = spent.ok_or_else(|| {
            format!("'{}' is not a timing: nanoseconds and moves of both players are expected", beginning(timings))
        })?;
        Ok(GameLine { end, code, spent })
    }

    pub(super) fn end(&self) -> Final {
        self.end
    }

    pub(super) fn spent(&self) -> Spent {
        self.spent
    }

    pub(super) fn has_moves(&self) -> bool {
        self.code.is_some()
    }

    /// Writes the game as in the row of a round; with `moves`, checks the moves and writes them too.
    ///
    /// # Errors
    /// The moves are missing, illegal, have another result, or do not begin with the opening of that round.
    pub(super) fn write(
        &self,
        settings: &Settings,
        cell: Cell,
        round: u32,
        moves: bool,
        row: &mut String,
    ) -> Result<(), Error> {
        if !moves {
            self.end.write(row);
            return Ok(());
        }
        let code = self.code.unwrap_or_default();
        let kept = PlayedGame::decode(settings, (0, cell), round, self.end, code);
        // Encoding the moves again must give the same text: the encoding is unique.
        let from = row.len();
        let is_sound = kept.is_some_and(|kept| {
            kept.write(true, row);
            row[from..].split_once(':').is_some_and(|(_, written)| written == code)
                && kept.is_opened(settings)
                && kept.is_whole(settings.variant)
        });
        let first = cell.first + 1;
        let second = cell.second + 1;
        if is_sound {
            Ok(())
        } else {
            Err(format!("'{}:{}' is not the game of player {first} against {second} in round {round}: its moves are missing, not legal, \
                 end with another margin, or do not begin with that round's opening",
                self.end,
                beginning(code)).into())
        }
    }
}
