//! Counts sequences of two moves from the filled pits, without playing either move.
//!
//! The number of moves after a move depends only on which pits are empty then. A table holds the pits that a sowing
//! reaches, and a capture empties two more. So sets of pits as bits are enough: the mover's in the low byte, the
//! opponent's in the next.

use super::{Kalah, MAX_PITS, MAX_TOTAL};
use crate::sowing::pits::count;
use crate::sowing::words::nonzero;

/// Pits that a sowing reaches.
#[derive(Clone, Copy)]
struct Reach {
    /// Pits that get a seed.
    filled: u16,
    /// The mover's pit that gets the last seed, if it may have been empty before.
    last: u16,
    /// The opponent's pit opposite to it.
    opposite: u16,
    /// Right shift of the sets to the side that moves next: 0 or 8, or 16 (an empty set) for an empty pit.
    next: u16,
}

const ROWS: usize = MAX_PITS as usize * 256 * 8;

static REACH: [Reach; ROWS] = table();

const fn table() -> [Reach; ROWS] {
    let mut table = [Reach { filled: 0, last: 0, opposite: 0, next: 16 }; ROWS];
    let mut pits = 1;
    while pits <= MAX_PITS as usize {
        let mut pit = 0;
        while pit < pits {
            let mut filled = 0;
            let mut seeds = 1;
            while seeds <= MAX_TOTAL as usize {
                let place = (pit + seeds) % (2 * pits + 1);
                let mut reach = Reach { filled, last: 0, opposite: 0, next: 8 };
                if place < pits {
                    reach.filled |= 1 << place;
                    // After more than one lap every pit has been filled.
                    if seeds <= 2 * pits + 1 {
                        reach.last = 1 << place;
                        reach.opposite = 0x100 << (pits - 1 - place);
                    }
                } else if place == pits {
                    reach.next = 0;
                } else {
                    reach.filled |= 0x100 << (place - pits - 1);
                }
                filled = reach.filled;
                table[(pits - 1) << 11 | seeds << 3 | pit] = reach;
                seeds += 1;
            }
            pit += 1;
        }
        pits += 1;
    }
    table
}

impl Kalah {
    /// See [`Game::count_pairs`](crate::Game::count_pairs).
    #[inline]
    pub(super) fn pairs(&self) -> u64 {
        // A constant number of pits lets the compiler unroll the loop for the standard board.
        match self.rules.pits() {
            6 => self.pairs_of(6),
            pits => self.pairs_of(pits),
        }
    }

    #[inline(always)]
    fn pairs_of(&self, pits: u8) -> u64 {
        let base = (usize::from(pits) - 1) << 11;
        let sets = u16::from(nonzero(self.own)) | u16::from(nonzero(self.other)) << 8;
        // Any opposite pit, or only filled ones.
        let alone = if self.rules.captures_alone() { 0xffff } else { 0 };
        let mut pairs = 0;
        for pit in 0..pits {
            let seeds = (self.own >> (8 * pit)) as u8;
            let reach = &REACH[(base | usize::from(seeds) << 3 | usize::from(pit)) & (ROWS - 1)];
            let lifted = sets & !(1 << pit);
            let sown = lifted | reach.filled;
            let captures = (reach.last & !lifted != 0) & ((sown | alone) & reach.opposite != 0);
            let taken = if captures { reach.last | reach.opposite } else { 0 };
            let after = sown & !taken;
            let next = count((u32::from(after) >> reach.next) as u8);
            let over = ((after & 0xff == 0) | (after >> 8 == 0)) & !self.rules.ends_with_mover();
            pairs += if over { 0 } else { u64::from(next) };
        }
        pairs
    }
}
