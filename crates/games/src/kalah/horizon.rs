//! Move ordering for alpha-beta, and the best margin and the greedy move after one move, without playing any: the most frequent operations of searches.

use super::Kalah;
use super::sow::sown;
use crate::sowing::pits::{any, count};
use crate::sowing::words::{nonzero, nonzero_reversed, total};
use crate::{Game, Horizon, Move};

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

/// By number of pits a side: the seeds with which each pit reaches the store exactly.
const TO_STORE: [u64; 9] = {
    let mut words = [0; 9];
    let mut pits = 1;
    while pits <= 8 {
        let mut pit = 0;
        while pit < pits {
            words[pits] |= ((pits - pit) as u64) << (8 * pit);
            pit += 1;
        }
        pits += 1;
    }
    words
};

/// The legal moves, most promising first.
#[derive(Clone, Copy, Debug)]
pub struct OrderedMoves {
    /// Bits of pits in three groups, each tried from right to left.
    groups: u32,
}

impl Iterator for OrderedMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.groups == 0 {
            return None;
        }
        let top = 31 - self.groups.leading_zeros();
        self.groups ^= 1 << top;
        Some(Move((top & 7) as u16))
    }
}

impl Kalah {
    /// Extra turns first, nearest to the store first so that they remain available; then captures; then the rest.
    #[inline]
    pub fn ordered(&self) -> OrderedMoves {
        let pits = nonzero(self.own);
        let again = pits & !nonzero(self.own ^ TO_STORE[usize::from(self.rules.pits())]);
        let captures = self.captures(pits & !again);
        let rest = pits & !again & !captures;
        OrderedMoves { groups: u32::from(again) << 16 | u32::from(captures) << 8 | u32::from(rest) }
    }

    /// Those of `pits` whose last seed drops into an empty pit opposite a filled one, without a lap. Branches would be mispredicted.
    #[inline]
    fn captures(&self, pits: u8) -> u8 {
        let count = self.rules.pits();
        let mirrored = nonzero_reversed(self.other) >> (8 - count);
        let targets = u64::from(!nonzero(self.own) & mirrored);
        let captures = (0..count).fold(0, |captures, pit| {
            let last = u64::from(pit) + (self.own >> (8 * pit) & 0xff);
            captures | ((targets >> last.min(63) & 1) as u8) << pit
        });
        captures & pits
    }
}

impl Kalah {
    /// See [`Game::greedy`](crate::Game::greedy).
    #[inline]
    pub(super) fn greatest_gainer(&self, bits: u32) -> Move {
        let pits = nonzero(self.own);
        if pits & (pits - 1) == 0 {
            return any(pits, 0);
        }
        let best = match self.rules.pits() {
            _ if self.other == 0 => self.gainers_one_by_one(),
            6 => self.gainers(6, pits),
            count => self.gainers(count, pits),
        };
        any(best, bits)
    }

    /// The pits with the greatest gain if the opponent has no seeds, where any move but an extra turn may end the game.
    #[cold]
    fn gainers_one_by_one(&self) -> u8 {
        let gain = |mv| Game::gain(self, mv);
        let most = self.moves().map(gain).max();
        self.moves().filter(|mv| Some(gain(*mv)) == most).fold(0, |best, mv| best | 1 << mv.0)
    }

    /// Those of `filled`, at least two pits, with the greatest gain; requires a filled pit of the opponent's.
    #[inline(always)]
    fn gainers(&self, pits: u8, filled: u8) -> u8 {
        let mut best = 0;
        let mut most = 0;
        for pit in 0..pits {
            // Gain plus one, so that empty pits rank below filled pits without a gain.
            let gain = (self.gain(pits, pit) + 1) * u64::from(filled >> pit & 1);
            let more = u8::from(gain > most);
            let as_many = u8::from(gain >= most);
            best = (best & more.wrapping_sub(1)) | as_many << pit;
            most = most.max(gain);
        }
        best
    }
}
