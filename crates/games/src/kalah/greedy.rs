//! The move that gains most, found without playing any: what most of the time of a Monte Carlo search goes into.

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

    /// Those of `filled`, which are more than one, that gain most.
    #[inline(always)]
    fn gainers(&self, pits: u8, filled: u8) -> u8 {
        let (mut best, mut most) = (0, 0);
        for pit in 0..pits {
            // One more than the gain, so that a pit without seeds, which cannot be chosen, counts less than one that gains nothing.
            let gain = (self.gain(pits, pit) + 1) * u64::from(filled >> pit & 1);
            let more = u8::from(gain > most);
            let as_many = u8::from(gain >= most);
            best = (best & more.wrapping_sub(1)) | as_many << pit;
            most = most.max(gain);
        }
        best
    }
}
