//! The player: one search per turn, to a depth or for a time.

use super::super::clock::Timer;
use super::super::{Player, Purpose, Turn};
use super::{Samuel, Searcher};
use crate::budget::{Budget, Status};
use crate::game::Move;
use crate::game::checkers::Checkers;
use crate::search::Report;
use rand::Rng as _;

/// Memory that an idle player keeps, in bytes.
const AT_REST: usize = 1 << 20;

/// A player that searches with its weighted terms.
pub struct SamuelPlayer {
    searcher: Searcher,
    timer: Timer,
    /// The current or last turn.
    turn: Option<Turn<Checkers>>,
}

impl SamuelPlayer {
    pub fn new(settings: &Samuel) -> SamuelPlayer {
        let timer = Timer::new(settings.time, settings.clock);
        SamuelPlayer { searcher: Searcher::new(settings), timer, turn: None }
    }
}

impl Player<Checkers> for SamuelPlayer {
    fn think(&mut self, turn: &Turn<Checkers>, budget: Budget) -> Option<Move> {
        let began = self.timer.start();
        if self.turn.as_ref() != Some(turn) {
            self.timer.begin(turn);
            self.searcher.begin(&turn.game_state(), turn.rng(Purpose::Tie).next_u64());
            self.turn = Some(turn.clone());
        }
        let status = self.timer.search(began, budget, |_, stretch| self.searcher.step(stretch));
        if status == Status::Running { None } else { self.searcher.best_move() }
    }

    fn report(&self) -> Option<Report> {
        self.turn.as_ref().and_then(|_| self.searcher.report())
    }

    fn count_work(&mut self) {
        self.timer.count_work(1);
    }

    fn rest(&mut self) {
        self.timer.reset();
        if self.searcher.bytes() > AT_REST {
            self.searcher.clear();
            self.turn = None;
        }
    }
}
