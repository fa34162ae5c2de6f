//! The common part of all run tabs: starting from a preset, resuming, pausing, stepping, watching another process's run.
//!
//! A tab provides a [`RunTab`] with its names and panels, and its commands; [`Runs`] is the tab around it. It has three pages: the list of presets,
//! saved runs and plans, the open run, and the open plan.

pub(in crate::tabs) mod asks;
mod commands;
mod compare;
mod current;
mod details;
mod home;
mod listing;
mod manage;
pub(in crate::tabs) mod parts;
mod plan;
mod plans;
pub(in crate::tabs) mod shared;
mod tab;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use mancalab_base::Error;

use super::board::{Message, OpenedGame, Setup};
use crate::app::command::Command;
use crate::app::tab::{Context, Effect, Tone};
use crate::cluster::index::is_plan;
use crate::job::run_dir::{self, Entry};
use crate::job::{Manifest, RunJob, RunReader, RunSettings};
use crate::kept::RunOrPlan;
use crate::{faults, kinds};
use compare::Comparison;
use current::{Current, Source, WatchSnapshot};
use home::{Closer, Home, PaletteEntry};
use manage::RunAction;
use parts::kind::RunTab;
use parts::panels::RunPage;
use plan::submit::{Engine, Submitted};
use plan::{FoundResults, Looked, MergedResults, OpenedPlan, PlanPage};

pub(crate) use commands::run_commands;

/// A tab of runs, and its commands: built by `run_commands!`, which adds those shared by all tabs; `shared` has those of the panels, too.
pub(in crate::tabs) type DescribedTab = (&'static RunTab, &'static [Command<Runs>]);

/// How soon to check whether a stopped run has ended.
const SOON: Duration = Duration::from_millis(100);

/// A run tab.
pub struct Runs {
    tab: &'static RunTab,
    commands: &'static [Command<Runs>],
    home: Home,
    /// The open run.
    current: Option<Current>,
    /// Other running or paused runs.
    others: Vec<Current>,
    panels: Box<dyn RunPage>,
    /// The most recently opened plan.
    plan: Option<PlanPage>,
    /// The current page, and the one before the list.
    page: Page,
    before: Page,
    /// Whether the comparison is the summary of the open plan.
    compares_plan: bool,
    /// The folder of saved runs; `None` if the system has none.
    folder: Option<PathBuf>,
    /// A run or a plan to open together with the tab.
    first: Option<PathBuf>,
    /// A stopped run that is writing its last checkpoint, and the time of the next check of the list for its end.
    leaving: Option<(PathBuf, Instant)>,
    /// Another thread is starting or opening a run.
    opening: bool,
    /// Number of runs opened so far.
    opened: u64,
    /// The comparison shown in place of the list.
    compared: Option<Comparison>,
    /// Processes started here that compute plans.
    submitted: Vec<Submitted>,
    /// The plan for which one is being started.
    submitting: Option<PathBuf>,
    /// The session is a guest's, who only watches.
    is_guest: bool,
    /// Position and time of the last click.
    clicked: Option<((u16, u16), Instant)>,
}

/// A page of the tab.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Page {
    List,
    Run,
    Plan,
}

/// Opens a run or plan in the tab of its kind.
pub(in crate::tabs) fn open_in(scope: &'static str, folder: PathBuf, cx: &mut Context) {
    cx.effects.push(Effect::Tell(scope, Box::new(Answer::ToOpen(folder))));
}

/// Starts a game on the Board with a player that has to be written to a file first.
pub(in crate::tabs) fn set_up(cx: &mut Context, work: impl FnOnce() -> Result<Setup, Error> + Send + 'static) {
    if cx.permits("open the players of runs") {
        cx.wait_for(move || Answer::Setup(work()));
    }
}

/// Shows a game on the Board that has to be replayed first.
pub(in crate::tabs) fn show_game(cx: &mut Context, work: impl FnOnce() -> Result<OpenedGame, Error> + Send + 'static) {
    if cx.permits("open the games of runs") {
        cx.wait_for(move || Answer::Game(work()));
    }
}

impl Runs {
    /// Creates the tab; `first` is the directory of a run or a plan to open at once.
    pub fn new(described: &DescribedTab, folder: Option<PathBuf>, first: Option<PathBuf>) -> Runs {
        let (tab, commands) = *described;
        Runs {
            tab,
            commands,
            home: Home::new(tab),
            current: None,
            others: Vec::new(),
            panels: (tab.pages.page)(),
            plan: None,
            page: Page::List,
            before: Page::Run,
            compares_plan: false,
            folder,
            first,
            leaving: None,
            opening: false,
            opened: 0,
            compared: None,
            submitted: Vec::new(),
            submitting: None,
            is_guest: false,
            clicked: None,
        }
    }

    /// Starts a run with these settings in a new folder; unless `anyway`, only if no equivalent run exists.
    fn start(&mut self, settings: Box<dyn RunSettings>, anyway: bool, cx: &mut Context) {
        if !cx.permits("start runs") {
            return;
        }
        let Some(runs) = self.folder.clone() else {
            return cx.notice(Tone::Bad, "No home directory: runs cannot be saved");
        };
        let pool = cx.pool.clone();
        self.send(cx, move || {
            if let Some(twin) = kinds::twin(&runs, &*settings).filter(|_| !anyway) {
                return Ok(Answer::Twin { twin: Box::new(run_dir::entry(twin)), settings });
            }
            let manifest = settings.manifest();
            let folder = run_dir::free_folder(&runs, &format!("{}-seed{}", manifest.preset, manifest.seed));
            let job = Box::new(RunJob::create(&folder, settings, &pool)?);
            Ok(Answer::Running { folder, manifest, job, notes: Vec::new(), warning: None })
        });
    }

    /// Opens a run read-only and follows its writer, or opens a plan.
    fn watch(&mut self, folder: PathBuf, cx: &mut Context) {
        let tab = self.tab;
        self.send(cx, move || {
            if is_plan(&folder) {
                return OpenedPlan::read(&folder).map(|opened| Answer::Plan { folder, opened: Box::new(opened) });
            }
            WatchSnapshot::open(tab, &folder).map(|read| Answer::Watched { folder, read })
        });
    }

    fn shows_run(&self) -> bool {
        self.page == Page::Run
    }

    /// Switches to this page.
    fn turn_to(&mut self, page: Page) {
        self.page = page;
        if page != Page::List {
            (self.before, self.compared) = (page, None);
        }
    }

    /// Closes the comparison and returns whether there was one; that of a plan leads back to its page.
    fn close_compared(&mut self) -> bool {
        let was_shown = self.compared.take().is_some();
        if was_shown && self.compares_plan && self.plan.is_some() {
            self.turn_to(Page::Plan);
        }
        was_shown
    }

    /// Returns the page to return to from the list.
    fn behind(&self) -> Page {
        match (&self.current, &self.plan) {
            (_, Some(_)) if self.before == Page::Plan => Page::Plan,
            (Some(_), _) => Page::Run,
            (None, Some(_)) => Page::Plan,
            (None, None) => Page::List,
        }
    }

    /// Resumes a saved run, or shows it if it has ended; a run that another process writes, and any run for a guest, is watched.
    fn open(&mut self, folder: PathBuf, cx: &mut Context) {
        if cx.paths.rights().is_guest() {
            return self.watch(folder, cx);
        }
        if let Some(index) = self.others.iter().position(|other| other.folder == folder) {
            let other = self.others.remove(index);
            return self.show(other);
        }
        if self.leaving.as_ref().is_some_and(|(leaving, _)| *leaving == folder) {
            return cx.notice(Tone::Info, "Still writing its checkpoint; try again in a moment");
        }
        let tab = self.tab;
        let pool = cx.pool.clone();
        self.send(cx, move || {
            let reader = RunReader::open(&folder)?;
            if reader.writer().is_some() {
                return WatchSnapshot::open(tab, &folder).map(|read| Answer::Watched { folder, read });
            }
            let manifest = reader.manifest().clone();
            drop(reader);
            let warning = faults::warning(&folder);
            let (job, notes) = kinds::resume(&folder, &pool)?;
            Ok(Answer::Running { folder, manifest, job: Box::new(job), notes, warning })
        });
    }

    /// Starts or opens a run on another thread, one at a time.
    fn send(&mut self, cx: &mut Context, open: impl FnOnce() -> Result<Answer, Error> + Send + 'static) {
        if self.opening {
            return cx.notice(Tone::Info, "Another run is still opening");
        }
        self.opening = true;
        cx.wait_for(move || open().unwrap_or_else(Answer::Refused));
    }

    /// Shows a run. The previously open run continues in the background if it was running or paused.
    fn show(&mut self, mut current: Current) {
        self.opened += 1;
        current.number = self.opened;
        let before = self.current.replace(current);
        self.others.extend(before.filter(Current::is_open));
        self.panels.renew();
        self.turn_to(Page::Run);
    }

    /// Ends the open run after writing its checkpoint.
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

    /// Reads the details of the selected run, if the list is shown.
    fn look_closer(&mut self, cx: &mut Context) {
        if self.page == Page::List {
            self.home.look_closer(cx);
        }
    }

    /// Applies the list; it is read again until a stopped run has ended.
    fn take_list(&mut self, runs: Vec<RunOrPlan>, now: Instant) {
        self.home.take(runs);
        if let Some((folder, at)) = &mut self.leaving {
            if self.home.is_running(folder) {
                *at = now + SOON;
            } else {
                self.leaving = None;
            }
        }
    }

    /// Shows the list with the open run or plan selected, or else the run that is ending.
    fn go_home(&mut self, cx: &mut Context) {
        cx.wait_for_runs();
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

/// An answer for the tab: the result of a background task or of a dialog.
enum Answer {
    /// A run was started or resumed, with notes on anything unusual.
    Running {
        folder: PathBuf,
        manifest: Manifest,
        job: Box<RunJob>,
        notes: Vec<String>,
        /// A warning about the build that computed it before.
        warning: Option<String>,
    },
    Watched {
        folder: PathBuf,
        read: WatchSnapshot,
    },
    /// The run could not be started or opened.
    Refused(Error),
    /// A run with these settings exists already.
    Twin {
        twin: Box<Entry>,
        settings: Box<dyn RunSettings>,
    },
    /// Runs were renamed or deleted, or the error; and a run to select in the list.
    Changed {
        message: Result<String, Error>,
        choose: Option<PathBuf>,
    },
    /// The details of the selected run.
    Closer(Closer),
    Compared(Result<Comparison, Error>),
    /// An update of the watched run with this number.
    News {
        number: u64,
        read: WatchSnapshot,
    },
    Plan {
        folder: PathBuf,
        opened: Box<OpenedPlan>,
    },
    /// The status of the plan with this number.
    Looked {
        number: u64,
        looked: Looked,
    },
    /// Results of runs of the plan with this number.
    Results {
        number: u64,
        found: Box<FoundResults>,
    },
    /// The merged results so far of a run of the plan with this number.
    Merged {
        number: u64,
        merged: Box<MergedResults>,
    },
    /// A new game for the Board, or the error.
    Setup(Result<Setup, Error>),
    /// A game for the Board, or the error.
    Game(Result<OpenedGame, Error>),
    /// An entry chosen in the palette.
    Named(PaletteEntry),
    /// A plan was made: open it, and compute it by this engine.
    Planned {
        folder: PathBuf,
        engine: Engine,
    },
    /// A plan was merged, or the error.
    PlanMerged(Result<(), Error>),
    /// A process computes a plan, or the error.
    Submitted(Result<Submitted, Error>),
    /// A run or plan to open, chosen elsewhere.
    ToOpen(PathBuf),
    /// The answer of a dialog about runs.
    RunAction(RunAction),
    /// The settings of a run to start.
    Wanted(Box<dyn RunSettings>),
}

impl Runs {
    /// Acts on an answer.
    fn take_found(&mut self, found: Answer, cx: &mut Context) {
        match found {
            Answer::Closer(closer) => {
                self.home.take_closer(closer);
                self.look_closer(cx);
            }
            Answer::Twin { twin, settings } => {
                self.opening = false;
                self.ask_twin(&twin, settings, cx);
            }
            Answer::Changed { message, choose } => {
                match message {
                    Ok(message) => cx.notice(Tone::Good, message),
                    Err(reason) => cx.notice(Tone::Bad, reason),
                }
                choose.iter().for_each(|folder| self.home.choose(folder));
                cx.wait_for_runs();
            }
            Answer::Planned { folder, engine } => {
                cx.read_runs();
                if engine != Engine::NotYet {
                    self.submit(folder.clone(), engine, cx);
                }
                self.open_plan(folder, cx);
            }
            Answer::Submitted(submitted) => {
                self.submitting = None;
                cx.read_runs();
                match submitted {
                    Ok(submitted) => self.submitted.push(submitted),
                    Err(reason) => cx.notice(Tone::Bad, reason),
                }
            }
            Answer::PlanMerged(merged) => {
                self.submitting = None;
                cx.read_runs();
                match merged {
                    Ok(()) => cx.notice(Tone::Good, "Merged the plan: S shows the summary"),
                    Err(reason) => cx.notice(Tone::Bad, reason),
                }
            }
            Answer::ToOpen(folder) => match &self.current {
                Some(current) if current.folder == folder => self.turn_to(Page::Run),
                _ if self.others.iter().any(|other| other.folder == folder) => self.open(folder, cx),
                _ => self.watch(folder, cx),
            },
            Answer::Compared(compared) => match compared {
                Ok(compared) => {
                    if let Some(warning) = &compared.warning {
                        cx.notice(Tone::Bad, warning.clone());
                    }
                    let before = self.compared.take();
                    (self.page, self.compared) = (Page::List, Some(compared.after(before)));
                }
                Err(reason) => cx.notice(Tone::Bad, reason),
            },
            Answer::News { number, read } => {
                if let Some(current) = self.current.as_mut().filter(|current| current.number == number) {
                    let went_on = current.word().goes_on();
                    current.take_read(read, cx.now);
                    current.tell_of_end(went_on, cx);
                }
            }
            Answer::Setup(Ok(setup)) => cx.report(Message::Start(setup)),
            Answer::Game(Ok(opened)) => cx.report(Message::Show(opened)),
            Answer::Setup(Err(reason)) | Answer::Game(Err(reason)) => cx.notice(Tone::Bad, reason),
            Answer::Named(named) => self.take_named(named, cx),
            Answer::RunAction(action) => self.carry_out(action, cx),
            Answer::Wanted(settings) => self.start(settings, false, cx),
            Answer::Refused(reason) => {
                self.opening = false;
                cx.notice(Tone::Bad, reason);
            }
            Answer::Plan { folder, opened } => {
                self.opening = false;
                self.take_plan(folder, *opened, cx.now);
            }
            Answer::Looked { number, looked } => self.take_looked(number, looked, cx),
            Answer::Results { number, found } => self.take_results(number, *found),
            Answer::Merged { number, merged } => self.take_merged(number, *merged, cx.now),
            Answer::Watched { folder, read } => {
                self.opening = false;
                self.show(Current::watching(self.tab, folder, read, cx.now));
            }
            Answer::Running { folder, manifest, job, notes, warning } => {
                self.opening = false;
                if let Some(warning) = warning {
                    cx.notice(Tone::Bad, warning);
                } else if let Some(note) = notes.into_iter().next() {
                    cx.notice(Tone::Info, note);
                }
                self.show(Current::running(self.tab, folder, manifest, *job, cx));
                cx.read_runs();
            }
        }
    }
}
