//! What an individual is made of: a tree, or several that are bred each for a part of its own, such as a stage of the game.

use crate::codec::{Decoder, Encoder};
use crate::program::language::Language;
use crate::program::tree::{Tree, mixed};
use mancalab_base::Error;

/// The trees of an individual, at least one; of all individuals of a run there are as many, and trees of the same place are bred with
/// each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Genome<L: Language>(Box<[Tree<L>]>);

impl<L: Language> From<Tree<L>> for Genome<L> {
    fn from(tree: Tree<L>) -> Genome<L> {
        Genome(Box::new([tree]))
    }
}

impl<L: Language> Genome<L> {
    /// `None` if there is no tree.
    pub fn new(trees: Vec<Tree<L>>) -> Option<Genome<L>> {
        (!trees.is_empty()).then(|| Genome(trees.into()))
    }

    pub fn trees(&self) -> &[Tree<L>] {
        &self.0
    }

    /// The first tree, which there always is.
    pub fn first(&self) -> &Tree<L> {
        &self.0[0]
    }

    /// Nodes of all trees.
    pub fn size(&self) -> usize {
        self.0.iter().map(Tree::size).sum()
    }

    /// Of the deepest tree.
    pub fn depth(&self) -> usize {
        self.0.iter().map(Tree::depth).max().unwrap_or(0)
    }

    /// 64 well-mixed bits, the same on every machine; of a single tree its [`Tree::hash`].
    pub fn hash(&self) -> u64 {
        let (first, more) = self.0.split_first().map_or((0, &[][..]), |(first, more)| (first.hash(), more));
        more.iter().fold(first, |hash, tree| mixed(hash, tree.hash()))
    }

    /// The same with another tree at this place.
    #[must_use]
    pub fn with(&self, place: usize, tree: Tree<L>) -> Genome<L> {
        let mut tree = Some(tree);
        let of = |(at, before): (usize, &Tree<L>)| tree.take_if(|_| at == place).unwrap_or_else(|| before.clone());
        Genome(self.0.iter().enumerate().map(of).collect())
    }

    pub(super) fn encode(&self, out: &mut Encoder) {
        self.0.iter().for_each(|tree| tree.encode(out));
    }

    /// Reads so many trees that [`encode`](Genome::encode) wrote.
    pub(super) fn decode(from: &mut Decoder<'_>, trees: usize) -> Result<Genome<L>, Error> {
        let trees = (0..trees).map(|_| Tree::decode(from)).collect::<Result<Vec<_>, Error>>()?;
        Genome::new(trees).ok_or_else(|| "a program has no tree".into())
    }
}
