//! The player: one search per turn, to a depth or for a time.

use std::time::{Duration, Instant};

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
    time: Option<Duration>,
    thinking: Option<Thinking>,
}

/// The current or last turn, and the time spent on it.
struct Thinking {
    turn: Turn<Checkers>,
    spent: Duration,
}

impl SamuelPlayer {
    pub fn new(settings: &Samuel) -> SamuelPlayer {
        SamuelPlayer { searcher: Searcher::new(settings), time: settings.time, thinking: None }
    }
}

impl Player<Checkers> for SamuelPlayer {
    fn think(&mut self, turn: &Turn<Checkers>, budget: Budget) -> Option<Move> {
        let started = Instant::now();
        let same = self.thinking.take().filter(|thinking| thinking.turn == *turn);
        let thinking = self.thinking.insert(same.unwrap_or_else(|| {
            self.searcher.begin(&turn.game_state(), turn.rng(Purpose::Tie).next_u64());
            Thinking { turn: turn.clone(), spent: Duration::ZERO }
        }));
        let left = self.time.map(|time| time.saturating_sub(thinking.spent));
        let status = self.searcher.step(left.map_or(budget, |left| budget.at_most(left)));
        thinking.spent += started.elapsed();
        let in_time = self.time.is_none_or(|time| thinking.spent < time);
        if status == Status::Running && in_time { None } else { self.searcher.best_move() }
    }

    fn report(&self) -> Option<Report> {
        self.thinking.as_ref().and_then(|_| self.searcher.report())
    }

    fn rest(&mut self) {
        if self.searcher.bytes() > AT_REST {
            self.searcher.clear();
            self.thinking = None;
        }
    }
}
