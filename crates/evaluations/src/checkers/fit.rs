//! Fit of a network to positions with expected results, by gradient descent.
//!
//! It minimizes the cross-entropy of the expected results over batches of positions in random order, with the step of each weight by the
//! moments of its gradient (D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015). Steps get shorter from the beginning
//! to the end, by a half wave of the cosine. All sums are made in a fixed order, so the result follows from the samples alone.

use super::{BIAS, BIASES, DIRECT, DIRECT_LIMIT, HIDDEN, Inputs, LIMIT, OUTPUT, OUTPUT_LIMIT, Sets, WEIGHTS, sets};
use crate::fit::{Prior, Sample, StageFit, StageWeights};
use mancalab_base::rng::{self, Rng};
use mancalab_games::checkers::Checkers;
use rand::seq::SliceRandom as _;

/// Samples of a batch, whose mean gradient makes a step.
const BATCH: usize = 256;

/// Batches of one call of [`step`](StageFit::step), some 20 ms.
const BATCHES: usize = 32;

/// The greatest step of a weight.
const STEP: f32 = 0.002;

/// Weights of the moments' former values, and what keeps their ratio finite.
const FIRST_MOMENT: f32 = 0.9;
const SECOND_MOMENT: f32 = 0.999;
const SMALL: f32 = 1e-8;

/// A fit in progress.
pub struct Descent {
    samples: Vec<(Sets, f32)>,
    random: Rng,
    /// The number of the next sample of this pass over all.
    next: usize,
    batch: u32,
    batches: u32,
    weights: Vec<f32>,
    gradient: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

/// The hidden layer's values of a position, and the output.
struct Outputs {
    values: [f32; HIDDEN],
    output: f32,
}

/// Weights of a row of the hidden layer.
fn row(weights: &[f32], first: usize) -> &[f32; HIDDEN] {
    weights[first..].first_chunk().expect("a row is within the weights")
}

fn row_mut(weights: &mut [f32], first: usize) -> &mut [f32; HIDDEN] {
    weights[first..].first_chunk_mut().expect("a row is within the weights")
}

/// The sum of the products, in eight sums that the processor computes at once.
fn dot(a: &[f32; HIDDEN], b: &[f32; HIDDEN]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

fn outputs(weights: &[f32], inputs: &Inputs) -> Outputs {
    let mut values = *row(weights, BIASES);
    let mut output = weights[BIAS];
    for input in inputs.iter() {
        output += weights[DIRECT + input];
        for (value, weight) in values.iter_mut().zip(row(weights, input * HIDDEN)) {
            *value += weight;
        }
    }
    values.iter_mut().for_each(|value| *value = value.clamp(0.0, 1.0));
    let squares = values.map(|value| value * value);
    output += dot(&squares, row(weights, OUTPUT));
    Outputs { values, output }
}

/// The expected result of an output.
fn result(output: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-output))
}

/// Adds the gradient of a sample's cross-entropy.
fn add_gradient(weights: &[f32], (sets, target): &(Sets, f32), gradient: &mut [f32]) {
    let inputs = Inputs::new(*sets);
    let Outputs { values, output } = outputs(weights, &inputs);
    let slope = result(output) - target;
    gradient[BIAS] += slope;
    for (sum, value) in row_mut(gradient, OUTPUT).iter_mut().zip(&values) {
        *sum += slope * value * value;
    }
    // A value at a limit does not change with its sum.
    let mut slopes = [0.0; HIDDEN];
    for ((to, value), weight) in slopes.iter_mut().zip(&values).zip(row(weights, OUTPUT)) {
        *to = if *value < 1.0 { 2.0 * slope * weight * value } else { 0.0 };
    }
    let mut add = |first: usize| {
        row_mut(gradient, first).iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
    };
    add(BIASES);
    inputs.iter().for_each(|input| add(input * HIDDEN));
    inputs.iter().for_each(|input| gradient[DIRECT + input] += slope);
}

impl Descent {
    /// Makes a step by the mean gradient of the next samples.
    fn descend(&mut self) {
        if self.next == 0 {
            self.samples.shuffle(&mut self.random);
        }
        let end = self.samples.len().min(self.next + BATCH);
        let batch = &self.samples[std::mem::replace(&mut self.next, end)..end];
        self.gradient.fill(0.0);
        batch.iter().for_each(|sample| add_gradient(&self.weights, sample, &mut self.gradient));
        let share = 1.0 / batch.len() as f32;
        self.next = if end == self.samples.len() { 0 } else { end };
        self.batch += 1;
        let progress = self.batch as f32 / self.batches as f32;
        let step = STEP * (1.0 + libm::cosf(std::f32::consts::PI * progress)) / 2.0;
        // The first means are of few gradients.
        let [first_share, second_share] =
            [FIRST_MOMENT, SECOND_MOMENT].map(|moment| 1.0 / (1.0 - libm::powf(moment, self.batch as f32)));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, gradient), (first, second)) in self.weights.iter_mut().zip(&self.gradient).zip(moments) {
            let gradient = share * gradient;
            *first = FIRST_MOMENT * *first + (1.0 - FIRST_MOMENT) * gradient;
            *second = SECOND_MOMENT * *second + (1.0 - SECOND_MOMENT) * gradient * gradient;
            *weight -= step * (first_share * *first) / ((second_share * *second).sqrt() + SMALL);
        }
        for (range, limit) in [(0..OUTPUT, LIMIT), (OUTPUT..DIRECT, OUTPUT_LIMIT), (DIRECT..WEIGHTS, DIRECT_LIMIT)] {
            self.weights[range].iter_mut().for_each(|weight| *weight = weight.clamp(-limit, limit));
        }
    }
}

impl StageFit<Checkers> for Descent {
    /// Begins passes over the samples, as many as `iterations`; the networks need no prior.
    fn new(stage: &StageWeights, samples: &[Sample<Checkers>], _: Prior, iterations: u32) -> Descent {
        let zero = vec![0.0; WEIGHTS];
        Descent {
            samples: samples.iter().map(|(pos, target)| (sets(pos), *target)).collect(),
            random: rng::keyed(&[samples.len() as u64]),
            next: 0,
            batch: 0,
            batches: iterations * samples.len().div_ceil(BATCH) as u32,
            weights: stage.weights.clone(),
            gradient: zero.clone(),
            first: zero.clone(),
            second: zero,
        }
    }

    fn step(&mut self) -> bool {
        for _ in 0..BATCHES {
            if self.batch < self.batches {
                self.descend();
            }
        }
        self.batch == self.batches
    }

    fn apply(self, stage: &mut StageWeights, _: Prior) {
        stage.weights = self.weights;
    }

    fn squared_error(weights: &[f32], samples: &[Sample<Checkers>]) -> f64 {
        let error = |(pos, target): &Sample<Checkers>| {
            f64::from(target - result(outputs(weights, &Inputs::new(sets(pos))).output)).powi(2)
        };
        samples.iter().map(error).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LearnedEvaluation as _;
    use mancalab_games::{BoardGame as _, Game as _};
    use rand::{Rng as _, RngExt as _};

    /// Positions of random games. The mover probably wins with a man on one square.
    fn samples(count: usize) -> Vec<Sample<Checkers>> {
        let mut random = rng::keyed(&[33]);
        let mut all = Vec::new();
        while all.len() < count {
            let mut pos = Checkers::start(Default::default());
            for _ in 0..40 {
                if !pos.is_over() {
                    let [[men, _], _] = pos.sides();
                    all.push((pos, if men >> 13 & 1 == 1 { 0.9 } else { 0.1 }));
                    pos = pos.play(pos.pick(random.next_u32()));
                }
            }
        }
        all.truncate(count);
        all
    }

    fn cross_entropy(weights: &[f32], (sets, target): &(Sets, f32)) -> f64 {
        let result = 1.0 / (1.0 + (-f64::from(outputs(weights, &Inputs::new(*sets)).output)).exp());
        let target = f64::from(*target);
        -(target * result.ln() + (1.0 - target) * (1.0 - result).ln())
    }

    /// Each derivative is the slope of the cross-entropy between two near weights.
    #[test]
    fn the_gradient_is_that_of_the_cross_entropy() {
        let mut random = rng::keyed(&[34]);
        let weights: Vec<f32> =
            Checkers::initial().iter().map(|weight| weight + random.random_range(-0.1..0.1_f32)).collect();
        let mut compared = 0;
        for (pos, target) in samples(200).iter().step_by(20) {
            let sample = (sets(pos), *target);
            let mut gradient = vec![0.0; WEIGHTS];
            add_gradient(&weights, &sample, &mut gradient);
            for at in (0..WEIGHTS).step_by(97).chain(BIASES..WEIGHTS) {
                let near = |change: f32| {
                    let mut near = weights.clone();
                    near[at] += change;
                    cross_entropy(&near, &sample)
                };
                let slope = (near(0.01) - near(-0.01)) / 0.02;
                let made = f64::from(gradient[at]);
                assert!((slope - made).abs() < 0.02 + 0.02 * slope.abs(), "weight {at}: {made}, not {slope}");
                compared += usize::from(made != 0.0);
            }
        }
        assert!(compared > 1000, "{compared}");
    }

    #[test]
    fn a_fit_learns_its_samples_in_whatever_steps() {
        let samples = samples(300);
        let mut stage = StageWeights::new(Checkers::initial());
        let before = Descent::squared_error(&stage.weights, &samples);
        let prior = Prior { ridge: 1.0, memory: 0.0 };
        let mut fit = Descent::new(&stage, &samples, prior, 100);
        let mut steps = 1;
        while !fit.step() {
            steps += 1;
        }
        assert_eq!(steps, 200_usize.div_ceil(BATCHES));
        fit.apply(&mut stage, prior);
        let after = Descent::squared_error(&stage.weights, &samples);
        assert!(after < before / 4.0, "{after} of {before}");
        assert!(Descent::new(&stage, &[], prior, 10).step(), "no samples, no steps");
    }
}
