//! The names that users write in `functions` and `fitness`.

use super::{kalah, othello};

/// Names with their meanings.
pub type Vocabulary = &'static [(&'static str, &'static str)];

/// The names that `functions` and the formulas of `fitness` may hold, with what they are of.
pub const VOCABULARY: &[(&str, Vocabulary)] = &[
    ("Functions of games of pits", kalah::FUNCTIONS),
    ("Quantities of fitness in games of pits", kalah::QUANTITIES),
    ("Functions of Othello", othello::FUNCTIONS),
    ("Quantities of fitness in Othello", othello::QUANTITIES),
];
