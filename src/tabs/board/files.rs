//! Games on disk: saving, loading, pasting, and the games that were on the board when another took their place.

use std::fs;
use std::path::{Path, PathBuf};

use super::Board;
use super::file_dialogs::{Load, Save};
use crate::app::effect::{Context, Tone};
use crate::files::{self, write_atomic};
use crate::game::record::Record;
use crate::game::{Position, TextError, Variant, notation};

/// The header of a game that names the tournament it was played in.
pub const TOURNAMENT: &str = "Tournament";

/// The ending of game files.
pub const ENDING: &str = "game";

/// How many games that were left are kept, as `last.game`, `last-2.game` and so on.
const KEPT: usize = 5;

/// What a file dialog answers.
pub enum Chosen {
    /// Save there; an existing file is replaced only if that was asked for.
    Save {
        path: PathBuf,
        replace: bool,
    },
    Load(PathBuf),
}

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Opened {
    pub record: Record,
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
            return Ok(Opened { record, file: None, replaceable: false, stored: false });
        }
        // Comments are passed over by the reader.
        let replaceable = !text.contains(['{', ';']);
        Ok(Opened { record: notation::read(text)?, file: None, replaceable, stored: false })
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

impl Board {
    pub(super) fn open_save(&mut self, cx: &mut Context) {
        if self.record.is_empty() {
            return cx.notice(Tone::Info, "There is no move to save yet");
        }
        let path = self.file.clone().or_else(|| self.games.as_deref().map(free_name));
        let path = path.unwrap_or_else(|| PathBuf::from(format!("game-1.{ENDING}")));
        cx.open(Save::new(path, self.file.clone(), self.games.clone()));
    }

    pub(super) fn open_load(&mut self, cx: &mut Context) {
        cx.open(Load::new(self.games.as_deref()));
    }

    pub(super) fn take_file(&mut self, chosen: Chosen, cx: &mut Context) {
        match chosen {
            Chosen::Save { path, replace } => self.save_to(path, replace, cx),
            Chosen::Load(path) => match read_limited(&path) {
                Err(reason) => cx.notice(Tone::Bad, reason),
                Ok(text) => self.take_text(&text, Some(path), cx),
            },
        }
    }

    fn save_to(&mut self, path: PathBuf, replace: bool, cx: &mut Context) {
        let name = short_name(&path);
        if path.exists() && !replace {
            return cx.notice(Tone::Bad, format!("{name} exists; nothing was written"));
        }
        match write_atomic(&path, notation::write(&self.record).as_bytes()) {
            Ok(()) => {
                cx.notice(Tone::Good, format!("Saved {}", path.display()));
                self.saved = self.record.len();
                self.file = Some(path);
            }
            Err(error) => cx.notice(Tone::Bad, format!("{name} could not be written: {error}")),
        }
    }

    /// Takes a game, or a position, that was read from a file or pasted.
    pub(super) fn take_text(&mut self, text: &str, file: Option<PathBuf>, cx: &mut Context) {
        let origin = file.as_deref().map_or("the pasted text".to_owned(), short_name);
        match Opened::read(text, self.record.variant) {
            Err(error) => cx.notice(Tone::Bad, format!("{origin}: {error}")),
            Ok(opened) => {
                let file = file.filter(|file| !is_kept(file));
                let opened = Opened { stored: file.is_some(), file, ..opened };
                self.show_opened(opened, &origin, cx);
            }
        }
    }

    /// Puts a game on the board in the place of the one that is there, which is kept.
    pub(super) fn show_opened(&mut self, opened: Opened, origin: &str, cx: &mut Context) {
        let kept = self.keep_last();
        self.take_opened(opened);
        self.shown_anew(cx);
        match kept {
            Ok(()) => cx.notice(Tone::Good, format!("Loaded {origin}")),
            Err(sentence) => cx.notice(Tone::Bad, sentence),
        }
    }

    /// Keeps the game on the board for later, unless it is on disk already.
    ///
    /// # Errors
    /// Why it could not be written, as a sentence.
    pub(super) fn keep_last(&self) -> Result<(), String> {
        let Some(games) = self.games.as_ref().filter(|_| self.is_modified()) else { return Ok(()) };
        for number in (1..KEPT).rev() {
            // The oldest goes; a name that is free has nothing to move.
            let _ = fs::rename(games.join(kept_name(number)), games.join(kept_name(number + 1)));
        }
        write_atomic(&games.join(kept_name(1)), notation::write(&self.record).as_bytes())
            .map_err(|error| format!("the game on the board could not be kept in {}: {error}", games.display()))
    }

    /// A game that was left is there to be loaded.
    pub(super) fn has_last(&self) -> bool {
        self.games.as_ref().is_some_and(|games| games.join(kept_name(1)).exists())
    }
}

fn kept_name(number: usize) -> String {
    if number == 1 { format!("last.{ENDING}") } else { format!("last-{number}.{ENDING}") }
}

/// Kept games move on when the next one is kept: they are not places to save to.
fn is_kept(path: &Path) -> bool {
    (1..=KEPT).any(|number| path.file_name().is_some_and(|name| *name == *kept_name(number)))
}

fn short_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Reads a game file as text.
///
/// # Errors
/// Names the file and why it is none, as a sentence.
pub fn read_limited(path: &Path) -> Result<String, String> {
    files::read_text(path, files::Kind::Game).map_err(|error| format!("{} could not be read: {error}", path.display()))
}

/// The first name of the form `game-N.game` that is free.
fn free_name(folder: &Path) -> PathBuf {
    let names = (1..).map(|number| folder.join(format!("game-{number}.{ENDING}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
