//! Random generation of programs.

use super::language::{Language, Node};
use super::tree::{Tree, arity};
use crate::rng::Rng;
use mancalab_base::{Error, bail};
use rand::RngExt;

/// The name of constants in lists of symbols.
pub const CONSTANT: &str = "constant";

/// The symbols of a language that programs are grown from, enabled by name.
#[derive(Clone, Debug)]
pub struct Grammar<L: Language> {
    /// Symbols with arguments.
    functions: Vec<u8>,
    /// Symbols without arguments.
    inputs: Vec<u8>,
    /// Whether a leaf may be a constant.
    constants: bool,
    /// Draws a constant.
    draw: fn(&mut Rng) -> L::Constant,
}

impl<L: Language> Grammar<L> {
    /// Returns a grammar of the whole language.
    pub fn whole() -> Grammar<L> {
        Grammar::from_symbols(|_| true)
    }

    fn from_symbols(enabled: impl Fn(u8) -> bool) -> Grammar<L> {
        let of = |with_arguments: bool| {
            let all = (0..L::SYMBOLS.len() as u8).filter(|&symbol| enabled(symbol));
            all.filter(|&symbol| (L::SYMBOLS[usize::from(symbol)].arity() > 0) == with_arguments).collect()
        };
        Grammar { functions: of(true), inputs: of(false), constants: true, draw: L::draw }
    }

    /// Returns a grammar of the functions and inputs in `names`, with constants if they contain [`CONSTANT`].
    ///
    /// # Errors
    /// Returns an error with the known names if one is unknown or if there is no function or no leaf.
    pub fn with_symbols<S: AsRef<str>>(names: &[S]) -> Result<Grammar<L>, Error> {
        let named = |name: &str| names.iter().any(|named| named.as_ref() == name);
        let known = |functions: bool| {
            let symbols = L::SYMBOLS.iter().filter(|symbol| (symbol.arity() > 0) == functions);
            let names: Vec<&str> = symbols.map(|symbol| symbol.name).chain((!functions).then_some(CONSTANT)).collect();
            names
        };
        let all = [known(true), known(false)].concat();
        if let Some(name) = names.iter().map(AsRef::as_ref).find(|name| !all.contains(name)) {
            bail!("no function or input is named '{name}'; known: {}", all.join(", "));
        }
        let grammar = Grammar::<L> {
            constants: named(CONSTANT),
            ..Grammar::from_symbols(|symbol| named(L::SYMBOLS[usize::from(symbol)].name))
        };
        if grammar.functions.is_empty() {
            bail!("programs need at least one function; known: {}", known(true).join(", "));
        }
        if grammar.leaves() == 0 {
            bail!("programs need at least one input or constant; known: {}", known(false).join(", "));
        }
        Ok(grammar)
    }

    /// Makes it draw the constants of another language.
    #[must_use]
    pub fn with_constants_of<M: Language<Constant = L::Constant>>(self) -> Grammar<L> {
        Grammar { draw: M::draw, ..self }
    }

    /// Grows a program whose root is a function. Each node below is a function or a leaf with equal probability, uniform over
    /// all functions and over all leaves. No node is deeper than `depth`, which must be at least 2.
    pub fn program(&self, depth: usize, rng: &mut Rng) -> Tree<L> {
        self.program_within(depth, usize::MAX, rng).unwrap_or_else(|| unreachable!("there is room for any program"))
    }

    /// Grows a program all of whose leaves are at `depth`, at least 1: J. R. Koza's full method. `None` if it would have more
    /// than `most` nodes.
    pub fn full(&self, depth: usize, most: usize, rng: &mut Rng) -> Option<Tree<L>> {
        self.tree(depth, most, |_, left| left > 1, rng)
    }

    /// Grows a program of at most `depth`, at least 1: J. R. Koza's grow method. Nodes above that depth are uniform over all
    /// functions and leaves, but the root is a function if the depth allows arguments. `None` if it would have more than `most`
    /// nodes.
    pub fn grown(&self, depth: usize, most: usize, rng: &mut Rng) -> Option<Tree<L>> {
        let symbols = self.functions.len() + self.leaves();
        let is_function = |rng: &mut Rng, left: usize| {
            left > 1 && (left == depth || rng.random_range(0..symbols) < self.functions.len())
        };
        self.tree(depth, most, is_function, rng)
    }

    /// Grows a program. `is_function` decides whether a node is a function, given the maximum depth of its subtree.
    fn tree(
        &self,
        depth: usize,
        most: usize,
        is_function: impl Fn(&mut Rng, usize) -> bool,
        rng: &mut Rng,
    ) -> Option<Tree<L>> {
        let mut nodes = Vec::new();
        // Maximum depths of the missing arguments, the next one last.
        let mut open = vec![depth];
        while let Some(left) = open.pop() {
            let node = if is_function(rng, left) { Node::Symbol(self.function(rng)) } else { self.leaf(rng) };
            open.extend(std::iter::repeat_n(left.saturating_sub(1), arity::<L>(&node)));
            nodes.push(node);
            if nodes.len() + open.len() > most {
                return None;
            }
        }
        Some(Tree::from_nodes(nodes))
    }

    /// Returns the number of different leaves.
    fn leaves(&self) -> usize {
        self.inputs.len() + usize::from(self.constants)
    }

    /// As [`program`](Grammar::program); `None`, without building the nodes, if there would be more than `most`.
    pub fn program_within(&self, depth: usize, most: usize, rng: &mut Rng) -> Option<Tree<L>> {
        let mut nodes = vec![Node::Symbol(self.function(rng))];
        self.arguments(&mut nodes, depth, most, rng).then(|| Tree::from_nodes(nodes))
    }

    /// Grows the arguments of the function at the end of `nodes`, at most `depth` deep including the function. Returns false,
    /// with the program incomplete, if there would be more than `most` nodes.
    pub(crate) fn arguments(
        &self,
        nodes: &mut Vec<Node<L::Constant>>,
        depth: usize,
        most: usize,
        rng: &mut Rng,
    ) -> bool {
        // Number of missing arguments at each depth.
        let owed = nodes.last().map_or(0, arity::<L>);
        let mut open = vec![owed];
        while let Some(left) = open.last_mut() {
            if *left == 0 {
                open.pop();
                continue;
            }
            if nodes.len() >= most {
                return false;
            }
            *left -= 1;
            let node = if open.len() + 1 < depth && rng.random_bool(0.5) {
                Node::Symbol(self.function(rng))
            } else {
                self.leaf(rng)
            };
            nodes.push(node);
            match arity::<L>(&node) {
                0 => {}
                arity => open.push(arity),
            }
        }
        true
    }

    fn function(&self, rng: &mut Rng) -> u8 {
        self.functions[rng.random_range(0..self.functions.len())]
    }

    fn leaf(&self, rng: &mut Rng) -> Node<L::Constant> {
        // A single choice needs no draw.
        let choice = if self.leaves() == 1 { 0 } else { rng.random_range(0..self.leaves()) };
        match self.inputs.get(choice) {
            Some(&input) => Node::Symbol(input),
            None => Node::Constant((self.draw)(rng)),
        }
    }
}
