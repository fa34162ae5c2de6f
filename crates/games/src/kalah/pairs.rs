//! Counts sequences of two moves from the filled pits, without playing either move.
//!
//! The number of moves after a move depends only on which pits are empty then. A table holds the pits that a sowing
//! reaches, and a capture empties two more. So sets of pits as bits are enough: the mover's in the low byte, the
//! opponent's in the next.

use super::{Kalah, MAX_PITS, MAX_TOTAL};
use crate::Game as _;
use crate::sowing::pits::count;
use crate::sowing::words::{nonzero, nonzero_reversed};

/// Pits that a sowing reaches.
#[derive(Clone, Copy)]
#[repr(align(8))]
struct Reach {
    /// Pits that get a seed.
    filled: u16,
    /// The mover's pit that gets the last seed, if it may have been empty before: in the low byte if the sowing does not
    /// pass the opposite pit, in the high byte if it does.
    last: u16,
    /// Pits that a capture empties: that of the last seed and the opposite one.
    taken: u16,
    /// Right shift of the sets to the side that moves next: 0 or 8, or 16 (an empty set) for an empty pit.
    next: u16,
}

const ROWS: usize = MAX_PITS as usize * 256 * 8;

static REACH: [Reach; ROWS] = table();

const fn table() -> [Reach; ROWS] {
    let mut table = [Reach { filled: 0, last: 0, taken: 0, next: 16 }; ROWS];
    let mut pits = 1;
    while pits <= MAX_PITS as usize {
        let mut pit = 0;
        while pit < pits {
            let mut filled = 0;
            let mut seeds = 1;
            while seeds <= MAX_TOTAL as usize {
                let place = (pit + seeds) % (2 * pits + 1);
                let mut reach = Reach { filled, last: 0, taken: 0, next: 8 };
                if place < pits {
                    reach.filled |= 1 << place;
                    // After more than one lap every pit has been filled.
                    if seeds <= 2 * pits + 1 {
                        reach.last = if place > pit { 1 << place } else { 0x100 << place };
                        reach.taken = 1 << place | 0x100 << (pits - 1 - place);
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
        let own = nonzero(self.own);
        let other = nonzero(self.other);
        // With two filled pits on each side no move empties a side, so no move ends the game.
        if own & own.wrapping_sub(1) == 0 || other & other.wrapping_sub(1) == 0 {
            return self.pairs_one_by_one();
        }
        // A constant number of pits lets the compiler unroll the loop for the standard board.
        match self.rules.pits() {
            6 => self.pairs_of(6, own, other),
            pits => self.pairs_of(pits, own, other),
        }
    }

    /// The number of pairs where a move may end the game.
    #[cold]
    fn pairs_one_by_one(&self) -> u64 {
        self.moves().map(|mv| self.play(mv).count_moves()).sum()
    }

    /// The number of pairs; requires two filled pits on each side.
    #[inline(always)]
    fn pairs_of(&self, pits: u8, own: u8, other: u8) -> u64 {
        let base = (usize::from(pits) - 1) << 11;
        let sets = u16::from(own) | u16::from(other) << 8;
        let opposite = if self.rules.captures_alone() { 0xff } else { nonzero_reversed(self.other) >> (8 - pits) };
        // The mover's empty pits that capture, unless the sowing fills the opposite pit; those that capture if it does.
        let targets = u16::from(!own & opposite) | u16::from(!own) << 8;
        let mut pairs = 0;
        for pit in 0..pits {
            let seeds = (self.own >> (8 * pit)) as u8;
            let reach = &REACH[(base | usize::from(seeds) << 3 | usize::from(pit)) & (ROWS - 1)];
            let sown = sets & !(1 << pit) | reach.filled;
            // A lap ends in the pit that it empties.
            let captures = reach.last & (targets | 0x100 << pit) != 0;
            let after = sown & !(reach.taken & u16::from(captures).wrapping_neg());
            pairs += u32::from(count((u32::from(after) >> reach.next) as u8));
        }
        pairs.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::{Capture, End, Rules};
    use crate::rng;
    use crate::{BoardGame as _, Side};
    use rand::Rng as _;

    /// Compares the count with played moves, along random games under all rules and from boards with any numbers of seeds.
    #[test]
    fn counted_pairs_are_those_of_played_moves() {
        let mut random = rng::keyed(&[11]);
        let mut checked = 0;
        let mut check = |pos: &Kalah| {
            if !pos.is_over() {
                assert_eq!(pos.pairs(), pos.pairs_one_by_one(), "{pos:?}");
                checked += 1;
            }
        };
        for pits in 1..=MAX_PITS {
            for (seeds, capture, end) in [
                (1, Capture::Standard, End::Either),
                (4, Capture::Empty, End::Either),
                (9, Capture::Standard, End::Mover),
                (3, Capture::Empty, End::Mover),
            ] {
                let rules = Rules::new(pits, seeds, capture).unwrap().ending(end);
                for _ in 0..20 {
                    let mut pos = Kalah::start(rules);
                    while !pos.is_over() {
                        check(&pos);
                        pos = pos.play(pos.pick(random.next_u32()));
                    }
                    let most = u64::from(MAX_TOTAL / (2 * pits));
                    let mut side = || {
                        (0..pits).fold(0, |word, _| {
                            let bits = random.next_u64();
                            word << 8 | if bits & 1 == 0 { 0 } else { (bits >> 8) % (most + 1) }
                        })
                    };
                    check(&Kalah::from_parts(rules, [side(), side()], [0; 2], Side::South));
                }
            }
        }
        assert!(checked > 5000, "{checked}");
    }
}
