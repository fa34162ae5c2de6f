//! Programs as flat lists of nodes in prefix order: a function precedes its arguments.
//!
//! What is known of each subtree is kept beside its node. It does not depend on the subtree's place, so that a child in crossover
//! copies it, and only the nodes above the crossover point are measured again.

use mancalab_base::Error;
use std::fmt::Write as _;

use super::fold::{Args, constant_word, hashed};
use super::language::{Language, MAX_ARITY, Node, Operand};
use crate::codec::{Decoder, Encoder};

/// A complete program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree<L: Language> {
    nodes: Vec<Node<L::Constant>>,
    /// The subtree at each node.
    subtrees: Vec<Subtree<L::Constant>>,
}

/// Measures of a subtree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Subtree<C> {
    /// Number of nodes.
    size: u32,
    /// See [`Tree::depth`].
    depth: u32,
    /// See [`Tree::hash`].
    hash: u64,
    /// See [`Tree::folded`].
    folded: Operand<C>,
}

/// Where the hash of a subtree begins, and that of several programs.
pub(crate) const SEED: u64 = 0x243f_6a88_85a3_08d3;

impl<C> Subtree<C> {
    const UNMEASURED: Subtree<C> = Subtree { size: 1, depth: 0, hash: SEED, folded: Operand::Input(0) };
}

impl<L: Language> Tree<L> {
    /// Returns `None` unless the nodes are exactly one program.
    pub fn new(nodes: Vec<Node<L::Constant>>) -> Option<Tree<L>> {
        let mut open = 1;
        for (index, node) in nodes.iter().enumerate() {
            if let Node::Symbol(symbol) = node
                && usize::from(*symbol) >= L::SYMBOLS.len()
            {
                return None;
            }
            open = open + arity::<L>(node) - 1;
            if open == 0 && index + 1 < nodes.len() {
                return None;
            }
        }
        (open == 0).then(|| Tree::measured(nodes))
    }

    /// Creates a program from nodes that are known to be exactly one.
    pub(crate) fn from_nodes(nodes: Vec<Node<L::Constant>>) -> Tree<L> {
        debug_assert!(Tree::<L>::new(nodes.clone()).is_some(), "{nodes:?}");
        Tree::measured(nodes)
    }

    fn measured(nodes: Vec<Node<L::Constant>>) -> Tree<L> {
        let subtrees = vec![Subtree::UNMEASURED; nodes.len()];
        let mut tree = Tree { nodes, subtrees };
        (0..tree.size()).rev().for_each(|at| tree.measure(at));
        tree
    }

    /// Measures the subtree at a node whose arguments are measured.
    fn measure(&mut self, at: usize) {
        let args = || self.arguments(at).map(|arg| self.subtrees[arg]);
        let (word, folded) = match self.nodes[at] {
            Node::Symbol(symbol) => {
                (u64::from(symbol) << 1, hashed::<L>(symbol, &Args::collect(args().map(|arg| arg.folded))))
            }
            Node::Constant(constant) => (constant_word::<L>(constant), Operand::Constant(constant)),
        };
        let own = Subtree { hash: mixed(SEED, word), folded, ..Subtree::UNMEASURED };
        let all = args().fold(own, |all, arg| Subtree {
            size: all.size + arg.size,
            depth: all.depth.max(arg.depth),
            hash: mixed(all.hash, arg.hash),
            folded,
        });
        self.subtrees[at] = Subtree { depth: all.depth + 1, ..all };
    }

    /// Returns the program with the subtree at `start` replaced by that of another program at `from`.
    pub fn spliced(&self, start: usize, other: &Tree<L>, from: usize) -> Tree<L> {
        let end = self.end(start);
        let until = other.end(from);
        let mut tree = Tree {
            nodes: joined([&self.nodes[..start], &other.nodes[from..until], &self.nodes[end..]]),
            subtrees: joined([&self.subtrees[..start], &other.subtrees[from..until], &self.subtrees[end..]]),
        };
        self.above(start).into_iter().rev().for_each(|at| tree.measure(at));
        tree
    }

    /// Returns the nodes above a node, the root first.
    fn above(&self, place: usize) -> Vec<usize> {
        let mut above = Vec::new();
        let mut at = 0;
        while at != place {
            above.push(at);
            at += 1;
            while self.end(at) <= place {
                at = self.end(at);
            }
        }
        above
    }

    /// Returns the same program in a language with the same symbols.
    #[must_use]
    pub fn retyped<M: Language<Constant = L::Constant>>(&self) -> Tree<M> {
        debug_assert_eq!(L::SYMBOLS, M::SYMBOLS);
        Tree::measured(self.nodes.clone())
    }

    pub fn nodes(&self) -> &[Node<L::Constant>] {
        &self.nodes
    }

    /// Returns the number of nodes; a function counts as one, without its arguments.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of nodes from the root to the farthest leaf, both included: 1 for a program of one node.
    pub fn depth(&self) -> usize {
        self.subtrees[0].depth as usize
    }

    /// Returns the program's folded value, `Other` with a hash of its computations if it is computed: programs with equal ones have
    /// equal values in every context.
    pub fn folded(&self) -> Operand<L::Constant> {
        self.folded_at(0)
    }

    /// Returns the folded value of the subtree at a node.
    pub(super) fn folded_at(&self, at: usize) -> Operand<L::Constant> {
        self.subtrees[at].folded
    }

    /// Returns the indices of the arguments of a node.
    pub fn arguments(&self, at: usize) -> impl Iterator<Item = usize> {
        (0..arity::<L>(&self.nodes[at])).scan(at + 1, |next, _| {
            let arg = *next;
            *next = self.end(arg);
            Some(arg)
        })
    }

    /// Returns the indices of the arguments of each node, in the order of the nodes.
    pub fn children(&self) -> Vec<Vec<usize>> {
        (0..self.size()).map(|at| self.arguments(at).collect()).collect()
    }

    /// Returns the deepest subtrees, of this program and of another one, that have all differences in them; `None` if they are equal.
    pub fn difference(&self, other: &Tree<L>) -> Option<(usize, usize)> {
        let mut at = (0, 0);
        if self.hash() == other.hash() {
            return None;
        }
        while self.nodes[at.0] == other.nodes[at.1] {
            let pairs = self.arguments(at.0).zip(other.arguments(at.1));
            let mut differing = pairs.filter(|(own, its)| self.hash_at(*own) != other.hash_at(*its));
            match (differing.next(), differing.next()) {
                (Some(only), None) => at = only,
                _ => break,
            }
        }
        Some(at)
    }

    /// Returns the program of a subtree.
    #[must_use]
    pub fn subtree(&self, start: usize) -> Tree<L> {
        Tree::measured(self.nodes[start..self.end(start)].to_vec())
    }

    /// Returns the end of the subtree at `start`.
    pub fn end(&self, start: usize) -> usize {
        start + self.subtrees[start].size as usize
    }

    /// Returns 64 well-mixed bits of the program, the same on every machine.
    pub fn hash(&self) -> u64 {
        self.hash_at(0)
    }

    /// Returns the hash of the subtree at a node as a program of its own.
    pub fn hash_at(&self, at: usize) -> u64 {
        self.subtrees[at].hash
    }

    /// Returns how often each symbol occurs, in the order of [`Language::SYMBOLS`], then the number of constants.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; L::SYMBOLS.len() + 1];
        for node in &self.nodes {
            match node {
                Node::Symbol(symbol) => counts[usize::from(*symbol)] += 1,
                Node::Constant(_) => counts[L::SYMBOLS.len()] += 1,
            }
        }
        counts
    }
}

/// Joins slices. `concat` would clone one element after another, as these are generic.
fn joined<T: Copy>(parts: [&[T]; 3]) -> Vec<T> {
    let mut all = Vec::with_capacity(parts.iter().map(|part| part.len()).sum());
    parts.into_iter().for_each(|part| all.extend(part.iter().copied()));
    all
}

/// Returns the number of arguments of a node.
#[inline]
pub(crate) fn arity<L: Language>(node: &Node<L::Constant>) -> usize {
    match node {
        Node::Symbol(symbol) => L::SYMBOLS[usize::from(*symbol)].arity(),
        Node::Constant(_) => 0,
    }
}

/// Adds a word to a hash.
#[inline]
pub(crate) fn mixed(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 29)
}

impl<L: Language> Tree<L> {
    /// Encodes the program for a checkpoint. Each distinct constant is stored once, as text.
    pub fn encode(&self, out: &mut Encoder) {
        let mut known: Vec<L::Constant> = Vec::new();
        let mut code = Vec::with_capacity(self.nodes.len());
        let symbols = L::CODED as u64;
        for node in &self.nodes {
            code.push(match *node {
                Node::Symbol(symbol) => u64::from(symbol),
                Node::Constant(constant) => {
                    let place = known.iter().position(|&other| other == constant).unwrap_or_else(|| {
                        known.push(constant);
                        known.len() - 1
                    });
                    symbols + place as u64
                }
            });
        }
        let later = known.len() as u64;
        for (word, node) in code.iter_mut().zip(&self.nodes) {
            if matches!(node, Node::Symbol(symbol) if usize::from(*symbol) >= L::CODED) {
                *word += later;
            }
        }
        out.small(known.len() as u64);
        let mut text = String::new();
        for constant in known {
            text.clear();
            // Writing to a string cannot fail.
            let _ = write!(text, "{constant}");
            out.text(&text);
        }
        out.small(code.len() as u64);
        code.iter().for_each(|&word| out.small(word));
    }

    /// Decodes the result of [`encode`](Tree::encode).
    ///
    /// # Errors
    /// Returns an error if it is not a program of this language.
    pub fn decode(from: &mut Decoder<'_>) -> Result<Tree<L>, Error> {
        let mut known = Vec::new();
        for _ in 0..from.count()? {
            let text = from.text()?;
            known.push(L::parse_constant(&text).ok_or_else(|| format!("invalid constant '{text}' in a program"))?);
        }
        let mut nodes = Vec::new();
        for _ in 0..from.count()? {
            let word = from.small()? as usize;
            let later = word.checked_sub(L::CODED + known.len()).map(|later| L::CODED + later);
            nodes.push(match (word.checked_sub(L::CODED), later) {
                (None, _) => Node::Symbol(word as u8),
                (Some(place), None) => Node::Constant(known[place]),
                (_, Some(symbol)) if symbol < L::SYMBOLS.len() => Node::Symbol(symbol as u8),
                (_, Some(_)) => return Err("a program refers to a missing constant".into()),
            });
        }
        Tree::new(nodes).ok_or_else(|| "a list of nodes is not a program".into())
    }
}

const _: () = assert!(MAX_ARITY < u8::MAX as usize);
