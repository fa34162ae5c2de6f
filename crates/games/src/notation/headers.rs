//! What texts of games share in every format: headers, the game of a text that names none, where reading ends.

use std::fmt;

use mancalab_base::{Error, bail};

use crate::record::Record;
use crate::{Notation as _, TextError, Variant};

/// Record header with the result that a file gives, if it differs from the result of the moves.
pub const AGREED: &str = "Agreed";

/// Record header with the seat that has resigned.
pub const RESIGNED: &str = "Resigned";

/// Record header with the reason for the end of a game, and its value if [`RESIGNED`] has lost on time.
pub const TERMINATION: &str = "Termination";
pub const ON_TIME: &str = "time forfeit";

/// Record header with what makes a game casual, such as `hints, take-back`; a rated game has none.
pub const CASUAL: &str = "Casual";

/// Record header with the time control: the seconds of each side and of each turn, as in `300+3`.
pub const TIME_CONTROL: &str = "TimeControl";

/// What formats without variations lose of a record.
pub(super) const MAIN_LINE_ONLY: &str = "variations";

/// Headers without a meaning for the program that game files commonly have: those of PGN and PDN, and its own remarks.
const REMARKS: &str = "Event Site Date Round SetUp Annotator EventDate EventType EventRank Time TimeControl Termination Mode \
    PlyCount ECO GameType BlackElo WhiteElo BlackRating WhiteRating BlackTimeControl WhiteTimeControl Opening Tournament \
    TheoreticalScore Agreed Resigned ResultAtEnd Casual Note";

/// Whether a header is one of those.
pub(super) fn is_remark(name: &str) -> bool {
    REMARKS.split(' ').any(|known| known.eq_ignore_ascii_case(name))
}

/// The game of texts that do not name one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefaultGame {
    pub variant: Variant,
    /// Whether the user named the variant, which is otherwise that of the game on the board. Its rules then hold for
    /// files without rules, too, and a text of another game is an error.
    pub is_given: bool,
}

impl From<Variant> for DefaultGame {
    /// The variant of the game on the board.
    fn from(variant: Variant) -> DefaultGame {
        DefaultGame { variant, is_given: false }
    }
}

impl DefaultGame {
    /// The variant that the user named, or otherwise that of the game on the board.
    #[must_use]
    pub fn named(named: Option<Variant>, usual: Variant) -> DefaultGame {
        DefaultGame { variant: named.unwrap_or(usual), is_given: named.is_some() }
    }

    /// Checks that a record is of the game that the user named.
    ///
    /// # Errors
    /// It is of another one.
    pub fn check(&self, record: &Record) -> Result<(), Error> {
        let own = record.start().variant();
        let wanted = self.variant.start().variant();
        if self.is_given && own != wanted {
            bail!("a game of {own}, not of {wanted} as --game says");
        }
        Ok(())
    }
}

/// Why and where a text could not be read further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadFailure {
    pub error: TextError,
    /// The game up to there, at its end; `None` if not even its start is known.
    pub begun: Option<Box<Record>>,
}

impl From<TextError> for ReadFailure {
    fn from(error: TextError) -> ReadFailure {
        ReadFailure { error, begun: None }
    }
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for ReadFailure {}

/// Result text of the record's main line, `*` for an unfinished game.
pub fn result_text(record: &Record) -> String {
    let end = record.main_end();
    let position = record.position_at(end);
    record.ending_at(end).map_or("*".to_owned(), |ending| with_position!(position, pos => pos.result_text(&ending)))
}
