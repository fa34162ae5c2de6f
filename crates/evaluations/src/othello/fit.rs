//! Fit of the weights of Othello's patterns to positions with values.
//!
//! It minimizes the squared errors of the values, and adds a penalty for each weight's distance from its prior. The method is conjugate
//! gradients with a diagonal preconditioner. The prior is the result of earlier games; the more of them support a weight, the higher its
//! penalty. All sums are made in a fixed order, so the result follows from the samples alone.

use super::weights::features;
use crate::NEGATIVE;
use crate::fit::{Prior, Sample, StageFit, StageWeights};
use mancalab_games::othello::Othello;

/// The numbers of the positions' weights.
struct Rows {
    features: Vec<u32>,
    /// Where each row ends.
    ends: Vec<u32>,
}

impl Rows {
    fn new(samples: &[Sample<Othello>]) -> Rows {
        let mut rows = Rows { features: Vec::new(), ends: Vec::with_capacity(samples.len()) };
        for (pos, _) in samples {
            features(pos, &mut rows.features);
            rows.ends.push(rows.features.len() as u32);
        }
        rows
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.features[std::mem::replace(&mut start, end as usize)..end as usize])
    }

    /// Sums of each row's weights.
    fn sums(&self, weights: &[f32]) -> Vec<f32> {
        self.iter().map(|row| sum(row, weights)).collect()
    }

    /// Adds to each weight the sum of its rows' values.
    fn transposed(&self, values: &[f32], sums: &mut [f32]) {
        for (row, &value) in self.iter().zip(values) {
            for &at in row {
                sums[number(at)] += signed(at, value);
            }
        }
    }

    /// The number of rows of each weight.
    fn counts(&self, weights: usize) -> Vec<f32> {
        let mut counts = vec![0.0; weights];
        self.features.iter().for_each(|&feature| counts[number(feature)] += 1.0);
        counts
    }
}

/// The number of a feature's weight.
fn number(feature: u32) -> usize {
    (feature & !NEGATIVE) as usize
}

/// The value with the feature's sign, which is in the bit of a float's sign.
fn signed(feature: u32, value: f32) -> f32 {
    f32::from_bits(value.to_bits() ^ feature & NEGATIVE)
}

fn sum(row: &[u32], weights: &[f32]) -> f32 {
    row.iter().map(|&at| signed(at, weights[number(at)])).sum()
}

/// See the [module](self).
pub struct LeastSquares {
    rows: Rows,
    counts: Vec<f32>,
    penalty: Vec<f32>,
    change: Vec<f32>,
    gradient: Vec<f32>,
    direction: Vec<f32>,
    /// Squared length of the preconditioned gradient; 0 once the fit is exact.
    size: f64,
    left: u32,
}

impl LeastSquares {
    /// The gradient, divided by the diagonal of the equations.
    fn conditioned(&self) -> Vec<f32> {
        let diagonal = self.counts.iter().zip(&self.penalty).map(|(count, penalty)| count + penalty);
        self.gradient.iter().zip(diagonal).map(|(gradient, diagonal)| gradient / diagonal).collect()
    }
}

impl StageFit<Othello> for LeastSquares {
    fn new(stage: &StageWeights, samples: &[Sample<Othello>], prior: Prior, iterations: u32) -> LeastSquares {
        let rows = Rows::new(samples);
        let count = stage.weights.len();
        let residuals: Vec<f32> =
            rows.sums(&stage.weights).iter().zip(samples).map(|(value, (_, target))| target - value).collect();
        let mut gradient = vec![0.0; count];
        rows.transposed(&residuals, &mut gradient);
        let penalty = stage.support.iter().map(|support| prior.ridge + prior.memory * support).collect();
        let counts = rows.counts(count);
        let change = vec![0.0; count];
        let direction = Vec::new();
        let mut fit = LeastSquares { rows, counts, penalty, change, gradient, direction, size: 0.0, left: iterations };
        fit.direction = fit.conditioned();
        fit.size = dot(&fit.gradient, &fit.direction);
        fit
    }

    fn step(&mut self) -> bool {
        if self.left == 0 || self.size <= 0.0 {
            return true;
        }
        self.left -= 1;
        let values = self.rows.sums(&self.direction);
        let mut image: Vec<f32> = self.direction.iter().zip(&self.penalty).map(|(d, p)| d * p).collect();
        self.rows.transposed(&values, &mut image);
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

    fn apply(self, stage: &mut StageWeights, prior: Prior) {
        let news = self.change.iter().zip(&self.counts);
        for ((weight, support), (change, count)) in stage.weights.iter_mut().zip(&mut stage.support).zip(news) {
            *weight += change;
            *support = prior.memory * *support + count;
        }
    }

    fn squared_error(weights: &[f32], samples: &[Sample<Othello>]) -> f64 {
        let rows = Rows::new(samples);
        let error = |(row, (_, target)): (&[u32], &Sample<Othello>)| f64::from(target - sum(row, weights)).powi(2);
        rows.iter().zip(samples).map(error).sum()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LearnedEvaluation as _;
    use mancalab_base::rng;
    use mancalab_games::{BoardGame as _, Game};
    use rand::Rng as _;

    /// The position after `count` random moves, or at the end of the game.
    fn opening<G: Game>(start: G, key: &[u64], count: u32) -> G {
        let mut random = rng::keyed(key);
        let play = |pos: G, _| if pos.is_over() { pos } else { pos.play(pos.pick(random.next_u32())) };
        (0..count).fold(start, play)
    }

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
            let pos = opening(Othello::start(Default::default()), &[32, number.into()], 20 + number % 3);
            (pos, (random.next_u32() % 4001) as f32 - 2000.0)
        };
        let samples: Vec<Sample<Othello>> = (0..12).map(&mut sample).collect();
        let mut stage = StageWeights::new(vec![0.0; Othello::weights_per_stage()]);
        for (at, weight) in stage.weights.iter_mut().enumerate() {
            *weight = (at % 7) as f32;
        }
        for (at, support) in stage.support.iter_mut().enumerate() {
            *support = (at % 5) as f32;
        }
        let prior = Prior { ridge: 0.5, memory: 0.8 };
        let before = stage.clone();
        let mut fit = LeastSquares::new(&stage, &samples, prior, 200);
        while !fit.step() {}
        fit.apply(&mut stage, prior);

        let rows = Rows::new(&samples);
        let rows: Vec<&[u32]> = rows.iter().collect();
        let count = |row: &[u32], at: u32| row.iter().filter(|other| **other == at).count() as f64;
        let penalty = |at: u32| 0.5 + 0.8 * f64::from(before.support[at as usize]);
        let residual = |row: &[u32], target: f32| f64::from(target - sum(row, &before.weights));
        let system = rows.iter().zip(&samples).enumerate().map(|(at, (row, (_, target)))| {
            let product = |(other, of): (usize, &&[u32])| {
                let sum: f64 = row.iter().map(|&feature| count(of, feature) / penalty(feature)).sum();
                sum + f64::from(u8::from(other == at))
            };
            rows.iter().enumerate().map(product).chain([residual(row, *target)]).collect()
        });
        let z = solved(system.collect());
        for at in 0..before.weights.len() as u32 {
            let seen: f64 = rows.iter().map(|row| count(row, at)).sum();
            let support = 0.8 * f64::from(before.support[at as usize]) + seen;
            assert!((f64::from(stage.support[at as usize]) - support).abs() < 1e-3, "support of {at}");
            let change: f64 = rows.iter().zip(&z).map(|(row, z)| count(row, at) * z).sum::<f64>() / penalty(at);
            let made = f64::from(stage.weights[at as usize] - before.weights[at as usize]);
            assert!((made - change).abs() < 0.02, "weight {at}: {made} is not {change}");
        }
        let squared_error = |stage: &StageWeights| LeastSquares::squared_error(&stage.weights, &samples);
        assert!(squared_error(&stage) < squared_error(&before) / 4.0);
    }
}
