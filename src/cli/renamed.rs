//! Commands and flags of earlier versions: each stands for one of today, and a line on standard error names it.

use std::ffi::OsString;

/// What has to follow the words of an earlier command.
#[derive(Clone, Copy)]
enum Next {
    Anything,
    /// Nothing, or a flag that asks for no help.
    Flag,
    /// A flag that asks for no help, or a size of Kalah.
    Rules,
    /// A word that is no flag.
    Word,
}

/// Commands: the words of an earlier version, those of today, and what follows them. The first that fits counts.
const COMMANDS: &[(&str, &str, Next)] = &[
    ("arena", "match", Next::Anything),
    ("watch", "runs watch", Next::Anything),
    ("fair", "solve fair", Next::Anything),
    ("exploit", "solve exploit", Next::Anything),
    ("solve", "solve position", Next::Rules),
    ("plan arena", "plan new match", Next::Anything),
    ("plan new arena", "plan new match", Next::Anything),
    ("plan evolve", "plan new evolve", Next::Anything),
    ("plan tune", "plan new tune", Next::Anything),
    ("plan train", "plan new train", Next::Anything),
    ("plan islands", "plan new islands", Next::Anything),
    ("unit", "plan unit", Next::Anything),
    ("submit", "plan submit", Next::Anything),
    ("merge", "plan merge", Next::Anything),
    ("sweep", "plan sweep", Next::Anything),
    ("kgp connect", "connect kgp", Next::Anything),
    ("kgp serve", "serve kgp", Next::Anything),
    ("serve", "serve ssh", Next::Flag),
    ("config --print-default", "config show", Next::Anything),
    ("config --list-keys", "config keys", Next::Anything),
    ("config --check", "config check", Next::Anything),
    ("completions", "generate completions", Next::Anything),
    ("man", "generate man", Next::Anything),
    ("docs", "generate docs --out", Next::Word),
    ("docs", "generate docs", Next::Anything),
    ("perft", "dev perft", Next::Anything),
    ("chances", "dev chances", Next::Anything),
];

/// Flags: the command of today that has it, the flag of an earlier version, and that of today.
const FLAGS: &[(&str, &str, &str)] = &[("analyse", "--solve", "--exact")];

/// Returns the arguments with the commands and flags of today, and a line that names them; `None` if there is nothing to rename. The
/// first argument is the program's name.
pub fn renamed(arguments: &[OsString]) -> (Vec<OsString>, Option<String>) {
    let (program, words) = arguments.split_at(arguments.len().min(1));
    // Commands that take the words of another one.
    let taking = match words {
        [first, _, ..] if first == "help" || first == "man" => 1,
        [first, second, _, ..] if first == "generate" && second == "man" => 2,
        _ => 0,
    };
    let (before, words) = words.split_at(taking);
    let mut notes = Vec::new();
    let mut before = before.to_vec();
    if before.first().is_some_and(|word| word == "man") {
        before.insert(0, "generate".into());
        notes.push(note("man", "generate man"));
    }
    let is_named = !before.is_empty();
    let mut words = command(words, is_named, &mut notes);
    flags(&mut words, is_named, &mut notes);
    let line = (!notes.is_empty()).then(|| format!("mancalab: {}", notes.join(", ")));
    (program.iter().cloned().chain(before).chain(words).collect(), line)
}

fn is_flag(word: &OsString) -> bool {
    word.as_encoded_bytes().starts_with(b"-") && word != "-h" && word != "--help"
}

/// Whether a word is a size of Kalah, such as `6x4` or `kalah:6x4`.
fn is_size(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| word.starts_with("kalah") || word.starts_with(|c: char| c.is_ascii_digit()))
}

fn note(old: &str, new: &str) -> String {
    format!("'{old}' is now '{new}'")
}

/// Replaces the command; if it is only named, such as after `help`, what follows it does not count.
fn command(words: &[OsString], is_named: bool, notes: &mut Vec<String>) -> Vec<OsString> {
    let words = split_value(words);
    let found = COMMANDS.iter().find(|(old, _, next)| {
        let old: Vec<&str> = old.split(' ').collect();
        let is_begun = words.len() >= old.len() && words.iter().zip(&old).all(|(word, old)| word == old);
        let following = words.get(old.len());
        is_begun
            && match next {
                Next::Anything => true,
                Next::Flag | Next::Rules if is_named => false,
                Next::Flag => following.is_none_or(is_flag),
                Next::Rules => following.is_some_and(|word| is_flag(word) || is_size(word)),
                Next::Word => following.is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-")),
            }
    });
    let Some((old, new, _)) = found else { return words };
    notes.push(note(old, new));
    let count = old.split(' ').count();
    let mut renamed: Vec<OsString> = new.split(' ').map(OsString::from).collect();
    // Its JSON was that of the run, round by round.
    if *old == "arena" && words.iter().take_while(|word| *word != "--").any(|word| word == "--json") {
        renamed.push("--rounds".into());
        notes.push(note("--json", "--json --rounds"));
    }
    renamed.extend_from_slice(&words[count..]);
    renamed
}

/// Separates the value of `config --check=FILE`.
fn split_value(words: &[OsString]) -> Vec<OsString> {
    match words {
        [config, check, rest @ ..] if config == "config" => {
            match check.to_str().and_then(|word| word.split_once('=')) {
                Some(("--check", file)) => {
                    [config.clone(), "--check".into(), file.into()].into_iter().chain(rest.iter().cloned()).collect()
                }
                _ => words.to_vec(),
            }
        }
        _ => words.to_vec(),
    }
}

/// Replaces flags, up to `--`, and the word for the format that is called `text`.
fn flags(words: &mut [OsString], is_named: bool, notes: &mut Vec<String>) {
    let Some(command) = words.first().filter(|_| !is_named).cloned() else { return };
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for index in 1..end {
        let renamed = FLAGS.iter().find(|(owner, old, _)| command == *owner && words[index] == *old);
        if let Some((_, old, new)) = renamed {
            words[index] = (*new).into();
            notes.push(note(old, new));
        }
        if command == "runs" && words.get(1).is_some_and(|word| word == "program") && is_language(words, index) {
            let (_, language) = words[index].to_str().and_then(|word| word.split_once('=')).unwrap_or_default();
            words[index] = if language.is_empty() { "--as".into() } else { format!("--as={language}").into() };
            notes.push(note("--format LANGUAGE", "--as LANGUAGE"));
        }
        let is_table = words[index] == "--format=table" || (words[index] == "table" && words[index - 1] == "--format");
        if is_table {
            words[index] = if words[index] == "table" { "text" } else { "--format=text" }.into();
            notes.push(note("--format table", "--format text"));
        }
    }
}

/// Whether a word is `--format` with a language of `runs program`, its own or the next word.
fn is_language(words: &[OsString], index: usize) -> bool {
    const LANGUAGES: [&str; 5] = ["dot", "latex", "python", "c", "rust"];
    let is_one = |word: &str| LANGUAGES.contains(&word);
    match words[index].to_str() {
        Some("--format") => words.get(index + 1).and_then(|word| word.to_str()).is_some_and(is_one),
        Some(word) => word.strip_prefix("--format=").is_some_and(is_one),
        None => false,
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::cli::command_tree;

    fn renamed_text(line: &str) -> (String, Option<String>) {
        let arguments: Vec<OsString> =
            ["mancalab"].into_iter().chain(line.split_whitespace()).map(OsString::from).collect();
        let (arguments, line) = renamed(&arguments);
        let words: Vec<String> = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        (words.join(" "), line)
    }

    #[test]
    fn earlier_commands_stand_for_those_of_today() {
        for (old, new) in [
            ("arena --players a,b --format json", "match --players a,b --format json"),
            ("arena round-robin --json", "match --rounds round-robin --json"),
            ("solve 3x2 --json", "solve position 3x2 --json"),
            ("solve --all", "solve position --all"),
            ("serve --listen [::]:22", "serve ssh --listen [::]:22"),
            ("plan arena round-robin", "plan new match round-robin"),
            ("config --check=a.toml", "config check a.toml"),
            ("docs pages", "generate docs --out pages"),
            ("docs", "generate docs"),
            ("man", "generate man"),
            ("man fair", "generate man solve fair"),
            ("help submit", "help plan submit"),
            ("analyse --solve --ms 5", "analyse --exact --ms 5"),
            ("stats --format table", "stats --format text"),
            ("runs --format=table", "runs --format=text"),
            ("runs program bred --format dot", "runs program bred --as dot"),
            ("runs program bred --format=c", "runs program bred --as=c"),
        ] {
            let (words, line) = renamed_text(old);
            assert_eq!(words, new);
            let line = line.unwrap_or_else(|| panic!("{old}: no note"));
            assert!(line.starts_with("mancalab: '") && line.contains(" is now '") && !line.contains('\n'), "{line}");
        }
        assert_eq!(
            renamed_text("man fair").1.unwrap(),
            "mancalab: 'man' is now 'generate man', 'fair' is now 'solve fair'"
        );
    }

    #[test]
    fn the_words_of_today_stay() {
        for line in [
            "",
            "game.game",
            "play arena",
            "solve position 3x2",
            "solve --help",
            "solve fair",
            "help solve",
            "solve",
            "solve everything",
            "serve chess",
            "generate completions zsh",
            "generate man solve",
            "serve kgp",
            "plan submit day -- --format table --solve",
            "review FILE --solve 0",
            "runs watch",
            "runs program bred --format json",
        ] {
            assert_eq!(renamed_text(line), (line.to_owned(), None));
        }
    }

    #[test]
    fn every_command_that_they_stand_for_exists() {
        for (_, new, _) in COMMANDS {
            let mut command = command_tree();
            for word in new.split(' ').filter(|word| !word.starts_with('-')) {
                let found = command.find_subcommand(word).unwrap_or_else(|| panic!("{new}: no {word}"));
                command = found.clone();
            }
        }
        for (command, _, flag) in FLAGS {
            let program = command_tree();
            let mut flags = program.find_subcommand(command).unwrap().get_arguments().filter_map(|arg| arg.get_long());
            assert!(flags.any(|long| format!("--{long}") == *flag), "{command} {flag}");
        }
    }
}
