//! Shell completion. The shell calls the program, so completions include what is saved: runs, plans, tables, themes.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;
use clap_complete::engine::ValueCompleter as _;
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter};

use super::{command_tree, help, overview, reproduce, tables};
use crate::cluster::index::{self, is_plan};
use crate::kinds::{KINDS, Kind};
use crate::paths::Paths;
use crate::theme::Theme;

/// Variable that a shell sets to request completions.
const VARIABLE: &str = "COMPLETE";

/// Prints the completions that a shell requests; false if none does.
pub fn answered(arguments: &[OsString]) -> bool {
    let here = env::current_dir().ok();
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
    let word = command.get_name().to_owned();
    let command = command.mut_args(|arg| match (arg.get_id().as_str(), &*word) {
        ("run" | "runs" | "resume", _) => arg.add(ArgValueCompleter::new(|word: &OsStr| saved(word, |_| true))),
        ("plan", "submit" | "unit" | "merge") => arg.add(ArgValueCompleter::new(|word: &OsStr| saved(word, is_plan))),
        (id, _) => match candidates(&word, id) {
            Some(candidates) => arg.add(candidates),
            None => arg,
        },
    });
    command.mut_subcommands(with_names)
}

/// Returns what an argument of a command accepts, besides its own possible values.
fn candidates(command: &str, argument: &str) -> Option<ArgValueCandidates> {
    // Islands are a plan of evolve.
    let command = if command == "islands" { "evolve" } else { command };
    let kind = KINDS.iter().find(|kind| kind.typed() == command);
    Some(match (argument, command) {
        ("theme", _) => ArgValueCandidates::new(|| plain(Theme::available(&Paths::of_process()))),
        ("preset", _) => kind.map(|kind| ArgValueCandidates::new(|| presets(kind)))?,
        ("set", "reproduce") => ArgValueCandidates::new(readings),
        ("set" | "vary", _) => kind.map(|kind| ArgValueCandidates::new(|| settings(kind)))?,
        ("target", "reproduce") => ArgValueCandidates::new(|| explained(reproduce::names())),
        ("source", "reproduce") => ArgValueCandidates::new(|| plain(reproduce::sources())),
        ("name", "verify" | "remove") => ArgValueCandidates::new(|| plain(tables::names(&Paths::of_process()))),
        ("command", "man") => ArgValueCandidates::new(|| plain(commands_after("man"))),
        ("about", "help") => ArgValueCandidates::new(|| {
            let begins = typed_after("help").is_empty();
            let topics = overview::TOPICS.into_iter().filter(|_| begins).map(str::to_owned);
            plain(topics.chain(commands_after("help")))
        }),
        ("rules", "position") => ArgValueCandidates::new(|| plain(["kalah:6x4:standard", "kalah:6x4:empty"])),
        ("rules", "build") => ArgValueCandidates::new(|| {
            plain([
                "kalah:6x4:standard",
                "kalah:6x4:empty",
                "oware",
                "oware:slam=all",
                "oware:slam=illegal",
                "awari",
                "checkers",
            ])
        }),
        _ => return None,
    })
}

fn plain(names: impl IntoIterator<Item = impl Into<OsString>>) -> Vec<CompletionCandidate> {
    names.into_iter().map(CompletionCandidate::new).collect()
}

fn explained(names: impl IntoIterator<Item = (&'static str, &'static str)>) -> Vec<CompletionCandidate> {
    names.into_iter().map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into()))).collect()
}

/// Keys, each with the sign after which its value is typed.
fn keys(keys: BTreeMap<&'static str, &'static str>) -> Vec<CompletionCandidate> {
    let candidate =
        |(key, about): (&str, &'static str)| CompletionCandidate::new(format!("{key}=")).help(Some(about.into()));
    keys.into_iter().map(candidate).collect()
}

/// The presets of a kind of run; of a match also its players.
fn presets(kind: &Kind) -> Vec<CompletionCandidate> {
    let players = if kind.typed() == "match" { help::players() } else { Vec::new() };
    let players = players.into_iter().filter(|player| *player != "human");
    explained(crate::presets::presets(kind)).into_iter().chain(plain(players)).collect()
}

/// The keys of the settings of a kind of run.
fn settings(kind: &Kind) -> Vec<CompletionCandidate> {
    let lists = kind.samples().into_iter().flat_map(|(_, settings)| settings.list());
    keys(lists.map(|(key, about, _)| (key, about)).collect())
}

/// The keys of the readings of all sources.
fn readings() -> Vec<CompletionCandidate> {
    keys(reproduce::readings().into_iter().map(|key| (key, "a reading of the source")).collect())
}

/// The listed commands of the group whose name is typed after a word, or of the program.
fn commands_after(word: &str) -> Vec<String> {
    let typed = typed_after(word);
    let Ok(group) = help::find(&typed) else { return Vec::new() };
    // Groups have a command `help` of clap, which has no page.
    let has_page = |command: &&Command| !command.is_hide_set() && (typed.is_empty() || command.get_name() != "help");
    let shown = group.get_subcommands().filter(has_page);
    shown.map(|command| command.get_name().to_owned()).collect()
}

/// The complete words of the command line after a word, without flags. The shell's script passes the line after `--`, and of most shells the
/// index of the word in progress, which else is the last.
fn typed_after(word: &str) -> Vec<String> {
    let words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = words.iter().position(|word| word == "--").map_or(&words[..0], |at| &words[at + 1..]);
    let index = env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse().ok());
    let complete = &line[..index.unwrap_or(line.len().saturating_sub(1)).min(line.len())];
    let after = complete.iter().position(|typed| typed == word).map_or(complete.len(), |at| at + 1);
    complete[after..].iter().filter(|typed| !typed.starts_with('-')).cloned().collect()
}

/// The names of saved runs and plans of which this holds that begin with a word, and the folders that do.
fn saved(word: &OsStr, is_one: fn(&Path) -> bool) -> Vec<CompletionCandidate> {
    let folders = Paths::of_process().runs().map(|runs| index::folders(&runs)).unwrap_or_default();
    let folders = folders.iter().filter(|folder| is_one(folder));
    let mut names: Vec<OsString> = folders.map(|folder| index::name(folder).into()).collect();
    names.retain(|name| !name.as_encoded_bytes().starts_with(b"."));
    names.retain(|name| name.as_encoded_bytes().starts_with(word.as_encoded_bytes()));
    crate::sort::sort(&mut names);
    plain(names).into_iter().chain(PathCompleter::dir().complete(word)).collect()
}
