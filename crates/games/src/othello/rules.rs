//! Rules of Othello: the arrangement of the first four discs.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use super::Othello;
use crate::Side;

/// Arrangement of the first four discs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// Each side's discs on a diagonal: White on d4 and e5, Black on e4 and d5.
    #[default]
    Standard,
    /// Each side's discs in a row: White on d4 and e4, Black on d5 and e5.
    Parallel,
}

/// Rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    pub start: Start,
}

impl Rules {
    /// The forms of a variant's text after the name.
    pub const HELP: &'static str = "[:8x8[:standard|parallel]]";

    /// The start position.
    #[must_use]
    pub fn position(self) -> Othello {
        let discs = match self.start {
            Start::Standard => [1 << 28 | 1 << 35, 1 << 27 | 1 << 36],
            Start::Parallel => [1 << 35 | 1 << 36, 1 << 27 | 1 << 28],
        };
        Othello::from_discs(discs, Side::South)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.start {
            Start::Standard => "8x8:standard",
            Start::Parallel => "8x8:parallel",
        })
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules, Error> {
        let (size, start) = match text {
            "standard" | "parallel" => ("", text),
            _ => text.split_once(':').unwrap_or((text, "")),
        };
        if !matches!(size, "" | "8x8") {
            return Err(Error::unknown(format!("unknown Othello board size '{size}'"), ["8x8"]));
        }
        match start {
            "" | "standard" => Ok(Rules { start: Start::Standard }),
            "parallel" => Ok(Rules { start: Start::Parallel }),
            _ => Err(Error::unknown(format!("unknown Othello start '{start}'"), ["standard", "parallel"])),
        }
    }
}
