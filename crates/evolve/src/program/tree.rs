//! Programs as flat lists of nodes in prefix order: a function stands before its arguments.

use mancalab_base::Error;
use std::fmt::Write as _;

use super::language::{Language, MAX_ARITY, Node};
use crate::codec::{Decoder, Encoder};

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree<L: Language> {
    nodes: Vec<Node<L::Constant>>,
}

impl<L: Language> Tree<L> {
    /// `None` unless the nodes are exactly one program.
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

    /// Nodes that are known to be exactly one program.
    pub(crate) fn of(nodes: Vec<Node<L::Constant>>) -> Tree<L> {
        debug_assert!(Tree::<L>::new(nodes.clone()).is_some(), "{nodes:?}");
        Tree { nodes }
    }

    pub fn nodes(&self) -> &[Node<L::Constant>] {
        &self.nodes
    }

    /// How many nodes there are; a function counts one, whatever its arguments.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes on the way from the root to the farthest node, both included: 1 for a program of one node.
    pub fn depth(&self) -> usize {
        depth_of::<L>(&self.nodes)
    }

    /// Where the arguments of each node begin, in the order of the nodes.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut open: Vec<usize> = Vec::new();
        let mut children = vec![Vec::new(); self.nodes.len()];
        // From the back, the arguments of a function are the subtrees begun last.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            children[at] = (0..arity::<L>(node)).filter_map(|_| open.pop()).collect();
            open.push(at);
        }
        children
    }

    /// Where the subtree that begins at `start` ends.
    pub fn end(&self, start: usize) -> usize {
        let mut open = 1;
        let mut at = start;
        while open > 0 {
            open = open + arity::<L>(&self.nodes[at]) - 1;
            at += 1;
        }
        at
    }

    /// 64 well-mixed bits of the program, the same on every machine.
    pub fn hash(&self) -> u64 {
        let word = |node: &Node<L::Constant>| match *node {
            Node::Symbol(symbol) => u64::from(symbol) << 1,
            Node::Constant(constant) => L::bits(constant).rotate_left(8) | 1,
        };
        // Two chains, so that one does not wait for the other's products.
        let mut chains = [self.nodes.len() as u64, 0x243f_6a88_85a3_08d3];
        let mut pairs = self.nodes.chunks_exact(2);
        for pair in &mut pairs {
            chains[0] = mixed(chains[0], word(&pair[0]));
            chains[1] = mixed(chains[1], word(&pair[1]));
        }
        let last = pairs.remainder().iter().fold(chains[0], |chain, node| mixed(chain, word(node)));
        mixed(mixed(last, chains[1]), 1)
    }

    /// How often each symbol stands in the program, in the order of [`Language::SYMBOLS`]; constants come last.
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

/// How many arguments follow a node.
#[inline]
pub(crate) fn arity<L: Language>(node: &Node<L::Constant>) -> usize {
    match node {
        Node::Symbol(symbol) => L::SYMBOLS[usize::from(*symbol)].arity(),
        Node::Constant(_) => 0,
    }
}

/// See [`Tree::depth`].
fn depth_of<L: Language>(nodes: &[Node<L::Constant>]) -> usize {
    // From the end backwards a function's arguments are the last things seen.
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

/// Another word of a hash.
#[inline]
pub(crate) fn mixed(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 29)
}

impl<L: Language> Tree<L> {
    /// Writes the program for a checkpoint: constants by their texts, each text once.
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
            // A string takes everything.
            let _ = write!(text, "{constant}");
            out.text(&text);
        }
        out.small(code.len() as u64);
        code.iter().for_each(|&word| out.small(word));
    }

    /// Reads what [`encode`](Tree::encode) wrote.
    ///
    /// # Errors
    /// It is no program of this language.
    pub fn decode(from: &mut Decoder<'_>) -> Result<Tree<L>, Error> {
        let mut known = Vec::new();
        for _ in 0..from.count()? {
            let text = from.text()?;
            known.push(L::parse_constant(&text).ok_or_else(|| format!("'{text}' is no constant of a program"))?);
        }
        let mut nodes = Vec::new();
        for _ in 0..from.count()? {
            let word = from.small()? as usize;
            nodes.push(match word.checked_sub(L::SYMBOLS.len()) {
                None => Node::Symbol(word as u8),
                Some(place) => Node::Constant(*known.get(place).ok_or("a program names a constant that it has not")?),
            });
        }
        Tree::new(nodes).ok_or_else(|| "a list of nodes is no program".into())
    }
}

const _: () = assert!(MAX_ARITY < u8::MAX as usize);
