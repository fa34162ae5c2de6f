//! Lists in `--help`, in columns that keep their indentation at any width, and the words that shells complete.

use mancalab_base::Error;
use std::env;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use super::{command_tree, out};
use crate::game::Variant;
use crate::player::offers::OFFERS;
use crate::player::offers::{Level, MY_LEVEL, Opponent};
use crate::ui::wrap;

/// Maximum width of help, in columns: longer lines are hard to read.
const MOST: u16 = 100;

/// Minimum columns for explanations beside their words; with fewer they are below.
const LEAST_BESIDE: usize = 24;

/// Width of help: that of the terminal.
pub(super) fn width() -> usize {
    let by_environment = || env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    usize::from(out::columns_of_result().or_else(by_environment).unwrap_or(MOST).clamp(20, MOST))
}

/// Words with their explanations: `  word    explanation`. Wrapped lines align with the explanation.
pub(super) fn entries(about: &[(String, String)], width: usize) -> String {
    let longest = about.iter().map(|(word, _)| word.len() + 4).max().unwrap_or(0).max(18);
    // One very long word does not move all explanations to the right.
    let column = longest.min(34);
    about.iter().map(|(word, about)| entry(word, about, column, width)).collect()
}

fn entry(word: &str, about: &str, column: usize, width: usize) -> String {
    let is_beside = width >= column + LEAST_BESIDE;
    let indent = if is_beside { column } else { 6 };
    let lines = wrap(about, width.saturating_sub(indent).max(1) as u16);
    let mut text = format!("  {word}");
    let below = if is_beside && text.len() + 2 <= column {
        text += &format!("{}{}\n", " ".repeat(column - text.len()), lines[0]);
        &lines[1..]
    } else {
        text.push('\n');
        &lines[..]
    };
    below.iter().for_each(|line| text += &format!("{}{line}\n", " ".repeat(indent)));
    text
}

/// A list with its heading.
pub(super) fn section<A: AsRef<str>, B: AsRef<str>>(heading: &str, about: &[(A, B)]) -> String {
    let owned = |(word, about): &(A, B)| (word.as_ref().to_owned(), about.as_ref().to_owned());
    format!("{heading}:\n{}", entries(&about.iter().map(owned).collect::<Vec<_>>(), width()))
}

/// Parser of a value, with examples for shell completion. Other values are valid too.
#[derive(Clone)]
pub(super) struct ExampleParser<T> {
    read: fn(&str) -> Result<T, Error>,
    offers: fn() -> Vec<&'static str>,
}

/// Parser of a game and its rules.
pub(super) fn games() -> ExampleParser<Variant> {
    ExampleParser { read: |text| text.parse(), offers: || Variant::KNOWN.iter().map(|(name, _)| *name).collect() }
}

/// Parser of a player or level. Completion offers forms that need a number with one, and omits those with blanks, which shells split.
pub(super) fn player() -> ExampleParser<Opponent> {
    ExampleParser { read: fixed, offers: players }
}

/// Like [`player`], on the Board, where `my-level` plays too.
pub(super) fn opponent() -> ExampleParser<Opponent> {
    ExampleParser { read: |text| text.parse(), offers: || players().into_iter().chain([MY_LEVEL]).collect() }
}

/// Reads a player or a level that does not follow a person's results.
///
/// # Errors
/// The text is neither.
pub(super) fn fixed(text: &str) -> Result<Opponent, Error> {
    match text.parse::<Opponent>() {
        Ok(Opponent::MyLevel(_)) => {
            Err(format!("{MY_LEVEL} follows your results, so it plays only on the Board; name a level such as easy")
                .into())
        }
        player => player,
    }
}

/// Levels and players, without those that have blanks.
pub(super) fn players() -> Vec<&'static str> {
    let levels = Level::WORDS.iter().map(|(word, _)| *word);
    levels.chain(OFFERS.iter().copied().filter(|text| !text.contains(' '))).collect()
}

/// Parser of a level.
pub(super) fn level() -> ExampleParser<Opponent> {
    ExampleParser {
        read: |text| match text.parse() {
            Ok(opponent @ (Opponent::Level(_) | Opponent::MyLevel(_))) => Ok(opponent),
            _ => {
                let levels: Vec<_> = Level::WORDS.iter().map(|(word, _)| *word).collect();
                Err(format!("'{text}' is no level; expected {} or {MY_LEVEL}", levels.join(", ")).into())
            }
        },
        offers: || Level::WORDS.iter().map(|(word, _)| *word).chain([MY_LEVEL]).collect(),
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for ExampleParser<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &std::ffi::OsStr) -> Result<T, clap::Error> {
        let read = self.read;
        (move |text: &str| read(text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.offers)().into_iter().map(PossibleValue::new)))
    }
}

/// Returns the command with these words, with what it inherits.
///
/// # Errors
/// There is none: the nearest, or where to find them.
pub(super) fn find(words: &[String]) -> anyhow::Result<Command> {
    let mut command = command_tree();
    for (index, word) in words.iter().enumerate() {
        let Some(found) = command.find_subcommand(word).cloned() else {
            let group = words[..index].iter().fold("mancalab".to_owned(), |text, word| text + " " + word);
            let near = misspelled_in(&group, word, &command);
            let none = || match command.has_subcommands() {
                true => format!("unknown command '{word}'; {group} -h lists the commands"),
                false => format!("{group} has no commands; mancalab help {} explains it", words[..index].join(" ")),
            };
            anyhow::bail!(near.unwrap_or_else(none));
        };
        command = found;
    }
    Ok(command)
}

/// Returns an error with the subcommand nearest to a misspelled word; `None` if the word is a subcommand, or similar to
/// none.
pub(super) fn misspelled(word: &str, known: &Command) -> Option<String> {
    misspelled_in("mancalab", word, known)
}

/// Like [`misspelled`], among the commands of a group.
fn misspelled_in(group: &str, word: &str, known: &Command) -> Option<String> {
    let names: Vec<&str> = known.get_subcommands().map(Command::get_name).collect();
    let near = crate::settings::nearest(word, names.iter().copied()).filter(|near| *near != word)?;
    Some(format!("unknown command '{word}'; did you mean '{group} {near}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_indentation_at_any_width() {
        let about = [("one", "a b c ".repeat(30)), ("a-very-long-word-that-has-no-room-beside", "d e".to_owned())];
        let about = about.map(|(word, about)| (word.to_owned(), about));
        for width in [20, 40, 60, 80, 100] {
            let text = entries(&about, width);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines[0].starts_with("  one"), "{text}");
            let indents: Vec<usize> = lines.iter().map(|line| line.len() - line.trim_start().len()).collect();
            let below = if width >= 34 + LEAST_BESIDE { 34 } else { 6 };
            assert!(indents.iter().all(|indent| *indent == 2 || *indent == below), "{width}: {text}");
            let longest = lines.iter().filter(|line| !line.contains("very")).map(|line| line.len()).max().unwrap();
            assert!(longest <= width, "{text}");
        }
    }
}
