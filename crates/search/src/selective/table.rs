//! The transposition table of a selective search.
//!
//! An entry counts at its depth and at every smaller one: the deeper value is the better estimate. Each search sees only its own
//! entries, so a table that is kept for the next search changes no result.

use mancalab_base::memory::TableBytes;

use crate::game::{Game, Move};
use crate::store::{PARTS, Store};

/// Bounds of a position's value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K> {
    key: K,
    pub lower: i32,
    pub upper: i32,
    /// Best move, or [`Move::NONE`].
    pub mv: Move,
    /// Number of the search that wrote it.
    generation: u16,
    pub depth: u8,
}

/// The table of a search, or of the threads of one.
pub struct Table<G: Game>(Store<Part<G>>);

/// Two entries for a hash: the first keeps the deeper search, the second the newer.
struct Part<G: Game> {
    buckets: Vec<[Entry<G::Key>; 2]>,
    generation: u16,
    /// Number of parts of the table, as a power of two.
    parts: u32,
    memory: TableBytes,
}

/// Largest number of buckets, as a power of two: 64 MB.
const MOST_BITS: u32 = 20;

/// Bits of the number of buckets by depth: about the number of positions that a search visits.
const FIRST_BITS: u32 = 6;

impl<G: Game> Default for Table<G> {
    fn default() -> Table<G> {
        Table(Store::Own(Part::new(0)))
    }
}

impl<G: Game> Table<G> {
    /// Makes a table that one search has alone an empty one that threads can share.
    pub(super) fn share(&mut self, root: &G, depth: u32) {
        if let Store::Own(_) = self.0 {
            self.0 = Store::shared(|| Part::new(PARTS.ilog2()));
            self.begin(root, depth);
        }
    }

    /// Returns another handle to a table that threads share.
    pub(super) fn handle(&self) -> Option<Table<G>> {
        self.0.handle().map(Table)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.0.sum(|part| size_of_val(&part.buckets[..]))
    }

    /// Begins a search to `depth`: it sees no earlier entries.
    pub(super) fn begin(&mut self, root: &G, depth: u32) {
        self.0.each(|part| part.begin(root, depth));
    }

    #[inline]
    pub(super) fn get(&self, key: &G::Key, hash: u64) -> Option<Entry<G::Key>> {
        self.0.read(hash, |part| part.get(key, hash).copied())
    }

    /// Stores a value that is exact between `alpha` and `beta`, and otherwise a bound on the same side.
    #[inline]
    pub(super) fn put(&mut self, key: G::Key, hash: u64, depth: u8, window: (i32, i32), value: i32, mv: Move) {
        self.0.write(hash, |part| part.put(key, hash, depth, window, value, mv));
    }
}

impl<G: Game> Part<G> {
    fn new(parts: u32) -> Part<G> {
        Part { buckets: Vec::new(), generation: 0, parts, memory: TableBytes::default() }
    }

    /// Bits of the number of buckets for a search to `depth`; fewer only if the tables of the process have all memory that they may.
    fn bits(&mut self, depth: u32) -> u32 {
        let bits = (FIRST_BITS + depth).min(MOST_BITS).saturating_sub(self.parts);
        let bytes = |bits: u32| size_of::<[Entry<G::Key>; 2]>() << bits;
        if self.buckets.len() == 1 << bits {
            return bits;
        }
        self.memory.clear();
        (1..=bits).rev().find(|&bits| self.memory.grow(bytes(bits))).unwrap_or(0)
    }

    fn begin(&mut self, root: &G, depth: u32) {
        let bits = self.bits(depth);
        self.generation = self.generation.wrapping_add(1);
        // The size decides which entries are replaced, so it follows from the depth alone.
        if self.buckets.len() != 1 << bits || self.generation == 0 {
            let unused = Entry { key: root.key(), lower: 0, upper: 0, mv: Move::NONE, generation: 0, depth: 0 };
            self.buckets.clear();
            self.buckets.shrink_to(1 << bits);
            self.buckets.resize(1 << bits, [unused; 2]);
            self.generation = 1;
        }
    }

    #[inline]
    fn at(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    #[inline]
    fn get(&self, key: &G::Key, hash: u64) -> Option<&Entry<G::Key>> {
        let is_it = |entry: &&Entry<G::Key>| entry.generation == self.generation && entry.key == *key;
        self.buckets[self.at(hash)].iter().find(is_it)
    }

    #[inline]
    fn put(&mut self, key: G::Key, hash: u64, depth: u8, (alpha, beta): (i32, i32), value: i32, mv: Move) {
        let generation = self.generation;
        let at = self.at(hash);
        let [first, second] = &mut self.buckets[at];
        let entry = if first.generation != generation || first.key == key || depth >= first.depth {
            if first.generation == generation && first.key != key {
                *second = *first;
            }
            first
        } else {
            second
        };
        let is_same = entry.generation == generation && entry.key == key;
        if !is_same || entry.depth != depth {
            let mv = if is_same { entry.mv } else { Move::NONE };
            *entry = Entry { key, lower: i32::MIN, upper: i32::MAX, mv, generation, depth };
        }
        if value < beta {
            entry.upper = value;
        }
        if value > alpha {
            entry.lower = value;
            entry.mv = mv;
        }
    }
}
