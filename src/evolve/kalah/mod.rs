//! Breeding programs that play Kalah.

mod fitness;
mod graph;
pub mod problem;
mod replies;
pub mod settings;
pub mod valued;

pub use fitness::Fitness;
pub use problem::KalahProblem;
pub use settings::Settings;

pub use super::opponent::{Opponent, OpponentKind};

use super::gp::{EvolutionView, GpRun};
use crate::job::{RunJob, RunView};

/// A run that breeds Kalah players.
pub type KalahRun = GpRun<KalahProblem>;
/// The job that drives it.
pub type KalahJob = RunJob<KalahRun>;
/// What there is to see of the job.
pub type KalahView = RunView<EvolutionView<KalahProblem>>;
