//! Move ordering for alpha-beta.

use super::Kalah;
use crate::Move;
use crate::sowing::words::{nonzero, nonzero_reversed};

/// By number of pits a side: the seeds with which each pit reaches the store exactly.
pub(super) const TO_STORE: [u64; 9] = {
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
