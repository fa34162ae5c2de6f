//! Reads a plan on other threads: its status, and its results merged in memory.

use mancalab_base::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::RunViewModel;
use super::{IDLE, POLL, PlanPage, RunResults, SHARE};
use crate::cluster::index::is_plan;
use crate::cluster::plan::Plan;
use crate::cluster::result::Results;
use crate::cluster::runs::Runs;
use crate::cluster::status::{PlanStatus, Watcher};
use crate::sanitize;

/// A newly opened plan.
pub(in super::super) struct OpenedPlan {
    pub(super) plan: Plan,
    pub(super) work: Arc<Runs>,
    pub(super) watcher: Box<Watcher>,
    pub(super) plan_status: PlanStatus,
    pub(super) took: Duration,
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
        Ok(OpenedPlan { plan, work, watcher, plan_status, took: began.elapsed() })
    }
}

/// The status of a plan.
pub(in super::super) struct Looked {
    watcher: Box<Watcher>,
    plan_status: Result<PlanStatus, Error>,
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
        let results = self.wants_results().then_some(self.looked.0);
        self.look_deadline().into_iter().chain(self.merged_deadline()).chain(results).min().filter(|_| self.drawn)
    }

    /// Completed plans are not read again.
    fn look_deadline(&self) -> Option<Instant> {
        let (at, took) = self.looked;
        let pause = if self.plan_status.counts.running > 0 { POLL } else { IDLE };
        let goes_on = self.watcher.is_some() && !self.is_done() && self.error.is_none();
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
        self.drawn = false;
        Some(move || {
            let began = Instant::now();
            let folder = watcher.plan().folder();
            let plan_status = match is_plan(folder) {
                true => Ok(()),
                false => Err(format!("{} no longer exists", sanitize::path(folder)).into()),
            };
            let plan_status = plan_status.map(|()| watcher.look());
            Looked { watcher, plan_status, took: began.elapsed() }
        })
    }

    pub fn take_looked(&mut self, looked: Looked, now: Instant) {
        let Looked { watcher, plan_status, took } = looked;
        (self.watcher, self.looked) = (Some(watcher), (now, took));
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
