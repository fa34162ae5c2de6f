//! Thinking as a job, for any game: what a screen or a command starts when it is a player's turn.

use super::{Player, Spec, Turn, build};
use crate::game::{Game, Move, Position, with_position};
use crate::search::Report;
use crate::step::{Budget, Job, Status};
use std::time::{Duration, Instant};

/// A player thinking about its move. The player can be kept for its next turn: see [`turn`](Thinking::turn).
pub struct Thinking {
    seat: Box<dyn Seat>,
    choice: Option<Move>,
    over: bool,
    busy: Duration,
}

/// What there is to see of a player's thinking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The move, once it is chosen.
    pub choice: Option<Move>,
    /// What a player that searches has found so far.
    pub report: Option<Report>,
    /// Time spent thinking about this turn.
    pub busy: Duration,
}

/// A player with its turn, whatever the game.
trait Seat: Send {
    fn think(&mut self, budget: Budget) -> Option<Move>;
    fn report(&self) -> Option<Report>;
    /// Whether the position is of the player's game.
    fn turn(&mut self, position: Position, ply: u32, seed: u64) -> bool;
}

struct Seated<G: Game> {
    player: Box<dyn Player<G>>,
    turn: Turn<G>,
}

impl<G: Game + TryFrom<Position>> Seat for Seated<G> {
    fn think(&mut self, budget: Budget) -> Option<Move> {
        self.player.think(&self.turn, budget)
    }

    fn report(&self) -> Option<Report> {
        self.player.report()
    }

    fn turn(&mut self, position: Position, ply: u32, seed: u64) -> bool {
        let Ok(pos) = G::try_from(position) else { return false };
        self.turn = Turn { pos, ply, seed };
        true
    }
}

fn seat<G: Game + TryFrom<Position>>(turn: Turn<G>, spec: &Spec) -> Option<Box<dyn Seat>> {
    let player = build::<G>(spec)?;
    Some(Box::new(Seated { player, turn }))
}

impl Thinking {
    /// `ply` counts the moves played before. `None` for a human, who thinks elsewhere.
    pub fn new(position: Position, spec: &Spec, ply: u32, seed: u64) -> Option<Thinking> {
        let seat = with_position!(position, pos => seat(Turn { pos, ply, seed }, spec))?;
        Some(Thinking { seat, choice: None, over: position.is_over(), busy: Duration::ZERO })
    }

    /// The same player with another turn of the same game: one that searches remembers what it saw before. Gives `false`, and
    /// changes nothing, if the position is of another game.
    pub fn turn(&mut self, position: Position, ply: u32, seed: u64) -> bool {
        let taken = self.seat.turn(position, ply, seed);
        if taken {
            (self.choice, self.over, self.busy) = (None, position.is_over(), Duration::ZERO);
        }
        taken
    }
}

impl Job for Thinking {
    type View = Thought;

    fn step(&mut self, budget: Budget) -> Status {
        if self.choice.is_none() && !self.over {
            let started = Instant::now();
            self.choice = self.seat.think(budget);
            self.busy += started.elapsed();
        }
        if self.choice.is_some() || self.over { Status::Done } else { Status::Running }
    }

    fn view(&self) -> Thought {
        Thought { choice: self.choice, report: self.seat.report(), busy: self.busy }
    }
}
