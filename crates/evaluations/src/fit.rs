//! What the fits of all games share: the positions with values that they learn from, the weights of a stage, and the trait.

/// A position and the value to learn for its mover, in hundredths of the displayed unit; in a game of wins and losses the expected
/// result, 0 to 1.
pub type Sample<G> = (G, f32);

/// The expected result, 0 to 1, of a value whose odds are e to 1 at `odds`.
pub fn expected(value: f32, odds: f32) -> f32 {
    (1.0 / (1.0 + (-f64::from(value) / f64::from(odds)).exp())) as f32
}

/// The weights of a stage as they are learned, in hundredths of the displayed unit.
#[derive(Clone, PartialEq, Debug)]
pub struct StageWeights {
    pub weights: Vec<f32>,
    /// Number of samples that support each weight, older ones discounted.
    pub support: Vec<f32>,
}

impl StageWeights {
    pub fn new(weights: Vec<f32>) -> StageWeights {
        let support = vec![0.0; weights.len()];
        StageWeights { weights, support }
    }
}

/// Strength of the priors.
#[derive(Clone, Copy, Debug)]
pub struct Prior {
    /// Samples that support every weight's former value.
    pub ridge: f32,
    /// Weight of the support by earlier samples, 0 to 1.
    pub memory: f32,
}

/// A fit of the weights of a stage, in progress.
pub trait StageFit<G>: Send + Sized {
    /// Begins a fit of `stage` to the samples, with this number of iterations.
    fn new(stage: &StageWeights, samples: &[Sample<G>], prior: Prior, iterations: u32) -> Self;

    /// Makes an iteration or a part of one; returns whether it was the last.
    fn step(&mut self) -> bool;

    /// Changes the weights, and adds the samples to their support.
    fn apply(self, stage: &mut StageWeights, prior: Prior);

    /// Returns the sum of the squared errors of the learned values.
    fn squared_error(weights: &[f32], samples: &[Sample<G>]) -> f64;
}
