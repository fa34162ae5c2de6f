//! Programs as flat lists of nodes in prefix order: a function precedes its arguments.

use mancalab_base::Error;
use std::fmt::Write as _;

use super::language::{Language, MAX_ARITY, Node};
use crate::codec::{Decoder, Encoder};

/// A complete program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree<L: Language> {
    nodes: Vec<Node<L::Constant>>,
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
        (open == 0).then_some(Tree { nodes })
    }

    /// Creates a program from nodes that are known to be exactly one.
    pub(crate) fn of(nodes: Vec<Node<L::Constant>>) -> Tree<L> {
        debug_assert!(Tree::<L>::new(nodes.clone()).is_some(), "{nodes:?}");
        Tree { nodes }
    }

    /// Returns the same program in a language with the same symbols.
    #[must_use]
    pub fn retyped<M: Language<Constant = L::Constant>>(&self) -> Tree<M> {
        debug_assert_eq!(L::SYMBOLS, M::SYMBOLS);
        Tree { nodes: self.nodes.clone() }
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
        depth_of::<L>(&self.nodes)
    }

    /// Returns the indices of the arguments of each node, in the order of the nodes.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut open: Vec<usize> = Vec::new();
        let mut children = vec![Vec::new(); self.nodes.len()];
        // In reverse order the arguments of a function are the most recent subtrees.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            children[at] = (0..arity::<L>(node)).filter_map(|_| open.pop()).collect();
            open.push(at);
        }
        children
    }

    /// Returns the end of the subtree at `start`.
    pub fn end(&self, start: usize) -> usize {
        let mut open = 1;
        let mut at = start;
        while open > 0 {
            open = open + arity::<L>(&self.nodes[at]) - 1;
            at += 1;
        }
        at
    }

    /// Returns 64 well-mixed bits of the program, the same on every machine.
    pub fn hash(&self) -> u64 {
        let word = |node: &Node<L::Constant>| match *node {
            Node::Symbol(symbol) => u64::from(symbol) << 1,
            Node::Constant(constant) => L::bits(constant).rotate_left(8) | 1,
        };
        // Two chains, so that their multiplications overlap.
        let mut chains = [self.nodes.len() as u64, 0x243f_6a88_85a3_08d3];
        let mut pairs = self.nodes.chunks_exact(2);
        for pair in &mut pairs {
            chains[0] = mixed(chains[0], word(&pair[0]));
            chains[1] = mixed(chains[1], word(&pair[1]));
        }
        let last = pairs.remainder().iter().fold(chains[0], |chain, node| mixed(chain, word(node)));
        mixed(mixed(last, chains[1]), 1)
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

/// Returns the number of arguments of a node.
#[inline]
pub(crate) fn arity<L: Language>(node: &Node<L::Constant>) -> usize {
    match node {
        Node::Symbol(symbol) => L::SYMBOLS[usize::from(*symbol)].arity(),
        Node::Constant(_) => 0,
    }
}

/// See [`Tree::depth`].
fn depth_of<L: Language>(nodes: &[Node<L::Constant>]) -> usize {
    // In reverse order a function's arguments are the most recent values.
    let mut depths: Vec<u32> = Vec::with_capacity(64);
    for node in nodes.iter().rev() {
        let arity = arity::<L>(node);
        if arity == 0 {
            depths.push(1);
            continue;
        }
        let mut deepest = 0;
        for _ in 0..arity {
            deepest = deepest.max(depths.pop().unwrap_or(0));
        }
        depths.push(deepest + 1);
    }
    depths.pop().unwrap_or(0) as usize
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
        let symbols = L::SYMBOLS.len() as u64;
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
            nodes.push(match word.checked_sub(L::SYMBOLS.len()) {
                None => Node::Symbol(word as u8),
                Some(place) => Node::Constant(*known.get(place).ok_or("a program refers to a missing constant")?),
            });
        }
        Tree::new(nodes).ok_or_else(|| "a list of nodes is not a program".into())
    }
}

const _: () = assert!(MAX_ARITY < u8::MAX as usize);
