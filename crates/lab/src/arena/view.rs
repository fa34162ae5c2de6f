//! Displayed state of a tournament: cells, players and finished games.

use mancalab_base::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::game::PlayedGame;
use super::ledger::{CellView, Games, Ledger};
use super::settings::{Cell, Settings};
use super::sprt::Evidence;
use super::{Rating, Score, ratings};
use crate::game::record::Record;
use crate::job::Watched;
use crate::player::Spec;

/// Snapshot of a tournament for display.
#[derive(Clone, Debug)]
pub struct View {
    pub settings: Arc<Settings>,
    /// The players' specifications.
    pub players: Vec<String>,
    pub cells: Vec<CellView>,
    /// Paired results of the first two players.
    pairs: Option<Evidence>,
    /// Rounds counted, and their total number.
    pub round: u32,
    pub rounds: u32,
    /// Games counted, and their total number.
    pub done: u64,
    pub total: u64,
    /// Finished games of unfinished rounds.
    pub ahead: u64,
    /// Time spent playing.
    pub busy: Duration,
    pub finished: bool,
    pub games: Games,
    /// Computed on first use.
    ratings: OnceLock<(Vec<Rating>, Rating)>,
}

/// Player settings that short names omit.
const MINOR: [&str; 8] = ["ties", "eps", "rollout", "reuse", "judged", "near", "prune", "quiet"];

impl View {
    /// Creates the snapshot of a ledger; `ahead` is the number of finished games not in it yet, `busy` the total
    /// playing time.
    pub(super) fn new(settings: Arc<Settings>, ledger: &Ledger, ahead: u64, busy: Duration) -> View {
        let wanted = |view: &CellView| match view.verdict {
            Some(_) => view.score.games(),
            None => view.cell.games,
        };
        let total = ledger.cells().iter().map(|view| u64::from(wanted(view))).sum();
        View {
            players: settings.players.iter().map(Spec::to_string).collect(),
            cells: ledger.cells().to_vec(),
            pairs: ledger.evidence([0, 1]).copied(),
            round: ledger.round(),
            rounds: settings.rounds(),
            done: ledger.done(),
            total,
            ahead,
            busy,
            finished: ledger.done() == total,
            games: ledger.games().clone(),
            settings,
            ratings: OnceLock::new(),
        }
    }

    /// Returns the players' names without settings shared by all players of their kind, as long as the names stay
    /// distinct.
    pub fn names(&self) -> Vec<String> {
        let short: Vec<String> = self.players.iter().map(|text| self.shortened(text)).collect();
        let is_alone = |index: usize| short.iter().filter(|name| **name == short[index]).count() == 1;
        (0..short.len()).map(|at| if is_alone(at) { short[at].clone() } else { self.players[at].clone() }).collect()
    }

    /// Drops parts such as `eps=0.9` of `mcts:4000:eps=0.9` if every `mcts` has them; never the search effort.
    fn shortened(&self, text: &str) -> String {
        let parts = |text: &str| text.split(':').map(str::to_owned).collect::<Vec<_>>();
        let own = parts(text);
        let kind: Vec<Vec<String>> =
            self.players.iter().map(|text| parts(text)).filter(|all| all[0] == own[0]).collect();
        let is_shared = |part: &String| {
            let is_minor = part.split_once('=').is_some_and(|(key, _)| MINOR.contains(&key));
            is_minor && kind.iter().all(|other| other.iter().any(|it| it == part))
        };
        own.iter().filter(|part| !is_shared(part)).map(String::as_str).collect::<Vec<_>>().join(":")
    }

    /// Returns the first player's share of points against the second, from paired games, and its 95 % confidence
    /// interval.
    pub fn points(&self) -> (f64, (f64, f64)) {
        self.pairs.unwrap_or_default().interval()
    }

    /// Returns the log-likelihood ratio of the sequential test between the first two players.
    pub fn llr(&self) -> Option<f64> {
        Some(self.settings.stop?.ratio(self.pairs.as_ref()?))
    }

    /// Returns whether a round's game counts in the sample of a cell.
    pub fn is_sampled(&self, cell: &CellView, round: u32) -> bool {
        !cell.is_deterministic || self.settings.openings().is_new(&self.settings, round)
    }

    /// Returns the number of games that differ, if players without random choices repeated some.
    pub fn distinct(&self) -> Option<u64> {
        let repeated: u64 = self.cells.iter().map(|view| u64::from(view.score.games() - view.sample.games())).sum();
        (repeated > 0).then(|| self.done - repeated)
    }

    /// Returns the index of the cell in which `first` moves first against `second`.
    pub fn index(&self, first: usize, second: usize) -> Option<usize> {
        self.cells.iter().position(|view| (view.cell.first, view.cell.second) == (first, second))
    }

    /// Returns the mean final margin of a cell's player that moves first; `None` where the game has no margins, only wins and losses.
    pub fn mean_margin(&self, cell: &CellView) -> Option<f64> {
        self.has_margins().then(|| cell.mean_margin())
    }

    /// Returns whether the game ends with a margin, such as seeds or discs.
    pub fn has_margins(&self) -> bool {
        self.settings.variant.start().decided().is_none()
    }

    /// Returns the cell in which `first` moves first against `second`.
    pub fn cell(&self, first: usize, second: usize) -> Option<&CellView> {
        self.index(first, second).map(|index| &self.cells[index])
    }

    pub fn games_per_second(&self) -> f64 {
        self.done as f64 / self.busy.as_secs_f64().max(1e-9)
    }

    /// Returns the estimated time left; `None` before the end of the first game.
    pub fn seconds_left(&self) -> Option<f64> {
        (self.done > 0).then(|| (self.total - self.done) as f64 / self.games_per_second())
    }

    /// Returns every player's rating, and the advantage of moving first.
    pub fn ratings(&self) -> &(Vec<Rating>, Rating) {
        let result = |view: &CellView| (view.cell.first, view.cell.second, view.sample);
        self.ratings.get_or_init(|| ratings(self.players.len(), &self.cells.iter().map(result).collect::<Vec<_>>()))
    }

    /// Returns the sample of a player's games against others.
    pub fn sample(&self, player: usize) -> Score {
        let score = |view: &CellView| match view.cell {
            Cell { first, second, .. } if first == second => Score::default(),
            Cell { first, .. } if first == player => view.sample,
            Cell { second, .. } if second == player => view.sample.turned(),
            _ => Score::default(),
        };
        self.cells.iter().map(score).fold(Score::default(), Score::plus)
    }

    /// Returns the mean time per move of a player, over all its games; `None` without moves.
    pub fn time_a_move(&self, player: usize) -> Option<Duration> {
        let mut sum = (Duration::ZERO, 0u64);
        for view in &self.cells {
            let seats = [view.cell.first, view.cell.second].into_iter().enumerate();
            for (seat, _) in seats.filter(|&(_, who)| who == player) {
                sum = (sum.0.saturating_add(view.time[seat]), sum.1.saturating_add(view.turns[seat]));
            }
        }
        // Timings come from a file and may have any value.
        let mean = sum.0.as_secs_f64() / sum.1 as f64;
        (sum.1 > 0).then(|| Duration::try_from_secs_f64(mean).unwrap_or(Duration::MAX))
    }

    /// Returns the mean of what a player's moves lost in a game under perfect play; `None` if it was not counted.
    pub fn lost_a_game(&self, player: usize) -> Option<f64> {
        let mut lost = 0;
        let mut games = 0;
        for view in &self.cells {
            for (seat, _) in
                [view.cell.first, view.cell.second].into_iter().enumerate().filter(|&(_, who)| who == player)
            {
                (lost, games) = (lost + view.lost[seat], games + view.lost_games);
            }
        }
        (games > 0).then(|| lost as f64 / games as f64)
    }

    /// Returns a game as a record with its players' names; `None` if a move is illegal.
    pub fn record(&self, kept: &PlayedGame) -> Option<Record> {
        let Cell { first, second, .. } = self.cells[kept.cell].cell;
        kept.record(self.settings.variant, [self.players[first].clone(), self.players[second].clone()])
    }
}

/// State of a tournament that another process plays.
#[derive(Clone, Debug)]
pub struct FromRows {
    settings: Arc<Settings>,
    ledger: Ledger,
    busy: Duration,
}

impl FromRows {
    pub(super) fn new(settings: Settings) -> FromRows {
        let settings = Arc::new(settings);
        FromRows { ledger: Ledger::new(Arc::clone(&settings)), settings, busy: Duration::ZERO }
    }

    pub fn view(&self) -> View {
        View::new(Arc::clone(&self.settings), &self.ledger, 0, self.busy)
    }
}

impl Watched for FromRows {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.ledger.count(row)
    }

    fn timing(&mut self, row: &str) {
        self.busy = self.busy.saturating_add(self.ledger.spend_row(row));
    }
}
