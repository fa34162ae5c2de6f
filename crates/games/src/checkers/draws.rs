//! Draw rules, which depend on history.
//!
//! Only positions since the last capture or man's move can recur, and these are the visible part of a [`History`];
//! their number decides the draw for lack of progress.
//!
//! A search result is reusable elsewhere only if it does not depend on history, so an exact test pays off. Positions
//! visited over positions of forty games and some endings with few kings, to depth 12: 3.1 million with a transposition
//! table that ignores history; 3.5 million with the test below, which checks whether a past position can recur; 5.0
//! million when testing only for eight plies of depth; 4.9 million when storing no results after a king's step.

use super::Checkers;
use crate::History;

/// Moves of both sides without a capture or a man's move after which the game is drawn.
pub const WITHOUT_PROGRESS: usize = 80;

/// Minimal number of plies until a position recurs: each side moves away and back.
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

    /// Plies until a count of moves draws the game, as far as they follow from the visible history. 0 with a move limit, whose
    /// plies depend on all moves before: searches store results for positions that they reach after other numbers of moves.
    pub fn plies_to_draw(&self, history: &History<Checkers>) -> u32 {
        let before = if self.progresses() { 0 } else { history.positions().len() };
        if self.limit > 0 { 0 } else { WITHOUT_PROGRESS.saturating_sub(before) as u32 }
    }

    /// Whether every next move is irreversible, that is a jump or a man's move.
    #[inline]
    fn progresses(&self) -> bool {
        self.jumps || self.able & self.kings == 0
    }

    /// Number of earlier occurrences of this position among `before`, positions separated by steps of kings only.
    #[inline]
    fn came_up(&self, before: &[Checkers]) -> usize {
        before.iter().rev().skip(ROUND - 1).step_by(2).filter(|pos| self.is_alike(pos)).count()
    }

    /// See [`Game::depends_on_history`](crate::Game::depends_on_history): whether the moves before this position can
    /// cause a draw within `depth` plies.
    #[inline]
    pub(super) fn may_be_drawn(&self, history: &History<Checkers>, depth: u32) -> bool {
        let before = history.positions();
        let depth = depth as usize;
        if self.limit > 0 && history.len() + depth >= 2 * usize::from(self.limit) {
            return true;
        }
        // If every next move is irreversible, history is irrelevant.
        if before.is_empty() || self.progresses() {
            return false;
        }
        before.len() + depth >= WITHOUT_PROGRESS || self.may_repeat(before, depth)
    }

    /// Whether the count of moves, in the whole game or without progress, may end the game within `depth` plies.
    #[inline]
    pub fn may_end_by_count(&self, history: &History<Checkers>, depth: u32) -> bool {
        let depth = depth as usize;
        let is_limited = self.limit > 0 && history.len() + depth >= 2 * usize::from(self.limit);
        is_limited || history.positions().len() + depth >= WITHOUT_PROGRESS
    }

    /// Whether this position has occurred within the last `moves` moves.
    #[inline]
    pub fn repeats(&self, history: &History<Checkers>, moves: usize) -> bool {
        let before = history.positions();
        let recent = &before[before.len().saturating_sub(moves)..];
        recent.len() >= ROUND && self.came_up(recent) > 0
    }

    /// Whether an earlier position may occur for the third time within `depth` plies.
    ///
    /// A king's step changes the kind of row. So to return to where it was an even number of its own steps ago, a side
    /// needs an even number of steps, and otherwise an odd number; and at least one step for each king on another
    /// square.
    fn may_repeat(&self, before: &[Checkers], depth: usize) -> bool {
        for (nth, pos) in before.iter().rev().enumerate() {
            // Minimal steps of the mover, and of the other side, back to the position of `nth + 1` plies ago.
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
            let my_strayed = strayed(self.side);
            let their_strayed = strayed(self.side ^ 1);
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
