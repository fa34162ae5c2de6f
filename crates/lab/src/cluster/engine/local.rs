//! Computes units in local processes, up to a given number at once.
//!
//! A small counterpart of a cluster engine: a unit starts when the units it needs are done; a unit whose process was
//! killed restarts, one that failed does not.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use mancalab_base::Error;
use rustix::process::{Pid, Signal, kill_process};

use super::super::layout;
use crate::files;

/// Maximum number of attempts at a unit whose process is killed.
const ATTEMPTS: u32 = 3;
/// Interval between checks of the processes.
const LOOK: Duration = Duration::from_millis(5);

/// Configuration of a local computation.
pub struct Local<'a> {
    /// Path of this program.
    pub program: &'a Path,
    pub plan: &'a Path,
    /// Folder for the units' output, one file per unit.
    pub logs: &'a Path,
    /// Maximum number of processes, at least 1.
    pub jobs: usize,
    /// Threads per process.
    pub threads: u32,
    /// The unfinished units, ascending.
    pub units: &'a [u32],
    pub needs: &'a dyn Fn(u32) -> Vec<u32>,
}

/// A progress event.
pub enum News {
    /// Units are being computed; reported every few milliseconds.
    Running,
    /// A unit is done.
    Done,
    /// A unit's process was killed; it restarts.
    Again(u32),
    /// A unit failed, or was killed too often.
    Failed(u32),
}

/// Totals of the computation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub done: u32,
    pub failed: Vec<u32>,
    /// Units not started, because they need failed ones or the computation was stopped.
    pub left: u32,
}

/// Returns the command that computes a unit.
pub fn command(local: &Local<'_>, unit: u32) -> (PathBuf, Vec<OsString>) {
    let mut words: Vec<OsString> = vec!["plan".into(), "unit".into(), local.plan.into()];
    words.extend(["--index", &unit.to_string(), "--threads", &local.threads.to_string()].map(OsString::from));
    (local.program.to_owned(), words)
}

/// The units not started yet, with their dependencies.
struct Queue {
    ready: BTreeSet<u32>,
    /// For each unit, how many units it waits for, and which units wait for it.
    waits_for: HashMap<u32, usize>,
    waited_for_by: HashMap<u32, Vec<u32>>,
}

impl Queue {
    fn new(units: &[u32], needs: &dyn Fn(u32) -> Vec<u32>) -> Queue {
        let mut queue = Queue { ready: BTreeSet::new(), waits_for: HashMap::new(), waited_for_by: HashMap::new() };
        for &unit in units {
            let open: Vec<u32> = needs(unit).into_iter().filter(|need| units.binary_search(need).is_ok()).collect();
            if open.is_empty() {
                queue.ready.insert(unit);
                continue;
            }
            queue.waits_for.insert(unit, open.len());
            open.into_iter().for_each(|need| queue.waited_for_by.entry(need).or_default().push(unit));
        }
        queue
    }

    fn done(&mut self, unit: u32) {
        for waiting in self.waited_for_by.remove(&unit).unwrap_or_default() {
            if let Some(count) = self.waits_for.get_mut(&waiting) {
                *count -= 1;
                if *count == 0 {
                    self.waits_for.remove(&waiting);
                    self.ready.insert(waiting);
                }
            }
        }
    }
}

/// State of the computation.
struct LocalComputation<'a> {
    local: &'a Local<'a>,
    queue: Queue,
    running: Vec<(u32, Child)>,
    /// How often each unit's process was killed.
    killed: HashMap<u32, u32>,
    summary: Summary,
    /// A stop was requested, and the processes were signalled.
    stops: bool,
}

/// Computes all units. On a stop request signals the processes once and waits while they save.
///
/// # Errors
/// A process cannot be started, or its log cannot be opened. Running processes are signalled and waited for.
pub fn run(local: &Local<'_>, stop: &dyn Fn() -> bool, report: &mut dyn FnMut(News, &[u32])) -> Result<Summary, Error> {
    let _held = layout::hold(local.plan);
    let queue = Queue::new(local.units, local.needs);
    let summary = Summary::default();
    let mut computation =
        LocalComputation { local, queue, running: Vec::new(), killed: HashMap::new(), summary, stops: false };
    let mut error = None;
    loop {
        if !computation.stops && (stop() || error.is_some()) {
            computation.stops = true;
            computation.running.iter().for_each(|(_, child)| end(child));
        }
        error = error.or(computation.fill().err());
        if computation.running.is_empty() {
            break;
        }
        report(News::Running, &computation.numbers());
        let ended = computation.ended();
        for (unit, status) in &ended {
            let news = computation.take(*unit, *status, stop());
            news.into_iter().for_each(|news| report(news, &computation.numbers()));
        }
        if ended.is_empty() {
            std::thread::sleep(LOOK);
        }
    }
    let LocalComputation { queue, mut summary, .. } = computation;
    summary.left = (queue.ready.len() + queue.waits_for.len()) as u32;
    error.map_or(Ok(summary), Err)
}

impl LocalComputation<'_> {
    /// Starts units up to the process limit.
    fn fill(&mut self) -> Result<(), Error> {
        while !self.stops && self.running.len() < self.local.jobs.max(1) {
            let Some(unit) = self.queue.ready.pop_first() else { break };
            match start(self.local, unit) {
                Ok(child) => self.running.push((unit, child)),
                Err(reason) => {
                    self.queue.ready.insert(unit);
                    return Err(reason);
                }
            }
        }
        Ok(())
    }

    /// Removes and returns the processes that ended. A process whose status cannot be read counts as running.
    fn ended(&mut self) -> Vec<(u32, ExitStatus)> {
        let mut ended = Vec::new();
        self.running.retain_mut(|(unit, child)| match child.try_wait() {
            Ok(Some(status)) => {
                ended.push((*unit, status));
                false
            }
            _ => true,
        });
        ended
    }

    /// Records the outcome of a unit whose process ended.
    fn take(&mut self, unit: u32, status: ExitStatus, stop: bool) -> Option<News> {
        if status.success() {
            self.summary.done += 1;
            self.queue.done(unit);
            return Some(News::Done);
        }
        // During a stop, a unit that saved and exited or was killed counts as left over.
        if self.stops || stop {
            self.queue.ready.insert(unit);
            return None;
        }
        let count = self.killed.entry(unit).or_default();
        *count += 1;
        // A code above 128 means that a signal ended it.
        let was_killed = status.signal().is_some() || status.code().is_some_and(|code| code > 128);
        if was_killed && *count < ATTEMPTS {
            self.queue.ready.insert(unit);
            return Some(News::Again(unit));
        }
        self.summary.failed.push(unit);
        Some(News::Failed(unit))
    }

    fn numbers(&self) -> Vec<u32> {
        self.running.iter().map(|(unit, _)| *unit).collect()
    }
}

/// Returns the path of a unit's log.
pub fn log(logs: &Path, unit: u32) -> PathBuf {
    logs.join(format!("local.{unit:06}.log"))
}

/// Returns the last line of a log, which says why its process failed.
pub fn last_line(log: &Path) -> String {
    let text = files::read_text(log, files::Kind::Document).unwrap_or_default();
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no output");
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

fn start(local: &Local<'_>, unit: u32) -> Result<Child, Error> {
    let (program, words) = command(local, unit);
    let path = log(local.logs, unit);
    let log = files::open_with(OpenOptions::new().append(true).create(true), &path)
        .and_then(|log| Ok((log.try_clone()?, log)))
        .map_err(Error::cannot("write", &path))?;
    let mut command = Command::new(&program);
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(log.0)
        .stderr(log.1)
        .spawn()
        .map_err(Error::cannot("start", &program))
}

/// Signals a process to save and exit. A process that has exited is skipped.
fn end(child: &Child) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_wait_for_what_they_need_and_not_for_what_is_done() {
        // Two islands, three epochs; the first epoch of island 0 is done.
        let needs = |unit: u32| if unit < 2 { Vec::new() } else { vec![unit / 2 * 2 - 2, unit / 2 * 2 - 1] };
        let mut queue = Queue::new(&[1, 2, 3, 4, 5], &needs);
        assert_eq!(queue.ready.pop_first(), Some(1));
        assert!(queue.ready.is_empty());
        queue.done(1);
        assert_eq!(queue.ready, BTreeSet::from([2, 3]));
        queue.ready.clear();
        queue.done(2);
        assert!(queue.ready.is_empty());
        queue.done(3);
        assert_eq!(queue.ready, BTreeSet::from([4, 5]));
    }
}
