//! Who chooses a move.
//!
//! A [`Player`] thinks in steps, so that a screen stays alive and a person can interrupt it. What it chooses follows from the
//! position, the ply and the game's seed (and for a player with a time limit from the clock), so that taking a move back and
//! playing on gives the same move again. The one exception is `mcts:…:reuse=yes`, whose move follows from its turns before as well.

use mancalab_base::{codec, crew, document, files, plain, rng, step};
use mancalab_games as game;
use mancalab_net as net;
use mancalab_search as search;

mod a3c;
pub mod analysing;
mod guided;
pub mod heuristic;
pub mod hybrid;
mod lists;
pub mod mcts;
mod minimax;
mod network;
pub mod offers;
mod opinion;
pub mod program;
pub mod program_player;
pub mod reviewing;
pub mod samuel;
mod simple;
pub mod spec;
pub mod staged;
pub mod thinking;
mod weight_file;
mod why;

use std::any::Any;
use std::fmt;

use crate::crew::Crew;
use crate::game::checkers::Checkers;
use crate::game::kalah::Kalah;
use crate::game::othello::Othello;
use crate::game::{Course, Game, Move, Past, Planes, Tabletop, Variant, with_position};
use crate::rng::Rng;
use crate::search::Report;
use crate::step::Budget;
pub use a3c::{A3c, A3cPlayer};
pub use analysing::{Analysed, Analysing};
pub use guided::GuidedPlayer;
pub use heuristic::HeuristicPlayer;
pub use hybrid::HybridPlayer;
pub use mcts::MctsPlayer;
pub use minimax::MinimaxPlayer;
pub use opinion::{Opinion, Said};
pub use program_player::{Named, ProgramPlayer};
pub use reviewing::{Reviewed, Reviewing, Valued};
pub use samuel::SamuelPlayer;
pub use simple::{MaxPlayer, RandomPlayer};
pub use spec::Spec;
pub use staged::{Staged, StagedPlayer};
pub use thinking::{Seat, Thinking, Thought};

/// What a player is asked: a move for the side to move in `pos`, which is not over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn<G> {
    pub pos: G,
    /// Moves played before, in the whole game.
    pub ply: u32,
    /// The game's seed: all chance in it follows from it.
    pub seed: u64,
    /// What the rules may look back at.
    pub past: Past<G>,
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
        Turn { pos, ply, seed, past: Past::default() }
    }

    /// The turn that a game has come to.
    pub fn of(course: &Course<G>, seed: u64) -> Turn<G> {
        Turn { pos: *course.pos(), ply: course.plies(), seed, past: course.past().clone() }
    }

    /// The game up to here, to be searched.
    fn course(&self) -> Course<G> {
        Course::after(self.pos, self.past.clone(), self.ply)
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
            Unbuilt::Plays { kind, games } => write!(f, "{kind} plays {} only", document::list(games)),
        }
    }
}

/// The player a spec describes, which thinks on the thread that asks it.
///
/// # Errors
/// It is a human, or does not play this game.
pub fn build<G: Game>(spec: &Spec) -> Result<Box<dyn Player<G>>, Unbuilt> {
    build_with(spec, &Crew::alone())
}

/// The same with a crew at its call, for a player that is not asked by one of them.
///
/// # Errors
/// It is a human, or does not play this game.
pub fn build_with<G: Game>(spec: &Spec, crew: &Crew) -> Result<Box<dyn Player<G>>, Unbuilt> {
    match spec {
        Spec::Human => Err(Unbuilt::Human),
        Spec::Random => Ok(Box::new(RandomPlayer)),
        Spec::Max => Ok(Box::new(MaxPlayer)),
        Spec::Minimax(settings) => Ok(Box::new(MinimaxPlayer::new(settings.clone()))),
        Spec::Heuristic(settings) => of_one::<G, Kalah>("heuristic", HeuristicPlayer::new(settings.clone())),
        Spec::Hybrid(settings) => of_one::<G, Kalah>("heuristic", HybridPlayer::new((**settings).clone())),
        Spec::Mcts(settings) => Ok(Box::new(MctsPlayer::with_crew(*settings, crew.clone()))),
        Spec::Program(named) => of_one::<G, Kalah>("program", ProgramPlayer::new(&named.program)),
        Spec::Samuel(settings) => of_one::<G, Checkers>("samuel", SamuelPlayer::new(settings)),
        Spec::Staged(staged) => of_one::<G, Othello>("staged", StagedPlayer::new(staged.clone())),
        Spec::A3c(a3c) => with_position!(a3c.variant().start(), start => by_network(&start, a3c)),
        Spec::Guided(guided) => with_position!(guided.variant().start(), start => by_search(&start, guided)),
    }
}

/// A player by a network for the game that `start` is of, if that is the game.
fn by_network<G: Game, Of: Tabletop + Planes>(_start: &Of, a3c: &A3c) -> Result<Box<dyn Player<G>>, Unbuilt> {
    of_one::<G, Of>("its network", A3cPlayer::new(a3c.clone()))
}

/// The same for a player that searches by a network.
fn by_search<G: Game, Of: Tabletop + Planes>(_: &Of, guided: &spec::Guided) -> Result<Box<dyn Player<G>>, Unbuilt> {
    of_one::<G, Of>("its network", GuidedPlayer::<Of>::new(guided.clone()))
}

/// A player that plays `Of` only, if that is the game.
fn of_one<G: Game, Of: Tabletop>(
    kind: &'static str,
    player: impl Player<Of> + 'static,
) -> Result<Box<dyn Player<G>>, Unbuilt> {
    let player: Box<dyn Any> = Box::new(Box::new(player) as Box<dyn Player<Of>>);
    let player = player.downcast::<Box<dyn Player<G>>>();
    player.map(|player| *player).map_err(|_| Unbuilt::Plays { kind, games: vec![Of::NAME] })
}

/// Whether who is named plays this game; a human plays any.
///
/// # Errors
/// A sentence that says which games the player knows.
pub fn check_plays(spec: &Spec, variant: &Variant) -> Result<(), String> {
    fn built<G: Game>(_: &G, spec: &Spec) -> Result<(), Unbuilt> {
        build::<G>(spec).map(|_| ())
    }
    match with_position!(variant.start(), pos => built(&pos, spec)) {
        Ok(()) | Err(Unbuilt::Human) => match spec {
            Spec::A3c(a3c) => a3c.check_plays(variant),
            Spec::Guided(guided) => guided.check_plays(variant),
            Spec::Hybrid(hybrid) => hybrid.check_plays(variant),
            _ => Ok(()),
        },
        Err(unbuilt) => Err(format!("'{spec}' does not play {}: {unbuilt}", variant.title())),
    }
}

/// The player's move, however long it takes; `None` if the game is over.
pub fn choose<G: Game>(player: &mut dyn Player<G>, turn: &Turn<G>) -> Option<Move> {
    player.think(turn, Budget::UNLIMITED)
}
