//! The memory of the tables and trees of searches: counted, and bounded where one process serves many guests.
//!
//! Memory belongs to the process, so the count does too. Without [`limit`] nothing is refused.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The share of the free memory that one growth may take, as a divisor: the tables of others grow too.
const SHARE: usize = 4;

/// A count of bytes with a limit.
pub struct Meter {
    used: AtomicUsize,
    limit: AtomicUsize,
}

static TABLES: Meter = Meter::new(usize::MAX);

/// Limits the bytes of all tables of the process. Those that exist keep theirs.
pub fn limit(bytes: usize) {
    TABLES.limit.store(bytes, Ordering::Relaxed);
}

/// The bytes of all tables of the process.
pub fn used() -> usize {
    TABLES.used.load(Ordering::Relaxed)
}

impl Meter {
    pub const fn new(limit: usize) -> Meter {
        Meter { used: AtomicUsize::new(0), limit: AtomicUsize::new(limit) }
    }
}

/// The bytes of one table, counted until it is dropped.
pub struct TableBytes {
    meter: &'static Meter,
    bytes: usize,
}

impl Default for TableBytes {
    /// No bytes yet, of those of the process.
    fn default() -> TableBytes {
        TableBytes::new(&TABLES)
    }
}

impl TableBytes {
    /// No bytes yet, of those of a meter.
    pub fn new(meter: &'static Meter) -> TableBytes {
        TableBytes { meter, bytes: 0 }
    }

    /// Counts more bytes, if they are at most a quarter of what is free. Returns whether they are.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let limit = self.meter.limit.load(Ordering::Relaxed);
        let more = |used: usize| (limit.saturating_sub(used) / SHARE >= bytes).then(|| used + bytes);
        let is_granted = self.meter.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok();
        self.bytes += if is_granted { bytes } else { 0 };
        is_granted
    }

    /// Gives all bytes back.
    pub fn clear(&mut self) {
        self.meter.used.fetch_sub(std::mem::take(&mut self.bytes), Ordering::Relaxed);
    }
}

impl Drop for TableBytes {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_share_what_is_free_and_give_it_back() {
        static METER: Meter = Meter::new(1000);
        let mut one = TableBytes::new(&METER);
        let mut other = TableBytes::new(&METER);
        assert!(one.grow(250) && !one.grow(250), "a quarter of 750 is less");
        assert!(other.grow(187) && !other.grow(150));
        assert_eq!(METER.used.load(Ordering::Relaxed), 437);
        one.clear();
        assert!(other.grow(200));
        drop(other);
        assert_eq!(METER.used.load(Ordering::Relaxed), 0);
        assert!(TableBytes::default().grow(1 << 40), "without a limit all is granted");
    }
}
