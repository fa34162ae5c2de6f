//! What stands behind `staged:`: functions with their shares, or a file that holds such a text; then settings.

use std::path::Path;
use std::sync::Arc;

use super::{MAX_DEPTH, Stage, Staged};
use crate::document::Refusal;
use crate::files;
use crate::game::TextError;
use crate::plain;
use crate::program::Tree;

/// What may stand behind `staged:`.
const FORMS: &str = "functions with their shares of the game in percent, as in staged:( white ),75,( white_corners ),25, or a file of such a text";

/// A player before a file is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::player) enum Unread {
    Ready(Staged),
    /// Its functions are in this file; the settings are known.
    File(String, Staged),
}

impl Staged {
    /// Reads what stands behind `staged` in a player's text. Opens nothing.
    ///
    /// # Errors
    /// Which part makes no sense, its place, and what would be accepted.
    pub(in crate::player) fn unread(text: &str) -> Result<Unread, Refusal> {
        let text = text.strip_prefix(':').unwrap_or_default();
        let mut staged = Staged::new(Vec::new());
        let mut rest = text;
        // Settings stand at the end, and a path may hold colons of its own.
        while let Some((before, setting)) = rest.rsplit_once(':') {
            match setting.split_once('=') {
                Some(("depth", value)) => staged.depth = number("depth", value, 1, MAX_DEPTH)?,
                Some(("overlap", value)) => staged.overlap = number("overlap", value, 0, 100)?,
                _ => break,
            }
            rest = before;
        }
        let rest = rest.trim();
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let rest = quoted.unwrap_or(rest);
        match rest.trim_start().chars().next() {
            None => Err(format!("staged takes {FORMS}").into()),
            Some('(') => {
                staged.stages = stages(rest).map_err(|error| format!("staged: {error}"))?;
                Ok(Unread::Ready(staged))
            }
            Some(_) => Ok(Unread::File(rest.to_owned(), staged)),
        }
    }

    /// The functions in the file of this name, with the settings of `staged`.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else: its name, and the place in it.
    pub(in crate::player) fn from_file(name: &str, staged: Staged) -> Result<Staged, Refusal> {
        let text = files::read_text(Path::new(name), files::Kind::Program)
            .map_err(|error| format!("staged:{name}: {why}; {FORMS} is wanted", why = plain::reason(&error)))?;
        let stages = stages(&text).map_err(|error| format!("staged:{name}: {error}"))?;
        Ok(Staged { stages, file: Some(name.to_owned()), ..staged })
    }

    /// The functions with their shares, as they are read.
    pub fn stages_text(&self) -> String {
        let text = |stage: &Stage| format!("{},{}", stage.function.to_notation(), stage.share);
        self.stages.iter().map(text).collect::<Vec<_>>().join(",")
    }
}

fn number(setting: &str, value: &str, least: u32, most: u32) -> Result<u32, Refusal> {
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        format!("{setting} takes a whole number from {least} to {most}; '{value}' is none").into()
    })
}

/// Functions, each with its share behind it, all with commas between them. A single function needs no share.
fn stages(text: &str) -> Result<Vec<Stage>, TextError> {
    let mut stages = Vec::new();
    let mut pieces = Pieces { text, line: 1, column: 1, is_begun: false };
    while let Some(function) = pieces.next() {
        let (line, column) = function.place;
        let program = Tree::parse(function.text).map_err(|error| error.within(line, column))?;
        let share = match pieces.next() {
            None if stages.is_empty() => 100,
            None => return Err(pieces.error("", "a share in percent, as in ( white ),100")),
            Some(share) => {
                let wanted = "a share in percent, a whole number from 1 to 100";
                let number = share.text.trim().parse().ok().filter(|share| (1..=100).contains(share));
                number.ok_or_else(|| share.error(wanted))?
            }
        };
        stages.push(Stage { function: Arc::new(program), share });
    }
    let sum: u32 = stages.iter().map(|stage| stage.share).sum();
    match sum {
        100 => Ok(stages),
        _ => Err(pieces.error("", &format!("shares that add up to 100; they add up to {sum}"))),
    }
}

/// What stands between commas, with its place.
struct Pieces<'a> {
    text: &'a str,
    line: usize,
    column: usize,
    is_begun: bool,
}

struct Piece<'a> {
    text: &'a str,
    place: (usize, usize),
}

impl Piece<'_> {
    /// The place of what stands behind the blanks.
    fn error(&self, expected: &str) -> TextError {
        let blank = self.text.len() - self.text.trim_start().len();
        let (line, column) = behind(self.place, &self.text[..blank]);
        TextError::new(line, column, self.text.trim(), expected)
    }
}

impl<'a> Pieces<'a> {
    fn next(&mut self) -> Option<Piece<'a>> {
        if self.is_begun && self.text.is_empty() {
            return None;
        }
        self.is_begun = true;
        let (piece, rest) = self.text.split_once(',').unwrap_or((self.text, ""));
        let place = (self.line, self.column);
        let taken = &self.text[..self.text.len() - rest.len()];
        (self.line, self.column) = behind(place, taken);
        self.text = rest;
        Some(Piece { text: piece, place })
    }

    fn error(&self, found: &str, expected: &str) -> TextError {
        TextError::new(self.line, self.column, found, expected)
    }
}

/// The place behind `text`, which begins at `place`.
fn behind((line, column): (usize, usize), text: &str) -> (usize, usize) {
    match text.rsplit_once('\n') {
        None => (line, column + text.chars().count()),
        Some((before, last)) => (line + before.matches('\n').count() + 1, last.chars().count() + 1),
    }
}
