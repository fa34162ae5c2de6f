//! The runs of the tables: in memory, or in a folder, where an interrupted run is resumed.

use mancalab_base::{Error, bail};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::time::Duration;

use crate::budget::{Budget, Job as _, Status};
use crate::job::{Run, RunJob, RunSettings};
use crate::kinds;
use crate::pool::Pool;

/// A run of a known kind that this crate does not compile.
pub(super) struct TypedRun<R> {
    job: RunJob,
    kind: PhantomData<fn() -> R>,
}

impl<R: Run> TypedRun<R> {
    fn new(job: RunJob) -> TypedRun<R> {
        TypedRun { job, kind: PhantomData }
    }

    /// Begins a run in memory.
    ///
    /// # Errors
    /// The settings are invalid.
    pub fn in_memory(settings: impl Into<Box<dyn RunSettings>>, pool: &Pool) -> Result<TypedRun<R>, Error> {
        Ok(TypedRun::new(RunJob::in_memory(settings.into(), pool)?))
    }

    pub fn step(&mut self, budget: Budget) -> Status {
        self.job.step(budget)
    }

    pub fn run(&self) -> &R {
        self.job.run_as()
    }

    pub fn error(&self) -> Option<&Error> {
        self.job.error()
    }

    /// See [`RunJob::is_halted`].
    pub fn is_halted(&self) -> bool {
        self.job.is_halted()
    }
}

/// The time between two progress reports.
const STEP: Duration = Duration::from_millis(100);

/// Runs to the end, in a folder if one is given; resumes a run that is already there. Calls `progress` after every step.
///
/// # Errors
/// The folder holds another run, or the run failed.
pub(super) fn to_its_end<R: Run>(
    settings: impl Into<Box<dyn RunSettings>>,
    folder: Option<PathBuf>,
    pool: &Pool,
    progress: &mut dyn FnMut(&R),
) -> Result<TypedRun<R>, Error> {
    driven(settings, folder, pool, || Budget::time(STEP), &mut |run| {
        progress(run);
        true
    })
}

/// Like [`to_its_end`]; also calls `progress` at the end of every generation, and stops when it returns false.
///
/// # Errors
/// See [`to_its_end`].
pub(super) fn by_generations<R: Run>(
    settings: impl Into<Box<dyn RunSettings>>,
    folder: Option<PathBuf>,
    pool: &Pool,
    progress: &mut dyn FnMut(&R) -> bool,
) -> Result<TypedRun<R>, Error> {
    driven(settings, folder, pool, || Budget::time(STEP).single(), progress)
}

fn driven<R: Run>(
    settings: impl Into<Box<dyn RunSettings>>,
    folder: Option<PathBuf>,
    pool: &Pool,
    budget: impl Fn() -> Budget,
    progress: &mut dyn FnMut(&R) -> bool,
) -> Result<TypedRun<R>, Error> {
    let mut job = open::<R>(settings, folder, pool)?;
    while job.step(budget()) == Status::Running && progress(job.run()) {}
    job.job.save();
    job.error().map_or(Ok(()), |error| Err(error.to_owned()))?;
    Ok(job)
}

/// Creates a run, or opens the one in the folder.
///
/// # Errors
/// The folder holds another run, or cannot be read or written.
pub(super) fn open<R: Run>(
    settings: impl Into<Box<dyn RunSettings>>,
    folder: Option<PathBuf>,
    pool: &Pool,
) -> Result<TypedRun<R>, Error> {
    let settings = settings.into();
    Ok(TypedRun::new(match folder {
        None => RunJob::in_memory(settings, pool)?,
        Some(folder) if folder.join("run.toml").exists() => {
            if *kinds::settings(&folder)? != *settings {
                bail!("{} holds a run with other settings; choose another --out", folder.display());
            }
            kinds::resume(&folder, pool)?.0
        }
        Some(folder) => RunJob::create(&folder, settings, pool)?,
    }))
}
