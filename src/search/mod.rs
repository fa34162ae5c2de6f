//! Adversarial search over any [`Game`](crate::game::Game).
