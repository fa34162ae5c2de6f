//! The size of a network, and the offsets of its layers.

use mancalab_base::{Error, bail};

/// Maximum number of inputs, and maximum width of a layer.
const MOST_WIDE: usize = 4096;

/// Maximum number of hidden layers.
const MOST_LAYERS: usize = 8;

/// Layer sizes of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Length of an input, zeros included.
    pub inputs: usize,
    /// Units of each hidden layer, from the input on.
    pub hidden: Vec<usize>,
    /// Number of policy logits.
    pub outputs: usize,
}

/// A dense layer: for each input a row of weights, one per output, followed by a bias per output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layer {
    pub inputs: usize,
    pub outputs: usize,
    /// Offset of its weights in the network's parameters.
    pub offset: usize,
}

impl Layer {
    /// Offset of its biases.
    pub fn bias(self) -> usize {
        self.offset + self.inputs * self.outputs
    }

    pub fn end(self) -> usize {
        self.bias() + self.outputs
    }
}

impl Shape {
    /// Checks the limits.
    ///
    /// # Errors
    /// There are too many or too wide layers, or a layer without units.
    pub fn check(&self) -> Result<(), Error> {
        let sizes = [self.inputs, self.outputs].into_iter().chain(self.hidden.iter().copied());
        if self.hidden.len() > MOST_LAYERS {
            bail!("a network has at most {MOST_LAYERS} hidden layers (got {})", self.hidden.len());
        }
        match sizes.into_iter().find(|size| !(1..=MOST_WIDE).contains(size)) {
            Some(size) => {
                Err(format!("the number of units of a network layer must be 1 to {MOST_WIDE} (got {size})").into())
            }
            None => Ok(()),
        }
    }

    /// Returns the layers from the input on; the last holds both heads, the policy's logits followed by the value.
    pub(super) fn layers(&self) -> Vec<Layer> {
        let mut inputs = self.inputs;
        let mut at = 0;
        let mut layer = |outputs: usize| {
            let layer = Layer { inputs, outputs, offset: at };
            (inputs, at) = (outputs, layer.end());
            layer
        };
        let mut layers: Vec<Layer> = self.hidden.iter().map(|&units| layer(units)).collect();
        layers.push(layer(self.outputs + 1));
        layers
    }

    /// Returns the number of parameters of a network of this shape.
    pub fn parameters(&self) -> usize {
        self.layers().last().map_or(0, |layer| layer.end())
    }
}
