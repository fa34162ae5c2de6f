//! Generic Game Format (GGF): games of Othello from game servers, and those of the NBoard protocol.
//!
//! ```text
//! (;GM[Othello]PC[GGS/os]DT[2009.07.01_02:52:45.MDT]PB[edax]PW[Roxane]TI[05:00//02:00]TY[8]RE[-10.00]
//! BO[8 ---------------------------O*------*O--------------------------- *]B[F5/-6.00/26.0]W[F6/8.00]B[PA];)
//! ```
//!
//! A game is a list of tags. [`TAGS`] lists those with a header of their own in a record; other tags become headers
//! such as `GgfKM`, and headers become tags. A move's evaluation and time, in seconds, become `[%eval …]` and
//! `[%emt …]` at the start of its comment, the form of chess files. `C` is a comment on the position.
//!
//! Of a match of several games, such as `2 (;…;)(;…;)`, each is a game of its own. There are no variations. Only
//! 8x8 Othello is read, from any position, by the usual rules.

mod read;
mod tags;
mod write;

use std::sync::Arc;

use super::collection::{Format, GameText, Texts, add_text, decode};
use super::{Broken, MAIN_LINE_ONLY};
use crate::othello::{Othello, PASS};
use crate::record::Record;
use crate::{Game as _, Move};

pub use write::write;

/// Generic Game Format.
pub static FORMAT: Format = Format {
    name: "GGF",
    extensions: &["ggf"],
    beside: &[],
    writes: |variant| variant.title() == "Othello",
    loses: |record| record.has_variations().then_some(MAIN_LINE_ONLY),
    recognises: |bytes, _| begins(&decode(bytes)),
    open: |files| {
        let text = decode(&files.concat());
        let starts = tags::scan(&text);
        Ok(Arc::new(Texts::new(text, starts, tags::headers, read::read)))
    },
    add: |files, record| match (files, write(record)) {
        ([file], Some(line)) => add_text(file, &(line + "\n"), ""),
        _ => Ok(()),
    },
};

/// Tags and the headers that they become, in the usual order.
const TAGS: [(&str, &str); 13] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PB", "Black"),
    ("PW", "White"),
    ("RB", "BlackRating"),
    ("RW", "WhiteRating"),
    ("TI", "TimeControl"),
    ("TB", "BlackTimeControl"),
    ("TW", "WhiteTimeControl"),
    ("TY", "GameType"),
    ("RE", "Result"),
];

/// Prefix of headers from other tags.
const OTHER: &str = "Ggf";

/// Tags that become other parts of a record.
const OWN: [&str; 5] = ["GM", "BO", "C", "B", "W"];

/// The game type of 8x8 Othello.
const USUAL_TYPE: &str = "8";

/// Marks of a move's evaluation and its time in a comment.
const MARKS: [&str; 2] = ["[%eval ", "[%emt "];

/// Reads a text of one game.
///
/// # Errors
/// Where the text is invalid or a move is illegal, and what was expected there.
pub fn read(text: &str) -> Result<Record, Broken> {
    read::read(GameText::alone(text), 1, crate::Variant::usual()[0].into())
}

/// Whether a text begins with a game, perhaps after the number of games of a match.
fn begins(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with("(;")
}

/// Name of a move: capitals, `PA` for a pass.
#[must_use]
pub fn move_name(mv: Move) -> String {
    if mv == PASS { "PA".to_owned() } else { Othello::name(mv).to_uppercase() }
}

/// The legal move with this name, of which an evaluation and a time after slashes are ignored.
#[must_use]
pub fn move_named(pos: &Othello, text: &str) -> Option<Move> {
    let name = text.split('/').next().unwrap_or_default().trim();
    let is_pass = ["pa", "pass"].iter().any(|pass| name.eq_ignore_ascii_case(pass));
    pos.moves().find(|&mv| if mv == PASS { is_pass } else { Othello::name(mv).eq_ignore_ascii_case(name) })
}

#[cfg(test)]
mod tests;
