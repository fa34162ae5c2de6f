//! Why a text is not accepted, in parts: a flag tells it in one line, a form beside its field, a file with the place marked, and
//! none of them has to find the parts in a sentence again.

use std::fmt;

use super::{Report, list, nearest};

/// Why a text is not accepted.
///
/// Its `Display` is the line for people: `games: a whole number from 1 to 9 is expected; '0' is not`. What is wrong with a file
/// that a text names has more lines than one; see [`in_a_line`](Refusal::in_a_line).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(Box<Parts>);

/// Apart, as a result with them in it would be large to hand around.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Parts {
    why: Why,
    /// The setting, and the value it was to get.
    setting: Option<(String, String)>,
    /// All that would be accepted, if it can be counted up; and how that is introduced, such as `known`.
    accepted: Option<(&'static str, Vec<String>)>,
    /// The item of a list that is wrong, counted from 0.
    item: Option<usize>,
    /// What may have been meant.
    near: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Why {
    /// Something else is expected: what, such as `a whole number from 1 to 9`, and whether that is one thing or several.
    Expected { what: String, several: bool },
    /// It is none of these words.
    NoWord { text: String, words: Vec<&'static str> },
    /// A sentence, or a few.
    Told(String),
    /// It names a file that holds something else.
    File(Report),
}

impl Refusal {
    /// That `what` is expected, such as `a whole number from 1 to 9`.
    pub fn expected(what: impl Into<String>) -> Refusal {
        Refusal::new(Why::Expected { what: what.into(), several: false })
    }

    /// That `what` are expected, such as `pairs of numbers`.
    pub fn expected_several(what: impl Into<String>) -> Refusal {
        Refusal::new(Why::Expected { what: what.into(), several: true })
    }

    /// That `text` is none of these words.
    pub fn no_word(text: impl Into<String>, words: impl IntoIterator<Item = &'static str>) -> Refusal {
        Refusal::new(Why::NoWord { text: text.into(), words: words.into_iter().collect() })
    }

    /// That there is no such thing, and which there are.
    pub fn unknown<S: Into<String>>(what: impl Into<String>, known: impl IntoIterator<Item = S>) -> Refusal {
        Refusal::listing(what.into(), "known", known)
    }

    /// What is wrong with a text, and what would be accepted.
    pub fn not_accepted<S: Into<String>>(what: impl Into<String>, accepted: impl IntoIterator<Item = S>) -> Refusal {
        Refusal::listing(what.into(), "accepted", accepted)
    }

    fn listing<S: Into<String>>(what: String, how: &'static str, list: impl IntoIterator<Item = S>) -> Refusal {
        let mut refusal = Refusal::from(what);
        refusal.0.accepted = Some((how, list.into_iter().map(Into::into).collect()));
        refusal
    }

    fn new(why: Why) -> Refusal {
        Refusal(Box::new(Parts { why, setting: None, accepted: None, item: None, near: None }))
    }

    /// The same of a setting's value, unless it is known already which it is of.
    #[must_use]
    pub fn of(mut self, key: &str, value: &str) -> Refusal {
        self.0.setting.get_or_insert_with(|| (key.to_owned(), value.to_owned()));
        self
    }

    /// The same of an item of a list, counted from 0.
    #[must_use]
    pub fn in_item(mut self, item: usize) -> Refusal {
        self.0.item = Some(item);
        self
    }

    /// The same with a shorter list of what would be accepted, if it has one.
    #[must_use]
    pub fn with_list<S: Into<String>>(mut self, list: impl IntoIterator<Item = S>) -> Refusal {
        if let Some((_, accepted)) = &mut self.0.accepted {
            *accepted = list.into_iter().map(Into::into).collect();
        }
        self
    }

    /// The same with the one of these that `word` may have been meant to be, if it is near one.
    #[must_use]
    pub fn near<'a>(mut self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Refusal {
        self.0.near = nearest(word, candidates).map(str::to_owned);
        self
    }

    /// Whether it is what is wrong with a file and nothing else: a text of many lines, which needs nothing in front.
    pub fn is_report(&self) -> bool {
        matches!(self.0.why, Why::File(_)) && self.0.setting.is_none()
    }

    pub fn item(&self) -> Option<usize> {
        self.0.item
    }

    /// The line for people without the list of what would be accepted: for a place where the setting's name helps.
    pub fn line(&self) -> String {
        let mut short = self.clone();
        short.0.accepted = None;
        short.in_a_line()
    }

    /// The text for people as one line, for a place that has no more.
    pub fn in_a_line(&self) -> String {
        match (&self.0.why, &self.0.setting) {
            (Why::File(report), Some((key, _))) => format!("{key}: {}", report.in_a_line()),
            (Why::File(report), None) => report.in_a_line(),
            _ => self.to_string(),
        }
    }

    /// The few words beside a marked place.
    pub fn hint(&self) -> String {
        match &self.0.why {
            Why::Expected { what, .. } => format!("expected {what}"),
            Why::NoWord { words, .. } => format!("expected {}", list(words.iter().map(|word| format!("\"{word}\"")))),
            Why::Told(sentence) => sentence.clone(),
            Why::File(report) => report.in_a_line(),
        }
    }

    /// The lines below it.
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

impl fmt::Display for Refusal {
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
            (Why::File(report), _) => write!(f, "{report}")?,
        }
        if let (Some((_, value)), false) = (&self.0.setting, matches!(self.0.why, Why::Told(_) | Why::File(_))) {
            write!(f, "; '{value}' is not")?;
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

impl std::error::Error for Refusal {}

/// A sentence that says all there is.
impl From<String> for Refusal {
    fn from(sentence: String) -> Refusal {
        Refusal::new(Why::Told(sentence))
    }
}

impl From<&str> for Refusal {
    fn from(sentence: &str) -> Refusal {
        Refusal::from(sentence.to_owned())
    }
}

/// What is wrong with a file that the text names.
impl From<Report> for Refusal {
    fn from(report: Report) -> Refusal {
        Refusal::new(Why::File(report))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Location, Problem, Source};
    use super::*;

    #[test]
    fn what_is_wrong_with_a_file_is_told_in_many_lines_or_in_one() {
        let at = Location::new(&Source::new("w.toml", "W1 = x\n"), 5..6);
        let refusal = Refusal::from(Report::from(Problem::new(at, "no weight").hint("expected a number")));
        assert!(refusal.is_report() && refusal.to_string().starts_with("error: no weight\n --> w.toml:1:6\n"));
        assert_eq!(
            (refusal.in_a_line(), refusal.hint()),
            ("no weight (w.toml:1:6)".into(), "no weight (w.toml:1:6)".into())
        );
        let of = refusal.of("player", "heuristic:4@w.toml");
        assert!(!of.is_report() && of.to_string().starts_with("player: error: no weight\n"));
        assert_eq!(
            (of.in_a_line(), of.line()),
            ("player: no weight (w.toml:1:6)".into(), "player: no weight (w.toml:1:6)".into())
        );
    }

    #[test]
    fn a_refusal_is_told_in_a_line_and_in_parts() {
        let whole = Refusal::expected("a whole number from 1 to 9");
        assert_eq!(whole.to_string(), "a whole number from 1 to 9 is expected");
        assert_eq!(whole.hint(), "expected a whole number from 1 to 9");
        assert_eq!(whole.of("games", "0").to_string(), "games: a whole number from 1 to 9 is expected; '0' is not");
        let word = Refusal::no_word("sums", ["sum", "rest"]);
        assert_eq!(word.to_string(), "'sums' is not accepted; expected sum or rest");
        assert_eq!(
            (word.hint(), word.notes()),
            ("expected \"sum\" or \"rest\"".into(), vec!["did you mean \"sum\"?".into()])
        );
        assert_eq!(word.of("fitness", "sums").to_string(), "fitness: expected sum or rest; 'sums' is not");
        let unknown = Refusal::unknown("no game is called 'x'", ["a", "b"]);
        assert_eq!(unknown.to_string(), "no game is called 'x'; known: a, b");
        assert_eq!((unknown.hint(), unknown.notes()), ("no game is called 'x'".into(), vec!["known: a, b".into()]));
        assert_eq!(unknown.clone().with_list(["a"]).to_string(), "no game is called 'x'; known: a");
        assert_eq!(Refusal::not_accepted("'+' is no key", ["a", "b"]).to_string(), "'+' is no key; accepted: a, b");
        let near = unknown.clone().near("aa", ["bbb", "a"]);
        assert_eq!(near.to_string(), "no game is called 'x' (did you mean 'a'?); known: a, b");
        assert_eq!(near.notes(), ["known: a, b", "did you mean \"a\"?"]);
        let of = unknown.of("game", "x").of("other", "y");
        assert_eq!(of.to_string(), "game: no game is called 'x'; known: a, b");
        assert_eq!(Refusal::expected_several("pairs").in_item(2).item(), Some(2));
    }
}
