//! Weight files, for all players with weights: a section `[weights]` with a number for each name, and an optional section
//! `[origin]` with free text about their source.

use mancalab_base::{Error, bail};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use crate::settings::{self, Diagnostic, Report, Source as Document, Table, Value};

/// The weights of a known name, with the name's canonical spelling; `None` if the name is unknown.
pub(super) type KnownWeights<W> = Result<Option<(String, W)>, Error>;

/// The source of a player's weights: the part of its text after the @.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A built-in name, such as `default`.
    Known(String),
    /// Comma-separated numbers.
    Numbers,
    /// A path.
    File(String),
}

impl Source {
    pub fn known(name: &str) -> Source {
        Source::Known(name.to_owned())
    }

    /// Reads the source in `text`, with its weights unless they are in a file: those of a `known` name, or comma-separated numbers. Opens
    /// no file: numbers with commas are weights, even if a file has this name, unless the text contains a `/`.
    ///
    /// # Errors
    /// The name or the numbers are invalid.
    pub(super) fn of_text<W: FromStr<Err = Error>>(
        text: &str,
        known: fn(&str) -> KnownWeights<W>,
    ) -> Result<(Source, Option<W>), Error> {
        if let Some((name, weights)) = known(text)? {
            return Ok((Source::Known(name), Some(weights)));
        }
        let is_number = |piece: &str| piece.trim().parse::<f64>().is_ok();
        if text.contains(',') && !text.contains('/') && text.split(',').any(is_number) {
            return Ok((Source::Numbers, Some(text.parse()?)));
        }
        Ok((Source::File(text.to_owned()), None))
    }

    /// Returns the name of the weights' file.
    pub(super) fn file(&self) -> Option<&str> {
        match self {
            Source::File(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the text after the @.
    pub fn text(&self, weights: &impl fmt::Display) -> String {
        match self {
            Source::Numbers => weights.to_string(),
            Source::Known(name) | Source::File(name) => name.clone(),
        }
    }
}

/// The requirements on the weights of a file.
pub(super) struct WeightRules {
    /// The names of the weights, in any case.
    pub names: &'static [&'static str],
    /// The note that all are required: `W1 to W10 are required, one for each heuristic`.
    pub all: &'static str,
    /// The maximum absolute value of a weight, and the range in words.
    pub greatest: f64,
    pub accepted: &'static str,
    /// The accepted forms after a player's @, files included.
    pub after_at: &'static str,
    /// The expected count of comma-separated numbers: `expected ten weights, W1 to W10`.
    pub count: &'static str,
    /// The prefix of a single weight's name in messages.
    pub prefix: &'static str,
}

impl WeightRules {
    /// Reads comma-separated numbers.
    ///
    /// # Errors
    /// The count is wrong, or a number is not accepted.
    pub fn numbers<const N: usize>(&self, text: &str) -> Result<[f64; N], Error> {
        let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
        let Ok(numbers) = <[&str; N]>::try_from(numbers.as_slice()) else {
            bail!("{}, with commas between them; '{text}' has {}", self.count, numbers.len());
        };
        let mut reals = [0.0; N];
        for ((real, number), name) in reals.iter_mut().zip(numbers).zip(self.names) {
            let wrong = || format!("{}{name} must be {} (got {number})", self.prefix, self.accepted);
            *real = number.parse().map_err(|_| wrong())?;
        }
        self.check(&reals).map(|()| reals)
    }

    /// Checks that all weights are finite and within the maximum.
    ///
    /// Names the first weight that is not.
    pub fn check(&self, reals: &[f64]) -> Result<(), Error> {
        let wrong = |real: &f64| !real.is_finite() || real.abs() > self.greatest;
        match reals.iter().zip(self.names).find(|(real, _)| wrong(real)) {
            None => Ok(()),
            Some((real, name)) => Err(format!("{}{name} must be {} (got {real})", self.prefix, self.accepted).into()),
        }
    }

    /// Reads a file with a number for each name.
    ///
    /// # Errors
    /// Every problem of the file, each with its position.
    pub fn read(&self, path: &Path) -> Result<Vec<f64>, Report> {
        let is_word = !path.to_string_lossy().contains(['/', '\\', '.']);
        let document = settings::read(path);
        self.parse(&if is_word { document.map_err(|report| report.note(self.after_at))? } else { document? })
    }

    /// Parses the text of such a file.
    ///
    /// # Errors
    /// Every problem of the text, each with its position.
    pub fn parse(&self, document: &Arc<Document>) -> Result<Vec<f64>, Report> {
        let mut found = vec![None; self.names.len()];
        settings::parse(document, |top, problems| {
            let sections = top.entries();
            for section in &sections {
                match section.key() {
                    "weights" => match section.table() {
                        Ok(table) => self.read_section(&table, &mut found, problems),
                        Err(problem) => problems.push(problem),
                    },
                    "origin" => {}
                    _ => problems.push(top.unknown(section, "section", ["weights", "origin"])),
                }
            }
            let missing = found.iter().position(Option::is_none);
            if let Some(missing) = missing.filter(|_| problems.is_empty()) {
                let why = format!("missing `{}` in [weights]", self.names[missing]);
                problems.push(Diagnostic::new(top.at(), why).note(self.all));
            }
        })?;
        Ok(found.into_iter().map(Option::unwrap_or_default).collect())
    }

    fn read_section(&self, table: &Table<'_>, found: &mut [Option<f64>], problems: &mut Vec<Diagnostic>) {
        for value in table.entries() {
            match self.names.iter().position(|name| value.key().eq_ignore_ascii_case(name)) {
                None => problems.push(table.unknown(&value, "key", self.names.iter().copied())),
                Some(index) => match self.weight(&value) {
                    Ok(weight) => found[index] = Some(weight),
                    Err(problem) => problems.push(problem),
                },
            }
        }
    }

    fn weight(&self, value: &Value<'_>) -> Result<f64, Diagnostic> {
        value.number(|number| number.abs() <= self.greatest, self.accepted)
    }
}

/// Returns the text of a weight file: the comment `what`, a line for each (name, number, title), and a line for each (key, value) of
/// `origin`.
pub(super) fn text(
    what: &str,
    weights: impl Iterator<Item = (String, String, &'static str)>,
    origin: &[(&str, String)],
) -> String {
    let mut text = format!("# {what}\n\n[weights]\n");
    for (name, number, title) in weights {
        let line = format!("{name} = {number}");
        text += &format!("{line:<12} # {title}\n");
    }
    if !origin.is_empty() {
        text += "\n[origin]\n";
        for (key, value) in origin {
            text += &format!("{key} = {}\n", toml::Value::from(value.as_str()));
        }
    }
    text
}
