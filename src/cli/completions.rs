//! Shell completion. The shell calls the program, so completions include names of runs, themes and presets.

use std::ffi::OsString;

use clap::Command;
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{ArgValueCandidates, CompletionCandidate};

use super::command_tree;
use crate::kinds::by_command;
use crate::paths::Paths;
use crate::theme::Theme;

/// Variable that a shell sets to request completions.
const VARIABLE: &str = "COMPLETE";

/// Prints the completions that a shell requests; false if none does.
pub fn answered(arguments: &[OsString]) -> bool {
    let here = std::env::current_dir().ok();
    let answer = CompleteEnv::with_factory(command).var(VARIABLE).try_complete(arguments, here.as_deref());
    answer.unwrap_or_else(|error| error.exit())
}

/// Returns the registration script for a shell; `None` for an unknown shell.
pub fn script(shell: &str) -> Option<Vec<u8>> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    shells.completer(shell)?.write_registration(VARIABLE, "mancalab", "mancalab", "mancalab", &mut script).ok()?;
    Some(script)
}

fn command() -> Command {
    with_names(command_tree())
}

/// Adds the names that arguments accept.
fn with_names(command: Command) -> Command {
    let kind = by_command(command.get_name());
    let presets = move || {
        let known = kind.map(crate::presets::presets).unwrap_or_default();
        known.into_iter().map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into()))).collect()
    };
    let themes = || Theme::available(&Paths::of_process()).into_iter().map(CompletionCandidate::new).collect();
    let names = move |id: &str| match id {
        "run" | "runs" | "resume" => Some(ArgValueCandidates::new(runs)),
        "theme" => Some(ArgValueCandidates::new(themes)),
        "preset" => Some(ArgValueCandidates::new(presets)),
        _ => None,
    };
    let command = command.mut_args(|arg| match names(arg.get_id().as_str()) {
        Some(names) => arg.add(names),
        None => arg,
    });
    command.mut_subcommands(with_names)
}

/// The names of saved runs and plans.
fn runs() -> Vec<CompletionCandidate> {
    let entries = Paths::of_process().runs().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut names: Vec<OsString> = entries.into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    names.retain(|name| !name.as_encoded_bytes().starts_with(b"."));
    crate::sort::sort(&mut names);
    names.into_iter().map(CompletionCandidate::new).collect()
}
