//! The search for fair openings: starts whose value is a draw.

use crate::budget::{Budget, Job, Status};
use crate::game::kalah::Kalah;
use crate::pool::Pool;
use crate::tables::Solver;
use crate::work::{Work, WorkList};
use mancalab_base::Error;

/// A search in progress.
pub struct FairSearch {
    starts: Vec<Kalah>,
    megabytes: usize,
    pool: Pool,
    work_list: WorkList<Option<Solver>, StartWork>,
    found: Vec<Option<bool>>,
}

/// A start in progress.
struct StartWork {
    index: usize,
    /// Whether the worker's solver is at this start, rather than at the one before.
    is_begun: bool,
}

/// The starts to test.
struct Starts<'a> {
    starts: &'a [Kalah],
    megabytes: usize,
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
        Ok(FairSearch { starts, megabytes, pool, work_list: WorkList::default(), found })
    }
}

impl Work for Starts<'_> {
    type Memory = Option<Solver>;
    type Item = StartWork;
    type Output = (usize, bool);

    fn memory(&self) -> Option<Solver> {
        None
    }

    fn begin(&self, index: usize) -> Option<StartWork> {
        (index < self.starts.len()).then_some(StartWork { index, is_begun: false })
    }

    /// The solver of one start serves the next.
    fn advance(&self, solver: &mut Option<Solver>, work: &mut StartWork, budget: Budget) -> Option<(usize, bool)> {
        if !std::mem::replace(&mut work.is_begun, true) {
            let start = &self.starts[work.index];
            *solver = match solver.take() {
                Some(solver) => solver.again(start, self.megabytes),
                None => Solver::new(start, self.megabytes),
            }
            .ok();
        }
        let ordering = solver.as_mut()?.compare_with_draw(budget)?;
        Some((work.index, ordering.is_eq()))
    }
}

impl Job for FairSearch {
    /// For each start, whether it is fair, once that is known.
    type View = Vec<Option<bool>>;

    fn step(&mut self, budget: Budget) -> Status {
        let _turn = self.pool.turn();
        let budget = budget.afresh();
        let work = Starts { starts: &self.starts, megabytes: self.megabytes };
        for (index, is_fair) in self.work_list.advance(&work, &self.pool, budget) {
            self.found[index] = Some(is_fair);
        }
        if self.found.iter().all(Option::is_some) { Status::Done } else { Status::Running }
    }

    fn view(&self) -> Vec<Option<bool>> {
        self.found.clone()
    }
}
