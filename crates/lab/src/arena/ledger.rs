//! Results of a tournament, stored as rows: one row per round, with a game of every cell that has one.
//!
//! Everything else is derived from these rows: scores, early stops, and the games to replay. A running tournament
//! counts them as it writes them, a resumed or watched one as it reads them, with the same code.
//!
//! Rows are kept in memory only as far as they contain moves, which are those of the first [`MAX_KEPT`] games:
//! memory is bounded for tournaments of any length.
//!
//! A row is `ROUND,GAMES`, with a space between games: the result for the player that moved first (see [`Final`]), a
//! colon, and the moves (see [`PlayedGame::code`]); `-` if a cell has no game in that round.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mancalab_base::{Error, bail};

use super::game::{Final, LONGEST_GAME, PlayedGame, Spent};
use super::settings::{Cell, Settings};
use super::sprt::Evidence;
use super::{Score, Verdict};
use crate::game::Outcome;
use crate::player::Spec;

/// Number of games stored with moves, from the first on; later ones are only counted.
pub const MAX_KEPT: u64 = 200_000;

/// Returns the number of rounds whose rows may have moves: those with fewer than [`MAX_KEPT`] games before. With
/// early stops the number is unknown in advance and may be all.
pub(super) fn rounds_with_moves(settings: &Settings) -> u32 {
    if settings.stop.is_some() {
        return u32::MAX;
    }
    let cells = settings.cells();
    let before = |round: u32| cells.iter().map(|cell| u64::from(cell.games.min(round))).sum::<u64>();
    let mut with = 0;
    let mut without = settings.rounds();
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

/// The finished games, shared between a tournament and its views; reading copies only the requested games.
#[derive(Clone, Debug)]
pub struct Games {
    settings: Arc<Settings>,
    rows: Arc<Mutex<Texts>>,
}

#[derive(Debug, Default)]
struct Texts {
    /// The rows with moves, from round 0.
    kept: Vec<Box<str>>,
    /// The newest round and its row.
    newest: Option<(u32, String)>,
}

/// The row of a round and the result of each cell's game; `None` without a game.
pub type Round = (String, Vec<Option<Final>>);

/// The counted games of a tournament.
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
    /// Results in the row being counted.
    ends: Vec<Option<Final>>,
}

/// The paired games of two players.
#[derive(Clone, Copy, Debug)]
struct Match {
    /// The cells in which the player with the lower index moves first and second.
    cells: [Option<usize>; 2],
    /// For the player with the lower index.
    evidence: Evidence,
    verdict: Option<Verdict>,
}

/// Returns the matches between different players, in the order of their first cells.
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
    /// Creates a ledger without games.
    pub fn new(settings: Arc<Settings>) -> Ledger {
        let cell = |cell| CellView::new(cell, &settings.players);
        let cells: Vec<CellView> = settings.cells().into_iter().map(cell).collect();
        let matches = matches(&cells);
        let games = Games { settings, rows: Arc::default() };
        Ledger { cells, round: 0, done: 0, games, matches, ends: Vec::new() }
    }

    /// Returns the results of the cells, in the order of the settings.
    pub fn cells(&self) -> &[CellView] {
        &self.cells
    }

    /// Number of rounds counted, which is the number of the next one.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Number of games counted.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Returns the paired games of two players, for the one with the lower index; `None` if they have no match.
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

    /// Returns the cells that have a game in the next round.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(|(_, view)| self.is_open(view)).map(|(cell, _)| cell)
    }

    fn is_open(&self, view: &CellView) -> bool {
        view.verdict.is_none() && self.round < view.cell.games
    }

    /// Returns the row of the next round and its results. For every open cell `write` writes the game, with moves if
    /// its second argument is true, and returns the result; if it returns `None`, so does this function.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn row<E>(
        &self,
        mut write: impl FnMut(usize, bool, &mut String) -> Result<Option<Final>, E>,
    ) -> Result<Option<Round>, E> {
        let mut row = self.round.to_string();
        let mut ends = Vec::new();
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
    /// The row is invalid for these settings, or of another round.
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

    /// Counts the next round, given its [`row`](Ledger::row) and results.
    pub fn add(&mut self, row: &str, ends: &[Option<Final>]) {
        self.games.add(self.round, row, self.done < MAX_KEPT);
        let is_new = self.settings().openings().is_new(self.settings(), self.round);
        for (view, end) in self.cells.iter_mut().zip(ends) {
            let Some(end) = *end else { continue };
            view.score = view.score.plus(Score::from_outcome(end.outcome));
            if is_new || !view.is_deterministic {
                view.sample = view.sample.plus(Score::from_outcome(end.outcome));
            }
            view.margins += i64::from(end.margin);
            if let Some([first, second]) = end.lost {
                view.lost = [view.lost[0] + u64::from(first), view.lost[1] + u64::from(second)];
                view.lost_games += 1;
            }
            self.done += 1;
        }
        self.judge(ends, is_new);
        self.round += 1;
    }

    /// Returns the error for a row whose game of a cell contradicts only the early stop.
    fn stopped_otherwise(&self, view: &CellView, played: bool) -> Option<String> {
        let Cell { first, second, games } = view.cell;
        let round = self.round;
        let first = first + 1;
        let second = second + 1;
        let odd = match played {
            true => format!("has a game of player {first} against {second}, which the early stop ends before"),
            false => format!("has no game of player {first} against {second}, which the early stop does not end yet"),
        };
        (self.settings().stop.is_some() && self.round < games).then(|| {
            format!(
                "round {round} {odd}: an older version, which tested single games, played it; start a new tournament"
            )
        })
    }

    /// Counts the next round of a resumed tournament: games stored with moves are replayed.
    ///
    /// # Errors
    /// The row is invalid for these settings, or of another round; or the moves of a game are missing, illegal, or
    /// give another margin.
    pub fn count_again(&mut self, row: &str) -> Result<(), Error> {
        let round = self.round;
        let kept = self.done < MAX_KEPT;
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

    /// Returns whether a game's moves are present, legal, and give its margin.
    fn ends_as_told(&self, cell: usize, round: u32, text: &str) -> bool {
        let Some((end, code)) = text.split_once(':') else { return false };
        let players = self.cells[cell].cell;
        let kept =
            Final::parse(end).and_then(|end| PlayedGame::decode(self.settings(), (cell, players), round, end, code));
        kept.is_some_and(|kept| kept.is_whole(self.settings().variant))
    }

    /// Applies the early stop after a round. Repeated games do not count.
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

    /// Adds the players' timings of a cell's game.
    pub fn spend(&mut self, cell: usize, spent: Spent) {
        let Some(view) = self.cells.get_mut(cell) else { return };
        for seat in 0..2 {
            view.time[seat] = view.time[seat].saturating_add(spent.time[seat]);
            view.turns[seat] = view.turns[seat].saturating_add(spent.turns[seat].into());
        }
    }

    /// Sets the times and moves of each cell's players, of the one that moved first and of the other.
    ///
    /// # Errors
    /// Their number differs from that of the cells.
    pub fn set_times(&mut self, times: &[([Duration; 2], [u64; 2])]) -> Result<(), Error> {
        if times.len() != self.cells.len() {
            bail!("it must have the times of {} cells", self.cells.len());
        }
        self.cells.iter_mut().zip(times).for_each(|(view, times)| (view.time, view.turns) = *times);
        Ok(())
    }

    /// Adds the timings of a round (`None` for a cell without a game) and returns them as a row of `timings.csv`;
    /// `time` is the duration of the round.
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

    /// Adds the timings in a row of `timings.csv`, which affect no result: invalid parts are ignored. Returns the
    /// duration of the round.
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

/// Reads a row's round and the results in it; `None` for a cell without a game.
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

    /// Returns the results of a round for the player that moved first in each cell; `None` for a cell without a
    /// game. `None` as a whole if the round has not ended, or its games are not stored and it is no longer the
    /// newest.
    pub fn ends(&self, round: usize) -> Option<Vec<Option<Final>>> {
        let texts = self.texts();
        let newest =
            || texts.newest.as_ref().filter(|(number, _)| *number as usize == round).map(|(_, row)| row.as_str());
        let row = texts.kept.get(round).map(|row| &**row).or_else(newest)?;
        let mut ends = Vec::new();
        read_ends(row, &mut ends).map(|_| ends)
    }

    /// Returns the row of a round.
    #[cfg(test)]
    pub(super) fn row(&self, round: usize) -> String {
        self.texts().kept[round].to_string()
    }

    /// Returns the stored games of the cell with this index, in the order of play.
    pub fn games(&self, cell: usize) -> Vec<PlayedGame> {
        self.of_rounds(cell, 0..usize::MAX)
    }

    /// Returns the stored games of some rounds of a cell. There may be more than when the view was made.
    pub fn of_rounds(&self, cell: usize, rounds: Range<usize>) -> Vec<PlayedGame> {
        let Some(&players) = self.settings.cells().get(cell) else { return Vec::new() };
        let texts = self.texts();
        let game = |(number, row): (usize, &str)| {
            let (end, code) = row.split_once(',')?.1.split(' ').nth(cell)?.split_once(':')?;
            PlayedGame::decode(&self.settings, (cell, players), number as u32, Final::parse(end)?, code)
        };
        texts.kept.iter().map(|row| &**row).enumerate().take(rounds.end).skip(rounds.start).filter_map(game).collect()
    }
}

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
