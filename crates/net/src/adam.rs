//! The steps a network learns by: Adam (Kingma and Ba, 2015), and the bound on what a single step may follow.

use super::arithmetic::dot;
use crate::codec::{Decoder, Encoder};
use mancalab_base::Error;

/// How long the moments remember: of the slopes and of their squares, each 0 to below 1.
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

/// The moments of every parameter's slope, and how many steps they are of.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    pub(super) betas: Betas,
    /// Added to the root of the squares, so that nothing is divided by 0.
    pub(super) epsilon: f32,
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
    /// What of the moments is still the zeros they began with: the betas to the power of the steps.
    pub(super) rest: [f64; 2],
}

impl Adam {
    /// For so many parameters, before the first step.
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

    /// Takes up the moments that were [saved](Adam::save).
    ///
    /// # Errors
    /// They are of another number of parameters, or none.
    pub fn restore(&mut self, from: &mut Decoder<'_>) -> Result<(), Error> {
        from.floats_into(&mut self.mean)?;
        from.floats_into(&mut self.square)?;
        self.rest = [from.f64()?, from.f64()?];
        let is_rest = |rest: &f64| (0.0..=1.0).contains(rest);
        if self.square.iter().any(|square| *square < 0.0) || !self.rest.iter().all(is_rest) {
            return Err("the optimiser's moments make no sense".into());
        }
        Ok(())
    }
}

/// Shortens a gradient to the length `most`, if it is longer; gives how long it was.
pub fn clip(gradient: &mut [f32], most: f32) -> f32 {
    let norm = dot(gradient, gradient).sqrt();
    if norm > most {
        let factor = most / norm;
        gradient.iter_mut().for_each(|slope| *slope *= factor);
    }
    norm
}
