//! Growing programs at random.

use super::language::{Language, Node};
use super::tree::{Tree, arity};
use crate::rng::Rng;
use rand::RngExt;

/// Which parts of a language programs are grown from. The text of a symbol's name enables it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grammar<L: Language> {
    /// Symbols with arguments.
    functions: Vec<u8>,
    /// Symbols without; a constant is one choice more.
    inputs: Vec<u8>,
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
        Grammar { functions: of(true), inputs: of(false), language: std::marker::PhantomData }
    }

    /// The functions called by `names`, with all inputs and constants.
    ///
    /// # Errors
    /// A name is unknown, or there is none: a sentence with the known ones.
    pub fn with_functions<S: AsRef<str>>(names: &[S]) -> Result<Grammar<L>, String> {
        let known: Vec<&str> =
            L::SYMBOLS.iter().filter(|symbol| symbol.arity() > 0).map(|symbol| symbol.name).collect();
        let unknown = names.iter().find(|name| !known.contains(&name.as_ref()));
        if let Some(name) = unknown {
            return Err(format!("no function is called '{}'; known: {}", name.as_ref(), known.join(", ")));
        }
        if names.is_empty() {
            return Err(format!("programs need at least one function; known: {}", known.join(", ")));
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

    /// The same program; `None` if it would have more than `most` nodes, which are then not made.
    pub(crate) fn program_within(&self, depth: usize, most: usize, rng: &mut Rng) -> Option<Tree<L>> {
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
        let choice = if self.inputs.is_empty() { 0 } else { rng.random_range(0..=self.inputs.len()) };
        match self.inputs.get(choice) {
            Some(&input) => Node::Symbol(input),
            None => Node::Constant(L::draw(rng)),
        }
    }
}
