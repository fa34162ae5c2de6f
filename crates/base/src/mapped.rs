//! Memory for large tables, zeroed, on huge pages where the system grants them.
//!
//! Tables are read at random. On pages of 4 KB a read also waits for the address of its page, which doubles the time of a
//! search.

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU8, AtomicU64};
use zerocopy::FromBytes as _;

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
