//! Genes and operators for ten or eleven weights of Kalah, from the Kalah thesis (section 5.4).

use crate::evolve::ga::operators::{Crossover, Mutation, Selection};
use crate::evolve::ga::{Gene, Grain, Operators};

/// Returns the genes W1, W2 and so on, from 0 to 1 in thousandths. The first population is distributed around `start` with
/// standard deviation `spread`.
pub(super) fn genes(start: &[f64], spread: f64, is_fixed: impl Fn(usize) -> bool) -> Vec<Gene> {
    let gene = |(index, &start): (usize, &f64)| Gene {
        name: format!("W{}", index + 1),
        low: 0.0,
        high: 1.0,
        start,
        spread,
        grain: Grain::Decimals(3),
        fixed: is_fixed(index),
        tie: None,
    };
    start.iter().enumerate().map(gene).collect()
}

/// Returns roulette selection, this crossover, and Gaussian mutation with this standard deviation.
pub(super) fn operators(crossover: Crossover, sigma: f64) -> Operators {
    Operators { selection: Selection::Points, crossover, mutation: Mutation::Gaussian(sigma) }
}
