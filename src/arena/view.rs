//! What there is to see of a tournament: cells, players, and the games that have ended.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::game::Kept;
use super::tournament::Cell;
use super::{Rating, Score, Verdict, ratings};
use crate::game::Variant;

/// The games that are kept, the first to end; later ones are counted only.
pub const MAX_KEPT: usize = 200_000;

/// How a cell stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellView {
    pub cell: Cell,
    /// As the player that moved first sees it.
    pub score: Score,
    /// Its final margins added up.
    pub margins: i64,
    /// Time thought by the one who moved first and by the other, and in how many moves. Measured, so never the same twice.
    pub time: [Duration; 2],
    pub turns: [u64; 2],
    /// The early stop, as the player with the lower index sees it.
    pub verdict: Option<Verdict>,
}

/// What there is to see of a tournament.
#[derive(Clone, Debug)]
pub struct View {
    pub variant: Variant,
    /// The players' texts.
    pub players: Vec<String>,
    pub cells: Vec<CellView>,
    /// Games counted, and how many there will be.
    pub done: u64,
    pub total: u64,
    /// Time spent playing.
    pub busy: Duration,
    pub finished: bool,
    pub games: Games,
}

/// The games that have ended, shared between a tournament and its views: to look at them copies none but those asked for.
#[derive(Clone, Debug, Default)]
pub struct Games(Arc<Mutex<Vec<Kept>>>);

impl View {
    /// The cell in which `first` moves first against `second`.
    pub fn cell(&self, first: usize, second: usize) -> Option<&CellView> {
        self.cells.iter().find(|view| (view.cell.first, view.cell.second) == (first, second))
    }

    pub fn games_per_second(&self) -> f64 {
        self.done as f64 / self.busy.as_secs_f64().max(1e-9)
    }

    /// `None` before the first game has ended.
    pub fn seconds_left(&self) -> Option<f64> {
        (self.done > 0).then(|| (self.total - self.done) as f64 / self.games_per_second())
    }

    /// Every player's rating, and what moving first is worth.
    pub fn ratings(&self) -> (Vec<Rating>, Rating) {
        let results: Vec<_> = self.cells.iter().map(|view| (view.cell.first, view.cell.second, view.score)).collect();
        ratings(self.players.len(), &results)
    }

    /// All of a player's games against others.
    pub fn score(&self, player: usize) -> Score {
        let of = |view: &CellView| match view.cell {
            Cell { first, second, .. } if first == second => Score::default(),
            Cell { first, .. } if first == player => view.score,
            Cell { second, .. } if second == player => view.score.turned(),
            _ => Score::default(),
        };
        self.cells.iter().map(of).fold(Score::default(), Score::plus)
    }

    /// Mean time a player takes for a move, over all its games; `None` if it made none.
    pub fn time_a_move(&self, player: usize) -> Option<Duration> {
        let mut sum = (Duration::ZERO, 0);
        for view in &self.cells {
            let seats = [view.cell.first, view.cell.second].into_iter().enumerate();
            for (seat, _) in seats.filter(|&(_, who)| who == player) {
                sum = (sum.0 + view.time[seat], sum.1 + view.turns[seat]);
            }
        }
        (sum.1 > 0).then(|| Duration::from_secs_f64(sum.0.as_secs_f64() / sum.1 as f64))
    }

    /// A game as a record, with its players' names at their seats.
    pub fn record(&self, kept: &Kept) -> crate::game::record::Record {
        let Cell { first, second, .. } = self.cells[kept.cell].cell;
        kept.record(self.variant, [self.players[first].clone(), self.players[second].clone()])
    }
}

impl CellView {
    /// The mean final margin of the player that moves first; 0 before the first game.
    pub fn mean_margin(&self) -> f64 {
        self.margins as f64 / f64::from(self.score.games().max(1))
    }
}

impl Games {
    pub(super) fn push(&self, kept: Kept) {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if games.len() < MAX_KEPT {
            games.push(kept);
        }
    }

    /// The games of a cell, named by its index, in the order of their numbers.
    pub fn of(&self, cell: usize) -> Vec<Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|kept| kept.cell == cell).cloned().collect()
    }

    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
