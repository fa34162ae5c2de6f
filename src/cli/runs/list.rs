//! The list of runs, and one of them in full.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::kinds::{self, KindName};
use super::text::Grid;
use super::{as_error, find, name};
use crate::cli::format::Format;
use crate::cli::live::clock;
use crate::cli::out;
use crate::job::RunReader;
use crate::job::run_dir::{self, Entry, EntryState, Manifest};
use crate::paths::Paths;
use crate::plain;
use crate::ui::short_count;

#[derive(Args, Debug, Default)]
pub struct ListArgs {
    /// Only runs with this in their name or preset
    pub text: Option<String>,
    /// Only runs of this command
    #[arg(long)]
    pub kind: Option<KindName>,
    /// Only runs that stand so
    #[arg(long)]
    pub state: Option<StateName>,
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "table", conflicts_with = "json")]
    pub format: Option<Format>,
    /// One JSON object a run
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The run's name, the beginning of it, or its folder; without it the run that came forward last
    pub run: Option<PathBuf>,
    /// As a JSON object
    #[arg(long)]
    pub json: bool,
}

/// How a run stands, as flags name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StateName {
    Running,
    Paused,
    Stopped,
    Finished,
    Damaged,
}

impl StateName {
    fn of(state: &EntryState) -> StateName {
        match state {
            EntryState::Running(_) => StateName::Running,
            EntryState::Paused => StateName::Paused,
            EntryState::Stopped(_) => StateName::Stopped,
            EntryState::Finished => StateName::Finished,
            EntryState::Damaged(_) => StateName::Damaged,
        }
    }

    fn word(self) -> &'static str {
        match self {
            StateName::Running => "running",
            StateName::Paused => "paused",
            StateName::Stopped => "stopped",
            StateName::Finished => "finished",
            StateName::Damaged => "damaged",
        }
    }
}

/// A run for programs.
#[derive(Serialize)]
pub struct Told {
    name: String,
    /// The command that drives it, or its kind's word if none does.
    kind: String,
    preset: String,
    seed: Option<u64>,
    /// Whether another run with its settings gives the same rows.
    reproducible: Option<bool>,
    /// Generations, or rounds, that have ended, and how many there are to be behind the first.
    generation: Option<u64>,
    generations: Option<u64>,
    best: String,
    state: &'static str,
    /// Why it cannot be read, or why it stopped, or which process writes it.
    why: Option<String>,
    /// Seconds since 1970.
    started: Option<u64>,
    changed: Option<u64>,
    seconds: f64,
    bytes: u64,
    folder: PathBuf,
}

impl From<&Entry> for Told {
    fn from(entry: &Entry) -> Told {
        let manifest = entry.manifest.as_ref();
        let since = |time: Option<SystemTime>| Some(time?.duration_since(UNIX_EPOCH).ok()?.as_secs());
        Told {
            name: entry.name.clone(),
            kind: kind(entry),
            preset: manifest.map(|manifest| manifest.preset.clone()).unwrap_or_default(),
            seed: manifest.map(|manifest| manifest.seed),
            reproducible: manifest.map(|manifest| manifest.reproducible),
            generation: entry.generation,
            generations: manifest.map(|manifest| manifest.generations),
            best: entry.best.clone(),
            state: StateName::of(&entry.state).word(),
            why: match &entry.state {
                EntryState::Running(why) | EntryState::Stopped(why) | EntryState::Damaged(why) => Some(why.clone()),
                EntryState::Paused | EntryState::Finished => None,
            },
            started: since(entry.started),
            changed: since(entry.changed),
            seconds: entry.took.as_secs_f64(),
            bytes: entry.size,
            folder: entry.folder.clone(),
        }
    }
}

fn kind(entry: &Entry) -> String {
    let word = entry.manifest.as_ref().map(|manifest| manifest.kind.as_str()).unwrap_or_default();
    kinds::by_word(word).map_or(word, |kind| kind.command).to_owned()
}

/// `2026-11-20 06:23`, which is UTC.
fn minute(time: Option<SystemTime>) -> String {
    time.map_or("-".to_owned(), |time| run_dir::utc(time).chars().take(16).collect())
}

/// `12/150`
fn at(entry: &Entry) -> String {
    let Some(manifest) = &entry.manifest else { return "-".to_owned() };
    let first = kinds::by_word(&manifest.kind).map_or(0, |kind| kind.first);
    let at = entry.generation.map_or("-".to_owned(), |at| (at + first).to_string());
    format!("{at}/{}", manifest.generations + first)
}

fn grid(entries: &[Entry]) -> Grid {
    let head = ["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size"];
    let row = |entry: &Entry| {
        vec![
            entry.name.clone(),
            kind(entry),
            entry.manifest.as_ref().map(Manifest::preset_marked).unwrap_or_default(),
            at(entry),
            entry.best_in_short().to_owned(),
            StateName::of(&entry.state).word().to_owned(),
            minute(entry.started),
            clock(entry.took.as_secs_f64()),
            short_count(entry.size),
        ]
    };
    let rows = std::iter::once(head.map(str::to_owned).to_vec()).chain(entries.iter().map(row)).collect();
    Grid { rows, numbers: vec![3, 7, 8] }
}

/// Prints the runs that fit the arguments, the one that came forward last at the front.
///
/// # Errors
/// There is no place where runs are kept.
pub fn list(args: &ListArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs().context("there is no home directory to keep runs in")?;
    let fits = |entry: &Entry| {
        let preset = entry.manifest.as_ref().map_or("", |manifest| &manifest.preset);
        let named = |kind: KindName| {
            let word = entry.manifest.as_ref().map_or("", |manifest| &manifest.kind);
            kinds::by_word(word).is_some_and(|known| known.name == kind)
        };
        args.text.as_ref().is_none_or(|text| entry.name.contains(text.as_str()) || preset.contains(text.as_str()))
            && args.kind.is_none_or(named)
            && args.state.is_none_or(|state| StateName::of(&entry.state) == state)
    };
    let entries: Vec<Entry> = run_dir::list(&runs).into_iter().filter(fits).collect();
    let told = || entries.iter().map(Told::from).collect::<Vec<_>>();
    match args.format.unwrap_or(Format::Table) {
        _ if args.json => told().iter().all(out::json),
        Format::Json => out::result(&out::pretty(&told())),
        Format::Csv => out::result(&grid(&entries).csv()),
        Format::Md => out::result(&grid(&entries).markdown()),
        Format::Table if entries.is_empty() => out::line(&format!("no such runs in {}", plain::path(&runs))),
        Format::Table => out::result(&grid(&entries).table()),
    };
    Ok(ExitCode::SUCCESS)
}

/// A run in full, for programs.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    told: Told,
    version: String,
    settings: serde_json::Map<String, serde_json::Value>,
    /// What the preset has where it is another value.
    preset_settings: serde_json::Map<String, serde_json::Value>,
}

/// Prints a run: how it stands, and its settings beside those of its preset.
///
/// # Errors
/// There is no such run, or it cannot be read.
pub fn show(args: &ShowArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = match &args.run {
        Some(run) => find(run, paths)?,
        None => run_dir::shelf::newest(paths.runs().as_deref()).map_err(as_error)?,
    };
    let reader = RunReader::open(&folder).map_err(as_error)?;
    let settings = kinds::of(&reader)?.settings(&reader)?;
    let entry = run_dir::entry(folder.clone());
    if args.json {
        let text = |text: &String| serde_json::Value::String(text.clone());
        out::json(&Shown {
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
    let changed = |usual: &Option<String>| usual.as_ref().map_or(String::new(), |usual| format!("* preset: {usual}"));
    let rows = settings.iter().map(|one| vec![format!("  {}", one.key), one.value.clone(), changed(&one.usual)]);
    out::line("\nsettings (* is not as in the preset)");
    out::result(&Grid { rows: rows.collect(), numbers: Vec::new() }.table());
    Ok(ExitCode::SUCCESS)
}

fn stands(entry: &Entry, reader: &RunReader) -> Grid {
    let manifest = reader.manifest();
    let state = match &entry.state {
        EntryState::Running(writer) => format!("running: {writer}"),
        EntryState::Stopped(why) => format!("stopped: {why}"),
        EntryState::Damaged(why) => format!("damaged: {why}"),
        state => StateName::of(state).word().to_owned(),
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
        ("folder", plain::path(Path::new(&entry.folder))),
    ];
    Grid { rows: rows.map(|(what, text)| vec![what.to_owned(), text]).to_vec(), numbers: Vec::new() }
}
