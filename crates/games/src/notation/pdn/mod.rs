//! Portable Draughts Notation (PDN): files of many draughts games.
//!
//! ```text
//! [Event "Club championship"]
//! [White "Lafferty, Don"]
//! [Black "Tinsley, Marion"]
//! [Result "1/2-1/2"]
//! [GameType "21"]
//!
//! 1. 11-15 23-19 2. 8-11 22-17 {so, the usual} 3. 11-16! (3. 9-13 17-14) 24-20 1/2-1/2
//! ```
//!
//! Reads the reading grammar of PDN 3.0 and common extensions (`tokens`). A [`Collection`] holds where each
//! game starts (`scan`), eight bytes a game; its headers and moves are parsed only when it is read (`read`), so that listing thousands is
//! instant and an invalid game does not affect the others. Writes the standard form (`write`).
//!
//! Each game declares its own type ([`Notation::GAME_TYPE`](super::super::Notation::GAME_TYPE)); places are numbered
//! squares. Squares by letter and number (`c3-d4`), which the standard has for other games, are not supported: the
//! corner a1 depends on the side from which the board is seen, and files disagree on it.
//!
//! `1-0` means that White won. A result that does not follow from the moves, such as a resignation or an agreed draw,
//! is kept as the header [`AGREED`]. Moves after an unclaimed draw are kept as text (`played_on`). Annotations `!`,
//! `?`, `*` and `$7` are kept at the start of the moves' comments.

mod moves;
mod played_on;
mod read;
mod scan;
mod tokens;
mod words;
mod write;

use std::fmt;
use std::sync::Arc;

use crate::record::Record;
use crate::{Bare, TextError, Variant};

pub use scan::GameHeaders;
use scan::Start;
use tokens::{Placed, Token, Tokens};
pub use write::write;

/// Record header with the result that a file gives, if it differs from the result of the moves.
pub const AGREED: &str = "Agreed";

/// File header with the rules, if they are not the default ones.
const RULES: &str = "Rules";

/// The games of a file. Clones share its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    text: Arc<str>,
    starts: Arc<[Start]>,
}

/// Error in a game of a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The game's number in its file, from 1.
    pub game: usize,
    /// Number and side of the invalid move; `None` for errors before the first move.
    pub at: Option<(u32, &'static str)>,
    /// Lines count from the start of the file.
    pub error: TextError,
    /// The valid part of the game, at its end; `None` if there is none.
    pub begun: Option<Box<Record>>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, ", self.game)?;
        if let Some((number, side)) = self.at {
            write!(f, "{side}'s move {number}, ")?;
        }
        self.error.fmt(f)
    }
}

impl std::error::Error for Broken {}

impl Collection {
    /// Finds the games in a text; possibly none.
    #[must_use]
    pub fn new(text: &str) -> Collection {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Collection { text: text.into(), starts: scan::scan(text).into() }
    }

    /// The games of a file in UTF-8, or otherwise Latin 1, as older programs write it.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Collection {
        match std::str::from_utf8(bytes) {
            Ok(text) => Collection::new(text),
            Err(_) => Collection::new(&bytes.iter().copied().map(char::from).collect::<String>()),
        }
    }

    /// The number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Reads the headers of a game; of none if there is no such game.
    #[must_use]
    pub fn listed(&self, index: usize) -> GameHeaders {
        GameHeaders::of(self.game(index))
    }

    /// The text of a game.
    fn game(&self, index: usize) -> &str {
        let start = |index: usize| self.starts.get(index).map_or(self.text.len(), |start| start.at as usize);
        &self.text[start(index)..start(index + 1)]
    }

    /// Reads a game and goes to the end of its main line. Without a game type header it is of `usual`, or of the first
    /// game with a PDN form.
    ///
    /// # Errors
    /// Where the game is invalid or breaks the rules, with the part before that.
    pub fn read(&self, index: usize, usual: Variant) -> Result<Record, Broken> {
        let begins = self.starts.get(index).map_or((1, 1), |start| start.place(&self.text));
        read::read(self.game(index), begins, index + 1, usual)
    }
}

/// The games of a text that has PDN headers or the moves of several games; `None` for any other text.
#[must_use]
pub fn collection(text: &str, usual: Variant) -> Option<Collection> {
    if is_headed(text) {
        return Some(Collection::new(text));
    }
    let is_moves = |variant: &Variant| variant.game_type().is_some() && variant.recognise(text) == Some(Bare::Moves);
    [usual].into_iter().chain(Variant::usual()).find(is_moves)?;
    Some(Collection::new(text)).filter(|collection| collection.len() > 1)
}

/// The winner by a result of a collection, in words: `White won`; `None` if there is no result yet.
#[must_use]
pub fn winner(result: &str) -> Option<&'static str> {
    match words::result(result)? {
        "1-0" => Some("White won"),
        "0-1" => Some("Black won"),
        "1/2-1/2" => Some("a draw"),
        "0-0" => Some("both lost"),
        _ => None,
    }
}

/// Whether a text begins with PDN headers. Game files of this program have a `Game` header instead.
pub fn is_headed(text: &str) -> bool {
    const KNOWN: [&str; 9] = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "FEN"];
    let mut tokens = Tokens::new(text);
    let mut is_known = false;
    while let Ok(Some(Placed { token, .. })) = tokens.next() {
        match token {
            Token::Header("Game", _) => return false,
            Token::Header(name, _) => is_known |= KNOWN.contains(&name),
            Token::Comment(_) => {}
            _ => break,
        }
    }
    is_known
}

/// Reads the moves of one game without headers.
///
/// # Errors
/// Where the text is invalid, and what was expected there.
pub(super) fn read_alone(text: &str, usual: Variant) -> Result<Record, TextError> {
    read::read(text, (1, 1), 1, usual).map_err(|broken| broken.error)
}

#[cfg(test)]
mod tests;
