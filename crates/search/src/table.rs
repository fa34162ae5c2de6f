//! The transposition table: what is known about positions that were searched before.
//!
//! An entry bounds a position's *gain*: the margin that is still to come for the side to move, so that positions which differ
//! only in what is banked share it. A bound holds for the exact depth it was searched to, so that a search to a fixed depth
//! gives exactly what plain minimax gives; only a *solved* bound, which rests on ends of the game alone, holds at every greater
//! depth too. The whole key is kept and compared: no collision can ever pass a wrong value on.
//!
//! Values are kept in two bytes, which holds any margin, or in four, for those of an evaluation.
//!
//! The table starts small and doubles as it fills, so that a shallow search never pays for the memory of a deep one. It doubles
//! a few buckets at a time, with each entry that is put in, and lies in pieces that are never moved: to double a table of a
//! gigabyte at once would take longer than a step of a job may.

use crate::game::{Game, Move};

/// Stands where no move is known.
pub(super) const NO_MOVE: Move = Move::NONE;

/// One bound of a gain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    pub value: i32,
    /// Holds at every greater depth too.
    pub solved: bool,
}

/// A value as it is kept.
pub trait Kept: Copy + Eq + Send + Sync + 'static {
    /// Stand where no bound is known: no value is as small, nor as great.
    const LEAST: Self;
    const MOST: Self;

    /// The value in as many bytes, which must be enough.
    fn of(value: i32) -> Self;

    fn value(self) -> i32;
}

impl Kept for i16 {
    const LEAST: i16 = i16::MIN;
    const MOST: i16 = i16::MAX;

    #[inline]
    fn of(value: i32) -> i16 {
        value as i16
    }

    #[inline]
    fn value(self) -> i32 {
        self.into()
    }
}

impl Kept for i32 {
    const LEAST: i32 = i32::MIN;
    const MOST: i32 = i32::MAX;

    #[inline]
    fn of(value: i32) -> i32 {
        value
    }

    #[inline]
    fn value(self) -> i32 {
        self
    }
}

/// What is known about one position at one depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K, V> {
    key: K,
    lower: V,
    upper: V,
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

impl<K, V: Kept> Entry<K, V> {
    fn unused(key: K) -> Entry<K, V> {
        Entry { key, lower: V::LEAST, upper: V::MOST, depth: 0, generation: 0, solved: 0, mv: NO_MOVE }
    }

    /// The gain is at least this at `depth`.
    #[inline]
    pub fn lower(&self, depth: u8) -> Option<Bound> {
        self.bound(depth, self.lower, LOWER_SOLVED, V::LEAST)
    }

    /// The gain is at most this at `depth`.
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

    /// Makes it an entry for `depth`, keeping what still holds there.
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

/// Entries that a position may be kept in: one line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket<K, V>([Entry<K, V>; 2]);

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
pub struct Table<G: Game, V: Kept = i16> {
    /// Of [`CHUNK`] buckets each, but for the last.
    chunks: Vec<Vec<Bucket<G::Key, V>>>,
    /// Buckets in all.
    len: usize,
    /// Buckets there will be once it has doubled, or there are: a power of two.
    size: usize,
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

/// Buckets that lie side by side: 4 MB of them.
const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;

/// Buckets that are added at a time while a table doubles. It is done long before it is full again.
const ADDED: usize = 4;

impl<G: Game, V: Kept> Table<G, V> {
    /// An empty table that may grow to `megabytes`; 0 keeps it at the size it starts with.
    pub fn new(megabytes: usize) -> Table<G, V> {
        let fitting = megabytes.saturating_mul(1 << 20) / size_of::<Bucket<G::Key, V>>();
        // The largest power of two that fits.
        let limit = 1 << fitting.max(START).ilog2();
        Table { chunks: Vec::new(), len: 0, size: 0, used: 0, limit, generation: 0, variant: 0 }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<Bucket<G::Key, V>>()
    }

    /// Begins a search from `root`. What is known stays, unless it is about other rules.
    pub(super) fn begin(&mut self, root: &G) {
        if self.len == 0 || self.variant != root.variant() {
            self.variant = root.variant();
            self.chunks = vec![vec![Bucket([Entry::unused(root.key()); 2]); START]];
            (self.len, self.size, self.used) = (START, START, 0);
        }
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    pub(super) fn get(&self, key: &G::Key, hash: u64) -> Option<&Entry<G::Key, V>> {
        let (chunk, at) = self.place_of(hash);
        self.chunks[chunk][at].0.iter().find(|entry| entry.key == *key && entry.depth > 0)
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
        *bound = V::of(finding.bound.value);
        entry.solved = entry.solved & !flag | if finding.bound.solved { flag } else { 0 };
        if self.len < self.size {
            self.grow();
        } else if self.used > FULL * self.len / 8 && self.len < self.limit {
            self.size *= 2;
        }
    }

    /// The chunk and the place in it of the bucket for a hash.
    #[inline]
    fn place_of(&self, hash: u64) -> (usize, usize) {
        let at = hash as usize & (self.size - 1);
        // Where the upper half is not there yet, its entries lie in the lower.
        let at = if at < self.len { at } else { at & (self.size / 2 - 1) };
        (at >> CHUNK_BITS, at & (CHUNK - 1))
    }

    /// The entry about `key`, or else the one in its bucket that is least worth keeping, emptied for it.
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
        // Entries of earlier searches go before those of this one, and shallow ones before deep ones.
        let current = self.generation;
        let worth = |e: &Entry<G::Key, V>| (e.depth > 0, e.generation == current, e.depth);
        let victim = if worth(first) <= worth(second) { first } else { second };
        self.used += usize::from(victim.depth == 0);
        *victim = Entry::unused(key);
        victim
    }

    /// Adds a few buckets of those it takes to double the table: each gets what now belongs there from the one in the lower half,
    /// so none is lost.
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
mod tests {
    use super::*;
    use crate::game::BoardGame as _;
    use crate::game::kalah::Kalah;
    use crate::rng;
    use rand::Rng as _;
    use std::collections::HashSet;

    /// Different positions of random games.
    fn positions(count: usize) -> Vec<Kalah> {
        let start = Kalah::start("6x4:standard".parse().unwrap());
        let mut random = rng::keyed(&[7]);
        let (mut known, mut all, mut pos) = (HashSet::new(), Vec::new(), start);
        while all.len() < count {
            pos = if pos.is_over() { start } else { pos.play(pos.pick(random.next_u32())) };
            if known.insert(pos.key()) {
                all.push(pos);
            }
        }
        all
    }

    #[test]
    fn a_table_grows_a_little_at_a_time_and_loses_nothing_by_it() {
        let all = positions(8 * START);
        let mut table = Table::<Kalah>::new(64);
        table.begin(&all[0]);
        let mut sizes = HashSet::new();
        for (count, pos) in all.iter().enumerate() {
            let (len, used) = (table.len, table.used);
            let bound = Bound { value: 1, solved: false };
            table.put(pos.key(), Kalah::hash(&pos.key()), Finding { depth: 5, bound, is_lower: true, mv: Move(2) });
            assert!(table.len <= len + ADDED && table.used <= used + 1);
            sizes.insert(table.size);
            let is_known = |pos: &&Kalah| table.get(&pos.key(), Kalah::hash(&pos.key())).is_some();
            assert!(is_known(&pos));
            if count % 128 == 0 {
                // Every place in use holds a position of its own, where it is looked for, whether the table is growing or not.
                assert_eq!(all[..=count].iter().filter(is_known).count(), table.used, "after {count}");
            }
        }
        assert!(sizes.len() >= 3 && table.used > 4 * START, "{sizes:?}, {} of {}", table.used, all.len());
        assert_eq!(table.bytes(), table.len * size_of::<Bucket<<Kalah as Game>::Key, i16>>());
        // Full-grown it takes in more and more, and nothing else changes.
        let mut small = Table::<Kalah>::new(0);
        small.begin(&all[0]);
        for pos in &all {
            let bound = Bound { value: 1, solved: false };
            small.put(pos.key(), Kalah::hash(&pos.key()), Finding { depth: 5, bound, is_lower: true, mv: Move(2) });
        }
        assert_eq!((small.len, small.size, small.limit), (START, START, START));
    }
}
