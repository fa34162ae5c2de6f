//! Variation: making programs from programs.

use crate::program::grow::Grammar;
use crate::program::language::{Language, Node};
use crate::program::tree::{Tree, arity};
use crate::rng::Rng;
use rand::RngExt;

/// The first program with one of its subtrees, any node's alike, replaced by one of the second's.
pub fn crossover<L: Language>(first: &Tree<L>, second: &Tree<L>, rng: &mut Rng) -> Tree<L> {
    let start = rng.random_range(0..first.size());
    let from = rng.random_range(0..second.size());
    spliced(first, start, &second.nodes()[from..second.end(from)])
}

/// The program with the arguments of one node, any alike, grown anew; a node without arguments stays as it is. The new
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
