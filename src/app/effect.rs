//! What a tab asks of the app: tabs change their own state and return effects; the app carries them out.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::overlay::{Answer, Overlay};
use crate::config::Config;
use crate::job::Job;
use crate::job::worker::{AnyJob, Command, JobId, erase};

/// How a notice is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Info,
    Good,
    Bad,
}

/// Something for the app to do.
pub enum Effect {
    Start(JobId, AnyJob),
    Command(JobId, Command),
    Stop(JobId),
    Open(Box<dyn Overlay>),
    Notice(Tone, String),
    /// Hand this text to the terminal's clipboard.
    Copy(String),
    /// Go to the tab of this scope and give it this, as if it were the answer of a dialog of its own.
    Tell(&'static str, Answer),
}

/// What a tab has at hand while it handles something.
pub struct Context<'a> {
    /// The moment everything handled now happens at; tests set it.
    pub now: Instant,
    pub config: &'a Config,
    pub effects: Vec<Effect>,
}

impl<'a> Context<'a> {
    pub fn new(now: Instant, config: &'a Config) -> Context<'a> {
        Context { now, config, effects: Vec::new() }
    }

    /// Starts a job; its news come back under the id.
    pub fn start<J: Job + 'static>(&mut self, job: J) -> JobId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = JobId(NEXT.fetch_add(1, Ordering::Relaxed));
        self.effects.push(Effect::Start(id, erase(job)));
        id
    }

    pub fn stop(&mut self, job: JobId) {
        self.effects.push(Effect::Stop(job));
    }

    pub fn open(&mut self, overlay: impl Overlay + 'static) {
        self.effects.push(Effect::Open(Box::new(overlay)));
    }

    /// See [`Effect::Tell`].
    pub fn tell<T: 'static>(&mut self, scope: &'static str, message: T) {
        self.effects.push(Effect::Tell(scope, Box::new(message)));
    }

    pub fn copy(&mut self, text: String) {
        self.effects.push(Effect::Copy(text));
    }

    pub fn notice(&mut self, tone: Tone, text: impl Into<String>) {
        self.effects.push(Effect::Notice(tone, text.into()));
    }
}
