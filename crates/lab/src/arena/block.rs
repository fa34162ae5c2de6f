//! A part of a tournament that is played by itself: some rounds of one cell.
//!
//! A game follows from the settings, its cell and its number alone, so that the games of a tournament can be shared out, played
//! anywhere, and put together to the rows that one machine would have written ([`Tournament::take_round`](super::Tournament)).
//! An early stop is not judged here, for it takes the games of two cells and all rounds before: all games of a block are played,
//! and whoever puts them together stops counting where one machine would have stopped playing.

use mancalab_base::{Error, bail};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::game::Spent;
use super::ledger::rounds_with_moves;
use super::line::GameLine;
use super::scheduler::{Dealer, Ended, GameScheduler, scheduler};
use super::settings::{Cell, Pairs, Settings};
use crate::budget::{Budget, Status};
use crate::pool::Pool;

/// How long games go on before those that have ended are written down.
const SLICE: Duration = Duration::from_millis(20);

/// Games a worker that may be begun behind one that is still being played: what is lost if the process is killed.
const AHEAD: u32 = 16;

/// Some rounds of one cell, being played.
pub(crate) struct Block {
    /// Those of the tournament, but for the pairs: this cell is the only one, and ends with the block.
    settings: Settings,
    cell: Cell,
    rounds: Range<u32>,
    /// Rounds from the first on whose games are written with their moves.
    with_moves: u32,
    scheduler: Box<dyn GameScheduler>,
    dealer: Mutex<Dealer>,
    /// Games that have ended before one of an earlier round, by round.
    waiting: BTreeMap<u32, Ended>,
    /// Games written down.
    done: u32,
    games: String,
    timings: String,
}

/// The cell with this index, if it has games in all of these rounds.
///
/// # Errors
/// It has not: a sentence.
fn find(settings: &Settings, cell: usize, rounds: &Range<u32>) -> Result<Cell, Error> {
    settings.check()?;
    let cells = settings.cells();
    let found = cells.get(cell).copied();
    let found = found.ok_or_else(|| format!("cell {cell} is expected to be one of 0 to {}", cells.len() - 1))?;
    if rounds.start >= rounds.end || rounds.end > found.games {
        bail!(
            "rounds {}..{} of cell {cell}: at least one round is expected, and none from {} on",
            rounds.start,
            rounds.end,
            found.games
        );
    }
    Ok(found)
}

impl Block {
    /// The block of these rounds, counted from 0, of the cell with this index. None of its games has been played.
    ///
    /// # Errors
    /// The settings cannot be played, or there are no such games: a sentence.
    pub(crate) fn begin(settings: Settings, cell: usize, rounds: Range<u32>) -> Result<Block, Error> {
        let found = find(&settings, cell, &rounds)?;
        let with_moves = rounds_with_moves(&settings);
        let pairs = Pairs::Only(vec![(found.first, found.second, Some(rounds.end))]);
        let settings = Settings { pairs, ..settings };
        let dealer = Mutex::new(Dealer::new(settings.cells(), vec![false], rounds.start));
        let (scheduler, waiting) = (scheduler(&settings), BTreeMap::new());
        let (games, timings) = (String::new(), String::new());
        Ok(Block { settings, cell: found, rounds, with_moves, scheduler, dealer, waiting, done: 0, games, timings })
    }

    /// The block that [`save`](Block::save)d these texts. Times that are missing are counted as none, those of games that are not
    /// there are left out.
    ///
    /// # Errors
    /// There is no such block, or it did not save these lines: a sentence that names the line.
    pub(crate) fn resume(
        settings: Settings,
        cell: usize,
        rounds: Range<u32>,
        games: &str,
        timings: &str,
    ) -> Result<Block, Error> {
        let mut block = Block::begin(settings, cell, rounds)?;
        if !games.is_empty() && !games.ends_with('\n') {
            bail!("the games end in the middle of a line; whole lines are expected");
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

    /// Takes in the next game from the lines in which it was saved.
    fn take(&mut self, game: &str, timings: &str) -> Result<(), Error> {
        if self.is_done() {
            bail!("no more than {} games are expected", self.rounds.len());
        }
        let (round, line) = (self.next(), GameLine::parse(game, timings)?);
        let with_moves = round < self.with_moves;
        if line.has_moves() != with_moves {
            let wanted = if with_moves { "with its moves" } else { "without moves" };
            bail!("the game of round {round} is expected {wanted}");
        }
        line.write(&self.settings, self.cell, round, with_moves, &mut self.games)?;
        self.end_line(line.spent());
        Ok(())
    }

    /// The first round whose game is not written down.
    fn next(&self) -> u32 {
        self.rounds.start + self.done
    }

    /// Ends the line of a game, and writes down what was spent on it.
    fn end_line(&mut self, spent: Spent) {
        self.games.push('\n');
        spent.write(&mut self.timings);
        self.timings.push('\n');
        self.done += 1;
    }

    /// Plays on with this pool until the budget is spent or all games have been played.
    pub(crate) fn advance(&mut self, pool: &Pool, budget: Budget) -> Status {
        while !self.is_done() {
            let last = self.next().saturating_add(AHEAD.saturating_mul(pool.count() as u32));
            self.dealer.get_mut().unwrap_or_else(PoisonError::into_inner).until(last);
            for (kept, spent) in self.scheduler.play(&self.settings, &self.dealer, pool, budget.at_most(SLICE)) {
                self.waiting.insert(kept.number, (kept, spent));
            }
            self.write_down();
            if budget.is_spent() {
                break;
            }
        }
        if self.is_done() { Status::Done } else { Status::Running }
    }

    /// Writes down the games that follow those that are.
    fn write_down(&mut self) {
        while let Some((kept, spent)) = self.waiting.remove(&self.next()) {
            kept.write(kept.number < self.with_moves, &mut self.games);
            self.end_line(spent);
        }
    }

    /// Games of the block that have been played, up to the first that has not.
    pub(crate) fn done(&self) -> u32 {
        self.done
    }

    /// Games of the block.
    pub(crate) fn count(&self) -> u32 {
        self.rounds.end - self.rounds.start
    }

    /// Whether all have been played.
    pub(crate) fn is_done(&self) -> bool {
        self.done == self.count()
    }

    /// Those games, a line each: the margin, a colon and the moves as in a row of the tournament, or the margin alone where such a
    /// row cannot hold moves. And what was spent on them, a line each. All but the times follows from settings, cell and rounds.
    pub(crate) fn save(&self) -> (String, String) {
        (self.games.clone(), self.timings.clone())
    }
}

/// How many games of a cell make a block, at least 1: where sizes are given for fewer cells, the smallest of them.
pub(crate) fn block_size(sizes: &[u32], cell: usize) -> u32 {
    sizes.get(cell).or(sizes.iter().min()).copied().unwrap_or(1).max(1)
}

/// All games of a tournament in blocks of [such sizes](block_size), the index of a cell and its rounds: those that begin with
/// the same round in the order of cells, before those that begin later, so that what has been played grows evenly.
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
