//! Runs without a screen: what `mancalab evolve`, `tune`, `train` and `arena` have in common.
//!
//! A run is begun in a new directory or taken up again, and driven until it is done or a signal comes; in between it is told how
//! it goes: by a line that changes on a terminal (see [`live`](super::live)), by lines that stay elsewhere, or in JSON. What there is to tell is each kind's
//! own, and said by a [`Teller`].

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;
use serde_json::Value;

pub use super::live::clock;
use super::live::{Live, Progress};
use super::runs::kinds;
use super::{out, signals};
use crate::crew::{Crew, MAX_THREADS};
use crate::document::Listed;
use crate::job::run_dir::shelf;
use crate::job::{Manifest, Run, RunJob, RunReader, run_dir};
use crate::paths::Paths;
use crate::plain;
use crate::step::{Budget, Job as _, Status};

/// The flags of every command that drives a run. Such a command has a positional argument `preset`.
#[derive(Args, Debug, Default)]
pub struct RunArgs {
    /// How many processors to use, 0 for all; changes nothing but the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// The run's folder; without it a new one among the runs in the state directory
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Go on with this run: its folder, its name, or the beginning of that
    #[arg(long, value_name = "RUN", conflicts_with = "preset")]
    pub resume: Option<PathBuf>,
    /// One JSON object a generation (of a tournament: a round), and one at the end
    #[arg(long)]
    pub json: bool,
}

/// What `--threads` takes.
pub(super) fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=MAX_THREADS as u64)
}

/// What a kind of run has to say of itself.
pub trait Teller<R: Run> {
    /// The subcommand that goes on with such a run.
    const COMMAND: &'static str;

    fn settings<'a>(&self, run: &'a R) -> &'a R::Settings;

    /// Says a line to people: on standard output, unless that is for the result alone.
    fn say(&self, text: &str) {
        out::line(text);
    }

    /// What the JSON object at the beginning has besides what all runs have.
    fn begun(&self, run: &R) -> Value;

    /// A JSON object for each generation from this one on.
    fn rows(&self, run: &R, from: usize) -> Vec<Value>;

    /// How far it is, in a line that stays; `None` while there is nothing to tell.
    fn progress(&self, run: &R, pace: &Pace) -> Option<String>;

    /// How far it is, for the line that changes.
    fn live(&self, run: &R, pace: &Pace) -> Option<Progress>;

    /// Whether something has happened since this was last asked that is worth a line of its own.
    fn is_news(&mut self, _run: &R) -> bool {
        false
    }

    /// What has happened since this was last asked that is worth a line above the one that changes.
    fn news(&mut self, _run: &R) -> Option<String> {
        None
    }

    /// What the JSON object at the end has besides what all runs have.
    fn ended(&self, run: &R) -> Value;

    /// Tells people what has come out. The run is at rest, whether it is finished or not.
    fn end(&self, job: &RunJob<R>);

    /// Keeps what is kept besides the run's directory, before anything is told of the end. Left unfinished, which is
    /// [`Status::Running`], when it is asked to `stop`.
    ///
    /// # Errors
    /// It cannot be written.
    fn keep(&self, _run: &R, _stop: &dyn Fn() -> bool) -> Result<Kept> {
        Ok(Kept::all())
    }
}

/// What a [`Teller`] has kept.
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
pub fn run<R: Run, T: Teller<R>>(
    args: &RunArgs,
    teller: T,
    paths: &Paths,
    until: Option<u64>,
    settings: impl FnOnce() -> Result<R::Settings>,
) -> Result<ExitCode> {
    let crew = Crew::new(args.threads);
    let (job, notes) = match &args.resume {
        Some(named) => {
            let folder = shelf::find(paths.runs().as_deref(), named).map_err(|error| anyhow!(error))?;
            let resumed = match until {
                Some(generations) => RunJob::<R>::extend(&folder, generations, &crew),
                None => RunJob::<R>::resume(&folder, &crew),
            };
            resumed.map_err(|error| of_another_kind::<R>(&folder, T::COMMAND).unwrap_or(anyhow!(error)))?
        }
        None => (begin(args.out.as_deref(), T::COMMAND, settings()?, paths, &crew)?, Vec::new()),
    };
    notes.iter().for_each(|note| out::tell(&format!("mancalab: {note}")));
    drive(job, teller, args.json)
}

/// That the run in a folder is one of another command, and which; `None` if it is of this one, or of none.
fn of_another_kind<R: Run>(folder: &Path, command: &str) -> Option<anyhow::Error> {
    let reader = RunReader::open(folder).ok()?;
    let word = reader.manifest().kind.as_str();
    let other = kinds::by_word(word).filter(|_| !R::KINDS.contains(&word))?.command;
    let (named, shell) = (plain::path(folder), plain::shell_path(folder));
    Some(anyhow!(
        "{named} is a run of 'mancalab {other}', not of 'mancalab {command}'; go on with it by: mancalab {other} --resume {shell}"
    ))
}

/// The seed of a run for which none is asked: the first from 1 on that none of the person's runs of this kind and preset has. The
/// screen chooses in the same way.
pub fn next_seed<R: Run>(preset: &str, paths: &Paths) -> u64 {
    shelf::next_seed(paths.runs().map(|runs| shelf::seeds(&runs, R::KINDS, preset)).unwrap_or_default())
}

fn begin<R: Run>(
    out: Option<&Path>,
    command: &str,
    settings: R::Settings,
    paths: &Paths,
    crew: &Crew,
) -> Result<RunJob<R>> {
    let folder = match out {
        Some(folder) => folder.to_owned(),
        None => {
            let runs = paths.runs().context("there is no home directory to keep runs in; name a folder with --out")?;
            let Manifest { preset, seed, .. } = R::manifest(&settings);
            if let Some(twin) = RunJob::<R>::twin(&runs, &settings) {
                let name = twin.file_name().unwrap_or(twin.as_os_str());
                out::tell(&format!(
                    "mancalab: {} has the same settings and the same seed, so this run will compute the same; go on with that one \
                     by: mancalab {command} --resume {}",
                    plain::path(&twin),
                    plain::shell(name)
                ));
            }
            run_dir::free_folder(&runs, &format!("{preset}-seed{seed}"))
        }
    };
    RunJob::create(&folder, settings, crew).map_err(|error| anyhow!(error))
}

/// Works until the run is done or a signal comes, and tells how it goes. All there is to keep is kept before the end is told:
/// whoever is told may have gone, or be slow to listen.
///
/// # Errors
/// What is kept cannot be written.
pub fn drive<R: Run, T: Teller<R>>(mut job: RunJob<R>, teller: T, json: bool) -> Result<ExitCode> {
    signals::catch().context("signals cannot be caught")?;
    let mut reporter = Reporter::begin(teller, json, &job);
    let mut status = Status::Running;
    while status == Status::Running && signals::told() == 0 {
        // In JSON every generation is told, and what a run remembers of those that are past is up to its kind.
        let budget = if json { Budget::time(STEP).single() } else { Budget::time(STEP) };
        status = job.step(budget);
        reporter.progress(job.run());
    }
    job.rest();
    // A signal that ended the playing has had its way: what was played by then is kept. One more ends at once.
    let before = signals::told();
    let kept = reporter.teller.keep(job.run(), &|| signals::told() != before || signals::told_again());
    reporter.end(&job, status == Status::Done && job.error().is_none());
    let kept = kept?;
    kept.told.iter().for_each(|text| out::tell(text));
    if let Some(error) = job.error() {
        // Where its folder is another's by now, or no run's any more, there is nothing to go on with.
        let advice = resume_command::<R, T>(&job).map(|command| format!("; go on with: {command}"));
        bail!("the run had to stop: {error}{}", advice.unwrap_or_default());
    }
    Ok(match (status, kept.status, signals::told()) {
        (Status::Done, Status::Done, _) => ExitCode::SUCCESS,
        (.., number) => ExitCode::from(128 + number as u8),
    })
}

/// The run's folder as it is; empty for a run in memory.
fn folder<R: Run>(job: &RunJob<R>) -> String {
    job.folder().map(|folder| folder.display().to_string()).unwrap_or_default()
}

/// What goes on with the run, where it is now; `None` if nothing does.
fn resume_command<R: Run, T: Teller<R>>(job: &RunJob<R>) -> Option<String> {
    let folder = job.goes_on_at()?;
    Some(format!("mancalab {} --resume {}", T::COMMAND, plain::shell_path(folder)))
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

/// Lets a teller speak when there is something to say.
struct Reporter<T> {
    teller: T,
    json: bool,
    /// The line that changes, on a terminal.
    live: Live,
    /// Generations told in JSON, or that had ended before.
    told: usize,
    spoke: Instant,
    pace: Pace,
}

impl<T> Reporter<T> {
    fn begin<R: Run>(teller: T, json: bool, job: &RunJob<R>) -> Reporter<T>
    where
        T: Teller<R>,
    {
        let run = job.run();
        let manifest = R::manifest(teller.settings(run));
        let marked = manifest.preset_marked();
        let Manifest { preset, seed, generations, .. } = manifest;
        if json {
            let (folder, resumed_at) = (folder(job), run.generation());
            let begin = Begin { preset: &preset, seed, generations, folder: &folder, resumed_at };
            out::json(&Event { event: "begin", told: begin, more: teller.begun(run) });
        } else if job.folder().is_some() {
            teller.say(&format!("{} · seed {seed} · {}", plain::word(&marked), plain::word(&folder(job))));
        }
        let (now, before) = (Instant::now(), run.generation().map_or(0, |last| last + 1));
        // Objects that are written to the same terminal tell all there is to tell.
        let live = if json && io::stdout().is_terminal() { Live::hidden() } else { Live::new() };
        let pace = Pace { began: now, before };
        Reporter { teller, json, live, told: before as usize, spoke: now, pace }
    }

    fn progress<R: Run>(&mut self, run: &R)
    where
        T: Teller<R>,
    {
        if self.json {
            for row in self.teller.rows(run, self.told) {
                out::json(&row);
                self.told += 1;
            }
            self.live.show(|| self.teller.live(run, &self.pace));
            return;
        }
        if self.live.is_shown() {
            if let Some(news) = self.teller.news(run) {
                self.live.above(|| self.teller.say(&news));
            }
            // A terminal that has gone away is noticed by its signal.
            self.live.show(|| self.teller.live(run, &self.pace));
            return;
        }
        let is_due = self.teller.is_news(run) || self.spoke.elapsed() >= SILENCE;
        let Some(text) = is_due.then(|| self.teller.progress(run, &self.pace)).flatten() else { return };
        self.spoke = Instant::now();
        self.teller.say(&text);
    }

    fn end<R: Run>(&self, job: &RunJob<R>, finished: bool)
    where
        T: Teller<R>,
    {
        self.live.clear();
        if self.json {
            let seconds = self.pace.began.elapsed().as_secs_f64();
            out::json(&Event { event: "end", told: End { finished, seconds }, more: self.teller.ended(job.run()) });
            return;
        }
        self.teller.end(job);
        if finished || job.folder().is_none() || job.error().is_some() {
            return;
        }
        let Some(go_on) = resume_command::<R, T>(job) else { return };
        self.teller.say(&match job.view().saved {
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

/// All settings by their keys, for the first line of `--json`.
pub(super) fn listed(settings: &impl Listed) -> Value {
    #[derive(Serialize)]
    struct Begun {
        settings: BTreeMap<&'static str, String>,
    }
    out::value(&Begun { settings: settings.list().into_iter().map(|(key, _, value)| (key, value)).collect() })
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
