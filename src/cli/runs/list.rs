//! The list of runs and plans, and a run in full.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;

use super::kept::{KeptTold, grid};
use super::kinds;
use super::line::{Told, at, kind, minute, tell_settings};
use super::text::Grid;
use super::{find_kept, name, plans};
use crate::cli::format::Format;
use crate::cli::live::clock;
use crate::cli::out;
use crate::cluster::index::is_plan;
use crate::job::RunReader;
use crate::job::run_dir::{self, Entry, EntryState};
use crate::kept::{self, Kept, word_of};
use crate::kinds::{KINDS, by_word};
use crate::paths::Paths;
use crate::sanitize;
use crate::ui::short_count;

#[derive(Args, Debug, Default)]
pub struct ListArgs {
    /// Only runs and plans with this in their name or preset
    pub text: Option<String>,
    /// Only runs and plans of this kind
    #[arg(long, value_parser = PossibleValuesParser::new(KINDS.iter().map(|kind| kind.command)))]
    pub kind: Option<String>,
    /// Only runs and plans in this state
    #[arg(long, value_parser = PossibleValuesParser::new(states()))]
    pub state: Option<String>,
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "table", conflicts_with = "json")]
    pub format: Option<Format>,
    /// One JSON object a run or plan
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The name of a run or plan, the beginning of it, or its folder; without it the run that came forward last
    pub run: Option<PathBuf>,
    /// As a JSON object
    #[arg(long)]
    pub json: bool,
}

/// How runs and plans stand, as flags name it.
fn states() -> impl Iterator<Item = PossibleValue> {
    let states = ["running", "paused", "stopped", "failed", "finished", "damaged"].map(PossibleValue::new);
    states.into_iter().map(|state| match state.get_name() {
        "failed" => state.help("Units of a plan have failed"),
        _ => state,
    })
}

/// Whether a command drives it: a plan's is the one that goes on with its runs.
fn is_of(one: &Kept, command: &str) -> bool {
    one.kind().and_then(by_word).is_some_and(|kind| kind.command == command)
}

/// Prints the runs and plans that fit the arguments, the one that came forward last at the front.
///
/// # Errors
/// There is no place where runs are kept.
pub fn list(args: &ListArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs().context("there is no home directory to keep runs in")?;
    let fits = |one: &Kept| {
        args.text.as_ref().is_none_or(|text| one.name().contains(text) || one.preset().contains(text))
            && args.kind.as_ref().is_none_or(|command| is_of(one, command))
            && args.state.as_ref().is_none_or(|state| one.word() == state)
    };
    let all: Vec<Kept> = kept::all(&runs).into_iter().filter(fits).collect();
    let told = || all.iter().map(KeptTold::from).collect::<Vec<_>>();
    match args.format.unwrap_or(Format::Table) {
        _ if args.json => told().iter().all(out::json),
        Format::Json => out::result(&out::pretty(&told())),
        Format::Csv => out::result(&grid(&all).csv()),
        Format::Md => out::result(&grid(&all).markdown()),
        Format::Table if all.is_empty() => out::line(&format!("no such runs in {}", sanitize::path(&runs))),
        Format::Table => out::result(&grid(&all).table()),
    };
    Ok(ExitCode::SUCCESS)
}

/// A run in full, for programs.
#[derive(Serialize)]
struct Inspect {
    #[serde(flatten)]
    told: Told,
    version: String,
    settings: serde_json::Map<String, serde_json::Value>,
    /// What the preset has where it is another value.
    preset_settings: serde_json::Map<String, serde_json::Value>,
}

/// Prints a run or a plan: how it stands, and its settings beside those of its preset.
///
/// # Errors
/// There is no such run or plan, or it cannot be read.
pub fn show(args: &ShowArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = match &args.run {
        Some(run) => find_kept(run, paths)?,
        None => run_dir::index::newest(paths.runs().as_deref())?,
    };
    if is_plan(&folder) {
        plans::show(&folder, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let reader = RunReader::open(&folder)?;
    let settings = kinds::settings(&reader)?;
    let entry = run_dir::entry(folder.clone());
    if args.json {
        let text = |text: &String| serde_json::Value::String(text.clone());
        out::json(&Inspect {
            told: Told::from(&entry),
            version: reader.manifest().version.clone(),
            settings: settings.iter().map(|one| (one.key.clone(), text(&one.value))).collect(),
            preset_settings: settings
                .iter()
                .filter_map(|one| Some((one.key.clone(), text(one.usual.as_ref()?))))
                .collect(),
        });
        return Ok(ExitCode::SUCCESS);
    }
    out::result(&stands(&entry, &reader).table());
    tell_settings(&settings);
    Ok(ExitCode::SUCCESS)
}

fn stands(entry: &Entry, reader: &RunReader) -> Grid {
    let manifest = reader.manifest();
    let state = match &entry.state {
        EntryState::Running(writer) => format!("running: {writer}"),
        EntryState::Stopped(why) => format!("stopped: {why}"),
        EntryState::Damaged(why) => format!("damaged: {why}"),
        state => word_of(state).to_owned(),
    };
    let rows = [
        ("name", name(&entry.folder)),
        ("kind", kind(entry)),
        ("preset", manifest.preset_marked()),
        ("seed", manifest.seed.to_string()),
        ("state", state),
        ("generations", at(entry)),
        ("best", entry.best.clone()),
        ("started", format!("{} UTC", minute(entry.started))),
        ("last row", format!("{} UTC", minute(entry.changed))),
        ("took", clock(entry.took.as_secs_f64())),
        ("size", short_count(entry.size)),
        ("folder", sanitize::path(Path::new(&entry.folder))),
    ];
    Grid { rows: rows.map(|(what, text)| vec![what.to_owned(), text]).to_vec(), numbers: Vec::new() }
}
