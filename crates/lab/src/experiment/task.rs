//! The parts that a plan's runs are divided into, and the inputs and outcomes of a unit's computation.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fmt, fs};

use mancalab_base::Error;

use super::result::{Body, PartResult};
use crate::budget::{Budget, Job as _, Status};
use crate::codec::{Decoder, Encoder, checksum};
use crate::confined;
use crate::files::{self, Kind};
use crate::job::run_dir::checkpoint_generation;
use crate::job::{Row, Run, RunJob, RunSettings, SAVE_EVERY, SAVE_SHARE};
use crate::pool::Pool;

/// Interval between checks for a stop request.
pub(crate) const STEP: Duration = Duration::from_millis(50);

/// Context of a unit's computation.
pub struct JobContext<'a> {
    /// The results of the parts that this one [needs](Part::needs), in order.
    pub inputs: &'a [Vec<u8>],
    /// Folder where this attempt saves its state.
    pub folder: &'a Path,
    /// Folders of other attempts at the same unit.
    pub others: &'a [PathBuf],
    pub pool: &'a Pool,
    /// Returns whether to stop; a later attempt resumes from the saved state.
    pub stop: &'a dyn Fn() -> bool,
    /// Receives the progress, from 0 to 1.
    pub report: &'a mut dyn FnMut(f64),
}

/// Outcome of a unit's computation.
#[derive(PartialEq, Eq, Debug)]
pub enum Outcome {
    Done(Body),
    /// Stopped on request, with its state saved.
    Stopped,
}

/// A run merged from its parts.
pub struct MergedRun {
    /// The state after the last generation that could be merged.
    pub run: Option<Box<dyn Run>>,
    /// Whether all generations are present, or no more are needed.
    pub finished: bool,
    /// Parts still needed that have no result.
    pub missing: Vec<usize>,
    /// Why the run cannot continue, whatever parts exist.
    pub stuck: Option<Error>,
}

/// The results of a run's parts.
pub struct PartResults<'a> {
    /// Returns whether a part has a result.
    pub has: &'a dyn Fn(usize) -> bool,
    /// Returns the verified result of a part, if there is one.
    pub open: &'a mut dyn FnMut(usize) -> Result<Option<PartResult>, Error>,
}

/// Receives the rows in order.
pub(crate) type RowReceiver<'a> = &'a mut dyn FnMut(&Row) -> Result<(), Error>;

/// Computation in bounded steps, saved as a whole.
pub(crate) trait Piece {
    /// # Errors
    /// The computation cannot continue.
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Result<Status, Error>;

    /// Returns the current state; the result once done.
    fn body(&self) -> Body;

    /// Returns the progress, from 0 to 1.
    fn share(&self) -> f64;
}

/// Advances a piece until it is done or stopped.
///
/// # Errors
/// The computation cannot continue, or its state cannot be saved.
pub(crate) fn drive(work: &mut JobContext<'_>, piece: &mut dyn Piece) -> Result<Outcome, Error> {
    let mut due = Instant::now() + SAVE_EVERY;
    loop {
        let status = piece.advance(work.pool, Budget::time(STEP))?;
        (work.report)(piece.share());
        if status == Status::Done {
            return Ok(Outcome::Done(piece.body()));
        }
        let stops = (work.stop)();
        if stops || Instant::now() >= due {
            let began = Instant::now();
            save(work.folder, &piece.body())?;
            due = Instant::now() + SAVE_EVERY.max(began.elapsed() * SAVE_SHARE);
        }
        if stops {
            return Ok(Outcome::Stopped);
        }
    }
}

const SAVED: &str = "part";

fn save(folder: &Path, body: &Body) -> Result<(), Error> {
    let mut out = Encoder::new();
    out.bytes(&body.deterministic);
    out.bytes(&body.nondeterministic);
    let saved = out.finish();
    let path = folder.join(SAVED);
    let bytes = [&checksum(&saved).to_le_bytes(), &saved[..]].concat();
    files::write_atomic(&path, &bytes).map_err(Error::cannot("write", &path))
}

fn saved(folder: &Path) -> Option<Body> {
    let bytes = files::read(&folder.join(SAVED), Kind::Checkpoint).ok()?;
    let (sum, saved) = bytes.split_first_chunk::<8>()?;
    if u64::from_le_bytes(*sum) != checksum(saved) {
        return None;
    }
    let mut from = Decoder::new(saved);
    Some(Body { deterministic: from.bytes().ok()?.to_vec(), nondeterministic: from.bytes().ok()?.to_vec() })
}

/// Returns the saved states of other attempts, the most advanced first.
pub(crate) fn saved_by_others(work: &JobContext<'_>) -> Vec<Body> {
    let mut bodies: Vec<Body> = work.others.iter().filter_map(|folder| saved(folder)).collect();
    crate::sort::sort_by_key(&mut bodies, |body| std::cmp::Reverse(body.deterministic.len()));
    bodies
}

/// Returns the progress of the attempt that saved in a folder: comparable between attempts at the same unit.
pub(crate) fn progress(folder: &Path) -> u64 {
    let part = confined::resolve(&folder.join(SAVED)).and_then(fs::symlink_metadata).map_or(0, |meta| meta.len());
    checkpoint_generation(folder).map_or(part, |generation| generation + 1)
}

/// Creates the folder of an attempt.
///
/// # Errors
/// The folder cannot be created.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Error> {
    confined::create_folders(folder).map_err(Error::cannot("make", folder))
}

/// A part of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The whole run.
    Whole,
    /// Games of one cell of a tournament.
    Block {
        cell: usize,
        /// The players, for display.
        who: Arc<str>,
        rounds: Range<u32>,
    },
    /// The generations of one island between two migrations.
    Epoch { epoch: u32, island: u32, islands: u32 },
}

impl Part {
    /// Returns the indices of the parts of the same run that must be computed first.
    pub fn needs(&self) -> Vec<usize> {
        match *self {
            Part::Epoch { epoch, island, islands } if epoch > 0 => {
                let before = |island: u32| ((epoch - 1) * islands + island) as usize;
                let mut needs = vec![before(island), before((island + islands - 1) % islands)];
                crate::sort::sort(&mut needs);
                needs.dedup();
                needs
            }
            _ => Vec::new(),
        }
    }
}

/// Shown after the run's name; empty for a whole run.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Whole => Ok(()),
            Part::Block { who, rounds, .. } => write!(f, "{who}, games {} to {}", rounds.start + 1, rounds.end),
            Part::Epoch { epoch, island, .. } => write!(f, "epoch {}, island {}", epoch + 1, island + 1),
        }
    }
}

/// Duration of a sample, and its limit until the second generation ends.
pub(crate) const SAMPLE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(10);

/// Estimates from a sample of the work.
pub struct Sample {
    /// Duration of a run on one processor, in seconds; 0 if the sample was too short.
    pub seconds: f64,
    pub blocks: Vec<u32>,
}

/// Runs briefly in memory and extrapolates the duration of the whole run.
///
/// # Errors
/// The run cannot start or continue.
pub(super) fn sample_run(settings: Box<dyn RunSettings>, pool: &Pool) -> Result<Sample, Error> {
    let all = settings.manifest().generations + 1;
    let mut job = RunJob::in_memory(settings, pool)?;
    let began = Instant::now();
    let mut ended = 0;
    let mut status = Status::Running;
    // The first generation includes preparation, so it is timed separately.
    let mut first = None;
    while status == Status::Running && began.elapsed() < if ended > 1 { SAMPLE } else { PATIENCE } {
        status = job.step(Budget::time(Duration::from_millis(50)).single());
        if let Some(error) = job.error() {
            return Err(error.clone());
        }
        ended = job.run().generation().map_or(0, |newest| newest + 1);
        if ended == 1 && first.is_none() {
            first = Some(began.elapsed());
        }
    }
    let took = began.elapsed();
    let seconds = match (status, first) {
        (Status::Done, _) => took.as_secs_f64(),
        (_, Some(first)) if ended > 1 => {
            let each = (took - first).as_secs_f64() / (ended - 1) as f64;
            first.as_secs_f64() + each * (all - 1) as f64
        }
        (_, Some(first)) => first.as_secs_f64() * all as f64,
        (_, None) => took.as_secs_f64() * all as f64,
    };
    Ok(Sample { seconds, blocks: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_needs_its_island_and_the_one_before_it() {
        let epoch = |epoch, island| Part::Epoch { epoch, island, islands: 3 };
        assert_eq!(epoch(0, 2).needs(), Vec::<usize>::new());
        assert_eq!((epoch(1, 0).needs(), epoch(2, 1).needs()), (vec![0, 2], vec![3, 4]));
        assert_eq!(Part::Epoch { epoch: 1, island: 0, islands: 1 }.needs(), [0]);
    }
}
