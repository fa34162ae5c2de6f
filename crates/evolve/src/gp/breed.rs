//! Variation: making programs from programs.

use super::points::Points;
use crate::program::grow::Grammar;
use crate::program::language::{Language, Node};
use crate::program::tree::{Tree, arity};
use crate::rng::Rng;
use rand::RngExt;

/// The first program with one of its subtrees replaced by one of the second's; `points` says how the node at which either begins
/// is drawn. `None` if the child would have more than `most` nodes; it is not made then.
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

/// The program with the arguments of one node, any alike whatever the points of crossover are, grown anew; a node without arguments stays as it is. The new
/// subtree, that node included, is at most `depth` deep. `None` if there would be more than `most` nodes; they are not made then.
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

/// The program with the subtree that begins at `start` replaced by another.
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
