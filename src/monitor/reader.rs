//! Reads the folder of runs again and again, and remembers what is at rest: its files are opened only after a change.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use mancalab_base::Error;

use super::{MonitorRow, Overview};
use crate::cluster::index::{self, PlanState};
use crate::cluster::plan::Plan;
use crate::cluster::status::Watcher;
use crate::job::run_dir::{self, EntryState};
use crate::kept::{self, RunOrPlan};

/// The time between two reads while the runs are shown.
pub(crate) const EVERY: Duration = Duration::from_secs(2);

/// Seconds that a run is watched before its speed is that of the clock.
const LEAST_SEEN: f64 = 5.0;

/// A reader of a folder of runs. Reads files: for background tasks.
pub(crate) struct Reader {
    runs: PathBuf,
    known: HashMap<PathBuf, CachedEntry>,
    /// Number of runs and plans whose files were opened.
    #[cfg(test)]
    opened: usize,
}

/// A run or plan as it was read last.
struct CachedEntry {
    stamp: Stamp,
    monitored: MonitorRow,
    more: More,
}

#[derive(Clone, PartialEq, Eq)]
enum Stamp {
    Run(Vec<Option<(SystemTime, u64)>>),
    Plan(Vec<Option<SystemTime>>),
}

/// What the next read continues from.
enum More {
    /// Since when the rows of a running run are as they are, by this machine's clock: others may be wrong; and the ends of generations that
    /// were seen.
    Run(Instant, Pace),
    Plan(Box<Result<Watcher, Error>>),
}

impl Reader {
    pub fn new(runs: PathBuf) -> Reader {
        Reader {
            runs,
            known: HashMap::new(),
            #[cfg(test)]
            opened: 0,
        }
    }

    /// Reads the state of all runs and plans.
    pub fn read(&mut self, now: Instant) -> Overview {
        let mut before = std::mem::take(&mut self.known);
        for folder in index::folders(&self.runs) {
            let stamp = match run_dir::is_run(&folder) {
                true => Stamp::Run(run_dir::stamp(&folder)),
                false => Stamp::Plan(index::stamp(&folder)),
            };
            let known = match before.remove(&folder) {
                Some(known) if known.stamp == stamp && known.is_at_rest() => known,
                known => {
                    #[cfg(test)]
                    (self.opened += 1);
                    CachedEntry::read(folder.clone(), stamp, known, now)
                }
            };
            self.known.insert(folder, known);
        }
        let mut all: Vec<MonitorRow> = self.known.values().map(|known| known.monitored.clone()).collect();
        crate::sort::sort_by(&mut all, |a, b| kept::by_change(&a.saved, &b.saved));
        let free = rustix::fs::statvfs(&self.runs).ok().map(|disk| disk.f_bavail * disk.f_frsize);
        Overview { all, free, load: load() }
    }
}

/// Returns the load of the machine and its processors; `None` where the system has no such file.
fn load() -> Option<(f64, u16)> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let processors = std::thread::available_parallelism().ok()?.get();
    Some((text.split_whitespace().next()?.parse().ok()?, u16::try_from(processors).ok()?))
}

/// The ends of a running run's generations that were seen.
#[derive(Clone, Copy, Default)]
struct Pace {
    newest: Option<u64>,
    /// The first end and the newest, each with its generation. When the generation before the first end began is unknown.
    ends: Option<[(Instant, u64); 2]>,
}

impl Pace {
    fn see(&mut self, generation: Option<u64>, now: Instant) {
        if generation == self.newest {
            return;
        }
        let newest = generation.zip(self.newest).filter(|(generation, before)| generation > before);
        // Without rows before, or with fewer than before: after a crash those since the checkpoint are computed again.
        let Some((newest, _)) = newest else { return *self = Pace { newest: generation, ends: None } };
        let end = (now, newest);
        self.ends = Some([self.ends.map_or(end, |[first, _]| first), end]);
        self.newest = generation;
    }

    /// Returns the generations a second between the ends of two; `None` until enough time was seen for an estimate.
    fn speed(&self) -> Option<f64> {
        let [(first, before), (newest, generation)] = self.ends?;
        let seconds = newest.duration_since(first).as_secs_f64();
        (seconds >= LEAST_SEEN).then(|| (generation - before) as f64 / seconds)
    }
}

impl CachedEntry {
    fn read(folder: PathBuf, stamp: Stamp, before: Option<CachedEntry>, now: Instant) -> CachedEntry {
        match &stamp {
            Stamp::Run(_) => {
                let entry = run_dir::entry(folder);
                let is_running = matches!(entry.state, EntryState::Running(_));
                let before = before.filter(|before| is_running && before.monitored.is_running());
                let is_same = before.as_ref().is_some_and(|before| before.stamp == stamp);
                let (since, mut pace) = match before.map(|before| before.more) {
                    Some(More::Run(since, pace)) => (if is_same { since } else { now }, pace),
                    Some(More::Plan(_)) | None => (now, Pace::default()),
                };
                pace.see(entry.generation, now);
                let monitored = MonitorRow::of_run(entry, now.duration_since(since), pace.speed());
                CachedEntry { stamp, monitored, more: More::Run(since, pace) }
            }
            Stamp::Plan(times) => {
                // The first two are those of the folder and of `plan.toml`.
                let is_same =
                    |before: &CachedEntry| matches!(&before.stamp, Stamp::Plan(other) if other.get(1) == times.get(1));
                let mut watcher = match before.filter(is_same).map(|before| before.more) {
                    Some(More::Plan(watcher)) if watcher.is_ok() => watcher,
                    _ => Box::new(Plan::open(&folder).map(Watcher::new)),
                };
                let entry = index::entry_of(folder, watcher.as_mut().as_mut());
                let is_running = entry.state == PlanState::Running;
                let status = watcher.as_mut().as_mut().ok().filter(|_| is_running).map(Watcher::look);
                let monitored = MonitorRow::of_plan(entry, status.as_ref());
                CachedEntry { stamp, monitored, more: More::Plan(watcher) }
            }
        }
    }

    /// Whether it stays as it is until one of its files changes.
    fn is_at_rest(&self) -> bool {
        match &self.monitored.saved {
            RunOrPlan::Run(run) => match run.state {
                // That a process was killed, or can read a file again, changes no file.
                EntryState::Running(_) | EntryState::Paused(_) | EntryState::Damaged(_) => false,
                EntryState::Stopped | EntryState::Crashed | EntryState::Failed(_) | EntryState::Finished => true,
            },
            RunOrPlan::Plan(plan) => match plan.state {
                PlanState::Running | PlanState::Damaged(_) => false,
                PlanState::New | PlanState::Stopped | PlanState::Failed | PlanState::Crashed | PlanState::Finished => {
                    true
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Alarm, changes};
    use super::*;
    use crate::budget::{Budget, Job as _};
    use crate::evolve::kalah::weights::preset;
    use crate::job::RunJob;
    use crate::kinds;
    use crate::pool::Pool;
    use crate::settings::KeyedSettings as _;

    fn begun(folder: &Path) -> RunJob {
        let mut settings = preset("kalah-thesis").unwrap();
        for (key, value) in [("population", "4"), ("generations", "3"), ("depth", "1"), ("games", "1")] {
            settings.set(key, value).unwrap();
        }
        let mut job = RunJob::create(folder, settings, &Pool::alone()).unwrap();
        job.step(Budget::UNLIMITED.single());
        job.step(Budget::UNLIMITED.single());
        job
    }

    #[test]
    fn the_pace_is_that_between_the_ends_of_generations() {
        let start = Instant::now();
        let seen = |all: &[(u64, u64)]| {
            let mut pace = Pace::default();
            all.iter()
                .for_each(|&(seconds, generation)| pace.see(Some(generation), start + Duration::from_secs(seconds)));
            pace.speed()
        };
        // The first end says nothing of how long that generation took.
        assert_eq!(seen(&[(0, 7), (6, 8)]), None);
        assert_eq!(seen(&[(0, 7), (6, 8), (66, 10)]), Some(2.0 / 60.0));
        // A run that stands still keeps its speed, so that it is known to be stalled.
        assert_eq!(seen(&[(0, 7), (6, 8), (66, 10), (9000, 10)]), Some(2.0 / 60.0));
        // After a crash rows are computed again.
        assert_eq!(seen(&[(0, 7), (6, 8), (66, 10), (70, 4), (80, 5), (90, 6)]), Some(0.1));
        assert_eq!(seen(&[(0, 7), (1, 8), (3, 9)]), None);
    }

    #[test]
    fn runs_at_rest_are_opened_once_and_again_after_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let one = folder.path().join("one");
        begun(&one).step(Budget::UNLIMITED);
        drop(begun(&folder.path().join("two")));
        let mut reader = Reader::new(folder.path().to_owned());
        let mut words = || {
            let seen = reader.read(Instant::now());
            let mut words: Vec<_> =
                seen.all.iter().map(|one| (one.saved.name().to_owned(), one.saved.word())).collect();
            crate::sort::sort(&mut words);
            (reader.opened, words.into_iter().map(|(_, word)| word).collect::<Vec<_>>())
        };
        assert_eq!(words(), (2, vec!["finished", "stopped"]));
        assert_eq!(words(), (2, vec!["finished", "stopped"]));
        let (job, _) = kinds::resume(&folder.path().join("two"), &Pool::alone()).unwrap();
        assert_eq!(words(), (3, vec!["finished", "running"]));
        assert_eq!(words(), (4, vec!["finished", "running"]), "it may be killed, which changes no file");
        drop(job);
        assert_eq!(words(), (5, vec!["finished", "stopped"]));
        fs::remove_dir_all(&one).unwrap();
        assert_eq!(words(), (5, vec!["stopped"]));
    }

    /// A file's time may be that of another machine's clock.
    #[test]
    fn a_run_is_stalled_if_its_rows_stay_as_they_are_whatever_their_times() {
        let folder = tempfile::tempdir().unwrap();
        let job = begun(&folder.path().join("one"));
        let rows = folder.path().join("one").join(run_dir::ROWS);
        let touch = || {
            let file = fs::File::options().append(true).open(&rows).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(100_000)).unwrap();
        };
        touch();
        let mut reader = Reader::new(folder.path().to_owned());
        let began = Instant::now();
        let mut alarm = |seconds| reader.read(began + Duration::from_secs(seconds)).all[0].alarm.clone();
        assert_eq!((alarm(0), alarm(119)), (None, None));
        assert_eq!(alarm(121), Some(Alarm::Stalled));
        drop(job);
        assert_eq!(alarm(122), None);
    }

    #[test]
    fn what_is_gone_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(&folder.path().join("one")));
        let mut reader = Reader::new(folder.path().to_owned());
        let mut before = HashMap::new();
        let mut states = || {
            let changed = changes(&reader.read(Instant::now()), &mut before);
            changed.iter().map(|one| serde_json::to_value(one).unwrap()["state"].clone()).collect::<Vec<_>>()
        };
        assert_eq!((states(), states()), (vec!["stopped".into()], vec![]));
        fs::remove_dir_all(folder.path().join("one")).unwrap();
        assert_eq!((states(), states()), (vec!["deleted".into()], vec![]));
    }
}
