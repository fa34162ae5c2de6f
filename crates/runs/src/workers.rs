//! The threads that advance jobs: a fixed number, whatever is started.
//!
//! They take jobs from a queue, advance each by a step, and put it back, so that every job gets its turns. Several sessions may
//! share them.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use mancalab_base::{Error, bail, threads};

use crate::background::{Background, Work};
use crate::worker::{AnyJob, Command, JobId, Outlet, ScheduledJob, Worker, erase};

/// Maximum number of a session's jobs that compute, wait or are paused, and of its background tasks.
const MOST_JOBS: usize = 64;

/// A session's handle to the threads; clones are of the same session.
///
/// Computations and background tasks have threads of their own, so that no file waits for a computation. A thread starts when it is
/// first needed; all end when the last handle is dropped.
#[derive(Clone)]
pub struct Workers {
    computing: Arc<Lane>,
    tasks: Arc<Lane>,
    session: u64,
    /// Maximum number of the session's jobs in one lane that have a thread at the same time.
    at_once: usize,
}

/// A queue whose threads end when it is dropped.
struct Lane(Arc<Queue>);

impl Drop for Lane {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Workers {
    /// Creates handles to as many threads for computations and for background tasks.
    pub fn new(computing: usize, tasks: usize) -> Workers {
        let lane = |name, most_threads| Arc::new(Lane(Arc::new(Queue::new(name, most_threads))));
        Workers { computing: lane("job", computing), tasks: lane("task", tasks), session: 0, at_once: usize::MAX }
    }

    /// Returns a handle to the same threads for another session, of whose jobs and background tasks one each has a thread at a time.
    #[must_use]
    pub fn for_session(&self) -> Workers {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Workers { session: NEXT.fetch_add(1, Ordering::Relaxed), at_once: 1, ..self.clone() }
    }

    /// Starts a job, which calls `ping` if there is news and the previous news was taken.
    ///
    /// # Errors
    /// The system has no free thread, or the session has too many jobs.
    pub fn start(&self, id: JobId, job: AnyJob, ping: impl Fn() + Send + Sync + 'static) -> Result<Worker, Error> {
        self.start_in(&self.computing, id, job, ping)
    }

    /// Starts a background task, like [`start`](Workers::start).
    ///
    /// # Errors
    /// The system has no free thread, or the session has too many background tasks.
    pub fn start_task(&self, id: JobId, work: Work, ping: impl Fn() + Send + Sync + 'static) -> Result<Worker, Error> {
        self.start_in(&self.tasks, id, erase(Background::new(work)), ping)
    }

    fn start_in(
        &self,
        lane: &Lane,
        id: JobId,
        job: AnyJob,
        ping: impl Fn() + Send + Sync + 'static,
    ) -> Result<Worker, Error> {
        let outlet = Arc::new(Outlet::new(ping));
        let job = Some(ScheduledJob::new(job, Arc::clone(&outlet)));
        let entry =
            Entry { session: self.session, at_once: self.at_once, job, commands: VecDeque::new(), is_stopped: false };
        lane.0.start(id, entry)?;
        Ok(Worker { id, queue: Arc::clone(&lane.0), outlet })
    }
}

/// Jobs, and the threads that advance them.
pub(crate) struct Queue {
    /// The threads' name.
    name: &'static str,
    most_threads: usize,
    state: Mutex<QueueState>,
    /// A job is ready, or the threads are to end.
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    jobs: HashMap<JobId, Entry>,
    /// The jobs that wait for a turn, in order.
    ready: VecDeque<JobId>,
    /// The number of turns under way, by session.
    turns: HashMap<u64, usize>,
    threads: usize,
    /// The threads that wait for a job.
    idle: usize,
    is_closed: bool,
}

struct Entry {
    session: u64,
    at_once: usize,
    /// `None` during its turn.
    job: Option<ScheduledJob>,
    commands: VecDeque<Command>,
    is_stopped: bool,
}

/// A job's turn.
struct Turn {
    id: JobId,
    job: ScheduledJob,
    command: Option<Command>,
    is_stopped: bool,
}

impl Queue {
    fn new(name: &'static str, most_threads: usize) -> Queue {
        Queue { name, most_threads, state: Mutex::default(), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(self: &Arc<Queue>, id: JobId, entry: Entry) -> Result<(), Error> {
        let mut state = self.lock();
        if state.jobs.values().filter(|other| other.session == entry.session).count() >= MOST_JOBS {
            bail!("{MOST_JOBS} tasks are waiting, the most that a session can have; try again later");
        }
        if state.idle <= state.ready.len() && state.threads < self.most_threads {
            let queue = Arc::clone(self);
            match threads::spawn(self.name, move || queue.run()) {
                Ok(()) => state.threads += 1,
                Err(error) if state.threads == 0 => bail!("cannot start a thread: {error}"),
                Err(error) => tracing::warn!("cannot start another thread for jobs: {error}"),
            }
        }
        state.jobs.insert(id, entry);
        state.ready.push_back(id);
        self.changed.notify_one();
        Ok(())
    }

    pub fn command(&self, id: JobId, command: Command) {
        let mut state = self.lock();
        // A finished job takes no commands.
        let Some(entry) = state.jobs.get_mut(&id) else { return };
        entry.commands.push_back(command);
        if entry.job.is_some() && !state.ready.contains(&id) {
            state.ready.push_back(id);
            self.changed.notify_one();
        }
    }

    /// Stops a job: it has no more turn but the one in which it saves, which comes first.
    pub fn stop(&self, id: JobId) {
        let mut state = self.lock();
        let Some(entry) = state.jobs.get_mut(&id) else { return };
        entry.is_stopped = true;
        let Some(job) = &entry.job else { return };
        let has_begun = job.has_begun;
        state.ready.retain(|other| *other != id);
        if has_begun {
            state.ready.push_front(id);
            self.changed.notify_one();
        } else {
            let entry = state.jobs.remove(&id);
            drop(state);
            drop(entry);
        }
    }

    /// Returns whether a job has not ended yet.
    pub fn has(&self, id: JobId) -> bool {
        self.lock().jobs.contains_key(&id)
    }

    fn close(&self) {
        let ids: Vec<JobId> = self.lock().jobs.keys().copied().collect();
        ids.into_iter().for_each(|id| self.stop(id));
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// A thread's work.
    fn run(&self) {
        while let Some(Turn { id, job, command, is_stopped }) = self.next() {
            let job = match is_stopped {
                true => {
                    job.end();
                    None
                }
                false => job.turn(command),
            };
            self.put_back(id, job);
        }
    }

    /// Waits for the next turn; `None`: the thread is to end.
    fn next(&self) -> Option<Turn> {
        let mut state = self.lock();
        loop {
            if let Some(turn) = state.next() {
                return Some(turn);
            }
            if state.is_closed && state.ready.is_empty() {
                return None;
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    fn put_back(&self, id: JobId, job: Option<ScheduledJob>) {
        let mut state = self.lock();
        let Some(entry) = state.jobs.get_mut(&id) else { return };
        let session = entry.session;
        match job {
            None => _ = state.jobs.remove(&id),
            Some(job) => {
                let is_stopped = entry.is_stopped;
                let is_ready = !entry.commands.is_empty() || !job.is_paused();
                entry.job = Some(job);
                if is_stopped {
                    state.ready.push_front(id);
                } else if is_ready {
                    state.ready.push_back(id);
                }
            }
        }
        if let Some(turns) = state.turns.get_mut(&session) {
            *turns -= 1;
            if *turns == 0 {
                state.turns.remove(&session);
            }
        }
        if state.is_closed {
            self.changed.notify_all();
        } else if state.idle > 0 && state.ready.len() > 1 {
            // A job of this session that had to wait may have another thread, if this one takes a different one.
            self.changed.notify_one();
        }
    }
}

impl QueueState {
    /// Begins the turn of the first job whose session may have another one.
    fn next(&mut self) -> Option<Turn> {
        let may_begin = |id: &JobId| {
            let entry = &self.jobs[id];
            self.turns.get(&entry.session).is_none_or(|turns| *turns < entry.at_once)
        };
        let at = self.ready.iter().position(may_begin)?;
        let id = self.ready.remove(at)?;
        let entry = self.jobs.get_mut(&id)?;
        let job = entry.job.take()?;
        *self.turns.entry(entry.session).or_default() += 1;
        Some(Turn { id, job, command: entry.commands.pop_front(), is_stopped: entry.is_stopped })
    }
}

#[cfg(test)]
mod tests;
