//! Evolution of programs that play Kalah and other games of pits; in [`weights`] the weights of the heuristic player in these
//! games, in [`hybrid`] those of the player that also uses a network's value, in [`network`] those of a network.

mod breeding;
#[cfg(test)]
mod champions_tests;
mod duel;
#[cfg(test)]
mod games_tests;
mod graph;
pub mod hybrid;
mod inspect;
pub mod network;
pub mod problem;
mod replies;
pub mod settings;
mod walks;
pub mod weights;

pub use inspect::valued;
pub use problem::{Fitness, KalahProblem, QUANTITIES};
pub use settings::{FUNCTIONS, Settings};

pub use super::opponent::{Opponent, OpponentKind};

use super::gp::GpRun;
use crate::player::Playable;
use crate::program::kalah::ProgramGame;

/// A game for which programs are bred: programs and their opponents play it.
pub trait BredGame: ProgramGame + Playable {}
impl<G: ProgramGame + Playable> BredGame for G {}

/// A run that breeds Kalah players.
pub type KalahRun = GpRun<KalahProblem>;
