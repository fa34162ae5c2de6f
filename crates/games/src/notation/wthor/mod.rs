//! WTHOR: the database of the French Othello federation, a file of 8x8 games a year and two files of names.
//!
//! Each file begins with 16 bytes, numbers little-endian:
//!
//! | byte | |
//! |---|---|
//! | 0 to 3 | date of creation: century, year, month, day |
//! | 4 to 7 | number of games; 0 in files of names |
//! | 8, 9 | number of names; 0 in files of games |
//! | 10, 11 | year of the games |
//! | 12 | board size: 0 or 8 for 8x8 |
//! | 13 | 0 for games, 1 for solitaire positions |
//! | 14 | empty squares at which theoretical scores were computed; 0 for 22 |
//!
//! A game has 68 bytes: the numbers of its tournament, of Black and of White, two bytes each; Black's score and
//! theoretical score; and up to 60 squares, ten times the row plus the column, then zeros. Passes are left out. Names have
//! 20 bytes (players) or 26 (tournaments), in Latin 1 up to a zero.
//!
//! A record has the tournament as its event, and the theoretical score as [`THEORETICAL`]. A file holds finished games
//! from the usual start, without variations and comments.

mod names;
mod read;
mod write;

use std::sync::Arc;

use mancalab_base::{Error, bail};

use super::collection::Format;
use super::{MAIN_LINE_ONLY, score};
use crate::Variant;
use crate::othello::Rules;
use read::Database;

/// WTHOR's database.
pub static FORMAT: Format = Format {
    name: "WTHOR",
    extensions: &["wtb"],
    beside: &["WTHOR.JOU", "WTHOR.TRN"],
    writes: |variant| *variant == Variant::Othello(Rules::default()),
    loses: |record| match (record.has_variations(), record.has_comments()) {
        (true, true) => Some("variations and comments"),
        (true, false) => Some(MAIN_LINE_ONLY),
        (false, true) => Some("comments"),
        (false, false) => None,
    },
    recognises: |bytes, _| Header::read(bytes).is_ok_and(|header| header.is_likely(bytes)),
    open: |files| match <[Vec<u8>; 3]>::try_from(files) {
        Ok([players, tournaments, games]) => Ok(Arc::new(Database::new(players, tournaments, games)?)),
        Err(_) => bail!("WTHOR consists of three files"),
    },
    add: |files, record| match files {
        [players, tournaments, games] => write::add(players, tournaments, games, record),
        _ => bail!("WTHOR consists of three files"),
    },
};

/// Header with the discs of both sides under best play, such as `36-28 at 24 empty`.
pub const THEORETICAL: &str = "TheoreticalScore";

/// Bytes of a file's header and of a game.
const HEADER: usize = 16;
const GAME: usize = 68;

/// The number of empty squares at which theoretical scores were computed, where the header has 0.
const USUAL_DEPTH: u8 = 22;

/// Number of squares.
const SQUARES: u8 = 64;

/// What the header of a file of games contains.
#[derive(Clone, Copy, Debug)]
struct Header {
    games: usize,
    year: u16,
    /// Empty squares at which theoretical scores were computed.
    depth: u8,
}

impl Header {
    /// # Errors
    /// The file is of another board or another kind.
    fn read(bytes: &[u8]) -> Result<Header, Error> {
        let Some(&[_, _, _, _, n0, n1, n2, n3, _, _, y0, y1, size, kind, depth, _]) = bytes.first_chunk::<HEADER>()
        else {
            bail!("byte {}: the file ends here; a WTHOR header has {HEADER} bytes", bytes.len());
        };
        if !matches!(size, 0 | 8) {
            bail!("byte 12: its games are on a board of {size}x{size}; only 8x8 is supported");
        }
        if kind != 0 {
            bail!("byte 13: its type is {kind} (1 is solitaire positions); only 0, games, is supported");
        }
        let depth = if depth == 0 { USUAL_DEPTH } else { depth };
        let games = u32::from_le_bytes([n0, n1, n2, n3]) as usize;
        Ok(Header { games, year: u16::from_le_bytes([y0, y1]), depth })
    }

    /// The length of the file by its number of games.
    fn length(&self) -> usize {
        HEADER.saturating_add(GAME.saturating_mul(self.games))
    }

    /// Whether the file, whose name does not identify it, has a possible date and the right length.
    fn is_likely(&self, bytes: &[u8]) -> bool {
        let is_date = matches!(bytes, [19..=21, 0..=99, 1..=12, 1..=31, ..]);
        is_date && self.games > 0 && self.length() == bytes.len()
    }
}

/// The margin by Black's discs.
fn margin(black: u8) -> i32 {
    2 * i32::from(black) - i32::from(SQUARES)
}

/// The discs of both sides by Black's.
fn discs(black: u8) -> String {
    score::discs(margin(black)).unwrap_or_else(|| black.to_string())
}

#[cfg(test)]
mod tests;
