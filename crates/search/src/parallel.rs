//! Parallel search: helper threads search the same positions with a shared transposition table and avoid moves that another thread
//! is searching (T. Kerrigan's simplified ABDADA).
//!
//! The values of an exact search do not depend on the helpers, since a table changes none. The positions visited do, and
//! perhaps the length of the lines.

use crate::active::ActiveSearches;
use crate::budget::{Budget, Status};
use mancalab_base::pool::{Pool, side_by_side};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The threads of a search.
#[derive(Clone)]
pub enum Threads {
    /// This many, at least 1: the calling thread, and others that live as long as a step.
    Own(usize),
    /// Those of a pool, in turns with its other users.
    Shared(Pool),
}

impl Threads {
    /// The calling thread.
    pub const ONE: Threads = Threads::Own(1);

    pub fn count(&self) -> usize {
        match self {
            Threads::Own(count) => *count,
            Threads::Shared(pool) => pool.count(),
        }
    }

    /// Returns the results of `work` on all items at the same time, in order. A time limit begins with the turn on the pool.
    pub fn run<T: Send, R: Send>(
        &self,
        items: &mut [T],
        budget: Budget,
        work: impl Fn(&mut T, Budget) -> R + Sync,
    ) -> Vec<R> {
        match self {
            Threads::Own(_) => side_by_side(items, |item| work(item, budget)),
            Threads::Shared(pool) => {
                let _turn = pool.turn();
                let budget = budget.afresh();
                pool.map_each(items, |item| work(item, budget))
            }
        }
    }
}

/// Sets its flag when dropped, even by a panic: the helpers would not stop otherwise.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The helpers of a search in progress.
pub(crate) struct Helpers<S> {
    threads: Threads,
    searches: Vec<S>,
}

/// Time of a search on one thread before others help: less is not worth the start of a thread.
const SINGLE_THREADED: Duration = Duration::from_micros(300);

/// Time between two checks of a helper whether the search is done.
const BETWEEN_CHECKS: Duration = Duration::from_micros(200);

impl<S> Default for Helpers<S> {
    fn default() -> Helpers<S> {
        Helpers::NONE
    }
}

impl<S> Helpers<S> {
    /// No helpers.
    pub const NONE: Helpers<S> = Helpers::new(Threads::ONE);

    pub const fn new(threads: Threads) -> Helpers<S> {
        Helpers { threads, searches: Vec::new() }
    }

    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Ends the help and returns the helpers.
    pub fn take(&mut self) -> Vec<S> {
        std::mem::take(&mut self.searches)
    }

    /// Returns a sum over the helpers.
    pub fn sum(&self, figure: impl Fn(&S) -> u64) -> u64 {
        self.searches.iter().map(figure).sum()
    }
}

impl<S: Send> Helpers<S> {
    /// Continues `main` by `work` until the budget is spent or it is done, with helpers that `helper` makes from it.
    pub fn step(
        &mut self,
        main: &mut S,
        budget: Budget,
        work: impl Fn(&mut S, Budget) -> Status + Sync,
        helper: impl Fn(&mut S, &Arc<ActiveSearches>) -> Option<S>,
    ) -> Status {
        let count = self.threads.count();
        if count == 1 {
            return work(main, budget);
        }
        if self.searches.is_empty() {
            let status = work(main, budget.at_most(SINGLE_THREADED));
            if status == Status::Done || budget.is_spent() {
                return status;
            }
            let active = Arc::default();
            self.searches = (1..count).map_while(|_| helper(main, &active)).collect();
        }
        let is_over = AtomicBool::new(false);
        let mut all: Vec<(bool, &mut S)> = vec![(true, main)];
        all.extend(self.searches.iter_mut().map(|search| (false, search)));
        let statuses = self.threads.run(&mut all, budget, |(is_main, search), budget| {
            if *is_main {
                let _over = Over(&is_over);
                return work(search, budget);
            }
            let mut status = Status::Running;
            while status == Status::Running && !is_over.load(Relaxed) {
                status = work(search, budget.at_most(BETWEEN_CHECKS));
            }
            status
        });
        statuses[0]
    }
}

#[cfg(test)]
mod tests;
