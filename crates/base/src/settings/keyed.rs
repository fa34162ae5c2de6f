//! Settings by key, as flags, forms and files read and write them.
//!
//! A kind of settings is one table of [`Entry`]s ([`SettingsTable`]); everything else is derived from it.

use crate::Error;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::value::setting;
use super::{Diagnostic, Table, Value, quoted};

type Get<S> = Box<dyn Fn(&S) -> String>;
type Set<S> = Box<dyn Fn(&mut S, &str) -> Result<(), Error>>;

/// One setting of `S`: its key, description, and conversion from and to text. [`entry!`](crate::entry) makes one for
/// a number, a flag or a word.
pub struct Entry<S> {
    key: &'static str,
    about: &'static str,
    noted: &'static str,
    get: Get<S>,
    set: Set<S>,
    words: Vec<&'static str>,
    before: Option<&'static str>,
    is_implied: bool,
    is_common: bool,
}

impl<S: 'static> Entry<S> {
    /// `about` describes the setting, with its unit and range. `set` accepts every text that `get` returns; lists
    /// have TOML syntax.
    pub fn new(
        key: &'static str,
        about: &'static str,
        get: impl Fn(&S) -> String + 'static,
        set: impl Fn(&mut S, &str) -> Result<(), Error> + 'static,
    ) -> Entry<S> {
        let get = Box::new(get);
        let set = Box::new(set);
        let words = Vec::new();
        Entry { key, about, noted: about, get, set, words, before: None, is_implied: false, is_common: false }
    }

    /// Adds the accepted words, or typical values: forms offer them.
    #[must_use]
    pub fn words(self, words: impl IntoIterator<Item = &'static str>) -> Entry<S> {
        Entry { words: words.into_iter().collect(), ..self }
    }

    /// Sets the description in files, which stays as it was when a setting accepts more.
    #[must_use]
    pub fn noted(self, noted: &'static str) -> Entry<S> {
        Entry { noted, ..self }
    }

    /// Adds the value for files that are older than this setting.
    #[must_use]
    pub fn before(self, value: &'static str) -> Entry<S> {
        Entry { before: Some(value), ..self }
    }

    /// As [`before`](Entry::before), for a setting that files omit while it has this value, so that they stay as they were.
    #[must_use]
    pub fn implied(self, value: &'static str) -> Entry<S> {
        Entry { is_implied: true, ..self.before(value) }
    }

    /// Marks a setting of every run, which is not listed with the others.
    #[must_use]
    pub fn common(self) -> Entry<S> {
        Entry { is_common: true, ..self }
    }

    /// Makes it a setting of a `T` with a part `S`.
    pub fn within<T: 'static>(self, part: fn(&T) -> &S, part_mut: fn(&mut T) -> &mut S) -> Entry<T> {
        let Entry { key, about, noted, get, set, words, before, is_implied, is_common } = self;
        let (get, set): (Get<T>, Set<T>) =
            (Box::new(move |whole| get(part(whole))), Box::new(move |whole, text| set(part_mut(whole), text)));
        Entry { key, about, noted, get, set, words, before, is_implied, is_common }
    }
}

/// Makes the [`Entry`] of a field named like its key, or of a field path with its key before it: a whole number or a
/// real number between two bounds, a flag, a parsed word, or an enum with `WORDS`.
///
/// `about` states the range or words for readers; `set` checks them.
#[macro_export]
macro_rules! entry {
    ($field:ident: $kind:ident $(($($of:expr),+))?, $about:expr) => {
        $crate::entry!(stringify!($field), $field: $kind $(($($of),+))?, $about)
    };
    ($key:expr, $($part:ident).+: whole($least:expr, $most:expr), $about:expr) => {
        $crate::entry!(@ $key, $about, $($part).+, |text| $crate::settings::whole(text, $least, $most).map(|n| n as _))
    };
    ($key:expr, $($part:ident).+: real($least:expr, $most:expr), $about:expr) => {
        $crate::entry!(@ $key, $about, $($part).+, |text| $crate::settings::real(text, $least, $most))
    };
    ($key:expr, $($part:ident).+: flag, $about:expr) => {
        $crate::entry!(@ $key, $about, $($part).+, |text| $crate::settings::flag(text)).words(["true", "false"])
    };
    ($key:expr, $($part:ident).+: word, $about:expr) => {
        $crate::entry!(@ $key, $about, $($part).+, |text| text.parse())
    };
    ($key:expr, $($part:ident).+: one_of($words:expr), $about:expr) => {
        $crate::entry!($key, $($part).+: word, $about).words($words.iter().map(|(word, _)| *word))
    };
    (@ $key:expr, $about:expr, $($part:ident).+, |$text:ident| $read:expr) => {
        $crate::settings::Entry::<Self>::new(
            $key,
            $about,
            |settings| settings.$($part).+.to_string(),
            |settings, $text| $read.map(|value| settings.$($part).+ = value),
        )
    };
}

/// A setting with its value.
pub struct Field {
    pub key: &'static str,
    pub about: &'static str,
    /// See [`Entry::noted`].
    noted: &'static str,
    pub value: String,
    /// See [`Entry::words`].
    pub words: Vec<&'static str>,
    /// See [`Entry::before`].
    before: Option<&'static str>,
    /// See [`Entry::implied`].
    is_implied: bool,
    is_common: bool,
}

/// Settings defined by one table.
pub trait SettingsTable: Sized + 'static {
    /// Returns every setting; those of every run come first.
    fn entries() -> Vec<Entry<Self>>;

    /// Returns the entries as those of settings with this part.
    fn entries_of<S: 'static>(part: fn(&S) -> &Self, part_mut: fn(&mut S) -> &mut Self) -> Vec<Entry<S>> {
        Self::entries().into_iter().map(|entry| entry.within(part, part_mut)).collect()
    }
}

impl<S: SettingsTable> KeyedSettings for S {
    fn fields(&self) -> Vec<Field> {
        let field = |entry: Entry<S>| {
            let Entry { key, about, noted, get, words, before, is_implied, is_common, .. } = entry;
            Field { key, about, noted, value: get(self), words, before, is_implied, is_common }
        };
        S::entries().into_iter().map(field).collect()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let value = value.trim();
        match S::entries().into_iter().find(|entry| entry.key == key) {
            Some(entry) => (entry.set)(self, value).map_err(|error| error.for_setting(key, value)),
            None => {
                let known: Vec<&str> = S::entries().iter().map(|entry| entry.key).collect();
                Err(Error::unknown(format!("no setting is named '{key}'"), known.iter().copied()).near(key, known))
            }
        }
    }
}

/// Settings with keys, descriptions and values.
pub trait KeyedSettings {
    /// Returns every setting with its value.
    fn fields(&self) -> Vec<Field>;

    /// Sets one of the [`fields`](KeyedSettings::fields); surrounding white space is ignored.
    ///
    /// # Errors
    /// The key is unknown or the value invalid; the error lists what is accepted.
    fn set(&mut self, key: &str, value: &str) -> Result<(), Error>;

    /// Returns the key, description and value of every setting, except preset, seed and generations, which every run
    /// has.
    fn list(&self) -> Vec<(&'static str, &'static str, String)> {
        let own = self.fields().into_iter().filter(|field| !field.is_common);
        own.map(|field| (field.key, field.about, field.value)).collect()
    }

    /// Returns the accepted words of a setting, or typical values.
    fn words(&self, key: &str) -> Vec<&'static str> {
        self.fields().into_iter().find(|field| field.key == key).map(|field| field.words).unwrap_or_default()
    }

    /// Returns the lines of `[settings]` in a run's file.
    fn to_text(&self) -> String {
        let mut text = String::new();
        let is_implied = |field: &Field| field.is_implied && field.before == Some(&field.value);
        for Field { key, noted, value, .. } in
            self.fields().into_iter().filter(|field| !field.is_common && !is_implied(field))
        {
            let value = if is_toml(&value) { value } else { quoted(&value) };
            let _ = writeln!(text, "# {noted}\n{key} = {value}");
        }
        text
    }

    /// Sets the value of a file's entry.
    ///
    /// # Errors
    /// The value is invalid, with its location.
    fn take(&mut self, value: &Value<'_>) -> Result<(), Diagnostic> {
        self.set(value.key(), &value.setting()).map_err(|error| value.refused(error))
    }

    /// Reads the entries of a table and collects the problems.
    fn read(&mut self, table: &Table<'_>, problems: &mut Vec<Diagnostic>) {
        let known: Vec<Field> = self.fields().into_iter().filter(|field| !field.is_common).collect();
        let entries = table.entries();
        for value in &entries {
            if !known.iter().any(|field| field.key == value.key()) {
                problems.push(table.unknown(value, "setting", known.iter().map(|field| field.key)));
                continue;
            }
            let set = self.set(value.key(), &value.setting());
            problems.extend(set.err().map(|error| value.refused_with(error.line(), &error)));
        }
        // A missing setting would silently get the default, which may differ between versions.
        let given: HashSet<&str> = entries.iter().map(|value| value.key()).collect();
        for Field { key, before, .. } in known {
            if given.contains(key) {
                continue;
            }
            match before {
                Some(value) => {
                    let set = self.set(key, value);
                    problems.extend(set.err().map(|error| Diagnostic::new(table.at(), error.in_a_line())));
                }
                None => problems.push(Diagnostic::new(table.at(), format!("`{key}` is missing"))),
            }
        }
    }

    /// Applies a text such as `mutation=2`; the value is TOML or a bare text: `selection=tournament:4`.
    ///
    /// # Errors
    /// There is no `=`, or the errors of [`set`](KeyedSettings::set).
    fn set_text(&mut self, text: &str) -> Result<(), Error> {
        let sets_nothing = || format!("'{text}' is not of the form KEY=VALUE");
        let (key, value) = text.split_once('=').ok_or_else(sets_nothing)?;
        let line = format!("x = {value}");
        let read = DeTable::parse(&line).ok().filter(|table| table.get_ref().len() == 1);
        let read = read.as_ref().and_then(|table| setting(table.get_ref().get("x")?.get_ref()));
        self.set(key.trim(), &read.unwrap_or_else(|| value.to_owned()))
    }
}

/// Returns whether a file holds the value unquoted: a number, true, false or a list.
fn is_toml(value: &str) -> bool {
    let may_be = value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok() || value.starts_with('[');
    let line = format!("x = {value}");
    // A number that would be read back as another text, such as `+1`, must be quoted.
    let is_same = |read: &DeValue<'_>| setting(read).is_none_or(|text| text == value);
    may_be
        && !value.contains('\n')
        && DeTable::parse(&line).is_ok_and(|table| {
            let table = table.get_ref();
            table.len() == 1 && table.get("x").is_some_and(|read| is_same(read.get_ref()))
        })
}

/// Parses a whole number from `low` to `high`.
///
/// # Errors
/// Describes the accepted values.
pub fn whole(text: &str, low: u64, high: u64) -> Result<u64, Error> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| Error::expected(format!("a whole number from {low} to {high}")))
}

/// Parses a number from `low` to `high`.
///
/// # Errors
/// Describes the accepted values.
pub fn real(text: &str, low: f64, high: f64) -> Result<f64, Error> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| Error::expected(format!("a number from {low} to {high}")))
}

/// Parses `true` or `false`.
///
/// # Errors
/// Describes the accepted values.
pub fn flag(text: &str) -> Result<bool, Error> {
    text.parse().map_err(|_| Error::expected("true or false"))
}

/// Parses a list of texts: a TOML list, such as `["if", "add"]`, or texts separated by commas. `expected` describes
/// them.
///
/// # Errors
/// The syntax is invalid, or an item is not a text; the error contains its index.
pub fn texts(text: &str, expected: &str) -> Result<Vec<String>, Error> {
    if !text.starts_with(['[', '"', '\'']) {
        return Ok(text.split(',').map(|item| item.trim().to_owned()).collect());
    }
    let source: Arc<str> = format!("x = {text}").into();
    let table = DeTable::parse(&source).map_err(|_| Error::expected(expected))?;
    let item = |(index, value): (usize, &DeValue<'_>)| {
        let text = value.as_str().map(str::to_owned);
        text.ok_or_else(|| Error::expected(format!("{expected}, in quotes")).in_item(index))
    };
    match table.get_ref().get("x").map(|value| value.get_ref()) {
        Some(DeValue::Array(items)) => items.iter().map(|value| value.get_ref()).enumerate().map(item).collect(),
        Some(value) => item((0, value)).map(|text| vec![text]),
        None => Err(Error::expected(expected)),
    }
}

/// Formats texts as a TOML list, which [`texts`] reads back exactly.
pub fn list_of<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| quoted(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

#[cfg(test)]
mod tests;
