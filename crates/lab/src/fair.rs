//! The search for fair openings: starts whose value is a draw.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::budget::{Budget, Job, Status};
use crate::game::kalah::Kalah;
use crate::pool::Pool;
use crate::search::Solver;
use mancalab_base::Error;

/// A search in progress.
pub struct FairSearch {
    starts: Vec<Kalah>,
    megabytes: usize,
    pool: Pool,
    workers: Vec<WorkerState>,
    /// The first start that no worker has begun.
    next: AtomicUsize,
    found: Vec<Option<bool>>,
}

/// A worker's start in progress, and those it finished in this step.
#[derive(Default)]
struct WorkerState {
    current: Option<usize>,
    /// The solver of that start, or of the one before.
    solver: Option<Solver>,
    found: Vec<(usize, bool)>,
}

impl FairSearch {
    /// Tests these starts; each worker has a table of at most this size.
    ///
    /// # Errors
    /// See [`Solver::check`].
    pub fn new(starts: Vec<Kalah>, megabytes: usize, pool: &Pool) -> Result<FairSearch, Error> {
        starts.iter().try_for_each(Solver::check)?;
        let pool = pool.clone();
        let found = vec![None; starts.len()];
        Ok(FairSearch { starts, megabytes, pool, workers: Vec::new(), next: AtomicUsize::new(0), found })
    }
}

impl WorkerState {
    /// Tests starts until the budget is spent or none is left. The solver of one serves the next.
    fn step(&mut self, starts: &[Kalah], megabytes: usize, next: &AtomicUsize, budget: Budget) {
        loop {
            if self.current.is_none() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(start) = starts.get(index) else { return };
                self.current = Some(index);
                self.solver = match self.solver.take() {
                    Some(solver) => solver.again(start, megabytes),
                    None => Solver::new(start, megabytes),
                }
                .ok();
            }
            let (Some(index), Some(solver)) = (self.current, self.solver.as_mut()) else { return };
            if let Some(ordering) = solver.compare_with_draw(budget) {
                self.found.push((index, ordering.is_eq()));
                self.current = None;
            }
            if budget.is_spent() {
                return;
            }
        }
    }
}

impl Job for FairSearch {
    /// For each start, whether it is fair, once that is known.
    type View = Vec<Option<bool>>;

    fn step(&mut self, budget: Budget) -> Status {
        let _turn = self.pool.turn();
        let budget = budget.afresh();
        self.workers.resize_with(self.pool.count(), WorkerState::default);
        let starts = &self.starts;
        let megabytes = self.megabytes;
        let next = &self.next;
        self.pool.map_each(&mut self.workers, |worker| worker.step(starts, megabytes, next, budget));
        for (index, is_fair) in self.workers.iter_mut().flat_map(|worker| worker.found.drain(..)) {
            self.found[index] = Some(is_fair);
        }
        if self.found.iter().all(Option::is_some) { Status::Done } else { Status::Running }
    }

    fn view(&self) -> Vec<Option<bool>> {
        self.found.clone()
    }
}
