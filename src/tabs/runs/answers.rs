//! What a run tab is told by background tasks and dialogs, and what it does then.

use mancalab_base::Error;
use std::path::PathBuf;

use super::compare::Comparison;
use super::current::{Current, WatchSnapshot};
use super::home::Closer;
use super::manage::RunAction;
use super::palette_items::PaletteEntry;
use super::plan::submit::{Engine, Submitted};
use super::plan::{FoundResults, Looked, MergedResults, OpenedPlan};
use super::{Page, Runs};
use crate::app::effect::{Context, Tone};
use crate::job::run_dir::Entry;
use crate::job::{Manifest, RunJob, RunSettings};
use crate::tabs::board::{Message, OpenedGame, Setup};

/// An answer for the tab: the result of a background task or of a dialog.
pub(super) enum Answer {
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
    pub(super) fn take_found(&mut self, found: Answer, cx: &mut Context) {
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
