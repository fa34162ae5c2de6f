//! The network: forward pass to both heads, and backward pass from their gradients to all parameters.

use super::Input;
use super::arithmetic::{add_scaled, dot};
use super::shape::{Layer, Shape};
use crate::rng::{self, Rng};
use mancalab_base::Error;

/// Scale of the policy's initial weights relative to other layers, so that a new network's policy is nearly uniform.
const FAINT: f32 = 0.01;

/// Dense layers with ReLU, followed by a linear policy head (logits) and a linear value head.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    shape: Shape,
    layers: Vec<Layer>,
    /// Layer by layer from the input: for each input of a layer its weights to all units, then the units' biases.
    /// The units of the last layer are the policy outputs, followed by the value.
    parameters: Vec<f32>,
}

/// Activations of all units for one input. The caller keeps them, so that further passes allocate nothing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Activations {
    /// Of each hidden layer, after its ReLU.
    hidden: Vec<Vec<f32>>,
    heads: Vec<f32>,
}

/// Buffers of [`Network::backward`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    slopes: Vec<f32>,
    below: Vec<f32>,
}

impl Activations {
    /// Returns the logit of each policy output.
    pub fn logits(&self) -> &[f32] {
        self.heads.split_last().map_or(&[], |(_, logits)| logits)
    }

    pub fn value(&self) -> f32 {
        self.heads.last().copied().unwrap_or_default()
    }
}

impl Network {
    /// Creates a network with all parameters 0.
    ///
    /// # Errors
    /// See [`Shape::check`].
    pub fn new(shape: Shape) -> Result<Network, Error> {
        shape.check()?;
        let layers = shape.layers();
        let parameters = vec![0.0; shape.parameters()];
        Ok(Network { shape, layers, parameters })
    }

    /// Creates an initial network: normally distributed weights with standard deviation √(2 / inputs), biases 0.
    ///
    /// # Errors
    /// See [`Shape::check`].
    pub fn random(shape: Shape, rng: &mut Rng) -> Result<Network, Error> {
        let mut network = Network::new(shape)?;
        let last = network.layers.len() - 1;
        for (number, layer) in network.layers.iter().enumerate() {
            let width = (2.0 / layer.inputs as f32).sqrt();
            for (n, weight) in network.parameters[layer.offset..layer.bias()].iter_mut().enumerate() {
                let is_policy = number == last && n % layer.outputs < layer.outputs - 1;
                let width = if is_policy { FAINT * width } else { width };
                *weight = width * rng::gaussian(rng) as f32;
            }
        }
        Ok(network)
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns all parameters; see [`Network`] for their order.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    pub fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// Returns each layer with its weights and biases.
    pub(super) fn layers(&self) -> impl Iterator<Item = (Layer, &[f32], &[f32])> {
        let parts = |layer: &Layer| {
            let (weights, bias) = self.parameters[layer.offset..layer.end()].split_at(layer.bias() - layer.offset);
            (*layer, weights, bias)
        };
        self.layers.iter().map(parts)
    }

    /// Computes the activations for an input, whose indices must be below the shape's `inputs`.
    pub fn forward(&self, input: &Input, printed: &mut Activations) {
        let last = self.layers.len() - 1;
        printed.hidden.resize_with(last, Vec::new);
        for (number, (layer, weights, bias)) in self.layers().enumerate() {
            let (below, above) = printed.hidden.split_at_mut(number);
            let units = if number == last { &mut printed.heads } else { &mut above[0] };
            units.clear();
            units.extend_from_slice(bias);
            let row = |from: usize| &weights[from * layer.outputs..][..layer.outputs];
            match below.last() {
                None => input.iter().for_each(|&(place, x)| add_scaled(units, row(place.into()), x)),
                Some(below) => {
                    for (from, &x) in below.iter().enumerate() {
                        if x != 0.0 {
                            add_scaled(units, row(from), x);
                        }
                    }
                }
            }
            if number < last {
                units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
            }
        }
    }

    /// Adds the gradient of a loss to `gradient`, which has one number per parameter. `slopes` is the gradient with
    /// respect to the heads (one number per logit, then the value); `printed` holds the activations of
    /// [`forward`](Network::forward) for `input`.
    pub fn backward(
        &self,
        input: &Input,
        printed: &Activations,
        slopes: &[f32],
        scratch: &mut Scratch,
        gradient: &mut [f32],
    ) {
        let Scratch { slopes: above, below } = scratch;
        above.clear();
        above.extend_from_slice(slopes);
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let weights = &self.parameters[layer.offset..layer.bias()];
            let (own, bias) = gradient[layer.offset..layer.end()].split_at_mut(layer.bias() - layer.offset);
            add_scaled(bias, above, 1.0);
            let units = layer.outputs;
            let Some(number) = number.checked_sub(1) else {
                input.iter().for_each(|&(place, x)| {
                    add_scaled(&mut own[usize::from(place) * units..][..units], above, x);
                });
                return;
            };
            below.clear();
            below.resize(layer.inputs, 0.0);
            for (from, &x) in printed.hidden[number].iter().enumerate() {
                // A unit with output 0 has gradient 0.
                if x > 0.0 {
                    add_scaled(&mut own[from * units..][..units], above, x);
                    below[from] = dot(&weights[from * units..][..units], above);
                }
            }
            std::mem::swap(above, below);
        }
    }
}
