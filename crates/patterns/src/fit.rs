//! Fit of the weights of one stage to positions with values.
//!
//! Where margins are learned, it minimizes the squared errors of the values; where wins and losses are learned, the cross-entropy
//! of the expected results, by a few rounds of least squares. To these it adds a penalty for each weight's distance
//! from its prior. The method is conjugate gradients with a diagonal preconditioner. The prior is the result of earlier games; the more of them support a weight, the
//! higher its penalty. All sums are made in a fixed order, so the result follows from the samples alone.

use crate::{NEGATIVE, PatternEvaluation};

/// A position and the value to learn for its mover, in hundredths of the displayed unit; in a game of wins and losses the expected
/// result, 0 to 1.
pub type Sample<G> = (G, f32);

/// The expected result, 0 to 1, of a value whose odds are e to 1 at `odds`.
pub fn expected(value: f32, odds: f32) -> f32 {
    (1.0 / (1.0 + (-f64::from(value) / f64::from(odds)).exp())) as f32
}

/// The numbers of the positions' weights.
struct Rows {
    features: Vec<u32>,
    /// Where each row ends.
    ends: Vec<u32>,
}

impl Rows {
    fn new<G: PatternEvaluation>(samples: &[Sample<G>]) -> Rows {
        let mut rows = Rows { features: Vec::new(), ends: Vec::with_capacity(samples.len()) };
        for (pos, _) in samples {
            pos.features(&mut rows.features);
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

    /// Adds to each weight the sum of its rows' importance.
    fn counted(&self, importance: &[f32], sums: &mut [f32]) {
        for (row, &importance) in self.iter().zip(importance) {
            row.iter().for_each(|&at| sums[number(at)] += importance);
        }
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

/// The weights of a stage as they are learned, in hundredths of the displayed unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Learning {
    pub weights: Vec<f32>,
    /// Number of samples that support each weight, older ones discounted.
    pub support: Vec<f32>,
}

impl Learning {
    pub fn new(weights: Vec<f32>) -> Learning {
        let support = vec![0.0; weights.len()];
        Learning { weights, support }
    }

    /// Sum of the squared errors of the learned values.
    pub fn squared_error<G: PatternEvaluation>(&self, samples: &[Sample<G>]) -> f64 {
        let mut features = Vec::new();
        let error = |(pos, target): &Sample<G>| {
            features.clear();
            pos.features(&mut features);
            let value = sum(&features, &self.weights);
            f64::from(target - G::ODDS.map_or(value, |odds| expected(value, odds))).powi(2)
        };
        samples.iter().map(error).sum()
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

/// Rounds of least squares in a fit to expected results.
const ROUNDS: u32 = 5;

/// Greatest slope of the expected result, whose own scale is 1. With it in place of each row's slope a round never increases the
/// cross-entropy (D. Böhning and B. Lindsay, "Monotonicity of Quadratic-Approximation Algorithms", 1988); the true slopes
/// are near 0 far from the target, so steps by them overshoot.
const SLOPE: f32 = 0.25;

/// A fit in progress: the change of the weights by conjugate gradients.
pub struct Fit {
    rows: Rows,
    /// Values of the positions before the fit, and those to learn.
    values: Vec<f32>,
    targets: Vec<f32>,
    odds: Option<f32>,
    /// By row, its weight in the least squares.
    importance: Vec<f32>,
    counts: Vec<f32>,
    penalty: Vec<f32>,
    change: Vec<f32>,
    gradient: Vec<f32>,
    direction: Vec<f32>,
    /// Squared length of the preconditioned gradient; 0 once the fit is exact.
    size: f64,
    left: u32,
    /// Iterations of a round.
    every: u32,
}

impl Fit {
    /// Begins a fit of `learning` to the samples, with this number of iterations.
    pub fn new<G: PatternEvaluation>(learning: &Learning, samples: &[Sample<G>], prior: Prior, iterations: u32) -> Fit {
        let targets = samples.iter().map(|(_, target)| *target).collect();
        Fit::of_rows(learning, Rows::new(samples), targets, G::ODDS, prior, iterations)
    }

    fn of_rows(
        learning: &Learning,
        rows: Rows,
        targets: Vec<f32>,
        odds: Option<f32>,
        prior: Prior,
        iterations: u32,
    ) -> Fit {
        let values = rows.sums(&learning.weights);
        let penalty = learning.support.iter().map(|support| prior.ridge + prior.memory * support).collect();
        let change = vec![0.0; learning.weights.len()];
        let every = if odds.is_some() { iterations.div_ceil(ROUNDS) } else { iterations };
        let mut fit = Fit {
            rows,
            values,
            targets,
            odds,
            importance: Vec::new(),
            counts: Vec::new(),
            penalty,
            change,
            gradient: Vec::new(),
            direction: Vec::new(),
            size: 0.0,
            left: iterations,
            every,
        };
        fit.begin();
        fit
    }

    /// Begins the least squares from the change so far.
    fn begin(&mut self) {
        let count = self.change.len();
        let changes = self.rows.sums(&self.change);
        let points = self.values.iter().zip(&changes).zip(&self.targets);
        let row = |((value, change), target): ((&f32, &f32), &f32)| match self.odds {
            None => (target - (value + change), 1.0),
            Some(odds) => (odds * (target - expected(value + change, odds)), SLOPE),
        };
        let (residuals, importance): (Vec<f32>, Vec<f32>) = points.map(row).unzip();
        (self.counts, self.gradient) = (vec![0.0; count], vec![0.0; count]);
        self.rows.counted(&importance, &mut self.counts);
        self.rows.transposed(&residuals, &mut self.gradient);
        for ((gradient, change), penalty) in self.gradient.iter_mut().zip(&self.change).zip(&self.penalty) {
            *gradient -= change * penalty;
        }
        self.importance = importance;
        self.direction = self.conditioned();
        self.size = dot(&self.gradient, &self.direction);
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
        let mut values = self.rows.sums(&self.direction);
        values.iter_mut().zip(&self.importance).for_each(|(value, importance)| *value *= importance);
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
        if self.left > 0 && self.left.is_multiple_of(self.every) {
            self.begin();
        }
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

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancalab_base::rng;
    use mancalab_games::checkers::Checkers;
    use mancalab_games::othello::Othello;
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
        let mut learning = Learning::new(vec![0.0; Othello::weights_per_stage()]);
        for (at, weight) in learning.weights.iter_mut().enumerate() {
            *weight = (at % 7) as f32;
        }
        for (at, support) in learning.support.iter_mut().enumerate() {
            *support = (at % 5) as f32;
        }
        let prior = Prior { ridge: 0.5, memory: 0.8 };
        let before = learning.clone();
        let mut fit = Fit::new(&learning, &samples, prior, 200);
        while !fit.step() {}
        fit.apply(&mut learning, prior.memory);

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
            assert!((f64::from(learning.support[at as usize]) - support).abs() < 1e-3, "support of {at}");
            let change: f64 = rows.iter().zip(&z).map(|(row, z)| count(row, at) * z).sum::<f64>() / penalty(at);
            let made = f64::from(learning.weights[at as usize] - before.weights[at as usize]);
            assert!((made - change).abs() < 0.02, "weight {at}: {made} is not {change}");
        }
        assert!(learning.squared_error(&samples) < before.squared_error(&samples) / 4.0);
    }

    /// At the minimum the gradient of the cross-entropy equals that of the penalty.
    #[test]
    fn a_fit_to_results_ends_where_the_gradient_nearly_vanishes() {
        let mut random = rng::keyed(&[33]);
        let samples: Vec<Sample<Checkers>> = (0..60)
            .map(|number| {
                let pos = opening(Checkers::start(Default::default()), &[34, number], 4);
                (pos, (random.next_u32() % 3) as f32 / 2.0)
            })
            .filter(|(pos, _)| !pos.is_over() && pos.stage() == 0)
            .collect();
        assert!(samples.len() > 20);
        let learning = Learning::new(Checkers::initial());
        let prior = Prior { ridge: 2.0, memory: 0.5 };
        let mut after = learning.clone();
        let mut fit = Fit::new(&learning, &samples, prior, 400);
        while !fit.step() {}
        fit.apply(&mut after, prior.memory);
        let rows = Rows::new(&samples);
        let odds = Checkers::ODDS.unwrap();
        let gradient = |weights: &[f32]| {
            let residual =
                |(row, (_, target)): (&[u32], &Sample<Checkers>)| odds * (target - expected(sum(row, weights), odds));
            let residuals: Vec<f32> = rows.iter().zip(&samples).map(residual).collect();
            let mut gradient = vec![0.0_f32; weights.len()];
            rows.transposed(&residuals, &mut gradient);
            for (at, gradient) in gradient.iter_mut().enumerate() {
                *gradient -= prior.ridge * (weights[at] - learning.weights[at]);
            }
            dot(&gradient, &gradient).sqrt()
        };
        let before = gradient(&learning.weights);
        let left = gradient(&after.weights);
        assert!(left < before / 50.0, "{left} of {before}");
        assert!(after.squared_error(&samples) < learning.squared_error(&samples));
    }
}
