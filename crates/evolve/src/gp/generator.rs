//! Generation of the initial programs.

use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::program::tree::Tree;
use crate::rng::Rng;
use crate::settings::string_enum;

/// How the initial programs are grown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Generator {
    /// Below the root functions and leaves have equal probability: [`Grammar::program`].
    #[default]
    Even,
    /// J. R. Koza's ramped half-and-half: equally many programs for every depth from 2 to the maximum, half of them full, half
    /// grown.
    Ramped,
}

impl Generator {
    /// Returns a tree of individual `number`, at most `depth` (at least 2) deep; `None` if it would have more than `most`
    /// nodes.
    pub fn tree<L: Language>(
        self,
        grammar: &Grammar<L>,
        (number, depth): (usize, usize),
        most: usize,
        rng: &mut Rng,
    ) -> Option<Tree<L>> {
        let depths = depth.saturating_sub(1).max(1);
        let at = 2 + number % depths;
        let is_full = (number / depths).is_multiple_of(2);
        match self {
            Generator::Even => grammar.program_within(depth, most, rng),
            Generator::Ramped if is_full => grammar.full(at, most, rng),
            Generator::Ramped => grammar.grown(at, most, rng),
        }
    }
}

string_enum!(Generator { "even" => Even, "ramped" => Ramped });
