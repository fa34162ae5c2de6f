#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A [`Network`] reads a sparse input, applies dense layers with ReLU, and ends in two heads: one logit per policy
//! output, and a value. [`Policy`] is the softmax over the legal outputs; [`losses`] computes the loss and its
//! gradient with respect to the heads, [`Network::backward`] that of every parameter, [`clip`] limits its norm, and
//! [`Adam`] takes the step. [`SharedParameters`] lets several threads take steps concurrently. [`mod@file`] stores networks as
//! safetensors.

use mancalab_base::{codec, rng};

mod arithmetic;
pub mod file;
mod loss;
mod network;
mod shape;
mod shared;

pub use crate::loss::Policy;
pub use crate::shared::{Adam, Betas, clip};
pub use loss::{Decision, LossWeights, Losses, losses};
pub use network::{Activations, Network, Scratch};
pub use shape::Shape;
pub use shared::SharedParameters;

/// Sparse input: indices and values of the numbers that are not 0.
pub type Input = [(u16, f32)];
