//! A tournament as a run: it has a directory, can be stopped after any round, and gives the same rows on every
//! machine.
//!
//! Games end in any order, but are counted round by round, so that an early stop comes after the same game for any
//! number of threads.

use mancalab_base::Error;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::ledger::{CellView, Ledger};
use super::line::Source;
use super::scheduler::{Dealer, FinishedGame, GameScheduler, scheduler};
use super::settings::Settings;
use super::view::View as TournamentView;
use crate::budget::Budget;
use crate::codec::{Decoder, Encoder};
use crate::job::{Progress, Row, Rows, Run, View};
use crate::pool::Pool;

/// Time between two updates of the results.
const SLICE: Duration = Duration::from_millis(20);

pub struct Tournament {
    settings: Arc<Settings>,
    scheduler: Box<dyn GameScheduler>,
    dealer: Mutex<Dealer>,
    ledger: Ledger,
    /// Finished games of unfinished rounds, by round and cell.
    waiting: BTreeMap<(u32, usize), FinishedGame>,
    /// Total playing time, and the part of it in the current round.
    busy: Duration,
    this_round: Duration,
}

impl Tournament {
    fn new(settings: Arc<Settings>, ledger: Ledger) -> Tournament {
        let closed = ledger.cells().iter().map(|view| view.verdict.is_some()).collect();
        let dealer = Mutex::new(Dealer::new(settings.cells(), closed, ledger.round()));
        let busy = Duration::ZERO;
        let this_round = Duration::ZERO;
        Tournament {
            scheduler: scheduler(&settings),
            settings,
            dealer,
            ledger,
            waiting: BTreeMap::new(),
            busy,
            this_round,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the results of the cells, in the order of the settings.
    pub fn standing(&self) -> &[CellView] {
        self.ledger.cells()
    }

    /// Returns the row of a counted round.
    #[cfg(test)]
    pub(super) fn row(&self, round: usize) -> String {
        self.ledger.games().row(round)
    }

    fn play(&mut self, pool: &Pool, budget: Budget) {
        let began = Instant::now();
        let dealer = self.dealer.get_mut().unwrap_or_else(PoisonError::into_inner);
        dealer.allow(self.ledger.round(), self.waiting.len(), pool);
        for (kept, spent) in self.scheduler.play(&self.settings, &self.dealer, pool, budget) {
            self.waiting.insert((kept.number, kept.cell), (kept, spent));
        }
        self.busy += began.elapsed();
        self.this_round += began.elapsed();
    }

    /// Counts the next round, if all of its games have ended.
    fn count_round(&mut self) -> Option<Row> {
        let round = self.ledger.round();
        if !self.ledger.open().all(|cell| self.waiting.contains_key(&(round, cell))) {
            return None;
        }
        let waiting = &self.waiting;
        let row = self.ledger.row(|cell, moves, row| {
            let game = waiting.get(&(round, cell));
            Ok::<_, Infallible>(game.map(|(kept, _)| {
                kept.write(moves, row);
                kept.end
            }))
        });
        let Ok(Some((values, ends))) = row else { return None };
        self.ledger.add(&values, &ends);
        let time = std::mem::take(&mut self.this_round);
        let timings = self.ledger.spend_round(round, time, |cell| waiting.get(&(round, cell)).map(|(_, spent)| *spent));
        self.forget_to(round);
        Some(Row { values, timings })
    }

    /// Counts the next round from games played elsewhere, with the same result as if they had been played here.
    /// `None` if a game is not available yet, or the tournament [is over](Run::is_over).
    ///
    /// Requests only the games of cells with a game in that round, in their order. The source advances only when the
    /// round is counted: after `None` or an error, the same games are requested again.
    ///
    /// # Errors
    /// Those of the source; or a game does not match its cell and round, which the error names.
    pub(crate) fn take_round(&mut self, source: &mut dyn Source) -> Result<Option<Row>, Error> {
        if self.is_over() {
            return Ok(None);
        }
        let round = self.ledger.round();
        let settings = &self.settings;
        let mut spent = vec![None; self.ledger.cells().len()];
        let standing = self.ledger.cells();
        let row = self.ledger.row(|cell, moves, row| {
            let Some(game) = source.peek(cell)? else { return Ok::<_, Error>(None) };
            game.write(settings, standing[cell].cell, round, moves, row)?;
            spent[cell] = Some(game.spent());
            Ok(Some(game.end()))
        })?;
        let Some((values, ends)) = row else { return Ok(None) };
        self.ledger.add(&values, &ends);
        let time = spent.iter().flatten().fold(Duration::ZERO, |sum, spent| sum.saturating_add(spent.all()));
        self.busy = self.busy.saturating_add(time);
        let timings = self.ledger.spend_round(round, time, |cell| spent[cell]);
        (0..).zip(&spent).filter(|(_, spent)| spent.is_some()).for_each(|(cell, _)| source.pass(cell));
        self.forget_to(round);
        Ok(Some(Row { values, timings }))
    }

    /// Drops the games of rounds up to this one, which are counted, and stops scheduling them.
    fn forget_to(&mut self, round: u32) {
        while self.waiting.first_key_value().is_some_and(|((number, _), _)| *number <= round) {
            self.waiting.pop_first();
        }
        self.dealer.get_mut().unwrap_or_else(PoisonError::into_inner).from(round + 1);
        self.close_decided();
    }

    /// Closes the decided cells in the dealer.
    fn close_decided(&mut self) {
        let dealer = self.dealer.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (cell, view) in self.ledger.cells().iter().enumerate() {
            if view.verdict.is_some() {
                dealer.close(cell);
            }
        }
    }
}

/// Compares the checksums of players' files.
///
/// # Errors
/// A player's file has changed.
fn same_files(then: &str, now: &str) -> Result<(), Error> {
    let other = then.split(' ').zip(now.split(' ')).find(|(then, now)| then != now);
    match other.and_then(|(then, _)| then.split_once(':')) {
        Some((number, _)) => Err(format!("the file of player {number} has changed since the tournament began").into()),
        None => Ok(()),
    }
}

impl Tournament {
    /// Starts a tournament.
    ///
    /// # Errors
    /// The settings cannot be used: a sentence.
    pub fn start(settings: Settings) -> Result<Tournament, Error> {
        settings.check()?;
        let settings = Arc::new(settings);
        Ok(Tournament::new(Arc::clone(&settings), Ledger::new(settings)))
    }

    /// Restores a tournament from the output of [`save`](Run::save); `rows` are those up to then.
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    pub(super) fn restore(settings: Settings, state: &[u8], rows: Rows<'_>) -> Result<Tournament, Error> {
        settings.check()?;
        let settings = Arc::new(settings);
        let mut ledger = Ledger::new(Arc::clone(&settings));
        rows.each(|row| ledger.count_again(row))?;
        let mut from = Decoder::new(state);
        let busy = Duration::from_nanos(from.u64()?);
        let times = (0..from.count()?).map(|_| {
            let time = [from.small()?, from.small()?].map(Duration::from_nanos);
            Ok((time, [from.small()?, from.small()?]))
        });
        let times = times.collect::<Result<Vec<_>, Error>>()?;
        // The first version did not save the files.
        let files = if from.is_empty() { settings.file_sums() } else { from.text()? };
        from.end()?;
        ledger.set_times(&times)?;
        if ledger.open().next().is_some() {
            same_files(&files, &settings.file_sums())?;
        }
        Ok(Tournament { busy, ..Tournament::new(settings, ledger) })
    }

    /// Returns a view, cheap to create and clone.
    pub fn view(&self) -> TournamentView {
        TournamentView::new(Arc::clone(&self.settings), &self.ledger, self.waiting.len() as u64, self.busy)
    }
}

impl Run for Tournament {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        if self.is_over() {
            return Progress::Done;
        }
        loop {
            if let Some(row) = self.count_round() {
                return Progress::Generation(row);
            }
            if let Some(reason) = self.scheduler.failure() {
                return Progress::Halted(reason);
            }
            self.play(pool, budget.at_most(SLICE));
            if budget.is_spent() {
                return self.count_round().map_or(Progress::Working, Progress::Generation);
            }
        }
    }

    fn generation(&self) -> Option<u64> {
        u64::from(self.ledger.round()).checked_sub(1)
    }

    fn is_over(&self) -> bool {
        self.ledger.open().next().is_none()
    }

    /// Saves what the rows do not contain: the timings, and the checksums of players' files.
    fn save(&self, _pool: &Pool) -> Vec<u8> {
        let mut out = Encoder::new();
        let nanos = |time: Duration| time.as_nanos() as u64;
        out.u64(nanos(self.busy));
        out.small(self.ledger.cells().len() as u64);
        for view in self.ledger.cells() {
            view.time.into_iter().for_each(|time| out.small(nanos(time)));
            view.turns.into_iter().for_each(|turns| out.small(turns));
        }
        out.text(&self.settings.file_sums());
        out.finish()
    }

    /// Returns the players sorted by rating, the strongest first.
    fn best(&self) -> String {
        let view = self.view();
        let (ratings, _) = view.ratings();
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        crate::sort::sort_by(&mut order, |&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let line = |&player: &usize| {
            let rating = ratings[player];
            let points = 100.0 * view.sample(player).share();
            format!("{rating} Elo, {points:.1} % of points: {}", view.players[player])
        };
        let first = order.first().map_or(String::new(), |&player| {
            format!("{} leads after {} of {} games", view.players[player], view.done, view.total)
        });
        let lines: Vec<String> = order.iter().map(line).collect();
        format!("# {first}\n{}\n", lines.join("\n"))
    }

    fn view(&self) -> View {
        View::new(Tournament::view(self))
    }
}
