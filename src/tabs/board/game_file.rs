//! What is in a game file, what such files are called, and how they are read.

use std::path::{Path, PathBuf};

use crate::files::{Kind, read_text};
use crate::game::record::Record;
use crate::game::{Position, TextError, Variant, notation};
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
    /// Reads a game, or a position alone, which is played from by the rules of `variant`, with its sizes changed if need be.
    ///
    /// # Errors
    /// Where the text stops making sense, and what was expected there.
    pub fn read(text: &str, variant: Variant) -> Result<Opened, TextError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim_start().starts_with('<') {
            let (variant, start) = read_position(text.trim(), variant)?;
            let players = ["human".to_owned(), "human".to_owned()];
            let record = Record::from_position(variant, start, players, None);
            return Ok(Opened { record, players: [None, None], file: None, replaceable: false, stored: false });
        }
        // Comments are passed over by the reader.
        let replaceable = !text.contains(['{', ';']);
        Ok(Opened { record: notation::read(text)?, players: [None, None], file: None, replaceable, stored: false })
    }
}

/// The position, and `variant` or the nearest one that it can be of.
fn read_position(text: &str, variant: Variant) -> Result<(Variant, Position), TextError> {
    let error = match variant.position_from_text(text) {
        Ok(start) => return Ok((variant, start)),
        Err(error) => error,
    };
    let choices = variant.choices().into_iter().enumerate();
    let mut others = choices.flat_map(|(index, choice)| (0..choice.values.len()).map(move |value| (index, value)));
    let fitting = others.find_map(|(index, value)| {
        let other = variant.choose(index, value);
        other.position_from_text(text).ok().map(|start| (other, start))
    });
    fitting.ok_or(error)
}

/// Reads a game file as text.
///
/// # Errors
/// Why it is none, as a sentence that names it.
pub fn read_limited(path: &Path) -> Result<String, String> {
    read_text(path, Kind::Game).map_err(|error| format!("{} could not be read: {error}", path.display()))
}

/// The first name of the form `game-N.game` that is free.
pub(super) fn free_name(folder: &Path) -> PathBuf {
    let names = (1..).map(|number| folder.join(format!("game-{number}.{ENDING}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
