//! Adversarial search over any [`Game`](crate::game::Game).

pub mod playout;

pub use playout::playout;
