//! Reads a plan on other threads: its status, and its results merged in memory.

use mancalab_base::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::RunViewModel;
use super::{IDLE, POLL, PlanPage, RunResults, SHARE};
use crate::cluster::index::is_plan;
use crate::cluster::layout::MERGED;
use crate::cluster::plan::Plan;
use crate::cluster::result::Results;
use crate::cluster::runs::Runs;
use crate::cluster::status::{PlanStatus, Watcher};
use crate::job::run_dir::index::runs_in;
use crate::job::run_dir::{self, EntryState};
use crate::sanitize;

/// A newly opened plan.
pub(in super::super) struct OpenedPlan {
    pub(super) plan: Plan,
    pub(super) work: Arc<Runs>,
    pub(super) watcher: Box<Watcher>,
    pub(super) plan_status: PlanStatus,
    pub(super) is_merged: bool,
    pub(super) took: Duration,
}

/// The last read of a plan's status.
#[derive(Clone, Copy)]
pub(super) struct LastRead {
    pub at: Instant,
    pub took: Duration,
    /// Whether the plan's own folder has all of its runs, merged and complete.
    pub is_merged: bool,
}

/// Whether a plan whose units are done has been merged into its own folder.
fn is_merged(plan: &Plan, work: &Runs, plan_status: &PlanStatus) -> bool {
    if plan_status.counts.done < plan_status.counts.all() {
        return false;
    }
    let runs = runs_in(&plan.folder().join(MERGED));
    // A partial merge leaves runs that are not finished.
    let is_finished = |folder: PathBuf| matches!(run_dir::entry(folder).state, EntryState::Finished);
    runs.len() >= work.runs() && runs.into_iter().all(is_finished)
}

impl OpenedPlan {
    /// Reads the plan's files.
    ///
    /// # Errors
    /// The folder holds no readable plan of this kind.
    pub fn read(folder: &Path) -> Result<OpenedPlan, Error> {
        let plan = Plan::open(folder)?;
        let work = Arc::new(Runs::read_checked(&plan)?);
        let mut watcher = Box::new(Watcher::new(plan.clone()));
        let began = Instant::now();
        let plan_status = watcher.look();
        let is_merged = is_merged(&plan, &work, &plan_status);
        Ok(OpenedPlan { plan, work, watcher, plan_status, is_merged, took: began.elapsed() })
    }
}

/// The status of a plan.
pub(in super::super) struct Looked {
    watcher: Box<Watcher>,
    plan_status: Result<PlanStatus, Error>,
    is_merged: bool,
    took: Duration,
}

/// The view model of a run, and whether the run is complete.
type Whole = (Box<dyn RunViewModel>, bool);

/// The merged results of a run so far.
pub(in super::super) struct MergedResults {
    /// The run, and its known number of results.
    run_and_results: (usize, u32),
    /// `None` before the first result.
    found: Result<Option<Whole>, Error>,
    took: Duration,
}

impl PlanPage {
    /// Returns the time of the next read; `None` while the page is not shown.
    pub fn deadline(&self) -> Option<Instant> {
        let results = self.wants_results().then_some(self.last_read.at);
        self.look_deadline().into_iter().chain(self.merged_deadline()).chain(results).min().filter(|_| self.drawn)
    }

    /// Completed plans are not read again once they are merged.
    fn look_deadline(&self) -> Option<Instant> {
        let LastRead { at, took, is_merged } = self.last_read;
        let pause = if self.plan_status.counts.running > 0 { POLL } else { IDLE };
        let is_complete = self.is_done() && is_merged;
        let goes_on = self.watcher.is_some() && !is_complete && self.error.is_none();
        goes_on.then(|| at + pause.max(took * SHARE))
    }

    fn merged_deadline(&self) -> Option<Instant> {
        if !self.shows_merged() || self.seen.is_reading || self.seen.run_and_results == Some(self.counted) {
            return None;
        }
        let (at, took) = self.seen.read;
        match self.seen.run_and_results {
            Some((run, _)) if run == self.run() => Some(at + took * SHARE),
            // The run has not been read before.
            _ => Some(at),
        }
    }

    /// Returns the read of the plan's status as a task, if it is due.
    pub fn poll(&mut self, now: Instant) -> Option<impl FnOnce() -> Looked + Send + use<>> {
        self.look_deadline().filter(|deadline| self.drawn && *deadline <= now)?;
        let mut watcher = self.watcher.take()?;
        let work = Arc::clone(&self.work);
        self.drawn = false;
        Some(move || {
            let began = Instant::now();
            let folder = watcher.plan().folder();
            let plan_status = match is_plan(folder) {
                true => Ok(()),
                false => Err(format!("{} no longer exists", sanitize::path(folder)).into()),
            };
            let plan_status = plan_status.map(|()| watcher.look());
            let is_merged = plan_status.as_ref().is_ok_and(|status| is_merged(watcher.plan(), &work, status));
            Looked { watcher, plan_status, is_merged, took: began.elapsed() }
        })
    }

    pub fn take_looked(&mut self, looked: Looked, now: Instant) {
        let Looked { watcher, plan_status, is_merged, took } = looked;
        self.watcher = Some(watcher);
        self.last_read = LastRead { at: now, took, is_merged };
        match plan_status {
            Ok(plan_status) => self.plan_status = plan_status,
            Err(error) => self.error = Some(error.to_string()),
        }
        self.count();
    }

    /// Returns the merge of the selected unit's run as a task, if the run is shown and has new results.
    pub fn merge(&mut self, now: Instant) -> Option<impl FnOnce() -> MergedResults + Send + use<>> {
        self.merged_deadline().filter(|deadline| *deadline <= now)?;
        self.seen.is_reading = true;
        let tab = self.tab;
        let plan = self.plan.clone();
        let work = Arc::clone(&self.work);
        let of = self.counted;
        Some(move || {
            let began = Instant::now();
            let view = work.view(of.0, &Results::new(&plan));
            let found =
                view.map(|view| view.and_then(|(view, finished)| Some(((tab.pages.view_model)(&view)?, finished))));
            MergedResults { run_and_results: of, found, took: began.elapsed() }
        })
    }

    pub fn take_merged(&mut self, merged: MergedResults, now: Instant) {
        let MergedResults { run_and_results: of, found, took } = merged;
        let (found, error) = match found {
            Ok(found) => (found, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let (view_model, finished) = found.map_or((None, false), |(view_model, finished)| (Some(view_model), finished));
        self.seen =
            RunResults { run_and_results: Some(of), view_model, finished, error, read: (now, took), is_reading: false };
    }
}
