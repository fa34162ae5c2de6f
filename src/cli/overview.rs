//! `mancalab -h`: all commands in groups on one screen; and `mancalab help`, for commands and for topics: players, games, keys and
//! settings.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Args, Command};

use super::{command_tree, help, screen};
use crate::game::Variant;
use crate::kinds::KINDS;
use crate::player::offers::Level;
use crate::player::spec;

/// The groups of commands: a heading and its first command. A group extends to the first command of the next.
const GROUPS: [(&str, &str); 5] =
    [("Play", "play"), ("Analyse", "analyse"), ("Research", "evolve"), ("Connect", "engine"), ("Set up", "config")];

/// A group of commands: its heading, and the commands.
pub(super) type Group<'a> = (&'static str, Vec<&'a Command>);

/// Returns the commands of the program that are not hidden, in groups.
pub(super) fn groups(program: &Command) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        if let Some((heading, _)) = GROUPS.iter().find(|(_, first)| *first == command.get_name()) {
            groups.push((heading, Vec::new()));
        }
        groups.last_mut().expect("the first command begins a group").1.push(command);
    }
    groups
}

/// The text of `mancalab -h`.
pub(super) fn text() -> String {
    let mut text = "Play Kalah, Othello, checkers and others, review games, and evolve players.\n\n\
                    Usage: mancalab [FILE] [OPTIONS OF play]    open the board: ? shows its keys\n       \
                    mancalab COMMAND\n"
        .to_owned();
    for (heading, commands) in groups(&command_tree()) {
        let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
        let rows: Vec<_> = commands.into_iter().map(|command| (command.get_name(), about(command))).collect();
        text += &format!("\n{}", help::section(heading, &rows));
    }
    text + "\nmancalab COMMAND -h shows the options of a command, --help also its presets and settings.\n\
            -V shows the version, --version also how it was built.\n"
}

#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// A command, such as plan new; players, games, keys or settings; or the name of a setting of runs
    #[arg(value_name = "COMMAND|TOPIC")]
    about: Vec<String>,
}

/// The subjects that help explains besides commands.
pub(super) const TOPICS: [&str; 4] = ["players", "games", "keys", "settings"];

pub(super) fn run(args: &HelpArgs) -> Result<ExitCode> {
    let one = if let [one] = &args.about[..] { one.to_lowercase() } else { String::new() };
    let text = match one.as_str() {
        _ if args.about.is_empty() => text(),
        "players" => players(),
        "games" => games(),
        "keys" => screen::list_keys(),
        "settings" => settings(|_| true).unwrap_or_default(),
        _ => match help::find(&args.about) {
            Ok(mut command) => command.render_long_help().to_string(),
            Err(error) => {
                settings(|key| key == one).with_context(|| format!("{error}; topics: {}", TOPICS.join(", ")))?
            }
        },
    };
    Ok(super::print(&text))
}

fn players() -> String {
    let levels: Vec<&str> = Level::WORDS.iter().map(|(word, _)| *word).collect();
    let levels = format!("Levels, each a player of that strength in every game:\n  {}\n", levels.join(", "));
    format!("{}\n{levels}", help::section("Players", &spec::forms()))
}

fn games() -> String {
    let games: Vec<String> = Variant::KNOWN.iter().map(|(name, rules)| format!("  {name}{rules}\n")).collect();
    format!("Games:\n{}\n{}", games.concat(), help::section("Rules", RULES))
}

/// The rules in the texts of games.
const RULES: &[(&str, &str)] = &[
    ("PITSxSEEDS", "pits a side and seeds a pit, each 1 to 12, such as kalah:5x3"),
    (
        "standard",
        "the usual start of Othello; in Kalah a last seed in an own empty pit captures if the opposite pit has seeds",
    ),
    ("empty", "Kalah: it captures also where the opposite pit has none"),
    ("end=mover", "Kalah: over only when the side to move has no seeds"),
    ("fair=N", "Kalah: starts with one seed in another pit, so that perfect play is a draw"),
    ("parallel", "Othello: starts with the discs of each side beside each other"),
    ("limit=MOVES", "checkers: drawn after as many moves by each side"),
    ("slam", "Oware: a move that would take all seeds of the opponent takes none, takes all, or is illegal"),
    ("sowing", "Vai Lung Thlan: clockwise, or counter (counter-clockwise)"),
    ("stuck", "passes: a side without seeds waits; ends: the game ends"),
    ("alone", "Ohvalhu: a last seed opposite an empty pit is taken, or stays there"),
    ("chain", "Érhérhé: yes: a last seed takes also the chain of 1s and 3s behind it"),
];

/// The settings of runs that are chosen, by command; `None` without any.
fn settings(is_chosen: impl Fn(&str) -> bool) -> Option<String> {
    let mut sections = Vec::new();
    for kind in KINDS {
        for (what, settings) in kind.samples() {
            let list = settings.list().into_iter().filter(|(key, ..)| is_chosen(key));
            let list: Vec<_> = list.map(|(key, about, value)| (key, format!("{about} ({value})"))).collect();
            if !list.is_empty() {
                let object = if what.is_empty() { String::new() } else { format!(" of {what}") };
                sections.push(help::section(&format!("Settings of mancalab {}{object}", kind.typed()), &list));
            }
        }
    }
    (!sections.is_empty()).then(|| sections.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_its_commands() {
        let program = command_tree();
        let groups = groups(&program);
        assert_eq!(groups.iter().map(|(heading, _)| *heading).collect::<Vec<_>>(), GROUPS.map(|(heading, _)| heading));
        let of_play: Vec<&str> = groups[0].1.iter().map(|command| command.get_name()).collect();
        assert_eq!(of_play, ["play", "review", "puzzles", "stats"]);
    }

    #[test]
    fn the_commands_that_are_listed_for_a_group_are_its_own() {
        for group in command_tree().get_subcommands().filter(|group| group.has_subcommands()) {
            let about = group.get_about().map(ToString::to_string).unwrap_or_default();
            let Some((_, list)) = about.split_once(": ") else { continue };
            for word in list.split([',', ' ']).filter(|word| !word.is_empty() && !word.starts_with('(')) {
                let is_prose =
                    ["and", "others", "openings)", "a", "player)", "default", "the", "one)", "HOST"].contains(&word);
                assert!(is_prose || group.find_subcommand(word).is_some(), "{}: {word}", group.get_name());
            }
        }
    }

    #[test]
    fn every_rule_of_a_game_is_explained() {
        let explained: Vec<&str> = RULES.iter().map(|(rule, _)| rule.split('=').next().unwrap()).collect();
        for (name, rules) in Variant::KNOWN {
            for part in rules.split([':', '[', ']']).filter(|part| !part.is_empty()) {
                let named: Vec<&str> = part.split_once('=').map_or(part.split('|').collect(), |(key, _)| vec![key]);
                for rule in named.into_iter().filter(|rule| !rule.is_empty() && !["8x8", "english"].contains(rule)) {
                    assert!(explained.contains(&rule.trim_start_matches('|')), "{name}: {rule}");
                }
            }
        }
    }

    #[test]
    fn it_fits_one_screen() {
        assert!(text().lines().count() <= 40, "{}", text());
    }
}
