//! The greedy move, without playing any: the most frequent operation of a Monte Carlo search.

use super::Kalah;
use super::pits::{count, nth};
use super::sow::nonzero;
use crate::Move;

impl Kalah {
    /// See [`Game::greedy`](crate::Game::greedy).
    #[inline]
    pub(super) fn greatest_gainer(&self, bits: u32) -> Move {
        let pits = nonzero(self.own);
        if pits & (pits - 1) == 0 {
            return nth(pits, 0);
        }
        let best = match self.rules.pits() {
            6 => self.gainers(6, pits),
            count => self.gainers(count, pits),
        };
        nth(best, ((u64::from(bits) * u64::from(count(best))) >> 32) as usize)
    }

    /// Those of `filled`, at least two pits, with the greatest gain.
    #[inline(always)]
    fn gainers(&self, pits: u8, filled: u8) -> u8 {
        let (mut best, mut most) = (0, 0);
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
