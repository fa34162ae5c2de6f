//! Transposition table of the solver.

use crate::game::Move;
use mancalab_base::memory::{Bucket, BucketMemory};
use mancalab_base::prefetch::prefetch;
use std::sync::atomic::AtomicU32;
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
/// A rank times an odd constant, modulo a power of two above all ranks, is a permutation of the ranks. Its bits from the 42nd on
/// choose a bucket (in a very large table the first ones too), its lower bits are stored as a tag: together they are the whole rank, so that no
/// entry is taken for another board's.
///
/// A table begins small and [grows](BoundsTable::grow) with the number of its entries, since memory that is touched must be zeroed first:
/// a short search would wait for that longer than it computes.
///
/// The fields of an entry, from the lowest bit, are the tag, the lower bound, the distance of the upper bound from
/// [`MOST`], the move, and the effort. So the empty entry, 0, bounds nothing.
///
/// Threads share a table. An entry is one word, so it is never half of one write and half of another.
pub(super) struct BoundsTable {
    /// The entries of a hash fill one cache line. Only the first `1 << bits` are used.
    buckets: BucketMemory,
    bits: AtomicU32,
}

const TAG_BITS: u32 = 42;
const TAG: u64 = (1 << TAG_BITS) - 1;
const UPPER: u32 = TAG_BITS + 7;
const MOVE: u32 = UPPER + 7;
const EFFORT: u32 = MOVE + 3;

/// Maximal effort that fits an entry.
const MOST_EFFORT: u32 = 31;

/// The factor of ranks, and its inverse modulo 2⁶⁴.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const INVERSE: u64 = 0xf1de_83e1_9937_733d;

/// Buckets of a new table, as a power of two: 1 MB.
const LEAST_BITS: u32 = 14;

/// A table grows when one of so many places has an entry. Then hardly any bucket has been full.
const SPARSE: u64 = 8;

impl BoundsTable {
    /// Creates an empty table of at most `megabytes`; `None` if it is too small for ranks below `ranks`.
    pub fn new(megabytes: usize, ranks: u64) -> Option<BoundsTable> {
        let fitting = megabytes.saturating_mul(1 << 20) / size_of::<[u64; 8]>();
        let most = fitting.max(2).ilog2();
        let least = (64 - ranks.leading_zeros()).saturating_sub(TAG_BITS);
        let buckets = BucketMemory::zeroed(1 << most).filter(|_| least <= most)?;
        Some(BoundsTable { buckets, bits: AtomicU32::new(LEAST_BITS.max(least).min(most)) })
    }

    /// Returns the size to which the table may grow.
    pub fn megabytes(&self) -> usize {
        size_of_val(self.buckets.cells()) >> 20
    }

    /// Returns a rank's bucket and tag.
    #[inline(always)]
    fn place(&self, rank: u64) -> (usize, u64) {
        let product = rank.wrapping_mul(FACTOR);
        let mask = (1 << self.bits.load(Relaxed)) - 1;
        (product.rotate_right(TAG_BITS) as usize & mask, product & TAG)
    }

    /// Doubles the table until it has room for several times `filled` entries, or is at its greatest. No search may be under way.
    pub fn grow(&self, filled: u64) {
        let most = self.buckets.cells().len();
        while filled * SPARSE > 8 * self.entries().len() as u64 && self.entries().len() < most {
            self.double();
        }
    }

    /// Moves the entries whose next bit is set into the upper half of a table of twice the size.
    fn double(&self) {
        let bits = self.bits.load(Relaxed);
        let (lower, upper) = self.buckets.cells()[..2 << bits].split_at(1 << bits);
        // As many bits of a product are known as a rank has at most.
        let ranks = u64::MAX >> (64 - TAG_BITS).saturating_sub(bits);
        for (at, (from, to)) in lower.iter().zip(upper).enumerate() {
            for (entry, place) in from.iter().zip(to) {
                let word = entry.load(Relaxed);
                let known = (at as u64) << TAG_BITS | word & TAG;
                let rank = known.wrapping_mul(INVERSE) & ranks;
                if word != 0 && rank.wrapping_mul(FACTOR).rotate_right(TAG_BITS) >> bits & 1 == 1 {
                    place.store(word, Relaxed);
                    entry.store(0, Relaxed);
                }
            }
        }
        self.bits.store(bits + 1, Relaxed);
    }

    /// Sets the size of an empty table, in buckets. Returns whether it can have that size.
    pub fn resize(&self, buckets: u64) -> bool {
        let fits = buckets.is_power_of_two()
            && (self.entries().len() as u64..=self.buckets.cells().len() as u64).contains(&buckets);
        if fits {
            self.bits.store(buckets.ilog2(), Relaxed);
        }
        fits
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
    /// replaces the known one. Returns whether the entry filled an empty place.
    #[inline(always)]
    pub fn put(&self, rank: u64, bounds: Bounds, nodes: u64) -> bool {
        let effort = (64 - nodes.leading_zeros()).min(MOST_EFFORT);
        let (at, tag) = self.place(rank);
        let bucket = &self.buckets.cells()[at];
        let mut least = u64::MAX;
        let mut replaced = 0;
        let mut victim = &bucket[0];
        for place in bucket {
            let entry = place.load(Relaxed);
            if (entry ^ tag) & TAG == 0 {
                let old = unpacked(entry);
                let mv = if bounds.lower > 0 { bounds.mv } else { old.mv };
                let lower = old.lower.max(bounds.lower);
                let upper = old.upper.min(bounds.upper);
                place.store(packed(tag, Bounds { lower, upper, mv }, effort.max((entry >> EFFORT) as u32)), Relaxed);
                return false;
            }
            if entry >> EFFORT < least {
                (least, replaced, victim) = (entry >> EFFORT, entry, place);
            }
        }
        let mv = if bounds.lower > 0 { bounds.mv } else { NO_MOVE };
        victim.store(packed(tag, Bounds { mv, ..bounds }, effort), Relaxed);
        replaced == 0
    }

    /// All entries, bucket by bucket.
    pub fn entries(&self) -> &[Bucket] {
        &self.buckets.cells()[..1 << self.bits.load(Relaxed)]
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
        assert_eq!(found.count(), table.entries().iter().flatten().filter(|entry| entry.load(Relaxed) != 0).count());
        assert!(put.iter().all(|(rank, bounds)| [*bounds, Bounds::NONE].contains(&table.get(*rank))));
    }

    #[test]
    fn a_table_that_grows_keeps_all_entries() {
        let table = BoundsTable::new(8, (1 << 43) - 1).unwrap();
        let ranks = |count: u64| (0..count).map(|number| number.wrapping_mul(0x0123_4567_89ab_cdef) & ((1 << 43) - 1));
        let mut filled = 0;
        for (number, rank) in ranks(100_000).enumerate() {
            filled += u64::from(table.put(rank, Bounds::exact((rank % 60) as u8), 1));
            if number % 1000 == 0 {
                table.grow(filled);
            }
        }
        assert_eq!(table.entries().len(), 1 << 17);
        // A full bucket forgets an entry now and then.
        assert!(filled > 99_990, "{filled}");
        let kept = ranks(100_000).filter(|&rank| table.get(rank) == Bounds::exact((rank % 60) as u8));
        assert_eq!(kept.count() as u64, filled);
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
