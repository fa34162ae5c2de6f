//! Growing programs at random.

use super::language::{Language, Node};
use super::tree::{Tree, arity};
use crate::rng::Rng;
use mancalab_base::{Error, bail};
use rand::RngExt;

/// What constants are called where symbols are chosen by name.
pub const CONSTANT: &str = "constant";

/// Which parts of a language programs are grown from. The text of a symbol's name enables it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grammar<L: Language> {
    /// Symbols with arguments.
    functions: Vec<u8>,
    /// Symbols without.
    inputs: Vec<u8>,
    /// A constant is one choice more.
    constants: bool,
    language: std::marker::PhantomData<L>,
}

impl<L: Language> Grammar<L> {
    /// The whole language.
    pub fn whole() -> Grammar<L> {
        Grammar::from_symbols(|_| true)
    }

    fn from_symbols(enabled: impl Fn(u8) -> bool) -> Grammar<L> {
        let of = |with_arguments: bool| {
            let all = (0..L::SYMBOLS.len() as u8).filter(|&symbol| enabled(symbol));
            all.filter(|&symbol| (L::SYMBOLS[usize::from(symbol)].arity() > 0) == with_arguments).collect()
        };
        Grammar { functions: of(true), inputs: of(false), constants: true, language: std::marker::PhantomData }
    }

    /// The functions and inputs called by `names`, and constants if [`CONSTANT`] is among them.
    ///
    /// # Errors
    /// A name is unknown, or there is no function, or nothing that could be its argument: a sentence with the known ones.
    pub fn with_symbols<S: AsRef<str>>(names: &[S]) -> Result<Grammar<L>, Error> {
        let named = |name: &str| names.iter().any(|named| named.as_ref() == name);
        let known = |functions: bool| {
            let symbols = L::SYMBOLS.iter().filter(|symbol| (symbol.arity() > 0) == functions);
            let names: Vec<&str> = symbols.map(|symbol| symbol.name).chain((!functions).then_some(CONSTANT)).collect();
            names
        };
        let all = [known(true), known(false)].concat();
        if let Some(name) = names.iter().map(AsRef::as_ref).find(|name| !all.contains(name)) {
            bail!("no function or input is called '{name}'; known: {}", all.join(", "));
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

    /// The functions called by `names`, with all inputs and constants.
    ///
    /// # Errors
    /// A name is unknown, or there is none: a sentence with the known ones.
    pub fn with_functions<S: AsRef<str>>(names: &[S]) -> Result<Grammar<L>, Error> {
        let known: Vec<&str> =
            L::SYMBOLS.iter().filter(|symbol| symbol.arity() > 0).map(|symbol| symbol.name).collect();
        let unknown = names.iter().find(|name| !known.contains(&name.as_ref()));
        if let Some(name) = unknown {
            bail!("no function is called '{}'; known: {}", name.as_ref(), known.join(", "));
        }
        if names.is_empty() {
            bail!("programs need at least one function; known: {}", known.join(", "));
        }
        Ok(Grammar::from_symbols(|symbol| {
            let symbol = &L::SYMBOLS[usize::from(symbol)];
            symbol.arity() == 0 || names.iter().any(|name| name.as_ref() == symbol.name)
        }))
    }

    /// A program whose root is a function; below it each node is a function or a leaf with equal chances, all functions alike
    /// and all leaves alike, and no node deeper than `depth`, which must be at least 2.
    pub fn program(&self, depth: usize, rng: &mut Rng) -> Tree<L> {
        self.program_within(depth, usize::MAX, rng).unwrap_or_else(|| unreachable!("there is room for any program"))
    }

    /// A program all of whose leaves are `depth` deep, at least 1: the full method of J. R. Koza.
    /// `None` if it would have more than `most` nodes.
    pub fn full(&self, depth: usize, most: usize, rng: &mut Rng) -> Option<Tree<L>> {
        self.tree(depth, most, |_, left| left > 1, rng)
    }

    /// A program no deeper than `depth`, at least 1: every node above that depth is any of the functions and leaves, all alike,
    /// but the root is a function where there is room for its arguments. The grow method of J. R. Koza.
    /// `None` if it would have more than `most` nodes.
    pub fn grown(&self, depth: usize, most: usize, rng: &mut Rng) -> Option<Tree<L>> {
        let symbols = self.functions.len() + self.leaves();
        let is_function = |rng: &mut Rng, left: usize| {
            left > 1 && (left == depth || rng.random_range(0..symbols) < self.functions.len())
        };
        self.tree(depth, most, is_function, rng)
    }

    /// A program each of whose nodes is a function if `is_function` says so, which is told how deep what begins with it may be.
    fn tree(
        &self,
        depth: usize,
        most: usize,
        is_function: impl Fn(&mut Rng, usize) -> bool,
        rng: &mut Rng,
    ) -> Option<Tree<L>> {
        let mut nodes = Vec::new();
        // How deep each argument that is still owed may be, the next one last.
        let mut open = vec![depth];
        while let Some(left) = open.pop() {
            let node = if is_function(rng, left) { Node::Symbol(self.function(rng)) } else { self.leaf(rng) };
            open.extend(std::iter::repeat_n(left.saturating_sub(1), arity::<L>(&node)));
            nodes.push(node);
            if nodes.len() + open.len() > most {
                return None;
            }
        }
        Some(Tree::of(nodes))
    }

    /// How many kinds of leaves there are.
    fn leaves(&self) -> usize {
        self.inputs.len() + usize::from(self.constants)
    }

    /// A [`program`](Grammar::program); `None` if it would have more than `most` nodes, which are then not made.
    pub fn program_within(&self, depth: usize, most: usize, rng: &mut Rng) -> Option<Tree<L>> {
        let mut nodes = vec![Node::Symbol(self.function(rng))];
        self.arguments(&mut nodes, depth, most, rng).then(|| Tree::of(nodes))
    }

    /// Gives the function at the end of `nodes` its arguments, so that it is at most `depth` deep itself. Leaves it unfinished if
    /// there would be more than `most` nodes; gives whether it is finished.
    pub(crate) fn arguments(
        &self,
        nodes: &mut Vec<Node<L::Constant>>,
        depth: usize,
        most: usize,
        rng: &mut Rng,
    ) -> bool {
        // How many arguments are still owed at each depth.
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
        // Nothing is drawn where there is nothing to choose.
        let choice = if self.leaves() == 1 { 0 } else { rng.random_range(0..self.leaves()) };
        match self.inputs.get(choice) {
            Some(&input) => Node::Symbol(input),
            None => Node::Constant(L::draw(rng)),
        }
    }
}
