//! Least squares fit of the weights of one stage.
//!
//! Minimizes the squared errors of the values, plus a penalty for each weight's distance from its prior, by conjugate
//! gradients with a diagonal preconditioner. The prior is the result of earlier games; the more of them support a weight, the
//! higher its penalty. All sums are made in a fixed order, so the result follows from the samples alone.

use super::games::Sample;
use crate::game::othello::patterns::{PLACES, features};

/// Weights of a position.
pub const FEATURES: usize = PLACES + 3;

/// The numbers of a position's weights.
type Features = [u32; FEATURES];

/// The weights of a stage as they are learned, in hundredths of a disc.
#[derive(Clone, PartialEq, Debug)]
pub struct Learning {
    pub weights: Vec<f32>,
    /// Number of samples that support each weight, older ones discounted.
    pub support: Vec<f32>,
}

impl Learning {
    pub fn new(count: usize) -> Learning {
        Learning { weights: vec![0.0; count], support: vec![0.0; count] }
    }

    /// Value of a position.
    fn value(&self, features: &Features) -> f32 {
        features.iter().map(|&at| self.weights[at as usize]).sum()
    }

    /// Sum of the squared errors.
    pub fn squared_error(&self, samples: &[Sample]) -> f64 {
        samples.iter().map(|(pos, target)| f64::from(target - self.value(&features(pos))).powi(2)).sum()
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

/// A fit in progress: the change of the weights by conjugate gradients.
pub struct Fit {
    rows: Vec<Features>,
    counts: Vec<f32>,
    penalty: Vec<f32>,
    change: Vec<f32>,
    gradient: Vec<f32>,
    direction: Vec<f32>,
    /// Squared length of the preconditioned gradient; 0 once the fit is exact.
    size: f64,
    left: u32,
}

impl Fit {
    /// Begins a fit of `learning` to the samples, with this number of iterations.
    pub fn new(learning: &Learning, samples: &[Sample], prior: Prior, iterations: u32) -> Fit {
        let rows: Vec<Features> = samples.iter().map(|(pos, _)| features(pos)).collect();
        let mut counts = vec![0.0_f32; learning.weights.len()];
        for &at in rows.iter().flatten() {
            counts[at as usize] += 1.0;
        }
        let penalty = learning.support.iter().map(|support| prior.ridge + prior.memory * support).collect();
        let residuals: Vec<f32> =
            rows.iter().zip(samples).map(|(row, (_, target))| target - learning.value(row)).collect();
        let mut gradient = vec![0.0; counts.len()];
        transposed(&rows, &residuals, &mut gradient);
        let change = vec![0.0; counts.len()];
        let mut fit =
            Fit { rows, counts, penalty, change, gradient, direction: Vec::new(), size: 0.0, left: iterations };
        fit.direction = fit.conditioned();
        fit.size = dot(&fit.gradient, &fit.direction);
        fit
    }

    /// The gradient, divided by the diagonal of the equations.
    fn conditioned(&self) -> Vec<f32> {
        let diagonal = self.counts.iter().zip(&self.penalty).map(|(count, penalty)| count + penalty);
        self.gradient.iter().zip(diagonal).map(|(gradient, diagonal)| gradient / diagonal).collect()
    }

    /// Makes one iteration; returns whether it was the last.
    pub fn step(&mut self) -> bool {
        if self.left == 0 || self.size <= 0.0 {
            return true;
        }
        self.left -= 1;
        let value = |row: &Features| row.iter().map(|&at| self.direction[at as usize]).sum();
        let values: Vec<f32> = self.rows.iter().map(value).collect();
        let mut image: Vec<f32> = self.direction.iter().zip(&self.penalty).map(|(d, p)| d * p).collect();
        transposed(&self.rows, &values, &mut image);
        let step = (self.size / dot(&self.direction, &image)) as f32;
        self.change.iter_mut().zip(&self.direction).for_each(|(change, direction)| *change += step * direction);
        self.gradient.iter_mut().zip(&image).for_each(|(gradient, image)| *gradient -= step * image);
        let scaled = self.conditioned();
        let size = dot(&self.gradient, &scaled);
        let momentum = (size / self.size) as f32;
        for (direction, scaled) in self.direction.iter_mut().zip(&scaled) {
            *direction = scaled + momentum * *direction;
        }
        self.size = size;
        self.left == 0
    }

    /// Changes the weights, and adds the samples to their support.
    pub fn apply(self, learning: &mut Learning, memory: f32) {
        let news = self.change.iter().zip(&self.counts);
        for ((weight, support), (change, count)) in learning.weights.iter_mut().zip(&mut learning.support).zip(news) {
            *weight += change;
            *support = memory * *support + count;
        }
    }
}

/// Adds to each weight the sum of its rows' values.
fn transposed(rows: &[Features], values: &[f32], sums: &mut [f32]) {
    for (row, &value) in rows.iter().zip(values) {
        for &at in row {
            sums[at as usize] += value;
        }
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::games::opening;
    use super::*;
    use crate::game::othello::patterns::weights_per_stage;
    use crate::rng;
    use rand::Rng as _;

    /// Solves linear equations by Gaussian elimination.
    fn solved(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
        let count = rows.len();
        for at in 0..count {
            let most = (at..count).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs())).unwrap();
            rows.swap(at, most);
            let pivot = rows[at].clone();
            for (other, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != at) {
                let factor = row[at] / pivot[at];
                assert!(factor.is_finite(), "row {other}");
                row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
        (0..count).map(|at| rows[at][count] / rows[at][at]).collect()
    }

    /// The change of the weights is P⁻¹Aᵀz with (AP⁻¹Aᵀ + 1) z = r, for the features A, the penalties P and the residuals r: a
    /// system with an unknown per sample instead of one per weight.
    #[test]
    fn conjugate_gradients_reach_the_exact_solution() {
        let mut random = rng::keyed(&[31]);
        let mut sample = |number: u32| {
            let pos = opening(&mut rng::keyed(&[32, number.into()]), 20 + number % 3);
            (pos, (random.next_u32() % 4001) as f32 - 2000.0)
        };
        let samples: Vec<Sample> = (0..12).map(&mut sample).collect();
        let mut learning = Learning::new(weights_per_stage());
        for (at, weight) in learning.weights.iter_mut().enumerate() {
            *weight = (at % 7) as f32;
        }
        for (at, support) in learning.support.iter_mut().enumerate() {
            *support = (at % 5) as f32;
        }
        let (prior, before) = (Prior { ridge: 0.5, memory: 0.8 }, learning.clone());
        let mut fit = Fit::new(&learning, &samples, prior, 200);
        while !fit.step() {}
        fit.apply(&mut learning, prior.memory);

        let rows: Vec<Features> = samples.iter().map(|(pos, _)| features(pos)).collect();
        let count = |row: &Features, at: u32| row.iter().filter(|other| **other == at).count() as f64;
        let penalty = |at: u32| 0.5 + 0.8 * f64::from(before.support[at as usize]);
        let residual = |row: &Features, target: f32| f64::from(target - before.value(row));
        let system = rows.iter().zip(&samples).enumerate().map(|(at, (row, (_, target)))| {
            let product = |(other, of): (usize, &Features)| {
                let sum: f64 = row.iter().map(|&feature| count(of, feature) / penalty(feature)).sum();
                sum + f64::from(u8::from(other == at))
            };
            rows.iter().enumerate().map(product).chain([residual(row, *target)]).collect()
        });
        let z = solved(system.collect());
        for at in 0..before.weights.len() as u32 {
            let seen: f64 = rows.iter().map(|row| count(row, at)).sum();
            let support = 0.8 * f64::from(before.support[at as usize]) + seen;
            assert!((f64::from(learning.support[at as usize]) - support).abs() < 1e-3, "support of {at}");
            let change: f64 = rows.iter().zip(&z).map(|(row, z)| count(row, at) * z).sum::<f64>() / penalty(at);
            let made = f64::from(learning.weights[at as usize] - before.weights[at as usize]);
            assert!((made - change).abs() < 0.02, "weight {at}: {made} is not {change}");
        }
        assert!(learning.squared_error(&samples) < before.squared_error(&samples) / 4.0);
    }
}
