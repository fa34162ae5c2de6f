//! A tournament as a job: cells of games, played on every processor.
//!
//! Games are dealt out number by number, so that all cells fill evenly; every processor has a lane with players of its own and
//! a game under way, which it leaves in the middle when the budget is spent. What has ended is counted in the order in which it
//! was dealt out, whoever was faster, so that an early stop falls on the same game whatever the number of threads.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::game::{Kept, Playing, Spent};
use super::view::{CellView, Games, View};
use super::{Score, Sprt, Verdict};
use crate::game::{Game, Variant, with_position};
use crate::job::{Budget, Job, Status};
use crate::player::spec::Ties;
use crate::player::{Player, Spec, build};

/// Games of one player moving first against another, or against another of its own kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Who moves first: an index into the players.
    pub first: usize,
    pub second: usize,
    pub games: u32,
}

/// What is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    pub variant: Variant,
    pub players: Vec<Spec>,
    pub cells: Vec<Cell>,
    /// Moves at the beginning of a game that are drawn at random.
    pub opening: u32,
    /// All chance follows from it.
    pub seed: u64,
    /// Stop the games of two players, whoever moves first, once this test has decided between them.
    pub stop: Option<Sprt>,
}

/// The most players of a tournament.
pub const MAX_PLAYERS: usize = 32;

pub struct Tournament {
    settings: Settings,
    hall: Box<dyn Hall>,
    dealer: Mutex<Dealer>,
    cells: Vec<CellView>,
    /// Games that have ended before others that were dealt out earlier.
    waiting: BTreeMap<u64, (Kept, Spent)>,
    counted: u64,
    games: Games,
    busy: Duration,
}

/// Which game is next.
struct Dealer {
    cells: Vec<Cell>,
    /// Cells in which no more are wanted.
    closed: Vec<bool>,
    cell: usize,
    number: u32,
    /// Games dealt out.
    dealt: u64,
}

/// A game dealt out: the how many-th it is, its cell and its number there.
struct Dealt {
    index: u64,
    cell: usize,
    number: u32,
}

/// Where games are played, whatever the game.
trait Hall: Send {
    /// Plays until the budget is spent or all games are dealt out and over; gives those that have ended.
    fn play_on(
        &mut self,
        settings: &Settings,
        dealer: &Mutex<Dealer>,
        budget: Budget,
        done: &(dyn Fn() + Sync),
    ) -> Vec<(u64, (Kept, Spent))>;
    /// Whether a game is under way.
    fn is_busy(&self) -> bool;
}

struct Lanes<G: Game> {
    start: G,
    lanes: Vec<Lane<G>>,
}

struct Lane<G: Game> {
    /// For each seat the players, made when they are first wanted.
    seats: [Vec<Option<Box<dyn Player<G>>>>; 2],
    playing: Option<(Dealt, Playing<G>)>,
}

impl Cell {
    /// The two cells of a match whose players take turns at moving first, the first of them in the first game.
    pub fn alternating(games: u32) -> [Cell; 2] {
        [Cell { first: 0, second: 1, games: games.div_ceil(2) }, Cell { first: 1, second: 0, games: games / 2 }]
    }

    /// A cell for every ordered pair of players, those of one player against itself included.
    pub fn all(players: usize, games: u32) -> Vec<Cell> {
        let row = |first| (0..players).map(move |second| Cell { first, second, games });
        (0..players).flat_map(row).collect()
    }
}

impl Settings {
    /// Everybody against everybody, in both orders, so many games each.
    pub fn round_robin(variant: Variant, players: Vec<Spec>, games: u32, seed: u64) -> Settings {
        let cells = Cell::all(players.len(), games);
        Settings { variant, players, cells, opening: 2, seed, stop: None }
    }

    /// Lets every player that knows of ties choose among them in this way.
    pub fn set_ties(&mut self, ties: Ties) {
        for player in &mut self.players {
            match player {
                Spec::Minimax(minimax) => minimax.ties = ties,
                Spec::Heuristic(heuristic) => heuristic.ties = ties,
                _ => {}
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.players.iter().any(Spec::is_human) {
            return Err("a person cannot play here; any other player can".to_owned());
        }
        if self.players.is_empty() || self.players.len() > MAX_PLAYERS {
            return Err(format!("1 to {MAX_PLAYERS} players can meet; {} were named", self.players.len()));
        }
        match self.cells.iter().find(|cell| cell.first.max(cell.second) >= self.players.len()) {
            Some(cell) => Err(format!("there is no player number {}", cell.first.max(cell.second) + 1)),
            None => Ok(()),
        }
    }
}

impl Tournament {
    /// # Errors
    /// A person is among the players, or there are none or too many: a sentence.
    pub fn new(settings: Settings) -> Result<Tournament, String> {
        settings.check()?;
        let hall: Box<dyn Hall> = with_position!(settings.variant.start(), start => {
            Box::new(Lanes { start, lanes: Vec::new() })
        });
        let cells = settings.cells.clone();
        let view = |&cell: &Cell| CellView {
            cell,
            score: Score::default(),
            margins: 0,
            time: [Duration::ZERO; 2],
            turns: [0; 2],
            verdict: None,
        };
        Ok(Tournament {
            cells: cells.iter().map(view).collect(),
            dealer: Mutex::new(Dealer { closed: vec![false; cells.len()], cells, cell: 0, number: 0, dealt: 0 }),
            settings,
            hall,
            waiting: BTreeMap::new(),
            counted: 0,
            games: Games::default(),
            busy: Duration::ZERO,
        })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How the cells stand, in the order of the settings.
    pub fn standing(&self) -> &[CellView] {
        &self.cells
    }

    /// As [`step`](Job::step); `done` is told of every game that ends.
    pub fn play_on(&mut self, budget: Budget, done: &(dyn Fn() + Sync)) -> Status {
        let began = Instant::now();
        let ended = self.hall.play_on(&self.settings, &self.dealer, budget, done);
        self.waiting.extend(ended);
        while let Some((kept, spent)) = self.waiting.remove(&self.counted) {
            self.counted += 1;
            self.count(kept, spent);
        }
        self.busy += began.elapsed();
        let over = self.dealer.get_mut().unwrap_or_else(PoisonError::into_inner).peek().is_none();
        if over && !self.hall.is_busy() { Status::Done } else { Status::Running }
    }

    fn count(&mut self, kept: Kept, spent: Spent) {
        let cell = &mut self.cells[kept.cell];
        if cell.verdict.is_some() {
            return; // Under way when the games of these two were stopped.
        }
        cell.score = cell.score.plus(Score::of(kept.margin));
        cell.margins += i64::from(kept.margin);
        for seat in 0..2 {
            cell.time[seat] += spent.time[seat];
            cell.turns[seat] += u64::from(spent.turns[seat]);
        }
        let Cell { first, second, .. } = cell.cell;
        self.games.push(kept);
        if let Some(verdict) = self.settings.stop.and_then(|stop| stop.verdict(self.pair(first, second))) {
            self.close(first, second, verdict);
        }
    }

    /// All games of two players as the one with the lower index sees them; nothing for games against itself.
    fn pair(&self, a: usize, b: usize) -> Score {
        let (low, high) = (a.min(b), a.max(b));
        let score = |view: &CellView| match (view.cell.first, view.cell.second) {
            _ if low == high => Score::default(),
            ends if ends == (low, high) => view.score,
            ends if ends == (high, low) => view.score.turned(),
            _ => Score::default(),
        };
        self.cells.iter().map(score).fold(Score::default(), Score::plus)
    }

    fn close(&mut self, a: usize, b: usize, verdict: Verdict) {
        let dealer = self.dealer.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (view, closed) in self.cells.iter_mut().zip(&mut dealer.closed) {
            let ends = (view.cell.first, view.cell.second);
            if ends == (a, b) || ends == (b, a) {
                (view.verdict, *closed) = (Some(verdict), true);
            }
        }
    }
}

impl Job for Tournament {
    type View = View;

    fn step(&mut self, budget: Budget) -> Status {
        self.play_on(budget, &|| ())
    }

    fn view(&self) -> View {
        let wanted =
            |view: &CellView| u64::from(if view.verdict.is_some() { view.score.games() } else { view.cell.games });
        let (done, total) =
            (self.cells.iter().map(|view| u64::from(view.score.games())).sum(), self.cells.iter().map(wanted).sum());
        View {
            variant: self.settings.variant,
            players: self.settings.players.iter().map(Spec::to_string).collect(),
            cells: self.cells.clone(),
            done,
            total,
            busy: self.busy,
            finished: done == total,
            games: self.games.clone(),
        }
    }
}

impl Dealer {
    /// The next game's cell and number.
    fn peek(&mut self) -> Option<(usize, u32)> {
        let most = self.cells.iter().map(|cell| cell.games).max().unwrap_or(0);
        while self.number < most {
            while let Some(cell) = self.cells.get(self.cell) {
                if self.number < cell.games && !self.closed[self.cell] {
                    return Some((self.cell, self.number));
                }
                self.cell += 1;
            }
            if self.closed.iter().all(|closed| *closed) {
                return None;
            }
            (self.cell, self.number) = (0, self.number + 1);
        }
        None
    }

    fn deal(&mut self) -> Option<Dealt> {
        let (cell, number) = self.peek()?;
        self.cell += 1;
        self.dealt += 1;
        Some(Dealt { index: self.dealt - 1, cell, number })
    }
}

impl<G: Game> Hall for Lanes<G> {
    fn play_on(
        &mut self,
        settings: &Settings,
        dealer: &Mutex<Dealer>,
        budget: Budget,
        done: &(dyn Fn() + Sync),
    ) -> Vec<(u64, (Kept, Spent))> {
        while self.lanes.len() < rayon::current_num_threads() {
            let seats = [(); 2].map(|()| settings.players.iter().map(|_| None).collect());
            self.lanes.push(Lane { seats, playing: None });
        }
        let start = self.start;
        let ended =
            self.lanes.par_iter_mut().with_max_len(1).map(|lane| lane.run(start, settings, dealer, budget, done));
        ended.flatten_iter().collect()
    }

    fn is_busy(&self) -> bool {
        self.lanes.iter().any(|lane| lane.playing.is_some())
    }
}

impl<G: Game> Lane<G> {
    fn run(
        &mut self,
        start: G,
        settings: &Settings,
        dealer: &Mutex<Dealer>,
        budget: Budget,
        done: &(dyn Fn() + Sync),
    ) -> Vec<(u64, (Kept, Spent))> {
        let mut ended = Vec::new();
        loop {
            let Some((dealt, mut playing)) = self.playing.take().or_else(|| {
                let dealt = dealer.lock().unwrap_or_else(PoisonError::into_inner).deal()?;
                let Cell { first, second, .. } = settings.cells[dealt.cell];
                let playing =
                    Playing::new(start, settings.opening, settings.seed, [first as u64, second as u64], dealt.number);
                Some((dealt, playing))
            }) else {
                return ended;
            };
            let Cell { first, second, .. } = settings.cells[dealt.cell];
            while !playing.is_over() {
                let (seat, who) = (playing.seat(), [first, second][playing.seat()]);
                let player = &mut self.seats[seat][who];
                if player.is_none() {
                    *player = build(&settings.players[who]);
                }
                let moved = player.as_mut().is_some_and(|player| playing.advance(player.as_mut(), budget));
                if !moved {
                    self.playing = Some((dealt, playing));
                    return ended;
                }
            }
            ended.push((dealt.index, playing.finish(dealt.cell, dealt.number)));
            done();
            if budget.is_spent() {
                return ended;
            }
        }
    }
}
