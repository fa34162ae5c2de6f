//! Runs without a screen: what `mancalab evolve`, `tune`, `train` and `arena` have in common.
//!
//! A run is begun in a new directory or taken up again, and driven until it is done or a signal comes; in between it is told how
//! it goes: by a line that changes on a terminal (see [`live`](super::live)), by lines that stay elsewhere, or in JSON. What there is to tell is each kind's
//! own, and said by a [`Reporter`].

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;
use serde_json::Value;

pub use super::live::clock;
use super::live::{Live, Progress};
use super::{out, signals};
use crate::budget::{Budget, Job as _, Status};
use crate::job::run_dir::index;
use crate::job::{Manifest, Run, RunJob, RunReader, run_dir};
use crate::kinds::{self, AnyRun, AnySettings, AnyView, KINDS, Kind};
use crate::paths::Paths;
use crate::pool::{MAX_THREADS, Pool};
use crate::sanitize;
use crate::settings::Listed as _;

/// The flags of every command that drives a run. Such a command has a positional argument `preset`.
#[derive(Args, Debug, Default)]
pub struct RunArgs {
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Folder of the run; default: a new one in the state directory
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume a run, by folder, name or unique start of the name
    #[arg(long, value_name = "RUN", conflicts_with_all = ["preset", "decided"])]
    pub resume: Option<PathBuf>,
    /// Print one JSON object per generation (or round), then a summary
    #[arg(long)]
    pub json: bool,
}

/// What `--threads` takes.
pub(super) fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=MAX_THREADS as u64)
}

/// What there is to tell of runs of a kind.
pub trait Reporter {
    /// The command that drives them.
    const COMMAND: &'static str;
    /// What there is to see of one.
    type View: 'static;

    /// Says a line to people: on standard output, unless that is for the result alone.
    fn say(&self, text: &str) {
        out::line(text);
    }

    /// What the JSON object at the beginning has besides what all runs have.
    fn begun(&self, settings: &AnySettings) -> Value {
        #[derive(Serialize)]
        struct Begun {
            settings: BTreeMap<&'static str, String>,
        }
        out::value(&Begun { settings: settings.list().into_iter().map(|(key, _, value)| (key, value)).collect() })
    }

    /// A JSON object for each generation from this one on.
    fn rows(&self, view: &Self::View, from: usize) -> Vec<Value>;

    /// How far it is, in a line that stays; `None` while there is nothing to tell.
    fn progress(&self, view: &Self::View, pace: &Pace) -> Option<String>;

    /// How far it is, for the line that changes.
    fn live(&self, view: &Self::View, pace: &Pace) -> Option<Progress>;

    /// Whether something has happened since this was last asked that is worth a line of its own.
    fn is_news(&mut self, _view: &Self::View) -> bool {
        false
    }

    /// What has happened since this was last asked that is worth a line above the one that changes.
    fn news(&mut self, _view: &Self::View) -> Option<String> {
        None
    }

    /// What the JSON object at the end has besides what all runs have.
    fn ended(&self, view: &Self::View) -> Value;

    /// Tells people what has come out. The run, in its folder if it has one, is at rest, whether it is finished or not.
    fn end(&self, view: &Self::View, folder: Option<&Path>);

    /// Keeps what is kept besides the run's directory, before anything is told of the end. Left unfinished, which is
    /// [`Status::Running`], when it is asked to `stop`.
    ///
    /// # Errors
    /// It cannot be written.
    fn keep(&self, _view: &Self::View, _stop: &dyn Fn() -> bool) -> Result<Kept> {
        Ok(Kept::all())
    }
}

/// What a [`Reporter`] has kept.
pub struct Kept {
    pub status: Status,
    /// What there is to say of it.
    pub told: Option<String>,
}

impl Kept {
    /// There is nothing more to keep, nor to say.
    pub fn all() -> Kept {
        Kept { status: Status::Done, told: None }
    }
}

/// How long a step may take before signals are looked at.
const STEP: Duration = Duration::from_millis(50);
/// A plain line at least so often while there is no news.
const SILENCE: Duration = Duration::from_secs(10);

/// Begins the run that the arguments name, or goes on with it, until as many generations behind the first as `until` says, and
/// drives it.
///
/// # Errors
/// It cannot be begun, resumed or written: why, and what to do.
pub fn run<T: Reporter>(
    args: &RunArgs,
    reporter: T,
    paths: &Paths,
    until: Option<u64>,
    settings: impl FnOnce() -> Result<AnySettings>,
) -> Result<ExitCode> {
    let pool = Pool::new(args.threads);
    let (job, notes) = match &args.resume {
        Some(named) => resume(named, kind::<T>(), until, paths, &pool)?,
        None => (begin(args.out.as_deref(), settings()?, paths, &pool)?, Vec::new()),
    };
    notes.iter().for_each(|note| out::tell(&format!("mancalab: {note}")));
    drive(job, reporter, args.json)
}

/// The kind of the runs that a reporter tells of.
pub fn kind<T: Reporter>() -> &'static Kind {
    kinds::by_command(T::COMMAND).unwrap_or(&KINDS[0])
}

/// Goes on with a run of this kind.
fn resume(
    named: &Path,
    kind: &Kind,
    until: Option<u64>,
    paths: &Paths,
    pool: &Pool,
) -> Result<(RunJob<AnyRun>, Vec<String>)> {
    let folder = index::find(paths.runs().as_deref(), named)?;
    let reader = RunReader::open(&folder).ok();
    let other = reader.and_then(|reader| kinds::by_word(&reader.manifest().kind));
    if let Some(other) = other.filter(|other| other.command != kind.command) {
        let (named, shell) = (sanitize::path(&folder), sanitize::shell_path(&folder));
        let (other, command) = (other.command, kind.command);
        bail!(
            "{named} is a run of 'mancalab {other}', not of 'mancalab {command}'; go on with it by: mancalab {other} --resume {shell}"
        );
    }
    let resumed = match until {
        Some(generations) => RunJob::extend(&folder, generations, pool),
        None => RunJob::resume(&folder, pool),
    };
    Ok(resumed?)
}

/// The seed of a run for which none is asked: the first from 1 on that none of the person's runs of this kind and preset has. The
/// screen chooses in the same way.
pub fn next_seed(kind: &Kind, preset: &str, paths: &Paths) -> u64 {
    index::next_seed(paths.runs().map(|runs| index::seeds(&runs, &kind.words(), preset)).unwrap_or_default())
}

fn begin(out: Option<&Path>, settings: AnySettings, paths: &Paths, pool: &Pool) -> Result<RunJob<AnyRun>> {
    let folder = match out {
        Some(folder) => {
            if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
                let folder = sanitize::path(folder);
                out::tell(&format!("mancalab: {folder} holds other files; deleting the run later leaves them there"));
            }
            folder.to_owned()
        }
        None => {
            let runs = paths.runs().context("there is no home directory to keep runs in; name a folder with --out")?;
            let Manifest { preset, seed, .. } = settings.manifest();
            if let Some(twin) = RunJob::<AnyRun>::twin(&runs, &settings) {
                let name = twin.file_name().unwrap_or(twin.as_os_str());
                out::tell(&format!(
                    "mancalab: {} has the same settings and the same seed, so this run will compute the same; go on with that one \
                     by: mancalab {} --resume {}",
                    sanitize::path(&twin),
                    settings.kind().command,
                    sanitize::shell(name)
                ));
            }
            run_dir::free_folder(&runs, &format!("{preset}-seed{seed}"))
        }
    };
    Ok(RunJob::create(&folder, settings, pool)?)
}

/// Works until the run is done or a signal comes, and tells how it goes. All there is to keep is kept before the end is told:
/// whoever is told may have gone, or be slow to listen.
///
/// # Errors
/// What is kept cannot be written.
pub fn drive<T: Reporter>(mut job: RunJob<AnyRun>, reporter: T, json: bool) -> Result<ExitCode> {
    signals::catch().context("signals cannot be caught")?;
    let mut reporter = Progressing::begin(reporter, json, &job);
    let mut status = Status::Running;
    while status == Status::Running && signals::told() == 0 {
        // In JSON every generation is told, and what a run remembers of those that are past is up to its kind.
        let budget = if json { Budget::time(STEP).single() } else { Budget::time(STEP) };
        status = job.step(budget);
        reporter.progress(seen_as::<T>(&job.run().view())?);
    }
    job.rest();
    let seen = job.run().view();
    // A signal that ended the playing has had its way: what was played by then is kept. One more ends at once.
    let before = signals::told();
    let kept = reporter.reporter.keep(seen_as::<T>(&seen)?, &|| signals::told() != before || signals::told_again());
    reporter.end(&job, seen_as::<T>(&seen)?, status == Status::Done && job.error().is_none());
    let kept = kept?;
    kept.told.iter().for_each(|text| out::tell(text));
    if let Some(error) = job.error() {
        // Where its folder is another's by now, or no run's any more, there is nothing to go on with.
        let advice = resume_command(&job).map(|command| format!("; go on with: {command}"));
        bail!("the run had to stop: {error}{}", advice.unwrap_or_default());
    }
    Ok(match (status, kept.status, signals::told()) {
        (Status::Done, Status::Done, _) => ExitCode::SUCCESS,
        (.., number) => ExitCode::from(128 + number as u8),
    })
}

/// What there is to see, as the reporter of the run's kind sees it.
fn seen_as<T: Reporter>(view: &AnyView) -> Result<&T::View> {
    view.get().with_context(|| format!("this is no run of 'mancalab {}'", T::COMMAND))
}

/// The run's folder as it is; empty for a run in memory.
fn folder(job: &RunJob<AnyRun>) -> String {
    job.folder().map(|folder| folder.display().to_string()).unwrap_or_default()
}

/// What goes on with the run, where it is now; `None` if nothing does.
fn resume_command(job: &RunJob<AnyRun>) -> Option<String> {
    let folder = job.goes_on_at()?;
    Some(format!("mancalab {} --resume {}", job.run().settings().kind().command, sanitize::shell_path(folder)))
}

/// Since when and from where on a command drives a run.
pub struct Pace {
    began: Instant,
    /// Generations that had ended by then.
    before: u64,
}

impl Pace {
    /// Until `of` generations have ended, now that `ended` have. `None` if none did since the beginning.
    pub fn seconds_left(&self, ended: u64, of: u64) -> Option<f64> {
        let since = ended.checked_sub(self.before).filter(|since| *since > 0)?;
        Some(of.saturating_sub(ended) as f64 * self.began.elapsed().as_secs_f64() / since as f64)
    }
}

/// Lets a reporter speak when there is something to say.
struct Progressing<T> {
    reporter: T,
    json: bool,
    /// The line that changes, on a terminal.
    live: Live,
    /// Generations told in JSON, or that had ended before.
    told: usize,
    spoke: Instant,
    pace: Pace,
}

impl<T: Reporter> Progressing<T> {
    fn begin(reporter: T, json: bool, job: &RunJob<AnyRun>) -> Progressing<T> {
        let run = job.run();
        let manifest = run.settings().manifest();
        let marked = manifest.preset_marked();
        let Manifest { preset, seed, generations, .. } = manifest;
        if json {
            let (folder, resumed_at) = (folder(job), run.generation());
            let begin = Begin { preset: &preset, seed, generations, folder: &folder, resumed_at };
            out::json(&Event { event: "begin", told: begin, more: reporter.begun(run.settings()) });
        } else if job.folder().is_some() {
            reporter.say(&format!("{} · seed {seed} · {}", sanitize::inline(&marked), sanitize::inline(&folder(job))));
        }
        let (now, before) = (Instant::now(), run.generation().map_or(0, |last| last + 1));
        // Objects that are written to the same terminal tell all there is to tell.
        let live = if json && io::stdout().is_terminal() { Live::hidden() } else { Live::new() };
        let pace = Pace { began: now, before };
        Progressing { reporter, json, live, told: before as usize, spoke: now, pace }
    }

    fn progress(&mut self, view: &T::View) {
        if self.json {
            for row in self.reporter.rows(view, self.told) {
                out::json(&row);
                self.told += 1;
            }
            self.live.show(|| self.reporter.live(view, &self.pace));
            return;
        }
        if self.live.is_shown() {
            if let Some(news) = self.reporter.news(view) {
                self.live.above(|| self.reporter.say(&news));
            }
            // A terminal that has gone away is noticed by its signal.
            self.live.show(|| self.reporter.live(view, &self.pace));
            return;
        }
        let is_due = self.reporter.is_news(view) || self.spoke.elapsed() >= SILENCE;
        let Some(text) = is_due.then(|| self.reporter.progress(view, &self.pace)).flatten() else { return };
        self.spoke = Instant::now();
        self.reporter.say(&text);
    }

    fn end(&self, job: &RunJob<AnyRun>, view: &T::View, finished: bool) {
        self.live.clear();
        if self.json {
            let seconds = self.pace.began.elapsed().as_secs_f64();
            out::json(&Event { event: "end", told: End { finished, seconds }, more: self.reporter.ended(view) });
            return;
        }
        self.reporter.end(view, job.folder());
        if finished || job.folder().is_none() || job.error().is_some() {
            return;
        }
        let Some(go_on) = resume_command(job) else { return };
        self.reporter.say(&match job.view().saved {
            Some(_) => format!("saved; go on with: {go_on}"),
            None => format!("stopped before anything could be saved; begin again with: {go_on}"),
        });
    }
}

/// A line of `--json`: what happened, what every kind of run tells of it, and what this kind adds, side by side.
#[derive(Serialize)]
struct Event<T> {
    event: &'static str,
    #[serde(flatten)]
    told: T,
    #[serde(flatten)]
    more: Value,
}

#[derive(Serialize)]
struct Begin<'a> {
    preset: &'a str,
    seed: u64,
    generations: u64,
    folder: &'a str,
    /// The generation that ended last.
    resumed_at: Option<u64>,
}

#[derive(Serialize)]
struct End {
    finished: bool,
    seconds: f64,
}

/// A line of `--json` that tells nothing but this.
pub(super) fn event(event: &'static str, told: &impl Serialize) -> Value {
    out::value(&Event { event, told, more: Value::Object(serde_json::Map::new()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_since_the_command_began() {
        let pace = Pace { began: Instant::now() - Duration::from_secs(10), before: 5 };
        assert_eq!(pace.seconds_left(5, 20), None);
        let left = pace.seconds_left(10, 20).unwrap();
        assert!((20.0..21.0).contains(&left), "{left}");
        assert_eq!(pace.seconds_left(20, 20), Some(0.0));
    }
}
