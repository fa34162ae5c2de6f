//! What is in a game file, what such files are called, and how they are read.

use std::path::{Path, PathBuf};

use crate::files::{Kind, read_text};
use crate::game::record::Record;
use crate::game::{TextError, Variant, notation};
use crate::plain;
use crate::player::Spec;

/// The header of a game that names the tournament it was played in.
pub const TOURNAMENT: &str = "Tournament";

/// The ending of game files.
pub const ENDING: &str = "game";

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Opened {
    pub record: Record,
    /// Who sits at the seats where that is known; elsewhere whom the record names, once the person agrees to files being opened.
    pub players: [Option<Spec>; 2],
    /// The file it was read from.
    pub file: Option<PathBuf>,
    /// Writing the record back loses nothing that stands in the text.
    pub replaceable: bool,
    /// It is on the disk as it is, and need not be kept.
    pub stored: bool,
}

impl Opened {
    /// Reads a game, or a position or transcript alone, which is taken for one of `variant` if it may be.
    ///
    /// # Errors
    /// Where the text stops making sense, and what was expected there.
    pub fn read(text: &str, variant: Variant) -> Result<Opened, TextError> {
        // A text without headers is written with some.
        let replaceable = text.trim_start_matches('\u{feff}').trim_start().starts_with('[');
        let record = notation::read_any(text, variant)?;
        Ok(Opened { record, players: [None, None], file: None, replaceable, stored: false })
    }
}

/// Reads a game file as text.
///
/// # Errors
/// Why it is none, as a sentence that names it.
pub fn read_limited(path: &Path) -> Result<String, String> {
    read_text(path, Kind::Game)
        .map_err(|error| format!("{} could not be read: {why}", path.display(), why = plain::reason(&error)))
}

/// The first name of the form `game-N.game` that is free.
pub(super) fn free_name(folder: &Path) -> PathBuf {
    let names = (1..).map(|number| folder.join(format!("game-{number}.{ENDING}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
