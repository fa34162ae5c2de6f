//! Portable Draughts Notation: files of many games, as collections of draughts games are passed on.
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
//! Read is the reading grammar of PDN 3.0 and what files have beyond it (`tokens`). A [`Collection`] says where the games are and what
//! their headers say (`scan`); a game's moves are looked at when it is read (`read`), so that thousands are listed at once, and one that
//! breaks the rules is no harm to others. Written is what the standard asks for (`write`).
//!
//! Which games these are is theirs to say ([`Notation::GAME_TYPE`](super::super::Notation::GAME_TYPE)); places are squares by their
//! numbers. Squares by letter and number (`c3-d4`), which the standard has for other games, are not read: which corner is a1
//! depends on the side that the board was looked at from, and files do not agree on it.
//!
//! `1-0` means that White has won. A result that the moves do not give, because somebody resigned or a draw was agreed, is kept as the
//! header [`AGREED`]. Moves behind a draw that nobody claimed are kept in words (`played_on`). What is said of moves by `!`, `?`, `*` and `$7` stands at the beginning of their comments.

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

pub use scan::Listed;
use tokens::{Placed, Token, Tokens};
pub use write::write;

/// The header of a record for the result that a file gives, where it is not what the moves give.
pub const AGREED: &str = "Agreed";

/// The header of a file for the rules, where they are not the usual ones.
const RULES: &str = "Rules";

/// The games of a file. Copies share its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    text: Arc<str>,
    games: Arc<[Listed]>,
}

/// Why a game cannot be read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The game's number in its file, from 1.
    pub game: usize,
    /// The number of the move and the side that was to make it; `None` before the first move is looked at.
    pub at: Option<(u32, &'static str)>,
    /// Lines are those of the file.
    pub error: TextError,
    /// The game as far as it makes sense, to stand there; `None` if it does not begin.
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
    /// Finds the games in a text; there may be none.
    #[must_use]
    pub fn new(text: &str) -> Collection {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Collection { text: text.into(), games: scan::scan(text).into() }
    }

    /// The games of a file: UTF-8, or else Latin 1, as older programs write it.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Collection {
        match std::str::from_utf8(bytes) {
            Ok(text) => Collection::new(text),
            Err(_) => Collection::new(&bytes.iter().copied().map(char::from).collect::<String>()),
        }
    }

    #[must_use]
    pub fn games(&self) -> &[Listed] {
        &self.games
    }

    /// The game with this index, to stand at the end of its main line. Where no header says which game it is, it is of `usual`, or
    /// of the first that is written so.
    ///
    /// # Errors
    /// Where it stops making sense or breaks the rules, with what comes before.
    pub fn read(&self, index: usize, usual: Variant) -> Result<Record, Broken> {
        let nothing = Listed::default();
        let listed = self.games.get(index).unwrap_or(&nothing);
        read::read(&self.text[listed.span.clone()], listed, index + 1, usual)
    }
}

/// The games of a text that is PDN by its headers, or that has the moves of several games; `None` for any other text.
#[must_use]
pub fn collection(text: &str, usual: Variant) -> Option<Collection> {
    if is_headed(text) {
        return Some(Collection::new(text));
    }
    let is_moves = |variant: &Variant| variant.game_type().is_some() && variant.recognise(text) == Some(Bare::Moves);
    [usual].into_iter().chain(Variant::usual()).find(is_moves)?;
    Some(Collection::new(text)).filter(|collection| collection.games().len() > 1)
}

/// Who won by a result of a collection, in words: `White won`; `None` for what is no result, or of a game that goes on.
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

/// Whether a text begins with headers of PDN, and is no game file of ours: that has the game's name and rules among them.
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

/// Reads moves that stand without headers, as far as one game goes.
///
/// # Errors
/// Where the text stops making sense, and what was expected there.
pub(super) fn read_alone(text: &str, usual: Variant) -> Result<Record, TextError> {
    let listed = Listed { begins: (1, 1), ..Listed::default() };
    read::read(text, &listed, 1, usual).map_err(|broken| broken.error)
}

#[cfg(test)]
mod tests;
