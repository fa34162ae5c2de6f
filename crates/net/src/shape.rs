//! How large a network is, and where in its parameters each layer lies.

use mancalab_base::{Error, bail};

/// The most numbers an input may have, and the widest layer.
const MOST_WIDE: usize = 4096;

/// The most layers below the heads.
const MOST_LAYERS: usize = 8;

/// The sizes of a network's layers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Numbers in an input, those that are 0 included.
    pub inputs: usize,
    /// Units of each layer below the heads, from the input on.
    pub hidden: Vec<usize>,
    /// Logits of the policy.
    pub outputs: usize,
}

/// A dense layer: for each input a row of weights, one to each output; behind them a bias for each output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layer {
    pub inputs: usize,
    pub outputs: usize,
    /// Where its weights begin among the network's parameters.
    pub at: usize,
}

impl Layer {
    /// Where its biases begin.
    pub fn bias(self) -> usize {
        self.at + self.inputs * self.outputs
    }

    pub fn end(self) -> usize {
        self.bias() + self.outputs
    }
}

impl Shape {
    /// # Errors
    /// It is too large, or some layer has no units: a sentence.
    pub fn check(&self) -> Result<(), Error> {
        let sizes = [self.inputs, self.outputs].into_iter().chain(self.hidden.iter().copied());
        if self.hidden.len() > MOST_LAYERS {
            bail!("a network has at most {MOST_LAYERS} hidden layers; {} are too many", self.hidden.len());
        }
        match sizes.into_iter().find(|size| !(1..=MOST_WIDE).contains(size)) {
            Some(size) => {
                Err(format!("a layer of a network has 1 to {MOST_WIDE} units; {size} is no such number").into())
            }
            None => Ok(()),
        }
    }

    /// The layers from the input on; the last holds both heads, the policy's logits and behind them the value.
    pub(super) fn layers(&self) -> Vec<Layer> {
        let (mut inputs, mut at) = (self.inputs, 0);
        let mut layer = |outputs: usize| {
            let layer = Layer { inputs, outputs, at };
            (inputs, at) = (outputs, layer.end());
            layer
        };
        let mut layers: Vec<Layer> = self.hidden.iter().map(|&units| layer(units)).collect();
        layers.push(layer(self.outputs + 1));
        layers
    }

    /// How many numbers a network of this shape has to learn.
    pub fn parameters(&self) -> usize {
        self.layers().last().map_or(0, |layer| layer.end())
    }
}
