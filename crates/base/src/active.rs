//! Marks of the subtrees that the threads of one search are in, so that they share the work: each thread first tries the moves
//! that no other is searching (T. Kerrigan's simplified ABDADA).

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The subtrees that threads are searching at present.
pub struct ActiveSearches {
    busy: Vec<AtomicU64>,
    stop: AtomicBool,
}

/// A mark of a search in [`ActiveSearches`], until dropped.
pub struct Mark(Arc<ActiveSearches>, usize);

/// Another thread is in the search.
pub struct Taken;

/// Number of marks, as a power of two.
const BITS: u32 = 12;

impl Default for ActiveSearches {
    fn default() -> ActiveSearches {
        ActiveSearches { busy: (0..1 << BITS).map(|_| AtomicU64::new(0)).collect(), stop: AtomicBool::new(false) }
    }
}

impl ActiveSearches {
    /// Marks the search with this key, which is not 0; `None` if another thread has marked it.
    #[inline]
    pub fn mark(self: &Arc<ActiveSearches>, key: u64) -> Option<Mark> {
        let at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize;
        (self.busy[at].swap(key, Relaxed) != key).then(|| Mark(Arc::clone(self), at))
    }

    /// Marks the null-window search of a position with this hash.
    #[inline]
    pub fn mark_search(self: &Arc<ActiveSearches>, hash: u64, depth: u8, beta: i32) -> Option<Mark> {
        let window = (u64::from(depth) << 32 | u64::from(beta as u32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.mark((hash ^ window).max(1))
    }

    /// Marks the search of a root's move, which leads to a position with this hash.
    ///
    /// # Errors
    /// Another thread searches it.
    #[inline]
    pub fn claim(self: &Arc<ActiveSearches>, hash: u64, depth: u8) -> Result<Mark, Taken> {
        self.mark_search(hash, depth, i32::MAX).ok_or(Taken)
    }

    /// Sets whether all threads stop as soon as possible.
    pub fn stop(&self, stop: bool) {
        self.stop.store(stop, Relaxed);
    }

    /// Returns whether all threads are to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Drop for Mark {
    #[inline]
    fn drop(&mut self) {
        self.0.busy[self.1].store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_of_one_thread_until_dropped() {
        let active = Arc::new(ActiveSearches::default());
        let mark = active.mark_search(7, 3, -2);
        assert!(mark.is_some() && active.mark_search(7, 3, -2).is_none() && active.mark_search(7, 3, -1).is_some());
        drop(mark);
        assert!(active.mark_search(7, 3, -2).is_some());
    }
}
