//! What a tab asks of the app: tabs change their own state and return effects; the app carries them out.

use mancalab_base::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::overlay::{Answer, Overlay};
use crate::budget::Job;
use crate::config::Config;
use crate::job::background::Work;
use crate::job::worker::{AnyJob, Command, JobId, erase};
use crate::paths::Paths;
use crate::pool::Pool;

/// How a notice is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Info,
    Good,
    Bad,
}

/// What a notice says: a sentence, or lines that show a place in a file.
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

/// Something for the app to do.
pub enum Effect {
    Start(JobId, AnyJob),
    Command(JobId, Command),
    Stop(JobId),
    /// Do this on another thread, and give what comes of it back to the tab as an answer.
    Background(Work),
    /// The same, with the tab's keys held until the answer is there.
    WaitFor(Work),
    Open(Box<dyn Overlay>),
    Notice(Tone, Text),
    /// Bring the tab to the front.
    ToFront,
    /// Hand this text to the terminal's clipboard.
    Copy(String),
    /// Call the person at the terminal, as the config's `ui.notify` says.
    Announce(String),
    /// Go to the tab of this scope and give it this, as if it were the answer of a dialog of its own.
    Tell(&'static str, Answer),
}

/// What other tabs tell a tab, and its own dialogs and background tasks do.
pub trait Message: Send + 'static {
    /// The tab's scope.
    const SCOPE: &'static str;
}

/// An id that no job has had.
pub(super) fn next_job() -> JobId {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    JobId(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// What a tab has at hand while it handles something.
pub struct Context<'a> {
    /// The moment everything handled now happens at; tests set it.
    pub now: Instant,
    pub config: &'a Config,
    /// For whatever computes.
    pub pool: &'a Pool,
    pub paths: &'a Paths,
    pub effects: Vec<Effect>,
}

impl<'a> Context<'a> {
    pub fn new(now: Instant, config: &'a Config, pool: &'a Pool, paths: &'a Paths) -> Context<'a> {
        Context { now, config, pool, paths, effects: Vec::new() }
    }

    /// Starts a job; its news come back under the id.
    pub fn start<J: Job + 'static>(&mut self, job: J) -> JobId {
        let id = next_job();
        self.effects.push(Effect::Start(id, erase(job)));
        id
    }

    pub fn stop(&mut self, job: JobId) {
        self.effects.push(Effect::Stop(job));
    }

    /// Has `work` done on another thread; what comes of it is given to the tab's [`answer`](super::tab::Tab::answer). Whatever
    /// opens a file goes this way: handlers themselves never do.
    pub fn background<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        self.effects.push(Effect::Background(Box::new(move || Box::new(work()))));
    }

    /// The same for what changes what the next keys mean, such as opening a run: keys for the tab wait for the answer, as if it had
    /// taken no time. Esc does not wait.
    pub fn wait_for<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        self.effects.push(Effect::WaitFor(Box::new(move || Box::new(work()))));
    }

    pub fn open(&mut self, overlay: impl Overlay + 'static) {
        self.effects.push(Effect::Open(Box::new(overlay)));
    }

    /// Goes to the tab that a message is for, and gives it that.
    pub fn tell<M: Message>(&mut self, message: M) {
        self.effects.push(Effect::Tell(M::SCOPE, Box::new(message)));
    }

    pub fn come_to_front(&mut self) {
        self.effects.push(Effect::ToFront);
    }

    pub fn copy(&mut self, text: String) {
        self.effects.push(Effect::Copy(text));
    }

    /// Calls the person, who may look elsewhere by now: what they waited for has happened.
    pub fn announce(&mut self, text: String) {
        self.effects.push(Effect::Announce(text));
    }

    pub fn notice(&mut self, tone: Tone, text: impl Into<Text>) {
        self.effects.push(Effect::Notice(tone, text.into()));
    }
}
