//! The grammar of players' texts, `name:ARGS@WEIGHTS:key=value`: settings stand at the end, and each kind of player lists its own in a table.

use mancalab_base::Error;
use std::fmt;
use std::time::Duration;

use Values::{Number, Words};

use super::heuristic::Nearness;
use crate::sanitize;
use crate::search::Ties;
use crate::search::alpha_beta::Judged;
use crate::search::mcts::{Epsilon, Policy};
use crate::settings::{self};

/// A setting of players with the settings `S`: its key, what it takes, and where it is kept.
pub(crate) struct Setting<S>(pub &'static str, pub Values, pub fn(&mut S) -> &mut dyn Value);

/// What a setting takes.
#[derive(Clone, Copy)]
pub(crate) enum Values {
    /// One of these words, which have `|` between them; of a switch the first turns it on.
    Words(&'static str),
    /// A number: the letter it has in help, what it is, and its bounds.
    Number(&'static str, &'static str, f64, f64),
}

/// How long a move may take.
pub(crate) const MILLISECONDS: Values = Number("T", "milliseconds", 1.0, 3_600_000.0);

/// What is set.
pub(crate) trait Value {
    /// Takes a value that is within bounds; `None` if it is not one of these.
    fn set(&mut self, text: &str, values: Values) -> Option<()>;

    fn text(&self, values: Values) -> String;
}

macro_rules! parsed {
    ($($kind:ty),+) => {
        $(impl Value for $kind {
            fn set(&mut self, text: &str, _: Values) -> Option<()> {
                *self = text.parse().ok()?;
                Some(())
            }

            fn text(&self, _: Values) -> String {
                self.to_string()
            }
        })+
    };
}
parsed!(u32, f32, Ties, Judged, Nearness, Epsilon, Policy);

impl Value for bool {
    fn set(&mut self, text: &str, values: Values) -> Option<()> {
        *self = values.words().position(|word| word == text)? == 0;
        Some(())
    }

    fn text(&self, values: Values) -> String {
        values.words().nth(usize::from(!*self)).unwrap_or_default().to_owned()
    }
}

impl Value for Option<Duration> {
    fn set(&mut self, text: &str, _: Values) -> Option<()> {
        *self = Some(Duration::from_millis(text.parse().ok()?));
        Some(())
    }

    fn text(&self, _: Values) -> String {
        self.map_or(String::new(), |time| time.as_millis().to_string())
    }
}

impl Values {
    fn words(self) -> impl Iterator<Item = &'static str> {
        match self {
            Words(words) => words.split('|'),
            Number(letter, ..) => letter.split('|'),
        }
    }

    /// Sets what the setting `key` is to be.
    ///
    /// # Errors
    /// It does not take this: what it does.
    pub fn read(self, key: &str, text: &str, value: &mut dyn Value) -> Result<(), Error> {
        let is_within = match self {
            Words(_) => true,
            Number(_, _, least, most) => text.parse().is_ok_and(|number: f64| (least..=most).contains(&number)),
        };
        is_within.then(|| value.set(text, self)).flatten().ok_or_else(|| {
            let (accepted, not) = match self {
                Number(_, what, least, most) => (format!("{what} from {least} to {most}"), "none"),
                Words(_) if self.words().count() == 2 => (settings::list(self.words()), "neither"),
                Words(_) => (settings::list(self.words()), "not accepted"),
            };
            format!("{key} takes {accepted}; '{}' is {not}", sanitize::inline(text)).into()
        })
    }
}

/// Takes the settings of `table` off the end of a text and sets them. What remains may be a file's name with colons of its own, which is
/// why what holds a slash is no setting.
///
/// # Errors
/// A value is not accepted: what would be.
pub(crate) fn read<'a, S>(text: &'a str, table: &[Setting<S>], settings: &mut S) -> Result<&'a str, Error> {
    let mut rest = text;
    while let Some((before, last)) = rest.rsplit_once(':')
        && let Some((key, value)) = last.trim().split_once('=').filter(|(_, value)| !value.contains('/'))
        && let Some(Setting(_, values, field)) = table.iter().find(|setting| setting.0 == key)
    {
        values.read(key, value, field(settings))?;
        rest = before;
    }
    Ok(rest)
}

/// Writes the settings that are not the `usual` ones, each with a colon before it.
pub(crate) fn write<S: Clone>(
    f: &mut fmt::Formatter<'_>,
    table: &[Setting<S>],
    settings: &S,
    mut usual: S,
) -> fmt::Result {
    let mut settings = settings.clone();
    for Setting(key, values, field) in table {
        let text = field(&mut settings).text(*values);
        if text != field(&mut usual).text(*values) {
            write!(f, ":{key}={text}")?;
        }
    }
    Ok(())
}

/// The settings of a table, for people: `ms=T and ties=first|random`.
pub(crate) fn forms<S>(table: &[Setting<S>]) -> String {
    let form = |Setting(key, Words(values) | Number(values, ..), _): &Setting<S>| format!("{key}={values}");
    let forms: Vec<String> = table.iter().map(form).collect();
    match forms.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// That a player of this name has no such setting.
pub(crate) fn unknown<S>(name: &str, setting: &str, table: &[Setting<S>]) -> Error {
    let not = if table.len() == 2 { "neither" } else { "none of them" };
    format!("{name} takes {}; '{}' is {not}", forms(table), sanitize::inline(setting)).into()
}

/// The text before and behind the place where it names a network, if it does.
pub(crate) fn at_network(text: &str) -> Option<(&str, &str)> {
    text.split_once(":net=")
}

/// The `ARGS` and the `WEIGHTS` of `:ARGS@WEIGHTS`, either of which may be missing.
pub(crate) fn head(text: &str) -> (Option<&str>, Option<&str>) {
    let (args, weights) = text.split_once('@').map_or((text, None), |(args, weights)| (args, Some(weights)));
    (args.strip_prefix(':'), weights)
}

/// A depth, which is all that stands before a player's weights and settings.
///
/// # Errors
/// It is none: `wanted`, which begins with the player's name, or what stands behind it is no setting.
pub(crate) fn depth<S>(text: &str, most: u32, wanted: &str, table: &[Setting<S>]) -> Result<u32, Error> {
    let depth = text.parse().ok().filter(|depth| (1..=most).contains(depth));
    depth.ok_or_else(|| match text.split_once(':') {
        None => format!("{wanted}; '{text}' is none").into(),
        Some((_, setting)) => unknown(wanted.split(' ').next().unwrap_or_default(), setting, table),
    })
}
