//! Variation operators for programs: crossover and mutation.

use super::points::Points;
use crate::program::grow::Grammar;
use crate::program::language::Language;
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
    spliced(first, start, (second, from), most)
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
    grammar.arguments(&mut grown, depth, most, rng).then(|| spliced(tree, at, (&Tree::from_nodes(grown), 0), most))?
}

/// Returns [`Tree::spliced`]; `None` above `most` nodes.
fn spliced<L: Language>(
    tree: &Tree<L>,
    start: usize,
    (other, from): (&Tree<L>, usize),
    most: usize,
) -> Option<Tree<L>> {
    let size = tree.size() - (tree.end(start) - start) + (other.end(from) - from);
    (size <= most).then(|| tree.spliced(start, other, from))
}
