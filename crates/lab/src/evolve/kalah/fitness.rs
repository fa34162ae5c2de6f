//! What a program is worth, from its scores and its size.

use crate::settings::words_of;

/// What a program's fitness is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fitness {
    /// The sum of its two scores: the source's first run.
    #[default]
    Sum,
    /// A hundred times the sum, less one a node, at least 1: the source's second run.
    SumLessNodes,
    /// The sum times (a hundred less the nodes), at least 1: the other way to read the second run. Programs shrink to nothing
    /// under it.
    SumTimesRest,
}

impl Fitness {
    /// The words that people write, the same in config and in flags.
    pub const WORDS: &'static [(&'static str, Fitness)] =
        &[("sum", Fitness::Sum), ("sum-less-nodes", Fitness::SumLessNodes), ("sum-times-rest", Fitness::SumTimesRest)];

    /// From the sum of the scores in stones and the size in nodes.
    pub fn of(self, sum: f64, nodes: usize) -> f64 {
        match self {
            Fitness::Sum => sum,
            Fitness::SumLessNodes => (100.0 * sum - nodes as f64).max(1.0),
            Fitness::SumTimesRest => (sum * (100.0 - nodes as f64)).max(1.0),
        }
    }
}

words_of!(Fitness);
