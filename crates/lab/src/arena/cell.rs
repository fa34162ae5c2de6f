//! How a cell of a tournament stands: what its games have come to so far.

use std::time::Duration;

use super::settings::Cell;
use super::{Score, Verdict};
use crate::player::Spec;

/// How a cell stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellView {
    pub cell: Cell,
    /// As the player that moved first sees it.
    pub score: Score,
    /// The games that count as a sample: all, or of players without random choices one per opening, as they repeat the others. Shares,
    /// intervals and ratings are those of the sample.
    pub sample: Score,
    /// Both players are without random choices.
    pub is_deterministic: bool,
    /// Its final margins added up.
    pub margins: i64,
    /// Time thought by the one who moved first and by the other, and in how many moves. Measured, so never the same twice.
    pub time: [Duration; 2],
    pub turns: [u64; 2],
    /// The early stop, as the player with the lower index sees it.
    pub verdict: Option<Verdict>,
}

impl CellView {
    /// Nothing has been played.
    pub(super) fn new(cell: Cell, players: &[Spec]) -> CellView {
        let (score, time, turns) = (Score::default(), [Duration::ZERO; 2], [0; 2]);
        let is_deterministic =
            [cell.first, cell.second].iter().all(|&player| players.get(player).is_some_and(Spec::is_deterministic));
        CellView { cell, score, sample: score, is_deterministic, margins: 0, time, turns, verdict: None }
    }

    /// The mean final margin of the player that moves first; 0 before the first game.
    pub fn mean_margin(&self) -> f64 {
        self.margins as f64 / f64::from(self.score.games().max(1))
    }
}
