//! The genome of an individual: one tree, or several with separate roles, such as the stages of a game; and the generation of the initial ones.

use mancalab_base::Error;

use crate::codec::{Decoder, Encoder};
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::program::tree::{SEED, Tree, mixed};
use crate::rng::Rng;
use crate::settings::string_enum;

/// The trees of an individual, at least one. All individuals of a run have equally many, and crossover combines trees of the
/// same index.
#[derive(Clone, PartialEq, Debug)]
pub struct Genome<L: Language>(Box<[Tree<L>]>);

impl<L: Language> From<Tree<L>> for Genome<L> {
    fn from(tree: Tree<L>) -> Genome<L> {
        Genome(Box::new([tree]))
    }
}

impl<L: Language> Genome<L> {
    /// Returns `None` if there is no tree.
    pub fn new(trees: Vec<Tree<L>>) -> Option<Genome<L>> {
        (!trees.is_empty()).then(|| Genome(trees.into()))
    }

    pub fn trees(&self) -> &[Tree<L>] {
        &self.0
    }

    /// Returns the first tree, which always exists.
    pub fn first(&self) -> &Tree<L> {
        &self.0[0]
    }

    /// Returns the number of nodes of all trees.
    pub fn size(&self) -> usize {
        self.0.iter().map(Tree::size).sum()
    }

    /// Returns the depth of the deepest tree.
    pub fn depth(&self) -> usize {
        self.0.iter().map(Tree::depth).max().unwrap_or(0)
    }

    /// Returns 64 well-mixed bits, the same on every machine. For a single tree it is its [`Tree::hash`].
    pub fn hash(&self) -> u64 {
        match &self.0[..] {
            [only] => only.hash(),
            // From a seed: mixed with each other, two trees would have one hash in both orders.
            trees => trees.iter().fold(SEED, |hash, tree| mixed(hash, tree.hash())),
        }
    }

    /// Returns the genome with another tree at this index.
    #[must_use]
    pub fn with(&self, place: usize, tree: Tree<L>) -> Genome<L> {
        let mut tree = Some(tree);
        let tree_at = |(at, before): (usize, &Tree<L>)| tree.take_if(|_| at == place).unwrap_or_else(|| before.clone());
        Genome(self.0.iter().enumerate().map(tree_at).collect())
    }

    pub(super) fn encode(&self, out: &mut Encoder) {
        self.0.iter().for_each(|tree| tree.encode(out));
    }

    /// Decodes this number of trees, as written by [`encode`](Genome::encode).
    pub(super) fn decode(from: &mut Decoder<'_>, trees: usize) -> Result<Genome<L>, Error> {
        let trees = (0..trees).map(|_| Tree::decode(from)).collect::<Result<Vec<_>, Error>>()?;
        Genome::new(trees).ok_or_else(|| "a program has no tree".into())
    }
}

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
