//! Who chooses a move.
//!
//! A [`Player`] thinks in steps, so that a screen stays alive and a person can interrupt it. What it chooses follows from the
//! position, the ply and the game's seed (and for a player with a time limit from the clock), so that taking a move back and
//! playing on gives the same move again. The one exception is `mcts:…:reuse=yes`, whose move follows from its turns before as well.

pub mod analysing;
pub mod heuristic;
pub mod mcts;
mod minimax;
pub mod program;
mod simple;
pub mod spec;
pub mod thinking;

use crate::crew::Crew;
use crate::game::{Game, Move};
use crate::rng::{self, Rng};
use crate::search::Report;
use crate::step::Budget;
pub use analysing::{Analysed, Analysing};
pub use heuristic::HeuristicPlayer;
pub use mcts::MctsPlayer;
pub use minimax::MinimaxPlayer;
pub use program::{Named, ProgramPlayer};
pub use simple::{MaxPlayer, RandomPlayer};
pub use spec::Spec;
pub use thinking::{Seat, Thinking, Thought};

/// What a player is asked: a move for the side to move in `pos`, which is not over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn<G> {
    pub pos: G,
    /// Moves played before, in the whole game.
    pub ply: u32,
    /// The game's seed: all chance in it follows from it.
    pub seed: u64,
}

/// What a random choice in a turn is for. The numbers are part of every recorded game.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub enum Purpose {
    Move = 0,
    Tie = 1,
    Analysis = 2,
}

pub trait Player<G: Game>: Send {
    /// The move to play, or `None` when the budget is spent first: ask again, with the same turn, to think on.
    /// Without limit the answer is a move, unless the game is over.
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move>;

    /// What the last thinking has found so far, from a player that searches.
    fn report(&self) -> Option<Report> {
        None
    }

    /// Told that its game is over: gives back what takes much room, as there may be hundreds of players at rest. What it plays
    /// afterwards is the same.
    fn rest(&mut self) {}
}

impl<G> Turn<G> {
    /// The seed of the turn's choices for `purpose`.
    fn rng(&self, purpose: Purpose) -> Rng {
        rng::keyed(&[self.seed, self.ply.into(), purpose as u64])
    }
}

/// The player a spec describes, which thinks on the thread that asks it; `None` for a human, whose moves come from elsewhere.
pub fn build<G: Game>(spec: &Spec) -> Option<Box<dyn Player<G>>> {
    build_with(spec, &Crew::alone())
}

/// The same with a crew at its call, for a player that is not asked by one of them.
pub fn build_with<G: Game>(spec: &Spec, crew: &Crew) -> Option<Box<dyn Player<G>>> {
    match spec {
        Spec::Human => None,
        Spec::Random => Some(Box::new(RandomPlayer)),
        Spec::Max => Some(Box::new(MaxPlayer)),
        Spec::Minimax(settings) => Some(Box::new(MinimaxPlayer::new(settings.clone()))),
        Spec::Heuristic(settings) => Some(Box::new(HeuristicPlayer::new(settings.clone()))),
        Spec::Mcts(settings) => Some(Box::new(MctsPlayer::with_crew(*settings, crew.clone()))),
        Spec::Program(named) => Some(Box::new(ProgramPlayer::new(&named.program))),
    }
}

/// The player's move, however long it takes; `None` if the game is over.
pub fn choose<G: Game>(player: &mut dyn Player<G>, turn: &Turn<G>) -> Option<Move> {
    player.think(turn, Budget::UNLIMITED)
}
