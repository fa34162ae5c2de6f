//! Matches and tournaments: games from random openings, scored by first mover, with confidence intervals and
//! ratings.
//!
//! A [`Tournament`] is a list of cells: each is a number of games of one player moving first against another. A
//! round robin has a cell for every ordered pair, a match two. A tournament is a [`Run`](crate::job::Run) whose
//! generations are rounds of one game per cell: it can be stepped, paused, saved, resumed and watched. Its results
//! depend neither on these nor on the number of threads.

mod block;
mod experiment;
mod game;
mod ledger;
mod line;
mod openings;
mod rating;
pub(crate) mod run_settings;
mod scheduler;
mod score;
mod settings;
mod sprt;
pub(crate) mod tidy;
mod tournament;
mod view;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::budget::{Budget, Job as _, Status};
use super::game::Variant;
use super::job::RunJob;
use super::player::Spec;
use super::pool::Pool;
use scheduler::{Dealer, scheduler};

pub(crate) use block::{Block, block_size, blocks};
pub use game::PlayedGame;
pub(crate) use ledger::Ledger;
pub use ledger::{CellView, Games, MAX_KEPT};
pub(crate) use line::{GameLine, Source};
pub use openings::{Deal, Opening};
pub use rating::{Rating, ratings, unsigned_nought};
pub use score::{Score, Tally, wilson};
pub use settings::{Cell, MAX_GAMES, MAX_PLAYERS, PRESETS, Pairs, Settings, preset};
pub use sprt::{Sprt, Verdict};
pub use tournament::Tournament;
pub use view::{FromRows, View};

#[cfg(test)]
mod tests;

/// Time between two checks for enough games.
const SLICE: Duration = Duration::from_millis(20);

/// Maximum multiple of the requested time, if cells are still without a game.
const LONGEST: u32 = 3;

/// Returns the seconds per game on one thread, for each cell. Plays the first games of every cell for about `time`
/// in all, or up to three times as long while a cell has no finished game.
///
/// A cell without a finished game counts as slow as the slowest cell, or as the time spent on its game if that is
/// longer. The settings must be valid ([`Settings::check`]).
pub(crate) fn seconds_per_game(settings: &Settings, pool: &Pool, time: Duration) -> Vec<f64> {
    let cells = settings.cells();
    let dealer = Mutex::new(Dealer::new(cells.clone(), vec![false; cells.len()], 0));
    let mut scheduler = scheduler(settings);
    let mut spent = vec![(Duration::ZERO, 0u32); cells.len()];
    let mut missing = cells.iter().filter(|cell| cell.games > 0).count();
    let began = Instant::now();
    loop {
        let most = if missing > 0 { time.saturating_mul(LONGEST) } else { time };
        let left = most.saturating_sub(began.elapsed());
        let ended = scheduler.play(settings, &dealer, pool, Budget::time(left.min(SLICE)));
        let is_exhausted = ended.is_empty() && scheduler.under_way().is_empty();
        for (kept, took) in ended {
            let (sum, count) = &mut spent[kept.cell];
            missing -= usize::from(*count == 0);
            *sum = sum.saturating_add(took.all());
            *count += 1;
        }
        if is_exhausted || left.is_zero() {
            break;
        }
    }
    let mut longest = vec![Duration::ZERO; cells.len()];
    for (cell, took) in scheduler.under_way() {
        longest[cell] = longest[cell].max(took.all());
    }
    let known = spent.iter().filter(|(_, count)| *count > 0);
    let slowest = known.map(|(sum, count)| sum.as_secs_f64() / f64::from(*count)).fold(0.0, f64::max);
    let of = |((sum, count), longest): (&(Duration, u32), &Duration)| match count {
        0 => slowest.max(longest.as_secs_f64()),
        _ => sum.as_secs_f64() / f64::from(*count),
    };
    spent.iter().zip(&longest).map(of).collect()
}

/// Time between two progress reports.
const STEP: Duration = Duration::from_millis(100);

/// A match with alternating first mover.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    pub variant: Variant,
    pub players: [Spec; 2],
    /// The players alternate in moving first; the first player begins.
    pub games: u32,
    /// Random moves at the start of each game.
    pub opening: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Match {
    /// Plays the match; the result does not depend on the size of the pool. Calls `hear` with the finished share of
    /// the games, many times a second. `None` if a player is human or there are no games.
    pub fn play(&self, pool: &Pool, hear: &mut dyn FnMut(f64)) -> Option<Tally> {
        let settings = Settings {
            pairs: Pairs::alternating(self.games),
            opening: self.opening.into(),
            ..Settings::round_robin(self.variant, self.players.to_vec(), 0, self.seed)
        };
        let mut tournament = RunJob::in_memory(settings, pool).ok()?;
        while tournament.step(Budget::time(STEP)) == Status::Running {
            let view = tournament.run_as::<Tournament>().view();
            hear(view.done as f64 / view.total.max(1) as f64);
        }
        let standing = tournament.run_as::<Tournament>().standing();
        Some(Tally { first: standing[0].score, second: standing[1].score.turned() })
    }
}
