//! A move of a player as a job, for any game: what a screen or a command starts when it is a player's turn.
//!
//! The job ends with the move; the player remains in its [`Seat`], and the job of its next turn reuses its state: a transposition
//! table, a tree.

use super::{Playable, Player, Spec, Turn, TurnEnd, build_with};
use crate::budget::{Budget, Job, Status};
use crate::game::record::Before;
use crate::game::{Game, GameState, Move, Position, with_position};
use crate::pool::Pool;
use crate::search::Report;
use mancalab_base::Error;
use std::mem::{Discriminant, discriminant};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The player of one side in a game, kept from turn to turn. It thinks about one turn at a time, the newest.
pub struct Seat {
    player: Arc<Mutex<dyn Thinker>>,
    /// The number of the newest turn, outside of the player's lock so that reading it does not wait for a step.
    newest: Arc<AtomicU64>,
    game: Discriminant<Position>,
}

/// A player's move in progress.
pub struct MoveJob {
    player: Arc<Mutex<dyn Thinker>>,
    newest: Arc<AtomicU64>,
    number: u64,
    turn: AnyTurn,
    choice: Option<Move>,
}

/// A snapshot of a player's thinking.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SearchInfo {
    /// The move, once it is chosen.
    pub choice: Option<Move>,
    /// The move that the player would play now, if it knows one.
    pub best: Option<Move>,
    /// The result so far of a player that searches.
    pub report: Option<Report>,
    /// Time spent on this turn.
    pub busy: Duration,
    /// Why the player cannot move.
    pub failure: Option<Error>,
}

/// A [`Turn`] of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct AnyTurn {
    position: Position,
    before: Before,
    ply: u32,
    seed: u64,
    end: TurnEnd,
    number: u64,
}

/// A player of any game.
trait Thinker: Send {
    fn think(&mut self, turn: &AnyTurn, budget: Budget) -> Option<Move>;
    /// Returns what is known of the turn.
    fn found(&self) -> SearchInfo;
    /// Returns why the player moves no more, if it has failed.
    fn failure(&self) -> Option<Error>;
}

struct SeatedPlayer<G: Game> {
    player: Box<dyn Player<G>>,
    /// The last turn, and the time spent on it.
    last: Option<AnyTurn>,
    busy: Duration,
}

impl<G: Game + TryFrom<Position>> Thinker for SeatedPlayer<G> {
    fn think(&mut self, turn: &AnyTurn, budget: Budget) -> Option<Move> {
        let started = Instant::now();
        if self.last.as_ref() != Some(turn) {
            self.busy = Duration::ZERO;
            self.last = Some(turn.clone());
        }
        let pos = G::try_from(turn.position).ok()?;
        let game_state = GameState::after(pos, turn.before.history(&pos), turn.ply);
        let current = Turn { end: turn.end, number: turn.number, ..Turn::current(&game_state, turn.seed) };
        let choice = self.player.think(&current, budget);
        self.busy += started.elapsed();
        choice
    }

    fn found(&self) -> SearchInfo {
        SearchInfo {
            choice: None,
            best: self.player.best_so_far(),
            report: self.player.report(),
            busy: self.busy,
            failure: self.failure(),
        }
    }

    fn failure(&self) -> Option<Error> {
        self.player.failure()
    }
}

fn seated<G: Playable + TryFrom<Position>>(_: &G, spec: &Spec, pool: &Pool) -> Option<Arc<Mutex<dyn Thinker>>> {
    let player = build_with::<G>(spec, pool).ok()?;
    Some(Arc::new(Mutex::new(SeatedPlayer { player, last: None, busy: Duration::ZERO })))
}

impl Seat {
    /// A player of the game of `position`, with this thread pool. `None` for a human.
    pub fn new(position: Position, spec: &Spec, pool: &Pool) -> Option<Seat> {
        let player = with_position!(position, pos => seated(&pos, spec, pool))?;
        Some(Seat { player, newest: Arc::default(), game: discriminant(&position) })
    }

    /// Starts the job for a turn in `position`, reached by the moves in `before`; `ply` counts the moves played. The player's state from
    /// earlier turns makes it faster; a running job of an earlier turn ends with its next step. `None` if the position is of another game.
    pub fn turn(&self, position: Position, before: Before, ply: u32, seed: u64) -> Option<MoveJob> {
        let player = Arc::clone(&self.player);
        let newest = Arc::clone(&self.newest);
        let number = newest.fetch_add(1, Ordering::Relaxed) + 1;
        let turn = AnyTurn { position, before, ply, seed, end: TurnEnd::Player, number: 0 };
        let thinking = MoveJob { player, newest, number, turn, choice: None };
        (discriminant(&position) == self.game).then_some(thinking)
    }
}

impl MoveJob {
    /// A job on one thread, for a single turn, in a position without history. `None` for a human.
    pub fn new(position: Position, spec: &Spec, ply: u32, seed: u64) -> Option<MoveJob> {
        Seat::new(position, spec, &Pool::alone())?.turn(position, Before::default(), ply, seed)
    }

    /// Sets what ends the turn from outside; such a turn begins anew, even in the position of the last one.
    #[must_use]
    pub fn ends(mut self, end: TurnEnd) -> MoveJob {
        self.turn.end = end;
        self.turn.number = if end == TurnEnd::Player { 0 } else { self.number };
        self
    }

    /// Returns whether a newer turn has started.
    fn is_past(&self) -> bool {
        self.newest.load(Ordering::Relaxed) != self.number
    }
}

impl Job for MoveJob {
    type View = SearchInfo;

    fn step(&mut self, budget: Budget) -> Status {
        if self.choice.is_some() || self.turn.position.is_over() {
            return Status::Done;
        }
        // A player that panicked may be in an inconsistent state: it does not think again.
        let Ok(mut player) = self.player.lock() else { return Status::Done };
        // Checked under the lock, since a step of the turn before may have been running.
        if self.is_past() {
            return Status::Done;
        }
        self.choice = player.think(&self.turn, budget);
        if self.choice.is_some() || player.failure().is_some() { Status::Done } else { Status::Running }
    }

    fn view(&self) -> SearchInfo {
        let player = self.player.lock().ok().filter(|_| !self.is_past());
        let found = player.map(|player| player.found()).unwrap_or_default();
        SearchInfo { choice: self.choice, best: self.choice.or(found.best), ..found }
    }
}
