//! The reference of commands: each with its synopsis, arguments and options.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::{GENERATED, cell, code};
use crate::cli::{command_tree, overview};

/// Every visible command, in the groups of `mancalab -h`.
pub(super) fn page() -> String {
    let mut text = format!(
        "# Commands\n\n{GENERATED}`mancalab -h` lists the commands, `mancalab help COMMAND` explains one. [Files and environment](files.md) has exit \
         statuses; [settings](settings.md) has presets and the keys of `--set`; [JSON output](json.md) what `--json` prints.\n"
    );
    let program = command_tree();
    for (heading, commands) in overview::groups(&program) {
        let _ = write!(text, "\n## {heading}\n");
        commands.into_iter().for_each(|command| write_command(&mut text, command));
    }
    text
}

/// Writes a command, or those that it groups if it does nothing by itself.
fn write_command(text: &mut String, command: &Command) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let subcommands: Vec<&Command> = command.get_subcommands().filter(|sub| is_shown(sub)).collect();
    if subcommands.is_empty() || !command.is_subcommand_required_set() {
        let _ = write!(text, "\n### {name}\n\n{}.\n\n```text\n{}\n```\n", escaped(&about), usage(command));
        let arguments = command.get_arguments().filter(|argument| is_argument(argument));
        let rows: Vec<String> = arguments.map(row).collect();
        if !rows.is_empty() {
            let _ = write!(text, "\n| Argument | Meaning |\n|---|---|\n{}", rows.concat());
        }
    }
    subcommands.into_iter().for_each(|sub| write_command(text, sub));
}

fn is_shown(command: &Command) -> bool {
    !command.is_hide_set() && command.get_name() != "help"
}

fn is_argument(argument: &Arg) -> bool {
    !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str())
}

/// The synopsis, without the word before it.
fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let lines = usage.trim_start_matches("Usage:").lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn row(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut about = help.trim_end_matches('.').replace("\n\n", ". ");
    if argument.get_action().takes_values() {
        let values = argument.get_possible_values();
        let names: Vec<&str> =
            values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
        if !argument.is_hide_possible_values_set() && !names.is_empty() {
            let _ = write!(about, "; one of {}", names.join(", "));
        }
        let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        if !argument.is_hide_default_value_set() && !defaults.is_empty() {
            let _ = write!(about, "; default: {}", defaults.join(" "));
        }
    }
    format!("| {} | {} |\n", code(&argument.to_string()), cell(&escaped(&about)))
}

/// Escapes what Markdown would take for HTML or emphasis.
fn escaped(text: &str) -> String {
    text.replace('<', "&lt;").replace('*', "\\*").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Collects commands by their descriptions.
    fn collect(command: &Command, into: &mut BTreeMap<String, Vec<String>>) {
        for sub in command.get_subcommands().filter(|sub| is_shown(sub)) {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            into.entry(about).or_default().push(sub.get_bin_name().unwrap().to_owned());
            collect(sub, into);
        }
    }

    /// A documentation comment on arguments that several commands share would replace the descriptions of these commands: such
    /// structs have plain comments.
    #[test]
    fn every_command_has_a_description_of_its_own() {
        let mut commands = BTreeMap::new();
        collect(&command_tree(), &mut commands);
        for (about, names) in commands {
            assert!(!about.is_empty() && names.len() == 1, "{names:?}: '{about}'");
        }
    }
}
