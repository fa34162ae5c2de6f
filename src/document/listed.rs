//! Settings as a list of texts: what flags, forms and files read and write them by.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::{Problem, Table};

/// One setting of `S`, as flags, files and dialogs read and write it.
pub struct Entry<S> {
    pub key: &'static str,
    /// What it is, with its unit and range.
    pub about: &'static str,
    pub get: fn(&S) -> String,
    /// # Errors
    /// What would be accepted.
    pub set: fn(&mut S, &str) -> Result<(), String>,
}

impl<S> Entry<S> {
    /// Its key, what it is, and its value.
    pub fn listed(&self, settings: &S) -> (&'static str, &'static str, String) {
        (self.key, self.about, (self.get)(settings))
    }
}

/// Settings that can be listed.
pub trait Listed {
    /// Every setting with its key, what it is, and its value; but for preset, seed and generations, which every run has.
    fn list(&self) -> Vec<(&'static str, &'static str, String)>;

    /// Sets what [`list`](Listed::list) lists.
    ///
    /// # Errors
    /// There is no such setting, or it does not accept the value: what would be accepted.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String>;

    /// The lines of `[settings]` in a run's file.
    fn to_text(&self) -> String {
        let mut text = String::new();
        for (key, about, value) in self.list() {
            let bare = value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok();
            let value = if bare { value } else { toml::Value::from(value).to_string() };
            let _ = writeln!(text, "# {about}\n{key} = {value}");
        }
        text
    }

    /// Reads such lines into these settings, and notes what is wrong with them.
    fn read(&mut self, table: &Table<'_>, problems: &mut Vec<Problem>) {
        let (known, entries) = (self.list(), table.entries());
        for value in &entries {
            if !known.iter().any(|(key, ..)| *key == value.key()) {
                problems.push(table.unknown(value, "setting", known.iter().map(|(key, ..)| *key)));
                continue;
            }
            let text = value.as_text().map_or_else(|| value.at().text().to_owned(), str::to_owned);
            problems.extend(self.set(value.key(), &text).err().map(|reason| value.refused(reason)));
        }
        let given: HashSet<&str> = entries.iter().map(|value| value.key()).collect();
        for (key, ..) in known {
            if !given.contains(key) {
                problems.push(Problem::new(table.at(), format!("`{key}` is missing")));
            }
        }
    }

    /// The refusal of a key that is none; `more` are keys that are not in the list.
    fn unknown(&self, key: &str, more: &[&'static str]) -> String {
        let known: Vec<&str> = more.iter().copied().chain(self.list().into_iter().map(|(key, ..)| key)).collect();
        format!("there is no setting '{key}'; known: {}", known.join(", "))
    }
}

/// # Errors
/// What would be accepted.
pub fn whole(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("a whole number from {low} to {high} is expected"))
}

/// # Errors
/// What would be accepted.
pub fn real(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("a number from {low} to {high} is expected"))
}
