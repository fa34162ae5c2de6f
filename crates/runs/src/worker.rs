//! The handle of a job that threads advance, and its news.
//!
//! The newest view is in a slot where it replaces the previous one; the loop is pinged if the slot was empty. A slow
//! loop never slows a job, and a fast job never floods the loop.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::budget::{Budget, Job, Status};
use crate::workers::Queue;

/// Id of a started job. Never reused, so that outdated results can be recognized.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JobId(pub u64);

/// The state of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    Running,
    Paused,
    Done,
    /// It panicked, with this message.
    Failed(String),
}

/// The newest view of a job.
pub struct News {
    pub view: Box<dyn Any + Send>,
    pub state: State,
}

/// A command to a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Run,
    Pause,
    /// Continues to the next stop for single-stepping, then pauses.
    Step,
}

/// Maximum duration of a step between commands and views.
const STEP: Duration = Duration::from_millis(50);

/// A job with a type-erased view, so that all jobs share a channel.
pub type AnyJob = Box<dyn Job<View = Box<dyn Any + Send>>>;

/// Erases the type of a job's view; the starter knows the type to `downcast` to.
pub fn erase<J: Job + 'static>(job: J) -> AnyJob {
    Box::new(AnyViewJob(job))
}

struct AnyViewJob<J>(J);

impl<J: Job> Job for AnyViewJob<J> {
    type View = Box<dyn Any + Send>;

    fn step(&mut self, budget: Budget) -> Status {
        self.0.step(budget)
    }

    fn view(&self) -> Self::View {
        Box::new(self.0.view())
    }

    fn is_between(&self) -> bool {
        self.0.is_between()
    }

    fn rest(&mut self) {
        self.0.rest();
    }
}

/// The handle of a job. Dropping it stops the job: at once if it waits for its first turn, otherwise within a step.
pub struct Worker {
    pub(crate) id: JobId,
    pub(crate) queue: Arc<Queue>,
    pub(crate) outlet: Arc<Outlet>,
}

impl Worker {
    pub fn command(&self, command: Command) {
        self.queue.command(self.id, command);
    }

    /// Returns the latest news since the last call, if any.
    pub fn take(&self) -> Option<News> {
        self.outlet.slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.queue.stop(self.id);
    }
}

/// How long the program's end waits for steps to end, and for a job that is saving.
const STEPS: Duration = Duration::from_millis(700);
const SAVING: Duration = Duration::from_secs(5);

/// Polling interval.
const LOOK: Duration = Duration::from_millis(1);

/// Stops workers and waits until their jobs have saved, at the end of the program. A job whose step does not end in
/// time is abandoned, with its newest checkpoint on disk. `more_time` is called with the time that saving takes beyond
/// that.
pub fn stop_all(workers: impl IntoIterator<Item = Worker>, more_time: impl Fn(Duration)) {
    let began = Instant::now();
    let mut left: Vec<Worker> = workers.into_iter().collect();
    // All are stopped before any is waited for.
    left.iter().for_each(|worker| worker.queue.stop(worker.id));
    loop {
        left.retain(|worker| worker.queue.has(worker.id));
        let saving = left.iter().any(|worker| worker.outlet.saving.load(Ordering::Relaxed));
        if saving {
            more_time(SAVING);
        }
        let patience = if saving { SAVING } else { STEPS };
        if left.is_empty() || began.elapsed() >= patience {
            break;
        }
        std::thread::sleep(LOOK);
    }
    if !left.is_empty() {
        tracing::warn!("{} jobs did not end in time and are left behind", left.len());
    }
}

/// What a job shows of itself.
pub(crate) struct Outlet {
    slot: Mutex<Option<News>>,
    ping: Box<dyn Fn() + Send + Sync>,
    /// The job is saving.
    saving: AtomicBool,
}

impl Outlet {
    /// `ping` is called if there is news and the previous news was taken.
    pub fn new(ping: impl Fn() + Send + Sync + 'static) -> Outlet {
        Outlet { slot: Mutex::new(None), ping: Box::new(ping), saving: AtomicBool::new(false) }
    }

    fn publish(&self, view: Box<dyn Any + Send>, state: State) {
        let ended = matches!(state, State::Done | State::Failed(_));
        let old = self.slot.lock().unwrap_or_else(PoisonError::into_inner).replace(News { view, state });
        // The end has its own ping: the loop may delay progress until its next frame.
        if old.is_none() || ended {
            (self.ping)();
        }
    }
}

/// What a job does without a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Running,
    Stepping,
    Paused,
}

/// A job between its turns.
pub(crate) struct ScheduledJob {
    job: AnyJob,
    mode: Mode,
    /// It has had a turn, so it may have something to save.
    pub has_begun: bool,
    outlet: Arc<Outlet>,
}

impl ScheduledJob {
    pub fn new(job: AnyJob, outlet: Arc<Outlet>) -> ScheduledJob {
        ScheduledJob { job, mode: Mode::Running, has_begun: false, outlet }
    }

    pub fn is_paused(&self) -> bool {
        self.mode == Mode::Paused
    }

    /// Saves and drops the job.
    pub fn end(mut self) {
        let outlet = Arc::clone(&self.outlet);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(move || self.rest())) {
            outlet.publish(Box::new(()), State::Failed(message(&*panic)));
        }
    }

    /// Carries out a command and then a step, unless the job is paused; returns the job unless it has ended.
    pub fn turn(self, command: Option<Command>) -> Option<ScheduledJob> {
        let outlet = Arc::clone(&self.outlet);
        // The job is not used after a panic, so an inconsistent state cannot be seen.
        catch_unwind(AssertUnwindSafe(move || self.advance(command))).unwrap_or_else(|panic| {
            outlet.publish(Box::new(()), State::Failed(message(&*panic)));
            None
        })
    }

    fn advance(mut self, command: Option<Command>) -> Option<ScheduledJob> {
        self.has_begun = true;
        match command {
            None => {}
            Some(Command::Run) => self.mode = Mode::Running,
            Some(Command::Step) => self.mode = Mode::Stepping,
            Some(Command::Pause) => {
                self.mode = Mode::Paused;
                self.rest();
                self.publish(State::Paused);
                return Some(self);
            }
        }
        let budget = Budget::time(STEP);
        let budget = if self.mode == Mode::Stepping { budget.single() } else { budget };
        match self.job.step(budget) {
            Status::Running if self.mode == Mode::Running => self.publish(State::Running),
            Status::Running => {
                if self.job.is_between() {
                    self.mode = Mode::Paused;
                    self.rest();
                }
                self.publish(State::Paused);
            }
            Status::Done => {
                self.rest();
                self.publish(State::Done);
                return None;
            }
        }
        Some(self)
    }

    fn publish(&self, state: State) {
        self.outlet.publish(self.job.view(), state);
    }

    fn rest(&mut self) {
        self.outlet.saving.store(true, Ordering::Relaxed);
        self.job.rest();
        self.outlet.saving.store(false, Ordering::Relaxed);
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::{Receiver, unbounded};

    use crate::workers::Workers;

    /// Counts its steps up to a limit; panics at it on request.
    struct Counter {
        steps: u32,
        limit: u32,
        panics: bool,
    }

    impl Job for Counter {
        type View = u32;

        fn step(&mut self, _: Budget) -> Status {
            self.steps += 1;
            assert!(!(self.panics && self.steps == self.limit), "as told");
            if self.steps == self.limit { Status::Done } else { Status::Running }
        }

        fn view(&self) -> u32 {
            self.steps
        }
    }

    fn start(limit: u32, panics: bool) -> (Workers, Worker, Receiver<()>) {
        let (sender, pings) = unbounded();
        let job = erase(Counter { steps: 0, limit, panics });
        let workers = Workers::new(1, 1);
        let worker = workers.start(JobId(0), job, move || _ = sender.send(())).unwrap();
        (workers, worker, pings)
    }

    fn wait_for(worker: &Worker, pings: &Receiver<()>, wanted: impl Fn(&State) -> bool) -> (u32, State) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            pings.recv_deadline(deadline).expect("news in time");
            if let Some(news) = worker.take().filter(|news| wanted(&news.state)) {
                return (news.view.downcast_ref::<u32>().copied().unwrap_or(0), news.state);
            }
        }
    }

    #[test]
    fn the_end_is_reported() {
        let (_workers, worker, pings) = start(1000, false);
        assert_eq!(wait_for(&worker, &pings, |state| *state == State::Done), (1000, State::Done));
    }

    #[test]
    fn steps_are_counted_while_paused() {
        let (_workers, worker, pings) = start(u32::MAX, false);
        worker.command(Command::Pause);
        let (paused_at, _) = wait_for(&worker, &pings, |state| *state == State::Paused);
        worker.command(Command::Step);
        assert_eq!(wait_for(&worker, &pings, |_| true), (paused_at + 1, State::Paused));
    }

    #[test]
    fn a_panic_becomes_news() {
        let (_workers, worker, pings) = start(3, true);
        let (_, state) = wait_for(&worker, &pings, |state| matches!(state, State::Failed(_)));
        assert_eq!(state, State::Failed("as told".into()));
    }
}
