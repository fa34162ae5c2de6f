//! The genetic algorithm over real numbers.

pub mod duel;
