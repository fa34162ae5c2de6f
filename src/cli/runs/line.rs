//! A run as a row of the list or a JSON object, and common parts of runs and plans.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::Value;

use super::kinds::RunSetting;
use crate::cli::out;
use crate::grid::Grid;
use crate::job::run_dir::{self, Entry, EntryState};
use crate::kept::word_of;
use crate::kinds;

/// A run or plan for programs: one schema for both, in JSON and CSV. What does not apply is `None`.
#[derive(Serialize, Default)]
pub struct Json {
    pub name: String,
    pub plan: bool,
    /// The command that drives the runs, or the word of the kind if it is unknown.
    pub kind: String,
    pub preset: String,
    pub seed: Option<u64>,
    /// Of a plan, such as `1-60`.
    pub seeds: Option<String>,
    /// Whether another run with the same settings gives the same rows.
    pub reproducible: Option<bool>,
    /// The newest complete generation or round, and the number planned after the initial one.
    pub generation: Option<u64>,
    pub generations: Option<u64>,
    /// Units of a plan by their states.
    pub units: Option<u32>,
    pub done: Option<u32>,
    pub running: Option<u32>,
    pub waiting: Option<u32>,
    pub failed: Option<u32>,
    pub best: Option<String>,
    pub state: &'static str,
    /// Why it cannot be read, why it stopped, or which process writes it.
    pub why: Option<String>,
    /// Seconds since 1970.
    pub started: Option<u64>,
    pub changed: Option<u64>,
    pub seconds: Option<f64>,
    pub bytes: u64,
    #[serde(serialize_with = "out::path")]
    pub folder: PathBuf,
    /// What a person says about the run or plan.
    pub tags: Vec<String>,
    pub note: String,
    /// The generation of the newest checkpoint, up to which `best` is the best.
    pub checkpoint_generation: Option<u64>,
}

/// The columns of the list in CSV: the fields of [`Json`].
const COLUMNS: &str = "name plan kind preset seed seeds reproducible generation generations units done running waiting \
    failed best state why started changed seconds bytes folder tags note checkpoint_generation";

/// Returns runs and plans as CSV.
pub fn csv(all: &[Json]) -> String {
    let cell = |value: Option<&Value>| match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        Some(other) => other.to_string(),
    };
    let row = |one: &Json| {
        let value = out::value(one);
        COLUMNS.split(' ').map(|key| cell(value.get(key))).collect()
    };
    let rows = std::iter::once(COLUMNS.split(' ').map(str::to_owned).collect()).chain(all.iter().map(row)).collect();
    Grid { rows, ..Grid::default() }.csv()
}

impl From<&Entry> for Json {
    fn from(entry: &Entry) -> Json {
        let manifest = entry.manifest.as_ref();
        Json {
            name: entry.name.clone(),
            kind: kind(entry),
            preset: manifest.map(|manifest| manifest.preset.clone()).unwrap_or_default(),
            seed: manifest.map(|manifest| manifest.seed),
            reproducible: manifest.map(|manifest| manifest.reproducible),
            generation: entry.generation,
            generations: manifest.map(|manifest| manifest.generations),
            best: Some(entry.best.clone()),
            state: word_of(&entry.state),
            why: match &entry.state {
                EntryState::Running(why)
                | EntryState::Paused(why)
                | EntryState::Failed(why)
                | EntryState::Damaged(why) => Some(why.clone()),
                EntryState::Stopped | EntryState::Crashed | EntryState::Finished => None,
            },
            started: since(entry.started),
            changed: since(entry.changed),
            seconds: Some(entry.took.as_secs_f64()),
            bytes: entry.size,
            folder: entry.folder.clone(),
            tags: entry.notes.tags.clone(),
            note: entry.notes.note.clone(),
            checkpoint_generation: entry.saved_generation,
            ..Json::default()
        }
    }
}

/// Seconds since 1970.
pub fn since(time: Option<SystemTime>) -> Option<u64> {
    Some(time?.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

/// The command that drives a run, or the word of its kind if it is unknown.
pub fn kind(entry: &Entry) -> String {
    let word = entry.manifest.as_ref().map(|manifest| manifest.kind.as_str()).unwrap_or_default();
    kinds::by_word(word).map_or(word, |kind| kind.typed()).to_owned()
}

/// UTC to the minute: `2026-11-20 06:23`
pub fn minute(time: Option<SystemTime>) -> String {
    time.map_or("-".to_owned(), |time| run_dir::utc(time).chars().take(16).collect())
}

/// Prints settings beside those of their preset.
pub fn tell_settings(settings: &[RunSetting]) {
    let changed = |usual: &Option<String>| usual.as_ref().map_or(String::new(), |usual| format!("* preset: {usual}"));
    let rows = settings.iter().map(|one| vec![format!("  {}", one.key), one.value.clone(), changed(&one.usual)]);
    out::line("\nsettings (*: differs from the preset)");
    out::result(&Grid { rows: rows.collect(), ..Grid::default() }.table());
}
