//! How programs of the first generation are grown.

use crate::document::words_of;
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::program::tree::Tree;
use crate::rng::Rng;

/// How programs of the first generation are grown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Generator {
    /// Below the root functions and leaves have equal chances: [`Grammar::program`].
    #[default]
    Even,
    /// J. R. Koza's ramped half-and-half: as many programs of every depth from 2 to the deepest, half of them full, half grown.
    Ramped,
}

impl Generator {
    /// The words that people write, the same in config and in flags.
    pub const WORDS: &'static [(&'static str, Generator)] = &[("even", Generator::Even), ("ramped", Generator::Ramped)];

    /// A tree of the individual of this number, no deeper than `depth`, at least 2; `None` if it would have more than `most` nodes.
    pub(super) fn tree<L: Language>(
        self,
        grammar: &Grammar<L>,
        (number, depth): (usize, usize),
        most: usize,
        rng: &mut Rng,
    ) -> Option<Tree<L>> {
        let depths = depth.saturating_sub(1).max(1);
        let (at, is_full) = (2 + number % depths, (number / depths).is_multiple_of(2));
        match self {
            Generator::Even => grammar.program_within(depth, most, rng),
            Generator::Ramped if is_full => grammar.full(at, most, rng),
            Generator::Ramped => grammar.grown(at, most, rng),
        }
    }
}

words_of!(Generator);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::kalah::KalahLanguage;
    use crate::rng::keyed;

    #[test]
    fn ramped_half_and_half_has_as_many_of_every_depth_and_half_of_them_full() {
        let grammar = Grammar::<KalahLanguage>::with_functions(&["add", "sub"]).unwrap();
        let tree = |number| {
            let tree = Generator::Ramped.tree(&grammar, (number, 6), usize::MAX, &mut keyed(&[number as u64]));
            tree.unwrap()
        };
        for number in 0..100 {
            let (tree, depth, is_full) = (tree(number), 2 + number % 5, (number / 5) % 2 == 0);
            assert!(tree.depth() <= depth && tree.size() > 1, "{number}");
            // Both functions take two arguments.
            assert!(!is_full || tree.size() == (1 << depth) - 1, "{number}: {}", tree.to_sexpr());
        }
        let too_large = Generator::Ramped.tree(&grammar, (58, 60), 1000, &mut keyed(&[1]));
        assert!(too_large.is_none(), "what would fill the memory is not made");
    }
}
