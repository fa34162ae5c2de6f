//! Where crossover cuts: how a node of a program is drawn.
//!
//! A child is its first parent with the subtree at one point replaced by the second's subtree at another. Which nodes are likely
//! points decides how programs grow: most nodes of a tree are leaves or stand just above them, so that a point drawn from all nodes
//! alike mostly moves little, while a walk down from the root stops near it more often and moves much. Every way looks at each
//! node a few times at most, and at the nodes in their order: none is recursive, however deep a program is.

use crate::program::language::Language;
use crate::program::tree::{Tree, arity};
use crate::rng::Rng;
use mancalab_base::Error;
use rand::RngExt;
use std::fmt;
use std::str::FromStr;

/// How a point of crossover is drawn, in either parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Points {
    /// Any node alike.
    #[default]
    Uniform,
    /// Down from the root: at a node with so many arguments it stops with probability 1/(arguments + 1), and else goes into one of
    /// them, any alike.
    Walk,
    /// The same, but stopping at each node with this chance, in percent from 0 to 100; at a leaf it always stops.
    WalkStopping(u32),
    /// Any depth alike, then any node of that depth alike.
    Depth,
    /// Nine times in ten a function, any alike; else a leaf, any alike. Koza's.
    Inner,
}

/// Koza's share of functions among the points.
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
            _ => Err(format!("points takes uniform, walk, walk:P (P percent from 0 to 100), depth or inner; '{text}' is none of these").into()),
        }
    }
}

impl Points {
    /// Draws a node of the program: its number in the order of [`Tree::nodes`].
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

/// The node at which a walk from the root ends; `stops` is asked at every function, with the number of its arguments.
fn walked<L: Language>(tree: &Tree<L>, rng: &mut Rng, stops: impl Fn(usize, &mut Rng) -> bool) -> usize {
    let mut at = 0;
    loop {
        let arguments = arity::<L>(&tree.nodes()[at]);
        if arguments == 0 || stops(arguments, rng) {
            return at;
        }
        let into = rng.random_range(0..arguments);
        // Past the arguments before it: what was passed is never come back to.
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

/// How many nodes stand above each, in the order of the nodes.
pub fn levels<L: Language>(tree: &Tree<L>) -> impl Iterator<Item = usize> {
    // How many arguments are still to come of each function on the way down.
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

/// Where the `nth` that fits stands, counted from 0; there are more than `nth`.
fn nth_of(fits: impl Iterator<Item = bool>, nth: usize) -> usize {
    let mut fitting = fits.enumerate().filter(|(_, fits)| *fits).map(|(at, _)| at);
    fitting.nth(nth).unwrap_or(0)
}
