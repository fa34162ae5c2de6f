//! What a unit's work is given, and what comes of it.

use mancalab_base::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::result::{Body, Found};
use crate::budget::{Budget, Status};
use crate::codec::{Decoder, Encoder, checksum};
use crate::confined;
use crate::files::{self, Kind};
use crate::job::Row;
use crate::job::run_dir::checkpoint_generation;
use crate::pool::Pool;

/// How long work goes on between two looks at whether it should stop.
pub(crate) const STEP: Duration = Duration::from_millis(50);
/// What is saved of a unit is saved so often, unless that takes long.
const SAVE_EVERY: Duration = Duration::from_secs(1);
/// And no more than one part in so many of the time goes into saving.
const SAVE_SHARE: u32 = 20;

/// What a unit's work is given.
pub struct JobContext<'a> {
    /// The results of the parts that this one [needs](super::part::Part::needs), in their order.
    pub inputs: &'a [Vec<u8>],
    /// Where this attempt saves what it has.
    pub folder: &'a Path,
    /// Where others at the same unit did.
    pub others: &'a [PathBuf],
    pub pool: &'a Pool,
    /// Whether to stop; what was saved is gone on with later.
    pub stop: &'a dyn Fn() -> bool,
    /// Told how far it is, from 0 to 1.
    pub told: &'a mut dyn FnMut(f64),
}

/// What came of it.
#[derive(PartialEq, Eq, Debug)]
pub enum Outcome {
    Done(Body),
    /// It was told to stop, and saved what it had.
    Stopped,
}

/// A run that was put together from its parts.
pub struct Folded<R> {
    /// As of the last generation that could be put together.
    pub run: Option<R>,
    /// All generations are there, or no more are needed.
    pub finished: bool,
    /// The parts without a result that are needed still.
    pub missing: Vec<usize>,
    /// Why the run could not go on, whatever parts there are.
    pub stuck: Option<Error>,
}

/// The results of a run's parts.
pub struct Given<'a> {
    /// Whether a part has one.
    pub has: &'a dyn Fn(usize) -> bool,
    /// Gives it, if there is one, once all of it was looked at.
    pub open: &'a mut dyn FnMut(usize) -> Result<Option<Found>, Error>,
}

/// Takes the rows in their order.
pub(crate) type Taken<'a> = &'a mut dyn FnMut(&Row) -> Result<(), Error>;

/// Work of bounded steps that is saved as a whole.
pub(crate) trait Piece {
    /// # Errors
    /// It cannot go on: why.
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Result<Status, Error>;

    /// What there is so far; the result, once all is done.
    fn body(&self) -> Body;

    /// How far it is, from 0 to 1.
    fn share(&self) -> f64;
}

/// Works on a piece until it is done or told to stop.
///
/// # Errors
/// It cannot go on, or what it has cannot be saved: why.
pub(crate) fn drive(work: &mut JobContext<'_>, piece: &mut dyn Piece) -> Result<Outcome, Error> {
    let mut due = Instant::now() + SAVE_EVERY;
    loop {
        let status = piece.advance(work.pool, Budget::time(STEP))?;
        (work.told)(piece.share());
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
    out.bytes(&body.promised);
    out.bytes(&body.told);
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
    Some(Body { promised: from.bytes().ok()?.to_vec(), told: from.bytes().ok()?.to_vec() })
}

/// What other attempts have saved, the furthest first.
pub(crate) fn saved_by_others(work: &JobContext<'_>) -> Vec<Body> {
    let mut bodies: Vec<Body> = work.others.iter().filter_map(|folder| saved(folder)).collect();
    bodies.sort_by_key(|body| std::cmp::Reverse(body.promised.len()));
    bodies
}

/// How far an attempt has come that saved in a folder: comparable for attempts at the same unit.
pub(crate) fn progress(folder: &Path) -> u64 {
    let part = confined::resolve(&folder.join(SAVED)).and_then(fs::symlink_metadata).map_or(0, |meta| meta.len());
    checkpoint_generation(folder).map_or(part, |generation| generation + 1)
}

/// Makes the folder of an attempt.
///
/// # Errors
/// Names it and the reason.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Error> {
    confined::create_folders(folder).map_err(Error::cannot("make", folder))
}
