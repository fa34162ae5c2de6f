//! The best margin after one move, without playing any: most positions that a search visits are leaves.

use super::Kalah;
use super::order::TO_STORE;
use super::sow::sown;
use crate::sowing::pits::count;
use crate::sowing::words::{nonzero, total};
use crate::{Game, Horizon};

impl Kalah {
    /// The mover's best margin after one move, or any bound that decides whether it is at least `beta`. The game is not over.
    #[inline]
    pub fn best_after_one(&self, beta: i32) -> Horizon {
        let pits = nonzero(self.own);
        if pits & (pits - 1) == 0 || self.other == 0 {
            return self.one_by_one();
        }
        // With two filled pits the mover cannot run out of seeds in one move, so no move loses seeds and a bound is
        // enough.
        let banked = i32::from(self.own_store) - i32::from(self.other_store);
        if banked >= beta {
            return Horizon { best: banked, visited: 0, solved: false };
        }
        let again = pits & !nonzero(self.own ^ TO_STORE[usize::from(self.rules.pits())]);
        if again != 0 && banked + 1 >= beta {
            return Horizon { best: banked + 1, visited: 1, solved: false };
        }
        // A constant number of pits lets the compiler unroll the loop for the standard board.
        let gain = match self.rules.pits() {
            6 => self.greatest_gain(6),
            pits => self.greatest_gain(pits),
        };
        Horizon { best: banked + gain as i32, visited: count(pits).into(), solved: false }
    }

    /// The best margin where a move may end the game without a capture: from the mover's only pit, or if the opponent has no seeds.
    #[cold]
    fn one_by_one(&self) -> Horizon {
        let side = self.side();
        let mut best = i32::MIN;
        let mut visited = 0;
        let mut solved = true;
        for child in self.moves().map(|mv| self.play(mv)) {
            (best, visited, solved) = (best.max(child.margin(side)), visited + 1, solved && child.is_over());
        }
        Horizon { best, visited, solved }
    }

    /// Greatest gain of one sowing; requires at least two filled pits, and one of the opponent's.
    #[inline(always)]
    fn greatest_gain(&self, pits: u8) -> u64 {
        let mut greatest = 0;
        for pit in 0..pits {
            greatest = greatest.max(self.gain(pits, pit));
        }
        greatest
    }

    /// Gain of sowing one pit; requires at least two filled pits, and one of the opponent's.
    #[inline(always)]
    pub(super) fn gain(&self, pits: u8, pit: u8) -> u64 {
        // An empty pit gains nothing.
        let sown = sown(pits, self.sowable(pit.into()), pit);
        let own = (self.own & !(0xff << (8 * pit))) + sown.own;
        let other = self.other + sown.other;
        let opposite = (other >> sown.opposite) & 0xff;
        let alone = (sown.last != 0) & (own & (sown.last * 0xff) == sown.last);
        let captures = alone & ((opposite != 0) | self.rules.captures_alone());
        let mut gain = u64::from(sown.store) + if captures { opposite + 1 } else { 0 };
        if captures && other & !(0xff << sown.opposite) == 0 {
            // The opponent has no seeds left: the remaining seeds are the mover's.
            gain += u64::from(total(own - sown.last));
        }
        gain
    }
}
