#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A [`Player`] thinks in bounded steps, so that the screen stays responsive and a person can interrupt it. Its move follows from
//! the position, the ply and the game's seed (with a time limit also from the clock), so taking a move back and playing on gives
//! the same move again. The one exception is `mcts:…:reuse=yes`, whose move also depends on its earlier turns.

use mancalab_base::{budget, codec, files, pool, rng, sanitize, settings, sort, threads};
use mancalab_games as game;
use mancalab_net as net;
use mancalab_search as search;
use mancalab_tables as tables;

mod a3c;
pub mod analysis;
pub mod chances;
mod clock;
pub mod external;
pub mod heuristic;
pub mod hybrid;
mod kind;
pub mod line_extension;
mod lists;
pub mod mcts;
mod minimax;
pub mod move_job;
mod network;
pub mod offers;
mod perfect;
pub mod program;
pub mod program_player;
mod puct;
pub mod review;
pub mod samuel;
mod selective;
mod simple;
pub mod spec;
pub mod staged;
mod text;
#[cfg(test)]
mod threads_tests;
mod weight_file;

use std::any::{Any, TypeId};
use std::fmt;
use std::time::Duration;

use mancalab_base::Error;

use crate::budget::Budget;
use crate::game::{BoardGame, Ending, Game, GameState, History, Move, referee};
pub use crate::network::{NetworkOutput, Said};
use crate::rng::Rng;
use crate::search::Report;
pub use crate::simple::MaxPlayer;
pub use a3c::{A3c, A3cPlayer};
pub use analysis::{AnalysisJob, AnalysisView};
pub use clock::Clock;
pub use external::External;
pub use heuristic::HeuristicPlayer;
pub use hybrid::HybridPlayer;
pub use minimax::MinimaxPlayer;
pub use move_job::{MoveJob, SearchInfo, Seat};
pub use network::GameNetwork;
pub use perfect::is_solvable;
pub use program_player::{NamedProgram, ProgramPlayer};
pub use review::{PositionValue, ReviewJob, ReviewView};
pub use samuel::SamuelPlayer;
pub use simple::RandomPlayer;
pub use spec::{Playable, Spec, build, build_with, check_plays};
pub use staged::{StagedPlayer, StagedSettings};

/// The turn to think about: the position `pos`, which is not over, and its place in the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn<G> {
    pub pos: G,
    /// Moves played before, counted over the whole game.
    pub ply: u32,
    /// The game's seed, the source of all its random choices.
    pub seed: u64,
    /// The earlier positions that history-dependent rules need.
    pub history: History<G>,
    /// What ends the turn from outside, besides the player's own limits.
    pub end: TurnEnd,
    /// Distinguishes turns in one position that end from outside; 0 for a turn that the player ends.
    pub number: u64,
}

/// What ends a turn from outside, so that a player can plan its time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TurnEnd {
    /// Nothing: the player ends it.
    #[default]
    Player,
    /// The player's move is taken after this time at the latest.
    Time(Duration),
    /// The player's move is taken after about so many positions of its search.
    Positions(u64),
    /// The player's move is taken at any time.
    Anytime,
}

/// The purpose of a random choice in a turn. The numbers are part of every recorded game.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub enum Purpose {
    Move = 0,
    Tie = 1,
    Analysis = 2,
    /// Which of two overlapping stages is in force.
    Stage = 3,
}

pub trait Player<G: Game>: Send {
    /// Returns the move to play, or `None` if the budget is spent first: call again with the same turn to continue.
    /// With an unlimited budget it returns a move unless the game is over or the player has [failed](Player::failure).
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move>;

    /// Returns the search's result so far, from a player that searches.
    fn report(&self) -> Option<Report> {
        None
    }

    /// Returns the best move so far of a turn whose move is not chosen yet; `None` if the player knows none.
    fn best_so_far(&self) -> Option<Move> {
        self.report()?.best()
    }

    /// Returns why the player cannot move in the last turn; thinking again is useless then.
    fn failure(&self) -> Option<Error> {
        None
    }

    /// Returns the processor time of another process that thinks for the player, since the last call; `None` if none does.
    fn work_time(&mut self) -> Option<Duration> {
        None
    }

    /// Lets the player's limits of time be limits of processor time from now on, where the system shows it.
    fn count_work(&mut self) {}

    /// Called at the end of a game: frees large buffers, since hundreds of players may be idle at once. Later moves do not change.
    fn rest(&mut self) {}
}

impl<G: Game> Turn<G> {
    /// A turn in a position without history.
    pub fn new(pos: G, ply: u32, seed: u64) -> Turn<G> {
        Turn { pos, ply, seed, history: History::default(), end: TurnEnd::Player, number: 0 }
    }

    /// The current turn of a game.
    pub fn current(game_state: &GameState<G>, seed: u64) -> Turn<G> {
        let history = game_state.history().clone();
        Turn { pos: *game_state.pos(), ply: game_state.plies(), seed, history, end: TurnEnd::Player, number: 0 }
    }

    /// Plays a legal move: the turn becomes the next one of the game.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.history.push(&self.pos, mv);
        self.pos = self.pos.play(mv);
        self.ply += 1;
    }

    /// The game's ending; `None` while it continues.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        referee::ending(&self.pos, &self.history, self.ply)
    }

    /// Returns the game up to here.
    pub fn into_game_state(self) -> GameState<G> {
        GameState::after(self.pos, self.history, self.ply)
    }

    /// Returns the game up to here, for a search.
    fn game_state(&self) -> GameState<G> {
        GameState::after(self.pos, self.history.clone(), self.ply)
    }

    /// Returns the generator of the turn's random choices for `purpose`.
    fn rng(&self, purpose: Purpose) -> Rng {
        keyed(self.seed, self.ply, purpose)
    }
}

/// Returns the generator of a game's random choices for `purpose` at a ply.
#[inline]
fn keyed(seed: u64, ply: u32, purpose: Purpose) -> Rng {
    rng::keyed(&[seed, ply.into(), purpose as u64])
}

/// The reason why a spec has no player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unbuilt {
    /// Its moves come from the keyboard.
    Human,
    /// It plays other games.
    Plays {
        /// The player's kind, such as `heuristic`, or its network.
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

/// A player, or the reason why there is none.
pub type Built<G> = Result<Box<dyn Player<G>>, Unbuilt>;

/// Returns a player of the game `Of`, if `G` is that game.
fn of_one<G: Game, Of: BoardGame, P: Player<Of> + 'static>(kind: &'static str, player: impl FnOnce() -> P) -> Built<G> {
    // Known when compiling: a game's players are compiled with that game only.
    if TypeId::of::<G>() != TypeId::of::<Of>() {
        return Err(Unbuilt::Plays { kind, games: vec![Of::NAME] });
    }
    Ok(same_game(Box::new(Box::new(player()) as Box<dyn Player<Of>>)))
}

/// Gives a player of `G` its type again.
fn same_game<G: Game>(player: Box<dyn Any>) -> Box<dyn Player<G>> {
    *player.downcast::<Box<dyn Player<G>>>().expect("a player of this game")
}

/// Returns the player's move without a time limit; `None` if the game is over.
pub fn choose<G: Game>(player: &mut dyn Player<G>, turn: &Turn<G>) -> Option<Move> {
    player.think(turn, Budget::UNLIMITED)
}
