//! Thinking as a job, for any game: what a screen or a command starts when it is a player's turn.
//!
//! A job ends with the move; the player does not. It stays in its [`Seat`], and the job of its next turn takes it up with what it
//! remembers: a transposition table, a tree.

use super::{Player, Spec, Turn, build_with};
use crate::budget::{Budget, Job, Status};
use crate::game::record::Before;
use crate::game::{Game, GameState, Move, Position, with_position};
use crate::pool::Pool;
use crate::search::Report;
use std::mem::{Discriminant, discriminant};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A player of one game, kept from turn to turn. It thinks about one turn at a time: the one it was asked last.
pub struct Seat {
    player: Arc<Mutex<dyn Thinker>>,
    /// The number of the newest turn. Beside the player, so that whoever asks need not wait for a step to end.
    newest: Arc<AtomicU64>,
    game: Discriminant<Position>,
}

/// A player thinking about its move.
pub struct Thinking {
    player: Arc<Mutex<dyn Thinker>>,
    newest: Arc<AtomicU64>,
    number: u64,
    asked: Asked,
    choice: Option<Move>,
}

/// What there is to see of a player's thinking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The move, once it is chosen.
    pub choice: Option<Move>,
    /// What a player that searches has found so far.
    pub report: Option<Report>,
    /// Time spent thinking about this turn.
    pub busy: Duration,
}

/// A [`Turn`], whatever the game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Asked {
    position: Position,
    before: Before,
    ply: u32,
    seed: u64,
}

/// A player, whatever its game.
trait Thinker: Send {
    fn think(&mut self, asked: &Asked, budget: Budget) -> Option<Move>;
    /// What it has found, and the time it took.
    fn found(&self) -> (Option<Report>, Duration);
}

struct Seated<G: Game> {
    player: Box<dyn Player<G>>,
    /// The turn it thought about last, and for how long.
    last: Option<Asked>,
    busy: Duration,
}

impl<G: Game + TryFrom<Position>> Thinker for Seated<G> {
    fn think(&mut self, asked: &Asked, budget: Budget) -> Option<Move> {
        let started = Instant::now();
        if self.last.as_ref() != Some(asked) {
            self.busy = Duration::ZERO;
            self.last = Some(asked.clone());
        }
        let pos = G::try_from(asked.position).ok()?;
        let course = GameState::after(pos, asked.before.history(&pos), asked.ply);
        let choice = self.player.think(&Turn::of(&course, asked.seed), budget);
        self.busy += started.elapsed();
        choice
    }

    fn found(&self) -> (Option<Report>, Duration) {
        (self.player.report(), self.busy)
    }
}

fn seated<G: Game + TryFrom<Position>>(_: &G, spec: &Spec, pool: &Pool) -> Option<Arc<Mutex<dyn Thinker>>> {
    let player = build_with::<G>(spec, pool).ok()?;
    Some(Arc::new(Mutex::new(Seated { player, last: None, busy: Duration::ZERO })))
}

impl Seat {
    /// A player of the game that `position` is of, with this pool at its call. `None` for a human, who thinks elsewhere.
    pub fn new(position: Position, spec: &Spec, pool: &Pool) -> Option<Seat> {
        let player = with_position!(position, pos => seated(&pos, spec, pool))?;
        Some(Seat { player, newest: Arc::default(), game: discriminant(&position) })
    }

    /// The job of thinking about a turn in `position`, to which the game came by `before`; `ply` counts the moves played. What the player remembers of its turns before
    /// speeds it up; a job of an earlier turn that is still at work ends with its next step. `None` if the position is of another
    /// game.
    pub fn turn(&self, position: Position, before: Before, ply: u32, seed: u64) -> Option<Thinking> {
        let (player, newest) = (Arc::clone(&self.player), Arc::clone(&self.newest));
        let number = newest.fetch_add(1, Ordering::Relaxed) + 1;
        let asked = Asked { position, before, ply, seed };
        let thinking = Thinking { player, newest, number, asked, choice: None };
        (discriminant(&position) == self.game).then_some(thinking)
    }
}

impl Thinking {
    /// A player that thinks alone and is not kept for another turn, in a game of which nothing is known but the position. `None`
    /// for a human.
    pub fn new(position: Position, spec: &Spec, ply: u32, seed: u64) -> Option<Thinking> {
        Seat::new(position, spec, &Pool::alone())?.turn(position, Before::default(), ply, seed)
    }

    /// Whether the player has been asked about another turn since.
    fn is_past(&self) -> bool {
        self.newest.load(Ordering::Relaxed) != self.number
    }
}

impl Job for Thinking {
    type View = SearchInfo;

    fn step(&mut self, budget: Budget) -> Status {
        if self.choice.is_some() || self.asked.position.is_over() {
            return Status::Done;
        }
        // A player that panicked may be half changed: it does not think again.
        let Ok(mut player) = self.player.lock() else { return Status::Done };
        // Asked behind the lock: a step of the turn before may have been under way.
        if self.is_past() {
            return Status::Done;
        }
        self.choice = player.think(&self.asked, budget);
        if self.choice.is_some() { Status::Done } else { Status::Running }
    }

    fn view(&self) -> SearchInfo {
        let player = self.player.lock().ok().filter(|_| !self.is_past());
        let (report, busy) = player.map_or((None, Duration::ZERO), |player| player.found());
        SearchInfo { choice: self.choice, report, busy }
    }
}
