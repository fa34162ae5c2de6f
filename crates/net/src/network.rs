//! The network itself: from an input to both heads, and from what is wrong with these back to every parameter.

use super::Input;
use super::arithmetic::{add_scaled, dot};
use super::shape::{Layer, Shape};
use crate::rng::{self, Rng};
use mancalab_base::Error;

/// How much smaller the policy's first weights are than those of other layers, so that a new network finds all moves about equally
/// good.
const FAINT: f32 = 0.01;

/// Dense layers with ReLU, and on the last of them the logits of a policy and a value, both linear.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    shape: Shape,
    layers: Vec<Layer>,
    /// Layer by layer from the input on: for each input of a layer its weights to all units, then the units' biases. The last layer's
    /// units are the policy's outputs and, behind them, the value.
    parameters: Vec<f32>,
}

/// What every unit said of an input. Kept by whoever asks, so that asking again allocates nothing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Activations {
    /// Of each hidden layer, behind its ReLU.
    hidden: Vec<Vec<f32>>,
    heads: Vec<f32>,
}

/// Room that [`Network::backward`] works in.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    slopes: Vec<f32>,
    below: Vec<f32>,
}

impl Activations {
    /// One for each output of the policy.
    pub fn logits(&self) -> &[f32] {
        self.heads.split_last().map_or(&[], |(_, logits)| logits)
    }

    pub fn value(&self) -> f32 {
        self.heads.last().copied().unwrap_or_default()
    }
}

impl Network {
    /// A network of zeros, which has learned nothing.
    ///
    /// # Errors
    /// See [`Shape::check`].
    pub fn new(shape: Shape) -> Result<Network, Error> {
        shape.check()?;
        let (layers, parameters) = (shape.layers(), vec![0.0; shape.parameters()]);
        Ok(Network { shape, layers, parameters })
    }

    /// A network to begin with: weights from the normal distribution, as wide as keeps the units' sizes alike from layer to layer,
    /// biases 0.
    ///
    /// # Errors
    /// See [`Shape::check`].
    pub fn random(shape: Shape, rng: &mut Rng) -> Result<Network, Error> {
        let mut network = Network::new(shape)?;
        let last = network.layers.len() - 1;
        for (number, layer) in network.layers.iter().enumerate() {
            let width = (2.0 / layer.inputs as f32).sqrt();
            for (n, weight) in network.parameters[layer.at..layer.bias()].iter_mut().enumerate() {
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

    /// See [`Network`] for their order.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    pub fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// The layers, each with its weights and its biases.
    pub(super) fn layers(&self) -> impl Iterator<Item = (Layer, &[f32], &[f32])> {
        let parts = |layer: &Layer| {
            let (weights, bias) = self.parameters[layer.at..layer.end()].split_at(layer.bias() - layer.at);
            (*layer, weights, bias)
        };
        self.layers.iter().map(parts)
    }

    /// What the network says of an input, each of whose places must be below the shape's `inputs`.
    #[inline]
    pub fn forward(&self, input: &Input, said: &mut Activations) {
        let last = self.layers.len() - 1;
        said.hidden.resize_with(last, Vec::new);
        for (number, (layer, weights, bias)) in self.layers().enumerate() {
            let (below, above) = said.hidden.split_at_mut(number);
            let units = if number == last { &mut said.heads } else { &mut above[0] };
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

    /// Adds to `gradient` (one number for each parameter) how a loss grows with each parameter, where `slopes` (one for each logit
    /// and one for the value) say how it grows with the heads, and `said` is what [`forward`](Network::forward) said of `input`.
    #[inline]
    pub fn backward(
        &self,
        input: &Input,
        said: &Activations,
        slopes: &[f32],
        scratch: &mut Scratch,
        gradient: &mut [f32],
    ) {
        let Scratch { slopes: above, below } = scratch;
        above.clear();
        above.extend_from_slice(slopes);
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let weights = &self.parameters[layer.at..layer.bias()];
            let (own, bias) = gradient[layer.at..layer.end()].split_at_mut(layer.bias() - layer.at);
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
            for (from, &x) in said.hidden[number].iter().enumerate() {
                // A unit that says nothing passes nothing on.
                if x > 0.0 {
                    add_scaled(&mut own[from * units..][..units], above, x);
                    below[from] = dot(&weights[from * units..][..units], above);
                }
            }
            std::mem::swap(above, below);
        }
    }
}
