//! Units that are whole runs. An attempt is an ordinary run in its own folder. An attempt that follows a dead one
//! starts from a copy of its saved files, so that it does not wait for the other's lock.

use mancalab_base::Error;
use std::path::{Path, PathBuf};

use super::result::{Body, Half};
use super::task::{JobContext, MergedRun, Outcome, PartResults, RowReceiver, STEP};
use crate::budget::{Budget, Job as _, Status};
use crate::codec::{Decoder, Encoder};
use crate::confined;
use crate::files::{self, Kind};
use crate::job::run_dir::checkpoint_generation;
use crate::job::{Row, Rows, RunJob, RunSettings, run_dir};
use crate::sanitize;

/// Computes a run to its end, from its beginning or from the state of another attempt.
///
/// # Errors
/// The run cannot be computed or saved.
pub(crate) fn compute(settings: Box<dyn RunSettings>, work: &mut JobContext<'_>) -> Result<Outcome, Error> {
    let last = settings.manifest().generations + 1;
    let mut job = begin(settings, work)?;
    loop {
        let status = job.step(Budget::time(STEP));
        (work.report)(job.run().generation().map_or(0, |newest| newest + 1) as f64 / last as f64);
        if let Some(error) = job.error() {
            return Err(error.to_owned());
        }
        if status == Status::Done {
            return body(&mut job, work).map(Outcome::Done);
        }
        if (work.stop)() {
            job.rest();
            return job.error().map_or(Ok(Outcome::Stopped), |error| Err(error.to_owned()));
        }
    }
}

fn begin(settings: Box<dyn RunSettings>, work: &JobContext<'_>) -> Result<RunJob, Error> {
    let forms = [settings.form()];
    for other in furthest(work.others) {
        if run_dir::copy(&other, work.folder).is_ok()
            && let Ok((job, _)) = RunJob::resume(work.folder, &forms, work.pool)
        {
            return Ok(job);
        }
        let _ = confined::remove_tree(work.folder);
    }
    RunJob::create(work.folder, settings, work.pool).map_err(|error| error.in_a_line().into())
}

/// Returns the folders with a checkpoint, the newest generation first.
fn furthest(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<(u64, &PathBuf)> =
        folders.iter().filter_map(|folder| Some((checkpoint_generation(folder)?, folder))).collect();
    crate::sort::sort_by_key(&mut found, |(generation, _)| std::cmp::Reverse(*generation));
    found.into_iter().map(|(_, folder)| folder.clone()).collect()
}

/// Returns the rows of one of the run's files, without the header.
fn rows(folder: &Path, name: &str) -> Result<Vec<u8>, Error> {
    let path = folder.join(name);
    let text = files::read(&path, Kind::Checkpoint).map_err(Error::cannot("read", &path))?;
    let start = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
    Ok(text[start..].to_vec())
}

fn body(job: &mut RunJob, work: &JobContext<'_>) -> Result<Body, Error> {
    let mut deterministic = Encoder::new();
    deterministic.bytes(&rows(work.folder, run_dir::ROWS)?);
    deterministic.text(&job.run().best());
    let product = job.run().product();
    deterministic.u8(product.is_some().into());
    product.iter().for_each(|(_, bytes)| deterministic.bytes(bytes));
    let mut nondeterministic = Encoder::new();
    nondeterministic.bytes(&rows(work.folder, run_dir::TIMINGS)?);
    nondeterministic.bytes(&job.run().save(work.pool));
    Ok(Body { deterministic: deterministic.finish(), nondeterministic: nondeterministic.finish() })
}

/// Returns the run from the result of its only part.
///
/// # Errors
/// The part cannot be read, or does not hold this run.
pub(crate) fn fold(
    settings: &dyn RunSettings,
    given: &mut PartResults<'_>,
    taken: RowReceiver<'_>,
) -> Result<MergedRun, Error> {
    let Some(found) = (given.open)(0)? else {
        return Ok(MergedRun { run: None, finished: false, missing: vec![0], stuck: None });
    };
    let odd = |reason: Error| Error::from(format!("{}: {reason}", sanitize::path(found.path())));
    let deterministic = found.read(Half::Deterministic)?;
    let nondeterministic = found.read(Half::Nondeterministic)?;
    let mut deterministic = Decoder::new(&deterministic);
    let mut nondeterministic = Decoder::new(&nondeterministic);
    let lines = |bytes: &[u8]| -> Vec<String> { String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect() };
    let rows = lines(deterministic.bytes().map_err(odd)?);
    let timings = lines(nondeterministic.bytes().map_err(odd)?);
    let best = deterministic.text().map_err(odd)?;
    let state = nondeterministic.bytes().map_err(odd)?;
    let mut run = settings.restore(state, Rows::in_memory(&rows)).map_err(odd)?;
    timings.iter().for_each(|row| run.restore_timings(row));
    // The nondeterministic half may differ between attempts, but must match the rows.
    if run.best() != best {
        return Err(odd("its state does not match its rows".to_owned().into()));
    }
    for (index, values) in rows.into_iter().enumerate() {
        let timings = timings.get(index).cloned().unwrap_or_default();
        taken(&Row { values, timings })?;
    }
    Ok(MergedRun { finished: true, run: Some(run), missing: Vec::new(), stuck: None })
}
