//! The memory of tables and trees: counted, bounded where one process serves many, and for large tables on huge pages where the system grants them.
//!
//! Memory belongs to the process, so the count does too. Without [`limit`] nothing is refused.
//!
//! Memory for large tables, zeroed, on huge pages where the system grants them.
//!
//! Tables are read at random. On pages of 4 KB a read also waits for the address of its page, which doubles the time of a
//! search.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes as _;

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

/// A cache line of a transposition table.
pub type Bucket = [AtomicU64; 8];

/// Defines a memory of cells, and the type that borrows them.
macro_rules! memory {
    ($name:ident, $cells:ident, $cell:ty) => {
        type $cells<'a> = &'a [$cell];
        self_cell!(
            /// Cells in memory that several threads may use.
            pub struct $name {
                owner: MutBorrow<MmapMut>,
                #[covariant]
                dependent: $cells,
            }
        );

        impl $name {
            /// `None` if the system has not so much memory.
            pub fn zeroed(count: usize) -> Option<$name> {
                let map = map(count.checked_mul(size_of::<$cell>())?)?;
                $name::try_new(MutBorrow::new(map), |map| {
                    <[$cell]>::mut_from_bytes(map.borrow_mut()).map(|cells| &*cells).map_err(|_| ())
                })
                .ok()
            }

            #[inline(always)]
            pub fn cells(&self) -> &[$cell] {
                self.borrow_dependent()
            }
        }
    };
}

memory!(BucketMemory, Buckets, Bucket);
memory!(ByteMemory, Bytes, AtomicU8);

/// Memory of one owner, from a page's beginning on.
pub struct MappedMemory(MmapMut);

impl MappedMemory {
    /// Returns zeroed memory; `None` if the system has not so much.
    pub fn zeroed(bytes: usize) -> Option<MappedMemory> {
        map(bytes).map(MappedMemory)
    }
}

impl Deref for MappedMemory {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for MappedMemory {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// Bytes of a huge page. Smaller memory is used in part, and zeroing a page takes its time.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

fn map(bytes: usize) -> Option<MmapMut> {
    let map = MmapMut::map_anon(bytes).ok()?;
    // A wish: without it the memory is slower.
    #[cfg(target_os = "linux")]
    if bytes >= HUGE_PAGE {
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    Some(map)
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
