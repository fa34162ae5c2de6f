//! Matches and tournaments: games from random openings, scored by first mover, with confidence intervals and
//! ratings.
//!
//! A [`Tournament`] is a list of cells: each is a number of games of one player moving first against another. A
//! round robin has a cell for every ordered pair, a match two. A tournament is a [`Run`](crate::job::Run) whose
//! generations are rounds of one game per cell: it can be stepped, paused, saved, resumed and watched. Its results
//! depend neither on these nor on the number of threads.
//!
//! Blocks: parts of a tournament that are played independently, each of some rounds of one cell.
//!
//! A game depends only on the settings, its cell and its number. So the games of a tournament can be distributed,
//! played on any machine, and merged into the rows that one machine would have written
//! ([`Tournament::take_round`](Tournament)). A block does not apply the early stop, which needs the games of
//! two cells and all earlier rounds: it plays all of its games, and merging stops counting where one machine would
//! have stopped playing.

mod experiment;
mod game;
mod ledger;
mod line;
mod openings;
mod rating;
mod scheduler;
mod score;
pub(crate) mod settings;
mod sprt;
pub(crate) mod tidy;
mod tournament;
mod view;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mancalab_base::{Error, bail};

use super::budget::{Budget, Job as _, Status};
use super::game::Variant;
use super::job::RunJob;
use super::player::Spec;
use super::pool::Pool;
use game::Spent;
use ledger::rounds_with_moves;
use scheduler::{Dealer, FinishedGame, GameScheduler, scheduler};

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
    let estimate = |((sum, count), longest): (&(Duration, u32), &Duration)| match count {
        0 => slowest.max(longest.as_secs_f64()),
        _ => sum.as_secs_f64() / f64::from(*count),
    };
    spent.iter().zip(&longest).map(estimate).collect()
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

/// Time between two updates of the results.
const BLOCK_SLICE: Duration = Duration::from_millis(20);

/// Games per worker that may start after one still in progress: the loss if the process is killed.
const AHEAD: u32 = 16;

/// Some rounds of one cell, in progress.
pub(crate) struct Block {
    /// Those of the tournament, except the pairs: only this cell, up to the end of the block.
    settings: Settings,
    cell: Cell,
    rounds: Range<u32>,
    /// Rounds below this number are written with their moves.
    with_moves: u32,
    scheduler: Box<dyn GameScheduler>,
    dealer: Mutex<Dealer>,
    /// Finished games that wait for one of an earlier round, by round.
    waiting: BTreeMap<u32, FinishedGame>,
    /// Number of games written.
    done: u32,
    games: String,
    timings: String,
}

/// Returns the cell with this index, if it has games in all of these rounds.
///
/// # Errors
/// It does not.
fn find(settings: &Settings, cell: usize, rounds: &Range<u32>) -> Result<Cell, Error> {
    settings.check()?;
    let cells = settings.cells();
    let found = cells.get(cell).copied();
    let found = found.ok_or_else(|| format!("cell must be 0 to {} (got {cell})", cells.len() - 1))?;
    if rounds.start >= rounds.end || rounds.end > found.games {
        bail!(
            "rounds {}..{} of cell {cell}: at least one round is needed, and all must be below {}",
            rounds.start,
            rounds.end,
            found.games
        );
    }
    Ok(found)
}

impl Block {
    /// Creates the block of these rounds, from 0, of the cell with this index, without any game played.
    ///
    /// # Errors
    /// The settings cannot be played, or there are no such games.
    pub(crate) fn begin(settings: Settings, cell: usize, rounds: Range<u32>) -> Result<Block, Error> {
        let found = find(&settings, cell, &rounds)?;
        let with_moves = rounds_with_moves(&settings);
        let pairs = Pairs::Only(vec![(found.first, found.second, Some(rounds.end))]);
        let settings = Settings { pairs, ..settings };
        let dealer = Mutex::new(Dealer::new(settings.cells(), vec![false], rounds.start));
        let scheduler = scheduler(&settings);
        let waiting = BTreeMap::new();
        let games = String::new();
        let timings = String::new();
        Ok(Block { settings, cell: found, rounds, with_moves, scheduler, dealer, waiting, done: 0, games, timings })
    }

    /// Restores a block from [saved](Block::save) texts. Missing times count as none; times without a game are
    /// ignored.
    ///
    /// # Errors
    /// There is no such block, or a line is invalid; the error contains the line number.
    pub(crate) fn resume(
        settings: Settings,
        cell: usize,
        rounds: Range<u32>,
        games: &str,
        timings: &str,
    ) -> Result<Block, Error> {
        let mut block = Block::begin(settings, cell, rounds)?;
        if !games.is_empty() && !games.ends_with('\n') {
            bail!("the last line of the games is incomplete");
        }
        let mut timings = timings.split_terminator('\n');
        for (number, game) in games.split_terminator('\n').enumerate() {
            block
                .take(game, timings.next().unwrap_or_default())
                .map_err(|reason| format!("line {}: {reason}", number + 1))?;
        }
        let next = block.next();
        block.dealer.get_mut().unwrap_or_else(PoisonError::into_inner).from(next);
        Ok(block)
    }

    /// Adds the next game from its saved lines.
    fn take(&mut self, game: &str, timings: &str) -> Result<(), Error> {
        if self.is_done() {
            bail!("at most {} games are expected", self.rounds.len());
        }
        let round = self.next();
        let line = GameLine::parse(game, timings)?;
        let with_moves = round < self.with_moves;
        if line.has_moves() != with_moves {
            let wanted = if with_moves { "with its moves" } else { "without moves" };
            bail!("the game of round {round} is expected {wanted}");
        }
        line.write(&self.settings, self.cell, round, with_moves, &mut self.games)?;
        self.end_line(line.spent());
        Ok(())
    }

    /// Returns the first round whose game is not written.
    fn next(&self) -> u32 {
        self.rounds.start + self.done
    }

    /// Ends the line of a game, and writes its timings.
    fn end_line(&mut self, spent: Spent) {
        self.games.push('\n');
        spent.write(&mut self.timings);
        self.timings.push('\n');
        self.done += 1;
    }

    /// Plays in this pool until the budget is spent or all games are finished.
    pub(crate) fn advance(&mut self, pool: &Pool, budget: Budget) -> Status {
        while !self.is_done() {
            let last = self.next().saturating_add(AHEAD.saturating_mul(pool.count() as u32));
            self.dealer.get_mut().unwrap_or_else(PoisonError::into_inner).until(last);
            for (kept, spent) in self.scheduler.play(&self.settings, &self.dealer, pool, budget.at_most(BLOCK_SLICE)) {
                self.waiting.insert(kept.number, (kept, spent));
            }
            self.write_down();
            if budget.is_spent() {
                break;
            }
        }
        if self.is_done() { Status::Done } else { Status::Running }
    }

    /// Writes the finished games that are next in order.
    fn write_down(&mut self) {
        while let Some((kept, spent)) = self.waiting.remove(&self.next()) {
            kept.write(kept.number < self.with_moves, &mut self.games);
            self.end_line(spent);
        }
    }

    /// Returns the number of finished games before the first unfinished one.
    pub(crate) fn done(&self) -> u32 {
        self.done
    }

    /// Returns the number of games of the block.
    pub(crate) fn count(&self) -> u32 {
        self.rounds.end - self.rounds.start
    }

    /// Returns whether all games are finished.
    pub(crate) fn is_done(&self) -> bool {
        self.done == self.count()
    }

    /// Returns the finished games, one per line: the margin, a colon and the moves as in a row of the tournament, or
    /// the margin alone where the row has no moves. And their timings, one per line. Everything except the timings
    /// is determined by settings, cell and rounds.
    pub(crate) fn save(&self) -> (String, String) {
        (self.games.clone(), self.timings.clone())
    }
}

/// Returns the number of games in a block of a cell, at least 1; a cell without a given size has the smallest one.
pub(crate) fn block_size(sizes: &[u32], cell: usize) -> u32 {
    sizes.get(cell).or(sizes.iter().min()).copied().unwrap_or(1).max(1)
}

/// Returns all games of a tournament in blocks of [these sizes](block_size), as the index of a cell and its rounds.
/// Blocks are sorted by first round, then by cell, so that progress is even.
pub(crate) fn blocks(settings: &Settings, sizes: &[u32]) -> Vec<(usize, Range<u32>)> {
    let mut blocks = Vec::new();
    for (index, cell) in settings.cells().iter().enumerate() {
        let size = block_size(sizes, index);
        let starts = (0..cell.games).step_by(size as usize);
        blocks.extend(starts.map(|start| (index, start..start.saturating_add(size).min(cell.games))));
    }
    blocks.sort_unstable_by_key(|(cell, rounds)| (rounds.start, *cell));
    blocks
}
