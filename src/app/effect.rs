//! Effects: tabs change their own state and return effects, which the app executes.

use mancalab_base::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::overlay::{Overlay, TaskResult};
use crate::budget::{Budget, Job, Status};
use crate::config::Config;
use crate::job::background::Work;
use crate::job::worker::{AnyJob, Command, JobId, erase};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::rights::Limits;

/// The severity of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Info,
    Good,
    Bad,
}

/// The text of a notice: a sentence, or lines that show a place in a file.
pub struct Text(pub String);

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.to_owned())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text)
    }
}

impl From<Error> for Text {
    fn from(error: Error) -> Text {
        let text = error.to_string();
        Text(if text.trim_end().contains('\n') { text } else { error.in_a_line() })
    }
}

/// An effect for the app to execute.
pub enum Effect {
    Start(JobId, AnyJob),
    Command(JobId, Command),
    Stop(JobId),
    /// Run this in the background and return the result to the tab as an answer.
    Background(Work),
    /// Like `Background`, with the tab's keys held until the answer arrives.
    WaitFor(Work),
    /// Read the folder of runs now; `holds`: the tab's keys wait for the result.
    ReadRuns {
        holds: bool,
    },
    Open(Box<dyn Overlay>),
    Notice(Tone, Text),
    /// Activate the tab.
    ToFront,
    /// Copy this text to the terminal's clipboard.
    Copy(String),
    /// Notify the user by the method of the config's `ui.notify`.
    Announce(String),
    /// Remember a choice for the next start: section, key and value as TOML.
    Remember(&'static str, &'static str, String),
    /// Activate the tab of this scope and send it this answer, as if from its own dialog.
    Tell(&'static str, TaskResult),
}

/// A message to a tab, from other tabs, its dialogs, or its background tasks.
pub trait Message: Send + 'static {
    /// The receiving tab's scope.
    const SCOPE: &'static str;
}

/// A job that ends when it has computed for this long; `None`: it has no limit.
struct LimitedJob<J> {
    job: J,
    left: Option<Duration>,
}

impl<J: Job> Job for LimitedJob<J> {
    type View = J::View;

    fn step(&mut self, budget: Budget) -> Status {
        if self.left.is_some_and(|left| left.is_zero()) {
            return Status::Done;
        }
        let began = Instant::now();
        let status = self.job.step(budget);
        self.left = self.left.map(|left| left.saturating_sub(began.elapsed()));
        status
    }

    fn view(&self) -> J::View {
        self.job.view()
    }

    fn is_between(&self) -> bool {
        self.job.is_between()
    }

    fn rest(&mut self) {
        self.job.rest();
    }
}

/// Returns a new, unique id.
pub(super) fn next_job() -> JobId {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    JobId(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The context of a tab's handlers.
pub struct Context<'a> {
    /// The current time of all handlers; set by tests.
    pub now: Instant,
    pub config: &'a Config,
    /// The thread pool for computations.
    pub pool: &'a Pool,
    pub paths: &'a Paths,
    pub effects: Vec<Effect>,
}

impl<'a> Context<'a> {
    pub fn new(now: Instant, config: &'a Config, pool: &'a Pool, paths: &'a Paths) -> Context<'a> {
        Context { now, config, pool, paths, effects: Vec::new() }
    }

    /// Starts a job; its progress events carry the returned id. A guest's ends after the time of an analysis.
    pub fn start<J: Job + 'static>(&mut self, job: J) -> JobId {
        self.start_within(job, |limits| limits.analysis_seconds)
    }

    /// Like [`start`](Context::start), for a move: a guest's ends after the time of a move.
    pub fn start_move<J: Job + 'static>(&mut self, job: J) -> JobId {
        self.start_within(job, |limits| limits.seconds)
    }

    fn start_within<J: Job + 'static>(&mut self, job: J, seconds: impl Fn(&Limits) -> u32) -> JobId {
        let id = next_job();
        let limit = self.paths.rights().limits().map(|limits| Duration::from_secs(seconds(limits).into()));
        self.effects.push(Effect::Start(id, erase(LimitedJob { job, left: limit })));
        id
    }

    /// Whether the session may do something, such as `start runs`; otherwise a notice says that guests cannot.
    pub fn permits(&mut self, what: &str) -> bool {
        let is_permitted = self.paths.rights().permit(what).is_ok();
        if !is_permitted {
            self.notice(Tone::Bad, format!("Guests cannot {what}"));
        }
        is_permitted
    }

    /// Whether the session may analyse and review.
    pub fn allows_analysis(&self) -> bool {
        self.paths.rights().limits().is_none_or(|limits| limits.analysis_seconds > 0)
    }

    /// The same; otherwise a notice says so.
    pub fn permits_analysis(&mut self) -> bool {
        let allows = self.allows_analysis();
        if !allows {
            self.notice(Tone::Info, "This host has no analysis for guests");
        }
        allows
    }

    pub fn stop(&mut self, job: JobId) {
        self.effects.push(Effect::Stop(job));
    }

    /// Runs `work` in the background; its result is passed to the tab's [`answer`](super::tab::Tab::answer). All file access goes
    /// this way: handlers never block.
    pub fn background<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        self.effects.push(Effect::Background(Box::new(move || Box::new(work()))));
    }

    /// Like [`background`](Context::background), for work that changes the meaning of the next keys, such as opening a run: the
    /// tab's keys wait for the answer. Esc does not wait.
    pub fn wait_for<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        self.effects.push(Effect::WaitFor(Box::new(move || Box::new(work()))));
    }

    /// Reads the folder of runs now, which [`take_runs`](super::tab::Tab::take_runs) gets.
    pub fn read_runs(&mut self) {
        self.effects.push(Effect::ReadRuns { holds: false });
    }

    /// The same, where the next keys mean what the new list shows: they wait for it.
    pub fn wait_for_runs(&mut self) {
        self.effects.push(Effect::ReadRuns { holds: true });
    }

    pub fn open(&mut self, overlay: impl Overlay + 'static) {
        self.effects.push(Effect::Open(Box::new(overlay)));
    }

    /// Activates the receiver of a message and sends it.
    pub fn report<M: Message>(&mut self, message: M) {
        self.effects.push(Effect::Tell(M::SCOPE, Box::new(message)));
    }

    /// Remembers a choice for the next start; the value is TOML.
    pub fn remember(&mut self, section: &'static str, key: &'static str, value: String) {
        self.effects.push(Effect::Remember(section, key, value));
    }

    pub fn come_to_front(&mut self) {
        self.effects.push(Effect::ToFront);
    }

    pub fn copy(&mut self, text: String) {
        self.effects.push(Effect::Copy(text));
    }

    /// Notifies the user, who may be elsewhere, of an awaited event.
    pub fn announce(&mut self, text: String) {
        self.effects.push(Effect::Announce(text));
    }

    pub fn notice(&mut self, tone: Tone, text: impl Into<Text>) {
        self.effects.push(Effect::Notice(tone, text.into()));
    }
}
