//! The page of a plan: its units in a grid, the selected unit, and the merged results of that unit's run.
//!
//! [`Looked`] and `results` read the plan's files on other threads; `draw` draws the result, and `submit`
//! computes a plan. The plan's folder is never written, and only read while the page is shown.

mod draw;
mod results;
pub(super) mod submit;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent};
use mancalab_base::Error;

use super::parts;
use super::parts::kind::{RunTab, RunViewModel};
use super::parts::panels::RunPage;
use crate::cluster::index::is_plan;
use crate::cluster::layout::MERGED;
use crate::cluster::plan::Plan;
use crate::cluster::result::Results;
use crate::cluster::runs::{Runs, Runs as PlannedRuns};
use crate::cluster::status::{PlanStatus, UnitState, Watcher};
use crate::job::run_dir::index::runs_in;
use crate::job::run_dir::{self, EntryState};
use crate::sanitize;
use crate::ui::cells::{CellGrid, Group};
use results::RunResultTable;

pub(super) use results::FoundResults;

/// Polling interval of a plan while units are running, and while none is.
const POLL: Duration = Duration::from_secs(1);
const IDLE: Duration = Duration::from_secs(3);
/// Repeated reads take at most one part in `SHARE` of the time.
const SHARE: u32 = 10;

/// A layout of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Grid and merged view if both fit, else the grid.
    Both,
    Grid,
    Merged,
}

/// The focused part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    Grid,
    Merged,
}

pub(super) struct PlanPage {
    tab: &'static RunTab,
    /// Identifies this opening of the plan; results of another opening are discarded.
    pub number: u64,
    /// The plan's folder, as in the list.
    pub folder: PathBuf,
    /// The plan is in the folder of runs, so that its name identifies it.
    is_kept: bool,
    /// The folder for files opened from its runs.
    out: PathBuf,
    plan: Plan,
    work: Arc<PlannedRuns>,
    plan_status: PlanStatus,
    /// `None` while it reads on another thread.
    watcher: Option<Box<Watcher>>,
    last_read: LastRead,
    /// The error that ended reading of the plan.
    pub error: Option<String>,
    seen: RunResults,
    /// The results by settings and seed, where units are runs.
    results: Option<RunResultTable>,
    pub panels: Box<dyn RunPage>,
    grid: CellGrid,
    layout: Layout,
    focus: Focus,
    /// Grid and merged view both fitted in the last frame.
    has_room: bool,
    /// The page was drawn since the last read.
    drawn: bool,
    /// The run whose results are counted, and their number.
    counted: (usize, u32),
}

/// The results read of a run.
struct RunResults {
    /// The run, and its number of results.
    run_and_results: Option<(usize, u32)>,
    view_model: Option<Box<dyn RunViewModel>>,
    finished: bool,
    error: Option<String>,
    /// Time and duration of the read.
    read: (Instant, Duration),
    is_reading: bool,
}

impl RunResults {
    /// Returns the view model, if it is of this run.
    fn of_run(&self, run: usize) -> Option<&dyn RunViewModel> {
        self.view_model.as_deref().filter(|_| self.run_and_results.is_some_and(|(of, _)| of == run))
    }
}

impl PlanPage {
    pub fn new(
        tab: &'static RunTab,
        number: u64,
        folder: PathBuf,
        runs: Option<&Path>,
        opened: OpenedPlan,
        now: Instant,
    ) -> PlanPage {
        let OpenedPlan { plan, work, watcher, plan_status, is_merged, took } = opened;
        let results = RunResultTable::new(&work);
        let grid = CellGrid::new(groups(&work, results.is_some()));
        let read = (now, Duration::ZERO);
        let seen = RunResults {
            run_and_results: None,
            view_model: None,
            finished: false,
            error: None,
            read,
            is_reading: false,
        };
        let at = at_folder(runs, &folder);
        let mut page = PlanPage {
            tab,
            number,
            is_kept: runs.is_some() && folder.parent() == runs,
            folder,
            out: at,
            plan,
            work,
            plan_status,
            watcher: Some(watcher),
            last_read: LastRead { time: now, took, is_merged },
            error: None,
            seen,
            results,
            panels: (tab.pages.page)(),
            grid,
            layout: Layout::Both,
            focus: Focus::Grid,
            has_room: false,
            drawn: true,
            counted: (0, 0),
        };
        page.count();
        page
    }

    pub fn name(&self) -> String {
        parts::name(&self.folder)
    }

    /// Returns the selected unit.
    fn unit(&self) -> u32 {
        self.grid.selected as u32
    }

    /// Returns the run of the selected unit.
    fn run(&self) -> usize {
        self.counted.0
    }

    /// Returns the folder for files opened from that run, named after it.
    fn run_folder(&self) -> PathBuf {
        self.out.join(self.work.name(self.run()))
    }

    /// Returns the view model of the selected unit's run.
    pub fn view_model(&self) -> Option<&dyn RunViewModel> {
        self.seen.of_run(self.run())
    }

    /// Counts the results of the selected unit's run.
    fn count(&mut self) {
        let run = self.work.run_of(self.unit());
        let first = self.work.first(run) as usize;
        let units = self.plan_status.units.iter().skip(first).take(self.work.count(run) as usize);
        self.counted = (run, units.filter(|unit| unit.state == UnitState::Done).count() as u32);
    }

    /// Whether all units are done.
    pub fn is_done(&self) -> bool {
        self.plan_status.counts.done == self.plan_status.counts.all()
    }

    /// Whether its units were merged when it was last read.
    pub fn is_merged(&self) -> bool {
        self.last_read.is_merged
    }

    pub fn shows_merged(&self) -> bool {
        match self.layout {
            Layout::Both => self.has_room,
            Layout::Grid => false,
            Layout::Merged => true,
        }
    }

    pub fn shows_grid(&self) -> bool {
        self.layout != Layout::Merged
    }

    /// Whether the merged view has the focus.
    pub fn is_inside(&self) -> bool {
        self.shows_merged() && (self.focus == Focus::Merged || !self.shows_grid())
    }

    /// Returns the next layout that looks different.
    fn next(&self) -> Layout {
        match self.layout {
            Layout::Both => Layout::Merged,
            Layout::Merged if self.has_room => Layout::Grid,
            Layout::Merged | Layout::Grid => Layout::Both,
        }
    }

    /// Switches to the next layout.
    pub fn turn(&mut self) {
        self.layout = self.next();
        if !self.shows_merged() {
            self.focus = Focus::Grid;
        }
    }

    /// Returns the footer's label of the next layout.
    pub fn word_for_next(&self) -> &'static str {
        match self.next() {
            Layout::Merged => "merged",
            Layout::Both if self.has_room => "both",
            Layout::Both | Layout::Grid => "units",
        }
    }

    /// Moves the focus from the grid to the merged view.
    pub fn look_inside(&mut self) {
        if !self.shows_merged() {
            self.layout = Layout::Merged;
        }
        self.focus = Focus::Merged;
    }

    /// Handles a key that is not a command; returns whether it was handled.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        if self.is_inside() {
            if self.in_merged(|panels, view_model| panels.key(key.code, view_model)) == Some(true) {
                return true;
            }
            // Esc leaves a panel's mode, then the merged view, then the page.
            if key.code == KeyCode::Esc {
                self.focus = Focus::Grid;
                if self.layout == Layout::Merged {
                    self.layout = Layout::Both;
                }
                return true;
            }
            return false;
        }
        self.move_in_grid(|grid| grid.key(key.code))
    }

    /// Handles a click; returns whether the selection can be opened.
    pub fn click(&mut self, at: (u16, u16)) -> bool {
        if self.shows_grid() && self.grid.is_over(at) {
            self.focus = Focus::Grid;
            return self.move_in_grid(|grid| grid.click(at));
        }
        self.in_merged(|panels, view_model| panels.click(at, view_model)).is_some_and(|hit| {
            self.focus = Focus::Merged;
            hit
        })
    }

    pub fn wheel(&mut self, at: (u16, u16), down: bool) {
        if self.shows_grid() && self.grid.is_over(at) {
            self.move_in_grid(|grid| {
                grid.go(if down { 1 } else { -1 });
                true
            });
        } else {
            self.in_merged(|panels, view_model| panels.wheel(at, down, view_model));
        }
    }

    fn in_merged<T>(&mut self, act: impl FnOnce(&mut dyn RunPage, &dyn RunViewModel) -> T) -> Option<T> {
        let view_model = self.seen.of_run(self.run()).filter(|_| self.shows_merged())?;
        Some(act(&mut *self.panels, view_model))
    }

    /// Calls `act` with the panels, the view model of the run, and the folder for opened files.
    pub fn with_panels(&mut self, act: impl FnOnce(&mut dyn RunPage, &dyn RunViewModel, &Path)) {
        let folder = self.run_folder();
        self.in_merged(|panels, view_model| act(panels, view_model, &folder));
    }

    fn move_in_grid(&mut self, act: impl FnOnce(&mut CellGrid) -> bool) -> bool {
        let before = self.run();
        let taken = act(&mut self.grid);
        self.count();
        if self.run() != before {
            self.panels.renew();
        }
        taken
    }
}

/// Returns the folder for programs and networks opened on the Board from a plan, whose own folder stays unchanged: a hidden folder
/// beside the runs, or a temporary one if there is no folder of runs.
fn at_folder(runs: Option<&Path>, plan: &Path) -> PathBuf {
    let folder = runs.map_or_else(|| std::env::temp_dir().join("mancalab"), |runs| runs.join(".opened"));
    folder.join(plan.file_name().unwrap_or_default())
}

/// Returns the units of a plan, grouped by settings if units are runs with results, else by run if there are several runs with several units.
fn groups(work: &PlannedRuns, has_results: bool) -> Vec<Group> {
    let runs = work.runs();
    if has_results {
        let count = work.seeds().len();
        let names = work.settings_texts().into_iter().enumerate();
        return names.map(|(row, name)| Group { name, first: row * count, count }).collect();
    }
    if runs < 2 || work.units() as usize == runs {
        return vec![Group { name: String::new(), first: 0, count: work.units() as usize }];
    }
    let group = |run| Group { name: work.name(run), first: work.first(run) as usize, count: work.count(run) as usize };
    (0..runs).map(group).collect()
}

/// A newly opened plan.
pub(in crate::tabs::runs) struct OpenedPlan {
    plan: Plan,
    work: Arc<Runs>,
    watcher: Box<Watcher>,
    plan_status: PlanStatus,
    is_merged: bool,
    took: Duration,
}

/// The last read of a plan's status.
#[derive(Clone, Copy)]
struct LastRead {
    pub time: Instant,
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
pub(in crate::tabs::runs) struct Looked {
    watcher: Box<Watcher>,
    plan_status: Result<PlanStatus, Error>,
    is_merged: bool,
    took: Duration,
}

/// The view model of a run, and whether the run is complete.
type Whole = (Box<dyn RunViewModel>, bool);

/// The merged results of a run so far.
pub(in crate::tabs::runs) struct MergedResults {
    /// The run, and its known number of results.
    run_and_results: (usize, u32),
    /// `None` before the first result.
    found: Result<Option<Whole>, Error>,
    took: Duration,
}

impl PlanPage {
    /// Returns the time of the next read; `None` while the page is not shown.
    pub fn deadline(&self) -> Option<Instant> {
        let results = self.wants_results().then_some(self.last_read.time);
        self.look_deadline().into_iter().chain(self.merged_deadline()).chain(results).min().filter(|_| self.drawn)
    }

    /// Completed plans are not read again once they are merged.
    fn look_deadline(&self) -> Option<Instant> {
        let LastRead { time, took, is_merged } = self.last_read;
        let pause = if self.plan_status.counts.running > 0 { POLL } else { IDLE };
        let is_complete = self.is_done() && is_merged;
        let goes_on = self.watcher.is_some() && !is_complete && self.error.is_none();
        goes_on.then(|| time + pause.max(took * SHARE))
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
        self.last_read = LastRead { time: now, took, is_merged };
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
