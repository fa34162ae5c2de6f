//! Portable Draughts Notation (PDN): files of many draughts games.
//!
//! ```text
//! [Event "Club championship"]
//! [Black "Tinsley, Marion"]
//! [White "Lafferty, Don"]
//! [Result "1/2-1/2"]
//! [GameType "21"]
//!
//! 1. 11-15 23-19 2. 8-11 22-17 {so, the usual} 3. 11-16! (3. 9-13 17-14) 24-20 1/2-1/2
//! ```
//!
//! Reads the reading grammar of PDN 3.0 and common extensions (`tokens`). `scan` finds where each game starts; its headers
//! and moves are parsed only when it is read (`read`). Writes the standard form (`write`).
//!
//! Each game declares its own type ([`Notation::GAME_TYPE`](super::super::Notation::GAME_TYPE)); places are numbered
//! squares. Squares by letter and number (`c3-d4`), which the standard has for other games, are not supported: the
//! corner a1 depends on the side from which the board is seen, and files disagree on it. Games of Othello in PGN, whose
//! moves are single squares (`F5`), have the same headers, comments and variations, and are read here, too.
//!
//! The points of the player who moves first come first: in English checkers (type 21) and in Othello `1-0` means that Black
//! won. A result that does not follow from the moves, such as a resignation or an agreed draw, is kept as the header
//! [`AGREED`](super::AGREED), one after the moves that contradicts the header as [`AT_END`](super::AT_END). Moves after an
//! unclaimed draw are kept as text (`played_on`). Annotations `!`, `?`, `*` and `$7` are kept at the start of the moves'
//! comments. An ambiguous capture takes the route that the next moves need (`routes`).

mod moves;
mod played_on;
mod read;
mod routes;
mod scan;
mod start;
mod tokens;
pub(super) mod words;
mod write;

use std::sync::Arc;

use super::ReadFailure;
use super::collection::{Collection as _, Format, GameText, Texts, add_text, decode};
use crate::record::Record;
use crate::{Bare, Variant};

use tokens::{Token, TokenAt, Tokens};
pub use words::winner;
pub use write::write;

/// File header with the rules, if they are not the default ones.
const RULES: &str = "Rules";

/// Portable Draughts Notation.
pub static FORMAT: Format = Format {
    name: "PDN",
    extensions: &["pdn"],
    beside: &[],
    writes: |variant| variant.game_type().is_some(),
    loses: |_| None,
    recognises,
    open: |files| Ok(Arc::new(games(decode(&files.concat())))),
    add: |files, record| match (files, write(record)) {
        ([file], Some(text)) => add_text(file, &text, "\n"),
        _ => Ok(()),
    },
};

/// The same format for games of Othello, which are only read.
pub static PGN: Format = Format {
    name: "PGN",
    extensions: &["pgn"],
    beside: &[],
    writes: |_| false,
    loses: |_| None,
    recognises,
    open: |files| Ok(Arc::new(games(decode(&files.concat())))),
    add: |_, _| Ok(()),
};

/// Finds the games in a text; possibly none.
fn games(text: String) -> Texts {
    let starts = scan::scan(&text);
    Texts::new(text, starts, scan::headers, read::read)
}

/// Whether a text has PDN headers or the moves of several games.
fn recognises(bytes: &[u8], usual: Variant) -> bool {
    let text = &*decode(bytes);
    let is_moves = |variant: Variant| variant.game_type().is_some() && variant.recognise(text) == Some(Bare::Moves);
    is_headed(text) || ([usual].into_iter().chain(Variant::usual()).any(is_moves) && games(text.to_owned()).len() > 1)
}

/// Whether a text begins with PDN headers. Game files of this program have a `Game` header instead.
fn is_headed(text: &str) -> bool {
    const KNOWN: [&str; 10] =
        ["Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "SetUp", "FEN"];
    let mut tokens = Tokens::new(text);
    let mut is_known = false;
    while let Ok(Some(TokenAt { token, .. })) = tokens.next() {
        match token {
            Token::Header(name, _) if name.eq_ignore_ascii_case("Game") => return false,
            Token::Header(name, _) => is_known |= KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name)),
            Token::Comment(_) => {}
            _ => break,
        }
    }
    is_known
}

/// Reads the moves of one game without headers, after the start of a record.
///
/// # Errors
/// Where the text is invalid, and what was expected there.
pub(super) fn read_alone(text: &str, record: Record) -> Result<Record, ReadFailure> {
    read::read_moves(GameText::alone(text), record, &[]).map_err(|(stopped, _)| stopped)
}

#[cfg(test)]
mod standard_tests;
#[cfg(test)]
mod tests;
