//! Repetition, which depends on history.
//!
//! A search result is reusable elsewhere only if it does not depend on history, so the test whether a past position can
//! come up again within some plies pays off: seeds only move forward, and to return to where they were, all must go round
//! the board.

use super::laps::places;
use super::{SowingPosition, SowingRules};

impl<R: SowingRules> SowingPosition<R> {
    /// The positions since the last capture, the newest first.
    pub(super) fn since_capture<'a>(&self, before: &'a [Self]) -> impl Iterator<Item = &'a Self> + use<'a, R> {
        let banked = self.stores[0] + self.stores[1];
        before.iter().rev().take_while(move |pos| pos.stores[0] + pos.stores[1] == banked)
    }

    /// Whether this position is among those `before`.
    #[inline]
    pub(super) fn is_repeated(&self, before: &[Self]) -> bool {
        self.since_capture(before).any(|pos| pos.pits == self.pits && pos.side == self.side)
    }

    /// Whether one of the positions `before` may come up again within `depth` plies.
    pub(super) fn may_repeat(&self, before: &[Self], depth: u32) -> bool {
        self.since_capture(before).any(|pos| self.least_plies_to(pos) <= depth)
    }

    /// Lower bound of the plies to `goal`, without a capture: a pit with more seeds than there must be sown, one with
    /// fewer must get the difference.
    fn least_plies_to(&self, goal: &Self) -> u32 {
        let turned = usize::from(self.side != goal.side);
        let mut sown = [0; 2];
        let mut missing = 0;
        for (side, sown) in sown.iter_mut().enumerate() {
            let now = self.pits[side].to_le_bytes();
            let then = goal.pits[side ^ turned].to_le_bytes();
            for (now, then) in now.into_iter().zip(then) {
                *sown += u32::from(now > then);
                missing = missing.max(u32::from(then.saturating_sub(now)));
            }
        }
        // Drops into one pit in one move: more than one after a lap.
        let drops = 1 + self.in_pits() as u32 / u32::from(places(R::PITS, R::HAS_STORE) - 1);
        let moves = missing.div_ceil(drops);
        if R::passes(self.rules) {
            return moves.max(sown[0] + sown[1]);
        }
        // The mover moves first, and the sides take turns.
        let plies = moves.max((2 * sown[0]).saturating_sub(1)).max(2 * sown[1]);
        plies + (plies + turned as u32) % 2
    }
}
