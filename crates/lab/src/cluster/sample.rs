//! Trying out for a moment how long a run takes, so that a plan can say how long its units do.

use mancalab_base::Error;
use std::time::{Duration, Instant};

use crate::budget::{Budget, Job as _, Status};
use crate::job::{Run as _, RunJob};
use crate::kinds::{AnyRun, AnySettings};
use crate::pool::Pool;

/// So long is tried, and so long at most until a second generation has ended.
pub(crate) const SAMPLE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(10);

/// What a sample of the work tells.
pub struct Sample {
    /// What a run takes on one processor, in seconds; 0 if the sample was too short to tell.
    pub seconds: f64,
    pub blocks: Vec<u32>,
}

/// Runs for a moment, in memory, and tells from that what the whole run takes.
///
/// # Errors
/// It cannot be begun or go on: why.
pub(crate) fn sample_run(settings: &AnySettings, pool: &Pool) -> Result<Sample, Error> {
    let mut job = RunJob::<AnyRun>::in_memory(settings.clone(), pool)?;
    let began = Instant::now();
    let (mut ended, mut status) = (0, Status::Running);
    // The first generation alone tells little: what is prepared is prepared in it.
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
    let all = settings.manifest().generations + 1;
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
