//! Crossover points: how a node of a program is drawn.
//!
//! A child is its first parent with the subtree at one point replaced by the second parent's subtree at another. The
//! distribution of the points determines how programs grow: most nodes of a tree are leaves or just above them, so a uniform
//! point usually moves little, while a walk down from the root stops near the root more often and moves much. Each method
//! visits every node a few times at most, in order, and without recursion, so the depth of a program is not limited.

use crate::program::language::Language;
use crate::program::tree::{Tree, arity};
use crate::rng::Rng;
use mancalab_base::Error;
use rand::RngExt;
use std::fmt;
use std::str::FromStr;

/// The distribution of crossover points in both parents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Points {
    /// Uniform over all nodes.
    #[default]
    Uniform,
    /// A walk from the root: at a node with n arguments it stops with probability 1/(n + 1) and otherwise enters one of them,
    /// chosen uniformly.
    Walk,
    /// A walk from the root that stops at each node with this probability, in percent from 0 to 100, and always at a leaf.
    WalkStopping(u32),
    /// Uniform over all depths, then over the nodes of that depth.
    Depth,
    /// Koza's: with probability 0.9 uniform over the functions, otherwise over the leaves.
    Inner,
}

/// Koza's probability of a function point.
const FUNCTIONS: f64 = 0.9;

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Points::Uniform => f.pad("uniform"),
            Points::Walk => f.pad("walk"),
            Points::WalkStopping(percent) => f.pad(&format!("walk:{percent}")),
            Points::Depth => f.pad("depth"),
            Points::Inner => f.pad("inner"),
        }
    }
}

impl FromStr for Points {
    type Err = Error;

    fn from_str(text: &str) -> Result<Points, Error> {
        let percent = text.strip_prefix("walk:").and_then(|percent| percent.parse().ok());
        match (text, percent.filter(|percent| *percent <= 100)) {
            ("uniform", _) => Ok(Points::Uniform),
            ("walk", _) => Ok(Points::Walk),
            ("depth", _) => Ok(Points::Depth),
            ("inner", _) => Ok(Points::Inner),
            (_, Some(percent)) => Ok(Points::WalkStopping(percent)),
            _ => Err(format!(
                "points must be uniform, walk, walk:P (P percent from 0 to 100), depth or inner (got '{text}')"
            )
            .into()),
        }
    }
}

impl Points {
    /// Draws a node of the program: its index in [`Tree::nodes`].
    pub fn draw<L: Language>(self, tree: &Tree<L>, rng: &mut Rng) -> usize {
        match self {
            Points::Uniform => rng.random_range(0..tree.size()),
            Points::Walk => walked(tree, rng, |arguments, rng| rng.random_range(0..=arguments) == 0),
            Points::WalkStopping(percent) => {
                walked(tree, rng, |_, rng| rng.random_bool(f64::from(percent.min(100)) / 100.0))
            }
            Points::Depth => of_any_depth(tree, rng),
            Points::Inner => {
                let is_function: Vec<bool> = tree.nodes().iter().map(|node| arity::<L>(node) > 0).collect();
                // A program of one node has no function.
                let wanted = rng.random_bool(FUNCTIONS) && is_function[0];
                let count = is_function.iter().filter(|is| **is == wanted).count();
                let nth = rng.random_range(0..count);
                nth_of(is_function.into_iter().map(|is| is == wanted), nth)
            }
        }
    }
}

/// Returns the node at which a walk from the root ends. Calls `stops` at every function with the number of its arguments.
fn walked<L: Language>(tree: &Tree<L>, rng: &mut Rng, stops: impl Fn(usize, &mut Rng) -> bool) -> usize {
    let mut at = 0;
    loop {
        let arguments = arity::<L>(&tree.nodes()[at]);
        if arguments == 0 || stops(arguments, rng) {
            return at;
        }
        let into = rng.random_range(0..arguments);
        // Skips the arguments before it; the walk never returns to them.
        at = (0..into).fold(at + 1, |at, _| tree.end(at));
    }
}

fn of_any_depth<L: Language>(tree: &Tree<L>, rng: &mut Rng) -> usize {
    let mut nodes_at: Vec<usize> = Vec::new();
    for level in levels(tree) {
        nodes_at.resize(nodes_at.len().max(level + 1), 0);
        nodes_at[level] += 1;
    }
    let wanted = rng.random_range(0..nodes_at.len());
    let nth = rng.random_range(0..nodes_at[wanted]);
    nth_of(levels(tree).map(|level| level == wanted), nth)
}

/// Returns the depth of each node, counted from 0, in the order of the nodes.
pub fn levels<L: Language>(tree: &Tree<L>) -> impl Iterator<Item = usize> {
    // Remaining arguments of each function on the current path.
    let mut owed: Vec<usize> = vec![1];
    tree.nodes().iter().map(move |node| {
        while owed.last() == Some(&0) {
            owed.pop();
        }
        let level = owed.len() - 1;
        owed[level] -= 1;
        owed.push(arity::<L>(node));
        level
    })
}

/// Returns the index of the `nth` match, counted from 0, which must exist.
fn nth_of(fits: impl Iterator<Item = bool>, nth: usize) -> usize {
    let mut fitting = fits.enumerate().filter(|(_, fits)| *fits).map(|(at, _)| at);
    fitting.nth(nth).unwrap_or(0)
}
