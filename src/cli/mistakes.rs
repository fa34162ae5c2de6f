//! Errors of the command line: what is wrong, where, with which value, what is accepted, and a way out. clap finds them; the words are
//! ours, in the shape of all errors: `error: --depth must be 1 to 60 (got 99)`.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _};

use super::{Cli, command_tree, help};
use crate::game::Variant;
use crate::kinds::KINDS;
use crate::presets::presets;
use crate::sanitize;
use crate::settings::{list, nearest};

/// Longest paragraph of an error, in characters.
const MOST: usize = 200;

/// Returns the error of flags before a command, which belong behind it.
pub(super) fn flags_before_command(arguments: &[OsString]) -> Option<String> {
    let words = texts(arguments);
    let may_begin = ["--guest", "-V", "--version"];
    words.first().filter(|first| first.starts_with('-') && !may_begin.contains(&&***first))?;
    let program = Cli::command();
    let takes_value = |word: &str| {
        let long = word.strip_prefix("--");
        let flag = program.get_arguments().find(|arg| long.is_some() && arg.get_long() == long);
        flag.is_some_and(|flag| flag.get_action().takes_values())
    };
    let is_command =
        |(index, word): &(usize, &String)| !takes_value(&words[index - 1]) && program.find_subcommand(word).is_some();
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (index, command) = words.iter().enumerate().take(end).skip(1).find(is_command)?;
    let flag = words[0].split('=').next().unwrap_or_default();
    let long = flag.trim_start_matches('-');
    let takes = |command: &Command| command.get_arguments().any(|arg| arg.get_long() == Some(long));
    let tree = command_tree();
    let mut rest = words[index..].iter().take_while(|word| !word.starts_with('-'));
    let found = rest.try_fold(&tree, |command, word| command.find_subcommand(word).ok_or(command));
    let (Ok(named) | Err(named)) = found;
    let path = named.get_bin_name().unwrap_or(command);
    if flag.starts_with("--") && !takes(named) && takes(&tree) {
        return Some(format!(
            "{flag} belongs to mancalab play, and {path} has no such flag; {path} -h lists its flags"
        ));
    }
    let moved = [&words[index + 1..], &words[..index]].concat();
    let moved: Vec<String> = moved.iter().map(sanitize::shell).collect();
    Some(format!("{} must follow the command: mancalab {command} {}", words[0], moved.join(" ")))
}

/// Whether the arguments name no command, but flags of the program at most.
pub(super) fn names_no_command(arguments: &[OsString]) -> bool {
    FoundCommand::find(&texts(arguments)).path == "mancalab"
}

/// The arguments as text, without the program's name.
fn texts(arguments: &[OsString]) -> Vec<String> {
    arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Returns what is wrong with the arguments.
pub(super) fn text(error: &clap::Error, arguments: &[OsString]) -> String {
    let words = texts(arguments);
    let mistake = Mistake { error, arguments, words: &words, found: FoundCommand::find(&words) };
    shortened(&mistake.text())
}

/// The command that the arguments name.
struct FoundCommand {
    /// Its words, `mancalab plan new`.
    path: String,
    command: Command,
}

impl FoundCommand {
    fn find(words: &[String]) -> FoundCommand {
        let mut at = FoundCommand { path: "mancalab".to_owned(), command: command_tree() };
        for word in words {
            let Some(found) = at.command.find_subcommand(word).cloned() else { break };
            at = FoundCommand { path: format!("{} {word}", at.path), command: found };
        }
        at
    }

    fn commands(&self) -> Vec<&str> {
        let visible = self.command.get_subcommands().filter(|command| !command.is_hide_set());
        visible.map(Command::get_name).filter(|name| *name != "help").collect()
    }
}

struct Mistake<'a> {
    error: &'a clap::Error,
    arguments: &'a [OsString],
    words: &'a [String],
    found: FoundCommand,
}

impl Mistake<'_> {
    fn get(&self, kind: ContextKind) -> Option<String> {
        match self.error.get(kind)? {
            ContextValue::String(text) => Some(text.clone()),
            ContextValue::Strings(texts) => texts.first().cloned(),
            ContextValue::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    fn all(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::Strings(texts)) => texts.clone(),
            Some(ContextValue::String(text)) => vec![text.clone()],
            _ => Vec::new(),
        }
    }

    /// The flag or the name of the value that is wrong.
    fn argument(&self) -> String {
        self.get(ContextKind::InvalidArg).map(|text| name(&text)).unwrap_or_default()
    }

    fn text(&self) -> String {
        let FoundCommand { path, .. } = &self.found;
        let value = || self.get(ContextKind::InvalidValue).unwrap_or_default();
        let argument = self.argument();
        match self.error.kind() {
            ErrorKind::InvalidValue if value().is_empty() => self.without_value(&argument),
            ErrorKind::InvalidValue => self.no_such_value(&argument, &value()),
            ErrorKind::ValueValidation => self.refused(&argument, &value()),
            ErrorKind::UnknownArgument => self.unknown(&argument),
            ErrorKind::ArgumentConflict => self.conflict(&argument),
            ErrorKind::MissingRequiredArgument => self.missing(),
            ErrorKind::InvalidSubcommand => {
                self.no_command(&self.get(ContextKind::InvalidSubcommand).unwrap_or_default())
            }
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                match self.found.commands()[..] {
                    [one] => format!("{path} needs its command {one}; {path} {one} -h explains it"),
                    ref all => format!("{path} needs one of its commands: {}; {path} -h explains them", list(all)),
                }
            }
            ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
                let least = self.get(ContextKind::MinValues).or(self.get(ContextKind::ExpectedNumValues));
                let got = self.get(ContextKind::ActualNumValues).unwrap_or_default();
                format!("{path} needs at least {} {argument} (got {got})", least.unwrap_or_default())
            }
            ErrorKind::TooManyValues => format!("{argument} takes fewer values (got {} too)", value()),
            ErrorKind::InvalidUtf8 => "the arguments contain a text that is not UTF-8".to_owned(),
            _ => format!("{}; {path} -h shows what it takes", self.error.kind()),
        }
    }

    /// A flag without its value, with those that there are.
    fn without_value(&self, argument: &str) -> String {
        let accepted = self.all(ContextKind::ValidValue);
        // A longer list, such as that of players, would hide what is wrong.
        match accepted.is_empty() || accepted.len() > 12 {
            true => {
                let names = self.arg(argument).and_then(Arg::get_value_names);
                let value = names.and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default();
                format!("{argument} needs a value, {argument} {value}: {}", self.about(argument))
            }
            false => format!("{argument} needs a value: {}", list(accepted)),
        }
    }

    /// The help of a flag or value, in one line.
    fn about(&self, argument: &str) -> String {
        let about = self.arg(argument).and_then(Arg::get_help).map(|help| help.to_string()).unwrap_or_default();
        about.split("; default").next().unwrap_or_default().to_owned()
    }

    fn arg(&self, argument: &str) -> Option<&Arg> {
        let is_it = |arg: &&Arg| match argument.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == argument)),
        };
        self.found.command.get_arguments().find(is_it)
    }

    fn no_such_value(&self, argument: &str, value: &str) -> String {
        let accepted = self.all(ContextKind::ValidValue);
        let near = nearest(value, accepted.iter().map(String::as_str));
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        format!("{argument} must be {} (got {value}){near}", list(&accepted))
    }

    /// A value that a parser refuses, with its words.
    fn refused(&self, argument: &str, value: &str) -> String {
        let why = std::error::Error::source(self.error).map(ToString::to_string).unwrap_or_default();
        let got = |why: String| if why.contains("(got ") { why } else { format!("{why} (got {value})") };
        if let Some((_, range)) = why.split_once(" is not in ") {
            return format!("{argument} must be {} (got {value})", in_words(range));
        }
        let is_of_number = ["invalid digit", "too large to fit", "too small to fit", "empty string"];
        if is_of_number.iter().any(|words| why.contains(words)) {
            return format!("{argument} must be {} (got {value})", self.whole_number(argument));
        }
        if why.contains("socket address") {
            return format!(
                "{argument} must be an address and a port, such as 127.0.0.1:2222 or 0.0.0.0:2222 (got {value})"
            );
        }
        match why.strip_prefix("expected ").or(why.strip_prefix("must be ")) {
            Some(what) => got(format!("{argument} must be {what}")),
            None => match why.strip_suffix(" is expected") {
                Some(what) => got(format!("{argument} must be {what}")),
                None if why.contains(value) => format!("{argument}: {why}"),
                None => format!("{argument} {value}: {why}"),
            },
        }
    }

    /// Which whole numbers an argument takes: clap names the range to a number beyond it.
    fn whole_number(&self, argument: &str) -> String {
        let beyond = i64::MAX.to_string();
        let value = self.get(ContextKind::InvalidValue).unwrap_or_default();
        let replace = |word: &OsString| match word.to_str() {
            Some(word) if word == value => beyond.clone().into(),
            Some(word) if word == format!("{argument}={value}") => format!("{argument}={beyond}").into(),
            _ => word.clone(),
        };
        let arguments: Vec<OsString> = self.arguments.iter().map(replace).collect();
        let error = <Cli as clap::Parser>::try_parse_from(&arguments).err();
        let why =
            error.and_then(|error| std::error::Error::source(&error).map(ToString::to_string)).unwrap_or_default();
        why.split_once(" is not in ").map_or("a whole number, 0 or more".to_owned(), |(_, range)| in_words(range))
    }

    fn unknown(&self, argument: &str) -> String {
        let FoundCommand { path, .. } = &self.found;
        let at = self.words.iter().position(|word| word == argument || word.starts_with(&format!("{argument}=")));
        let end = self.words.iter().position(|word| word == "--");
        if end.zip(at).is_some_and(|(end, at)| end < at) {
            return behind_dashes(argument);
        }
        if let Some(first) = self.words.first().filter(|first| path == "mancalab" && !is_file(first)) {
            return no_command(first);
        }
        let before = at.and_then(|at| at.checked_sub(1)).and_then(|before| self.words.get(before));
        let is_number = argument.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        if let (true, Some(flag), Some(at)) = (is_number, before.filter(|word| word.starts_with("--")), at) {
            return self.negative(flag, at);
        }
        if !argument.starts_with('-') {
            let takes = self.found.command.get_positionals().filter_map(Arg::get_value_names).flatten();
            let takes: Vec<String> = takes.map(ToString::to_string).collect();
            return match takes.is_empty() {
                true => format!("{path} takes only flags (got {argument}); {path} -h lists them"),
                false => {
                    format!("{path} takes {} once (got {argument} too); {path} -h shows what it takes", takes.join(" "))
                }
            };
        }
        let longs = self.found.command.get_arguments().filter_map(Arg::get_long);
        let near = nearest(argument.trim_start_matches('-'), longs);
        let near = near.map(|near| format!("; did you mean --{near}?")).unwrap_or_default();
        let list = if near.is_empty() { format!("; {path} -h lists its flags") } else { near };
        format!("{path} has no flag {argument}{list}")
    }

    /// A negative number behind a flag, which clap takes for a flag.
    fn negative(&self, flag: &str, at: usize) -> String {
        let mut arguments = self.arguments.to_vec();
        let value = arguments.remove(at + 1);
        arguments[at] = format!("{flag}={}", value.to_string_lossy()).into();
        match <Cli as clap::Parser>::try_parse_from(&arguments) {
            Err(error) if error.kind() != ErrorKind::UnknownArgument => text(&error, &arguments),
            _ => format!("{flag}: write {flag}={} for a number below 0", value.to_string_lossy()),
        }
    }

    fn conflict(&self, argument: &str) -> String {
        if let Some(command) = self.get(ContextKind::InvalidSubcommand) {
            let named = self.found.path.split(' ').count() - 1;
            if let Some(word) = self.words.get(named).filter(|word| named > 0 && !word.starts_with('-')) {
                return self.no_command(word);
            }
            return match self.words.first() {
                Some(first) if !first.starts_with('-') => {
                    help::misspelled(first, &self.found.command).unwrap_or_else(|| {
                        format!("mancalab opens one file (got {first} and {command}); mancalab -h lists the commands")
                    })
                }
                Some(dashes) if dashes == "--" && self.words.get(1).is_some_and(|word| word.starts_with("--")) => {
                    behind_dashes(&self.words[1])
                }
                _ => format!("flags of the Board stand before {command}; mancalab -h lists the commands"),
            };
        }
        let prior: Vec<String> = self.all(ContextKind::PriorArg).iter().map(|text| name(text)).collect();
        let is_given =
            |name: &&String| !name.starts_with("--") || self.words.iter().any(|word| word.starts_with(&**name));
        let given: Vec<&String> = prior.iter().filter(is_given).collect();
        match given.iter().any(|name| **name == argument) {
            true => format!("{argument} is given twice"),
            false => match argument_of_new_game(argument, &given) {
                Some(flag) => format!("{flag} is for a new game, and FILE is a game already; leave out one of them"),
                None => format!("{argument} cannot be used with {}", list(given)),
            },
        }
    }

    fn missing(&self) -> String {
        let FoundCommand { path, .. } = &self.found;
        let names: Vec<String> = self.all(ContextKind::InvalidArg).iter().map(|text| name(text)).collect();
        let about = names.first().map(|name| self.about(name)).unwrap_or_default();
        let about = if about.is_empty() { String::new() } else { format!(": {about}") };
        let also = if names.iter().all(|name| name.starts_with("--")) { "also " } else { "" };
        format!("{path} {also}needs {}{about}", names.join(" and "))
    }

    fn no_command(&self, word: &str) -> String {
        let FoundCommand { path, .. } = &self.found;
        if let Some(preset) = preset(word, path) {
            return preset;
        }
        let names = self.found.commands();
        match nearest(word, names.iter().copied()) {
            Some(near) => format!("unknown command '{word}'; did you mean '{path} {near}'?"),
            None => format!("{path} has no command {word}; it has {}", names.join(", ")),
        }
    }
}

/// Whether a first word may be a file, or a flag, rather than a command.
fn is_file(word: &str) -> bool {
    word.starts_with('-') || word.contains(['/', '.']) || std::path::Path::new(word).exists()
}

/// The error of what looks like a flag behind `--`.
pub(super) fn behind_dashes(argument: &str) -> String {
    format!("{argument} stands behind --, where nothing is a flag; leave out the -- before it")
}

/// The error of a preset in the place of a command.
fn preset(word: &str, path: &str) -> Option<String> {
    let kind = KINDS.iter().find(|kind| presets(kind).iter().any(|(name, _)| *name == word))?;
    let path = if path == "mancalab plan" { "mancalab plan new" } else { path };
    Some(format!("{word} is a preset; name its command too: {path} {} {word}", kind.typed()))
}

/// The error of a word that is neither a command nor a file.
pub(super) fn no_command(word: &str) -> String {
    let error = || format!("'{word}' is neither a command nor a file; mancalab -h lists the commands");
    preset(word, "mancalab").or_else(|| help::misspelled(word, &Cli::command())).unwrap_or_else(error)
}

/// The name of an argument: `--seed` of `--seed <NUMBER>`, `RUN` of `<RUN>...`.
fn name(text: &str) -> String {
    let first = text.split([' ', '=']).next().unwrap_or_default();
    if first.starts_with('-') { first.to_owned() } else { first.trim_matches(['<', '>', '[', ']', '.']).to_owned() }
}

/// A range of clap in words: `1 to 60` of `1..=60`, `1 or more` of `1..`.
fn in_words(range: &str) -> String {
    match range.split_once("..") {
        Some((first, "")) => format!("{first} or more"),
        Some((first, last)) => match last.strip_prefix('=') {
            Some(last) if first.is_empty() => format!("at most {last}"),
            Some(last) => format!("{first} to {last}"),
            None => format!("{first} to less than {last}"),
        },
        None => range.to_owned(),
    }
}

/// Where what is too long for an error is listed, by the words that such an error contains.
const LISTS: &[(&str, &str)] = &[
    ("no player is named", "mancalab help players lists all"),
    ("unknown game", "mancalab help games lists their rules"),
    ("no setting is named", "mancalab help settings lists all"),
    ("no target is called", "mancalab reproduce --list lists all"),
    ("no preset is named", "--help of the command lists all"),
];

/// Returns an error whose lists are short: a long one is cut, and the way to all of it named.
pub(super) fn shortened(text: &str) -> String {
    text.lines().map(shorter).collect::<Vec<_>>().join("\n")
}

fn shorter(line: &str) -> String {
    if line.chars().count() <= MOST {
        return line.to_owned();
    }
    let parts = ["; known: ", "; accepted: "].iter().find_map(|word| Some((*word, line.split_once(word)?)));
    let Some((word, (told, known))) = parts else { return line.to_owned() };
    let place = LISTS.iter().find(|(words, _)| told.contains(words)).map_or("", |(_, place)| place);
    let games: Vec<&str> = Variant::KNOWN.iter().map(|(name, _)| *name).collect();
    let known = if told.contains("unknown game") { games } else { known.split(", ").collect() };
    let room = MOST.saturating_sub(told.chars().count() + place.len() + 14);
    let mut short = String::new();
    let is_whole = known.iter().all(|name| {
        let fits = short.len() + name.len() + 2 <= room;
        if fits {
            short += if short.is_empty() { "" } else { ", " };
            short += name;
        }
        fits
    });
    let end = if is_whole { "" } else { ", …" };
    let place = if place.is_empty() { String::new() } else { format!("; {place}") };
    format!("{told}{word}{short}{end}{place}")
}

/// Returns the flag that sets up a game, if it stands beside a file that holds one.
fn argument_of_new_game<'a>(argument: &'a str, given: &[&'a String]) -> Option<&'a str> {
    const FLAGS: [&str; 5] = ["--game", "--position", "--start", "--level", "--clock"];
    let all = || given.iter().map(|name| name.as_str()).chain([argument]);
    all().find(|name| FLAGS.contains(name)).filter(|_| all().any(|name| name == "FILE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_words() {
        let words = ["1..=60", "2..", "..=9", "0..5"].map(in_words);
        assert_eq!(words, ["1 to 60", "2 or more", "at most 9", "0 to less than 5"]);
    }

    #[test]
    fn long_lists_are_replaced_by_the_way_to_them() {
        let names = vec!["a-long-name"; 30].join(", ");
        let text = shortened(&format!("no player is named 'x'; known: {names}"));
        assert!(text.starts_with("no player is named 'x'; known: a-long-name, a-long-name, "), "{text}");
        assert!(text.ends_with(", …; mancalab help players lists all") && text.chars().count() <= MOST, "{text}");
        let text = shortened(&format!("no reading 'x'; known: {names}"));
        assert!(text.chars().count() <= MOST && text.ends_with(", …"), "{text}");
        assert_eq!(shortened("no reading 'x'; known: a, b"), "no reading 'x'; known: a, b");
    }
}
