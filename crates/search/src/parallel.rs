//! Several threads in one search: helpers that search the same positions with the same table, and leave to others what those
//! are searching (T. Kerrigan's simplification of ABDADA).
//!
//! The values of an exact search do not depend on the helpers, since a table changes none. The positions visited do, and
//! perhaps the length of the lines.

use crate::budget::{Budget, Status};
use mancalab_base::pool::{Pool, side_by_side};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

/// The work that threads are doing at present.
pub(crate) struct Crowd {
    busy: Vec<AtomicU64>,
    stop: AtomicBool,
}

/// A mark of work in a [`Crowd`], until dropped.
pub(crate) struct Mark(Arc<Crowd>, usize);

/// Another thread is doing the work.
pub(crate) struct Taken;

/// Number of marks, as a power of two.
const BITS: u32 = 12;

impl Crowd {
    pub fn new() -> Crowd {
        Crowd { busy: (0..1 << BITS).map(|_| AtomicU64::new(0)).collect(), stop: AtomicBool::new(false) }
    }

    /// Marks the work called `key`, which is not 0; `None` if another thread has marked it.
    pub fn mark(self: &Arc<Crowd>, key: u64) -> Option<Mark> {
        let at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize;
        (self.busy[at].swap(key, Relaxed) != key).then(|| Mark(Arc::clone(self), at))
    }

    /// Marks the null-window search of a position with this hash.
    pub fn mark_search(self: &Arc<Crowd>, hash: u64, depth: u8, beta: i32) -> Option<Mark> {
        let window = (u64::from(depth) << 32 | u64::from(beta as u32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.mark((hash ^ window).max(1))
    }

    /// Marks the search of a root's move, which leads to a position with this hash.
    ///
    /// # Errors
    /// Another thread searches it.
    pub fn claim(self: &Arc<Crowd>, hash: u64, depth: u8) -> Result<Mark, Taken> {
        self.mark_search(hash, depth, i32::MAX).ok_or(Taken)
    }

    /// Sets whether all threads stop as soon as possible.
    pub fn stop(&self, stop: bool) {
        self.stop.store(stop, Relaxed);
    }

    /// Returns whether all threads are to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.0.busy[self.1].store(0, Relaxed);
    }
}

/// The threads of a search.
#[derive(Clone)]
pub enum Threads {
    /// This many, at least 1: the calling thread, and others that live as long as a step.
    Own(usize),
    /// Those of a pool, in turns with its other users.
    Of(Pool),
}

impl Threads {
    /// The calling thread.
    pub const ONE: Threads = Threads::Own(1);

    pub fn count(&self) -> usize {
        match self {
            Threads::Own(count) => *count,
            Threads::Of(pool) => pool.count(),
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
            Threads::Of(pool) => {
                let _turn = pool.turn();
                let budget = budget.afresh();
                pool.map_each(items, |item| work(item, budget))
            }
        }
    }
}

/// The helpers of a search in progress.
pub(crate) struct Helpers<S> {
    threads: Threads,
    searches: Vec<S>,
}

/// Time that a search takes alone before others help: less is not worth the start of a thread.
const ALONE: Duration = Duration::from_micros(300);

/// Time between two checks of a helper whether the search is done.
const BETWEEN_CHECKS: Duration = Duration::from_micros(200);

impl<S> Default for Helpers<S> {
    fn default() -> Helpers<S> {
        Helpers::NONE
    }
}

impl<S> Helpers<S> {
    /// No helpers.
    pub const NONE: Helpers<S> = Helpers::of(Threads::ONE);

    pub const fn of(threads: Threads) -> Helpers<S> {
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
        helper: impl Fn(&mut S, &Arc<Crowd>) -> Option<S>,
    ) -> Status {
        let count = self.threads.count();
        if count == 1 {
            return work(main, budget);
        }
        if self.searches.is_empty() {
            let status = work(main, budget.at_most(ALONE));
            if status == Status::Done || budget.is_spent() {
                return status;
            }
            let crowd = Arc::new(Crowd::new());
            self.searches = (1..count).map_while(|_| helper(main, &crowd)).collect();
        }
        let is_over = AtomicBool::new(false);
        let mut all: Vec<(bool, &mut S)> = vec![(true, main)];
        all.extend(self.searches.iter_mut().map(|search| (false, search)));
        let statuses = self.threads.run(&mut all, budget, |(is_main, search), budget| {
            let mut status = Status::Running;
            if *is_main {
                status = work(search, budget);
                is_over.store(true, Relaxed);
            } else {
                while !is_over.load(Relaxed) && status == Status::Running {
                    status = work(search, budget.at_most(BETWEEN_CHECKS));
                }
            }
            status
        });
        statuses[0]
    }
}

#[cfg(test)]
mod tests;
