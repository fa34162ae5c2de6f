//! TOML tables and values with their source locations.

use crate::Error;
use std::cell::Cell;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::{Diagnostic, Location, MOST_TOLD, Source, list, nearest};

/// A table of a document.
pub struct Table<'a> {
    source: &'a Arc<Source>,
    /// Number of unknown keys found in the document.
    unknown: &'a Cell<usize>,
    inner: &'a DeTable<'a>,
    span: Range<usize>,
    /// Displayed name, such as `ui`; empty for the top level.
    path: String,
}

/// A value of a document, with the key it belongs to.
pub struct Value<'a> {
    source: &'a Arc<Source>,
    unknown: &'a Cell<usize>,
    inner: &'a DeValue<'a>,
    span: Range<usize>,
    key_span: Range<usize>,
    key: &'a str,
    /// Displayed name, such as `ui.theme`.
    path: String,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        source: &'a Arc<Source>,
        unknown: &'a Cell<usize>,
        inner: &'a DeTable<'a>,
        span: Range<usize>,
        path: String,
    ) -> Table<'a> {
        Table { source, unknown, inner, span, path }
    }

    /// Returns the table's entries, in the order of the text.
    pub fn entries(&self) -> Vec<Value<'a>> {
        let mut entries: Vec<Value<'a>> = self
            .inner
            .iter()
            .map(|(key, value)| {
                let path = if self.path.is_empty() {
                    key.get_ref().to_string()
                } else {
                    format!("{}.{}", self.path, key.get_ref())
                };
                let key_span = key.span();
                let key = key.get_ref().as_ref();
                let source = self.source;
                let unknown = self.unknown;
                Value { source, unknown, inner: value.get_ref(), span: value.span(), key_span, key, path }
            })
            .collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        entries
    }

    pub fn at(&self) -> Location {
        Location::new(self.source, self.span.clone())
    }

    /// Returns the problem of an unknown entry: `what` is "key" or "section", `known` the accepted names.
    pub fn unknown<'k>(&self, entry: &Value<'_>, what: &str, known: impl IntoIterator<Item = &'k str>) -> Diagnostic {
        // Problems beyond the displayed ones need no suggestion.
        self.unknown.set(self.unknown.get() + 1);
        if self.unknown.get() > MOST_TOLD {
            return Diagnostic::new(entry.key_at(), format!("unknown {what}"));
        }
        let known: Vec<&str> = known.into_iter().collect();
        let place = if self.path.is_empty() { String::new() } else { format!(" in [{}]", self.path) };
        let problem = Diagnostic::new(entry.key_at(), format!("unknown {what} `{}`{place}", entry.key))
            .note(format!("accepted: {}", known.join(", ")));
        match nearest(entry.key, known) {
            Some(name) => problem.hint(format!("did you mean `{name}`?")),
            None => problem,
        }
    }
}

impl<'a> Value<'a> {
    pub fn key(&self) -> &'a str {
        self.key
    }

    /// Location of the key.
    pub fn key_at(&self) -> Location {
        Location::new(self.source, self.key_span.clone())
    }

    /// Location of the value.
    pub fn at(&self) -> Location {
        Location::new(self.source, self.span.clone())
    }

    /// Returns the problem of an invalid value: `expected` describes the accepted ones, such as "a number from 1 to
    /// 60".
    pub fn wrong(&self, expected: impl Display) -> Diagnostic {
        Diagnostic::new(self.at(), format!("`{}` is {}", self.path, self.found())).hint(format!("expected {expected}"))
    }

    /// Returns the value as written, or its kind if it is long.
    fn found(&self) -> String {
        let at = self.at();
        let text = at.text();
        match self.inner {
            DeValue::Table(_) => "a table".into(),
            DeValue::Array(items) if items.is_empty() => "an empty list".into(),
            DeValue::Array(_) => "a list".into(),
            _ if text.contains('\n') => "a multi-line text".into(),
            _ if text.chars().nth(60).is_some() => "too long".into(),
            _ => text.to_owned(),
        }
    }

    /// # Errors
    /// It is not a table.
    pub fn table(&self) -> Result<Table<'a>, Diagnostic> {
        match self.inner {
            DeValue::Table(table) => {
                Ok(Table::new(self.source, self.unknown, table, self.span.clone(), self.path.clone()))
            }
            _ => Err(self.wrong(format!("a section: [{}]", self.path))),
        }
    }

    pub fn is_table(&self) -> bool {
        self.inner.is_table()
    }

    /// # Errors
    /// It is not a text.
    pub fn text(&self, expected: impl Display) -> Result<&'a str, Diagnostic> {
        self.inner.as_str().ok_or_else(|| self.wrong(format!("{expected}, in quotes")))
    }

    /// # Errors
    /// It is neither `true` nor `false`.
    pub fn flag(&self) -> Result<bool, Diagnostic> {
        self.inner.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    /// # Errors
    /// It is not a whole number, or not in the range.
    pub fn whole(&self, range: RangeInclusive<u32>) -> Result<u32, Diagnostic> {
        let number = self.inner.as_integer().and_then(|n| u32::from_str_radix(n.as_str(), n.radix()).ok());
        number
            .filter(|n| range.contains(n))
            .ok_or_else(|| self.wrong(format!("a whole number from {} to {}", range.start(), range.end())))
    }

    /// Returns a number, with or without a decimal point, for which `accepts` holds; `expected` describes those
    /// numbers.
    ///
    /// # Errors
    /// It is not a number, or not an accepted one.
    pub fn number(&self, accepts: impl FnOnce(f64) -> bool, expected: &str) -> Result<f64, Diagnostic> {
        let number = match self.inner {
            DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n as f64),
            DeValue::Float(n) => n.as_str().parse().ok(),
            _ => None,
        };
        number.filter(|&n| n.is_finite() && accepts(n)).ok_or_else(|| self.wrong(expected))
    }

    /// Returns the value of one of a few words.
    ///
    /// # Errors
    /// It is not one of them.
    pub fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, Diagnostic> {
        let names = || list(words.iter().map(|(word, _)| format!("\"{word}\"")));
        let Some(text) = self.inner.as_str() else { return Err(self.wrong(names())) };
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let problem = self.wrong(names());
            match nearest(text, words.iter().map(|(word, _)| *word)) {
                Some(word) => problem.note(format!("did you mean \"{word}\"?")),
                None => problem,
            }
        })
    }

    /// Parses a text as a `T`; `expected` describes it, for a value that is not a text.
    ///
    /// # Errors
    /// It is not a text, or the parser's error.
    pub fn parsed<T: FromStr<Err: Into<Error>>>(&self, expected: &str) -> Result<T, Diagnostic> {
        self.text(expected)?.parse().map_err(|err| self.refused(err))
    }

    /// Returns the problem of a text that was rejected with `error`. The accepted values get a line of their own;
    /// the error's list item is marked alone.
    pub fn refused(&self, error: impl Into<Error>) -> Diagnostic {
        let error = error.into();
        self.refused_with(error.hint(), &error)
    }

    /// Same as [`refused`](Value::refused), with another hint beside the place.
    pub(super) fn refused_with(&self, hint: String, error: &Error) -> Diagnostic {
        let items = self.items();
        let value = error.item().and_then(|item| items.get(item)).unwrap_or(self);
        let problem = Diagnostic::new(value.at(), format!("`{}` is {}", value.path, value.found()));
        let problem = problem.hint(hint);
        error.notes().into_iter().fold(problem, Diagnostic::note)
    }

    /// Returns the value as the text of a [setting](super::Entry): numbers without TOML syntax such as underscores,
    /// lists as written.
    pub fn setting(&self) -> String {
        setting(self.inner).unwrap_or_else(|| self.at().text().to_owned())
    }

    /// Returns the items of a list, or a single value as one item.
    pub fn items(&self) -> Vec<Value<'a>> {
        let item = |inner: &'a DeValue<'a>, span: Range<usize>| Value {
            source: self.source,
            unknown: self.unknown,
            inner,
            span,
            key_span: self.key_span.clone(),
            key: self.key,
            path: self.path.clone(),
        };
        match self.inner {
            DeValue::Array(items) => items.iter().map(|one| item(one.get_ref(), one.span())).collect(),
            _ => vec![item(self.inner, self.span.clone())],
        }
    }

    /// Returns the whole number, for values of several types, such as a color name or number.
    pub fn whole_number(&self) -> Option<i64> {
        self.inner.as_integer().and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok())
    }

    pub fn as_text(&self) -> Option<&'a str> {
        self.inner.as_str()
    }
}

/// See [`Value::setting`]; `None`: use the source text.
pub(super) fn setting(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n.to_string()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}
