//! The text after `staged:`: functions with their shares, or a file with such a text; then settings.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use mancalab_base::{Error, bail};

use super::{MAX_DEPTH, Stage, StagedSettings};
use crate::game::TextError;
use crate::kind::{Forms, Unread};
use crate::program::othello::Function;
use crate::text::Values::{Number, Words};
use crate::text::{self, Setting};
use crate::{files, sanitize};

/// The accepted forms after `staged:`.
const ACCEPTED: &str = "functions with their shares of the game in percent, as in staged:( white ),75,( white_corners ),25, or a \
                     file with such a text";

const OVERLAP: Setting<StagedSettings> =
    Setting("overlap", Number("P", "a whole number", 0.0, 100.0), |s| &mut s.overlap);

const SETTINGS: &[Setting<StagedSettings>] = &[
    Setting("depth", Number("D", "a whole number", 1.0, MAX_DEPTH as f64), |s| &mut s.depth),
    OVERLAP,
    Setting("near", Words("x|all"), |s| &mut s.zones.near_is_x),
    Setting("edges", Words("whole|plain"), |s| &mut s.zones.edges_are_whole),
];

pub(crate) const FORMS: Forms = &[
    ("staged:F", "evaluates boards with a function F of counts, such as ( white )"),
    ("staged:F,75,G,25", "F for three quarters of the game, then G"),
    ("staged:best", "the strongest evolved function; staged:best-staged has one per half"),
    ("staged:FILE", "functions from a file; also depth=D, overlap=P, near=x, edges=whole"),
];

impl fmt::Display for StagedSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("staged:")?;
        match self.shipped.or(self.file.as_deref()) {
            Some(name) => f.write_str(name)?,
            None => f.write_str(&self.stages_text())?,
        }
        text::write(f, SETTINGS, self, StagedSettings { overlap: self.file_overlap, ..StagedSettings::new(Vec::new()) })
    }
}

impl StagedSettings {
    /// Reads the part of a player's text after `staged`. Opens no file.
    ///
    /// # Errors
    /// Names the invalid part, its position, and what is accepted.
    pub(crate) fn unread(text: &str) -> Result<Unread<StagedSettings>, Error> {
        let mut staged = StagedSettings::new(Vec::new());
        let text = text.strip_prefix(':').unwrap_or_default();
        let rest = text::read(text, SETTINGS, &mut staged)?;
        let (rest, own) = (rest.trim(), text[rest.len()..].to_owned());
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let functions = quoted.unwrap_or(rest);
        if functions.trim().is_empty() {
            bail!("staged needs {ACCEPTED}");
        }
        if let Some((name, text)) = shipped(functions) {
            staged.stages = stages(text).map_err(|error| format!("staged:{name}: {error}"))?;
            staged.shipped = Some(name);
            return Ok(Unread::ready(staged));
        }
        if !is_function(functions) {
            let name = functions.to_owned();
            return Ok(Unread::in_file(Some(name.clone()), "", move || StagedSettings::in_file(name, &own)));
        }
        if let Some((_, setting)) = rest.rsplit_once(':') {
            return Err(text::unknown("staged", setting, SETTINGS));
        }
        staged.stages = stages(functions).map_err(|error| format!("staged: {error}"))?;
        Ok(Unread::ready(staged))
    }

    /// Parses the text of a file: functions with their shares, then `:overlap=P` if stages overlap.
    ///
    /// # Errors
    /// The position of the invalid part, or the invalid overlap, and what is accepted.
    pub fn in_text(text: &str) -> Result<StagedSettings, Error> {
        let mut staged = StagedSettings::new(Vec::new());
        // A comment may end in such a setting too.
        let text = without_comments(text);
        let rest = text::read(&text, &[OVERLAP], &mut staged)?;
        Ok(StagedSettings {
            stages: stages(rest).map_err(|error| error.to_string())?,
            file_overlap: staged.overlap,
            ..staged
        })
    }

    /// Loads a file; the player's `own` settings, such as `:depth=3`, precede those of the file.
    ///
    /// # Errors
    /// The file cannot be read or is invalid: its name, and the position in it.
    fn in_file(name: String, own: &str) -> Result<StagedSettings, Error> {
        let text = files::read_text(Path::new(&name), files::Kind::Program)
            .map_err(|error| format!("staged:{name}: {why}; expected {ACCEPTED}", why = sanitize::reason(&error)))?;
        let mut staged = StagedSettings::in_text(&text).map_err(|error| format!("staged:{name}: {error}"))?;
        text::read(own, SETTINGS, &mut staged)?;
        Ok(StagedSettings { file: Some(name), ..staged })
    }

    /// Returns the text of a file with this player's functions and overlap.
    pub fn file_text(&self) -> String {
        self.text_with(self.overlap)
    }

    pub(super) fn text_with(&self, overlap: u32) -> String {
        let functions = self.stages_text();
        if overlap == 0 { functions } else { format!("{functions}:{}={overlap}", OVERLAP.0) }
    }

    /// Returns the functions with their shares as a text; a single function has no share.
    pub fn stages_text(&self) -> String {
        if let [stage] = &self.stages[..] {
            return stage.function.to_string();
        }
        let text = |stage: &Stage| format!("{},{}", stage.function, stage.share);
        self.stages.iter().map(text).collect::<Vec<_>>().join(",")
    }
}

/// Returns the text after `staged:`, if this is such a player's text.
pub(crate) fn begun(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(':')?;
    name.trim().eq_ignore_ascii_case("staged").then_some(rest)
}

/// Returns whether a function begins here.
pub(crate) fn is_function(text: &str) -> bool {
    text.trim_start().starts_with('(')
}

/// Parses functions, each followed by its share, all separated by commas. A single function needs no share. Lines that begin with `#`
/// or `;` are comments.
///
/// # Errors
/// The position of the invalid part, and what is expected there.
pub fn stages(text: &str) -> Result<Vec<Stage>, TextError> {
    let text = without_comments(text);
    let mut stages = Vec::new();
    let mut pieces = Pieces { text: text.trim_end(), place: (1, 1), is_done: false };
    while let Some(function) = pieces.next() {
        let (line, column) = function.place;
        let program = Function::parse(function.text).map_err(|error| error.within(line, column))?;
        let share = match pieces.next() {
            None if stages.is_empty() => 100,
            None => return Err(pieces.error("a comma and a share in percent, as in ( white ),100")),
            Some(share) => {
                let wanted = "a share in percent, a whole number from 1 to 100";
                let number = share.text.trim().parse().ok().filter(|share| (1..=100).contains(share));
                number.ok_or_else(|| share.error(wanted))?
            }
        };
        stages.push(Stage { function: Arc::new(program), share });
    }
    match stages.iter().map(|stage| stage.share).sum() {
        100 => Ok(stages),
        sum => Err(pieces.error(&format!("shares that add up to 100; they add up to {sum}"))),
    }
}

/// Replaces comments, which may contain commas, by empty lines, which keeps all positions.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| line.trim_start().starts_with(['#', ';']);
    let lines: Vec<&str> = text.split('\n').map(|line| if is_comment(line) { "" } else { line }).collect();
    lines.join("\n")
}

/// The comma-separated pieces of a text, with their positions.
struct Pieces<'a> {
    text: &'a str,
    /// Line and column of the rest.
    place: (usize, usize),
    is_done: bool,
}

struct Piece<'a> {
    text: &'a str,
    place: (usize, usize),
}

impl Piece<'_> {
    /// An error at the first character that is not blank.
    fn error(&self, expected: &str) -> TextError {
        let blank = self.text.len() - self.text.trim_start().len();
        let (line, column) = behind(self.place, &self.text[..blank]);
        TextError::new(line, column, self.text.trim(), expected)
    }
}

impl<'a> Pieces<'a> {
    /// Returns the next piece; after a comma there is one, perhaps empty.
    fn next(&mut self) -> Option<Piece<'a>> {
        if self.is_done {
            return None;
        }
        let place = self.place;
        let (piece, rest) = match self.text.split_once(',') {
            Some((piece, rest)) => (piece, rest),
            None => {
                self.is_done = true;
                (self.text, "")
            }
        };
        self.place = behind(place, &self.text[..self.text.len() - rest.len()]);
        self.text = rest;
        Some(Piece { text: piece, place })
    }

    /// An error at the end.
    fn error(&self, expected: &str) -> TextError {
        TextError::new(self.place.0, self.place.1, "", expected)
    }
}

/// Returns the position after `text`, which begins at `place`.
fn behind((line, column): (usize, usize), text: &str) -> (usize, usize) {
    match text.rsplit_once('\n') {
        None => (line, column + text.chars().count()),
        Some((before, last)) => (line + before.matches('\n').count() + 1, last.chars().count() + 1),
    }
}

/// Names and texts.
const SHIPPED: [(&str, &str); 2] =
    [("best", include_str!("best.txt")), ("best-staged", include_str!("best-staged.txt"))];

/// Returns the canonical name and the text; `None` if the name is unknown.
pub(super) fn shipped(name: &str) -> Option<(&'static str, &'static str)> {
    SHIPPED.into_iter().find(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::SHIPPED;
    use crate::Spec;

    #[test]
    fn what_is_shipped_can_be_read_and_keeps_its_name() {
        for (name, _) in SHIPPED {
            let text = format!("staged:{name}");
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(Spec::file_in(&text).unwrap(), None, "no file is opened for it");
            let deeper: Spec = format!("{text}:depth=3").parse().unwrap();
            assert_eq!(deeper.to_string(), format!("{text}:depth=3"));
            let Spec::Staged(staged) = spec else { unreachable!() };
            assert!(staged.stages.iter().map(|stage| stage.share).sum::<u32>() == 100);
        }
    }
}
