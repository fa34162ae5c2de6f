//! Runs without a screen: the common part of `mancalab evolve`, `tune`, `train` and `match`.
//!
//! A command starts a run in a new directory or resumes one, and drives it until it finishes or a signal arrives. It
//! reports progress by a live line on a terminal (see [`live`](super::live)), by permanent lines elsewhere, or in JSON; in CSV and Markdown it
//! prints its rows in the end.
//! A [`Reporter`] formats the events of each kind of run.

mod progress;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;
use serde_json::Value;

pub use progress::{Against, Pace, event};
use progress::{ProgressPrinter, resume_command};

use super::format::Format;
use super::live::Progress;
pub use super::live::clock;
use super::{out, signals};
use crate::budget::{Budget, Job as _, Status};
use crate::faults;
use crate::job::{Manifest, RunJob, RunReader, run_dir};
use crate::job::{RunSettings, View, run_dir::index, run_dir::seeds};
use crate::kinds::{self, Kind};
use crate::paths::Paths;
use crate::pool::{MAX_THREADS, Pool};
use crate::sanitize;
use crate::tensorboard::Events;

// The flags of every command that drives a run. Such a command has a positional argument `preset`.
#[derive(Args, Debug, Default)]
pub struct RunArgs {
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Folder of the run; default: a new one in the state directory
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume a run, by folder, name or unique start of the name; more generations (or games) extend it
    #[arg(long, value_name = "RUN", conflicts_with_all = ["preset", "decided"])]
    pub resume: Option<PathBuf>,
    /// Also write the rows as TensorBoard's event files, in a folder of the run's name in this one
    #[arg(long, value_name = "DIR")]
    pub tensorboard: Option<PathBuf>,
}

/// Parser of `--threads`.
pub(super) fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=MAX_THREADS as u64)
}

/// Progress and results of runs of a kind.
pub trait Reporter {
    /// The word of these runs in files and in JSON.
    const COMMAND: &'static str;
    /// The view of a run.
    type View: Clone + 'static;

    /// Returns the view of a run as its own type; `None` if it is of another kind.
    fn view(view: &View) -> Option<Cow<'_, Self::View>> {
        view.get().map(Cow::Borrowed)
    }

    /// Prints a line for users: on standard output, unless that is reserved for the result.
    fn say(&self, text: &str) {
        out::line(text);
    }

    /// Additional fields of the first JSON object for this kind of run.
    fn begun(&self, settings: &dyn RunSettings) -> Value {
        #[derive(Serialize)]
        struct FirstLine {
            settings: BTreeMap<&'static str, Value>,
        }
        out::value(&FirstLine {
            settings: settings.list().into_iter().map(|(key, _, value)| (key, out::setting(&value))).collect(),
        })
    }

    /// A JSON object for each generation starting at `from`.
    fn rows(&self, view: &Self::View, from: usize) -> Vec<Value>;

    /// Progress as a permanent line; `None` before there is any.
    fn progress(&self, view: &Self::View, pace: &Pace) -> Option<String>;

    /// Progress for the live line.
    fn live(&self, view: &Self::View, pace: &Pace) -> Option<Progress>;

    /// Whether an event since the last call deserves a line.
    fn is_news(&mut self, _view: &Self::View) -> bool {
        false
    }

    /// Events since the last call that deserve a line above the live line.
    fn news(&mut self, _view: &Self::View) -> Option<String> {
        None
    }

    /// Additional fields of the last JSON object for this kind of run, which is saved in its folder, if it has one.
    fn ended(&self, view: &Self::View, folder: Option<&Path>) -> Value;

    /// Prints the result for users. The run is saved in its folder, if it has one, finished or not.
    fn end(&self, view: &Self::View, folder: Option<&Path>);

    /// Saves additional output outside the run's directory, before the result is printed. Returns [`Status::Running`]
    /// if `stop` ended it early.
    ///
    /// # Errors
    /// A failed write.
    fn keep(&self, _view: &Self::View, _stop: &dyn Fn() -> bool) -> Result<SavedRun> {
        Ok(SavedRun::all())
    }
}

/// The result of [`Reporter::keep`].
pub struct SavedRun {
    pub status: Status,
    /// A message for the user.
    pub message: Option<String>,
}

impl SavedRun {
    /// Nothing saved, and no message.
    pub fn all() -> SavedRun {
        SavedRun { status: Status::Done, message: None }
    }
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);
/// Time between two looks at the rows for TensorBoard.
const FOLLOW: Duration = Duration::from_secs(1);

/// Starts or resumes the run that the arguments name and drives it, up to `until` generations after the initial one. A
/// new run keeps the individuals of every generation if `keep`.
///
/// # Errors
/// The run cannot be started, resumed or written: the reason, and what to do.
pub fn run<T: Reporter>(
    args: &RunArgs,
    format: Format,
    reporter: T,
    paths: &Paths,
    until: Option<u64>,
    keep: bool,
    settings: impl FnOnce() -> Result<Box<dyn RunSettings>>,
) -> Result<ExitCode> {
    let settings = if args.resume.is_none() { Some(settings()?) } else { None };
    let (job, events) = prepared(args, kind::<T>(), paths, until, settings, keep)?;
    drive(job, reporter, format, events)
}

/// Resumes the run that the arguments name, and drives it.
///
/// # Errors
/// Those of [`run`].
pub fn resume<T: Reporter>(args: &RunArgs, format: Format, reporter: T, paths: &Paths) -> Result<ExitCode> {
    let (job, events) = prepared(args, kind::<T>(), paths, None, None, false)?;
    drive(job, reporter, format, events)
}

/// Starts the run with these settings, or resumes the named one; compiled once for all kinds.
fn prepared(
    args: &RunArgs,
    kind: &Kind,
    paths: &Paths,
    until: Option<u64>,
    settings: Option<Box<dyn RunSettings>>,
    keep: bool,
) -> Result<(RunJob, Option<Events>)> {
    let pool = Pool::new(args.threads);
    let (job, notes) = match (&args.resume, settings) {
        (Some(named), _) => resumed(named, kind, until, paths, &pool)?,
        (None, Some(settings)) => (begin(args.out.as_deref(), settings, keep, paths, &pool)?, Vec::new()),
        (None, None) => bail!("there is neither a run to resume nor settings to start one"),
    };
    notes.iter().for_each(|note| out::report(&format!("mancalab: {note}")));
    let events = args.tensorboard.as_deref().zip(job.folder()).map(|(into, folder)| Events::create(into, folder));
    Ok((job, events.transpose()?))
}

/// The kind of a reporter's runs.
pub fn kind<T: Reporter>() -> &'static Kind {
    kinds::by_command(T::COMMAND).expect("every kind of run is in the list of kinds")
}

/// Resumes a run of this kind.
fn resumed(named: &Path, kind: &Kind, until: Option<u64>, paths: &Paths, pool: &Pool) -> Result<(RunJob, Vec<String>)> {
    let folder = index::find(paths.runs().as_deref(), named)?;
    let reader = RunReader::open(&folder).ok();
    let other = reader.and_then(|reader| kinds::by_word(&reader.manifest().kind));
    if let Some(other) = other.filter(|other| other.command != kind.command) {
        let named = sanitize::path(&folder);
        let shell = sanitize::shell_path(&folder);
        let other = other.typed();
        let command = kind.typed();
        bail!(
            "{named} is a run of 'mancalab {other}', not of 'mancalab {command}'; resume it with: mancalab runs resume {shell}"
        );
    }
    let warning = faults::warning(&folder);
    let (job, notes) = match until {
        Some(generations) => kinds::extend(&folder, generations, pool)?,
        None => kinds::resume(&folder, pool)?,
    };
    Ok((job, warning.into_iter().chain(notes).collect()))
}

/// The lock of the folder of runs, from the choice of a default seed until its run is there.
static STARTING: Mutex<Option<File>> = Mutex::new(None);

fn starting() -> MutexGuard<'static, Option<File>> {
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The default seed of a run: the lowest from 1 that no saved run of this kind and preset uses. The screen chooses in
/// the same way. Commands that start at the same time choose one after the other.
pub fn next_seed(kind: &Kind, preset: &str, paths: &Paths) -> u64 {
    *starting() = paths.runs().and_then(|runs| seeds::lock_to_start(&runs));
    seeds::next_seed(paths.runs().map(|runs| seeds::seeds(&runs, &kind.words(), preset)).unwrap_or_default())
}

fn begin(out: Option<&Path>, settings: Box<dyn RunSettings>, keep: bool, paths: &Paths, pool: &Pool) -> Result<RunJob> {
    let folder = match out {
        Some(folder) => {
            let is_run = folder.join("run.toml").exists();
            if !is_run && std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
                let folder = sanitize::path(folder);
                out::report(&format!("mancalab: {folder} contains other files; deleting the run keeps them"));
            }
            folder.to_owned()
        }
        None => {
            let runs = paths.runs().context("no home directory to save runs in; name a folder with --out")?;
            let Manifest { preset, seed, .. } = settings.manifest();
            if let Some(twin) = kinds::twin(&runs, &*settings) {
                let name = twin.file_name().unwrap_or(twin.as_os_str());
                out::report(&format!(
                    "mancalab: {} has the same settings and seed, so this run repeats it; resume that run with: \
                     mancalab runs resume {}",
                    sanitize::path(&twin),
                    sanitize::shell(name)
                ));
            }
            run_dir::free_folder(&runs, &format!("{preset}-seed{seed}"))
        }
    };
    let create = if keep { RunJob::create_with_individuals } else { RunJob::create };
    let job = create(&folder, settings, pool)?;
    *starting() = None;
    Ok(job)
}

/// Drives a run until it finishes or a signal arrives, and reports progress. Everything is saved before the result is
/// printed, because the reader of the output may be slow or gone.
///
/// # Errors
/// A failed write.
pub fn drive<T: Reporter>(
    mut job: RunJob,
    reporter: T,
    format: Format,
    mut events: Option<Events>,
) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let mut reporter = ProgressPrinter::begin(reporter, format, &job);
    let mut status = Status::Running;
    let mut followed = Instant::now();
    while status == Status::Running && signals::received() == 0 {
        // JSON has every generation, but some kinds of run keep only the newest: step one at a time.
        let budget = if format == Format::Json { Budget::time(STEP).single() } else { Budget::time(STEP) };
        status = job.step(budget);
        let view = job.run().view();
        reporter.progress(&*seen_as::<T>(&view)?, view.measured(), &job);
        if followed.elapsed() >= FOLLOW {
            events = follow(events);
            followed = Instant::now();
        }
    }
    job.rest();
    follow(events);
    let view = job.run().view();
    let seen = seen_as::<T>(&view)?;
    // The signal that ended the run does not end saving; a further one does, at once.
    let before = signals::received();
    let kept = reporter.reporter.keep(&seen, &|| signals::received() != before || signals::received_again());
    reporter.end(&job, &seen, status == Status::Done && job.error().is_none());
    let kept = kept?;
    kept.message.iter().for_each(|text| out::report(text));
    if let Some(error) = job.error() {
        // The run cannot be resumed if its folder is gone or holds another run.
        let advice = resume_command(&job).map(|command| format!("; resume with: {command}"));
        bail!("the run stopped: {error}{}", advice.unwrap_or_default());
    }
    Ok(match (status, kept.status, signals::received()) {
        (Status::Done, Status::Done, _) => ExitCode::SUCCESS,
        (.., number) => ExitCode::from(128 + number as u8),
    })
}

/// Writes the new rows as events; an error is reported and ends the events, but not the run.
fn follow(events: Option<Events>) -> Option<Events> {
    let mut events = events?;
    match events.follow() {
        Ok(()) => Some(events),
        Err(error) => {
            out::report(&format!("mancalab: no more events are written: {error}"));
            None
        }
    }
}

/// Returns a view as the reporter's type.
///
/// # Errors
/// The run is of another kind.
fn seen_as<T: Reporter>(view: &View) -> Result<Cow<'_, T::View>> {
    T::view(view).with_context(|| format!("not a run of 'mancalab {}'", kind::<T>().typed()))
}
