//! Results of a cell of a tournament.

use std::time::Duration;

use super::settings::Cell;
use super::{Score, Verdict};
use crate::player::Spec;

/// Results of a cell so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CellView {
    pub cell: Cell,
    /// For the player that moved first.
    pub score: Score,
    /// The games that count as a sample: all, or for players without random choices one per opening, since the
    /// others are repetitions. Shares, intervals and ratings are those of the sample.
    pub sample: Score,
    /// Whether both players are without random choices.
    pub is_deterministic: bool,
    /// Sum of the final margins.
    pub margins: i64,
    /// Sums of what the moves of both lost under perfect play, and the number of games that count.
    pub lost: [u64; 2],
    pub lost_games: u64,
    /// Thinking time and number of moves, of the player that moved first and of the other. Measured, so different in
    /// each run.
    pub time: [Duration; 2],
    pub turns: [u64; 2],
    /// Verdict of the early stop, for the player with the lower index.
    pub verdict: Option<Verdict>,
}

impl CellView {
    /// Creates the results of a cell without games.
    pub(super) fn new(cell: Cell, players: &[Spec]) -> CellView {
        let is_deterministic =
            [cell.first, cell.second].iter().all(|&player| players.get(player).is_some_and(Spec::is_deterministic));
        CellView { cell, is_deterministic, ..CellView::default() }
    }

    /// Returns the means of what the moves of both players lost in a game under perfect play; `None` if it was not counted.
    pub fn mean_lost(&self) -> Option<[f64; 2]> {
        (self.lost_games > 0).then(|| self.lost.map(|lost| lost as f64 / self.lost_games as f64))
    }

    /// Returns the mean final margin of the player that moves first; 0 before the first game.
    pub fn mean_margin(&self) -> f64 {
        self.margins as f64 / f64::from(self.score.games().max(1))
    }
}
