//! Settings as a list of texts: what flags, forms and files read and write them by.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::value::setting;
use super::{Problem, Refusal, Report, Source, Table, Value, parse, quoted};

/// One setting of `S`, as flags, files and dialogs read and write it.
pub struct Entry<S> {
    pub key: &'static str,
    /// What it is, with its unit and range.
    pub about: &'static str,
    /// A text that [`set`](Entry::set) reads back to the same value. A list is written as TOML writes it.
    pub get: fn(&S) -> String,
    /// # Errors
    /// What would be accepted.
    pub set: fn(&mut S, &str) -> Result<(), Refusal>,
}

/// The [`Entry`] of a field that bears its key's name: a whole number or a real one between two bounds, a flag, or a word of an enum.
///
/// Ranges and words are told in the sentence about it, for people, and are checked when it is set.
#[macro_export]
macro_rules! entry {
    ($field:ident: whole($least:expr, $most:expr), $about:expr) => {
        $crate::entry!(@ $field, $about, |text| $crate::document::whole(text, $least, $most).map(|n| n as _))
    };
    ($field:ident: real($least:expr, $most:expr), $about:expr) => {
        $crate::entry!(@ $field, $about, |text| $crate::document::real(text, $least, $most))
    };
    ($field:ident: flag, $about:expr) => {
        $crate::entry!(@ $field, $about, |text| $crate::document::flag(text))
    };
    ($field:ident: word, $about:expr) => {
        $crate::entry!(@ $field, $about, |text| text.parse())
    };
    (@ $field:ident, $about:expr, |$text:ident| $read:expr) => {
        $crate::document::Entry {
            key: stringify!($field),
            about: $about,
            get: |settings| settings.$field.to_string(),
            set: |settings, $text| $read.map(|value| settings.$field = value),
        }
    };
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
    fn set(&mut self, key: &str, value: &str) -> Result<(), Refusal>;

    /// What a file means that was written before there was this setting; `None` if every file has it.
    fn before(&self, _key: &str) -> Option<&'static str> {
        None
    }

    /// The lines of `[settings]` in a run's file.
    fn to_text(&self) -> String {
        let mut text = String::new();
        for (key, about, value) in self.list() {
            let value = if is_toml(&value) { value } else { quoted(&value) };
            let _ = writeln!(text, "# {about}\n{key} = {value}");
        }
        text
    }

    /// Sets what a value of a file says: its key and what is written there.
    ///
    /// # Errors
    /// It is not accepted: why, with the place.
    fn take(&mut self, value: &Value<'_>) -> Result<(), Problem> {
        self.set(value.key(), &value.setting()).map_err(|refusal| value.refused(refusal))
    }

    /// Reads such lines into these settings, and notes what is wrong with them.
    fn read(&mut self, table: &Table<'_>, problems: &mut Vec<Problem>) {
        let (known, entries) = (self.list(), table.entries());
        for value in &entries {
            if !known.iter().any(|(key, ..)| *key == value.key()) {
                problems.push(table.unknown(value, "setting", known.iter().map(|(key, ..)| *key)));
                continue;
            }
            let set = self.set(value.key(), &value.setting());
            problems.extend(set.err().map(|refusal| value.refused_with(refusal.line(), &refusal)));
        }
        // A setting that is left out would silently be the usual one, which another version may have another of.
        let given: HashSet<&str> = entries.iter().map(|value| value.key()).collect();
        for (key, ..) in known {
            if given.contains(key) {
                continue;
            }
            match self.before(key) {
                Some(value) => {
                    let set = self.set(key, value);
                    problems.extend(set.err().map(|refusal| Problem::new(table.at(), refusal.in_a_line())));
                }
                None => problems.push(Problem::new(table.at(), format!("`{key}` is missing"))),
            }
        }
    }

    /// Sets what a line such as `mutation = 2` says, of settings or of `more`; a value that is no TOML is taken as a text:
    /// `selection=tournament:4`.
    ///
    /// # Errors
    /// What is wrong with it, with the place.
    fn read_line(&mut self, line: &str, more: &[&'static str]) -> Result<(), Report> {
        let sets_nothing = || Problem::of_file(format!("'{line}' sets nothing; write KEY=VALUE"));
        let (key, value) = line.split_once('=').ok_or_else(sets_nothing)?;
        let (key, value) = (key.trim(), value.trim());
        let value =
            if is_toml(value) || value.starts_with(['"', '\'', '[']) { value.to_owned() } else { quoted(value) };
        let known: Vec<&str> = more.iter().copied().chain(self.list().into_iter().map(|(key, ..)| key)).collect();
        parse(&Source::new("--set", format!("{key} = {value}")), |top, problems| {
            for value in top.entries() {
                let read = match known.contains(&value.key()) {
                    true => self.take(&value),
                    false => Err(top.unknown(&value, "key", known.iter().copied())),
                };
                problems.extend(read.err());
            }
        })
    }

    /// The refusal of a key that is none; `more` are keys that are not in the list.
    fn unknown(&self, key: &str, more: &[&'static str]) -> Refusal {
        let known: Vec<&str> = more.iter().copied().chain(self.list().into_iter().map(|(key, ..)| key)).collect();
        Refusal::unknown(format!("there is no setting '{key}'"), known.iter().copied()).near(key, known)
    }
}

/// Whether a value stands in a file as it is: a number, true, false or a list. Everything else is written in quotes.
fn is_toml(value: &str) -> bool {
    let may_be = value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok() || value.starts_with('[');
    let line = format!("x = {value}");
    // What would be read as another text, such as `+1`, is none.
    let is_same = |read: &DeValue<'_>| setting(read).is_none_or(|text| text == value);
    may_be
        && !value.contains('\n')
        && DeTable::parse(&line).is_ok_and(|table| {
            let table = table.get_ref();
            table.len() == 1 && table.get("x").is_some_and(|read| is_same(read.get_ref()))
        })
}

/// # Errors
/// What would be accepted.
pub fn whole(text: &str, low: u64, high: u64) -> Result<u64, Refusal> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| Refusal::expected(format!("a whole number from {low} to {high}")))
}

/// # Errors
/// What would be accepted.
pub fn real(text: &str, low: f64, high: f64) -> Result<f64, Refusal> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| Refusal::expected(format!("a number from {low} to {high}")))
}

/// # Errors
/// What would be accepted.
pub fn flag(text: &str) -> Result<bool, Refusal> {
    text.parse().map_err(|_| Refusal::expected("true or false"))
}

/// The texts of a list: a list of TOML, such as `["if", "add"]`, or texts with commas between them. `expected` says what they are.
///
/// # Errors
/// It is neither, or an item is no text: which.
pub fn texts(text: &str, expected: &str) -> Result<Vec<String>, Refusal> {
    if !text.starts_with(['[', '"', '\'']) {
        return Ok(text.split(',').map(|item| item.trim().to_owned()).collect());
    }
    let source: Arc<str> = format!("x = {text}").into();
    let table = DeTable::parse(&source).map_err(|_| Refusal::expected(expected))?;
    let item = |(index, value): (usize, &DeValue<'_>)| {
        let text = value.as_str().map(str::to_owned);
        text.ok_or_else(|| Refusal::expected(format!("{expected}, in quotes")).in_item(index))
    };
    match table.get_ref().get("x").map(|value| value.get_ref()) {
        Some(DeValue::Array(items)) => items.iter().map(|value| value.get_ref()).enumerate().map(item).collect(),
        Some(value) => item((0, value)).map(|text| vec![text]),
        None => Err(Refusal::expected(expected)),
    }
}

/// Texts as a list of TOML, which [`texts`] reads back whatever they hold.
pub fn list_of<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| quoted(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number, a text and a list.
    #[derive(Clone, PartialEq, Debug, Default)]
    struct Three {
        number: f64,
        text: String,
        list: Vec<String>,
    }

    const ENTRIES: &[Entry<Three>] = &[
        Entry {
            key: "number",
            about: "a number from -9 to 9",
            get: |s| format!("{:?}", s.number),
            set: |s, text| real(text, -9.0, 9.0).map(|number| s.number = number),
        },
        Entry {
            key: "text",
            about: "a text",
            get: |s| s.text.clone(),
            set: |s, text| {
                text.clone_into(&mut s.text);
                Ok(())
            },
        },
        Entry {
            key: "list",
            about: "texts",
            get: |s| list_of(&s.list),
            set: |s, text| texts(text, "texts").map(|list| s.list = list),
        },
    ];

    impl Listed for Three {
        fn list(&self) -> Vec<(&'static str, &'static str, String)> {
            ENTRIES.iter().map(|entry| entry.listed(self)).collect()
        }

        fn set(&mut self, key: &str, value: &str) -> Result<(), Refusal> {
            let entry = ENTRIES.iter().find(|entry| entry.key == key).ok_or_else(|| self.unknown(key, &[]))?;
            (entry.set)(self, value).map_err(|refusal| refusal.of(key, value))
        }
    }

    fn reread(written: &Three) -> Three {
        let mut read = Three::default();
        let source = Source::new("run.toml", written.to_text());
        parse(&source, |table, problems| read.read(table, problems)).unwrap_or_else(|report| panic!("{report}"));
        read
    }

    #[test]
    fn texts_that_look_like_something_else_come_back() {
        for text in [
            "infinity",
            "nan",
            ".5",
            "1.",
            "007",
            "+1",
            "true",
            "[",
            "[1",
            "[1, 2]",
            "# no",
            "\"",
            "\"\"\"",
            "é\u{1b}\n\r\u{7f}\u{202e}\\",
            "1\n2 = 3",
            "1 # x",
        ] {
            let one = Three { number: -0.5, text: text.to_owned(), list: vec![text.to_owned(), "a, b".to_owned()] };
            assert_eq!(reread(&one), one, "{}", one.to_text());
        }
    }

    #[test]
    fn lists_are_read_as_toml_or_with_commas() {
        for text in ["[\"a\", 'b']", "a,b", " a , b", "[ 'a',\n  # one\n 'b',\n]"] {
            assert_eq!(texts(text.trim(), "names").unwrap(), ["a", "b"], "{text}");
        }
        assert_eq!(texts("[]", "names").unwrap(), Vec::<String>::new());
        assert_eq!(texts("'a, b'", "names").unwrap(), ["a, b"]);
        let refusal = texts("['a', 2]", "names").unwrap_err();
        assert_eq!((refusal.item(), refusal.to_string().as_str()), (Some(1), "names, in quotes is expected"));
        assert!(texts("['a'", "names").is_err());
    }

    #[test]
    fn a_line_sets_one_thing_and_marks_what_is_wrong() {
        let mut three = Three::default();
        three.read_line("text = \u{1b}é", &[]).unwrap();
        three.read_line("list=['x']", &[]).unwrap();
        let file = Source::new("run.toml", "number = 0x8");
        parse(&file, |table, problems| {
            problems.extend(table.entries().iter().filter_map(|value| three.take(value).err()))
        })
        .unwrap();
        assert_eq!(three, Three { number: 8.0, text: "\u{1b}é".to_owned(), list: vec!["x".to_owned()] });
        let mut error = |line: &str| three.read_line(line, &["seed"]).unwrap_err().to_string();
        assert!(error("number=10").contains("expected a number from -9 to 9"));
        assert!(error("nunber=1").contains("did you mean `number`?"));
        assert!(error("x").contains("'x' sets nothing; write KEY=VALUE"));
        let marked = error("list=['a', 5]");
        assert!(marked.contains("--> --set:1:14") && marked.contains("^ expected texts, in quotes"), "{marked}");
    }

    proptest::proptest! {
        #[test]
        fn whatever_a_text_holds_it_comes_back(number in -9.0f64..9.0, text: String, list: Vec<String>) {
            let one = Three { number, text, list };
            proptest::prop_assert_eq!(reread(&one), one);
        }
    }
}
