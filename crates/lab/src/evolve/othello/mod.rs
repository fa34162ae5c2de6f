//! Breeding functions that value boards of Othello.
//!
//! An individual is a function for each stage of the game, or a single one, each with a tree of its own and one more for what it may
//! call. What it is worth is what it achieves in games against opponents, of which the random player is the source's.

mod case;
mod fitness;
mod game;
mod inspect;
mod presets;
pub mod problem;
mod scheduler;
pub mod settings;
mod stages;
mod trees;
mod valued;

pub use super::opponent::{Opponent, OpponentKind};
pub use fitness::Fitness;
pub use presets::PRESETS;
pub use problem::OthelloProblem;
pub use settings::{Seat, Settings};
pub use stages::{Shares, Training};

use super::gp::GpRun;
use crate::job::RunJob;

/// A run that breeds functions that value boards of Othello.
pub type OthelloRun = GpRun<OthelloProblem>;
/// The job that drives it.
pub type OthelloJob = RunJob<OthelloRun>;
#[cfg(test)]
mod tests;
