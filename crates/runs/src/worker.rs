//! A thread that advances a job and reports to the event loop without waiting for it.
//!
//! The newest view is in a slot where it replaces the previous one; the loop is pinged if the slot was empty. A slow
//! loop never slows a job, and a fast job never floods the loop.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

use crate::budget::{Budget, Job, Status};

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

/// A command to a running worker. Dropping the worker stops it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Run,
    Pause,
    /// Continues to the next stop for single-stepping, then pauses.
    Step,
}

/// Maximum duration of a step between commands and views.
const STEP: Duration = Duration::from_millis(50);

/// The handle of a job's thread. Dropping it stops the job within a step.
pub struct Worker {
    commands: Sender<Command>,
    slot: Arc<Mutex<Option<News>>>,
    /// The job is saving.
    saving: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

/// A job with a type-erased view, so that all jobs share a channel.
pub type AnyJob = Box<dyn Job<View = Box<dyn Any + Send>>>;

/// Erases the type of a job's view; the starter knows the type to `downcast` to.
pub fn erase<J: Job + 'static>(job: J) -> AnyJob {
    Box::new(Erased(job))
}

struct Erased<J>(J);

impl<J: Job> Job for Erased<J> {
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

impl Worker {
    /// Starts `job` on its own thread, which calls `ping` if there is news and the previous news was taken.
    ///
    /// # Errors
    /// The system has no free thread.
    pub fn start(job: AnyJob, ping: impl Fn() + Send + 'static) -> std::io::Result<Worker> {
        let (commands, receiver) = unbounded();
        let slot = Arc::new(Mutex::new(None));
        let saving = Arc::new(AtomicBool::new(false));
        let outlet = Outlet { slot: Arc::clone(&slot), ping: Box::new(ping) };
        let job = Resting { job, saving: Arc::clone(&saving) };
        let thread = std::thread::Builder::new().name("job".into()).spawn(move || run(job, &receiver, &outlet))?;
        Ok(Worker { commands, slot, saving, thread })
    }

    pub fn command(&self, command: Command) {
        // A finished job takes no commands.
        let _ = self.commands.send(command);
    }

    /// Returns the latest news since the last call, if any.
    pub fn take(&self) -> Option<News> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner).take()
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
    // All are stopped before any is waited for.
    let mut left: Vec<(Arc<AtomicBool>, JoinHandle<()>)> =
        workers.into_iter().map(|Worker { saving, thread, .. }| (saving, thread)).collect();
    loop {
        left.retain(|(_, thread)| !thread.is_finished());
        let saving = left.iter().any(|(saving, _)| saving.load(Ordering::Relaxed));
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

/// A job that shows when it is saving.
struct Resting {
    job: AnyJob,
    saving: Arc<AtomicBool>,
}

impl Resting {
    fn rest(&mut self) {
        self.saving.store(true, Ordering::Relaxed);
        self.job.rest();
        self.saving.store(false, Ordering::Relaxed);
    }
}

struct Outlet {
    slot: Arc<Mutex<Option<News>>>,
    ping: Box<dyn Fn() + Send>,
}

impl Outlet {
    fn publish(&self, view: Box<dyn Any + Send>, state: State) {
        let ended = matches!(state, State::Done | State::Failed(_));
        let old = self.slot.lock().unwrap_or_else(PoisonError::into_inner).replace(News { view, state });
        // The end has its own ping: the loop may delay progress until its next frame.
        if old.is_none() || ended {
            (self.ping)();
        }
    }
}

/// What the worker does without a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Running,
    Stepping,
    Paused,
}

fn run(mut resting: Resting, commands: &Receiver<Command>, outlet: &Outlet) {
    let mut mode = Mode::Running;
    loop {
        let command = match mode {
            Mode::Paused => commands.recv().map_err(|_| TryRecvError::Disconnected),
            _ => commands.try_recv(),
        };
        match command {
            Err(TryRecvError::Disconnected) => return resting.rest(),
            Err(TryRecvError::Empty) => {}
            Ok(Command::Run) => mode = Mode::Running,
            Ok(Command::Step) => mode = Mode::Stepping,
            Ok(Command::Pause) => {
                mode = Mode::Paused;
                resting.rest();
                outlet.publish(resting.job.view(), State::Paused);
                continue;
            }
        }
        let budget = Budget::time(STEP);
        let budget = if mode == Mode::Stepping { budget.single() } else { budget };
        // The job is not used after a panic, so an inconsistent state cannot be seen.
        match catch_unwind(AssertUnwindSafe(|| resting.job.step(budget))) {
            Ok(Status::Running) if mode == Mode::Running => outlet.publish(resting.job.view(), State::Running),
            Ok(Status::Running) => {
                if resting.job.is_between() {
                    mode = Mode::Paused;
                    resting.rest();
                }
                outlet.publish(resting.job.view(), State::Paused);
            }
            Ok(Status::Done) => {
                resting.rest();
                return outlet.publish(resting.job.view(), State::Done);
            }
            Err(panic) => return outlet.publish(Box::new(()), State::Failed(message(&*panic))),
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

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

    fn start(limit: u32, panics: bool) -> (Worker, Receiver<()>) {
        let (sender, pings) = unbounded();
        let job = erase(Counter { steps: 0, limit, panics });
        (Worker::start(job, move || _ = sender.send(())).unwrap(), pings)
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
        let (worker, pings) = start(1000, false);
        assert_eq!(wait_for(&worker, &pings, |state| *state == State::Done), (1000, State::Done));
    }

    #[test]
    fn steps_are_counted_while_paused() {
        let (worker, pings) = start(u32::MAX, false);
        worker.command(Command::Pause);
        let (paused_at, _) = wait_for(&worker, &pings, |state| *state == State::Paused);
        worker.command(Command::Step);
        assert_eq!(wait_for(&worker, &pings, |_| true), (paused_at + 1, State::Paused));
    }

    #[test]
    fn a_panic_becomes_news() {
        let (worker, pings) = start(3, true);
        let (_, state) = wait_for(&worker, &pings, |state| matches!(state, State::Failed(_)));
        assert_eq!(state, State::Failed("as told".into()));
    }
}
