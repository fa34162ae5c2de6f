//! The transposition table: what is known about positions that were searched before.
//!
//! An entry bounds a position's *gain*: the margin that is still to come for the side to move, so that positions which differ
//! only in what is banked share it. A bound holds for the exact depth it was searched to, so that a search to a fixed depth
//! gives exactly what plain minimax gives; only a *solved* bound, which rests on ends of the game alone, holds at every greater
//! depth too. The whole key is kept and compared: no collision can ever pass a wrong value on.
//!
//! The table starts small and doubles as it fills, so that a shallow search never pays for the memory of a deep one.

use crate::game::{Game, Move};

/// Stands where no move is known.
pub(super) const NO_MOVE: Move = Move::MAX;

/// One bound of a gain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    pub value: i32,
    /// Holds at every greater depth too.
    pub solved: bool,
}

/// What is known about one position at one depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K> {
    key: K,
    lower: i16,
    upper: i16,
    /// Plies the bounds look ahead; 0 marks an entry that was never used.
    depth: u8,
    generation: u8,
    /// [`LOWER_SOLVED`] and [`UPPER_SOLVED`].
    solved: u8,
    /// The move that gave the lower bound.
    pub mv: Move,
}

const LOWER_SOLVED: u8 = 1;
const UPPER_SOLVED: u8 = 2;

impl<K> Entry<K> {
    fn unused(key: K) -> Entry<K> {
        Entry { key, lower: i16::MIN, upper: i16::MAX, depth: 0, generation: 0, solved: 0, mv: NO_MOVE }
    }

    /// The gain is at least this at `depth`.
    #[inline]
    pub fn lower(&self, depth: u8) -> Option<Bound> {
        self.bound(depth, self.lower, LOWER_SOLVED, i16::MIN)
    }

    /// The gain is at most this at `depth`.
    #[inline]
    pub fn upper(&self, depth: u8) -> Option<Bound> {
        self.bound(depth, self.upper, UPPER_SOLVED, i16::MAX)
    }

    #[inline]
    fn bound(&self, depth: u8, value: i16, flag: u8, unknown: i16) -> Option<Bound> {
        let solved = self.solved & flag != 0;
        let holds = value != unknown && (self.depth == depth || (solved && self.depth < depth));
        holds.then_some(Bound { value: value.into(), solved })
    }

    /// Makes it an entry for `depth`, keeping what still holds there.
    #[inline]
    fn deepen(&mut self, depth: u8) {
        if self.depth == depth {
            return;
        }
        let kept = if depth > self.depth { self.solved } else { 0 };
        if kept & LOWER_SOLVED == 0 {
            self.lower = i16::MIN;
        }
        if kept & UPPER_SOLVED == 0 {
            self.upper = i16::MAX;
        }
        self.solved = kept;
        self.depth = depth;
    }
}

/// Entries that a position may be kept in: one line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket<K>([Entry<K>; 2]);

/// What a search found out about a position.
pub(super) struct Finding {
    pub depth: u8,
    /// At least `beta`: a lower bound of the gain. Below: an upper bound.
    pub bound: Bound,
    pub is_lower: bool,
    /// The move that gave a lower bound; [`NO_MOVE`] keeps the one before.
    pub mv: Move,
}

/// A transposition table for one game. Kept between searches, it makes the next one faster and changes no value.
pub struct Table<G: Game> {
    buckets: Vec<Bucket<G::Key>>,
    /// Entries in use.
    used: usize,
    /// The most buckets there may be; a power of two.
    limit: usize,
    /// The search that is running: entries of earlier ones are replaced first.
    generation: u8,
    /// [`Game::variant`] of what is in the table.
    variant: u64,
}

/// A table grows when this many eighths of its buckets' number are entries in use: more than half of the places there are.
const FULL: usize = 10;

/// Buckets a table starts with.
const START: usize = 1 << 9;

impl<G: Game> Table<G> {
    /// An empty table that may grow to `megabytes`; 0 keeps it at the size it starts with.
    pub fn new(megabytes: usize) -> Table<G> {
        let fitting = megabytes.saturating_mul(1 << 20) / size_of::<Bucket<G::Key>>();
        // The largest power of two that fits.
        let limit = 1 << fitting.max(START).ilog2();
        Table { buckets: Vec::new(), used: 0, limit, generation: 0, variant: 0 }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket<G::Key>>()
    }

    /// Begins a search from `root`. What is known stays, unless it is about other rules.
    pub(super) fn begin(&mut self, root: &G) {
        if self.buckets.is_empty() || self.variant != root.variant() {
            self.variant = root.variant();
            self.buckets = vec![Bucket([Entry::unused(root.key()); 2]); START];
            self.used = 0;
        }
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    pub(super) fn get(&self, key: &G::Key, hash: u64) -> Option<&Entry<G::Key>> {
        let bucket = &self.buckets[hash as usize & (self.buckets.len() - 1)];
        bucket.0.iter().find(|entry| entry.key == *key && entry.depth > 0)
    }

    #[inline]
    pub(super) fn put(&mut self, key: G::Key, hash: u64, finding: Finding) {
        let generation = self.generation;
        let entry = self.place(key, hash);
        entry.deepen(finding.depth);
        entry.generation = generation;
        if finding.mv != NO_MOVE {
            entry.mv = finding.mv;
        }
        let (bound, flag) =
            if finding.is_lower { (&mut entry.lower, LOWER_SOLVED) } else { (&mut entry.upper, UPPER_SOLVED) };
        *bound = finding.bound.value as i16;
        entry.solved = entry.solved & !flag | if finding.bound.solved { flag } else { 0 };
        if self.used > FULL * self.buckets.len() / 8 && self.buckets.len() < self.limit {
            self.grow();
        }
    }

    /// The entry about `key`, or else the one in its bucket that is least worth keeping, emptied for it.
    #[inline]
    fn place(&mut self, key: G::Key, hash: u64) -> &mut Entry<G::Key> {
        let at = hash as usize & (self.buckets.len() - 1);
        let [first, second] = &mut self.buckets[at].0;
        if first.depth > 0 && first.key == key {
            return first;
        }
        if second.depth > 0 && second.key == key {
            return second;
        }
        // Entries of earlier searches go before those of this one, and shallow ones before deep ones.
        let current = self.generation;
        let worth = |e: &Entry<G::Key>| (e.depth > 0, e.generation == current, e.depth);
        let victim = if worth(first) <= worth(second) { first } else { second };
        self.used += usize::from(victim.depth == 0);
        *victim = Entry::unused(key);
        victim
    }

    /// Doubles the table. A bucket's entries go to the two buckets its hashes can now mean, so none is lost.
    #[cold]
    fn grow(&mut self) {
        let half = self.buckets.len();
        self.buckets.extend_from_within(..);
        for (at, bucket) in self.buckets.iter_mut().enumerate() {
            for entry in &mut bucket.0 {
                if entry.depth > 0 && (G::hash(&entry.key) as usize & half != 0) != (at >= half) {
                    entry.depth = 0;
                }
            }
        }
    }
}
