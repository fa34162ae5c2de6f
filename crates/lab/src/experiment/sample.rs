//! Samples how long a run takes, to estimate the duration of a plan's units.

use mancalab_base::Error;
use std::time::{Duration, Instant};

use crate::budget::{Budget, Job as _, Status};
use crate::job::{RunJob, RunSettings};
use crate::pool::Pool;

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
