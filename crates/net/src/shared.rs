//! A network trained by several threads without locks, with the Adam optimiser (Kingma and Ba, 2015).
//!
//! Each number is read and written atomically, but independently: concurrent updates of a number may overwrite each
//! other, and a copy may mix numbers from before and after a step. The workers of "Asynchronous Methods for Deep
//! Reinforcement Learning" (Mnih et al., 2016) share their weights in this way, after "Hogwild!" (Niu et al., 2011).
//! Results depend on the timing of the threads.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mancalab_base::Error;

use super::arithmetic::dot;
use super::codec::{Decoder, Encoder};
use super::network::Network;

/// An atomic `f32`.
struct Cell(AtomicU32);

impl Cell {
    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, number: f32) {
        self.0.store(number.to_bits(), Ordering::Relaxed);
    }
}

fn cells(numbers: &[f32]) -> Vec<Cell> {
    numbers.iter().map(|number| Cell(AtomicU32::new(number.to_bits()))).collect()
}

fn read(cells: &[Cell], numbers: &mut [f32]) {
    numbers.iter_mut().zip(cells).for_each(|(number, cell)| *number = cell.get());
}

/// The parameters of a network with their Adam moments.
pub struct SharedParameters {
    betas: Betas,
    epsilon: f32,
    parameters: Vec<Cell>,
    mean: Vec<Cell>,
    square: Vec<Cell>,
    /// Number of steps, and [`Adam`]'s bias terms before the first of them.
    steps: AtomicU64,
    before: [f64; 2],
}

impl SharedParameters {
    pub fn new(network: &Network, adam: &Adam) -> SharedParameters {
        let Adam { betas, epsilon, mean, square, rest } = adam;
        SharedParameters {
            betas: *betas,
            epsilon: *epsilon,
            parameters: cells(network.parameters()),
            mean: cells(mean),
            square: cells(square),
            steps: AtomicU64::new(0),
            before: *rest,
        }
    }

    /// Returns the bias terms after this many steps.
    fn rest(&self, steps: u64) -> [f64; 2] {
        let power = |before: f64, beta: f32| before * libm::pow(beta.into(), steps as f64);
        [power(self.before[0], self.betas.mean), power(self.before[1], self.betas.square)]
    }

    /// Takes a step of [`Adam`]; concurrent steps may overwrite parts of it.
    pub fn step(&self, gradient: &[f32], rate: f32) {
        let Betas { mean: b1, square: b2 } = self.betas;
        let rest = self.rest(self.steps.fetch_add(1, Ordering::Relaxed) + 1);
        let [whole_mean, whole_square] = rest.map(|rest| (1.0 / (1.0 - rest)) as f32);
        let moments = self.mean.iter().zip(&self.square);
        for ((parameter, &slope), (mean, square)) in self.parameters.iter().zip(gradient).zip(moments) {
            let new_mean = b1 * mean.get() + (1.0 - b1) * slope;
            let new_square = b2 * square.get() + (1.0 - b2) * slope * slope;
            mean.set(new_mean);
            square.set(new_square);
            let by = rate * (new_mean * whole_mean) / ((new_square * whole_square).sqrt() + self.epsilon);
            parameter.set(parameter.get() - by);
        }
    }

    /// Copies the current weights to a network of the same shape.
    pub fn copy_to(&self, network: &mut Network) {
        read(&self.parameters, network.parameters_mut());
    }

    /// Writes the weights and moments back, after all threads have finished.
    pub fn settle(&self, network: &mut Network, adam: &mut Adam) {
        self.copy_to(network);
        read(&self.mean, &mut adam.mean);
        read(&self.square, &mut adam.square);
        adam.rest = self.rest(self.steps.load(Ordering::Relaxed));
    }
}

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
    betas: Betas,
    /// Added to the denominator, to avoid division by 0.
    epsilon: f32,
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Bias of the moments toward their initial zeros: the betas to the power of the number of steps.
    rest: [f64; 2],
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::rng::keyed;

    fn begun() -> (Network, Adam) {
        let shape = Shape { inputs: 6, hidden: vec![5], outputs: 3 };
        let network = Network::random(shape, &mut keyed(&[3])).unwrap();
        let adam = Adam::new(network.parameters().len(), Betas::default(), 1e-5);
        (network, adam)
    }

    fn gradient(nth: usize, parameters: usize) -> Vec<f32> {
        (0..parameters).map(|at| ((at + 7 * nth) % 11) as f32 / 16.0 - 0.3).collect()
    }

    #[test]
    fn alone_a_thread_takes_the_steps_of_adam() {
        let ((mut network, mut adam), (mut free, mut moments)) = (begun(), begun());
        let count = network.parameters().len();
        // In two generations, to test that the moments are restored.
        for generation in 0..2 {
            let shared = SharedParameters::new(&free, &moments);
            for nth in 0..20 {
                let gradient = gradient(20 * generation + nth, count);
                adam.step(network.parameters_mut(), &gradient, 0.01);
                shared.step(&gradient, 0.01);
            }
            shared.settle(&mut free, &mut moments);
        }
        let far = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(far(network.parameters(), free.parameters()) < 1e-5);
        assert!(far(&adam.mean, &moments.mean) == 0.0 && far(&adam.square, &moments.square) == 0.0);
        assert!((adam.rest[1] - moments.rest[1]).abs() < 1e-9);
    }

    #[test]
    fn threads_that_wait_for_no_one_all_take_their_steps() {
        let (mut network, mut adam) = begun();
        let before = network.clone();
        let count = network.parameters().len();
        let shared = SharedParameters::new(&network, &adam);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                // All threads push every weight in the same direction, so that a lost step does not change the
                // direction.
                scope.spawn(|| (0..200).for_each(|_| shared.step(&vec![0.5; count], 0.01)));
            }
        });
        shared.settle(&mut network, &mut adam);
        assert_eq!(shared.steps.load(Ordering::Relaxed), 800);
        // A step of this gradient is as long as the rate, or slightly longer if moments were overwritten. A thread
        // that sleeps during a step overwrites only one number of the other threads.
        let both = before.parameters().iter().zip(network.parameters());
        let mut ways: Vec<f32> = both.map(|(before, after)| before - after).collect();
        ways.sort_by(f32::total_cmp);
        assert!(
            (2.0..=9.0).contains(&ways[ways.len() / 2]) && ways[0] > 0.0 && ways[ways.len() - 1] < 16.0,
            "{ways:?}"
        );
    }
}
