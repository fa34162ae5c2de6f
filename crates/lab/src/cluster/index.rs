//! Plans as things one keeps, among the runs: listed, found by their names, renamed and deleted.

use mancalab_base::{Error, bail};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::layout::{self, ATTEMPTS, FILES, LOGS, MARKS, MERGED, Mark, PLAN, RESULTS};
use super::plan::Plan;
use super::status::{Counts, Watcher};
use super::unit::is_alive;
use crate::job::run_dir::{RUN, index, size};
use crate::sanitize;

/// A plan of a folder.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanEntry {
    /// The name of its folder.
    pub name: String,
    pub folder: PathBuf,
    pub state: PlanState,
    /// What it computes; `None` if `plan.toml` cannot be read.
    pub what: Option<What>,
    pub counts: Counts,
    /// When it was made.
    pub started: Option<SystemTime>,
    /// When a result last came in, or else when it was made.
    pub changed: Option<SystemTime>,
    /// Of its files, in bytes.
    pub size: u64,
}

/// What a plan computes, in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct What {
    /// The command that goes on with its runs, such as `evolve`.
    pub command: &'static str,
    /// The kind of its runs, as in their `run.toml`.
    pub kind: String,
    pub preset: String,
    /// The seeds as a text, such as `1-60`.
    pub seeds: String,
}

/// How a plan stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanState {
    /// Units are being computed.
    Running,
    /// No unit was begun yet.
    New,
    /// No unit is being computed, and some are left.
    Stopped,
    /// No unit is being computed, and some have failed.
    Failed,
    /// All units have results.
    Finished,
    /// Why it cannot be read.
    Damaged(String),
}

/// Whether a folder is a plan's.
pub fn is_plan(folder: &Path) -> bool {
    folder.join(PLAN).is_file()
}

/// All plans directly in `folder`, the one that came forward last at the front.
pub fn list(folder: &Path) -> Vec<PlanEntry> {
    let folders = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<PlanEntry> = folders.filter(|folder| is_plan(folder)).map(entry).collect();
    entries.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name)));
    entries
}

/// The plan in a folder, as far as its files tell.
pub fn entry(folder: PathBuf) -> PlanEntry {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (started, changed, size) = (modified(&folder.join(PLAN)), changed(&folder), size(&folder));
    let (state, what, counts) = match Plan::open(&folder) {
        Err(reason) => (PlanState::Damaged(reason.in_a_line()), None, Counts::default()),
        Ok(plan) => {
            let (what, counts) = (what(&plan), Watcher::new(plan).counts());
            (state(&counts, is_begun(&folder)), Some(what), counts)
        }
    };
    PlanEntry { name, folder, state, what, counts, started, changed, size }
}

/// Whether an attempt at a unit of the plan in `folder` was ever begun.
fn is_begun(folder: &Path) -> bool {
    let has_attempts = fs::read_dir(folder.join(ATTEMPTS)).is_ok_and(|mut attempts| attempts.next().is_some());
    has_attempts || !layout::marks(folder).is_empty()
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

/// When a result of the plan last came in, or else when it was made.
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

fn state(counts: &Counts, is_begun: bool) -> PlanState {
    match counts {
        Counts { running: 1.., .. } => PlanState::Running,
        counts if counts.done == counts.all() => PlanState::Finished,
        Counts { failed: 1.., .. } => PlanState::Failed,
        Counts { done: 0, .. } if !is_begun => PlanState::New,
        _ => PlanState::Stopped,
    }
}

/// The folder of the run or plan that a person names: a path, or the name of one in `runs`, or how that begins.
///
/// # Errors
/// There is none, or there are several: which.
pub fn find(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    index::find_by(runs, text, "run", &[RUN, PLAN])
}

/// The same by the whole name only: for what cannot be undone.
///
/// # Errors
/// As [`find`], or the name is only the beginning of one.
pub fn find_whole(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    index::find_whole(runs, text, "run", &[RUN, PLAN])
}

/// The same of a plan alone.
///
/// # Errors
/// As [`find`].
pub fn find_plan(runs: Option<&Path>, text: &Path) -> Result<PathBuf, Error> {
    index::find_by(runs, text, "plan", &[PLAN])
}

/// The run or plan in `runs` that came forward last.
///
/// # Errors
/// There is none.
pub fn newest(runs: Option<&Path>) -> Result<PathBuf, Error> {
    let run = index::newest(runs);
    let folders = runs.and_then(|runs| fs::read_dir(runs).ok()).into_iter().flatten().flatten();
    let plans = folders.map(|entry| entry.path()).filter(|folder| is_plan(folder));
    let newest = plans.filter_map(|folder| Some((changed(&folder)?, folder))).max();
    match (run, newest) {
        (Ok(run), Some((at, _))) if index::changed(&run, &[RUN]) > Some(at) => Ok(run),
        (_, Some((_, plan))) => Ok(plan),
        (run, None) => run,
    }
}

/// Gives a plan another name in the folder it is in; gives its folder.
///
/// # Errors
/// The name is taken or none that a run can have, there is no plan, or units of it are being computed.
pub fn rename(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    index::check_name(name)?;
    at_rest(folder)?;
    index::rename_folder(folder, name)
}

/// Deletes the files of a plan with its merged runs, and its folder if it is then empty.
///
/// # Errors
/// There is no plan, or units of it are being computed; or some of it cannot be deleted. The folder then has no `plan.toml`.
pub fn delete(folder: &Path) -> Result<index::Left, Error> {
    at_rest(folder)?;
    // No unit of it is begun once the first file is gone.
    index::delete_known(folder, PLAN, |path, name, kind| match name {
        FILES | RESULTS | MARKS | ATTEMPTS | LOGS if kind.is_dir() => fs::remove_dir_all(path),
        MERGED if kind.is_dir() => delete_runs(path),
        _ => Ok(()),
    })
}

/// Deletes the runs in a folder, and the folder if it is then empty.
fn delete_runs(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        // Another process may write one of them: it stays.
        let _ = index::delete(&entry?.path());
    }
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// That the folder is a plan's own, and no unit of it is being computed as far as can be told.
pub fn at_rest(folder: &Path) -> Result<(), Error> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
    if !is_folder || !is_plan(folder) {
        bail!("{} is no plan's folder: there is no {PLAN}", sanitize::path(folder));
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
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::AttemptId;
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
        assert!(!renamed.exists() && delete(&renamed).unwrap_err().to_string().contains("is no plan's folder"));
    }

    #[test]
    fn a_plan_that_cannot_be_read_is_listed_with_why() {
        let runs = tempfile::tempdir().unwrap();
        write(&runs.path().join("odd").join(PLAN));
        let entry = &list(runs.path())[0];
        assert!(matches!(&entry.state, PlanState::Damaged(why) if why.contains("has no sum")), "{:?}", entry.state);
    }
}
