//! Programs that play Kalah.

mod graph;
pub mod language;
pub mod problem;
pub mod reached;
mod replies;
pub mod settings;

pub use language::{Bowls, Explanation, KalahLanguage, Program, Reading};
pub use problem::KalahProblem;
pub use settings::{Fitness, Opponent, Settings};

use super::gp::{EvolutionView, GpRun, Grammar};
use crate::job::{RunJob, RunView};
use crate::rng::keyed;

/// A run that breeds Kalah players.
pub type KalahRun = GpRun<KalahProblem>;
/// The job that drives it.
pub type KalahJob = RunJob<KalahRun>;
/// What there is to see of the job.
pub type KalahView = RunView<EvolutionView<KalahProblem>>;

/// Random program `number` of a seed: grown as the source's first generation is, at most 16 deep.
pub fn random_program(seed: u64, number: u64) -> Program {
    const RANDOM_PROGRAM: u64 = 2;
    Grammar::whole().program(16, &mut keyed(&[seed, number, RANDOM_PROGRAM]))
}
