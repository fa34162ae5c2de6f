//! Variation operators for programs: crossover and mutation.

use super::points::Points;
use crate::program::grow::Grammar;
use crate::program::language::{Language, Node};
use crate::program::tree::{Tree, arity};
use crate::rng::Rng;
use rand::RngExt;

/// Returns the first program with one of its subtrees replaced by one of the second's. `points` defines how the roots of both
/// subtrees are drawn. Returns `None`, without building the child, if it would have more than `most` nodes.
pub fn crossover<L: Language>(
    first: &Tree<L>,
    second: &Tree<L>,
    points: Points,
    most: usize,
    rng: &mut Rng,
) -> Option<Tree<L>> {
    let start = points.draw(first, rng);
    let from = points.draw(second, rng);
    spliced(first, start, &second.nodes()[from..second.end(from)], most)
}

/// Returns the program with newly grown arguments of one node. The node is drawn uniformly, whatever the crossover points are;
/// a node without arguments stays unchanged. The new subtree, including that node, is at most `depth` deep. Returns `None`,
/// without building the child, if it would have more than `most` nodes.
pub fn mutate<L: Language>(
    tree: &Tree<L>,
    grammar: &Grammar<L>,
    depth: usize,
    most: usize,
    rng: &mut Rng,
) -> Option<Tree<L>> {
    let at = rng.random_range(0..tree.size());
    let node = tree.nodes()[at];
    if arity::<L>(&node) == 0 {
        return Some(tree.clone());
    }
    let mut grown = vec![node];
    grammar.arguments(&mut grown, depth, most, rng).then(|| spliced(tree, at, &grown, most))?
}

/// Returns the program with the subtree at `start` replaced.
fn spliced<L: Language>(tree: &Tree<L>, start: usize, subtree: &[Node<L::Constant>], most: usize) -> Option<Tree<L>> {
    let end = tree.end(start);
    let size = tree.size() - (end - start) + subtree.len();
    if size > most {
        return None;
    }
    let mut nodes = Vec::with_capacity(size);
    nodes.extend_from_slice(&tree.nodes()[..start]);
    nodes.extend_from_slice(subtree);
    nodes.extend_from_slice(&tree.nodes()[end..]);
    Some(Tree::of(nodes))
}
