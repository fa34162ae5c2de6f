//! What all runs and plans are doing: progress, speed, time left, the newest values, and alarms.
//!
//! One [`Reader`] reads the folder of runs for lists, the Monitor, alarms and `watch --all`.

mod reader;

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crossbeam_channel::bounded;
use mancalab_base::{Error, counted};
use serde::Serialize;

use super::cluster::index::{PlanEntry, PlanState};
use super::cluster::status::PlanStatus;
use super::job::run_dir::{Entry, EntryState, ROWS};
use super::kept::RunOrPlan;
use super::kinds::{self, Kind};
use super::threads;

pub(crate) use reader::{EVERY, Reader};

/// A run is stalled if its rows have not changed for this time and for as long as 20 of its generations take.
const STALLED: Duration = Duration::from_secs(120);
const STALLED_GENERATIONS: f64 = 20.0;
/// Free bytes of the disk below which there is an alarm.
const LEAST_FREE: u64 = 1 << 29;

/// A run or plan as it is now.
#[derive(Clone, PartialEq, Debug)]
pub struct MonitorRow {
    pub saved: RunOrPlan,
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
pub struct Overview {
    /// The most recently active first.
    pub all: Vec<MonitorRow>,
    /// Free bytes of the disk that holds the runs.
    pub free: Option<u64>,
    /// Processes that are computing or waiting, on average in the last minute, and the number of processors.
    pub load: Option<(f64, u16)>,
}

impl Overview {
    /// Returns what is computed first, then the others by their last change.
    pub fn running_first(&self) -> impl Iterator<Item = &MonitorRow> {
        let (running, others): (Vec<_>, Vec<_>) = self.all.iter().partition(|one| one.is_running());
        running.into_iter().chain(others)
    }

    /// Returns the runs and plans of this kind or of an unknown kind.
    pub fn of_kind(&self, kind: &Kind) -> Vec<RunOrPlan> {
        let is_own = |saved: &&RunOrPlan| saved.kind().is_none_or(|word| kind.is(word));
        self.all.iter().map(|one| &one.saved).filter(is_own).cloned().collect()
    }

    /// Returns whether a screen that shows one shows the other, apart from the load and the free disk: they always change.
    pub fn looks_like(&self, other: &Overview) -> bool {
        self.all == other.all && self.disk_alarm() == other.disk_alarm()
    }

    /// Returns the free disk, such as `212 GiB`, and the load, such as `2.1 of 2`, as they are shown.
    pub fn machine(&self) -> [Option<String>; 2] {
        let load = self.load.map(|(load, processors)| format!("{load:.1} of {processors}"));
        [self.free.map(size), load]
    }

    /// Returns a sentence if the disk is nearly full.
    pub fn disk_alarm(&self) -> Option<String> {
        let free = self.free.filter(|free| *free < LEAST_FREE)?;
        Some(format!("The disk is nearly full: {} MiB are free", free >> 20))
    }
}

impl MonitorRow {
    fn new(saved: RunOrPlan) -> MonitorRow {
        MonitorRow { saved, share: None, left: None, speed: None, column: "", curve: Vec::new(), alarm: None }
    }

    pub fn is_running(&self) -> bool {
        self.saved.word() == "running"
    }

    /// A plan, with the status of its units while they are computed.
    fn of_plan(plan: PlanEntry, plan_status: Option<&PlanStatus>) -> MonitorRow {
        let counts = plan.counts;
        let state = plan.state.clone();
        let mut own = MonitorRow::new(RunOrPlan::Plan(plan));
        let done = || f64::from(counts.done) / f64::from(counts.all());
        own.share = (counts.all() > 0).then(|| plan_status.map_or_else(done, PlanStatus::share));
        own.alarm = match state {
            PlanState::Failed => Some(Alarm::Failed(counted(counts.failed, "unit") + " failed")),
            PlanState::Crashed => Some(Alarm::Crashed),
            PlanState::Damaged(why) => Some(Alarm::Damaged(why)),
            PlanState::New | PlanState::Running | PlanState::Stopped | PlanState::Finished => None,
        };
        // The units' own times: pauses do not count.
        let each = plan_status.and_then(|status| status.seconds_a_unit).filter(|seconds| *seconds > 0.0);
        own.speed = each.filter(|_| counts.running > 0).map(|seconds| f64::from(counts.running) / seconds);
        own.left = plan_status.and_then(|status| status.seconds_left).map(duration);
        own
    }

    /// A run that has written no row for the time `quiet`. `pace` is the number of generations a second that were seen to end; without it
    /// the generations' own times count, which leave out what other runs take of the processors.
    fn of_run(run: Entry, quiet: Duration, pace: Option<f64>) -> MonitorRow {
        let mut own = MonitorRow::new(RunOrPlan::Run(run.clone()));
        let Some(manifest) = &run.manifest else {
            if let EntryState::Damaged(why) = run.state {
                own.alarm = Some(Alarm::Damaged(why));
            }
            return own;
        };
        let newest = run.generation;
        let of = manifest.generations;
        let done = newest.map_or(0.0, |newest| newest as f64);
        own.share = Some(if run.state == EntryState::Finished { 1.0 } else { done / (of.max(1)) as f64 }.min(1.0));
        let seconds = run.took.as_secs_f64();
        own.speed = pace.or(Some(done / seconds)).filter(|speed| speed.is_finite() && *speed > 0.0);
        let tail = Tail::read(&run.folder.join(ROWS)).unwrap_or_default();
        own.column = kinds::by_word(&manifest.kind).and_then(|kind| kind.curve(&tail.names)).unwrap_or_default();
        own.curve = tail.numbers(own.column);
        let patience = own.speed.map_or(f64::INFINITY, |speed| STALLED_GENERATIONS / speed);
        own.alarm = match run.state {
            EntryState::Crashed => Some(Alarm::Crashed),
            EntryState::Failed(why) => Some(Alarm::Failed(why)),
            EntryState::Damaged(why) => Some(Alarm::Damaged(why)),
            EntryState::Running(_) if quiet > STALLED && quiet.as_secs_f64() > patience => Some(Alarm::Stalled),
            EntryState::Running(_) | EntryState::Paused(_) | EntryState::Stopped | EntryState::Finished => tail.alarm(),
        };
        let left = own.speed.filter(|_| own.is_running()).map(|speed| (of as f64 - done) / speed);
        own.left = left.map(duration);
        own
    }
}

/// Formats a size in units of 1024 bytes: `212 GiB`.
fn size(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{} MiB", bytes >> 20),
        gibibytes => format!("{gibibytes} GiB"),
    }
}

/// An estimated time, which may be odd.
fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 1e10))
}

/// A run or plan for programs.
#[derive(Clone, Serialize)]
pub(crate) struct Json {
    pub(crate) name: String,
    /// As text: what is not UTF-8 is replaced.
    pub(crate) folder: String,
    pub(crate) plan: bool,
    pub(crate) preset: String,
    pub(crate) state: &'static str,
    pub(crate) share: Option<f64>,
    /// The newest generation or round, or the number of finished units.
    #[serde(rename = "at")]
    pub(crate) newest: Option<u64>,
    pub(crate) seconds_left: Option<f64>,
    /// Generations, rounds or units.
    per_second: Option<f64>,
    pub(crate) best: String,
    pub(crate) alarm: Option<String>,
}

impl From<&MonitorRow> for Json {
    fn from(one: &MonitorRow) -> Json {
        Json {
            name: one.saved.name().to_owned(),
            folder: one.saved.folder().to_string_lossy().into_owned(),
            plan: one.saved.is_plan(),
            preset: one.saved.preset().to_owned(),
            state: one.saved.word(),
            share: one.share,
            newest: one.saved.newest(),
            seconds_left: one.left.map(|left| left.as_secs_f64()),
            per_second: one.speed,
            best: if one.saved.is_plan() { String::new() } else { one.saved.best() },
            alarm: one.alarm.as_ref().map(Alarm::text),
        }
    }
}

/// Returns what changed since the last time, as JSON values by folder; `before` is updated. What no longer exists is `deleted`.
pub(crate) fn changes(seen: &Overview, before: &mut HashMap<PathBuf, (String, Json)>) -> Vec<Json> {
    let mut changed = Vec::new();
    let mut gone = std::mem::take(before);
    for one in seen.running_first() {
        let folder = one.saved.folder().to_owned();
        let state = format!("{:?} {:?} {:?}", one.saved.word(), one.saved.newest(), one.alarm);
        let json = match gone.remove(&folder) {
            Some((known, json)) if known == state => json,
            _ => {
                changed.push(Json::from(one));
                Json::from(one)
            }
        };
        before.insert(folder, (state, json));
    }
    let deleted = |(_, json): (String, Json)| Json { state: "deleted", alarm: None, seconds_left: None, ..json };
    changed.extend(gone.into_values().map(deleted));
    changed
}

/// Bytes of the end of `generations.csv` that are read.
const TAIL: u64 = 1 << 16;

/// The names and newest rows of `generations.csv`.
#[derive(Default)]
struct Tail {
    pub names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Tail {
    pub fn read(path: &Path) -> Option<Tail> {
        let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut file = super::files::open(path).ok()?;
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

    pub fn numbers(&self, column: &str) -> Vec<f64> {
        let Some(at) = self.names.iter().position(|name| name == column) else { return Vec::new() };
        let number = |row: &Vec<String>| row.get(at)?.parse::<f64>().ok().filter(|number| number.is_finite());
        self.rows.iter().filter_map(number).collect()
    }

    /// What is wrong with the newest row.
    pub fn alarm(&self) -> Option<Alarm> {
        let newest = self.rows.last()?;
        let is_odd = |text: &str| text.parse::<f64>().is_ok_and(|number| !number.is_finite());
        if let Some(at) = newest.iter().position(|text| is_odd(text)) {
            return Some(Alarm::NotANumber(self.names.get(at).cloned().unwrap_or_default()));
        }
        let entropy = self.names.iter().find(|name| name.starts_with("entropy"))?;
        (*self.numbers(entropy).last()? < LEAST_ENTROPY).then_some(Alarm::NoEntropy)
    }
}

/// The newest thing that happened to a run or a plan, or its start.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub time: SystemTime,
    pub name: String,
    pub what: String,
    pub is_alarm: bool,
}

impl Overview {
    /// Returns all events, the newest first. They follow from the files: nothing is remembered.
    pub fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = self.all.iter().flat_map(|one| [started(one), newest(one)]).flatten().collect();
        super::sort::sort_by(&mut events, |one, other| other.time.cmp(&one.time));
        events
    }
}

fn started(one: &MonitorRow) -> Option<Event> {
    let what = if one.saved.is_plan() { "created" } else { "started" };
    Some(Event {
        time: one.saved.started()?,
        name: one.saved.name().to_owned(),
        what: what.to_owned(),
        is_alarm: false,
    })
}

/// Returns the last change; `None` for a run without an alarm that computes its next row.
fn newest(one: &MonitorRow) -> Option<Event> {
    let what = match (&one.alarm, &one.saved) {
        (Some(Alarm::Crashed | Alarm::Damaged(_)) | None, _) if !one.is_running() => one.saved.word().to_owned(),
        (Some(alarm), _) => alarm.text(),
        (None, RunOrPlan::Plan(plan)) if plan.counts.done > 0 => {
            format!("{} of {} done", plan.counts.done, counted(plan.counts.all(), "unit"))
        }
        (None, _) => return None,
    };
    let time = one.saved.changed().filter(|changed| one.saved.started() != Some(*changed))?;
    Some(Event { time, name: one.saved.name().to_owned(), what, is_alarm: one.alarm.is_some() })
}

/// Time within which a failure of the user's command is reported: it occupies a thread that reads files.
const PATIENCE: Duration = Duration::from_millis(500);

/// The policy of a training chooses nearly always the same moves below this entropy.
const LEAST_ENTROPY: f64 = 0.01;

/// What is wrong with a run, a plan or the disk.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Alarm {
    Crashed,
    /// Why.
    Failed(String),
    /// Its files cannot be read: why.
    Damaged(String),
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
            Alarm::Failed(why) | Alarm::Damaged(why) => why.clone(),
            Alarm::Stalled => "it has written no row for a long time".to_owned(),
            Alarm::NotANumber(column) => format!("{column} is not a number"),
            Alarm::NoEntropy => format!("the policy's entropy is below {LEAST_ENTROPY}"),
        }
    }
}

/// The alarms that were reported, so that each is reported once.
#[derive(Default)]
pub(crate) struct ReportedAlarms {
    known: HashSet<(PathBuf, Alarm)>,
    /// Damage seen for the first time in the last read: a run that is being deleted lacks some files for a moment.
    unsure: HashSet<PathBuf>,
    is_disk_known: bool,
    /// Whether anything was looked at before: older alarms are not reported.
    has_begun: bool,
}

impl ReportedAlarms {
    /// Returns the alarms that are new, in words.
    pub fn news(&mut self, seen: &Overview) -> Vec<String> {
        let mut news = Vec::new();
        // An alarm that is gone may come again.
        let before = std::mem::take(&mut self.known);
        let unsure = std::mem::take(&mut self.unsure);
        for one in &seen.all {
            let Some(alarm) = &one.alarm else { continue };
            let known = (one.saved.folder().to_owned(), alarm.clone());
            let is_damage = |(_, alarm): &(PathBuf, Alarm)| matches!(alarm, Alarm::Damaged(_));
            if self.has_begun && is_damage(&known) && !before.contains(&known) && !unsure.contains(&known.0) {
                self.unsure.insert(known.0);
                continue;
            }
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

/// Runs the user's command for an alarm, which it finds in `MANCALAB_ALARM`. Does not wait for one that takes longer than
/// [`PATIENCE`].
///
/// # Errors
/// The command cannot be started, or fails within that time.
pub(crate) fn run_command(command: &str, alarm: &str) -> Result<(), Error> {
    run_within(PATIENCE, command, alarm)
}

fn run_within(patience: Duration, command: &str, alarm: &str) -> Result<(), Error> {
    let failed = |why: &dyn Display| Error::from(format!("the command of ui.on_alarm failed: {why}: {command}"));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).env("MANCALAB_ALARM", alarm);
    let mut child =
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|why| failed(&why))?;
    let (sender, ended) = bounded(1);
    // Waited for, so that nothing is left behind when it ends.
    threads::spawn("alarm", move || _ = sender.send(child.wait())).map_err(|why| failed(&why))?;
    match ended.recv_timeout(patience) {
        Ok(Ok(status)) if !status.success() => Err(failed(&status)),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::super::cluster::index::What;
    use super::super::cluster::layout::Activity;
    use super::super::cluster::status::Counts;
    use super::*;

    fn plan(state: PlanState) -> PlanEntry {
        let name = "sweep".to_owned();
        let folder = PathBuf::from("sweep");
        let now = SystemTime::now();
        let what = What { command: "evolve", kind: "gp".to_owned(), preset: "p".to_owned(), seeds: "1-20".to_owned() };
        let counts = Counts { waiting: 17, running: 2, done: 1, failed: 0, killed: 0 };
        let started = Some(now - Duration::from_secs(20 * 60));
        PlanEntry {
            name,
            folder,
            state,
            what: Some(what),
            counts,
            has_merged: false,
            started,
            changed: Some(now),
            size: 0,
            notes: Default::default(),
        }
    }

    #[test]
    fn the_time_that_a_plan_was_idle_does_not_count() {
        let entry = plan(PlanState::Running);
        let counts = entry.counts;
        let units = Vec::new();
        let each = Some(6.0);
        let left = Some(57.0);
        let status = PlanStatus { units, counts, activity: Activity::Begun, seconds_a_unit: each, seconds_left: left };
        let monitored = MonitorRow::of_plan(entry, Some(&status));
        assert_eq!((monitored.left, monitored.speed), (Some(Duration::from_secs(57)), Some(2.0 / 6.0)));
        assert_eq!(monitored.alarm, None);
    }

    #[test]
    fn a_plan_whose_process_was_killed_has_an_alarm() {
        let monitored = MonitorRow::of_plan(plan(PlanState::Crashed), None);
        assert_eq!((monitored.saved.word(), monitored.alarm), ("crashed", Some(Alarm::Crashed)));
    }

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
    fn a_command_that_fails_is_reported() {
        let run = |command: &str| run_within(Duration::from_secs(60), command, "fire");
        assert_eq!(run("test $MANCALAB_ALARM = fire"), Ok(()));
        let error = run("exit 3").unwrap_err().to_string();
        assert_eq!(error, "the command of ui.on_alarm failed: exit status: 3: exit 3");
    }

    #[test]
    fn an_alarm_is_news_once_and_only_if_it_was_not_there_before() {
        let mut reported = ReportedAlarms::default();
        let full = Overview { free: Some(1 << 20), ..Overview::default() };
        assert_eq!(reported.news(&Overview::default()), [""; 0]);
        assert_eq!(reported.news(&full), ["The disk is nearly full: 1 MiB are free"]);
        assert_eq!(reported.news(&full), [""; 0]);
    }
}
