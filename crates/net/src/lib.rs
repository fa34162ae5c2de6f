//! Small neural networks: dense layers with a policy and a value on top, and how they learn. Knows no game.
//!
//! A [`Network`] takes numbers by their places (most of an input is 0 and is left out), goes through dense layers with ReLU and
//! ends in two heads: one logit for each output of the policy, and a value. [`Policy`] makes chances of the logits of those outputs
//! that are allowed; [`losses`] says how wrong both heads were and which way they should move, [`Network::backward`] what follows
//! from that for every parameter, [`clip`] bounds it, and [`Adam`] takes the step; [`Shared`] lets
//! several threads take steps at once. [`mod@file`] keeps a network in a file that other
//! programs read.
//!
//! All of it computes the same bits on every processor: sums are formed in one order, in eight lanes where the processor has them,
//! and `exp` and `ln` come from a crate and not from the system.

use mancalab_base::{codec, rng};

mod adam;
mod arithmetic;
pub mod file;
mod loss;
mod network;
mod policy;
mod shape;
mod shared;

pub use adam::{Adam, Betas, clip};
pub use loss::{Decision, Losses, Weighing, losses};
pub use network::{Activations, Network, Scratch};
pub use policy::Policy;
pub use shape::Shape;
pub use shared::Shared;

/// What is not 0 of an input: its place, and the number there.
pub type Input = [(u16, f32)];
