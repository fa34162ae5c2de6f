//! Breeding programs that play Kalah; in [`weights`] tuning those of the heuristic player, and in [`hybrid`] those of the player that
//! weighs a network's value besides.

mod breeding;
mod duel;
mod fitness;
mod graph;
pub mod hybrid;
mod inspect;
pub mod problem;
mod replies;
pub mod settings;
mod valued;
pub mod weights;

pub use fitness::Fitness;
pub use problem::KalahProblem;
pub use settings::Settings;

pub use super::opponent::{Opponent, OpponentKind};

use super::gp::GpRun;
use crate::job::RunJob;

/// A run that breeds Kalah players.
pub type KalahRun = GpRun<KalahProblem>;
/// The job that drives it.
pub type KalahJob = RunJob<KalahRun>;
