//! The moves before a position, for rules that depend on history.
//!
//! Some rules need more than the position: threefold repetition, or forty moves without a capture. Whatever plays or
//! searches a game keeps a [`History`] beside the position, as a stack. Irreversible moves hide everything before them,
//! so that it stays short. In games without such rules it stays empty and costs nothing.

use super::{Game, Move};

/// Positions since the last irreversible move, without the current one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History<G> {
    /// Number of moves before the first position.
    omitted: usize,
    positions: Vec<G>,
    /// Index of the first visible position, and that index before each pushed move.
    begins: usize,
    before: Vec<usize>,
}

impl<G> Default for History<G> {
    fn default() -> History<G> {
        History { omitted: 0, positions: Vec::new(), begins: 0, before: Vec::new() }
    }
}

/// A history of these visible positions, oldest first.
impl<G: Game> FromIterator<G> for History<G> {
    fn from_iter<T: IntoIterator<Item = G>>(positions: T) -> History<G> {
        let positions: Vec<G> = if G::USES_HISTORY { positions.into_iter().collect() } else { Vec::new() };
        History { omitted: 0, begins: 0, before: vec![0; positions.len()], positions }
    }
}

impl<G: Game> History<G> {
    /// An empty history behind this number of moves, the last of which is irreversible or the last of all.
    pub fn behind(moves: usize) -> History<G> {
        History { omitted: if G::USES_HISTORY { moves } else { 0 }, ..History::default() }
    }

    /// Pushes the move `mv` played in `pos`.
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

    /// Pops the last move.
    #[inline]
    pub fn pop(&mut self) {
        if !G::USES_HISTORY {
            return;
        }
        self.positions.pop();
        self.begins = self.before.pop().unwrap_or(0);
    }

    /// Pops moves down to a former [`len`](History::len).
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        while self.len() > len && !self.before.is_empty() {
            self.pop();
        }
    }

    /// Number of moves, with those omitted.
    #[inline]
    pub fn len(&self) -> usize {
        self.omitted + self.before.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The visible positions, oldest first.
    #[inline]
    pub fn positions(&self) -> &[G] {
        &self.positions[self.begins..]
    }

    /// Number of earlier occurrences of `pos`, with the same side to move.
    pub fn count(&self, pos: &G) -> usize {
        self.positions().iter().filter(|before| before.side() == pos.side() && before.key() == pos.key()).count()
    }
}
