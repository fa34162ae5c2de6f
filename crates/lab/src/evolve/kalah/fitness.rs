//! The fitness of a program, from its scores and its size.

use crate::settings::string_enum;

/// A fitness function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fitness {
    /// The sum of both scores: the source's first run.
    #[default]
    Sum,
    /// 100 times the sum, minus the number of nodes, at least 1: the source's second run.
    SumLessNodes,
    /// The sum times (100 minus the number of nodes), at least 1: the other reading of the second run. Under it programs shrink
    /// to nothing.
    SumTimesRest,
}

impl Fitness {
    /// The words in configuration files and flags.
    pub const WORDS: &'static [(&'static str, Fitness)] =
        &[("sum", Fitness::Sum), ("sum-less-nodes", Fitness::SumLessNodes), ("sum-times-rest", Fitness::SumTimesRest)];

    /// Returns the fitness for the sum of the scores in stones and the size in nodes.
    pub fn value(self, sum: f64, nodes: usize) -> f64 {
        match self {
            Fitness::Sum => sum,
            Fitness::SumLessNodes => (100.0 * sum - nodes as f64).max(1.0),
            Fitness::SumTimesRest => (sum * (100.0 - nodes as f64)).max(1.0),
        }
    }
}

string_enum!(Fitness);
