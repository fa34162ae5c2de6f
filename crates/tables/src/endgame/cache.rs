//! Blocks of a file in memory, at most as many as a limit allows.

use std::sync::{Mutex, PoisonError};

/// Bytes of a block.
pub(super) const BLOCK: usize = 1 << 14;

/// Blocks by number. Each has one place, which it shares with others where not all fit.
pub(super) struct Cache(Vec<Mutex<Place>>);

#[derive(Default)]
struct Place {
    block: usize,
    /// Empty: no block.
    bytes: Box<[u8]>,
}

impl Cache {
    /// A cache of `blocks` blocks in at most `megabytes`.
    pub fn new(blocks: usize, megabytes: usize) -> Cache {
        let fitting = megabytes.saturating_mul((1 << 20) / BLOCK).max(1);
        Cache((0..blocks.min(fitting)).map(|_| Mutex::default()).collect())
    }

    /// Returns bytes of a block, which `read` reads if it is not in memory; `None` if it cannot.
    pub fn bytes<const N: usize>(
        &self,
        block: usize,
        at: usize,
        read: impl FnOnce() -> Option<Box<[u8]>>,
    ) -> Option<[u8; N]> {
        let place = &self.0[block % self.0.len()];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        if place.bytes.is_empty() || place.block != block {
            *place = Place { block, bytes: read()? };
        }
        place.bytes.get(at..)?.first_chunk().copied()
    }
}
