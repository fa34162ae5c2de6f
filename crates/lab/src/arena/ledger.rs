//! What has been played, as the rows of its log: a row a round, in it a game of every cell that has one.
//!
//! All that is known of a tournament follows from these rows: scores, early stops, the games to be looked at. A tournament that
//! is being played counts them as it writes them, one that is resumed or watched as it reads them, and by the same code.
//!
//! The texts of the rows are kept only as far as they hold moves, which is the first [`MAX_KEPT`] games: a tournament of any length
//! takes so much memory and no more.
//!
//! A row is `ROUND,GAMES`, with a space between games: how it ended for the player that moved first (see [`Final`]), a colon, and
//! the moves (see [`Kept::code`]); `-` where a cell has no game in that round.

use mancalab_base::{Error, bail};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::cell::CellView;
use super::game::{Final, Kept, LONGEST_GAME, Spent};
use super::settings::{Cell, Settings};
use super::sprt::Evidence;
use super::{Score, Verdict};
use crate::game::Outcome;

/// Games whose moves are kept, the first to be played; later ones are counted only.
pub const MAX_KEPT: u64 = 200_000;

/// Rounds, from the first on, whose rows may hold moves: those before which fewer than [`MAX_KEPT`] games are counted. How many
/// those are where games are stopped early is known only when they have been played; then it may be all.
pub(super) fn rounds_with_moves(settings: &Settings) -> u32 {
    if settings.stop.is_some() {
        return u32::MAX;
    }
    let cells = settings.cells();
    let before = |round: u32| cells.iter().map(|cell| u64::from(cell.games.min(round))).sum::<u64>();
    let (mut with, mut without) = (0, settings.rounds());
    while with < without {
        let middle = with + (without - with) / 2;
        if before(middle) < MAX_KEPT {
            with = middle + 1;
        } else {
            without = middle;
        }
    }
    with
}

/// The games that have ended, shared between a tournament and its views: to look at them copies none but those asked for.
#[derive(Clone, Debug)]
pub struct Games {
    settings: Arc<Settings>,
    rows: Arc<Mutex<Texts>>,
}

#[derive(Debug, Default)]
struct Texts {
    /// The rows that hold moves: those of rounds 0, 1 and so on.
    kept: Vec<Box<str>>,
    /// The newest round of all, and its row.
    newest: Option<(u32, String)>,
}

/// The row of a round, and how the game of each cell ended; `None` where it had none.
pub type Round = (String, Vec<Option<Final>>);

/// A tournament's games as they are counted.
#[derive(Clone, Debug)]
pub struct Ledger {
    cells: Vec<CellView>,
    /// Rounds counted.
    round: u32,
    /// Games counted.
    done: u64,
    games: Games,
    /// The matches between different players.
    matches: Vec<Match>,
    /// How the games ended in the row that is being counted.
    ends: Vec<Option<Final>>,
}

/// The games of two players in pairs.
#[derive(Clone, Copy, Debug)]
struct Match {
    /// The cells in which the one with the lower index moves first and second.
    cells: [Option<usize>; 2],
    /// As that one sees it.
    evidence: Evidence,
    verdict: Option<Verdict>,
}

/// The matches between different players, in the order in which the cells name them first.
fn matches(cells: &[CellView]) -> Vec<Match> {
    let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut matches: Vec<Match> = Vec::new();
    for (index, Cell { first, second, .. }) in cells.iter().map(|view| view.cell).enumerate() {
        if first == second {
            continue;
        }
        let at = *known.entry((first.min(second), first.max(second))).or_insert(matches.len());
        if at == matches.len() {
            matches.push(Match { cells: [None; 2], evidence: Evidence::default(), verdict: None });
        }
        matches[at].cells[usize::from(first > second)] = Some(index);
    }
    matches
}

impl Ledger {
    /// Nothing has been played.
    pub fn new(settings: Arc<Settings>) -> Ledger {
        let cell = |cell| CellView::new(cell, &settings.players);
        let cells: Vec<CellView> = settings.cells().into_iter().map(cell).collect();
        let matches = matches(&cells);
        let games = Games { settings, rows: Arc::default() };
        Ledger { cells, round: 0, done: 0, games, matches, ends: Vec::new() }
    }

    /// How the cells stand, in the order of the settings.
    pub fn cells(&self) -> &[CellView] {
        &self.cells
    }

    /// Rounds counted, which is the number of the next.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Games counted.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Returns the pairs of games of two players, as the one with the lower index sees them; `None` if they do not meet.
    pub(super) fn evidence(&self, players: [usize; 2]) -> Option<&Evidence> {
        let players = [players[0].min(players[1]), players[0].max(players[1])];
        let is_it = |of_two: &&Match| {
            let cell = of_two.cells.into_iter().flatten().next();
            let cell = cell.map(|cell| self.cells[cell].cell);
            cell.is_some_and(|cell| [cell.first.min(cell.second), cell.first.max(cell.second)] == players)
        };
        self.matches.iter().find(is_it).map(|of_two| &of_two.evidence)
    }

    pub fn games(&self) -> &Games {
        &self.games
    }

    pub fn settings(&self) -> &Settings {
        &self.games.settings
    }

    /// The cells that have a game in the next round.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(|(_, view)| self.is_open(view)).map(|(cell, _)| cell)
    }

    fn is_open(&self, view: &CellView) -> bool {
        view.verdict.is_none() && self.round < view.cell.games
    }

    /// The row of the next round, and how the games in it ended. Every open cell's game is written by `write`, which is told whether
    /// moves are wanted and says how that game ended; `None` if there is one of them not.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn row<E>(
        &self,
        mut write: impl FnMut(usize, bool, &mut String) -> Result<Option<Final>, E>,
    ) -> Result<Option<Round>, E> {
        let (mut row, mut ends) = (self.round.to_string(), Vec::new());
        for (cell, view) in self.cells.iter().enumerate() {
            row.push(if cell == 0 { ',' } else { ' ' });
            if !self.is_open(view) {
                row.push('-');
                ends.push(None);
                continue;
            }
            let Some(end) = write(cell, self.done < MAX_KEPT, &mut row)? else { return Ok(None) };
            ends.push(Some(end));
        }
        Ok(Some((row, ends)))
    }

    /// Counts the next round, given by its row.
    ///
    /// # Errors
    /// It is no row of these settings, or of another round.
    pub fn count(&mut self, row: &str) -> Result<(), Error> {
        let mut ends = std::mem::take(&mut self.ends);
        let is_next = row.len() <= self.cells.len() * LONGEST_GAME + 32
            && read_ends(row, &mut ends) == Some(self.round)
            && ends.len() == self.cells.len();
        let unlike = |(view, end): &(&CellView, &Option<Final>)| end.is_some() != self.is_open(view);
        let odd = self.cells.iter().zip(&ends).find(unlike).map(|(view, end)| (*view, end.is_some()));
        if !is_next || odd.is_some() {
            self.ends = ends;
            let otherwise = odd.filter(|_| is_next).and_then(|(view, played)| self.stopped_otherwise(&view, played));
            return Err(otherwise
                .unwrap_or_else(|| {
                    let start: String = row.chars().take(20).collect();
                    format!("'{start}…' is not round {} of this tournament", self.round)
                })
                .into());
        }
        self.add(row, &ends);
        self.ends = ends;
        Ok(())
    }

    /// Counts the next round, given by its [`row`](Ledger::row) and how its games ended.
    pub fn add(&mut self, row: &str, ends: &[Option<Final>]) {
        self.games.add(self.round, row, self.done < MAX_KEPT);
        let is_new = self.settings().openings().is_new(self.settings(), self.round);
        for (view, end) in self.cells.iter_mut().zip(ends) {
            let Some(end) = *end else { continue };
            view.score = view.score.plus(Score::of(end.outcome));
            if is_new || !view.is_deterministic {
                view.sample = view.sample.plus(Score::of(end.outcome));
            }
            view.margins += i64::from(end.margin);
            self.done += 1;
        }
        self.judge(ends, is_new);
        self.round += 1;
    }

    /// What is wrong with a row that has, or lacks, a game of a cell, if the early stop is all that decides whether it has one.
    fn stopped_otherwise(&self, view: &CellView, played: bool) -> Option<String> {
        let Cell { first, second, games } = view.cell;
        let (round, first, second) = (self.round, first + 1, second + 1);
        let odd = match played {
            true => format!("has a game of player {first} against {second}, whom the early stop parts before"),
            false => format!("has no game of player {first} against {second}, whom the early stop does not part yet"),
        };
        (self.settings().stop.is_some() && self.round < games).then(|| {
            format!("round {round} {odd}: a version that judged by single games played it; begin the tournament anew")
        })
    }

    /// Counts the next round of a tournament that is gone on with: games whose moves are kept are played again.
    ///
    /// # Errors
    /// It is no row of these settings, or of another round; or the moves of a game are missing, not legal, or end with another
    /// margin.
    pub fn count_again(&mut self, row: &str) -> Result<(), Error> {
        let (round, kept) = (self.round, self.done < MAX_KEPT);
        self.count(row)?;
        let games = row.split_once(',').map_or("", |(_, games)| games).split(' ');
        let mut games = games.enumerate().filter(|(_, text)| kept && *text != "-");
        let Some((cell, text)) = games.find(|(cell, text)| !self.ends_as_told(*cell, round, text)) else {
            return Ok(());
        };
        let Cell { first, second, .. } = self.cells[cell].cell;
        Err(format!(
            "the moves of player {} against {} do not end with the margin of '{}'",
            first + 1,
            second + 1,
            text.chars().take(20).collect::<String>()
        )
        .into())
    }

    /// Whether a game's moves are there, are legal, and end with its margin.
    fn ends_as_told(&self, cell: usize, round: u32, text: &str) -> bool {
        let Some((end, code)) = text.split_once(':') else { return false };
        let players = self.cells[cell].cell;
        let kept = Final::parse(end).and_then(|end| Kept::decode(self.settings(), (cell, players), round, end, code));
        kept.is_some_and(|kept| kept.is_whole(self.settings().variant))
    }

    /// Ends the games of those between whom it is decided, now that a round more has been played. Repeated games are no evidence.
    fn judge(&mut self, ends: &[Option<Final>], is_new: bool) {
        let stop = self.settings().stop;
        for of_two in self.matches.iter_mut().filter(|of_two| of_two.verdict.is_none()) {
            let mut cells = of_two.cells.into_iter().flatten();
            if !is_new && cells.all(|cell| self.cells[cell].is_deterministic) {
                continue;
            }
            let [own, other] = of_two.cells.map(|cell| ends[cell?].map(|end| end.outcome));
            of_two.evidence.add([own, other.map(Outcome::other)]);
            of_two.verdict = stop.and_then(|stop| stop.verdict(&of_two.evidence));
            for cell in of_two.cells.into_iter().flatten() {
                self.cells[cell].verdict = of_two.verdict;
            }
        }
    }

    /// Adds what the players spent in a cell's games.
    pub fn spend(&mut self, cell: usize, spent: Spent) {
        let Some(view) = self.cells.get_mut(cell) else { return };
        for seat in 0..2 {
            view.time[seat] = view.time[seat].saturating_add(spent.time[seat]);
            view.turns[seat] = view.turns[seat].saturating_add(spent.turns[seat].into());
        }
    }

    /// Sets the times and turns that each cell's players have spent, of the one who moved first and of the other.
    ///
    /// # Errors
    /// They are not as many as the cells.
    pub fn set_times(&mut self, times: &[([Duration; 2], [u64; 2])]) -> Result<(), Error> {
        if times.len() != self.cells.len() {
            bail!("it does not hold the times of {} cells", self.cells.len());
        }
        self.cells.iter_mut().zip(times).for_each(|(view, times)| (view.time, view.turns) = *times);
        Ok(())
    }

    /// Adds what the games of a round took, `None` where a cell had no game, and gives it as a row of `timings.csv`; the round took
    /// this `time`.
    pub fn spend_round(&mut self, round: u32, time: Duration, spent: impl Fn(usize) -> Option<Spent>) -> String {
        let mut text = format!("{round},{:.6}", time.as_secs_f64());
        for cell in 0..self.cells.len() {
            text.push(if cell == 0 { ',' } else { ' ' });
            match spent(cell) {
                Some(spent) => {
                    self.spend(cell, spent);
                    spent.write(&mut text);
                }
                None => text.push('-'),
            }
        }
        text
    }

    /// Adds what a row of `timings.csv` tells, of which nothing that is counted depends: what it cannot tell is left out.
    /// Gives the time the round took.
    pub fn spend_row(&mut self, row: &str) -> Duration {
        let mut fields = row.split(',').skip(1);
        let seconds = fields.next().and_then(|text| text.parse().ok()).unwrap_or_default();
        for (cell, text) in fields.next().unwrap_or_default().split(' ').enumerate() {
            if let Some(spent) = Spent::parse(text) {
                self.spend(cell, spent);
            }
        }
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }
}

/// Reads a row's round, and how the games in it ended, `None` where a cell had no game.
fn read_ends(row: &str, ends: &mut Vec<Option<Final>>) -> Option<u32> {
    ends.clear();
    let (round, games) = row.split_once(',')?;
    for text in games.split(' ') {
        let end = text.split_once(':').map_or(text, |(end, _)| end);
        ends.push(if end == "-" { None } else { Some(Final::parse(end)?) });
    }
    round.parse().ok()
}

impl Games {
    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, round: u32, row: &str, is_kept: bool) {
        let mut texts = self.texts();
        if is_kept {
            texts.kept.push(row.into());
        }
        let (number, newest) = texts.newest.get_or_insert_default();
        *number = round;
        row.clone_into(newest);
    }

    /// How the games of a round ended, for the player that moved first in each cell, `None` where a cell had no game. `None`
    /// altogether if the round has not ended, or was one of the many whose games are counted only and is no longer the newest.
    pub fn ends(&self, round: usize) -> Option<Vec<Option<Final>>> {
        let texts = self.texts();
        let newest =
            || texts.newest.as_ref().filter(|(number, _)| *number as usize == round).map(|(_, row)| row.as_str());
        let row = texts.kept.get(round).map(|row| &**row).or_else(newest)?;
        let mut ends = Vec::new();
        read_ends(row, &mut ends).map(|_| ends)
    }

    /// The row of a round, as it was written.
    #[cfg(test)]
    pub(super) fn row(&self, round: usize) -> String {
        self.texts().kept[round].to_string()
    }

    /// The games of a cell, named by its index, whose moves are kept, in the order in which they were played.
    pub fn of(&self, cell: usize) -> Vec<Kept> {
        self.of_rounds(cell, 0..usize::MAX)
    }

    /// Of those the games of some rounds. There may be more by now than when a view was made.
    pub fn of_rounds(&self, cell: usize, rounds: Range<usize>) -> Vec<Kept> {
        let Some(&players) = self.settings.cells().get(cell) else { return Vec::new() };
        let texts = self.texts();
        let game = |(number, row): (usize, &str)| {
            let (end, code) = row.split_once(',')?.1.split(' ').nth(cell)?.split_once(':')?;
            Kept::decode(&self.settings, (cell, players), number as u32, Final::parse(end)?, code)
        };
        texts.kept.iter().map(|row| &**row).enumerate().take(rounds.end).skip(rounds.start).filter_map(game).collect()
    }
}
