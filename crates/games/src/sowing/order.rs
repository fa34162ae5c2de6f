//! Move ordering for alpha-beta.

use super::{SowingPosition, SowingRules};
use crate::Move;

impl<R: SowingRules> SowingPosition<R> {
    /// The legal moves, those that gain most or give another turn first.
    #[inline]
    pub fn ordered(&self, plies: u32) -> impl Iterator<Item = Move> + use<R> {
        let mut order = [(0, Move::NONE); 8];
        let mut count = 0;
        for mv in super::Pits(self.legal) {
            // At a leaf it takes longer to sort the moves than to try them.
            let worth = if plies == 0 { 0 } else { self.worth(mv) };
            let mut at = count;
            while at > 0 && order[at - 1].0 < worth {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = (worth, mv);
            count += 1;
        }
        order.into_iter().take(count).map(|(_, mv)| mv)
    }

    fn worth(&self, mv: Move) -> u8 {
        let (sown, again) = Self::sown(self.rules, self.pits, mv.0 as u8);
        sown.gain + u8::from(again)
    }
}
