//! A run as a row of the list or a JSON object, and common parts of runs and plans.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::kinds::Setting;
use super::text::Grid;
use crate::cli::live::clock;
use crate::cli::out;
use crate::job::run_dir::{self, Entry, EntryState, Manifest};
use crate::kept::word_of;
use crate::kinds;
use crate::ui::short_count;

/// A run for programs.
#[derive(Serialize)]
pub struct Told {
    name: String,
    /// Always false.
    plan: bool,
    /// The command that drives the run, or the word of its kind if it is unknown.
    kind: String,
    preset: String,
    seed: Option<u64>,
    /// Whether another run with the same settings gives the same rows.
    reproducible: Option<bool>,
    /// The newest complete generation or round, and the number planned after the initial one.
    generation: Option<u64>,
    generations: Option<u64>,
    best: String,
    state: &'static str,
    /// Why it cannot be read, why it stopped, or which process writes it.
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
        Told {
            name: entry.name.clone(),
            plan: false,
            kind: kind(entry),
            preset: manifest.map(|manifest| manifest.preset.clone()).unwrap_or_default(),
            seed: manifest.map(|manifest| manifest.seed),
            reproducible: manifest.map(|manifest| manifest.reproducible),
            generation: entry.generation,
            generations: manifest.map(|manifest| manifest.generations),
            best: entry.best.clone(),
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
            seconds: entry.took.as_secs_f64(),
            bytes: entry.size,
            folder: entry.folder.clone(),
        }
    }
}

/// Seconds since 1970.
pub fn since(time: Option<SystemTime>) -> Option<u64> {
    Some(time?.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

pub fn kind(entry: &Entry) -> String {
    let word = entry.manifest.as_ref().map(|manifest| manifest.kind.as_str()).unwrap_or_default();
    kinds::by_word(word).map_or(word, |kind| kind.command).to_owned()
}

/// UTC to the minute: `2026-11-20 06:23`
pub fn minute(time: Option<SystemTime>) -> String {
    time.map_or("-".to_owned(), |time| run_dir::utc(time).chars().take(16).collect())
}

/// `12/150`
pub fn at(entry: &Entry) -> String {
    let Some(manifest) = &entry.manifest else { return "-".to_owned() };
    let first = kinds::by_word(&manifest.kind).map_or(0, |kind| kind.first);
    let at = entry.generation.map_or("-".to_owned(), |at| (at + first).to_string());
    format!("{at}/{}", manifest.generations + first)
}

/// A row of the list.
pub fn row(entry: &Entry) -> Vec<String> {
    vec![
        entry.name.clone(),
        kind(entry),
        entry.manifest.as_ref().map(Manifest::preset_marked).unwrap_or_default(),
        at(entry),
        entry.best_in_short().to_owned(),
        word_of(&entry.state).to_owned(),
        minute(entry.started),
        clock(entry.took.as_secs_f64()),
        short_count(entry.size),
    ]
}

/// Prints settings beside those of their preset.
pub fn tell_settings(settings: &[Setting]) {
    let changed = |usual: &Option<String>| usual.as_ref().map_or(String::new(), |usual| format!("* preset: {usual}"));
    let rows = settings.iter().map(|one| vec![format!("  {}", one.key), one.value.clone(), changed(&one.usual)]);
    out::line("\nsettings (*: differs from the preset)");
    out::result(&Grid { rows: rows.collect(), numbers: Vec::new() }.table());
}
