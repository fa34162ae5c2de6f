//! The grammar of player texts, `name:ARGS@WEIGHTS:key=value`: settings come last, and each kind of player lists its own in a table.

use mancalab_base::Error;
use std::fmt;
use std::time::Duration;

use Values::{Form, Number, Words};

use super::clock::Clock;
use crate::sanitize;
use crate::search::Ties;
use crate::search::alpha_beta::JudgedMove;
use crate::search::mcts::{Epsilon, Policy};
use crate::settings::{self};

/// A setting in a player's settings `S`: its key, its accepted values, and its field.
pub(crate) struct Setting<S>(pub &'static str, pub Values, pub fn(&mut S) -> &mut dyn Value);

/// The accepted values of a setting.
#[derive(Clone, Copy)]
pub(crate) enum Values {
    /// One of these words, separated by `|`; the first word of a switch turns it on.
    Words(&'static str),
    /// A number: its letter in help, its description, and its bounds.
    Number(&'static str, &'static str, f64, f64),
    /// A text: its forms in help, separated by `|`, and its description.
    Form(&'static str, &'static str),
}

/// The choice among equally good moves.
pub(crate) const TIES: &str = "first|last|random|window";

/// The time limit of a move.
pub(crate) const MILLISECONDS: Values = Number("T", "a number of milliseconds", 1.0, 3_600_000.0);

/// The number of threads of a search.
pub(crate) const THREADS: Values = Number("T", "a number of threads", 1.0, MOST_THREADS as f64);

/// The maximum number of threads of a player.
const MOST_THREADS: u32 = 64;

/// A setting's value.
pub(crate) trait Value {
    /// Sets the value from a text within bounds; `None` if it does not parse.
    fn set(&mut self, text: &str, values: Values) -> Option<()>;

    fn text(&self, values: Values) -> String;
}

macro_rules! parsed {
    ($($kind:ty),+) => {
        $(impl $crate::text::Value for $kind {
            fn set(&mut self, text: &str, _: $crate::text::Values) -> Option<()> {
                *self = text.parse().ok()?;
                Some(())
            }

            fn text(&self, _: $crate::text::Values) -> String {
                self.to_string()
            }
        })+
    };
}
pub(crate) use parsed;
parsed!(u32, f32, Ties, JudgedMove, Epsilon, Policy);

impl Value for bool {
    fn set(&mut self, text: &str, values: Values) -> Option<()> {
        *self = values.words().position(|word| word == text)? == 0;
        Some(())
    }

    fn text(&self, values: Values) -> String {
        values.words().nth(usize::from(!*self)).unwrap_or_default().to_owned()
    }
}

impl Value for Option<u32> {
    fn set(&mut self, text: &str, _: Values) -> Option<()> {
        *self = Some(text.parse().ok()?);
        Some(())
    }

    fn text(&self, _: Values) -> String {
        self.map_or(String::new(), |number| number.to_string())
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

impl Value for Option<Clock> {
    fn set(&mut self, text: &str, _: Values) -> Option<()> {
        *self = Some(text.parse().ok()?);
        Some(())
    }

    fn text(&self, _: Values) -> String {
        self.map_or(String::new(), |clock| clock.to_string())
    }
}

impl Values {
    fn words(self) -> impl Iterator<Item = &'static str> {
        match self {
            Words(words) => words.split('|'),
            Number(forms, ..) | Form(forms, _) => forms.split('|'),
        }
    }

    /// Reads the setting `key`.
    ///
    /// # Errors
    /// The value is not accepted: what is.
    pub fn read(self, key: &str, text: &str, value: &mut dyn Value) -> Result<(), Error> {
        let is_within = match self {
            Words(_) | Form(..) => true,
            Number(_, _, least, most) => text.parse().is_ok_and(|number: f64| (least..=most).contains(&number)),
        };
        is_within.then(|| value.set(text, self)).flatten().ok_or_else(|| {
            let accepted = match self {
                Number(_, what, least, most) => format!("{what} from {least} to {most}"),
                Form(_, what) => what.to_owned(),
                Words(_) => settings::list(self.words()),
            };
            format!("{key} must be {accepted} (got {})", sanitize::inline(text)).into()
        })
    }
}

/// Removes the settings of `table` from the end of a text and sets them. The rest may be a file name with colons, so a part with a
/// slash is not a setting.
///
/// # Errors
/// A value is not accepted: what is.
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

/// Writes the settings that differ from the `usual` ones, each after a colon.
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

/// Formats the settings of a table: `ms=T and ties=first|random`.
pub(crate) fn forms<S>(table: &[Setting<S>]) -> String {
    let form =
        |Setting(key, Words(values) | Number(values, ..) | Form(values, _), _): &Setting<S>| format!("{key}={values}");
    let forms: Vec<String> = table.iter().map(form).collect();
    match forms.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns the error that the player `name` has no such setting.
pub(crate) fn unknown<S>(name: &str, setting: &str, table: &[Setting<S>]) -> Error {
    format!("{name} takes {} (got {})", forms(table), sanitize::inline(setting)).into()
}

/// Splits a text at the name of its network, if it has one.
pub(crate) fn at_network(text: &str) -> Option<(&str, &str)> {
    text.split_once(":net=")
}

/// Splits `:ARGS@WEIGHTS` into `ARGS` and `WEIGHTS`, either of which may be missing.
pub(crate) fn head(text: &str) -> (Option<&str>, Option<&str>) {
    let (args, weights) = text.split_once('@').map_or((text, None), |(args, weights)| (args, Some(weights)));
    (args.strip_prefix(':'), weights)
}

/// Reads a depth, the part of a text before weights and settings.
///
/// # Errors
/// The depth is invalid: `wanted`, which begins with the player's name; or the text after it is not a setting.
pub(crate) fn depth<S>(text: &str, most: u32, wanted: &str, table: &[Setting<S>]) -> Result<u32, Error> {
    let depth = text.parse().ok().filter(|depth| (1..=most).contains(depth));
    depth.ok_or_else(|| match text.split_once(':') {
        None => format!("{wanted} (got {text})").into(),
        Some((_, setting)) => unknown(wanted.split(' ').next().unwrap_or_default(), setting, table),
    })
}
/// Formats a depth.
pub(crate) fn plies(depth: u32) -> String {
    if depth == 1 { "1 ply".to_owned() } else { format!("{depth} plies") }
}

/// Formats a time.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// Formats the time of a move, or else of a game; `None` if neither has a limit.
pub(crate) fn limit(a_move: Option<Duration>, clock: Option<Clock>) -> Option<String> {
    a_move.map(seconds).or_else(|| clock.map(|clock| format!("{} a game", seconds(clock.total))))
}
