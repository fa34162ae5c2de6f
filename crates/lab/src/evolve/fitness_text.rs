//! The setting `fitness`: a word, a formula of what a program achieves, or a command.

use mancalab_base::Error;
use mancalab_evolve::formula::{Formula, Quantity};

use crate::settings::nearest;

/// Implements `Display` and `FromStr` for an enum of fitness functions with `WORDS`, a variant `Formula` of these quantities and a variant
/// `Command`.
macro_rules! text_of {
    ($fitness:ident, $quantities:expr) => {
        impl std::fmt::Display for $fitness {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $fitness::Formula(formula) => formula.fmt(f),
                    $fitness::Command(command) => write!(f, "{}{command}", $crate::evolve::fitness_command::PREFIX),
                    known => f.write_str($crate::evolve::fitness_text::word($fitness::WORDS, known)),
                }
            }
        }

        impl std::str::FromStr for $fitness {
            type Err = mancalab_base::Error;

            fn from_str(text: &str) -> Result<$fitness, mancalab_base::Error> {
                if let Some(command) = text.strip_prefix($crate::evolve::fitness_command::PREFIX) {
                    return $crate::evolve::fitness_command::checked(command).map($fitness::Command);
                }
                $crate::evolve::fitness_text::read(text, $fitness::WORDS, $quantities, $fitness::Formula)
            }
        }

        impl $fitness {
            /// Returns the command that computes it, if it is one.
            pub(super) fn command(&self) -> Option<&str> {
                if let $fitness::Command(command) = self { Some(command) } else { None }
            }
        }
    };
}

pub(super) use text_of;

/// Returns a known fitness by its word, or a formula.
///
/// # Errors
/// The formula cannot be read: where, and what is accepted; or the text is nearly a word.
pub(super) fn read<F: Clone>(
    text: &str,
    words: &[(&'static str, F)],
    quantities: &[Quantity],
    formula: fn(Formula) -> F,
) -> Result<F, Error> {
    if let Some((_, known)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(known.clone());
    }
    let names = || words.iter().map(|(word, _)| *word);
    Formula::new(text, quantities).map(formula).map_err(|error| match nearest(text, names()) {
        Some(_) => Error::no_word(text, names()),
        None => error,
    })
}

/// Returns the word of a known fitness.
pub(super) fn word<F: PartialEq>(words: &[(&'static str, F)], fitness: &F) -> &'static str {
    words.iter().find(|(_, known)| known == fitness).map_or("", |(word, _)| word)
}

/// Returns a formula's value as a fitness, for which selection needs numbers from 0: 0 if it is less or no number.
pub(super) fn admitted(value: f64) -> f64 {
    if value.is_finite() { value.max(0.0) + 0.0 } else { 0.0 }
}
