//! The runs of the tables: in memory, or in a folder, where an interrupted run is resumed.

use mancalab_base::{Error, bail};
use std::path::PathBuf;
use std::time::Duration;

use crate::budget::{Budget, Job as _, Status};
use crate::job::{Run, RunJob, RunReader};
use crate::pool::Pool;

/// The time between two progress reports.
const STEP: Duration = Duration::from_millis(100);

/// Runs to the end, in a folder if one is given; resumes a run that is already there. Calls `progress` after every step.
///
/// # Errors
/// The folder holds another run, or the run failed.
pub(super) fn to_its_end<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    pool: &Pool,
    progress: &mut dyn FnMut(&R),
) -> Result<RunJob<R>, Error> {
    driven(settings, folder, pool, || Budget::time(STEP), &mut |run| {
        progress(run);
        true
    })
}

/// Like [`to_its_end`]; also calls `progress` at the end of every generation, and stops when it returns false.
///
/// # Errors
/// See [`to_its_end`].
pub(super) fn by_generations<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    pool: &Pool,
    progress: &mut dyn FnMut(&R) -> bool,
) -> Result<RunJob<R>, Error> {
    driven(settings, folder, pool, || Budget::time(STEP).single(), progress)
}

fn driven<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    pool: &Pool,
    budget: impl Fn() -> Budget,
    progress: &mut dyn FnMut(&R) -> bool,
) -> Result<RunJob<R>, Error> {
    let mut job = open(settings, folder, pool)?;
    while job.step(budget()) == Status::Running && progress(job.run()) {}
    job.save();
    job.error().map_or(Ok(()), |error| Err(error.to_owned()))?;
    Ok(job)
}

/// Creates a run, or opens the one in the folder.
///
/// # Errors
/// The folder holds another run, or cannot be read or written.
pub(super) fn open<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    pool: &Pool,
) -> Result<RunJob<R>, Error> {
    Ok(match folder {
        None => RunJob::<R>::in_memory(settings, pool)?,
        Some(folder) if folder.join("run.toml").exists() => {
            if RunReader::open(&folder)?.settings::<R>()? != settings {
                bail!("{} holds a run with other settings; choose another --out", folder.display());
            }
            RunJob::<R>::resume(&folder, pool)?.0
        }
        Some(folder) => RunJob::create(&folder, settings, pool)?,
    })
}
