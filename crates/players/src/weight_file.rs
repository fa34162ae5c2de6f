//! Files of weights, for all players that weigh something: a section `[weights]` with a number for each name, and perhaps one,
//! `[origin]`, which says in any words where they come from.

use std::path::Path;
use std::sync::Arc;

use crate::document::{self, Problem, Report, Source as Document, Table, Value};

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
}

impl Wanted {
    /// Reads a file: a number for each name.
    ///
    /// # Errors
    /// What is wrong with it, each mistake with its place.
    pub fn read(&self, path: &Path) -> Result<Vec<f64>, Report> {
        let is_word = !path.to_string_lossy().contains(['/', '\\', '.']);
        let document = document::read(path);
        self.parse(&if is_word { document.map_err(|report| report.note(self.after_at))? } else { document? })
    }

    /// The same for a text that is there already.
    ///
    /// # Errors
    /// What is wrong with it, each mistake with its place.
    pub fn parse(&self, document: &Arc<Document>) -> Result<Vec<f64>, Report> {
        let mut found = vec![None; self.names.len()];
        document::parse(document, |top, problems| {
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
