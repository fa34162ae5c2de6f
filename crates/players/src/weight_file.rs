//! Files of weights, for all players that weigh something: a section `[weights]` with a number for each name, and perhaps one,
//! `[origin]`, which says in any words where they come from.

use mancalab_base::{Error, bail};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use crate::settings::{self, Problem, Report, Source as Document, Table, Value};

/// The weights with a name, which is given as it is kept; `None` if nothing is called so.
pub(super) type Known<W> = Result<Option<(String, W)>, Error>;

/// Where a player's weights come from: the part of its text behind the @.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A name that the program knows, such as `default`.
    Known(String),
    /// Numbers with commas between them.
    Numbers,
    /// A path.
    File(String),
}

impl Source {
    pub fn known(name: &str) -> Source {
        Source::Known(name.to_owned())
    }

    /// What `text` names, and the weights unless they are in a file: those of `known`, with the name as it is kept, or numbers. Opens
    /// nothing: numbers with commas are weights, even if a file is called so, unless a `/` says that a path is meant.
    ///
    /// # Errors
    /// Why there are none: what is wrong with the name or the numbers.
    pub(super) fn of_text<W: FromStr<Err = Error>>(
        text: &str,
        known: fn(&str) -> Known<W>,
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

    /// The file that the weights are in.
    pub(super) fn file(&self) -> Option<&str> {
        match self {
            Source::File(name) => Some(name),
            _ => None,
        }
    }

    /// The text that names it.
    pub fn text(&self, weights: &impl fmt::Display) -> String {
        match self {
            Source::Numbers => weights.to_string(),
            Source::Known(name) | Source::File(name) => name.clone(),
        }
    }
}

/// What the weights of a file must be.
pub(super) struct Wanted {
    /// A number for each of these, whatever the case of its letters.
    pub names: &'static [&'static str],
    /// That is all of them: `W1 to W10 are needed, one for each heuristic`.
    pub all: &'static str,
    /// No weight lies beyond this, one way or the other; and so in words.
    pub greatest: f64,
    pub accepted: &'static str,
    /// What may stand behind a player's @, files among it.
    pub after_at: &'static str,
    /// How many numbers there are with commas between them: `ten weights are needed, W1 to W10`.
    pub count: &'static str,
    /// What stands before a weight's name where it is told of alone.
    pub of: &'static str,
}

impl Wanted {
    /// Reads numbers with commas between them.
    ///
    /// # Errors
    /// There are more or fewer than names, or one is not accepted: which.
    pub fn numbers<const N: usize>(&self, text: &str) -> Result<[f64; N], Error> {
        let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
        let Ok(numbers) = <[&str; N]>::try_from(numbers.as_slice()) else {
            bail!("{}, with commas; '{text}' has {}", self.count, numbers.len());
        };
        let mut reals = [0.0; N];
        for ((real, number), name) in reals.iter_mut().zip(numbers).zip(self.names) {
            let wrong = || format!("{}{name} is '{number}'; {} is expected", self.of, self.accepted);
            *real = number.parse().map_err(|_| wrong())?;
        }
        self.check(&reals).map(|()| reals)
    }

    /// # Errors
    /// Names the weight that is not finite or lies beyond the greatest.
    pub fn check(&self, reals: &[f64]) -> Result<(), Error> {
        let wrong = |real: &f64| !real.is_finite() || real.abs() > self.greatest;
        match reals.iter().zip(self.names).find(|(real, _)| wrong(real)) {
            None => Ok(()),
            Some((real, name)) => Err(format!("{}{name} is {real}; {} is expected", self.of, self.accepted).into()),
        }
    }

    /// Reads a file: a number for each name.
    ///
    /// # Errors
    /// What is wrong with it, each mistake with its place.
    pub fn read(&self, path: &Path) -> Result<Vec<f64>, Report> {
        let is_word = !path.to_string_lossy().contains(['/', '\\', '.']);
        let document = settings::read(path);
        self.parse(&if is_word { document.map_err(|report| report.note(self.after_at))? } else { document? })
    }

    /// The same for a text that is there already.
    ///
    /// # Errors
    /// What is wrong with it, each mistake with its place.
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
                let why = format!("there is no `{}` in [weights]", self.names[missing]);
                problems.push(Problem::new(top.at(), why).note(self.all));
            }
        })?;
        Ok(found.into_iter().map(Option::unwrap_or_default).collect())
    }

    fn read_section(&self, table: &Table<'_>, found: &mut [Option<f64>], problems: &mut Vec<Problem>) {
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

    fn weight(&self, value: &Value<'_>) -> Result<f64, Problem> {
        value.number(|number| number.abs() <= self.greatest, self.accepted)
    }
}

/// The text of such a file: what it is, a line for each name, its number and what it weighs, and one for each (key, value) of `origin`,
/// for people.
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
