//! A game of a tournament that was played elsewhere, as the line in which it comes.
//!
//! What is read back may have been damaged or put in the wrong place. All that costs little is checked: every game's end, and the
//! moves of those whose moves are kept, which are as many as a run that is resumed plays again.

use super::game::{Final, Kept, LONGEST_GAME, Spent};
use super::settings::{Cell, Settings};
use mancalab_base::Error;

/// A game's line, and what was spent on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameLine<'a> {
    end: Final,
    /// The moves as [`Kept::code`] writes them, if they are told.
    code: Option<&'a str>,
    spent: Spent,
}

/// The games of a tournament that were played elsewhere, each cell's in the order of rounds.
pub(crate) trait Source {
    /// The next game of this cell; `None` if it is not there yet. The same one until it is passed.
    ///
    /// # Errors
    /// It cannot be read: a sentence.
    fn peek(&mut self, cell: usize) -> Result<Option<GameLine<'_>>, Error>;

    /// Goes on behind that game, which has been counted.
    fn pass(&mut self, cell: usize);
}

/// The first characters of a text, to be told which one it is.
fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}

impl<'a> GameLine<'a> {
    /// Reads a line of a [block's](super::Block) games and the one of its timings, both without the line break. Empty timings are
    /// none: no time is counted.
    ///
    /// # Errors
    /// They are no such lines: a sentence.
    pub(crate) fn parse(game: &'a str, timings: &str) -> Result<GameLine<'a>, Error> {
        let (end, code) = game.split_once(':').map_or((game, None), |(end, code)| (end, Some(code)));
        let end = Final::parse(end).filter(|_| game.len() <= LONGEST_GAME).ok_or_else(|| {
            format!("'{}' is no game: a margin, or a margin, a colon and moves are expected", beginning(game))
        })?;
        let spent = if timings.is_empty() { Some(Spent::default()) } else { Spent::parse(timings) };
        let spent = spent.ok_or_else(|| {
            format!("'{}' is no time: nanoseconds and moves of both players are expected", beginning(timings))
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

    /// Writes the game as it stands in the row of a round, with its moves if they are wanted, which are then checked.
    ///
    /// # Errors
    /// The moves are missing, not legal, end otherwise, or do not begin with the opening of that round: a sentence.
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
        let kept = Kept::decode(settings, (0, cell), round, self.end, code);
        // What is written again is the same text, or it could have been written otherwise.
        let from = row.len();
        let is_sound = kept.is_some_and(|kept| {
            kept.write(true, row);
            row[from..].split_once(':').is_some_and(|(_, written)| written == code)
                && kept.is_opened(settings)
                && kept.is_whole(settings.variant)
        });
        let (first, second) = (cell.first + 1, cell.second + 1);
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
