//! Thread pool shared by all parallel work.
//!
//! A program has one pool and passes it to all computations: runs of every kind, and players on a clock. Results
//! never depend on the number of threads. A [`Turn`] gives exclusive use of the pool, so that concurrent runs share
//! it step by step in fair order.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::{fmt, thread};

use rayon::prelude::*;

use crate::processor::Shared;

/// Maximum pool size: beyond the gain of any machine, within the limits of every system.
pub const MAX_THREADS: usize = 256;

/// Thread name, followed by a number.
pub const THREAD_NAME: &str = "pool-";

/// Items per task where each takes little time.
const AT_ONCE: usize = 16;

/// Handle to the pool; clones share it.
///
/// Threads start on first use. A pool of size one has no threads: the calling thread does the work, one [`Turn`] at
/// a time.
#[derive(Clone)]
pub struct Pool(Arc<PoolState>);

struct PoolState {
    wanted: usize,
    /// `None` in a pool of size one, or if the system cannot start threads.
    pool: OnceLock<Option<rayon::ThreadPool>>,
    turns: Mutex<Turns>,
    turned: Condvar,
}

/// Ticket lock: the next ticket and the current one.
#[derive(Default)]
struct Turns {
    drawn: u64,
    now: u64,
}

/// Exclusive use of the pool until dropped. Turns are granted in order of request.
#[must_use]
pub struct Turn<'a>(&'a Pool);

impl Pool {
    /// Creates a pool of `count` threads, at most [`MAX_THREADS`]; 0: one per processor.
    pub fn new(count: usize) -> Pool {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        let wanted = if count == 0 { all() } else { count }.min(MAX_THREADS);
        Pool(Arc::new(PoolState { wanted, pool: OnceLock::new(), turns: Mutex::default(), turned: Condvar::new() }))
    }

    /// Creates a pool of size one: the calling thread does all work.
    pub fn alone() -> Pool {
        Pool::new(1)
    }

    fn pool(&self) -> Option<&rayon::ThreadPool> {
        let builder = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.0.wanted);
            builder.thread_name(|number| format!("{THREAD_NAME}{number}")).build().ok()
        };
        self.0.pool.get_or_init(|| (self.0.wanted > 1).then(builder).flatten()).as_ref()
    }

    /// Returns the number of threads; 1 if the system cannot start any.
    pub fn count(&self) -> usize {
        self.pool().map_or(1, |_| self.0.wanted)
    }

    /// Waits for exclusive use of the pool. Deadlocks if the caller already has a turn.
    pub fn turn(&self) -> Turn<'_> {
        let mut turns = self.turns();
        let mine = turns.drawn;
        turns.drawn += 1;
        while turns.now != mine {
            turns = self.0.turned.wait(turns).unwrap_or_else(PoisonError::into_inner);
        }
        Turn(self)
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        locked(&self.0.turns)
    }

    /// Calls `work` with each number below `count`, in parallel. All parallel work goes through here: rayon's own functions
    /// would be compiled anew for every caller.
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        match self.pool() {
            None => (0..count).for_each(work),
            Some(pool) => {
                let shared = Shared::new();
                let part = |index| shared.part(|| work(index));
                pool.install(|| (0..count).into_par_iter().with_max_len(1).for_each(part));
            }
        }
    }

    /// Calls `work` on each item, in parallel.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
        let piece = items.len().div_ceil(self.0.wanted * 4).max(1);
        let pieces: Vec<Mutex<&mut [T]>> = items.chunks_mut(piece).map(Mutex::new).collect();
        self.run(pieces.len(), &|index| locked(&pieces[index]).iter_mut().for_each(&work));
    }

    /// Returns the results of `work` on each worker, in order. A worker is one thread's share of long work, with its
    /// data.
    pub fn map_each<T: Send, R: Send>(&self, workers: &mut [T], work: impl Fn(&mut T) -> R + Sync + Send) -> Vec<R> {
        let workers: Vec<_> = workers.iter_mut().map(|worker| Mutex::new((worker, None))).collect();
        self.run(workers.len(), &|index| {
            let (worker, result) = &mut *locked(&workers[index]);
            *result = Some(work(worker));
        });
        workers.into_iter().filter_map(|worker| unlocked(worker).1).collect()
    }

    /// Returns the results of `work` on each number of the range, in order.
    pub fn map<R: Send>(&self, range: Range<usize>, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        let mut results: Vec<Option<R>> = range.clone().map(|_| None).collect();
        let pieces: Vec<Mutex<&mut [Option<R>]>> = results.chunks_mut(AT_ONCE).map(Mutex::new).collect();
        self.run(pieces.len(), &|index| {
            let first = range.start + index * AT_ONCE;
            for (offset, result) in locked(&pieces[index]).iter_mut().enumerate() {
                *result = Some(work(first + offset));
            }
        });
        drop(pieces);
        results.into_iter().flatten().collect()
    }
}

/// Locks data that only one thread uses: an earlier panic in it has been passed on by the pool.
fn locked<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unlocked<T>(data: Mutex<T>) -> T {
    data.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the results of `work` on all items at the same time, in order: on the first item on the calling thread, on each other on
/// a thread that ends with the work. For work that is not the pool's: the calling thread may be one of the pool's workers, which
/// must not take up other work meanwhile.
///
/// If the system cannot start a thread, the calling one does its work after that on the first item.
///
/// # Panics
/// If `work` panics.
pub fn side_by_side<T: Send, R: Send>(items: &mut [T], work: impl Fn(&mut T) -> R + Sync) -> Vec<R> {
    let items: Vec<_> = items.iter_mut().map(|item| Mutex::new((item, None))).collect();
    at_once(items.len(), &|index| {
        let (item, result) = &mut *locked(&items[index]);
        *result = Some(work(item));
    });
    items.into_iter().filter_map(|item| unlocked(item).1).collect()
}

/// Calls `work` with each number below `count`, at the same time.
fn at_once(count: usize, work: &(dyn Fn(usize) + Sync)) {
    if count == 0 {
        return;
    }
    let shared = Shared::new();
    let part = |index| shared.part(|| work(index));
    thread::scope(|scope| {
        let start = |index| (index, thread::Builder::new().spawn_scoped(scope, move || part(index)));
        let others: Vec<_> = (1..count).map(start).collect();
        part(0);
        for (index, thread) in others {
            match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => part(index),
            }
        }
    });
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.turns().now += 1;
        self.0.0.turned.notify_all();
    }
}

/// One thread per processor.
impl Default for Pool {
    fn default() -> Pool {
        Pool::new(0)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool of {}", self.0.wanted)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::ThreadId;
    use std::time::Duration;

    use super::*;

    /// Returns the threads that executed the pool's work, in each of its methods.
    fn threads(pool: &Pool) -> HashSet<ThreadId> {
        let id = || {
            thread::sleep(Duration::from_millis(1));
            thread::current().id()
        };
        let seen = Mutex::new(pool.map(0..200, |_| id()));
        seen.lock().unwrap().extend(pool.map_each(&mut [(); 20], |()| id()));
        pool.each(&mut [(); 50], |()| seen.lock().unwrap().push(id()));
        seen.into_inner().unwrap().into_iter().collect()
    }

    #[test]
    fn a_pool_is_as_large_as_it_was_asked_to_be() {
        let alone = threads(&Pool::alone());
        assert_eq!(alone, HashSet::from([thread::current().id()]));
        let three = threads(&Pool::new(3));
        assert!(three.len() <= 3 && !three.contains(&thread::current().id()), "{three:?}");
        assert_eq!([1, 3, 1000].map(|count| Pool::new(count).0.wanted), [1, 3, MAX_THREADS]);
    }

    #[test]
    fn results_come_in_the_order_of_what_they_are_made_of() {
        for pool in [Pool::alone(), Pool::new(4)] {
            let squares = |n: usize| n * n;
            assert_eq!(pool.map(0..100, squares), (0..100).map(squares).collect::<Vec<_>>());
            let mut workers: Vec<usize> = (0..9).collect();
            assert_eq!(pool.map_each(&mut workers, |n| squares(*n)), (0..9).map(squares).collect::<Vec<_>>());
            pool.each(&mut workers, |n| *n += 1);
            assert_eq!(workers, (1..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn turns_are_taken_one_at_a_time_and_no_one_is_passed_over() {
        let pool = Pool::new(2);
        let holders = AtomicUsize::new(0);
        let counts: Vec<AtomicUsize> = (0..3).map(|_| AtomicUsize::new(0)).collect();
        thread::scope(|scope| {
            let taken = |who: usize| {
                let pool = pool.clone();
                let holders = &holders;
                let counts = &counts;
                move || {
                    for _ in 0..20 {
                        let _turn = pool.turn();
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        thread::sleep(Duration::from_millis(2));
                        holders.fetch_sub(1, Ordering::SeqCst);
                        counts[who].fetch_add(1, Ordering::SeqCst);
                    }
                    // The first to finish all turns has not starved the others.
                    counts.iter().map(|count| count.load(Ordering::SeqCst)).min().unwrap()
                }
            };
            let least: Vec<usize> =
                (0..3).map(|who| scope.spawn(taken(who))).map(|thread| thread.join()).map(Result::unwrap).collect();
            assert_eq!(least.len(), 3);
        });
        assert!(counts.iter().all(|count| count.load(Ordering::SeqCst) == 20));
    }

    #[test]
    fn work_side_by_side_runs_at_the_same_time_and_on_the_calling_thread_first() {
        let meeting = std::sync::Barrier::new(3);
        let mut items = [1, 2, 3];
        let results = side_by_side(&mut items, |item| {
            meeting.wait();
            *item *= 10;
            (*item, thread::current().id())
        });
        let ids: HashSet<ThreadId> = results.iter().map(|(_, id)| *id).collect();
        assert_eq!((items, results[0].1, ids.len()), ([10, 20, 30], thread::current().id(), 3));
        assert!(results.iter().map(|(item, _)| item).eq(&items));
        assert!(side_by_side(&mut [(); 0], |()| ()).is_empty());
    }

    #[test]
    fn a_turn_ends_even_by_a_panic() {
        let pool = Pool::alone();
        let other = pool.clone();
        let panicked = thread::spawn(move || {
            let _turn = other.turn();
            panic!("in the middle of a turn");
        });
        assert!(panicked.join().is_err());
        let _turn = pool.turn();
    }
}
