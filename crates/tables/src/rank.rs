//! Numbers the boards of Kalah without their stores: a perfect hash.

/// Maximal number of seeds in the pits.
pub(crate) const MAX_SEEDS: u8 = 126;

/// The mover's and the opponent's pits, as in [`Game::Key`](crate::game::Game::Key).
pub(crate) type Board = [u64; 2];

/// Maximal number of pits on a board.
const MAX_PITS: usize = 16;

/// 1 in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Ranks of boards of one size.
///
/// In sowing order from the mover's leftmost pit, a board is a sequence of sums: the seeds up to each pit. Boards are
/// ordered by their last sum, then by the one before it, and so on, so those with fewer seeds have smaller ranks.
pub(crate) struct Ranks {
    /// By pit and sum: the boards up to this pit with a smaller sum, a binomial coefficient.
    below: Box<[[u64; MAX_SEEDS as usize + 2]; MAX_PITS]>,
    /// Pits a side.
    pits: usize,
}

impl Ranks {
    /// Creates the ranks of boards with at most `seeds` seeds; `None` if they do not fit 64 bits.
    pub fn new(pits: usize, seeds: u8) -> Option<Ranks> {
        let mut below = Box::new([[0_u64; MAX_SEEDS as usize + 2]; MAX_PITS]);
        for pit in 0..2 * pits {
            for sum in 1..=usize::from(seeds) + 1 {
                // Boards with exactly one seed less: their last pit takes what the pits before it leave.
                let one_less = if pit == 0 { 1 } else { below[pit - 1][sum] };
                below[pit][sum] = below[pit][sum - 1].checked_add(one_less)?;
            }
        }
        Some(Ranks { below, pits })
    }

    /// Number of boards with at most `seeds` seeds: the ranks below it are theirs.
    pub fn count(&self, seeds: u8) -> u64 {
        self.below[2 * self.pits - 1][usize::from(seeds) + 1]
    }

    /// Rank of the first board with this many seeds.
    #[inline(always)]
    pub fn first(&self, seeds: u8) -> u64 {
        if seeds == 0 { 0 } else { self.count(seeds - 1) }
    }

    /// Rank of a board, given as the mover's and the opponent's pits from the left, one a byte.
    #[inline(always)]
    pub fn rank(&self, key: [u64; 2]) -> u64 {
        // A constant number of pits lets the compiler unroll the loops for the standard board.
        match self.pits {
            6 => self.of_pits(6, key),
            pits => self.of_pits(pits, key),
        }
    }

    /// The part of a rank by the mover's pits: the number of this row among all rows, those with fewer seeds first.
    pub fn of_row(&self, own: u64) -> u64 {
        let sums = own.wrapping_mul(ONES);
        (0..self.pits).map(|pit| self.below[pit][(sums >> (8 * pit)) as usize & 0x7f]).sum()
    }

    /// The part of a rank by the opponent's pits, with `own` seeds in the mover's.
    pub fn of_opponent(&self, other: u64, own: u8) -> u64 {
        let sums = other.wrapping_mul(ONES) + u64::from(own) * ONES;
        (0..self.pits).map(|pit| self.below[self.pits + pit][(sums >> (8 * pit)) as usize & 0x7f]).sum()
    }

    #[inline(always)]
    fn of_pits(&self, pits: usize, [own, other]: [u64; 2]) -> u64 {
        let own = own.wrapping_mul(ONES);
        let other = other.wrapping_mul(ONES) + (own >> 56) * ONES;
        let sum = |sums: u64, pit: usize| (sums >> (8 * pit)) as usize & 0x7f;
        let mut rank = 0;
        for pit in 0..pits {
            rank += self.below[pit][sum(own, pit)] + self.below[pits + pit][sum(other, pit)];
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All boards of `pits` pits with exactly `seeds` seeds.
    fn boards(pits: usize, seeds: u64) -> Vec<Vec<u64>> {
        if pits == 1 {
            return vec![vec![seeds]];
        }
        let with = |last| boards(pits - 1, seeds - last).into_iter().map(move |board| [board, vec![last]].concat());
        (0..=seeds).flat_map(with).collect()
    }

    #[test]
    fn ranks_number_the_boards_without_gaps() {
        for (pits, seeds) in [(1, 20), (2, 12), (3, 7), (6, 3), (8, 2)] {
            let ranks = Ranks::new(pits, seeds).unwrap();
            let word = |pits: &[u64]| pits.iter().rev().fold(0, |word, seeds| word << 8 | seeds);
            let mut next = 0;
            for sum in 0..=seeds {
                let rank = |board: Vec<u64>| ranks.rank([word(&board[..pits]), word(&board[pits..])]);
                let mut all: Vec<u64> = boards(2 * pits, sum.into()).into_iter().map(rank).collect();
                all.sort_unstable();
                assert!(all.iter().copied().eq(next..ranks.count(sum)), "{pits} pits, {sum} seeds");
                next = ranks.count(sum);
            }
        }
    }

    #[test]
    fn a_board_with_too_many_seeds_is_refused() {
        assert!(Ranks::new(6, MAX_SEEDS).is_some() && Ranks::new(8, MAX_SEEDS).is_none());
    }
}
