//! Units in processes of this machine, as many at once as asked for.
//!
//! What an engine does for many machines, in small: a unit begins once those it needs are done, one whose process was killed is begun
//! again, one that failed is not.

use std::collections::{BTreeSet, HashMap};
use std::fs::OpenOptions;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// How often a unit is begun whose process is killed.
const ATTEMPTS: u32 = 3;
/// Between two looks at the processes.
const LOOK: Duration = Duration::from_millis(5);

/// What is to be computed, and how.
pub(crate) struct Local<'a> {
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
pub(crate) enum News {
    /// One more is done.
    Done,
    /// A unit's process was killed; it is begun again.
    Again(u32),
    /// It failed, or was killed too often.
    Failed(u32),
}

/// How it ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Summary {
    pub done: u32,
    pub failed: Vec<u32>,
    /// Units that were not begun, as they need failed ones or all was told to stop.
    pub left: u32,
}

/// The command of a unit.
pub(crate) fn command(local: &Local<'_>, unit: u32) -> (PathBuf, Vec<String>) {
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

/// Has all units computed, unless it is told to stop: then the processes are told to, which save, and are waited for.
///
/// # Errors
/// No process can be begun: why. Those that run by then are told to stop.
pub(crate) fn run(
    local: &Local<'_>,
    stop: &dyn Fn() -> bool,
    told: &mut dyn FnMut(News, &[u32]),
) -> io::Result<Summary> {
    let mut queue = Queue::new(local.units, local.needs);
    let mut running: Vec<(u32, Child)> = Vec::new();
    let mut attempts: HashMap<u32, u32> = HashMap::new();
    let mut summary = Summary::default();
    let mut error = None;
    loop {
        let stops = stop() || error.is_some();
        if stops {
            running.iter().for_each(|(_, child)| end(child));
        }
        while !stops && running.len() < local.jobs.max(1) {
            let Some(unit) = queue.ready.pop_first() else { break };
            match start(local, unit) {
                Ok(child) => running.push((unit, child)),
                Err(reason) => {
                    queue.ready.insert(unit);
                    error = Some(reason);
                    break;
                }
            }
        }
        if running.is_empty() {
            break;
        }
        let ended = ended(&mut running)?;
        for (unit, status) in &ended {
            if status.success() {
                summary.done += 1;
                queue.done(*unit);
                told(News::Done, &numbers(&running));
                continue;
            }
            // A unit that saved and left because all was told to stop is left over, and so is one that was killed then.
            if stops || stop() {
                queue.ready.insert(*unit);
                continue;
            }
            let count = attempts.entry(*unit).or_default();
            *count += 1;
            // Above 128 it was told to end from elsewhere.
            let was_killed = status.signal().is_some() || status.code().is_some_and(|code| code > 128);
            if was_killed && *count < ATTEMPTS {
                queue.ready.insert(*unit);
                told(News::Again(*unit), &numbers(&running));
            } else {
                summary.failed.push(*unit);
                told(News::Failed(*unit), &numbers(&running));
            }
        }
        if ended.is_empty() {
            std::thread::sleep(LOOK);
        }
    }
    summary.left = (queue.ready.len() + queue.waits_for.len()) as u32;
    error.map_or(Ok(summary), Err)
}

fn numbers(running: &[(u32, Child)]) -> Vec<u32> {
    running.iter().map(|(unit, _)| *unit).collect()
}

fn start(local: &Local<'_>, unit: u32) -> io::Result<Child> {
    let (program, words) = command(local, unit);
    let log = local.logs.join(format!("local.{unit:06}.log"));
    let log = OpenOptions::new().append(true).create(true).open(log)?;
    Command::new(program).args(words).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
}

/// Takes those out that have ended.
fn ended(running: &mut Vec<(u32, Child)>) -> io::Result<Vec<(u32, std::process::ExitStatus)>> {
    let mut ended = Vec::new();
    let mut at = 0;
    while at < running.len() {
        match running[at].1.try_wait()? {
            Some(status) => ended.push((running.remove(at).0, status)),
            None => at += 1,
        }
    }
    Ok(ended)
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
