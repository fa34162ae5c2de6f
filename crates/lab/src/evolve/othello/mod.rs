//! Evolution of functions that evaluate Othello boards.
//!
//! An individual has one function per stage of the game, or a single one. Each function has its own tree and a second one for
//! the definition that it may call. Its fitness is its result in games against opponents; the source uses the random player.

mod fitness;
mod game;
mod inspect;
pub mod problem;
pub mod settings;
mod stages;
mod trees;

pub use super::opponent::{Opponent, OpponentKind};
pub use fitness::{Fitness, QUANTITIES};
pub use problem::OthelloProblem;
pub use settings::{FUNCTIONS, PRESETS, Seat, Settings};
pub use stages::{BredStages, Shares};

use super::gp::GpRun;

/// A run that breeds functions for Othello.
pub type OthelloRun = GpRun<OthelloProblem>;
#[cfg(test)]
mod tests;
