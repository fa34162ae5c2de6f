//! How many processors a run may use. It changes how fast a run is, and nothing else.

use rayon::prelude::*;

/// A pool of threads; of one thread it is none, and work is done where it is asked for.
pub struct Threads {
    pool: Option<rayon::ThreadPool>,
    count: usize,
}

/// No run uses more.
pub const MAX_THREADS: usize = 256;

impl Threads {
    /// 0 stands for one a processor. Where the system gives no threads, the caller's own does the work.
    pub fn new(count: usize) -> Threads {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let count = if count == 0 { all() } else { count }.min(MAX_THREADS);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(|n| format!("evolve-{n}"));
        let pool = (count > 1).then(|| builder.build().ok()).flatten();
        let count = if pool.is_some() { count } else { 1 };
        Threads { pool, count }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Calls `work` for each item, with the number of the thread that does it.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(&mut T, usize) + Sync + Send) {
        match &self.pool {
            None => items.iter_mut().for_each(|item| work(item, 0)),
            Some(pool) => pool.install(|| {
                let pieces = items.len().div_ceil(self.count * 4).max(1);
                items.par_chunks_mut(pieces).for_each(|items| {
                    let thread = rayon::current_thread_index().unwrap_or(0);
                    items.iter_mut().for_each(|item| work(item, thread));
                });
            }),
        }
    }

    /// What `work` makes of each number below `count`, in their order.
    pub fn map<R: Send>(&self, range: std::ops::Range<usize>, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        match &self.pool {
            None => range.map(work).collect(),
            Some(pool) => pool.install(|| range.into_par_iter().with_min_len(16).map(work).collect()),
        }
    }
}
