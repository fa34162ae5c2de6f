//! The page of a plan: its units in a grid, what the chosen one is, and what is there so far of the run it is a part of.
//!
//! `reading` looks at the plan's files, on other threads; `draw`, `header` and `detail` show what it found; `front` is the tab with
//! such a page in front. Nothing is written into the plan's folder, and nothing is read of it while nobody sees the page.

mod detail;
mod draw;
mod front;
mod header;
mod reading;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent};

pub(super) use reading::{Looked, Merged, Opened};

use super::{AnyPanels, AnyPicture, RunTab};
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs as PlannedRuns;
use crate::cluster::status::{Standing, UnitState, Watcher};
use crate::ui::cells::{CellGrid, Group};

/// How often a plan is looked at while units are computed, and while none is.
const POLL: Duration = Duration::from_secs(1);
const IDLE: Duration = Duration::from_secs(3);
/// What is read again may take one part in so many of the time.
const SHARE: u32 = 10;

/// What the page shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Grid and merged view, where there is room for both, else the grid.
    Both,
    Grid,
    Merged,
}

/// What the keys are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    Grid,
    Merged,
}

pub(super) struct PlanPage {
    tab: &'static RunTab,
    /// Names this opening of the plan: news of another are not for this one.
    pub number: u64,
    /// As it is called in the list.
    pub folder: PathBuf,
    /// It is in the folder of runs, where its name is enough.
    is_kept: bool,
    /// Where what is opened of its runs may be written.
    at: PathBuf,
    plan: Plan,
    work: Arc<PlannedRuns>,
    standing: Standing,
    /// `None` while it looks on another thread.
    watcher: Option<Box<Watcher>>,
    /// When it looked last, and how long that took.
    looked: (Instant, Duration),
    /// Why the plan cannot be looked at any more.
    error: Option<String>,
    seen: Seen,
    pub panels: Box<dyn AnyPanels>,
    grid: CellGrid,
    layout: Layout,
    focus: Focus,
    /// As it was drawn last there was room for grid and merged view.
    has_room: bool,
    /// It was drawn since it was looked at.
    drawn: bool,
    /// The run whose results are counted, and how many there are.
    counted: (usize, u32),
}

/// What was read of a run's results.
struct Seen {
    /// Which run, and how many results it had.
    of: Option<(usize, u32)>,
    picture: Option<Box<dyn AnyPicture>>,
    finished: bool,
    error: Option<String>,
    /// When that was, and how long it took.
    read: (Instant, Duration),
    is_reading: bool,
}

impl PlanPage {
    pub fn new(
        tab: &'static RunTab,
        number: u64,
        folder: PathBuf,
        runs: Option<&Path>,
        opened: Opened,
        now: Instant,
    ) -> PlanPage {
        let Opened { plan, work, watcher, standing, took } = opened;
        let grid = CellGrid::new(groups(&work));
        let read = (now, Duration::ZERO);
        let seen = Seen { of: None, picture: None, finished: false, error: None, read, is_reading: false };
        let at = at_folder(runs, &folder);
        let mut page = PlanPage {
            tab,
            number,
            is_kept: runs.is_some() && folder.parent() == runs,
            folder,
            at,
            plan,
            work,
            standing,
            watcher: Some(watcher),
            looked: (now, took),
            error: None,
            seen,
            panels: (tab.panels)(),
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
        self.folder.file_name().unwrap_or(self.folder.as_os_str()).to_string_lossy().into_owned()
    }

    /// The unit that is chosen.
    fn unit(&self) -> u32 {
        self.grid.selected as u32
    }

    /// The run that it is a part of.
    fn run(&self) -> usize {
        self.counted.0
    }

    /// Where what is opened of that run may be written: a folder of its name.
    fn run_folder(&self) -> PathBuf {
        self.at.join(self.work.name(self.run()))
    }

    /// What there is to see of it.
    pub fn picture(&self) -> Option<&dyn AnyPicture> {
        let run = self.run();
        self.seen.picture.as_deref().filter(|_| self.seen.of.is_some_and(|(of, _)| of == run))
    }

    /// Counts the results of the run of the chosen unit.
    fn count(&mut self) {
        let run = self.work.run_of(self.unit());
        let first = self.work.first(run) as usize;
        let units = self.standing.units.iter().skip(first).take(self.work.count(run) as usize);
        self.counted = (run, units.filter(|unit| unit.state == UnitState::Done).count() as u32);
    }

    fn is_done(&self) -> bool {
        self.standing.counts.done == self.standing.counts.all()
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

    /// The keys are for the merged view.
    pub fn is_inside(&self) -> bool {
        self.shows_merged() && (self.focus == Focus::Merged || !self.shows_grid())
    }

    /// The next layout that looks different.
    fn next(&self) -> Layout {
        match self.layout {
            Layout::Both => Layout::Merged,
            Layout::Merged if self.has_room => Layout::Grid,
            Layout::Merged | Layout::Grid => Layout::Both,
        }
    }

    /// Turns to it.
    pub fn turn(&mut self) {
        self.layout = self.next();
        if !self.shows_merged() {
            self.focus = Focus::Grid;
        }
    }

    /// The footer's word for it.
    pub fn word_for_next(&self) -> &'static str {
        match self.next() {
            Layout::Merged => "so far",
            Layout::Both if self.has_room => "both",
            Layout::Both | Layout::Grid => "units",
        }
    }

    /// Goes from the grid to the merged view.
    pub fn look_inside(&mut self) {
        if !self.shows_merged() {
            self.layout = Layout::Merged;
        }
        self.focus = Focus::Merged;
    }

    /// A key that is no command; true if it was taken.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        if self.is_inside() {
            let run = self.run();
            let picture = self.seen.picture.as_deref().filter(|_| self.seen.of.is_some_and(|(of, _)| of == run));
            if picture.is_some_and(|picture| self.panels.key(key.code, picture)) {
                return true;
            }
            // Esc leaves what a panel is in the middle of, then the merged view, then the page.
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

    /// A click at a place; true if what it chose can be opened.
    pub fn click(&mut self, at: (u16, u16)) -> bool {
        if self.shows_grid() && self.grid.is_over(at) {
            self.focus = Focus::Grid;
            return self.move_in_grid(|grid| grid.click(at));
        }
        self.in_merged(|panels, picture| panels.click(at, picture)).is_some_and(|hit| {
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
            self.in_merged(|panels, picture| panels.wheel(at, down, picture));
        }
    }

    fn in_merged<T>(&mut self, act: impl FnOnce(&mut dyn AnyPanels, &dyn AnyPicture) -> T) -> Option<T> {
        let run = self.run();
        let is_of = self.shows_merged() && self.seen.of.is_some_and(|(of, _)| of == run);
        let picture = self.seen.picture.as_deref().filter(|_| is_of)?;
        Some(act(&mut *self.panels, picture))
    }

    /// Does something with what is to be seen of the run, and the folder for what is opened.
    pub fn with_picture(&mut self, act: impl FnOnce(&mut dyn AnyPanels, &dyn AnyPicture, &Path)) {
        let folder = self.run_folder();
        self.in_merged(|panels, picture| act(panels, picture, &folder));
    }

    fn move_in_grid(&mut self, act: impl FnOnce(&mut CellGrid) -> bool) -> bool {
        let (before, taken) = (self.run(), act(&mut self.grid));
        self.count();
        if self.run() != before {
            self.panels.renew();
        }
        taken
    }
}

/// Where programs and networks are put that are opened on the Board from a plan, whose own folder is left alone: a hidden folder beside
/// the runs, or where nobody keeps things.
fn at_folder(runs: Option<&Path>, plan: &Path) -> PathBuf {
    let folder = runs.map_or_else(|| std::env::temp_dir().join("mancalab"), |runs| runs.join(".opened"));
    folder.join(plan.file_name().unwrap_or_default())
}

/// The units of a plan: by their runs, if there are several of several units.
fn groups(work: &PlannedRuns) -> Vec<Group> {
    let runs = work.runs();
    if runs < 2 || work.units() as usize == runs {
        return vec![Group { name: String::new(), first: 0, count: work.units() as usize }];
    }
    let group = |run| Group { name: work.name(run), first: work.first(run) as usize, count: work.count(run) as usize };
    (0..runs).map(group).collect()
}
