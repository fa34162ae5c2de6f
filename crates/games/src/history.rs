//! What was played before a position, as far as a game's rules look back at it.
//!
//! Some rules ask for more than the position: that it comes up for the third time, that nothing was taken for forty moves. Who plays
//! a game or searches it keeps a [`History`] beside the position, a stack that goes the way of the moves. Moves that can never be
//! undone clear what can be seen of it, so that it stays short; in a game whose rules never look back it stays empty, and costs
//! nothing.

use super::{Game, Move};

/// The positions since the last irreversible move, the present one left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History<G> {
    positions: Vec<G>,
    /// Where what can still be seen begins, and where it began before each of the moves that were pushed.
    begins: usize,
    before: Vec<usize>,
}

impl<G> Default for History<G> {
    fn default() -> History<G> {
        History { positions: Vec::new(), begins: 0, before: Vec::new() }
    }
}

impl<G: Game> History<G> {
    /// Takes in that `mv` is played in `pos`.
    #[inline]
    pub fn push(&mut self, pos: &G, mv: Move) {
        if !G::USES_HISTORY {
            return;
        }
        self.positions.push(*pos);
        self.before.push(self.begins);
        if pos.is_irreversible(mv) {
            self.begins = self.positions.len();
        }
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        if !G::USES_HISTORY {
            return;
        }
        self.positions.pop();
        self.begins = self.before.pop().unwrap_or(0);
    }

    /// Takes moves back until as many are left as there were when [`len`](History::len) was asked.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        while self.before.len() > len {
            self.pop();
        }
    }

    /// How many moves it knows.
    #[inline]
    pub fn len(&self) -> usize {
        self.before.len()
    }

    pub fn is_empty(&self) -> bool {
        self.before.is_empty()
    }

    /// Oldest first.
    #[inline]
    pub fn positions(&self) -> &[G] {
        &self.positions[self.begins..]
    }

    /// How often `pos` was there before, with the same side to move.
    pub fn count(&self, pos: &G) -> usize {
        self.positions().iter().filter(|before| before.side() == pos.side() && before.key() == pos.key()).count()
    }
}
