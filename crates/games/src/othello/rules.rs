//! What of Othello can be chosen: how the first four discs lie.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use super::Othello;
use crate::Side;

/// How the four discs of the start lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// Each side's two discs across from each other: White on d4 and e5, Black on e4 and d5.
    #[default]
    Standard,
    /// Each side's two discs side by side: White on d4 and e4, Black on d5 and e5.
    Parallel,
}

/// The rules a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    pub start: Start,
}

impl Rules {
    /// The forms of a variant's text behind the name.
    pub const HELP: &'static str = "[:8x8[:standard|parallel]]";

    /// Where a game starts.
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
            return Err(Error::unknown(format!("'{size}' is no size of an Othello board"), ["8x8"]));
        }
        match start {
            "" | "standard" => Ok(Rules { start: Start::Standard }),
            "parallel" => Ok(Rules { start: Start::Parallel }),
            _ => Err(Error::unknown(format!("'{start}' is no start of Othello"), ["standard", "parallel"])),
        }
    }
}
