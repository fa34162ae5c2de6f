//! Variation: making programs from programs.

use super::points::Points;
use crate::program::grow::Grammar;
use crate::program::language::{Language, Node};
use crate::program::tree::{Tree, arity};
use crate::rng::Rng;
use rand::RngExt;

/// The first program with one of its subtrees replaced by one of the second's; `points` says how the node at which either begins
/// is drawn.
pub fn crossover<L: Language>(first: &Tree<L>, second: &Tree<L>, points: Points, rng: &mut Rng) -> Tree<L> {
    let start = points.draw(first, rng);
    let from = points.draw(second, rng);
    spliced(first, start, &second.nodes()[from..second.end(from)])
}

/// The program with the arguments of one node, any alike whatever the points of crossover are, grown anew; a node without arguments stays as it is. The new
/// subtree, that node included, is at most `depth` deep.
pub fn mutate<L: Language>(tree: &Tree<L>, grammar: &Grammar<L>, depth: usize, rng: &mut Rng) -> Tree<L> {
    let at = rng.random_range(0..tree.size());
    let node = tree.nodes()[at];
    if arity::<L>(&node) == 0 {
        return tree.clone();
    }
    let mut grown = vec![node];
    grammar.arguments(&mut grown, depth, rng);
    spliced(tree, at, &grown)
}

fn spliced<L: Language>(tree: &Tree<L>, start: usize, subtree: &[Node<L::Constant>]) -> Tree<L> {
    let end = tree.end(start);
    let mut nodes = Vec::with_capacity(tree.size() - (end - start) + subtree.len());
    nodes.extend_from_slice(&tree.nodes()[..start]);
    nodes.extend_from_slice(subtree);
    nodes.extend_from_slice(&tree.nodes()[end..]);
    Tree::of(nodes)
}
