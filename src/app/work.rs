//! Execution of effects and background tasks of tabs, overlays and the app, and delivery of the results.

use std::any::Any;
use std::time::Instant;

use mancalab_base::Error;

use super::tab::Tab;
use super::tab::{self, Context, Effect, Text, Tone};
use super::{App, Stale, TerminalRequest};
use crate::job::background::{TaskResult, Work};
use crate::job::worker::{AnyJob, JobId, News, State, Worker};
use crate::tables::endgame;

/// The receiver of a worker's events.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    /// The tab that started the job.
    Tab(usize),
    /// The tab that started the background task.
    Sender(usize),
    /// The overlay with this number.
    Layer(u64),
    /// The app itself.
    App,
    /// The app's reader of the runs.
    Runs,
}

impl App {
    /// Handles the events of a job.
    pub(crate) fn news(&mut self, job: JobId, now: Instant) {
        let Some((owner, worker)) = self.jobs.workers.get(&job) else { return };
        let (owner, Some(news)) = (*owner, worker.take()) else { return };
        for line in endgame::take_damaged() {
            tracing::warn!("{line}");
            // It names a file of the host.
            if !self.paths.rights().is_guest() {
                self.notice(Tone::Bad, line, now);
            }
        }
        let ended = matches!(news.state, State::Done | State::Failed(_));
        if let State::Failed(message) = &news.state {
            tracing::error!(%message, "a job failed");
            self.notice(Tone::Bad, format!("A computation failed: {message}"), now);
        }
        if ended {
            self.jobs.workers.remove(&job);
        }
        // Runs that are as before need no frame.
        if !matches!(owner, Owner::Runs) {
            self.mark(if ended { Stale::Input } else { Stale::News });
        }
        match owner {
            Owner::Tab(tab) => self.with_tab(tab, now, |tab, cx| tab.news(job, news, cx)),
            Owner::Sender(tab) => {
                if let Some(answer) = answer_in(news) {
                    self.with_tab(tab, now, |tab, cx| tab.answer(answer, cx));
                }
                let held = self.held.remove(&job);
                self.again(held.map(|(_, inputs)| inputs).unwrap_or_default(), now);
            }
            Owner::Layer(layer) => self.answer_layer(layer, answer_in(news), now),
            Owner::App => self.take_app_result(answer_in(news), now),
            Owner::Runs => self.take_runs(answer_in(news), now),
        }
        if !self.layers.is_empty() {
            let reasons = self.unfinished();
            self.layers.iter_mut().for_each(|layer| layer.overlay.unfinished(&reasons));
        }
    }

    /// Calls a tab's handler and lets the tab settle, then executes its effects.
    pub(super) fn with_tab(&mut self, index: usize, now: Instant, handle: impl FnOnce(&mut dyn Tab, &mut Context)) {
        let mut cx = Context::new(now, &self.config, &self.pool, &self.paths);
        let tab = self.tabs[index].as_mut();
        handle(tab, &mut cx);
        tab.settle(&mut cx);
        for effect in cx.effects {
            self.carry_out(Some(index), effect, now);
        }
    }

    /// Calls a function with the tab of this type, then executes its effects; `None` if there is no such tab.
    pub(crate) fn with<T: Tab, R>(
        &mut self,
        now: Instant,
        handle: impl FnOnce(&mut T, &mut Context) -> R,
    ) -> Option<R> {
        let is_it = |tab: &dyn Tab| (tab as &dyn Any).is::<T>();
        let index = self.tabs.iter().position(|tab| is_it(tab.as_ref()))?;
        let mut result = None;
        self.with_tab(index, now, |tab, cx| {
            result = (tab as &mut dyn Any).downcast_mut().map(|tab| handle(tab, cx));
        });
        result
    }

    /// Returns whether background tasks of tabs are running.
    pub(crate) fn has_tasks(&self) -> bool {
        self.jobs.workers.values().any(|(owner, _)| matches!(owner, Owner::Sender(_)))
    }

    /// Executes an effect of a tab, or of the app itself (`None`).
    pub(super) fn carry_out(&mut self, tab: Option<usize>, effect: Effect, now: Instant) {
        match effect {
            Effect::Start(id, job) => self.start(id, tab.map_or(Owner::App, Owner::Tab), job, now),
            Effect::Background(work) => _ = self.start_task(tab.map_or(Owner::App, Owner::Sender), work, now),
            Effect::WaitFor(work) => {
                let job = self.start_task(tab.map_or(Owner::App, Owner::Sender), work, now);
                if let Some((job, tab)) = job.zip(tab) {
                    self.held.insert(job, (tab, Vec::new()));
                }
            }
            Effect::Command(id, command) => {
                if let Some((_, worker)) = self.jobs.workers.get(&id) {
                    worker.command(command);
                }
            }
            Effect::Stop(id) => _ = self.jobs.workers.remove(&id),
            Effect::Open(overlay) => self.open_layer(tab, overlay, now),
            Effect::Notice(tone, Text(text)) => self.notice(tone, text, now),
            Effect::Copy(text) => self.requests.push(TerminalRequest::Copy(text)),
            Effect::ReadRuns { holds } => self.read_runs(tab.filter(|_| holds), now),
            Effect::ToFront => tab.into_iter().for_each(|tab| self.go_to_tab(tab)),
            Effect::Announce(text) => self.requests.push(TerminalRequest::Announce(self.config.ui.notify, text)),
            Effect::Remember(section, key, value) => self.remember(section, key, value, now),
            Effect::Tell(scope, message) => {
                if let Some(index) = self.tabs.iter().position(|tab| tab.scope() == scope) {
                    self.go_to_tab(index);
                    self.with_tab(index, now, |tab, cx| tab.answer(message, cx));
                }
            }
        }
    }

    pub(super) fn remember(&mut self, section: &'static str, key: &'static str, value: String, now: Instant) {
        let task = self.config.preferences.remember((section, key, value), &self.jobs.unwritten);
        if let Some(task) = task
            && self.start_task(Owner::App, Box::new(move || Box::new(task())), now).is_none()
        {
            self.jobs.unwritten.lose_task();
        }
    }

    /// Starts a job, or shows a notice of why it cannot be started.
    fn start(&mut self, id: JobId, owner: Owner, job: AnyJob, now: Instant) {
        let pings = self.jobs.pings.clone();
        let started = self.jobs.threads.start(id, job, move || _ = pings.send(id));
        self.started(id, owner, started, now);
    }

    /// Starts a background task for `owner`; `None`, after a notice, if it cannot be started.
    pub(super) fn start_task(&mut self, owner: Owner, work: Work, now: Instant) -> Option<JobId> {
        let id = tab::next_job();
        let pings = self.jobs.pings.clone();
        let started = self.jobs.threads.start_task(id, work, move || _ = pings.send(id));
        self.started(id, owner, started, now).then_some(id)
    }

    fn started(&mut self, id: JobId, owner: Owner, started: Result<Worker, Error>, now: Instant) -> bool {
        match started {
            Ok(worker) => {
                self.jobs.workers.insert(id, (owner, worker));
                true
            }
            Err(error) => {
                self.notice(Tone::Bad, error.in_a_line(), now);
                false
            }
        }
    }
}

/// Returns the result of a background task; `None` if it failed.
fn answer_in(news: News) -> Option<TaskResult> {
    news.view.downcast::<Option<TaskResult>>().ok().and_then(|answer| *answer)
}
