//! Transposition table.
//!
//! An entry bounds a position's *gain*: the rest of the margin, for the side to move, so that positions which
//! differ only in the margin so far share it. A bound holds for the exact depth of its search, so that a search to
//! a fixed depth gives exactly the minimax value. Only a *solved* bound, derived from ends of the game alone,
//! also holds at every greater depth. Entries store and compare the whole key, so collisions never produce a
//! wrong value.
//!
//! Values take two bytes, enough for any margin, or four, for evaluations.
//!
//! The table starts small and doubles as it fills, so that a shallow search never pays for the memory of a
//! deep one. Each insertion adds a few buckets, in chunks that never move: doubling a table of a gigabyte at
//! once would take longer than a step of a job may.
//!
//! The threads of a search share a table of many such parts: see [`Store`].
//!
//! A table that one search has alone, or that the threads of a search share.
//!
//! A shared table is in parts, each with a lock of its own, by the highest bits of a position's hash. A lock takes some
//! nanoseconds, the searches between two of them far longer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mancalab_base::memory::TableBytes;

use super::game::{Game, Move};

/// Marks an entry without a move.
pub(super) const NO_MOVE: Move = Move::NONE;

/// A bound of a gain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    pub value: i32,
    /// Whether it holds at every greater depth too.
    pub solved: bool,
}

/// Storage type of a value.
pub trait PackedValue: Copy + Eq + Send + Sync + 'static {
    /// Marks of unknown bounds, outside the range of values.
    const LEAST: Self;
    const MOST: Self;

    /// Converts a value, which must be in range.
    fn pack(value: i32) -> Self;

    fn value(self) -> i32;
}

impl PackedValue for i16 {
    const LEAST: i16 = i16::MIN;
    const MOST: i16 = i16::MAX;

    #[inline]
    fn pack(value: i32) -> i16 {
        value as i16
    }

    #[inline]
    fn value(self) -> i32 {
        self.into()
    }
}

impl PackedValue for i32 {
    const LEAST: i32 = i32::MIN;
    const MOST: i32 = i32::MAX;

    #[inline]
    fn pack(value: i32) -> i32 {
        value
    }

    #[inline]
    fn value(self) -> i32 {
        self
    }
}

/// Bounds of one position at one depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K, V> {
    key: K,
    lower: V,
    upper: V,
    /// Depth of the bounds in plies; 0 marks an unused entry.
    depth: u8,
    generation: u8,
    /// [`LOWER_SOLVED`] and [`UPPER_SOLVED`].
    solved: u8,
    /// The move of the lower bound.
    pub mv: Move,
}

const LOWER_SOLVED: u8 = 1;
const UPPER_SOLVED: u8 = 2;

impl<K, V: PackedValue> Entry<K, V> {
    fn unused(key: K) -> Entry<K, V> {
        Entry { key, lower: V::LEAST, upper: V::MOST, depth: 0, generation: 0, solved: 0, mv: NO_MOVE }
    }

    /// Returns the lower bound of the gain at `depth`.
    #[inline]
    pub fn lower(&self, depth: u8) -> Option<Bound> {
        self.bound(depth, self.lower, LOWER_SOLVED, V::LEAST)
    }

    /// Returns the upper bound of the gain at `depth`.
    #[inline]
    pub fn upper(&self, depth: u8) -> Option<Bound> {
        self.bound(depth, self.upper, UPPER_SOLVED, V::MOST)
    }

    #[inline]
    fn bound(&self, depth: u8, value: V, flag: u8, unknown: V) -> Option<Bound> {
        let solved = self.solved & flag != 0;
        let holds = value != unknown && (self.depth == depth || (solved && self.depth < depth));
        holds.then_some(Bound { value: value.value(), solved })
    }

    /// Changes the depth of the entry and keeps the bounds that still hold.
    #[inline]
    fn deepen(&mut self, depth: u8) {
        if self.depth == depth {
            return;
        }
        let kept = if depth > self.depth { self.solved } else { 0 };
        if kept & LOWER_SOLVED == 0 {
            self.lower = V::LEAST;
        }
        if kept & UPPER_SOLVED == 0 {
            self.upper = V::MOST;
        }
        self.solved = kept;
        self.depth = depth;
    }
}

/// The two entries for a hash: one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket<K, V>([Entry<K, V>; 2]);

/// Search result for a position.
pub(super) struct SearchResult {
    pub depth: u8,
    /// A lower bound of the gain if at least `beta`, otherwise an upper bound.
    pub bound: Bound,
    pub is_lower: bool,
    /// The move of a lower bound; [`NO_MOVE`] leaves the previous one.
    pub mv: Move,
}

/// Transposition table for one game. Reuse between searches saves time and changes no value.
pub struct Table<G: Game, V: PackedValue = i16>(Store<Part<G, V>>);

impl<G: Game, V: PackedValue> Table<G, V> {
    /// Creates an empty table that may grow to `megabytes`; 0 limits it to the initial size.
    pub fn new(megabytes: usize) -> Table<G, V> {
        Table(Store::Own(Part::new(megabytes.saturating_mul(1 << 20), START)))
    }

    /// Makes a table that one search has alone an empty one of the same size that threads can share.
    pub(super) fn share(&mut self, root: &G) {
        let Store::Own(own) = &self.0 else { return };
        let bytes = own.limit * size_of::<Bucket<G::Key, V>>() / PARTS;
        self.0 = Store::shared(|| Part::new(bytes, START / PARTS));
        self.begin(root);
    }

    /// Returns another handle to a table that threads share.
    pub(super) fn handle(&self) -> Option<Table<G, V>> {
        self.0.handle().map(Table)
    }

    /// Removes all entries; [`begin`](Table::begin) must follow.
    pub(super) fn clear(&mut self) {
        self.0.each(Part::clear);
    }

    /// Returns the bytes in use.
    pub fn bytes(&self) -> usize {
        self.0.sum(|part| part.len * size_of::<Bucket<G::Key, V>>())
    }

    /// Begins a search from `root`. Entries are kept unless the rules differ.
    pub(super) fn begin(&mut self, root: &G) {
        self.0.each(|part| part.begin(root));
    }

    #[inline]
    pub(super) fn get(&self, key: &G::Key, hash: u64) -> Option<Entry<G::Key, V>> {
        self.0.read(hash, |part| part.get(key, hash).copied())
    }

    #[inline]
    pub(super) fn put(&mut self, key: G::Key, hash: u64, result: SearchResult) {
        self.0.write(hash, |part| part.put(key, hash, result));
    }
}

/// A table, or a part of one that threads share.
struct Part<G: Game, V: PackedValue> {
    /// Each of [`CHUNK`] buckets, except the last.
    chunks: Vec<Vec<Bucket<G::Key, V>>>,
    /// Number of buckets.
    len: usize,
    /// Number of buckets after the current doubling: a power of two.
    size: usize,
    /// Number of entries in use.
    used: usize,
    /// Initial and maximum number of buckets; powers of two.
    start: usize,
    limit: usize,
    /// Number of the current search: entries of earlier ones are replaced first.
    generation: u8,
    /// [`Game::variant`] of the entries.
    variant: u64,
    /// What the table has beyond its initial size.
    memory: TableBytes,
}

/// Load at which a table doubles: used entries per eight buckets (of 16 entries).
const FULL: usize = 10;

/// Initial number of buckets.
const START: usize = 1 << 9;

/// Buckets per chunk: 4 MB.
const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;

/// Buckets added per insertion while a table doubles. Doubling finishes long before the table is full again.
const ADDED: usize = 4;

impl<G: Game, V: PackedValue> Part<G, V> {
    /// Creates an empty table of `start` buckets that may grow to this size.
    fn new(bytes: usize, start: usize) -> Part<G, V> {
        let fitting = bytes / size_of::<Bucket<G::Key, V>>();
        // The largest power of two that fits.
        let limit = 1 << fitting.max(start).ilog2();
        let memory = TableBytes::default();
        Part { chunks: Vec::new(), len: 0, size: 0, used: 0, start, limit, generation: 0, variant: 0, memory }
    }

    fn clear(&mut self) {
        (self.chunks, self.len, self.size, self.used) = (Vec::new(), 0, 0, 0);
    }

    /// Begins a search from `root`. Entries are kept unless the rules differ.
    fn begin(&mut self, root: &G) {
        if self.len == 0 || self.variant != root.variant() {
            self.variant = root.variant();
            self.chunks = vec![vec![Bucket([Entry::unused(root.key()); 2]); self.start]];
            (self.len, self.size, self.used) = (self.start, self.start, 0);
            self.memory.clear();
        }
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    fn get(&self, key: &G::Key, hash: u64) -> Option<&Entry<G::Key, V>> {
        let (chunk, at) = self.place_of(hash);
        self.chunks[chunk][at].0.iter().find(|entry| entry.key == *key && entry.depth > 0)
    }

    #[inline]
    fn put(&mut self, key: G::Key, hash: u64, result: SearchResult) {
        let generation = self.generation;
        let entry = self.place(key, hash);
        entry.deepen(result.depth);
        entry.generation = generation;
        if result.mv != NO_MOVE {
            entry.mv = result.mv;
        }
        let (bound, flag) =
            if result.is_lower { (&mut entry.lower, LOWER_SOLVED) } else { (&mut entry.upper, UPPER_SOLVED) };
        *bound = V::pack(result.bound.value);
        entry.solved = entry.solved & !flag | if result.bound.solved { flag } else { 0 };
        if self.len < self.size {
            self.grow();
        } else if self.used > FULL * self.len / 8 && self.len < self.limit {
            self.double();
        }
    }

    /// Begins to double the table, unless the tables of the process have all memory that they may.
    #[cold]
    fn double(&mut self) {
        if self.memory.grow(self.len * size_of::<Bucket<G::Key, V>>()) {
            self.size *= 2;
        }
    }

    /// Returns the chunk of a hash's bucket and the index in it.
    #[inline]
    fn place_of(&self, hash: u64) -> (usize, usize) {
        let at = hash as usize & (self.size - 1);
        // The upper half is incomplete: missing buckets share those of the lower half.
        let at = if at < self.len { at } else { at & (self.size / 2 - 1) };
        (at >> CHUNK_BITS, at & (CHUNK - 1))
    }

    /// Returns the entry for `key`, or replaces the least valuable entry of its bucket by an empty one.
    #[inline]
    fn place(&mut self, key: G::Key, hash: u64) -> &mut Entry<G::Key, V> {
        let (chunk, at) = self.place_of(hash);
        let [first, second] = &mut self.chunks[chunk][at].0;
        if first.depth > 0 && first.key == key {
            return first;
        }
        if second.depth > 0 && second.key == key {
            return second;
        }
        // Replacement order: entries of earlier searches first, then shallow ones.
        let current = self.generation;
        let worth = |e: &Entry<G::Key, V>| (e.depth > 0, e.generation == current, e.depth);
        let victim = if worth(first) <= worth(second) { first } else { second };
        self.used += usize::from(victim.depth == 0);
        *victim = Entry::unused(key);
        victim
    }

    /// Adds a few buckets of the doubling. Each takes its entries from the bucket in the lower half, so none
    /// is lost.
    #[cold]
    fn grow(&mut self) {
        let half = self.size / 2;
        for _ in 0..ADDED.min(self.size - self.len) {
            let below = self.len - half;
            let lower = &mut self.chunks[below >> CHUNK_BITS][below & (CHUNK - 1)];
            let mut upper = *lower;
            for (low, high) in lower.0.iter_mut().zip(&mut upper.0).filter(|(low, _)| low.depth > 0) {
                let stays = G::hash(&low.key) as usize & half == 0;
                (if stays { high } else { low }).depth = 0;
            }
            if self.len.is_multiple_of(CHUNK) {
                self.chunks.push(Vec::with_capacity(CHUNK));
            }
            if let Some(last) = self.chunks.last_mut() {
                last.push(upper);
            }
            self.len += 1;
        }
    }
}

#[cfg(test)]
mod tests;

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
