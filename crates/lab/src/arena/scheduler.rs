//! The games of a tournament, for any game. They are dealt round by round, so that all cells progress evenly.

use std::sync::{Mutex, PoisonError};

use mancalab_base::Error;

use super::game::{GameInProgress, PlayedGame, Spent};
use super::settings::{Cell, Settings, Time};
use crate::budget::Budget;
use crate::game::with_position;
use crate::player::{AnalysisJob, Playable, Player, build};
use crate::pool::Pool;
use crate::work::{Work, WorkList};

/// Approximate number of games per worker that may end before one dealt earlier: the loss if the process is killed.
const AHEAD: usize = 4;

/// Order of the games.
pub(super) struct Dealer {
    cells: Vec<Cell>,
    /// Cells that need no more games.
    closed: Vec<bool>,
    cell: usize,
    round: u32,
    /// The last round that may be dealt.
    last: u32,
}

impl Dealer {
    /// Creates a dealer that begins with this round.
    pub fn new(cells: Vec<Cell>, closed: Vec<bool>, round: u32) -> Dealer {
        Dealer { cells, closed, cell: 0, round, last: u32::MAX }
    }

    /// Allows all rounds, or only those up to `round + 1` while many games are ahead of `round`, where a slow game
    /// is in progress.
    pub fn allow(&mut self, round: u32, ahead: usize, pool: &Pool) {
        let many = ahead > AHEAD * pool.count();
        self.last = if many { round.saturating_add(1) } else { u32::MAX };
    }

    /// Limits dealing to rounds up to this one.
    pub fn until(&mut self, last: u32) {
        self.last = last;
    }

    /// Skips the rounds before this one, which were played elsewhere.
    pub fn from(&mut self, round: u32) {
        if self.round < round {
            (self.cell, self.round) = (0, round);
        }
    }

    /// Closes a cell.
    pub fn close(&mut self, cell: usize) {
        self.closed[cell] = true;
    }

    /// Returns the next game's cell and number.
    fn deal(&mut self) -> Option<(usize, u32)> {
        let most = self.cells.iter().map(|cell| cell.games).max().unwrap_or(0);
        while self.round < most && self.round <= self.last && !self.closed.iter().all(|closed| *closed) {
            while let Some(cell) = self.cells.get(self.cell) {
                self.cell += 1;
                if self.round < cell.games && !self.closed[self.cell - 1] {
                    return Some((self.cell - 1, self.round));
                }
            }
            (self.cell, self.round) = (0, self.round + 1);
        }
        None
    }
}

/// A finished game with its timings.
pub(super) type FinishedGame = (PlayedGame, Spent);

/// The workers of a tournament, for any game.
pub(super) trait GameScheduler: Send {
    /// Plays until the budget is spent or no more games are dealt; returns the finished ones.
    fn play(&mut self, settings: &Settings, dealer: &Mutex<Dealer>, pool: &Pool, budget: Budget) -> Vec<FinishedGame>;

    /// Returns the suspended games: their cells and timings.
    fn under_way(&self) -> Vec<(usize, Spent)>;

    /// Returns why a player cannot move, which ends the tournament.
    fn failure(&self) -> Option<Error>;
}

/// Creates the scheduler for the settings' game.
pub(super) fn scheduler(settings: &Settings) -> Box<dyn GameScheduler> {
    let cells = settings.cells();
    with_position!(settings.variant.start(), start => Box::new(Games { start, cells, playing: WorkList::default() }))
}

/// A game in progress, with its cell and number.
type CellGame<G> = (usize, u32, GameInProgress<G>);

struct Games<G: Playable> {
    start: G,
    cells: Vec<Cell>,
    playing: WorkList<Seats<G>, CellGame<G>>,
}

/// A worker's players.
struct Seats<G: Playable> {
    /// The players of each seat, created on first use.
    players: [Vec<Option<Box<dyn Player<G>>>>; 2],
    /// The last position solved, whose table serves the next.
    solved: Option<AnalysisJob>,
    /// Why a player cannot move.
    failure: Option<Error>,
}

/// The games that a dealer gives out.
struct DealtGames<'a, G> {
    start: G,
    settings: &'a Settings,
    cells: &'a [Cell],
    dealer: &'a Mutex<Dealer>,
}

impl<G: Playable> GameScheduler for Games<G> {
    fn play(&mut self, settings: &Settings, dealer: &Mutex<Dealer>, pool: &Pool, budget: Budget) -> Vec<FinishedGame> {
        let work = DealtGames { start: self.start, settings, cells: &self.cells, dealer };
        self.playing.advance(&work, pool, budget)
    }

    fn under_way(&self) -> Vec<(usize, Spent)> {
        self.playing.items().map(|(cell, _, playing)| (*cell, playing.spent())).collect()
    }

    fn failure(&self) -> Option<Error> {
        self.playing.memories().find_map(|seats| seats.failure.clone())
    }
}

impl<G: Playable> Work for DealtGames<'_, G> {
    type Memory = Seats<G>;
    type Item = CellGame<G>;
    type Output = FinishedGame;

    fn memory(&self) -> Seats<G> {
        let players = [(); 2].map(|()| self.settings.players.iter().map(|_| None).collect());
        Seats { players, solved: None, failure: None }
    }

    fn begin(&self, _: usize) -> Option<CellGame<G>> {
        let (cell, number) = self.dealer.lock().unwrap_or_else(PoisonError::into_inner).deal()?;
        Some((cell, number, GameInProgress::new(self.start, self.settings, self.cells[cell], number)))
    }

    fn advance(
        &self,
        seats: &mut Seats<G>,
        (cell, number, playing): &mut CellGame<G>,
        budget: Budget,
    ) -> Option<FinishedGame> {
        let Cell { first, second, .. } = self.cells[*cell];
        while !playing.is_over() {
            let seat = playing.seat();
            let who = [first, second][seat];
            let player = &mut seats.players[seat][who];
            if player.is_none() {
                *player = build(&self.settings.players[who]).ok();
                if self.settings.time == Time::Processor {
                    player.iter_mut().for_each(|player| player.count_work());
                }
                playing.restart_clock();
            }
            let moved = player.as_mut().is_some_and(|player| playing.advance(player.as_mut(), budget));
            if !moved {
                seats.failure = player.as_ref().and_then(|player| player.failure());
                return None;
            }
        }
        let start = self.settings.variant.start();
        if self.settings.losses && !playing.count_losses(start, &mut seats.solved, budget) {
            return None;
        }
        for (seat, who) in [first, second].into_iter().enumerate() {
            seats.players[seat][who].iter_mut().for_each(|player| player.rest());
        }
        Some(playing.finish(*cell, *number))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame as _, Game as _, Move, Variant};
    use crate::player::Turn;

    /// Plays the first legal move, and stores something on each turn until it rests.
    #[derive(Default)]
    struct Hoarder {
        hoard: Arc<AtomicUsize>,
    }

    impl Player<Kalah> for Hoarder {
        fn think(&mut self, turn: &Turn<Kalah>, _budget: Budget) -> Option<Move> {
            self.hoard.fetch_add(1, Ordering::Relaxed);
            turn.pos.moves().next()
        }

        fn rest(&mut self) {
            self.hoard.store(0, Ordering::Relaxed);
        }
    }

    #[test]
    fn players_rest_when_their_game_is_over() {
        let players = vec!["max".parse().unwrap(); 2];
        let settings = Settings::round_robin(Variant::usual()[0], players, 1, 1);
        let hoards: Vec<Arc<AtomicUsize>> = (0..4).map(|_| Arc::default()).collect();
        let player = |hoard: &Arc<AtomicUsize>| Some(Box::new(Hoarder { hoard: Arc::clone(hoard) }) as Box<_>);
        let players = [0, 2].map(|seat| hoards[seat..seat + 2].iter().map(player).collect());
        let mut seats = Seats { players, solved: None, failure: None };
        let cells = settings.cells();
        let start = Kalah::start("6x4:standard".parse().unwrap());
        let dealer = Mutex::new(Dealer::new(cells.clone(), vec![false; cells.len()], 0));
        let games = DealtGames { start, settings: &settings, cells: &cells, dealer: &dealer };
        let hoarded = || hoards.iter().filter(|hoard| hoard.load(Ordering::Relaxed) > 0).count();
        let mut played = 0;
        while let Some(mut game) = games.begin(played) {
            assert!(games.advance(&mut seats, &mut game, Budget::UNLIMITED).is_some());
            assert_eq!(hoarded(), 0);
            played += 1;
        }
        assert_eq!(played, cells.len());
    }
}
