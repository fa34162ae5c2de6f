//! Units in processes of this machine, as many at once as asked for.
//!
//! What an engine does for many machines, in small: a unit begins once those it needs are done, one whose process was killed is begun
//! again, one that failed is not.

use std::collections::{BTreeSet, HashMap};
use std::fs::OpenOptions;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::files;

/// How often a unit is begun whose process is killed.
const ATTEMPTS: u32 = 3;
/// Between two looks at the processes.
const LOOK: Duration = Duration::from_millis(5);

/// What is to be computed, and how.
pub struct Local<'a> {
    /// This program.
    pub program: &'a Path,
    pub plan: &'a Path,
    /// Where the units' words go, a file each.
    pub logs: &'a Path,
    /// Processes at once, at least 1.
    pub jobs: usize,
    /// Threads of each.
    pub threads: u32,
    /// The units that are not done yet, ascending, and what each needs.
    pub units: &'a [u32],
    pub needs: &'a dyn Fn(u32) -> Vec<u32>,
}

/// What is told while it goes on.
pub enum News {
    /// Units are being computed; reported every few milliseconds.
    Running,
    /// One more is done.
    Done,
    /// A unit's process was killed; it is begun again.
    Again(u32),
    /// It failed, or was killed too often.
    Failed(u32),
}

/// How it ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub done: u32,
    pub failed: Vec<u32>,
    /// Units that were not begun, as they need failed ones or all was told to stop.
    pub left: u32,
}

/// The command of a unit.
pub fn command(local: &Local<'_>, unit: u32) -> (PathBuf, Vec<String>) {
    let plan = local.plan.to_string_lossy().into_owned();
    let words = ["unit", &plan, "--index", &unit.to_string(), "--threads", &local.threads.to_string()];
    (local.program.to_owned(), words.map(str::to_owned).to_vec())
}

/// Units that wait for others.
struct Queue {
    ready: BTreeSet<u32>,
    /// How many a unit waits for, and who waits for it.
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

/// The units that are being computed, and those that are not.
struct Computing<'a> {
    local: &'a Local<'a>,
    queue: Queue,
    running: Vec<(u32, Child)>,
    /// How often a unit's process was killed.
    killed: HashMap<u32, u32>,
    summary: Summary,
    /// The processes were told to stop.
    stops: bool,
}

/// Has all units computed, unless it is told to stop: then the processes are told to, once, and waited for while they save.
///
/// # Errors
/// No process can be begun: why. Those that run by then are told to stop, and waited for.
pub fn run(local: &Local<'_>, stop: &dyn Fn() -> bool, told: &mut dyn FnMut(News, &[u32])) -> io::Result<Summary> {
    let (queue, summary) = (Queue::new(local.units, local.needs), Summary::default());
    let mut computing = Computing { local, queue, running: Vec::new(), killed: HashMap::new(), summary, stops: false };
    let mut error = None;
    loop {
        if !computing.stops && (stop() || error.is_some()) {
            computing.stops = true;
            computing.running.iter().for_each(|(_, child)| end(child));
        }
        error = error.or(computing.fill().err());
        if computing.running.is_empty() {
            break;
        }
        told(News::Running, &computing.numbers());
        let ended = computing.ended();
        for (unit, status) in &ended {
            let news = computing.take(*unit, *status, stop());
            news.into_iter().for_each(|news| told(news, &computing.numbers()));
        }
        if ended.is_empty() {
            std::thread::sleep(LOOK);
        }
    }
    let Computing { queue, mut summary, .. } = computing;
    summary.left = (queue.ready.len() + queue.waits_for.len()) as u32;
    error.map_or(Ok(summary), Err)
}

impl Computing<'_> {
    /// Begins units, as many as there is room for.
    fn fill(&mut self) -> io::Result<()> {
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

    /// Takes those out that have ended. A process that cannot be asked is taken to go on.
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

    /// What became of a unit whose process has ended.
    fn take(&mut self, unit: u32, status: ExitStatus, stop: bool) -> Option<News> {
        if status.success() {
            self.summary.done += 1;
            self.queue.done(unit);
            return Some(News::Done);
        }
        // A unit that saved and left because all was told to stop is left over, and so is one that was killed then.
        if self.stops || stop {
            self.queue.ready.insert(unit);
            return None;
        }
        let count = self.killed.entry(unit).or_default();
        *count += 1;
        // Above 128 it was told to end from elsewhere.
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

/// Where a unit's words go.
pub fn log(logs: &Path, unit: u32) -> PathBuf {
    logs.join(format!("local.{unit:06}.log"))
}

fn start(local: &Local<'_>, unit: u32) -> io::Result<Child> {
    let (program, words) = command(local, unit);
    let log = files::open_with(OpenOptions::new().append(true).create(true), &log(local.logs, unit))?;
    Command::new(program).args(words).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
}

/// Tells a process to save and end. One that has ended already is not there to be told.
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
        // Two islands, three epochs, of which the first is done for island 0.
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
