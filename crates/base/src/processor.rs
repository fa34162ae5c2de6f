//! Processor time: what work costs, however busy the machine is.
//!
//! Time is counted by threads. What other threads work for one is credited to it, so that a search costs the same whoever shares it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, ThreadId};
use std::time::Duration;

thread_local! {
    static CREDIT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Returns the processor time of this thread and what others have worked for it; `None` where the system does not show it.
pub fn time() -> Option<Duration> {
    Some(of_thread()? + CREDIT.get())
}

fn credit(work: Duration) {
    CREDIT.set(CREDIT.get() + work);
}

/// Work that other threads do for this one, which is credited with it when the value is dropped.
pub struct Shared {
    thread: ThreadId,
    nanoseconds: AtomicU64,
}

impl Shared {
    #[expect(clippy::new_without_default, reason = "it belongs to the thread that makes it")]
    pub fn new() -> Shared {
        Shared { thread: thread::current().id(), nanoseconds: AtomicU64::new(0) }
    }

    /// Does a part of the work on any thread.
    pub fn part<R>(&self, work: impl FnOnce() -> R) -> R {
        if thread::current().id() == self.thread {
            return work();
        }
        let began = time();
        let result = work();
        let spent = began.zip(time()).map_or(Duration::ZERO, |(began, ended)| ended.saturating_sub(began));
        self.nanoseconds.fetch_add(spent.as_nanos() as u64, Relaxed);
        result
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if thread::current().id() == self.thread {
            credit(Duration::from_nanos(*self.nanoseconds.get_mut()));
        }
    }
}

/// Returns the processor time of this thread alone.
#[cfg(target_os = "linux")]
pub fn of_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

#[cfg(not(target_os = "linux"))]
pub fn of_thread() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    #[cfg(target_os = "linux")]
    fn sleep_costs_nothing_and_work_of_others_counts() {
        let before = time().unwrap();
        let began = Instant::now();
        std::thread::sleep(Duration::from_millis(50));
        assert!(began.elapsed() >= Duration::from_millis(50) && time().unwrap() - before < Duration::from_millis(25));
        let work = |time: Duration| {
            let before = of_thread().unwrap();
            while of_thread().unwrap() - before < time {}
        };
        let shared = Shared::new();
        std::thread::scope(|scope| {
            scope.spawn(|| shared.part(|| work(Duration::from_millis(60))));
            shared.part(|| work(Duration::from_millis(20)));
        });
        drop(shared);
        let spent = time().unwrap() - before;
        assert!((80..105).contains(&spent.as_millis()), "{spent:?}");
    }
}
