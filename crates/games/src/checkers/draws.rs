//! The rules that end a game in a draw, which look back at what was played.
//!
//! Only what was played since the last capture or man's move can come again, and that is all that can be seen of a [`History`]: how many
//! moves that is says when the game is drawn for want of progress.
//!
//! What a search finds of a position is of use elsewhere only if the past has no part in it, so it pays to be exact about where it may
//! have one. Over positions of forty games and some endings with few kings, to depth 12, a search with a table that knew nothing of the
//! past would look at 3.1 million positions; asking as below whether one of the past can come again it looks at 3.5 million, asking
//! only whether eight plies are in sight at 5.0 million, and keeping nothing found after a king's step at 4.9 million.

use super::Checkers;
use crate::History;

/// So many moves of both sides without a capture or a man's move are a draw.
pub const WITHOUT_PROGRESS: usize = 80;

/// Plies from a position to the next time it comes up, at the least: each side goes away and comes back.
const ROUND: usize = 4;

impl Checkers {
    /// See [`Game::ruling`](crate::Game::ruling).
    #[inline]
    pub(super) fn drawn(&self, history: &History<Checkers>) -> Option<&'static str> {
        let before = history.positions();
        if before.len() >= 2 * ROUND && self.came_up(before) >= 2 {
            return Some("threefold repetition");
        }
        if before.len() >= WITHOUT_PROGRESS {
            return Some("40 moves a side without progress");
        }
        (self.limit > 0 && history.len() >= 2 * usize::from(self.limit)).then_some("the move limit")
    }

    /// How often this position came up among those before it, since each of which only kings have stepped.
    #[inline]
    fn came_up(&self, before: &[Checkers]) -> usize {
        before.iter().rev().skip(ROUND - 1).step_by(2).filter(|pos| self.is_alike(pos)).count()
    }

    /// See [`Game::depends_on_history`](crate::Game::depends_on_history): whether what was played before, and not only what lies ahead, can
    /// draw the game within so many plies.
    #[inline]
    pub(super) fn may_be_drawn(&self, history: &History<Checkers>, depth: u32) -> bool {
        let (before, depth) = (history.positions(), depth as usize);
        if self.limit > 0 && history.len() + depth >= 2 * usize::from(self.limit) {
            return true;
        }
        // What the next move makes forgotten does not count: here it can only be a jump, or a man's.
        if before.is_empty() || self.jumps || self.able & self.kings == 0 {
            return false;
        }
        before.len() + depth >= WITHOUT_PROGRESS || self.may_repeat(before, depth)
    }

    /// Whether a position from before may come up for the third time within so many plies.
    ///
    /// A king's step leads to a row of the other kind, so each side needs an even number of steps to where it was an even number of its
    /// steps ago, and an odd number otherwise; and one step at least for each king that stands elsewhere.
    fn may_repeat(&self, before: &[Checkers], depth: usize) -> bool {
        for (nth, pos) in before.iter().rev().enumerate() {
            // The steps of the mover, and of the other side, from here back to where the game was so many plies ago.
            let (mut mine, mut theirs) = match (nth + 1) % ROUND {
                1 => (2, 1),
                2 => (1, 1),
                3 => (1, 0),
                _ if pos.is_alike(self) => (0, 0),
                _ => (2, 2),
            };
            if mine + theirs > depth {
                continue;
            }
            let strayed = |side: u8| {
                let side = usize::from(side & 1);
                (pos.pieces[side] & !self.pieces[side]).count_ones() as usize
            };
            let (my_strayed, their_strayed) = (strayed(self.side), strayed(self.side ^ 1));
            while mine < my_strayed || theirs < their_strayed {
                (mine, theirs) = (mine + 2, theirs + 2);
            }
            let again = mine + theirs;
            if again + ROUND <= depth {
                return true;
            }
            let is_third = || before.iter().filter(|other| other.side == pos.side && other.is_alike(pos)).count() >= 2;
            if again <= depth && is_third() {
                return true;
            }
        }
        false
    }
}
