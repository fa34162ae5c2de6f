//! The runs behind the tables: made in memory, or in a folder, where one that was cut short is gone on with.

use mancalab_base::{Error, bail};
use std::path::PathBuf;
use std::time::Duration;

use crate::budget::{Budget, Job as _, Status};
use crate::job::{Run, RunJob, RunReader};
use crate::pool::Pool;

/// How long it works before it tells how far it is.
const STEP: Duration = Duration::from_millis(100);

/// Runs it to its end, in a folder if there is one, where it is gone on with if it is there. `tell` hears of it after every step.
///
/// # Errors
/// The folder holds another run, or the run failed: a sentence.
pub(super) fn to_its_end<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    pool: &Pool,
    tell: &mut dyn FnMut(&R),
) -> Result<RunJob<R>, Error> {
    driven(settings, folder, pool, || Budget::time(STEP), tell)
}

/// The same; `tell` hears of it at the end of every generation, too.
///
/// # Errors
/// See [`to_its_end`].
pub(super) fn by_generations<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    pool: &Pool,
    tell: &mut dyn FnMut(&R),
) -> Result<RunJob<R>, Error> {
    driven(settings, folder, pool, || Budget::time(STEP).single(), tell)
}

fn driven<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    pool: &Pool,
    budget: impl Fn() -> Budget,
    tell: &mut dyn FnMut(&R),
) -> Result<RunJob<R>, Error> {
    let mut job = open(settings, folder, pool)?;
    while job.step(budget()) == Status::Running {
        tell(job.run());
    }
    job.error().map_or(Ok(()), |error| Err(error.to_owned()))?;
    Ok(job)
}

/// A run that has not begun, or the one that is there.
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
