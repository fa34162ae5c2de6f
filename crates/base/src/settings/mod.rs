//! Parsing of TOML files written by users: configuration and themes.
//!
//! Errors resemble those of a compiler: the file, the line with the place marked, the value found and the accepted
//! ones; a report contains all errors of a file. serde stops at the first error and cannot list the known names, so
//! the parsed tables are read by hand through [`Table`] and [`Value`].

mod keyed;
mod report;
mod suggest;
mod value;

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeTable;

use crate::{files, sanitize};

pub use crate::entry;
pub use keyed::{Entry, Field, KeyedSettings, SettingsTable, flag, list_of, real, texts, whole};
pub use report::{Diagnostic, Location, MOST_TOLD, Report, Source};
pub use suggest::{list, nearest};
pub use value::{Table, Value};

/// Gives an enum the table `WORDS` of (word, value), for its text in settings, flags and files, with `FromStr` and `Display`.
#[macro_export]
macro_rules! string_enum {
    ($name:ident { $($word:literal => $value:ident),+ $(,)? }) => {
        impl $name {
            /// The texts of the values.
            pub const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$value)),+];
        }

        impl std::str::FromStr for $name {
            type Err = $crate::Error;

            fn from_str(text: &str) -> Result<$name, $crate::Error> {
                let found = $name::WORDS.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
                let words = $name::WORDS.iter().map(|(word, _)| *word);
                found.ok_or_else(|| $crate::Error::no_word(text, words))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($name::WORDS.iter().find(|(_, value)| value == self).map_or("", |(word, _)| word))
            }
        }
    };
}
pub use crate::string_enum;

/// Quotes a text for TOML: in double quotes, on one line, hidden characters escaped.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\t' => quoted += "\\t",
            c if sanitize::is_hidden(c) || c.is_control() => quoted += &format!("\\U{:08X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Reads a file's text.
///
/// # Errors
/// One problem with the reason: missing, not a file, too large, not UTF-8 (with the place).
pub fn read(path: &Path) -> Result<Arc<Source>, Report> {
    let name = path.display().to_string();
    match files::read(path, files::Kind::Document) {
        Ok(bytes) => Source::from_bytes(name, bytes),
        Err(error) => {
            let expected = match error.kind() {
                std::io::ErrorKind::InvalidInput => "; a TOML file is expected",
                _ => "",
            };
            let why = sanitize::reason(&error);
            Err(Report::from(Diagnostic::of_file(format!("cannot read {name}: {why}{expected}"))))
        }
    }
}

/// Parses a text and passes its top-level table to `walk`, which collects problems.
///
/// # Errors
/// The syntax errors, or else the problems that `walk` found.
pub fn parse(source: &Arc<Source>, walk: impl FnOnce(&Table<'_>, &mut Vec<Diagnostic>)) -> Result<(), Report> {
    let mut walk = Some(walk);
    parse_by(source, &mut |table, problems| {
        if let Some(walk) = walk.take() {
            walk(table, problems);
        }
    })
}

/// As [`parse`], compiled once.
fn parse_by(source: &Arc<Source>, walk: &mut dyn FnMut(&Table<'_>, &mut Vec<Diagnostic>)) -> Result<(), Report> {
    let (table, errors) = DeTable::parse_recoverable(source.text());
    let mut problems: Vec<Diagnostic> = Vec::new();
    for err in errors {
        let at = Location::new(source, err.span().unwrap_or(0..0));
        // One typing error often violates several grammar rules; the first message for a line is the useful one.
        if problems.last().is_none_or(|last| last.line() != Some(at.line())) {
            problems.push(syntax_error(at, err.message()));
        }
    }
    if problems.is_empty() {
        let unknown = Cell::new(0);
        walk(&Table::new(source, &unknown, table.get_ref(), table.span(), String::new()), &mut problems);
    }
    Report::check(problems)
}

/// Returns the parser's message, or a clearer one.
fn syntax_error(at: Location, message: &str) -> Diagnostic {
    let is_empty = at.text().trim().is_empty();
    let (what, hint) = match message {
        _ if message.starts_with("string values must be quoted") && is_empty => ("a value is missing", ""),
        _ if message.starts_with("string values must be quoted") => ("a text without quotes", "write it as \"…\""),
        _ if message.starts_with("invalid basic string") => ("a text without its closing quote", ""),
        "duplicate key" => ("duplicate key", "already defined above"),
        _ => (message, ""),
    };
    Diagnostic::new(at, format!("not valid TOML: {what}")).hint(hint)
}
