//! A table that one search has alone, or that the threads of a search share.
//!
//! A shared table is in parts, each with a lock of its own, by the highest bits of a position's hash. A lock takes some
//! nanoseconds, the searches between two of them far longer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) enum Store<T> {
    Own(T),
    Shared(Arc<[Mutex<T>]>),
}

/// Parts of a shared table, as a power of two.
const BITS: u32 = 6;

/// Parts of a shared table.
pub(crate) const PARTS: usize = 1 << BITS;

/// A part that a panic left in the middle of a change has whole entries.
fn locked<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Store<T> {
    /// Creates a store that threads can share, of parts made by `part`.
    pub fn shared(part: impl Fn() -> T) -> Store<T> {
        Store::Shared((0..PARTS).map(|_| Mutex::new(part())).collect())
    }

    /// Returns another handle to a shared store; `None` if one search has it alone.
    pub fn handle(&self) -> Option<Store<T>> {
        match self {
            Store::Own(_) => None,
            Store::Shared(parts) => Some(Store::Shared(Arc::clone(parts))),
        }
    }

    /// Reads the part for a hash.
    #[inline(always)]
    pub fn read<R>(&self, hash: u64, read: impl FnOnce(&T) -> R) -> R {
        match self {
            Store::Own(table) => read(table),
            Store::Shared(parts) => read(&locked(&parts[(hash >> (64 - BITS)) as usize])),
        }
    }

    /// Changes the part for a hash.
    #[inline(always)]
    pub fn write<R>(&mut self, hash: u64, write: impl FnOnce(&mut T) -> R) -> R {
        match self {
            Store::Own(table) => write(table),
            Store::Shared(parts) => write(&mut locked(&parts[(hash >> (64 - BITS)) as usize])),
        }
    }

    /// Changes every part.
    pub fn each(&mut self, mut change: impl FnMut(&mut T)) {
        match self {
            Store::Own(table) => change(table),
            Store::Shared(parts) => parts.iter().for_each(|part| change(&mut locked(part))),
        }
    }

    /// Returns the sum of a figure over the parts.
    pub fn sum(&self, figure: impl Fn(&T) -> usize) -> usize {
        match self {
            Store::Own(table) => figure(table),
            Store::Shared(parts) => parts.iter().map(|part| figure(&locked(part))).sum(),
        }
    }
}
