//! `mancalab generate`: manual pages, completion scripts, and the generated pages of the documentation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Command, Subcommand};
use mancalab_base::Error;

use super::{command_tree, completions, docs, help, manual, out};
use crate::files;

#[derive(Subcommand, Debug)]
pub(crate) enum Generate {
    /// Print a manual page (roff), or write those of all commands to a folder
    Man {
        /// The command to explain, such as evolve or plan new; default: the program
        #[arg(value_name = "COMMAND", conflicts_with = "out")]
        command: Vec<String>,
        /// Folder for the pages of all commands
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Print a completion script for a shell, or write it to a folder
    Completions {
        /// The shell
        shell: clap_complete::Shell,
        /// Folder for the script
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Write the generated pages of the documentation
    Docs {
        /// Folder for the pages
        #[arg(long, value_name = "DIR", default_value = "docs")]
        out: PathBuf,
    },
}

pub(super) fn run(group: &Generate) -> Result<ExitCode> {
    match group {
        Generate::Man { out: Some(folder), .. } => manuals(folder)?,
        Generate::Man { command, .. } => {
            out::script(&page(help::find(command)?)?);
        }
        Generate::Completions { shell, out } => {
            let script = completions::script(&shell.to_string()).context("no script for this shell")?;
            match out {
                None => {
                    out::script(&script);
                }
                Some(folder) => write(folder, &file_of(*shell)?, &script)?,
            }
        }
        Generate::Docs { out } => docs::write(out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The name by which a shell finds its script.
fn file_of(shell: clap_complete::Shell) -> Result<String> {
    Ok(match shell {
        clap_complete::Shell::Bash => "mancalab".to_owned(),
        clap_complete::Shell::Zsh => "_mancalab".to_owned(),
        clap_complete::Shell::Fish => "mancalab.fish".to_owned(),
        clap_complete::Shell::Elvish => "mancalab.elv".to_owned(),
        clap_complete::Shell::PowerShell => "mancalab.ps1".to_owned(),
        other => bail!("no name for a script of {other}; print it without --out"),
    })
}

/// A manual page with presets, settings and examples. It ends with the exit statuses; that of the program also has its files and
/// variables, to which the others refer.
fn page(command: Command) -> Result<Vec<u8>> {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let is_program = command.get_name() == "mancalab";
    let lists = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    // How it was built, in lines that manual pages would join.
    let command = command.after_long_help(None::<&str>).long_version(None::<&str>);
    let mut text = Vec::new();
    let source = concat!("mancalab ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command).source(source).render(&mut text)?;
    text.extend(manual::lists(&lists).into_bytes());
    text.extend(roff(&name).into_bytes());
    text.extend(if is_program { manual::roff() } else { manual::roff_of_command() }.into_bytes());
    Ok(text)
}

/// Writes the page of the program, and one of each command and of those that it groups.
fn manuals(folder: &Path) -> Result<()> {
    write_pages(folder, command_tree())
}

fn write_pages(folder: &Path, command: Command) -> Result<()> {
    // Groups have a command `help` of clap; the program's is its own.
    let is_program = command.get_name() == "mancalab";
    let has_page = |sub: &&Command| is_program || sub.get_name() != "help";
    let commands: Vec<Command> = command.get_subcommands().filter(has_page).cloned().collect();
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    write(folder, &format!("{name}.1"), &page(command)?)?;
    commands.into_iter().try_for_each(|sub| write_pages(folder, sub))
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    Ok(files::write_atomic(&path, bytes).map_err(Error::cannot("write", &path))?)
}

/// The examples of each command: (command line, what it does).
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "mancalab",
        &[
            ("mancalab", "Open the program where you left it"),
            ("mancalab play --game othello --level hard", "Play Othello against the level hard"),
            ("mancalab help match", "Explain a command"),
        ],
    ),
    (
        "mancalab play",
        &[
            ("mancalab play --game kalah:6x6 --north minimax:8", "Play Kalah with six seeds a pit against minimax"),
            ("mancalab play --lines", "Play without a screen, line by line"),
        ],
    ),
    (
        "mancalab review",
        &[
            ("mancalab review last", "Review the last game on the Board"),
            ("mancalab review games.pdn --game checkers --json", "Review games of a file, for programs"),
        ],
    ),
    ("mancalab puzzles", &[("mancalab puzzles", "Try the puzzles that are due")]),
    ("mancalab stats", &[("mancalab stats --json", "Print your results and rating, for programs")]),
    (
        "mancalab analyse",
        &[(
            "mancalab analyse --game kalah --exact",
            "Solve the first position, and exit with 1 if that is not possible",
        )],
    ),
    (
        "mancalab openings",
        &[("mancalab openings games.pdn --game checkers", "List the moves of a database with their results")],
    ),
    ("mancalab solve position", &[("mancalab solve position 6x3", "The exact value of Kalah with three seeds a pit")]),
    (
        "mancalab solve fair",
        &[("mancalab solve fair 4x3", "Starts with seeds moved to another pit whose value is a draw")],
    ),
    (
        "mancalab solve exploit",
        &[("mancalab solve exploit minimax:2", "The greatest score against a player that always moves alike")],
    ),
    ("mancalab tables build", &[("mancalab tables build oware --seeds 12", "Build an endgame table")]),
    ("mancalab tables list", &[("mancalab tables list", "List the tables that are there")]),
    ("mancalab tables verify", &[("mancalab tables verify oware-standard", "Check a table against a search")]),
    ("mancalab tables remove", &[("mancalab tables remove oware-standard", "Remove a table")]),
    (
        "mancalab match",
        &[
            ("mancalab match minimax:8 mcts:4000 --games 200", "Play a match of two players"),
            ("mancalab match round-robin --out league", "Play a tournament and keep its games"),
            ("mancalab match minimax:6 minimax:4 --sprt 0,50", "Stop as soon as the difference is decided"),
        ],
    ),
    (
        "mancalab evolve",
        &[
            ("mancalab evolve mancala-gp-1 --seed 7 --out run", "Breed programs for Kalah"),
            ("mancalab evolve othello-gp-50 --set population=500 --threads 8", "Change a setting, on eight threads"),
        ],
    ),
    ("mancalab tune", &[("mancalab tune oware-weights --set game=awari", "Tune weights for Awari")]),
    ("mancalab train", &[("mancalab train a3c-mixed --out net", "Train a network that plays Kalah")]),
    (
        "mancalab reproduce",
        &[
            ("mancalab reproduce --list", "List the tables and figures"),
            ("mancalab reproduce kalah-thesis/table1 --games 200", "One table, with fewer games"),
            ("mancalab reproduce all --hours 2 --out reproduced", "All within two hours of processor time"),
        ],
    ),
    ("mancalab runs list", &[("mancalab runs list --json", "List the runs, for programs")]),
    ("mancalab runs show", &[("mancalab runs show run", "Tell the state of a run")]),
    ("mancalab runs watch", &[("mancalab runs watch run", "Follow a run")]),
    ("mancalab runs resume", &[("mancalab runs resume run", "Go on with a run that was stopped")]),
    ("mancalab runs compare", &[("mancalab runs compare one other", "Compare runs")]),
    ("mancalab runs summary", &[("mancalab runs summary run", "The results of a run")]),
    ("mancalab runs program", &[("mancalab runs program run", "Analyse the best program of a run")]),
    ("mancalab runs front", &[("mancalab runs front run", "The programs that none beats in all objectives")]),
    ("mancalab runs hall", &[("mancalab runs hall run", "The best programs of a run")]),
    ("mancalab runs islands", &[("mancalab runs islands run", "How the islands of a run differ")]),
    ("mancalab runs operators", &[("mancalab runs operators run", "What the operators of a run gained")]),
    ("mancalab runs tag", &[("mancalab runs tag run baseline", "Tag a run")]),
    ("mancalab runs note", &[("mancalab runs note run promising", "Write a note to a run")]),
    ("mancalab runs rename", &[("mancalab runs rename run baseline", "Rename a run")]),
    ("mancalab runs delete", &[("mancalab runs delete run", "Delete a run, after a question")]),
    ("mancalab runs extend", &[("mancalab runs extend run --generations 300", "Let a run go on to generation 300")]),
    (
        "mancalab runs fork",
        &[("mancalab runs fork run --at 50 --set mutation=0.1", "Begin another run from generation 50")],
    ),
    ("mancalab runs verify", &[("mancalab runs verify run", "Compute a run again and compare its rows")]),
    ("mancalab runs report", &[("mancalab runs report run --out report.html", "Write a page about a run")]),
    (
        "mancalab runs export",
        &[("mancalab runs export run --out tables", "Write the rows of a run as tables, with their types")],
    ),
    ("mancalab plan new match", &[("mancalab plan new match round-robin --out plan", "Cut a tournament into units")]),
    (
        "mancalab plan new evolve",
        &[("mancalab plan new evolve mancala-gp-1 --seeds 1-60 --out plan", "Sixty runs, a unit each")],
    ),
    (
        "mancalab plan new tune",
        &[("mancalab plan new tune kalah-thesis --seeds 1-20 --out plan", "Twenty runs, a unit each")],
    ),
    (
        "mancalab plan new train",
        &[("mancalab plan new train a3c-mixed --vary hidden=32,64 --out plan", "Two sizes of a network")],
    ),
    (
        "mancalab plan new islands",
        &[("mancalab plan new islands mancala-gp-1 --islands 4 --out plan", "One run on four islands")],
    ),
    ("mancalab plan submit", &[("mancalab plan submit plan --engine slurm", "Hand the units to Slurm")]),
    ("mancalab plan unit", &[("mancalab plan unit plan --index 3", "Compute a unit")]),
    ("mancalab plan merge", &[("mancalab plan merge plan", "Put the results of all units together")]),
    (
        "mancalab plan sweep evolve",
        &[("mancalab plan sweep evolve mancala-gp-1 --set population=50..500 --keep 3", "Search settings by halving")],
    ),
    (
        "mancalab plan sweep tune",
        &[("mancalab plan sweep tune kalah-thesis --set sigma=0.01..0.3 --keep 3", "Search settings by halving")],
    ),
    (
        "mancalab plan sweep train",
        &[("mancalab plan sweep train a3c-mixed --set rate=0.0001..0.01 --keep 3", "Search settings by halving")],
    ),
    ("mancalab engine", &[("mancalab engine --game othello", "Answer another program by UGI, UCI or NBoard")]),
    ("mancalab serve ssh", &[("mancalab serve ssh --listen 0.0.0.0:2222", "Let others play over SSH")]),
    ("mancalab serve kgp", &[("mancalab serve kgp", "Serve games by the Kalah Game Protocol")]),
    ("mancalab connect kgp", &[("mancalab connect kgp localhost --player minimax:8", "Play on a server")]),
    (
        "mancalab config show",
        &[("mancalab config show", "Print the configuration, to write it into a file and change it")],
    ),
    ("mancalab config keys", &[("mancalab config keys", "List the keys of the screen")]),
    ("mancalab config check", &[("mancalab config check config.toml", "Check a configuration")]),
    ("mancalab generate man", &[("mancalab generate man --out man1", "Write all manual pages to a folder")]),
    (
        "mancalab generate completions",
        &[("mancalab generate completions fish", "Print the script that completes commands in fish")],
    ),
    ("mancalab generate docs", &[("mancalab generate docs --out docs", "Write the generated pages of the book")]),
    ("mancalab dev perft", &[("mancalab dev perft --game othello --depth 8", "Count the move sequences of Othello")]),
    (
        "mancalab dev chances",
        &[("mancalab dev chances --game othello --player minimax:4", "Fit the win-probability curve of Othello")],
    ),
    ("mancalab dev outcomes", &[("mancalab dev outcomes checkers.outcomes", "Write the outcomes to a file")]),
];

/// Returns the section of the manual page of a command, by its whole name such as `mancalab runs show`: its examples, or the first
/// of each command that it groups.
pub(super) fn roff(command: &str) -> String {
    let own = EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, examples)| examples);
    let group = format!("{command} ");
    let grouped = EXAMPLES.iter().filter(|(name, _)| own.is_empty() && name.starts_with(&group));
    let examples = own.iter().chain(grouped.filter_map(|(_, examples)| examples.first()));
    manual::section("EXAMPLES", examples.copied())
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::super::command_tree;
    use super::*;

    fn names(command: &Command, into: &mut Vec<String>) {
        let shown = || command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
        if shown().next().is_none() || !command.is_subcommand_required_set() {
            into.push(command.get_bin_name().unwrap_or(command.get_name()).to_owned());
        }
        shown().for_each(|sub| names(sub, into));
    }

    #[test]
    fn every_command_has_examples_that_it_accepts() {
        let mut commands = Vec::new();
        names(&command_tree(), &mut commands);
        for name in commands.iter().filter(|name| *name != "mancalab runs") {
            assert!(EXAMPLES.iter().any(|(known, _)| known == name), "{name} has no example");
        }
        let refused = |(name, line): (&str, &str)| {
            assert!(line.starts_with(name), "{line}");
            let parsed = command_tree().try_get_matches_from(line.split(' '));
            parsed.err().map(|error| format!("{line}: {error}"))
        };
        let known = EXAMPLES.iter().filter(|(name, _)| commands.iter().any(|known| known == name));
        let lines = known.flat_map(|(name, examples)| examples.iter().map(|(line, _)| (*name, *line)));
        let refused: Vec<String> = lines.filter_map(refused).collect();
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }
}
