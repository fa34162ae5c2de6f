//! The error type of all crates. It keeps its parts, so that a flag can show it in one line, a form beside its
//! field, and a file report with the place marked.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::sanitize;
use crate::settings::{Report, list, nearest};

/// An invalid value, an unusable file, or a failed system call.
///
/// `Display` writes one line, such as `games: a whole number from 1 to 9 is expected (got 0)`. Errors in a file
/// that a value names take several lines; see [`in_a_line`](Error::in_a_line).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(Box<Parts>);

/// Boxed to keep `Result` small.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Parts {
    why: Why,
    /// The setting and its rejected value.
    setting: Option<(String, String)>,
    /// All accepted values, if they can be listed, and the word before the list, such as `known`.
    accepted: Option<(&'static str, Vec<String>)>,
    /// Index of the wrong item of a list.
    item: Option<usize>,
    /// Suggestion: the accepted value nearest to the given one.
    near: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Why {
    /// The expected value, such as `a whole number from 1 to 9`, and whether it is plural.
    Expected { what: String, several: bool },
    /// The text is not one of these words.
    NoWord { text: String, words: Vec<&'static str> },
    /// One or a few sentences.
    Told(String),
    /// Errors in a file that the value names.
    File(Report),
    /// A failed file operation, such as `cannot write rows.csv`.
    Io { what: String, source: Failure },
}

/// A failed system call; equal to another of the same [`io::ErrorKind`].
#[derive(Clone, Debug)]
struct Failure(Arc<io::Error>);

impl PartialEq for Failure {
    fn eq(&self, other: &Failure) -> bool {
        self.0.kind() == other.0.kind()
    }
}

impl Eq for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sanitize::reason(&self.0))
    }
}

impl Error {
    /// Returns the error of a failed file operation, for `map_err`: `cannot read weights.toml: no such file`.
    /// `doing` is the verb.
    pub fn cannot<'a>(doing: &'a str, path: &'a Path) -> impl Fn(io::Error) -> Error + Copy + 'a {
        move |error| {
            let what = format!("cannot {doing} {}", sanitize::path(path));
            Error::new(Why::Io { what, source: Failure(Arc::new(error)) })
        }
    }

    /// Returns "`what` is expected", such as `a whole number from 1 to 9`.
    pub fn expected(what: impl Into<String>) -> Error {
        Error::new(Why::Expected { what: what.into(), several: false })
    }

    /// Returns "`what` are expected", such as `pairs of numbers`.
    pub fn expected_several(what: impl Into<String>) -> Error {
        Error::new(Why::Expected { what: what.into(), several: true })
    }

    /// Returns the error of a `text` that is not one of `words`.
    pub fn no_word(text: impl Into<String>, words: impl IntoIterator<Item = &'static str>) -> Error {
        Error::new(Why::NoWord { text: text.into(), words: words.into_iter().collect() })
    }

    /// Returns the error of an unknown name, with the known ones.
    pub fn unknown<S: Into<String>>(what: impl Into<String>, known: impl IntoIterator<Item = S>) -> Error {
        Error::listing(what.into(), "known", known)
    }

    /// Returns the error of an invalid value, with the accepted ones.
    pub fn not_accepted<S: Into<String>>(what: impl Into<String>, accepted: impl IntoIterator<Item = S>) -> Error {
        Error::listing(what.into(), "accepted", accepted)
    }

    fn listing<S: Into<String>>(what: String, how: &'static str, list: impl IntoIterator<Item = S>) -> Error {
        let mut error = Error::from(what);
        error.0.accepted = Some((how, list.into_iter().map(Into::into).collect()));
        error
    }

    fn new(why: Why) -> Error {
        Error(Box::new(Parts { why, setting: None, accepted: None, item: None, near: None }))
    }

    /// Adds the setting's key and value, unless the error already has them.
    #[must_use]
    pub fn for_setting(mut self, key: &str, value: &str) -> Error {
        self.0.setting.get_or_insert_with(|| (key.to_owned(), value.to_owned()));
        self
    }

    /// Adds the index of the wrong list item, from 0.
    #[must_use]
    pub fn in_item(mut self, item: usize) -> Error {
        self.0.item = Some(item);
        self
    }

    /// Replaces the list of accepted values by a shorter one, if there is a list.
    #[must_use]
    pub fn with_list<S: Into<String>>(mut self, list: impl IntoIterator<Item = S>) -> Error {
        if let Some((_, accepted)) = &mut self.0.accepted {
            *accepted = list.into_iter().map(Into::into).collect();
        }
        self
    }

    /// Adds the candidate nearest to `word` as a suggestion, if one is near enough.
    #[must_use]
    pub fn near<'a>(mut self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Error {
        self.0.near = nearest(word, candidates).map(str::to_owned);
        self
    }

    /// Returns whether the error is a file report of several lines without a setting, which needs no prefix.
    pub fn is_report(&self) -> bool {
        matches!(self.0.why, Why::File(_)) && self.0.setting.is_none()
    }

    pub fn item(&self) -> Option<usize> {
        self.0.item
    }

    /// Returns one line without the accepted values, for a place that shows the setting's name.
    pub fn line(&self) -> String {
        let mut short = self.clone();
        short.0.accepted = None;
        short.in_a_line()
    }

    /// Returns the error as a single line.
    pub fn in_a_line(&self) -> String {
        match (&self.0.why, &self.0.setting) {
            (Why::File(report), Some((key, _))) => format!("{key}: {}", report.in_a_line()),
            (Why::File(report), None) => report.in_a_line(),
            _ => self.to_string(),
        }
    }

    /// Returns the short text beside a marked place.
    pub fn hint(&self) -> String {
        match &self.0.why {
            Why::Expected { what, .. } => format!("expected {what}"),
            Why::NoWord { words, .. } => format!("expected {}", list(words.iter().map(|word| format!("\"{word}\"")))),
            Why::Told(sentence) => sentence.clone(),
            Why::Io { what, source } => format!("{what}: {source}"),
            Why::File(report) => report.in_a_line(),
        }
    }

    /// Returns the lines below the marked place.
    pub fn notes(&self) -> Vec<String> {
        let near = match &self.0.why {
            Why::NoWord { text, words } => nearest(text, words.iter().copied()),
            _ => self.0.near.as_deref(),
        };
        let near = near.map(|word| format!("did you mean \"{word}\"?"));
        let accepted = self.0.accepted.as_ref().map(|(how, what)| format!("{how}: {}", what.join(", ")));
        accepted.into_iter().chain(near).collect()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((key, _)) = &self.0.setting {
            write!(f, "{key}: ")?;
        }
        match (&self.0.why, &self.0.setting) {
            (Why::Expected { what, several }, _) => {
                write!(f, "{what} {} expected", if *several { "are" } else { "is" })?
            }
            (Why::NoWord { words, .. }, Some(_)) => write!(f, "expected {}", list(words))?,
            (Why::NoWord { text, words }, None) => write!(f, "'{text}' is not accepted; expected {}", list(words))?,
            (Why::Told(sentence), _) => f.write_str(sentence)?,
            (Why::Io { what, source }, _) => write!(f, "{what}: {source}")?,
            (Why::File(report), _) => write!(f, "{report}")?,
        }
        if let (Some((_, value)), false) =
            (&self.0.setting, matches!(self.0.why, Why::Told(_) | Why::File(_) | Why::Io { .. }))
        {
            write!(f, " (got {value})")?;
        }
        if let Some(near) = &self.0.near {
            write!(f, " (did you mean '{near}'?)")?;
        }
        match &self.0.accepted {
            Some((how, what)) => write!(f, "; {how}: {}", what.join(", ")),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Returns from the function with an [`Error`] formatted as by `format!`.
#[macro_export]
macro_rules! bail {
    ($($sentence:tt)+) => {
        return Err($crate::Error::from(format!($($sentence)+)))
    };
}

/// An error of one sentence.
impl From<String> for Error {
    fn from(sentence: String) -> Error {
        Error::new(Why::Told(sentence))
    }
}

impl From<&str> for Error {
    fn from(sentence: &str) -> Error {
        Error::from(sentence.to_owned())
    }
}

/// Errors in a file that a value names.
impl From<Report> for Error {
    fn from(report: Report) -> Error {
        Error::new(Why::File(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Diagnostic, Location, Source};

    #[test]
    fn what_is_wrong_with_a_file_is_reported_in_many_lines_or_in_one() {
        let at = Location::new(&Source::new("w.toml", "W1 = x\n"), 5..6);
        let error = Error::from(Report::from(Diagnostic::new(at, "no weight").hint("expected a number")));
        assert!(error.is_report() && error.to_string().starts_with("error: no weight\n --> w.toml:1:6\n"));
        assert_eq!(
            (error.in_a_line(), error.hint()),
            ("no weight (w.toml:1:6)".into(), "no weight (w.toml:1:6)".into())
        );
        let of = error.for_setting("player", "heuristic:4@w.toml");
        assert!(!of.is_report() && of.to_string().starts_with("player: error: no weight\n"));
        assert_eq!(
            (of.in_a_line(), of.line()),
            ("player: no weight (w.toml:1:6)".into(), "player: no weight (w.toml:1:6)".into())
        );
    }

    #[test]
    fn a_refusal_is_reported_in_a_line_and_in_parts() {
        let whole = Error::expected("a whole number from 1 to 9");
        assert_eq!(whole.to_string(), "a whole number from 1 to 9 is expected");
        assert_eq!(whole.hint(), "expected a whole number from 1 to 9");
        assert_eq!(
            whole.for_setting("games", "0").to_string(),
            "games: a whole number from 1 to 9 is expected (got 0)"
        );
        let word = Error::no_word("sums", ["sum", "rest"]);
        assert_eq!(word.to_string(), "'sums' is not accepted; expected sum or rest");
        assert_eq!(
            (word.hint(), word.notes()),
            ("expected \"sum\" or \"rest\"".into(), vec!["did you mean \"sum\"?".into()])
        );
        assert_eq!(word.for_setting("fitness", "sums").to_string(), "fitness: expected sum or rest (got sums)");
        let unknown = Error::unknown("no game is named 'x'", ["a", "b"]);
        assert_eq!(unknown.to_string(), "no game is named 'x'; known: a, b");
        assert_eq!((unknown.hint(), unknown.notes()), ("no game is named 'x'".into(), vec!["known: a, b".into()]));
        assert_eq!(unknown.clone().with_list(["a"]).to_string(), "no game is named 'x'; known: a");
        assert_eq!(Error::not_accepted("'+' is no key", ["a", "b"]).to_string(), "'+' is no key; accepted: a, b");
        let near = unknown.clone().near("aa", ["bbb", "a"]);
        assert_eq!(near.to_string(), "no game is named 'x' (did you mean 'a'?); known: a, b");
        assert_eq!(near.notes(), ["known: a, b", "did you mean \"a\"?"]);
        let of = unknown.for_setting("game", "x").for_setting("other", "y");
        assert_eq!(of.to_string(), "game: no game is named 'x'; known: a, b");
        assert_eq!(Error::expected_several("pairs").in_item(2).item(), Some(2));
    }
}
