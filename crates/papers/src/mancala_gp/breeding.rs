//! Many runs in memory, several in parallel, each by a single worker, so the results do not depend on the number of workers.

use mancalab_base::Error;

use super::STEP;
use crate::budget::{Budget, Status};
use crate::evolve::gp::GenerationRow;
use crate::evolve::kalah::{KalahRun, Settings};
use crate::pool::Pool;
use crate::program::kalah::Program;
use crate::typed_run::TypedRun;

/// The maximum number of parallel runs, which limits the memory of runs that grow without limit.
const AT_ONCE: usize = 8;

/// A finished run.
#[derive(Clone, Debug)]
pub(super) struct RunResult {
    pub rows: Vec<GenerationRow>,
    /// The best program of the last generation.
    pub best: Option<Program>,
    /// Whether it stopped because its programs grew too large.
    pub is_halted: bool,
}

impl RunResult {
    fn new(job: &TypedRun<KalahRun>) -> RunResult {
        let best = job.run().population().map(|population| population.best().program.first().clone());
        RunResult { rows: job.run().history().iter().copied().collect(), best, is_halted: job.is_halted() }
    }
}

/// A run in progress.
struct WorkerState {
    number: usize,
    job: TypedRun<KalahRun>,
    status: Status,
}

/// Runs all settings and returns the runs in their order. `progress` receives the finished runs and the number of the newest one.
///
/// # Errors
/// A run cannot begin.
pub(super) fn breed(
    plan: &[Settings],
    pool: &Pool,
    progress: &mut dyn FnMut(&[Option<RunResult>], usize),
) -> Result<Vec<RunResult>, Error> {
    let mut bred: Vec<Option<RunResult>> = vec![None; plan.len()];
    let mut workers: Vec<WorkerState> = Vec::new();
    let mut waiting = plan.iter().enumerate();
    while bred.iter().any(Option::is_none) {
        let free = pool.count().min(AT_ONCE) - workers.len();
        for (number, settings) in waiting.by_ref().take(free) {
            let job = TypedRun::in_memory(settings.clone(), &Pool::alone())?;
            workers.push(WorkerState { number, job, status: Status::Running });
        }
        let newest = workers.last().map_or(0, |worker| worker.number);
        pool.each(&mut workers, |worker| worker.status = worker.job.step(Budget::time(STEP)));
        for worker in workers.extract_if(.., |worker| worker.status == Status::Done) {
            if let Some(error) = worker.job.error().filter(|_| !worker.job.is_halted()) {
                return Err(error.clone());
            }
            bred[worker.number] = Some(RunResult::new(&worker.job));
        }
        progress(&bred, newest);
    }
    Ok(bred.into_iter().flatten().collect())
}
