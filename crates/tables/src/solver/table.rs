//! Transposition table of the solver.

use crate::game::Move;
use crate::memory::{Bucket, BucketMemory};
use crate::prefetch::prefetch;
use std::sync::atomic::Ordering::Relaxed;

/// Bounds of the mover's share, and the best move known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub lower: u8,
    pub upper: u8,
    pub mv: Move,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { lower: 0, upper: MOST, mv: NO_MOVE };

    pub fn exact(share: u8) -> Bounds {
        Bounds { lower: share, upper: share, mv: NO_MOVE }
    }

    /// Bounds by a search result: a lower bound if at least `least`, else an upper bound.
    pub fn from_result(share: u8, least: u8, mv: Move) -> Bounds {
        let is_lower = share >= least;
        Bounds { lower: if is_lower { share } else { 0 }, upper: if is_lower { MOST } else { share }, mv }
    }
}

/// Marks an entry without a move. A move with this number, the last pit of the largest board, is not stored.
pub(super) const NO_MOVE: Move = Move(7);

/// Upper bound without information.
const MOST: u8 = 0x7f;

/// Transposition table with eight bytes a board.
///
/// A rank times an odd constant, modulo a power of two above all ranks, is a permutation of the ranks. Its upper bits
/// choose a bucket, its lower bits are stored as a tag: together they are the whole rank, so that no entry is taken for
/// another board's.
///
/// The fields of an entry, from the lowest bit, are the tag, the lower bound, the distance of the upper bound from
/// [`MOST`], the move, and the effort. So the empty entry, 0, bounds nothing.
///
/// Threads share a table. An entry is one word, so it is never half of one write and half of another.
pub(super) struct BoundsTable {
    /// The entries of a hash fill one cache line.
    buckets: BucketMemory,
    bits: u32,
}

const TAG_BITS: u32 = 42;
const TAG: u64 = (1 << TAG_BITS) - 1;
const UPPER: u32 = TAG_BITS + 7;
const MOVE: u32 = UPPER + 7;
const EFFORT: u32 = MOVE + 3;

/// Maximal effort that fits an entry.
const MOST_EFFORT: u32 = 31;

impl BoundsTable {
    /// Creates an empty table of at most `megabytes`; `None` if it is too small for ranks below `ranks`.
    pub fn new(megabytes: usize, ranks: u64) -> Option<BoundsTable> {
        let fitting = megabytes.saturating_mul(1 << 20) / size_of::<[u64; 8]>();
        let bits = fitting.max(2).ilog2();
        let is_enough = 64 - ranks.leading_zeros() <= TAG_BITS + bits;
        BucketMemory::zeroed(1 << bits).filter(|_| is_enough).map(|buckets| BoundsTable { buckets, bits })
    }

    pub fn megabytes(&self) -> usize {
        size_of_val(self.buckets.cells()) >> 20
    }

    /// Returns a rank's bucket and tag.
    #[inline(always)]
    fn place(&self, rank: u64) -> (usize, u64) {
        let product = rank.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let top = product << (64 - TAG_BITS).saturating_sub(self.bits);
        ((top >> (64 - self.bits)) as usize, product & TAG)
    }

    /// Begins to fetch the entries of a board.
    #[inline(always)]
    pub fn prefetch(&self, rank: u64) {
        prefetch(&self.buckets.cells()[self.place(rank).0]);
    }

    /// Returns the known bounds of a board.
    #[inline(always)]
    pub fn get(&self, rank: u64) -> Bounds {
        let (at, tag) = self.place(rank);
        let mut entries = self.buckets.cells()[at].iter().map(|entry| entry.load(Relaxed));
        entries.find(|entry| (entry ^ tag) & TAG == 0).map_or(Bounds::NONE, unpacked)
    }

    /// Adds bounds of a board with this tag, replacing the entry of the least effort. A move of a lower bound
    /// replaces the known one.
    #[inline(always)]
    pub fn put(&self, rank: u64, bounds: Bounds, nodes: u64) {
        let effort = (64 - nodes.leading_zeros()).min(MOST_EFFORT);
        let (at, tag) = self.place(rank);
        let bucket = &self.buckets.cells()[at];
        let mut least = u64::MAX;
        let mut victim = &bucket[0];
        for place in bucket {
            let entry = place.load(Relaxed);
            if (entry ^ tag) & TAG == 0 {
                let old = unpacked(entry);
                let mv = if bounds.lower > 0 { bounds.mv } else { old.mv };
                let lower = old.lower.max(bounds.lower);
                let upper = old.upper.min(bounds.upper);
                place.store(packed(tag, Bounds { lower, upper, mv }, effort.max((entry >> EFFORT) as u32)), Relaxed);
                return;
            }
            if entry >> EFFORT < least {
                (least, victim) = (entry >> EFFORT, place);
            }
        }
        let mv = if bounds.lower > 0 { bounds.mv } else { NO_MOVE };
        victim.store(packed(tag, Bounds { mv, ..bounds }, effort), Relaxed);
    }

    /// All entries, bucket by bucket.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Bucket> {
        self.buckets.cells().iter()
    }
}

#[inline(always)]
fn packed(tag: u64, bounds: Bounds, effort: u32) -> u64 {
    let field = |value: u8, at: u32| u64::from(value) << at;
    tag | field(bounds.lower, TAG_BITS)
        | field(MOST - bounds.upper, UPPER)
        | field(bounds.mv.0 as u8, MOVE)
        | u64::from(effort) << EFFORT
}

#[inline(always)]
fn unpacked(entry: u64) -> Bounds {
    let lower = (entry >> TAG_BITS) as u8 & MOST;
    let upper = MOST - ((entry >> UPPER) as u8 & MOST);
    Bounds { lower, upper, mv: Move((entry >> MOVE) as u16 & 7) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn entries_come_back_or_are_replaced_but_never_mistaken() {
        let table = BoundsTable::new(1, 1 << 41).unwrap();
        let mut put = HashMap::new();
        // Neighbours and far ranks, four times as many as fit.
        for number in 0..4 * 8 * table.buckets.cells().len() as u64 {
            let rank = if number % 2 == 0 { number } else { number.wrapping_mul(0x9e37_79b9) & ((1 << 41) - 1) };
            let lower = 1 + (rank % 60) as u8;
            let bounds = Bounds { lower, upper: lower + 7, mv: Move((rank % 6) as u16) };
            table.put(rank, bounds, 1 + number % 5);
            put.insert(rank, bounds);
        }
        let found = put.iter().filter(|(rank, bounds)| table.get(**rank) == **bounds);
        assert_eq!(found.count(), table.entries().flatten().filter(|entry| entry.load(Relaxed) != 0).count());
        assert!(put.iter().all(|(rank, bounds)| [*bounds, Bounds::NONE].contains(&table.get(*rank))));
    }

    #[test]
    fn bounds_narrow_and_the_move_of_a_lower_bound_stays() {
        let table = BoundsTable::new(0, 1000).unwrap();
        table.put(5, Bounds::from_result(9, 8, Move(3)), 4);
        assert_eq!(table.get(5), Bounds { lower: 9, upper: MOST, mv: Move(3) });
        table.put(5, Bounds::from_result(11, 12, NO_MOVE), 1);
        assert_eq!(table.get(5), Bounds { lower: 9, upper: 11, mv: Move(3) });
        table.put(5, Bounds::exact(10), 1);
        assert_eq!(table.get(6), Bounds::NONE);
        assert_eq!((table.get(5).lower, table.get(5).upper), (10, 10));
    }
}
