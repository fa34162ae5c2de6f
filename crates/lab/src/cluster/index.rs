//! Saved plans, beside the runs: listed, found by name, renamed and deleted.

use mancalab_base::{Error, bail};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::layout::{self, ATTEMPTS, Activity, FILES, LOGS, MARKS, MERGED, Mark, PLAN, RESULTS};
use super::plan::Plan;
use super::status::{Counts, Watcher};
use super::unit::is_alive;
use crate::job::run_dir::{NOTES, Notes, RUN, index, is_run, size};
use crate::sanitize;

/// A plan in a list.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanEntry {
    /// The folder's name.
    pub name: String,
    pub folder: PathBuf,
    pub state: PlanState,
    /// What the plan computes; `None` if `plan.toml` cannot be read.
    pub what: Option<What>,
    pub counts: Counts,
    /// There are merged runs in its folder.
    pub has_merged: bool,
    /// Creation time.
    pub started: Option<SystemTime>,
    /// Time of the newest result, else the creation time.
    pub changed: Option<SystemTime>,
    /// Size of the files in bytes.
    pub size: u64,
    /// What a person says about it; nothing if the file has errors.
    pub notes: Notes,
}

/// Summary of a plan's contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct What {
    /// The command that resumes its runs, such as `evolve`.
    pub command: &'static str,
    /// The kind of its runs, as in their `run.toml`.
    pub kind: String,
    pub preset: String,
    /// The seeds as text, such as `1-60`.
    pub seeds: String,
}

/// State of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanState {
    /// Units are being computed, or a process of this machine is between two.
    Running,
    /// No unit was started.
    New,
    /// No unit is being computed, and some have no result.
    Stopped,
    /// No unit is being computed, and some have failed.
    Failed,
    /// No unit is being computed, and the process of some was killed.
    Crashed,
    /// All units have results.
    Finished,
    /// The plan cannot be read, with the reason.
    Damaged(String),
}

/// Returns whether a folder holds a plan.
pub fn is_plan(folder: &Path) -> bool {
    folder.join(PLAN).is_file()
}

/// Start of the name of the plan of a sweep's rung, in the folder of the sweep; its number follows, from 1.
pub const RUNG: &str = "rung-";

/// Returns the folders of the runs and plans in `runs`, and of the plans of the sweeps in it, in any order.
pub fn folders(runs: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_rung = |folder: &PathBuf| is_rung(folder) && is_plan(folder);
    let with_rungs = |folder: PathBuf| match is_run(&folder) || is_plan(&folder) {
        true => vec![folder],
        false => below(&folder).filter(is_rung).collect(),
    };
    below(runs).flat_map(with_rungs).collect()
}

fn is_rung(folder: &Path) -> bool {
    let name = folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.strip_prefix(RUNG).is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the name of the folder of a run or plan; that of a sweep's plan begins with the sweep's: `SWEEP/rung-1`.
pub fn name(folder: &Path) -> String {
    let parts = folder.iter().rev().take(if is_rung(folder) { 2 } else { 1 });
    let mut parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
    parts.reverse();
    parts.join("/")
}

/// Returns all plans in `runs`, with those of sweeps, the most recently changed first.
pub fn list(runs: &Path) -> Vec<PlanEntry> {
    let plans = folders(runs).into_iter().filter(|folder| is_plan(folder));
    let mut entries: Vec<PlanEntry> = plans.map(entry).collect();
    crate::sort::sort_by(&mut entries, |a, b| b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name)));
    entries
}

/// Returns the list entry of the plan in a folder.
pub fn entry(folder: PathBuf) -> PlanEntry {
    let mut watcher = Plan::open(&folder).map(Watcher::new);
    entry_of(folder, watcher.as_mut())
}

/// Returns the list entry of the plan in a folder that is opened already, or cannot be, and why.
pub fn entry_of(folder: PathBuf, watcher: Result<&mut Watcher, &mut Error>) -> PlanEntry {
    let name = name(&folder);
    let started = modified(&folder.join(PLAN));
    let changed = changed(&folder);
    let size = size(&folder);
    let (state, what, counts) = match watcher {
        Err(reason) => (PlanState::Damaged(reason.in_a_line()), None, Counts::default()),
        Ok(watcher) => {
            let what = what(watcher.plan());
            let counts = watcher.counts();
            (PlanState::new(&counts, layout::activity(&folder)), Some(what), counts)
        }
    };
    let notes = Notes::read(&folder).unwrap_or_default();
    let has_merged = !index::runs_in(&folder.join(MERGED)).is_empty();
    PlanEntry { name, folder, state, what, counts, has_merged, started, changed, size, notes }
}

/// Returns what changes with a plan's files: the times of `plan.toml` and its notes, of its folders, and of the marks of running attempts.
pub fn stamp(folder: &Path) -> Vec<Option<SystemTime>> {
    let shelves = |name: &str| {
        let shelves = fs::read_dir(folder.join(name)).into_iter().flatten().flatten().map(|shelf| shelf.path());
        let mut shelves: Vec<PathBuf> = shelves.collect();
        crate::sort::sort(&mut shelves);
        shelves
    };
    let folders = [RESULTS, MARKS, ATTEMPTS].map(shelves).concat();
    let fixed = [PathBuf::new(), PLAN.into(), NOTES.into(), MERGED.into()].map(|name| folder.join(name));
    let running = layout::marks(folder).into_iter().filter(|(_, mark)| *mark == Mark::Run);
    let running = running.map(|(id, mark)| layout::mark(folder, &id, mark));
    fixed.into_iter().chain(folders).chain(running).map(|path| modified(&path)).collect()
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

/// Returns the time of the plan's newest result, else its creation time.
fn changed(folder: &Path) -> Option<SystemTime> {
    let shelves = fs::read_dir(folder.join(RESULTS)).into_iter().flatten().flatten();
    shelves.filter_map(|shelf| modified(&shelf.path())).chain(modified(&folder.join(PLAN))).max()
}

fn what(plan: &Plan) -> What {
    let draft = plan.draft();
    What {
        command: plan.draft().run_command(),
        kind: draft.manifest.kind.clone(),
        preset: draft.manifest.preset.clone(),
        seeds: super::sweep::seeds_text(&draft.seeds),
    }
}

impl PlanState {
    /// Returns the state of a plan with these units.
    pub fn new(counts: &Counts, activity: Activity) -> PlanState {
        match counts {
            Counts { running: 1.., .. } => PlanState::Running,
            counts if counts.done == counts.all() => PlanState::Finished,
            _ if activity == Activity::Held => PlanState::Running,
            Counts { failed: 1.., .. } => PlanState::Failed,
            Counts { killed: 1.., .. } => PlanState::Crashed,
            Counts { done: 0, .. } if activity == Activity::Never => PlanState::New,
            _ => PlanState::Stopped,
        }
    }
}

/// Returns the folder of a run or plan, given as a path or as a name (or its unique start) in `runs`; `PLAN/RUN` is a merged
/// run of a plan, and `SWEEP/rung-1` a plan of a sweep.
///
/// # Errors
/// No match, or several, which are listed.
pub fn find(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    if let (Some(plan), Some(run), false) =
        (text.parent(), text.file_name(), text.exists() || rung(runs, text).is_some())
        && (plan.iter().count() == 1 || is_rung(plan))
        && let Ok(plan) = find_plan(runs, plan)
    {
        return index::find_merged(&plan.join(MERGED), Path::new(run));
    }
    rung(runs, text).map_or_else(|| index::find_by(runs, text, "run", &[RUN, PLAN]), Ok)
}

/// Like [`find`], by the full name only: for actions that cannot be undone.
///
/// # Errors
/// As [`find`], or the text is only the start of a name.
pub fn find_whole(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    rung(runs, text).map_or_else(|| index::find_whole(runs, text, "run", &[RUN, PLAN]), Ok)
}

/// Like [`find`], for plans only.
///
/// # Errors
/// As [`find`].
pub fn find_plan(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    rung(runs, text).map_or_else(|| index::find_by(runs, text, "plan", &[PLAN]), Ok)
}

/// Returns the plan of a sweep in `runs` with this name, unless the working folder has it too.
fn rung(runs: Option<&Path>, text: &Path) -> Option<PathBuf> {
    let is_name = is_rung(text) && text.is_relative() && text.iter().count() == 2 && !text.exists();
    let folder = runs.filter(|_| is_name)?.join(text);
    is_plan(&folder).then_some(folder)
}

/// Returns the most recently changed run or plan in `runs`.
///
/// # Errors
/// There are no runs or plans.
pub fn newest(runs: Option<&Path>) -> Result<PathBuf, Error> {
    let run = index::newest(runs);
    let plans = runs.map(folders).unwrap_or_default().into_iter().filter(|folder| is_plan(folder));
    let newest = plans.filter_map(|folder| Some((changed(&folder)?, folder))).max();
    match (run, newest) {
        (Ok(run), Some((at, _))) if index::changed(&run, &[RUN]) > Some(at) => Ok(run),
        (_, Some((_, plan))) => Ok(plan),
        (run, None) => run,
    }
}

/// Renames a plan within its folder; returns the new folder.
///
/// # Errors
/// The name is taken or invalid, there is no plan, or units of it are being computed.
pub fn rename(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    index::check_name(name)?;
    if is_rung(folder) {
        bail!("{} keeps its name: by it the sweep finds the plan", sanitize::path(folder));
    }
    at_rest(folder)?;
    index::rename_folder(folder, name)
}

/// Deletes the files of a plan with its merged runs, then its folder if it is empty.
///
/// # Errors
/// There is no plan, units of it are being computed, `plan.toml` is another program's, or some files cannot be deleted.
/// Only in the last case is `plan.toml` gone.
pub fn delete(folder: &Path) -> Result<index::RemainingFiles, Error> {
    at_rest(folder)?;
    index::check_ours(folder, PLAN)?;
    // Without this first file no unit starts.
    index::delete_known(folder, PLAN, |path, name, kind| match name {
        FILES | RESULTS | MARKS | ATTEMPTS | LOGS if kind.is_dir() => fs::remove_dir_all(path),
        MERGED if kind.is_dir() => delete_runs(path),
        NOTES => fs::remove_file(path),
        _ => Ok(()),
    })
}

/// Deletes the runs in a folder, then the folder if it is empty.
fn delete_runs(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        // A run that another process is writing stays.
        let _ = index::delete(&entry?.path());
    }
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Checks that the folder is a plan and that no unit of it is known to be running.
pub fn at_rest(folder: &Path) -> Result<(), Error> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
    if !is_folder || !is_plan(folder) {
        bail!("{} is not a plan: it has no {PLAN}", sanitize::path(folder));
    }
    let alive = layout::marks(folder).into_iter().find(|(id, mark)| *mark == Mark::Run && is_alive(folder, id));
    match alive {
        Some((id, _)) => Err(format!(
            "unit {} of {} is being computed by process {} on {}; stop that first",
            id.unit,
            sanitize::path(folder),
            id.process,
            id.host
        )
        .into()),
        None if layout::activity(folder) == Activity::Held => {
            bail!("{} is being computed on this machine; stop that first", sanitize::path(folder))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::AttemptId;
    use super::super::status::UnitState;
    use super::*;

    fn write(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn plans_are_listed_as_they_stand_and_found_by_their_names() {
        let runs = tempfile::tempdir().unwrap();
        let plan = Plan::tried(&runs.path().join("sweep"));
        let state = || list(runs.path())[0].state.clone();
        assert_eq!(state(), PlanState::New);
        let own = AttemptId::own(1);
        write(&layout::mark(plan.folder(), &own, Mark::Run));
        assert_eq!(state(), PlanState::Running);
        // A process of this number cannot exist.
        let killed = AttemptId { process: i32::MAX as u32, ..AttemptId::own(1) };
        let mark_of_killed = layout::mark(plan.folder(), &killed, Mark::Run);
        write(&mark_of_killed);
        assert_eq!(state(), PlanState::Running);
        fs::rename(layout::mark(plan.folder(), &own, Mark::Run), plan.folder().join("own")).unwrap();
        assert_eq!(state(), PlanState::Crashed);
        let mut watcher = Watcher::new(Plan::open(plan.folder()).unwrap());
        assert_eq!(
            (watcher.counts(), watcher.look().units[1].state.clone()),
            (watcher.look().counts, UnitState::Killed)
        );
        fs::rename(plan.folder().join("own"), layout::mark(plan.folder(), &own, Mark::Run)).unwrap();
        fs::remove_file(mark_of_killed).unwrap();
        for refused in [rename(plan.folder(), "other").map(drop), delete(plan.folder()).map(drop)] {
            assert!(refused.unwrap_err().to_string().starts_with("unit 1 of "));
        }
        let mark = |mark| layout::mark(plan.folder(), &own, mark);
        fs::rename(mark(Mark::Run), mark(Mark::Failed)).unwrap();
        assert_eq!(state(), PlanState::Failed);
        [0, 1].into_iter().for_each(|unit| write(&layout::result(plan.folder(), &AttemptId::own(unit))));
        assert_eq!(state(), PlanState::Finished);
        assert_eq!(find(Some(runs.path()), Path::new("sw")).unwrap(), runs.path().join("sweep"));
        assert!(rename(plan.folder(), "a/b").unwrap_err().to_string().contains("cannot be a run's name"));
        assert_eq!(newest(Some(runs.path())).unwrap(), runs.path().join("sweep"));
        let renamed = rename(&runs.path().join("sweep"), "other").unwrap();
        assert_eq!(list(runs.path())[0].name, "other");
        delete(&renamed).unwrap();
        assert!(!renamed.exists() && delete(&renamed).unwrap_err().to_string().contains("is not a plan"));
    }

    #[test]
    fn plans_of_sweeps_are_listed_and_found_with_the_name_of_the_sweep() {
        let runs = tempfile::tempdir().unwrap();
        let plan = Plan::tried(&runs.path().join("sweep/rung-1"));
        write(&runs.path().join("sweep/report.html"));
        write(&runs.path().join("other/rung-1/report.html"));
        assert_eq!(list(runs.path()).iter().map(|plan| &*plan.name).collect::<Vec<_>>(), ["sweep/rung-1"]);
        let name = Path::new("sweep/rung-1");
        for found in
            [find(Some(runs.path()), name), find_plan(Some(runs.path()), name), find_whole(Some(runs.path()), name)]
        {
            assert_eq!(found.unwrap(), plan.folder());
        }
        assert_eq!(newest(Some(runs.path())).unwrap(), plan.folder());
        assert!(rename(plan.folder(), "mine").unwrap_err().to_string().contains("keeps its name"));
        write(&plan.folder().join(MERGED).join("bred").join(RUN));
        let merged = find(Some(runs.path()), Path::new("sweep/rung-1/bred")).unwrap();
        assert_eq!(merged, plan.folder().join(MERGED).join("bred"));
        delete(plan.folder()).unwrap();
        assert!(list(runs.path()).is_empty() && runs.path().join("sweep/report.html").exists());
    }

    #[test]
    fn a_plan_that_cannot_be_read_is_listed_with_why() {
        let runs = tempfile::tempdir().unwrap();
        write(&runs.path().join("odd").join(PLAN));
        let entry = &list(runs.path())[0];
        assert!(
            matches!(&entry.state, PlanState::Damaged(why) if why.contains("has no checksum")),
            "{:?}",
            entry.state
        );
    }
}
