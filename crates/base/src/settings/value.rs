//! Tables and values that know where they stand.

use crate::Error;
use std::cell::Cell;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::{Location, MOST_TOLD, Problem, Source, list, nearest};

/// A table of a document.
pub struct Table<'a> {
    source: &'a Arc<Source>,
    /// How many unknown things were found in the document.
    unknown: &'a Cell<usize>,
    inner: &'a DeTable<'a>,
    span: Range<usize>,
    /// How people call it, such as `ui`; empty for the top of the document.
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
    /// How people call it, such as `ui.theme`.
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

    /// What the table holds, in the order of the text.
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
                let (key_span, key) = (key.span(), key.get_ref().as_ref());
                let (source, unknown) = (self.source, self.unknown);
                Value { source, unknown, inner: value.get_ref(), span: value.span(), key_span, key, path }
            })
            .collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        entries
    }

    pub fn at(&self) -> Location {
        Location::new(self.source, self.span.clone())
    }

    /// That the table holds something that nobody knows: `what` is "key" or "section", `known` what it may hold.
    pub fn unknown<'k>(&self, entry: &Value<'_>, what: &str, known: impl IntoIterator<Item = &'k str>) -> Problem {
        // Beyond those that are told, what would have been meant need not be found out.
        self.unknown.set(self.unknown.get() + 1);
        if self.unknown.get() > MOST_TOLD {
            return Problem::new(entry.key_at(), format!("unknown {what}"));
        }
        let known: Vec<&str> = known.into_iter().collect();
        let place = if self.path.is_empty() { String::new() } else { format!(" in [{}]", self.path) };
        let problem = Problem::new(entry.key_at(), format!("unknown {what} `{}`{place}", entry.key))
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

    /// Where the key stands.
    pub fn key_at(&self) -> Location {
        Location::new(self.source, self.key_span.clone())
    }

    /// Where the value stands.
    pub fn at(&self) -> Location {
        Location::new(self.source, self.span.clone())
    }

    /// That something else is expected here: `expected` is what would be accepted, such as "a number from 1 to 60".
    pub fn wrong(&self, expected: impl Display) -> Problem {
        Problem::new(self.at(), format!("`{}` is {}", self.path, self.found())).hint(format!("expected {expected}"))
    }

    /// The value as it was written, or its kind where that would be long.
    fn found(&self) -> String {
        let at = self.at();
        let text = at.text();
        match self.inner {
            DeValue::Table(_) => "a table".into(),
            DeValue::Array(items) if items.is_empty() => "an empty list".into(),
            DeValue::Array(_) => "a list".into(),
            _ if text.contains('\n') => "a text of several lines".into(),
            _ if text.chars().nth(60).is_some() => "too long".into(),
            _ => text.to_owned(),
        }
    }

    /// # Errors
    /// It is not a table.
    pub fn table(&self) -> Result<Table<'a>, Problem> {
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
    pub fn text(&self, expected: impl Display) -> Result<&'a str, Problem> {
        self.inner.as_str().ok_or_else(|| self.wrong(format!("{expected}, in quotes")))
    }

    /// # Errors
    /// It is neither `true` nor `false`.
    pub fn flag(&self) -> Result<bool, Problem> {
        self.inner.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    /// # Errors
    /// It is not a whole number, or not in the range.
    pub fn whole(&self, range: RangeInclusive<u32>) -> Result<u32, Problem> {
        let number = self.inner.as_integer().and_then(|n| u32::from_str_radix(n.as_str(), n.radix()).ok());
        number
            .filter(|n| range.contains(n))
            .ok_or_else(|| self.wrong(format!("a whole number from {} to {}", range.start(), range.end())))
    }

    /// A number, with or without a decimal point, for which `accepts` holds; `expected` says which those are.
    ///
    /// # Errors
    /// It is not a number, or not an accepted one.
    pub fn number(&self, accepts: impl FnOnce(f64) -> bool, expected: &str) -> Result<f64, Problem> {
        let number = match self.inner {
            DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n as f64),
            DeValue::Float(n) => n.as_str().parse().ok(),
            _ => None,
        };
        number.filter(|&n| n.is_finite() && accepts(n)).ok_or_else(|| self.wrong(expected))
    }

    /// One of a few words.
    ///
    /// # Errors
    /// It is none of them.
    pub fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, Problem> {
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

    /// A text that stands for something; `expected` names what, for a value that is not even a text.
    ///
    /// # Errors
    /// It is not a text, or the type's own words on why it makes no sense.
    pub fn parsed<T: FromStr<Err: Into<Error>>>(&self, expected: &str) -> Result<T, Problem> {
        self.text(expected)?.parse().map_err(|err| self.refused(err))
    }

    /// That the value was understood as a text and refused for the reason given; a list of what would be accepted gets a line of its
    /// own, and an item of a list is marked alone.
    pub fn refused(&self, error: impl Into<Error>) -> Problem {
        let error = error.into();
        self.refused_with(error.hint(), &error)
    }

    /// The same with other words beside the place.
    pub(super) fn refused_with(&self, hint: String, error: &Error) -> Problem {
        let items = self.items();
        let value = error.item().and_then(|item| items.get(item)).unwrap_or(self);
        let problem = Problem::new(value.at(), format!("`{}` is {}", value.path, value.found()));
        let problem = problem.hint(hint);
        error.notes().into_iter().fold(problem, Problem::note)
    }

    /// The value as a text that a [setting](super::Entry) reads: a number without what only TOML knows, a list as it is written.
    pub fn setting(&self) -> String {
        setting(self.inner).unwrap_or_else(|| self.at().text().to_owned())
    }

    /// The items of a list, or a single value as a list of one.
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

    /// For values of several kinds, such as a colour that is a name or a number.
    pub fn whole_number(&self) -> Option<i64> {
        self.inner.as_integer().and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok())
    }

    pub fn as_text(&self) -> Option<&'a str> {
        self.inner.as_str()
    }
}

/// See [`Value::setting`]; `None`: it is read as it is written.
pub(super) fn setting(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n.to_string()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}
