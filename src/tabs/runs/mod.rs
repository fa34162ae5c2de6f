//! What every tab of long runs shares: starting one from a preset, resuming, pausing, stepping, watching another process's run.
//!
//! A tab brings a [`RunTab`]: what things are called, and its panels. [`Runs`] is the tab around them. It has three pages: the
//! list of presets and saved runs and plans, the run in front, and the plan in front.

mod asks;
mod commands;
mod compare;
mod current;
mod details;
mod header;
mod home;
mod kind;
mod listing;
mod manage;
mod pace;
mod palette_items;
mod plan;
mod settings;
pub(in crate::tabs) mod shared;
mod tab;
#[cfg(test)]
mod tests;

use mancalab_base::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(crate) use commands::run_commands;
pub use header::Status;
pub(super) use kind::{AnyPanels, AnyPicture};
pub(in crate::tabs) use kind::{PLAIN_FORM, RunPanels, RunPicture, RunTab, SettingsForm, panels, picture, watched};

use crate::app::effect::{Context, Tone};
use crate::cluster::index::is_plan;
use crate::job::run_dir::{self, Entry};
use crate::job::{Manifest, RunJob, RunReader};
use crate::kept::{self, Kept};
use crate::kinds::{AnyRun, AnySettings};
use crate::tabs::board::{Message, Opened, Setup};
use compare::Comparison;
use current::{Current, Read, Source};
use home::{Closer, Home};
use manage::Wish;
use palette_items::Named;
use plan::{Looked, Merged, Opened as OpenedPlan, PlanPage};

/// How soon to look whether a stopped run has left.
const SOON: Duration = Duration::from_millis(100);

/// A tab of runs.
pub struct Runs {
    tab: &'static RunTab,
    home: Home,
    /// The run in front.
    current: Option<Current>,
    /// Runs that go on, or are paused, behind it.
    others: Vec<Current>,
    panels: Box<dyn AnyPanels>,
    /// The plan that was looked at last.
    plan: Option<PlanPage>,
    /// What is shown, and what was before the list.
    page: Page,
    before: Page,
    /// Where runs are kept; `None` if the system names no place.
    folder: Option<PathBuf>,
    /// A run or a plan to watch as soon as the tab opens.
    first: Option<PathBuf>,
    /// A run that was stopped and is putting its last checkpoint away: when to see in the list whether it has.
    leaving: Option<(PathBuf, Instant)>,
    /// A run is being begun or opened on another thread.
    opening: bool,
    /// Runs that were opened so far.
    opened: u64,
    /// Runs that are set side by side, in the place of the list.
    compared: Option<Comparison>,
    /// Where and when the page was clicked on last.
    clicked: Option<((u16, u16), Instant)>,
}

/// What the tab shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Page {
    List,
    Run,
    Plan,
}

/// What the tab is given: what came of its background tasks, and what its dialogs answer.
enum Found {
    Runs(Vec<Kept>),
    /// A run was begun or taken up again, with what was odd.
    Running {
        folder: PathBuf,
        manifest: Manifest,
        job: Box<RunJob<AnyRun>>,
        notes: Vec<String>,
    },
    Watched {
        folder: PathBuf,
        read: Read,
    },
    /// It could not be begun or opened.
    Refused(Error),
    /// A run with these settings exists already.
    Twin {
        twin: Box<Entry>,
        settings: Box<AnySettings>,
    },
    /// Runs were renamed or deleted, or why not; a run to be chosen in the list.
    Changed {
        told: Result<String, Error>,
        choose: Option<PathBuf>,
    },
    /// The chosen run was looked at more closely.
    Closer(Closer),
    Compared(Result<Comparison, Error>),
    /// News of the watched run with this number.
    News {
        number: u64,
        read: Read,
    },
    Plan {
        folder: PathBuf,
        opened: Box<OpenedPlan>,
    },
    /// How the plan with this number stands.
    Looked {
        number: u64,
        looked: Looked,
    },
    /// What there is so far of a run of it.
    Merged {
        number: u64,
        merged: Box<Merged>,
    },
    /// A new game for the Board, or why there is none.
    Setup(Result<Setup, Error>),
    /// A game for the Board, or why there is none.
    Game(Result<Opened, Error>),
    /// What was chosen by its name.
    Named(Named),
    /// What a dialog about runs answers.
    Wish(Wish),
    /// The settings of a run that is to be begun.
    Wanted(AnySettings),
}

/// Has the Board begin a game with a player that has to be written to a file first.
pub(in crate::tabs) fn set_up(cx: &mut Context, work: impl FnOnce() -> Result<Setup, Error> + Send + 'static) {
    cx.wait_for(move || Found::Setup(work()));
}

/// Has the Board show a game that has to be played again first.
pub(in crate::tabs) fn show_game(cx: &mut Context, work: impl FnOnce() -> Result<Opened, Error> + Send + 'static) {
    cx.wait_for(move || Found::Game(work()));
}

impl Runs {
    /// `first`: the directory of a run or a plan to watch at once.
    pub fn new(tab: &'static RunTab, folder: Option<PathBuf>, first: Option<PathBuf>) -> Runs {
        Runs {
            tab,
            home: Home::new(tab),
            current: None,
            others: Vec::new(),
            panels: (tab.panels)(),
            plan: None,
            page: Page::List,
            before: Page::Run,
            folder,
            first,
            leaving: None,
            opening: false,
            opened: 0,
            compared: None,
            clicked: None,
        }
    }

    /// Begins a run with these settings in a folder of its own; unless `anyway`, only if none exists that computes the same.
    fn start(&mut self, settings: AnySettings, anyway: bool, cx: &mut Context) {
        let Some(runs) = self.folder.clone() else {
            return cx.notice(Tone::Bad, "There is no home directory to keep runs in");
        };
        let pool = cx.pool.clone();
        self.send(cx, move || {
            if let Some(twin) = RunJob::<AnyRun>::twin(&runs, &settings).filter(|_| !anyway) {
                return Ok(Found::Twin { twin: Box::new(run_dir::entry(twin)), settings: Box::new(settings) });
            }
            let manifest = settings.manifest();
            let folder = run_dir::free_folder(&runs, &format!("{}-seed{}", manifest.preset, manifest.seed));
            let job = Box::new(RunJob::<AnyRun>::create(&folder, settings, &pool)?);
            Ok(Found::Running { folder, manifest, job, notes: Vec::new() })
        });
    }

    /// Shows a run without ever writing it, and follows whoever does; or a plan.
    fn watch(&mut self, folder: PathBuf, cx: &mut Context) {
        let tab = self.tab;
        self.send(cx, move || {
            if is_plan(&folder) {
                return OpenedPlan::read(&folder).map(|opened| Found::Plan { folder, opened: Box::new(opened) });
            }
            Read::open(tab, &folder).map(|read| Found::Watched { folder, read })
        });
    }

    fn shows_run(&self) -> bool {
        self.page == Page::Run
    }

    /// Shows this page.
    fn turn_to(&mut self, page: Page) {
        self.page = page;
        if page != Page::List {
            (self.before, self.compared) = (page, None);
        }
    }

    /// What the list came before, if that is there still.
    fn behind(&self) -> Page {
        match (&self.current, &self.plan) {
            (_, Some(_)) if self.before == Page::Plan => Page::Plan,
            (Some(_), _) => Page::Run,
            (None, Some(_)) => Page::Plan,
            (None, None) => Page::List,
        }
    }

    /// Goes on with a saved run, or shows it again if it has ended; one that another process writes is watched.
    fn open(&mut self, folder: PathBuf, cx: &mut Context) {
        if let Some(index) = self.others.iter().position(|other| other.folder == folder) {
            let other = self.others.remove(index);
            return self.show(other);
        }
        if self.leaving.as_ref().is_some_and(|(leaving, _)| *leaving == folder) {
            return cx.notice(Tone::Info, "It is still putting its checkpoint away; try again in a moment");
        }
        let (tab, pool) = (self.tab, cx.pool.clone());
        self.send(cx, move || {
            let reader = RunReader::open(&folder)?;
            if reader.writer().is_some() {
                return Read::open(tab, &folder).map(|read| Found::Watched { folder, read });
            }
            let manifest = reader.manifest().clone();
            drop(reader);
            let (job, notes) = RunJob::<AnyRun>::resume(&folder, &pool)?;
            Ok(Found::Running { folder, manifest, job: Box::new(job), notes })
        });
    }

    /// Has a run begun or opened on another thread, one at a time.
    fn send(&mut self, cx: &mut Context, open: impl FnOnce() -> Result<Found, Error> + Send + 'static) {
        if self.opening {
            return cx.notice(Tone::Info, "Another run is still being opened");
        }
        self.opening = true;
        cx.wait_for(move || open().unwrap_or_else(Found::Refused));
    }

    fn take_found(&mut self, found: Found, cx: &mut Context) {
        match found {
            Found::Runs(runs) => {
                self.take_runs(runs, cx.now);
                self.look_closer(cx);
            }
            Found::Closer(closer) => {
                self.home.take_closer(closer);
                self.look_closer(cx);
            }
            Found::Twin { twin, settings } => {
                self.opening = false;
                self.ask_twin(&twin, *settings, cx);
            }
            Found::Changed { told, choose } => {
                match told {
                    Ok(told) => cx.notice(Tone::Good, told),
                    Err(reason) => cx.notice(Tone::Bad, reason),
                }
                choose.iter().for_each(|folder| self.home.choose(folder));
                self.read_runs(cx);
            }
            Found::Compared(compared) => match compared {
                Ok(compared) => self.compared = Some(compared),
                Err(reason) => cx.notice(Tone::Bad, reason),
            },
            Found::News { number, read } => {
                if let Some(current) = self.current.as_mut().filter(|current| current.number == number) {
                    let went_on = current.word().goes_on();
                    current.take_read(read, cx.now);
                    current.tell_of_end(went_on, cx);
                }
            }
            Found::Setup(Ok(setup)) => cx.tell(Message::Start(setup)),
            Found::Game(Ok(opened)) => cx.tell(Message::Show(opened)),
            Found::Setup(Err(reason)) | Found::Game(Err(reason)) => cx.notice(Tone::Bad, reason),
            Found::Named(named) => self.take_named(named, cx),
            Found::Wish(wish) => self.fulfil(wish, cx),
            Found::Wanted(settings) => self.start(settings, false, cx),
            Found::Refused(reason) => {
                self.opening = false;
                cx.notice(Tone::Bad, reason);
            }
            Found::Plan { folder, opened } => {
                self.opening = false;
                self.take_plan(folder, *opened, cx.now);
            }
            Found::Looked { number, looked } => self.take_looked(number, looked, cx),
            Found::Merged { number, merged } => self.take_merged(number, *merged, cx.now),
            Found::Watched { folder, read } => {
                self.opening = false;
                self.show(Current::watching(self.tab, folder, read, cx.now));
            }
            Found::Running { folder, manifest, job, notes } => {
                self.opening = false;
                if let Some(note) = notes.into_iter().next() {
                    cx.notice(Tone::Info, note);
                }
                self.show(Current::running(self.tab, folder, manifest, *job, cx));
            }
        }
    }

    /// Brings a run to the front. What was there goes on behind it, if it was going on.
    fn show(&mut self, mut current: Current) {
        self.opened += 1;
        current.number = self.opened;
        let before = self.current.replace(current);
        self.others.extend(before.filter(Current::is_open));
        self.panels.renew();
        self.turn_to(Page::Run);
    }

    /// Ends the run in front; its checkpoint is written on the way.
    fn stop(&mut self, cx: &mut Context) {
        if let Some(Current { source: Source::Here { job, .. }, folder, .. }) = self.current.take() {
            cx.stop(job);
            self.leaving = Some((folder, cx.now + SOON));
        }
        self.page = Page::List;
    }

    fn all(&self) -> impl Iterator<Item = &Current> {
        self.current.iter().chain(&self.others)
    }

    /// Has the chosen run looked at more closely, if the list shows one.
    fn look_closer(&mut self, cx: &mut Context) {
        if self.page == Page::List {
            self.home.look_closer(cx);
        }
    }

    /// Has the list of runs read anew.
    fn read_runs(&self, cx: &mut Context) {
        if let Some(folder) = self.folder.clone() {
            let kind = self.tab.kind();
            cx.background(move || Found::Runs(kept::own(kind, &folder)));
        }
    }

    /// The list as it is now; it is read again until a run that was stopped has left.
    fn take_runs(&mut self, runs: Vec<Kept>, now: Instant) {
        self.home.take(runs);
        if let Some((folder, at)) = &mut self.leaving {
            if self.home.is_running(folder) {
                *at = now + SOON;
            } else {
                self.leaving = None;
            }
        }
    }

    /// Turns to the list, in which the run or plan in front, or else the one that is leaving, is chosen.
    fn go_home(&mut self, cx: &mut Context) {
        if let Some(folder) = self.folder.clone() {
            let kind = self.tab.kind();
            cx.wait_for(move || Found::Runs(kept::own(kind, &folder)));
        }
        let leaving = self.leaving.as_ref().map(|(folder, _)| folder);
        let folder = match self.plan_in_front() {
            Some(plan) => Some(&plan.folder),
            None => self.current.as_ref().map(|current| &current.folder).or(leaving),
        };
        if let Some(folder) = folder.cloned() {
            self.home.choose(&folder);
        }
        self.page = Page::List;
    }
}
