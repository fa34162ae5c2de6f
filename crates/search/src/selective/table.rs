//! The transposition table of a selective search.
//!
//! An entry counts at its depth and at every smaller one: the deeper value is the better estimate. A search to a depth sees only its own
//! entries, so that a table which is kept for the next search changes no result. A search against the clock sees those of the searches
//! before it too, whose results depend on the time anyway.
//!
//! The memory comes zeroed from the system. Two entries fill a cache line, which is fetched while a position is still being prepared.

use mancalab_base::memory::{MappedMemory, TableBytes};
use mancalab_base::prefetch::prefetch;
use zerocopy::FromBytes as _;

use crate::game::Move;
use crate::table::{PARTS, Store};

/// A position, as the evaluator's [`words`](super::Evaluator::words) gives it.
pub(super) type Key = [u64; 2];

/// Bounds of a position's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub lower: i32,
    pub upper: i32,
    /// Best move, or [`Move::NONE`].
    pub mv: Move,
    /// Number of the search that wrote it; 0 in memory that was never written.
    generation: u16,
    pub depth: u8,
}

/// An entry in memory: its position, its bounds, and the rest.
type Words = [u64; 4];

/// A cache line. The first entry keeps the deeper search, the second the newer.
type Bucket = [Words; 2];

impl Entry {
    fn write(self, key: Key) -> Words {
        let bounds = u64::from(self.lower as u32) | u64::from(self.upper as u32) << 32;
        let rest = u64::from(self.mv.0) | u64::from(self.generation) << 16 | u64::from(self.depth) << 32;
        [key[0], key[1], bounds, rest]
    }

    #[inline]
    fn read(&[.., bounds, rest]: &Words) -> Entry {
        Entry {
            lower: bounds as u32 as i32,
            upper: (bounds >> 32) as u32 as i32,
            mv: Move(rest as u16),
            generation: (rest >> 16) as u16,
            depth: (rest >> 32) as u8,
        }
    }
}

/// The size of a table, and which entries a search sees.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Kind {
    /// For the depth of each search, which sees only its own entries.
    #[default]
    Depth,
    /// As large as the searches so far needed; a search sees all entries.
    Kept,
}

/// The table of a search, or of the threads of one.
pub struct Table {
    store: Store<Part>,
    kind: Kind,
}

struct Part {
    /// Buckets; `None`: the part holds nothing.
    buckets: Option<MappedMemory>,
    generation: u16,
    /// The oldest generation that the search sees.
    oldest: u16,
    /// Entries that the search may still write before the table grows.
    left: u64,
    /// Number of parts of the table, as a power of two.
    parts: u32,
    memory: TableBytes,
}

/// Largest number of buckets, as a power of two: 64 MB.
const MOST_BITS: u32 = 20;

/// Bits of the number of buckets by depth: about the number of positions that a search visits.
const FIRST_BITS: u32 = 6;

/// Bits of the number of buckets that a table has before it grows.
const LEAST_BITS: u32 = 12;

impl Default for Table {
    fn default() -> Table {
        Table { store: Store::Own(Part::new(0)), kind: Kind::Depth }
    }
}

impl Table {
    /// Creates a table for searches that end at any time, or for those of a game: it grows with its use, and a large one costs a short
    /// search nothing.
    #[must_use]
    pub fn kept() -> Table {
        Table { kind: Kind::Kept, ..Table::default() }
    }

    /// Whether searches see the entries of those before them.
    pub fn is_kept(&self) -> bool {
        self.kind != Kind::Depth
    }

    /// Makes a table that one search has alone an empty one that threads can share.
    pub(super) fn share(&mut self, depth: u32) {
        if let Store::Own(_) = self.store {
            self.store = Store::shared(|| Part::new(PARTS.ilog2()));
            self.begin(depth);
        }
    }

    /// Returns another handle to a table that threads share.
    pub(super) fn handle(&self) -> Option<Table> {
        Some(Table { store: self.store.handle()?, kind: self.kind })
    }

    /// Bytes of its size, of which the system gives those that are used.
    pub fn bytes(&self) -> usize {
        self.store.sum(|part| part.buckets.as_ref().map_or(0, |buckets| buckets.len()))
    }

    /// Begins a search to `depth`.
    pub(super) fn begin(&mut self, depth: u32) {
        let kind = self.kind;
        self.store.each(|part| part.begin(kind, depth));
    }

    #[inline]
    pub(super) fn get(&self, key: Key, hash: u64) -> Option<Entry> {
        self.store.read(hash, |part| part.get(key, hash))
    }

    /// Begins to fetch the entries of a position with this hash.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        if let Store::Own(part) = &self.store
            && let Some(bucket) = part.bucket(hash)
        {
            prefetch(bucket);
        }
    }

    /// Stores a value that is exact between `alpha` and `beta`, and otherwise a bound on the same side.
    #[inline]
    pub(super) fn put(&mut self, key: Key, hash: u64, depth: u8, window: (i32, i32), value: i32, mv: Move) {
        self.store.write(hash, |part| part.put(key, hash, depth, window, value, mv));
    }
}

impl Part {
    fn new(parts: u32) -> Part {
        Part { buckets: None, generation: 0, oldest: 1, left: u64::MAX, parts, memory: TableBytes::default() }
    }

    /// The number of buckets in use, as a power of two.
    fn bits(&self) -> Option<u32> {
        self.buckets.as_ref().map(|buckets| (buckets.len() / size_of::<Bucket>()).ilog2())
    }

    fn begin(&mut self, kind: Kind, depth: u32) {
        let wanted = match kind {
            // The size decides which entries are replaced, so it follows from the depth alone.
            Kind::Depth => (FIRST_BITS + depth).min(MOST_BITS).saturating_sub(self.parts),
            Kind::Kept => self.bits().unwrap_or(LEAST_BITS.saturating_sub(self.parts)),
        };
        self.generation = self.generation.wrapping_add(1);
        if self.bits() != Some(wanted) || self.generation == 0 {
            self.empty(wanted);
        }
        (self.oldest, self.left) = match kind {
            Kind::Depth => (self.generation, u64::MAX),
            Kind::Kept => (1, 1 << wanted),
        };
    }

    /// Doubles the table. An entry's place in it has one bit more, which its bucket does not tell: each goes to both places.
    #[cold]
    fn grow(&mut self) {
        self.left = u64::MAX;
        let most = (size_of::<Bucket>() << MOST_BITS) >> self.parts;
        if self.buckets.as_ref().is_none_or(|buckets| buckets.len() >= most) {
            return;
        }
        let Some(before) = self.buckets.take() else { return };
        let length = before.len();
        if self.memory.grow(length)
            && let Some(mut grown) = MappedMemory::zeroed(2 * length)
        {
            let (low, high) = grown.split_at_mut(length);
            low.copy_from_slice(&before);
            high.copy_from_slice(&before);
            self.buckets = Some(grown);
            self.left = (length / size_of::<Bucket>()) as u64;
        } else {
            self.buckets = Some(before);
        }
    }

    /// Takes memory for this number of buckets, as a power of two; less only if the system or the tables of the process have no more.
    fn empty(&mut self, wanted: u32) {
        self.buckets = None;
        self.memory.clear();
        self.generation = 1;
        let bytes = |bits: u32| size_of::<Bucket>() << bits;
        let granted = (0..=wanted).rev().find(|&bits| self.memory.grow(bytes(bits)));
        self.buckets = granted.and_then(|bits| MappedMemory::zeroed(bytes(bits)));
    }

    /// The place of a bucket in the memory, in bytes.
    #[inline]
    fn place(length: usize, hash: u64) -> std::ops::Range<usize> {
        let at = (hash as usize).wrapping_mul(size_of::<Bucket>()) & (length - 1);
        at..at + size_of::<Bucket>()
    }

    #[inline]
    fn bucket(&self, hash: u64) -> Option<&Bucket> {
        let bytes = self.buckets.as_deref()?;
        Bucket::ref_from_bytes(&bytes[Part::place(bytes.len(), hash)]).ok()
    }

    #[inline]
    fn get(&self, key: Key, hash: u64) -> Option<Entry> {
        let is_it = |words: &&Words| words[..2] == key && Entry::read(words).generation >= self.oldest;
        self.bucket(hash)?.iter().find(is_it).map(Entry::read)
    }

    #[inline]
    fn put(&mut self, key: Key, hash: u64, depth: u8, (alpha, beta): (i32, i32), value: i32, mv: Move) {
        let generation = self.generation;
        let oldest = self.oldest;
        let Some(bytes) = self.buckets.as_deref_mut() else { return };
        let place = Part::place(bytes.len(), hash);
        let Ok([first, second]) = Bucket::mut_from_bytes(&mut bytes[place]) else { return };
        let entry = Entry::read(first);
        let words = if entry.generation != generation || first[..2] == key || depth >= entry.depth {
            if entry.generation == generation && first[..2] != key {
                *second = *first;
            }
            first
        } else {
            second
        };
        let mut entry = Entry::read(words);
        let is_same = entry.generation >= oldest && words[..2] == key;
        if !is_same || entry.depth != depth {
            let mv = if is_same { entry.mv } else { Move::NONE };
            entry = Entry { lower: i32::MIN, upper: i32::MAX, mv, generation, depth };
        }
        entry.generation = generation;
        if value < beta {
            entry.upper = value;
        }
        if value > alpha {
            entry.lower = value;
            entry.mv = mv;
        }
        *words = entry.write(key);
        self.left -= 1;
        if self.left == 0 {
            self.grow();
        }
    }
}
