//! The greedy move, without playing any: the most frequent operation of a Monte Carlo search.

use super::Kalah;
use crate::sowing::pits::any;
use crate::sowing::words::nonzero;
use crate::{Game, Move};

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
