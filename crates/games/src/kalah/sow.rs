//! Table of all sowings.

use super::rules::{MAX_PITS, MAX_TOTAL, Rules};

/// Effect of sowing one pit, before captures.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Sown {
    /// Seeds dropped into each of the mover's pits, the origin included on a lap.
    pub own: u64,
    /// Seeds dropped into each of the opponent's pits.
    pub other: u64,
    /// 1 in the byte of the mover's pit that gets the last seed; 0 if the last seed drops elsewhere.
    pub last: u64,
    /// Right shift of the opponent's pits to the pit opposite the last seed; 0 if the last seed drops elsewhere.
    pub opposite: u8,
    /// Seeds dropped into the mover's store.
    pub store: u8,
    /// Whether the last seed drops into the mover's store.
    pub again: bool,
}

/// Effect of a move on the pits.
#[derive(Clone, Copy)]
pub struct Sowing {
    /// The mover's pits; if they or the opponent's are empty, the game is over.
    pub own: u64,
    pub other: u64,
    /// Seeds that the mover gains, without those it keeps at the end of the game.
    pub gain: u8,
    /// Whether the mover moves again, unless the game is over.
    pub again: bool,
}

impl Rules {
    /// Sows `pit` of the first of two sides' pits, given as in [`Game::Key`](crate::Game::Key), and captures.
    #[inline(always)]
    pub fn sow(self, [own, other]: [u64; 2], pit: u8) -> Sowing {
        let sown = sown(self.pits(), (own >> (8 * pit)) as u8, pit);
        let own = (own & !(0xff << (8 * pit))) + sown.own;
        let other = other + sown.other;

        // If the pit of the last seed holds one seed, it was empty before.
        let opposite = (other >> sown.opposite) & 0xff;
        let alone = sown.last != 0 && own & (sown.last * 0xff) == sown.last;
        let captures = alone & ((opposite != 0) | self.captures_alone());
        let taken = u64::from(captures).wrapping_neg();
        let own = own - (sown.last & taken);
        let other = other & !((0xff << sown.opposite) & taken);
        Sowing { own, other, gain: sown.store + ((opposite + 1) & taken) as u8, again: sown.again }
    }
}

/// 256 seeds per row, so that no index needs a check; pits never hold more than [`MAX_TOTAL`].
const ROWS: usize = MAX_PITS as usize * 256 * 8;

static SOWN: [Sown; ROWS] = table();

#[inline]
const fn index(pits: u8, seeds: u8, pit: u8) -> usize {
    ((pits as usize - 1) << 11 | (seeds as usize) << 3 | pit as usize) & (ROWS - 1)
}

/// Effect of sowing `seeds` from `pit` on a board with `pits` a side.
#[inline]
pub(super) fn sown(pits: u8, seeds: u8, pit: u8) -> &'static Sown {
    &SOWN[index(pits, seeds, pit)]
}

const fn table() -> [Sown; ROWS] {
    let nothing = Sown { own: 0, other: 0, last: 0, opposite: 0, store: 0, again: false };
    let mut table = [nothing; ROWS];
    let mut pits = 1;
    while pits <= MAX_PITS {
        let mut pit = 0;
        while pit < pits {
            // Each entry extends the previous one by one seed.
            let mut sown = nothing;
            let mut seeds = 1;
            while seeds <= MAX_TOTAL {
                sown = one_more(sown, pits, (pit as u16 + seeds as u16) % (2 * pits as u16 + 1));
                table[index(pits, seeds, pit)] = sown;
                seeds += 1;
            }
            pit += 1;
        }
        pits += 1;
    }
    table
}

/// The sowing with one more seed, dropped into `place`: own pits, own store and the opponent's pits in sowing order.
const fn one_more(before: Sown, pits: u8, place: u16) -> Sown {
    let mut sown = Sown { last: 0, opposite: 0, again: false, ..before };
    let pits = pits as u16;
    if place < pits {
        sown.last = 1 << (8 * place);
        sown.own += sown.last;
        sown.opposite = 8 * (pits - 1 - place) as u8;
    } else if place == pits {
        sown.store += 1;
        sown.again = true;
    } else {
        sown.other += 1 << (8 * (place - pits - 1));
    }
    sown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sowing::words::total;

    #[test]
    fn a_sowing_drops_each_seed_once() {
        for pits in 1..=MAX_PITS {
            for pit in 0..pits {
                for seeds in 0..=MAX_TOTAL {
                    let sown = sown(pits, seeds, pit);
                    assert_eq!(total(sown.own) + total(sown.other) + sown.store, seeds);
                }
            }
        }
    }
}
