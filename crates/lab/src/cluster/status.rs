//! Status of a plan: finished, running, waiting and failed units, and the remaining time.
//!
//! Everything comes from the names of marks and results; the text of a mark is read once, that of a running attempt each time.
//! Watching a plan of many thousand units therefore reads little and writes nothing.
//!
//! Which attempts of other machines are alive: those whose marks are touched.
//!
//! Clocks of machines differ. What counts is therefore whether a mark's time changes, not which time it is; the first look alone
//! has only its age.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::{Instant, SystemTime};

use super::layout::{self, Activity, AttemptId, Mark};
use super::plan::Plan;
use super::runs::Runs;
use super::unit::{DEAD_AFTER, is_alive, touched};
use crate::{confined, files};

/// State of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnitState {
    /// Not started; units that it needs may have no result yet.
    Waiting,
    /// An attempt is running on this host, in this process, and has done this much; `None` if that is unknown.
    Running {
        host: String,
        process: u32,
        percent: Option<u8>,
    },
    Done,
    /// An attempt failed with this reason, and no other was started.
    Failed(String),
    /// The process of an attempt was killed, and no other was started.
    Killed,
}

/// Status of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitStatus {
    pub state: UnitState,
    pub attempts: u32,
}

/// Status of a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanStatus {
    pub units: Vec<UnitStatus>,
    pub counts: Counts,
    pub activity: Activity,
    /// Mean seconds per attempt over the last [`MOST_TIMED`] finished units with a known time, else the plan's estimate.
    pub seconds_a_unit: Option<f64>,
    /// Seconds until all units are finished at the present number of running units; `None` if none is running or no
    /// time is known.
    pub seconds_left: Option<f64>,
}

impl PlanStatus {
    /// Returns the share of the plan that is done, from 0 to 1, with the known progress of running units.
    pub fn share(&self) -> f64 {
        (f64::from(self.counts.done) + progress(&self.units)) / f64::from(self.counts.all().max(1))
    }
}

/// Returns how many units' work the running ones have done.
fn progress(units: &[UnitStatus]) -> f64 {
    let percent = |unit: &UnitStatus| match unit.state {
        UnitState::Running { percent, .. } => percent,
        _ => None,
    };
    units.iter().filter_map(percent).map(|percent| f64::from(percent) / 100.0).sum()
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Including those that were killed.
    pub waiting: u32,
    pub running: u32,
    pub done: u32,
    pub failed: u32,
    /// Those of the waiting units whose last process was killed.
    pub killed: u32,
}

impl Counts {
    pub fn all(&self) -> u32 {
        self.waiting + self.running + self.done + self.failed
    }
}

/// Reads a plan's status repeatedly and caches the texts of marks.
pub struct Watcher {
    plan: Plan,
    /// Duration or failure reason of ended attempts, by name.
    read: HashMap<String, String>,
    beats: Beats,
}

/// Bytes read from a mark at most.
const LONGEST_MARK: u64 = 4096;
/// Number of finished units whose times are read: enough for a mean, whatever the number of units.
pub const MOST_TIMED: usize = 1000;

impl Watcher {
    pub fn new(plan: Plan) -> Watcher {
        Watcher { plan, read: HashMap::new(), beats: Beats::default() }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Counts the units by state, from names alone.
    pub fn counts(&mut self) -> Counts {
        let done = layout::results(self.plan.folder());
        let mut running = HashSet::new();
        let mut failed = HashSet::new();
        let mut killed = HashSet::new();
        for (id, mark) in layout::marks(self.plan.folder()) {
            if id.unit >= self.plan.units() || done.contains_key(&id.unit) {
                continue;
            }
            match mark {
                Mark::Run if self.is_alive(&id) => drop(running.insert(id.unit)),
                Mark::Run => drop(killed.insert(id.unit)),
                Mark::Failed => drop(failed.insert(id.unit)),
                Mark::Done => {}
            }
        }
        killed.retain(|unit| !running.contains(unit) && !failed.contains(unit));
        let failed = failed.difference(&running).count() as u32;
        let done = done.range(..self.plan.units()).count() as u32;
        let running = running.len() as u32;
        let waiting = self.plan.units() - done - running - failed;
        Counts { waiting, running, done, failed, killed: killed.len() as u32 }
    }

    /// Returns the current status.
    pub fn look(&mut self) -> PlanStatus {
        let done = layout::results(self.plan.folder());
        let mut marks: BTreeMap<u32, Vec<(AttemptId, Mark)>> = BTreeMap::new();
        for (id, mark) in layout::marks(self.plan.folder()) {
            marks.entry(id.unit).or_default().push((id, mark));
        }
        let mut counts = Counts::default();
        let mut units = Vec::with_capacity(self.plan.units() as usize);
        for unit in 0..self.plan.units() {
            let marks = marks.get(&unit).map(Vec::as_slice).unwrap_or_default();
            let state = if done.contains_key(&unit) { UnitState::Done } else { self.state(marks) };
            let count = match &state {
                UnitState::Waiting | UnitState::Killed => &mut counts.waiting,
                UnitState::Running { .. } => &mut counts.running,
                UnitState::Done => &mut counts.done,
                UnitState::Failed(_) => &mut counts.failed,
            };
            *count += 1;
            counts.killed += u32::from(state == UnitState::Killed);
            units.push(UnitStatus { state, attempts: marks.len() as u32 });
        }
        let activity = layout::activity(self.plan.folder());
        marks.retain(|unit, _| done.contains_key(unit));
        let planned = Some(self.plan.draft().seconds).filter(|seconds| *seconds > 0.0);
        let seconds_a_unit = self.mean_seconds(&marks).or(planned);
        let left = f64::from(counts.all() - counts.done) - progress(&units);
        let seconds_left =
            seconds_a_unit.filter(|_| counts.running > 0).map(|each| left * each / f64::from(counts.running));
        PlanStatus { units, counts, activity, seconds_a_unit, seconds_left }
    }

    /// Returns the mean seconds of the last finished units, given the marks of finished units; `None` if no time is known.
    fn mean_seconds(&mut self, marks: &BTreeMap<u32, Vec<(AttemptId, Mark)>>) -> Option<f64> {
        let ended = marks.values().rev().filter_map(|marks| marks.iter().find(|(_, mark)| *mark == Mark::Done));
        let times = ended.filter_map(|(id, mark)| seconds(self.text(id, *mark)).parse::<f64>().ok());
        let (count, sum) = times.take(MOST_TIMED).fold((0_u32, 0.0), |(count, sum), time| (count + 1, sum + time));
        (count > 0).then(|| sum / f64::from(count))
    }

    fn state(&mut self, marks: &[(AttemptId, Mark)]) -> UnitState {
        let mut is_killed = false;
        for (id, _) in marks.iter().filter(|(_, mark)| *mark == Mark::Run) {
            if self.is_alive(id) {
                let percent = percent_in(&read_mark(self.plan.folder(), id, Mark::Run));
                return UnitState::Running { host: id.host.clone(), process: id.process, percent };
            }
            is_killed = true;
        }
        match marks.iter().find(|(_, mark)| *mark == Mark::Failed) {
            Some((id, mark)) => UnitState::Failed(self.text(id, *mark).trim().to_owned()),
            None if is_killed => UnitState::Killed,
            None => UnitState::Waiting,
        }
    }

    fn is_alive(&mut self, id: &AttemptId) -> bool {
        self.beats.is_alive(self.plan.folder(), id, Instant::now())
    }

    /// Returns the text in the mark of an ended attempt.
    fn text(&mut self, id: &AttemptId, mark: Mark) -> &str {
        let plan = self.plan.folder();
        self.read.entry(id.name()).or_insert_with(|| read_mark(plan, id, mark))
    }
}

/// Returns the text in a mark; nothing if it cannot be read.
fn read_mark(plan: &Path, id: &AttemptId, mark: Mark) -> String {
    let mut bytes = Vec::new();
    let read =
        files::open(&layout::mark(plan, id, mark)).and_then(|file| file.take(LONGEST_MARK).read_to_end(&mut bytes));
    read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Returns the progress in the mark of a running attempt, such as ` 71 %`; that of an earlier version is empty.
fn percent_in(text: &str) -> Option<u8> {
    text.trim().strip_suffix(" %")?.trim().parse().ok().filter(|percent| *percent <= 100)
}

/// The seconds in the mark of a finished attempt: its first line.
fn seconds(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim()
}

/// Returns the units without a result, ascending.
pub fn not_done(plan: &Plan, work: &Runs) -> Vec<u32> {
    let done = layout::results(plan.folder());
    (0..work.units()).filter(|unit| !done.contains_key(unit)).collect()
}

/// Deletes the marks of failed attempts, so that their units wait again.
///
/// # Errors
/// A mark cannot be deleted.
pub fn forget_failures(plan: &Plan) -> io::Result<()> {
    for (id, mark) in layout::marks(plan.folder()) {
        if mark == Mark::Failed {
            // Another process may have deleted it.
            files::if_there(confined::resolve(&layout::mark(plan.folder(), &id, mark)).and_then(fs::remove_file))?;
        }
    }
    Ok(())
}

/// The marks of running attempts of other machines, as they were when last read.
#[derive(Default)]
pub(super) struct Beats(HashMap<String, Beat>);

struct Beat {
    touched: SystemTime,
    /// When this time was first read; `None` if it was too old at the first look.
    since: Option<Instant>,
}

impl Beats {
    /// Returns whether an attempt with a mark of a running one is alive: on this machine by its process, elsewhere by its mark.
    pub fn is_alive(&mut self, plan: &Path, id: &AttemptId, now: Instant) -> bool {
        if let Some(is_alive) = id.is_alive_here() {
            return is_alive;
        }
        let Some(touched) = touched(plan, id) else { return false };
        let first = || Beat { touched, since: is_alive(plan, id).then_some(now) };
        let beat = self.0.entry(id.name()).or_insert_with(first);
        if beat.touched != touched {
            *beat = Beat { touched, since: Some(now) };
        }
        beat.since.is_some_and(|since| now.duration_since(since) < DEAD_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::super::layout::{self, Mark};
    use super::*;

    /// The clock of the other machine is an hour behind.
    #[test]
    fn a_mark_that_is_touched_is_alive_whatever_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let id = AttemptId { host: "elsewhere".to_owned(), ..AttemptId::own(1) };
        let mark = layout::mark(folder.path(), &id, Mark::Run);
        crate::files::write_whole(&mark, b"").unwrap();
        let behind = SystemTime::now() - Duration::from_secs(3600);
        let touch = |seconds| {
            let file = File::options().write(true).open(&mark).unwrap();
            file.set_modified(behind + Duration::from_secs(seconds)).unwrap();
        };
        touch(0);
        let mut beats = Beats::default();
        let began = Instant::now();
        let mut is_alive = |seconds| beats.is_alive(folder.path(), &id, began + Duration::from_secs(seconds));
        assert!(!is_alive(0) && !is_alive(2), "nothing but its age is known");
        touch(5);
        assert!(is_alive(5) && is_alive(60));
        touch(70);
        assert!(is_alive(70) && is_alive(129) && !is_alive(131));
        std::fs::remove_file(&mark).unwrap();
        assert!(!is_alive(132));
    }
}
