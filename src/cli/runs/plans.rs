//! Plans among the runs: a row of the list, and a plan in full.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;

use super::kinds::{self, RunSetting};
use super::line::{self, Json, minute, since};
use super::name;
use crate::cli::format::OutputArgs;
use crate::cli::live::clock;
use crate::cli::out;
use crate::cluster::index::{self, PlanEntry, PlanState, is_plan};
use crate::cluster::layout::MERGED;
use crate::cluster::plan::Plan;
use crate::cluster::result::{BuildId, BuildUnits, Origins};
use crate::cluster::status::{Counts, PlanStatus, UnitState, Watcher};
use crate::cluster::sweep::{Vary, seeds_text};
use crate::grid::Grid;
use crate::job::run_dir::Notes;
use crate::job::run_dir::index::runs_in;
use crate::kept::plan_word;
use crate::kinds::typed;
use crate::sanitize;
use crate::ui::short_count;

/// Maximum number of failed units shown with their reasons, and of merged runs shown by name.
const FEW: usize = 10;

impl From<&PlanEntry> for Json {
    fn from(entry: &PlanEntry) -> Json {
        let what = entry.what.as_ref();
        let Counts { waiting, running, done, failed, .. } = entry.counts;
        Json {
            name: entry.name.clone(),
            plan: true,
            kind: what.map(|what| typed(what.command).to_owned()).unwrap_or_default(),
            preset: what.map(|what| what.preset.clone()).unwrap_or_default(),
            seeds: what.map(|what| what.seeds.clone()),
            state: plan_word(&entry.state),
            why: match &entry.state {
                PlanState::Damaged(why) => Some(why.clone()),
                PlanState::New
                | PlanState::Running
                | PlanState::Stopped
                | PlanState::Failed
                | PlanState::Crashed
                | PlanState::Finished => None,
            },
            units: Some(entry.counts.all()),
            done: Some(done),
            running: Some(running),
            waiting: Some(waiting),
            failed: Some(failed),
            started: since(entry.started),
            changed: since(entry.changed),
            bytes: entry.size,
            folder: entry.folder.clone(),
            tags: entry.notes.tags.clone(),
            note: entry.notes.note.clone(),
            ..Json::default()
        }
    }
}

/// `plan evolve`
pub fn kind(entry: &PlanEntry) -> String {
    entry.what.as_ref().map_or("plan".to_owned(), |what| format!("plan {}", typed(what.command)))
}

/// Checks that a folder is not a plan's.
///
/// # Errors
/// It is a plan: how to reach its runs.
pub fn must_be_run(folder: &Path) -> Result<()> {
    if is_plan(folder) {
        let named = sanitize::shell_path(folder);
        bail!(
            "{} is a plan. Run `mancalab plan merge {named}`, then name a run in {}.",
            sanitize::path(folder),
            sanitize::path(&folder.join(MERGED))
        );
    }
    Ok(())
}

/// A plan in full, for programs.
#[derive(Serialize)]
struct Inspect {
    #[serde(flatten)]
    entry: Json,
    version: String,
    /// The planned command, or `islands`.
    what: &'static str,
    vary: Vec<String>,
    /// Reasons of failed units, by their numbers.
    failures: BTreeMap<u32, String>,
    builds: Vec<Build>,
    /// Estimated seconds per unit.
    seconds_estimated: Option<f64>,
    /// Mean seconds of the finished units.
    seconds_measured: Option<f64>,
    seconds_left: Option<f64>,
    /// Folders of merged runs.
    merged: Vec<String>,
    settings: serde_json::Map<String, serde_json::Value>,
    /// The preset's values where they differ.
    preset_settings: serde_json::Map<String, serde_json::Value>,
}

/// A build that computed units.
#[derive(Serialize)]
struct Build {
    commit: String,
    sources: String,
    target: String,
    /// Units by machines.
    machines: BTreeMap<String, BTreeSet<u32>>,
}

/// Prints a plan: its status, and the settings of its runs beside those of their preset.
///
/// # Errors
/// The plan cannot be read.
pub fn show(folder: &Path, output: &OutputArgs) -> Result<()> {
    let plan = Plan::open(folder)?;
    let settings = settings(&plan)?;
    let entry = index::entry(folder.to_owned());
    let plan_status = Watcher::new(plan.clone()).look();
    let origins = Origins::read(&plan);
    if let Err(error) = Notes::read(folder) {
        out::report(&format!("mancalab: {error}"));
    }
    if !output.is_text() {
        output.print("runs-show", &shown(&plan, &entry, &plan_status, &settings, origins), String::new);
        return Ok(());
    }
    out::result(&stands(&plan, &entry, &plan_status, &origins).table());
    if let Some(warning) = origins.warning() {
        out::line(&format!("\n{warning}"));
    }
    let failures = failures(&plan_status);
    if !failures.is_empty() {
        out::line("\nfailed units");
        let rows = failures.iter().take(FEW).map(|(unit, why)| vec![format!("  {unit}"), why.clone()]);
        out::result(&Grid { rows: rows.collect(), ..Grid::default() }.table());
        if failures.len() > FEW {
            out::line(&format!("  and {} more", failures.len() - FEW));
        }
    }
    line::tell_settings(&settings);
    Ok(())
}

/// The settings of the first run, before `--vary`.
fn settings(plan: &Plan) -> Result<Vec<RunSetting>> {
    let own = plan.section(|_, table, _| {
        table.entries().iter().map(|value| (value.key().to_owned(), value.setting())).collect::<Vec<_>>()
    })?;
    let manifest = &plan.draft().manifest;
    let kind = crate::kinds::known(&manifest.kind)?;
    // The plan shows its seeds separately.
    Ok(kinds::beside(kind, manifest, own).into_iter().filter(|one| one.key != "seed").collect())
}

fn failures(plan_status: &PlanStatus) -> BTreeMap<u32, String> {
    let why = |(unit, plan_status): (usize, &crate::cluster::status::UnitStatus)| match &plan_status.state {
        UnitState::Failed(why) => Some((unit as u32, why.clone())),
        UnitState::Waiting | UnitState::Running { .. } | UnitState::Killed | UnitState::Done => None,
    };
    plan_status.units.iter().enumerate().filter_map(why).collect()
}

/// Mean seconds of the finished units.
fn measured(plan_status: &PlanStatus) -> Option<f64> {
    plan_status.seconds_a_unit.filter(|_| plan_status.counts.done > 0)
}

/// The folders of its merged runs, sorted by name.
fn merged(plan: &Plan) -> Vec<PathBuf> {
    runs_in(&plan.folder().join(MERGED))
}

fn shown(
    plan: &Plan,
    entry: &PlanEntry,
    plan_status: &PlanStatus,
    settings: &[RunSetting],
    origins: Origins,
) -> Inspect {
    let draft = plan.draft();
    let build = |BuildUnits { build: BuildId { sources, target, commit }, machines }: BuildUnits| Build {
        commit,
        sources,
        target,
        machines,
    };
    Inspect {
        entry: Json::from(entry),
        version: plan.version().to_owned(),
        what: typed(plan.draft().command),
        vary: draft.vary.iter().map(Vary::text).collect(),
        failures: failures(plan_status),
        builds: origins.builds.into_iter().map(build).collect(),
        seconds_estimated: Some(draft.seconds).filter(|seconds| *seconds > 0.0),
        seconds_measured: measured(plan_status),
        seconds_left: plan_status.seconds_left,
        merged: merged(plan).iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
        settings: kinds::values(settings),
        preset_settings: kinds::preset_values(settings),
    }
}

fn stands(plan: &Plan, entry: &PlanEntry, plan_status: &PlanStatus, origins: &Origins) -> Grid {
    let draft = plan.draft();
    let what = match plan.draft().command {
        "islands" => "evolve on islands, each unit an island between two migrations",
        "arena" => "tournament, each unit games of one player against another",
        word => &format!("{word}, each unit a run"),
    };
    let Counts { waiting, running, done, failed, killed } = plan_status.counts;
    let killed = if killed > 0 { format!(" ({killed} killed)") } else { String::new() };
    let all = plan_status.counts.all();
    let units = format!("{done} of {all} done, {running} running, {waiting} waiting{killed}, {failed} failed");
    let took = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.2} s per unit"));
    let rows = [
        ("name", name(&entry.folder)),
        ("kind", kind(entry)),
        ("what", what.to_owned()),
        ("preset", draft.manifest.preset.clone()),
        ("seeds", seeds_text(&draft.seeds)),
        ("varied", varied(draft.vary.iter().map(Vary::text).collect())),
        ("state", plan_word(&entry.state).to_owned()),
        ("units", units),
        ("estimated", took(Some(draft.seconds).filter(|seconds| *seconds > 0.0))),
        ("measured", took(measured(plan_status))),
        ("left", plan_status.seconds_left.map_or("-".to_owned(), |left| format!("about {}", clock(left.ceil())))),
        ("started", format!("{} UTC", minute(entry.started))),
        ("last result", format!("{} UTC", minute(entry.changed.filter(|_| done > 0)))),
        ("machines", some(origins.machines())),
        ("build", some(origins.builds.first().map(|computed| computed.build.text()).unwrap_or_default())),
        ("size", short_count(entry.size)),
        ("folder", sanitize::path(&entry.folder)),
        ("merged", merged_text(&merged(plan))),
    ];
    Grid::pairs(rows.into_iter().chain(notes_rows(&entry.notes)))
}

/// The tags and the note, if there are some.
pub(super) fn notes_rows(notes: &Notes) -> impl Iterator<Item = (&'static str, String)> + use<> {
    let rows = [("tags", notes.tags.join(" ")), ("note", sanitize::inline(&notes.note).into_owned())];
    rows.into_iter().filter(|(_, text)| !text.is_empty())
}

fn varied(texts: Vec<String>) -> String {
    some(texts.join("  "))
}

fn some(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Merged runs: up to [`FEW`] names, else their number.
fn merged_text(folders: &[PathBuf]) -> String {
    match folders {
        [] => "-".to_owned(),
        few if few.len() <= FEW => few.iter().map(|folder| name(folder)).collect::<Vec<_>>().join(", "),
        many => format!("{} runs in {MERGED}", many.len()),
    }
}
