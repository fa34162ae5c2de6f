//! Who chooses a move.
//!
//! A [`Player`] thinks in steps, so that a screen stays alive and a person can interrupt it. What it chooses follows from the
//! position, the ply and the game's seed (and for a player with a time limit from the clock), so that taking a move back and
//! playing on gives the same move again. The one exception is `mcts:…:reuse=yes`, whose move follows from its turns before as well.

use mancalab_base::{budget, codec, files, pool, rng, sanitize, settings};
use mancalab_games as game;
use mancalab_net as net;
use mancalab_search as search;

mod a3c;
pub mod analysing;
pub mod heuristic;
pub mod hybrid;
mod lists;
pub mod mcts;
mod minimax;
mod network;
mod network_output;
pub mod offers;
pub mod program;
pub mod program_player;
mod puct;
pub mod reviewing;
pub mod samuel;
mod simple;
pub mod spec;
pub mod staged;
mod text;
pub mod thinking;
mod tree_player;
mod weight_file;

use std::any::Any;
use std::fmt;

use crate::budget::Budget;
use crate::game::{BoardGame, Game, GameState, History, Move};
use crate::rng::Rng;
use crate::search::Report;
pub use a3c::{A3c, A3cPlayer};
pub use analysing::{Analysed, Analysing};
pub use heuristic::HeuristicPlayer;
pub use hybrid::HybridPlayer;
pub use minimax::MinimaxPlayer;
pub use network::Trained;
pub use network_output::{NetworkOutput, Said};
pub use program_player::{Named, ProgramPlayer};
pub use reviewing::{Reviewed, Reviewing, Valued};
pub use samuel::SamuelPlayer;
pub use simple::{MaxPlayer, RandomPlayer};
pub use spec::{Spec, build, build_with, check_plays};
pub use staged::{Staged, StagedPlayer};
pub use thinking::{SearchInfo, Seat, Thinking};

/// What a player is asked: a move for the side to move in `pos`, which is not over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn<G> {
    pub pos: G,
    /// Moves played before, in the whole game.
    pub ply: u32,
    /// The game's seed: all chance in it follows from it.
    pub seed: u64,
    /// What the rules may look back at.
    pub history: History<G>,
}

/// What a random choice in a turn is for. The numbers are part of every recorded game.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub enum Purpose {
    Move = 0,
    Tie = 1,
    Analysis = 2,
    /// Which of two stages is in force where they overlap.
    Stage = 3,
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

impl<G: Game> Turn<G> {
    /// A turn in a position with no past.
    pub fn new(pos: G, ply: u32, seed: u64) -> Turn<G> {
        Turn { pos, ply, seed, history: History::default() }
    }

    /// The turn that a game has come to.
    pub fn of(course: &GameState<G>, seed: u64) -> Turn<G> {
        Turn { pos: *course.pos(), ply: course.plies(), seed, history: course.history().clone() }
    }

    /// The game up to here, to be searched.
    fn course(&self) -> GameState<G> {
        GameState::after(self.pos, self.history.clone(), self.ply)
    }

    /// The seed of the turn's choices for `purpose`.
    fn rng(&self, purpose: Purpose) -> Rng {
        keyed(self.seed, self.ply, purpose)
    }
}

/// A game's choices for `purpose` at a ply.
#[inline]
fn keyed(seed: u64, ply: u32, purpose: Purpose) -> Rng {
    rng::keyed(&[seed, ply.into(), purpose as u64])
}

/// Why there is no player for a spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unbuilt {
    /// Its moves come from elsewhere.
    Human,
    /// It plays other games.
    Plays {
        /// What plays them: the player's kind, such as `heuristic`, or its network.
        kind: &'static str,
        /// The names of the games it plays.
        games: Vec<&'static str>,
    },
}

impl fmt::Display for Unbuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unbuilt::Human => f.write_str("human plays at a keyboard only"),
            Unbuilt::Plays { kind, games } => write!(f, "{kind} plays {} only", settings::list(games)),
        }
    }
}

/// A player, or why there is none.
pub type Built<G> = Result<Box<dyn Player<G>>, Unbuilt>;

/// A player that plays `Of` only, if that is the game.
fn of_one<G: Game, Of: BoardGame>(kind: &'static str, player: impl Player<Of> + 'static) -> Built<G> {
    let player: Box<dyn Any> = Box::new(Box::new(player) as Box<dyn Player<Of>>);
    let player = player.downcast::<Box<dyn Player<G>>>();
    player.map(|player| *player).map_err(|_| Unbuilt::Plays { kind, games: vec![Of::NAME] })
}

/// The player's move, however long it takes; `None` if the game is over.
pub fn choose<G: Game>(player: &mut dyn Player<G>, turn: &Turn<G>) -> Option<Move> {
    player.think(turn, Budget::UNLIMITED)
}
