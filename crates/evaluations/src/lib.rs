#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! The value of a position in [`othello`] is a sum of weights, one for each of its features: the content of a place on the board, or a
//! count. In [`checkers`] it is that of a small neural network. The weights differ by stage of the game. Each game has its own [`StageFit`],
//! which learns the weights of a stage from positions with values; files, searches and runs that learn are the same for both. [`model`]
//! stores the weights of all stages during learning.
//!
//! [`othello`] also orders moves for exact searches, by shallow searches with the weights, and solves the last squares.

pub mod checkers;
pub mod file;
pub mod fit;
pub mod model;
pub mod othello;

use fit::StageFit;
use mancalab_games::BoardGame;
use std::sync::Arc;

/// The weights of one stage, in hundredths of the displayed unit.
pub type Stage = Vec<i16>;

/// The sign of a feature whose weight is subtracted.
pub const NEGATIVE: u32 = 1 << 31;

/// A game with a learned evaluation.
pub trait LearnedEvaluation: BoardGame {
    /// What is learned, a plural.
    const LEARNED: &'static str;

    /// Number of stages of the game.
    const STAGES: usize;

    /// The value at which the odds of winning are e to 1, in a game that is learned from wins and losses; `None` in a game
    /// whose margins are learned.
    const ODDS: Option<f32>;

    /// Weights as a search reads them.
    type Weights: Send + Sync + 'static;

    /// How the weights of a stage are learned.
    type Fit: StageFit<Self>;

    /// Number of weights of a stage.
    fn weights_per_stage() -> usize;

    /// The stage of a position.
    fn stage(&self) -> usize;

    /// Moves made or pieces taken: what the errors of shallow searches depend on besides the depths.
    fn progress(&self) -> u32;

    /// The weights of a stage before anything is learned.
    fn initial() -> Vec<f32>;

    /// The learned weights of a stage as they are stored and as searches use them.
    fn stored(weights: &[f32]) -> Stage;

    /// Prepares weights for searches.
    fn weights(learned: &LearnedWeights) -> Self::Weights;

    /// Returns the weights that come with the program. The first call takes some 20 ms: not for a thread that draws.
    fn shipped() -> Arc<Self::Weights>;
}

/// Weights as they are learned and stored.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnedWeights {
    pub stages: Vec<Stage>,
    pub errors: Errors,
}

impl LearnedWeights {
    /// Weights that value every position as 0.
    pub fn zero<G: LearnedEvaluation>() -> LearnedWeights {
        LearnedWeights { stages: vec![vec![0; G::weights_per_stage()]; G::STAGES], errors: Errors::default() }
    }

    /// Reads the weights that come with the program; zero if they are not readable, which tests exclude.
    pub(crate) fn of_program<G: LearnedEvaluation>(bytes: &[u8]) -> Arc<G::Weights> {
        let learned = file::read::<G>(bytes).map_or_else(|_| LearnedWeights::zero::<G>(), |(learned, _)| learned);
        Arc::new(G::weights(&learned))
    }
}

/// How far a deep search's value lies from a shallow one's: the standard deviation in hundredths, as the exponential of a
/// linear function of the deep depth, the shallow depth and the [progress](LearnedEvaluation::progress) of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Errors(pub [f32; 4]);

/// So large that no search is left out.
impl Default for Errors {
    fn default() -> Errors {
        Errors([12.0, 0.0, 0.0, 0.0])
    }
}

impl Errors {
    /// The standard deviation for a search to `deep` plies predicted by one to `shallow`.
    pub fn deviation(&self, deep: u32, shallow: u32, progress: u32) -> f32 {
        let [base, by_deep, by_shallow, by_progress] = self.0;
        // Searches are cut by it, and the C library's exp differs between machines.
        libm::expf(base + by_deep * deep as f32 + by_shallow * shallow as f32 + by_progress * progress as f32)
    }
}
