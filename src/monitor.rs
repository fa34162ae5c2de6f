//! What all runs and plans are doing: progress, speed, time left, the newest values, and alarms.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::cluster::index::PlanState;
use crate::job::run_dir::{EntryState, ROWS};
use crate::kept::{self, Saved};
use crate::kinds;

/// Bytes of the end of `generations.csv` that are read.
const TAIL: u64 = 1 << 16;
/// A run is stalled if its newest row is older than this and than 20 of its generations take.
const STALLED: Duration = Duration::from_secs(120);
const STALLED_GENERATIONS: f64 = 20.0;
/// The policy of a training chooses nearly always the same moves below this entropy.
const LEAST_ENTROPY: f64 = 0.01;
/// Free bytes of the disk below which there is an alarm.
const LEAST_FREE: u64 = 1 << 29;

/// What is wrong with a run, a plan or the disk.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Alarm {
    Crashed,
    /// Why.
    Failed(String),
    Stalled,
    /// A column of the newest row that is not a number.
    NotANumber(String),
    /// The policy of a training has become almost deterministic.
    NoEntropy,
}

impl Alarm {
    pub fn text(&self) -> String {
        match self {
            Alarm::Crashed => "its process was killed; it can be resumed".to_owned(),
            Alarm::Failed(why) => why.clone(),
            Alarm::Stalled => "it has written no row for a long time".to_owned(),
            Alarm::NotANumber(column) => format!("{column} is not a number"),
            Alarm::NoEntropy => format!("the policy's entropy is below {LEAST_ENTROPY}"),
        }
    }
}

/// A run or plan as it is now.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Monitored {
    pub saved: Saved,
    /// The fraction done, 0 to 1; `None` if unknown.
    pub share: Option<f64>,
    /// The estimated rest of its time, while it is computed.
    pub left: Option<Duration>,
    /// Generations, rounds or units per second, on average.
    pub speed: Option<f64>,
    /// The column in which runs of its kind are compared, and its newest values.
    pub column: &'static str,
    pub curve: Vec<f64>,
    pub alarm: Option<Alarm>,
}

/// Everything at one moment.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Seen {
    /// What is computed first, then the others by their last change.
    pub all: Vec<Monitored>,
    /// Free bytes of the disk that holds the runs.
    pub free: Option<u64>,
}

impl Seen {
    /// Reads the state of all runs and plans in a folder. Reads files.
    pub fn look(runs: &Path, now: SystemTime) -> Seen {
        let mut all: Vec<Monitored> = kept::all(runs).into_iter().map(|saved| Monitored::of(saved, now)).collect();
        crate::sort::sort_by_key(&mut all, |one| !one.is_running());
        let free = rustix::fs::statvfs(runs).ok().map(|disk| disk.f_bavail * disk.f_frsize);
        Seen { all, free }
    }

    pub fn is_anything_running(&self) -> bool {
        self.all.iter().any(Monitored::is_running)
    }

    /// Returns a sentence if the disk is nearly full.
    pub fn disk_alarm(&self) -> Option<String> {
        let free = self.free.filter(|free| *free < LEAST_FREE)?;
        Some(format!("The disk is nearly full: {} MiB are free", free >> 20))
    }
}

impl Monitored {
    fn of(saved: Saved, now: SystemTime) -> Monitored {
        let unknown =
            Monitored { saved, share: None, left: None, speed: None, column: "", curve: Vec::new(), alarm: None };
        match &unknown.saved {
            Saved::Plan(_) => unknown.with_plan(),
            Saved::Run(_) => unknown.with_run(now),
        }
    }

    pub fn is_running(&self) -> bool {
        self.saved.word() == "running"
    }

    fn with_plan(mut self) -> Monitored {
        let Saved::Plan(plan) = &self.saved else { return self };
        let counts = plan.counts;
        self.share = (counts.all() > 0).then(|| f64::from(counts.done) / f64::from(counts.all()));
        if plan.state == PlanState::Failed {
            self.alarm = Some(Alarm::Failed(format!("{} units failed", counts.failed)));
        }
        let took = plan.started.zip(plan.changed).and_then(|(started, changed)| changed.duration_since(started).ok());
        let took = took.map(|took| took.as_secs_f64()).filter(|seconds| counts.done > 0 && *seconds > 0.0);
        self.speed = took.map(|seconds| f64::from(counts.done) / seconds);
        self.estimate(f64::from(counts.all() - counts.done));
        self
    }

    fn with_run(mut self, now: SystemTime) -> Monitored {
        let Saved::Run(run) = &self.saved else { return self };
        let Some(manifest) = &run.manifest else { return self };
        let (newest, of) = (run.generation, manifest.generations);
        let done = newest.map_or(0.0, |newest| newest as f64);
        self.share = Some(if run.state == EntryState::Finished { 1.0 } else { done / (of.max(1)) as f64 }.min(1.0));
        let seconds = run.took.as_secs_f64();
        self.speed = Some(done / seconds).filter(|speed| speed.is_finite() && *speed > 0.0);
        let tail = Tail::read(&run.folder.join(ROWS)).unwrap_or_default();
        self.column = kinds::by_word(&manifest.kind).and_then(|kind| kind.curve(&tail.names)).unwrap_or_default();
        self.curve = tail.numbers(self.column);
        let quiet = run.changed.and_then(|changed| now.duration_since(changed).ok()).unwrap_or_default();
        let patience = self.speed.map_or(f64::INFINITY, |speed| STALLED_GENERATIONS / speed);
        self.alarm = match &run.state {
            EntryState::Crashed => Some(Alarm::Crashed),
            EntryState::Failed(why) | EntryState::Damaged(why) => Some(Alarm::Failed(why.clone())),
            EntryState::Running(_) if quiet > STALLED && quiet.as_secs_f64() > patience => Some(Alarm::Stalled),
            EntryState::Running(_) | EntryState::Paused(_) | EntryState::Stopped | EntryState::Finished => tail.alarm(),
        };
        self.estimate(of as f64 - done);
        self
    }

    /// Estimates the time for what is left, if it is computed.
    fn estimate(&mut self, rest: f64) {
        let seconds = self.speed.filter(|_| self.is_running()).map(|speed| (rest / speed).clamp(0.0, 1e10));
        self.left = seconds.map(Duration::from_secs_f64);
    }
}

/// The names and newest rows of `generations.csv`.
#[derive(Default)]
struct Tail {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Tail {
    fn read(path: &Path) -> Option<Tail> {
        let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut file = File::open(path).ok()?;
        let mut start = Vec::new();
        file.by_ref().take(TAIL).read_to_end(&mut start).ok()?;
        let length = file.metadata().ok()?.len();
        let start = String::from_utf8_lossy(&start).into_owned();
        let names = fields(start.lines().next()?);
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
        let mut end = Vec::new();
        file.take(TAIL).read_to_end(&mut end).ok()?;
        let end = String::from_utf8_lossy(&end).into_owned();
        // The first line is the header or incomplete, and so may be the last.
        let whole = end.rsplit_once('\n').map_or("", |(whole, _)| whole);
        Some(Tail { names, rows: whole.lines().skip(1).map(fields).collect() })
    }

    fn numbers(&self, column: &str) -> Vec<f64> {
        let Some(at) = self.names.iter().position(|name| name == column) else { return Vec::new() };
        let number = |row: &Vec<String>| row.get(at)?.parse::<f64>().ok().filter(|number| number.is_finite());
        self.rows.iter().filter_map(number).collect()
    }

    /// What is wrong with the newest row.
    fn alarm(&self) -> Option<Alarm> {
        let newest = self.rows.last()?;
        let is_odd = |text: &str| text.parse::<f64>().is_ok_and(|number| !number.is_finite());
        if let Some(at) = newest.iter().position(|text| is_odd(text)) {
            return Some(Alarm::NotANumber(self.names.get(at).cloned().unwrap_or_default()));
        }
        let entropy = self.names.iter().find(|name| name.starts_with("entropy"))?;
        (*self.numbers(entropy).last()? < LEAST_ENTROPY).then_some(Alarm::NoEntropy)
    }
}

/// The alarms that were reported, so that each is reported once.
#[derive(Default)]
pub(crate) struct Reported {
    known: HashSet<(PathBuf, Alarm)>,
    is_disk_known: bool,
    /// Whether anything was looked at before: older alarms are not reported.
    has_begun: bool,
}

impl Reported {
    /// Returns the alarms that are new, in words.
    pub fn news(&mut self, seen: &Seen) -> Vec<String> {
        let mut news = Vec::new();
        // An alarm that is gone may come again.
        let before = std::mem::take(&mut self.known);
        for one in &seen.all {
            let Some(alarm) = &one.alarm else { continue };
            let known = (one.saved.folder().to_owned(), alarm.clone());
            if self.has_begun && !before.contains(&known) {
                news.push(format!("{}: {}", one.saved.name(), alarm.text()));
            }
            self.known.insert(known);
        }
        let disk = seen.disk_alarm();
        if let Some(text) = disk.clone().filter(|_| !self.is_disk_known) {
            news.push(text);
        }
        (self.is_disk_known, self.has_begun) = (disk.is_some(), true);
        news
    }
}

/// Runs the user's command for an alarm, which it finds in `MANCALAB_ALARM`, in the background.
pub(crate) fn run_command(command: &str, alarm: &str) {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).env("MANCALAB_ALARM", alarm);
    let child = shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut child) = child {
        // Waited for, so that nothing is left behind when it ends.
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}

/// A run or plan for programs.
#[derive(Serialize)]
pub(crate) struct Json {
    name: String,
    folder: PathBuf,
    plan: bool,
    preset: String,
    state: &'static str,
    share: Option<f64>,
    /// The newest generation or round, or the number of finished units.
    at: Option<u64>,
    seconds_left: Option<f64>,
    /// Generations, rounds or units.
    per_second: Option<f64>,
    best: String,
    alarm: Option<String>,
}

impl From<&Monitored> for Json {
    fn from(one: &Monitored) -> Json {
        Json {
            name: one.saved.name().to_owned(),
            folder: one.saved.folder().to_owned(),
            plan: one.saved.is_plan(),
            preset: one.saved.preset().to_owned(),
            state: one.saved.word(),
            share: one.share,
            at: one.saved.at(),
            seconds_left: one.left.map(|left| left.as_secs_f64()),
            per_second: one.speed,
            best: if one.saved.is_plan() { String::new() } else { one.saved.best() },
            alarm: one.alarm.as_ref().map(Alarm::text),
        }
    }
}

/// Returns what changed since the last time, as JSON values by folder; `before` is updated.
pub(crate) fn changes(seen: &Seen, before: &mut HashMap<PathBuf, String>) -> Vec<Json> {
    let mut changed = Vec::new();
    for one in &seen.all {
        let state = format!("{:?} {:?} {:?}", one.saved.word(), one.saved.at(), one.alarm);
        if before.insert(one.saved.folder().to_owned(), state.clone()) != Some(state) {
            changed.push(Json::from(one));
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(text: &str) -> Tail {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        std::fs::write(&path, text).unwrap();
        Tail::read(&path).unwrap()
    }

    #[test]
    fn the_newest_rows_are_read_and_judged() {
        let good = tail("generation,best,entropy_nats\n0,1.5,0.9\n1,2.5,0.8\n2,");
        assert_eq!((good.numbers("best"), good.alarm()), (vec![1.5, 2.5], None));
        assert_eq!(tail("generation,best\n0,NaN\n").alarm(), Some(Alarm::NotANumber("best".to_owned())));
        assert_eq!(tail("generation,entropy_nats\n0,0.5\n1,0.001\n").alarm(), Some(Alarm::NoEntropy));
        assert_eq!(tail("generation,best\n").alarm(), None);
        let long: String = (0..20_000).map(|at| format!("{at},{at}\n")).collect();
        let long = tail(&format!("generation,best\n{long}"));
        assert_eq!(long.numbers("best").last(), Some(&19_999.0));
        assert!(long.rows.len() > 1000 && long.rows.iter().all(|row| row[0] == row[1]));
    }

    #[test]
    fn an_alarm_is_news_once_and_only_if_it_was_not_there_before() {
        let mut reported = Reported::default();
        let full = Seen { free: Some(1 << 20), ..Seen::default() };
        assert_eq!(reported.news(&Seen::default()), [""; 0]);
        assert_eq!(reported.news(&full), ["The disk is nearly full: 1 MiB are free"]);
        assert_eq!(reported.news(&full), [""; 0]);
    }
}
