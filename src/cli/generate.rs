//! `mancalab generate`: manual pages, completion scripts, and the generated pages of the documentation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Command, Subcommand};
use mancalab_base::Error;

use super::{command_tree, completions, docs, examples, help, manual, out};
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
    text.extend(examples::roff(&name).into_bytes());
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
