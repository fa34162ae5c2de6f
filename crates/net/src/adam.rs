//! The Adam optimiser (Kingma and Ba, 2015), and gradient clipping.

use super::arithmetic::dot;
use crate::codec::{Decoder, Encoder};
use mancalab_base::Error;

/// Decay rates of the moments (mean and mean square of the gradient), each from 0 to below 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Betas {
    pub mean: f32,
    pub square: f32,
}

impl Default for Betas {
    fn default() -> Betas {
        Betas { mean: 0.9, square: 0.999 }
    }
}

/// First and second moments of each parameter's gradient.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    pub(super) betas: Betas,
    /// Added to the denominator, to avoid division by 0.
    pub(super) epsilon: f32,
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
    /// Bias of the moments toward their initial zeros: the betas to the power of the number of steps.
    pub(super) rest: [f64; 2],
}

impl Adam {
    /// Creates the optimiser for `parameters` numbers, before the first step.
    pub fn new(parameters: usize, betas: Betas, epsilon: f32) -> Adam {
        Adam { betas, epsilon, mean: vec![0.0; parameters], square: vec![0.0; parameters], rest: [1.0; 2] }
    }

    /// Moves the parameters against `gradient`, by about `rate` each.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        let Betas { mean: b1, square: b2 } = self.betas;
        self.rest[0] *= f64::from(b1);
        self.rest[1] *= f64::from(b2);
        let [whole_mean, whole_square] = self.rest.map(|rest| (1.0 / (1.0 - rest)) as f32);
        let epsilon = self.epsilon;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((parameter, &slope), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *mean = b1 * *mean + (1.0 - b1) * slope;
            *square = b2 * *square + (1.0 - b2) * slope * slope;
            *parameter -= rate * (*mean * whole_mean) / ((*square * whole_square).sqrt() + epsilon);
        }
    }

    pub fn save(&self, out: &mut Encoder) {
        out.floats(&self.mean);
        out.floats(&self.square);
        self.rest.into_iter().for_each(|rest| out.f64(rest));
    }

    /// Restores [saved](Adam::save) moments.
    ///
    /// # Errors
    /// They have another number of parameters, or are invalid.
    pub fn restore(&mut self, from: &mut Decoder<'_>) -> Result<(), Error> {
        from.floats_into(&mut self.mean)?;
        from.floats_into(&mut self.square)?;
        self.rest = [from.f64()?, from.f64()?];
        let is_rest = |rest: &f64| (0.0..=1.0).contains(rest);
        if self.square.iter().any(|square| *square < 0.0) || !self.rest.iter().all(is_rest) {
            return Err("the optimiser's moments are invalid".into());
        }
        Ok(())
    }
}

/// Scales a gradient down to the norm `most`, if it is longer. Returns its norm before.
pub fn clip(gradient: &mut [f32], most: f32) -> f32 {
    let norm = dot(gradient, gradient).sqrt();
    if norm > most {
        let factor = most / norm;
        gradient.iter_mut().for_each(|slope| *slope *= factor);
    }
    norm
}
