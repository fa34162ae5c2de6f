//! Constant folding and common subexpression elimination.
//!
//! A program becomes a list of distinct computations in dependency order, with constants folded, dead branches removed and
//! equal expressions computed once. Both the tape and the simplified program are made from it.
//!
//! Calls are inlined, with the arguments in place of the parameters. As an argument is the number of a computation, however
//! large it is, nested calls cost no more than their bodies.

use foldhash::{HashMap, HashMapExt as _};

use super::language::{Language, MAX_ARITY, Node, Operand, Part};
use super::tree::{Tree, arity, mixed};

/// A function of operands; operands beyond its arity are identical fillers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Computation<C> {
    pub symbol: u8,
    pub args: [Operand<C>; MAX_ARITY],
}

/// A folded program.
pub struct FoldedProgram<L: Language> {
    /// `Operand::Other(n)` refers to step `n`; each step uses earlier ones only.
    pub steps: Vec<Computation<L::Constant>>,
    pub result: Operand<L::Constant>,
}

/// Distinct computations in order of first occurrence.
struct Distinct<L: Language> {
    steps: Vec<Computation<L::Constant>>,
    /// Open-addressing hash table of step numbers with linear probing. Never full, so that every search ends.
    table: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl<L: Language> Distinct<L> {
    /// Creates a table with space for `usual` nodes without growing.
    fn new(usual: usize) -> Distinct<L> {
        // Functions are at most three quarters of the nodes.
        let size = (usual + usual / 2 + 8).next_power_of_two();
        Distinct { steps: Vec::with_capacity(usual / 4), table: vec![EMPTY; size] }
    }

    fn number(&mut self, symbol: u8, args: &Args<L>) -> u64 {
        let step = Computation { symbol, args: args.all };
        match self.find(&step, args.hash(symbol)) {
            Ok(number) => number.into(),
            Err(free) => {
                let number = self.steps.len() as u32;
                self.table[free] = number;
                self.steps.push(step);
                if self.steps.len() * 8 > self.table.len() * 7 {
                    self.grow();
                }
                number.into()
            }
        }
    }

    /// Returns the number of a known step, or the table index for a new one.
    fn find(&self, step: &Computation<L::Constant>, hash: u64) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.table[at] {
                EMPTY => return Err(at),
                number if self.steps[number as usize] == *step => return Ok(number),
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.table = vec![EMPTY; 2 * self.table.len()];
        for number in 0..self.steps.len() {
            let step = &self.steps[number];
            let args = Args::<L> { all: step.args, count: arity::<L>(&Node::Symbol(step.symbol)) };
            if let Err(free) = self.find(step, args.hash(step.symbol)) {
                self.table[free] = number as u32;
            }
        }
    }

    /// Folds a function of folded arguments.
    #[inline]
    fn folded(&mut self, symbol: u8, args: &Args<L>) -> Operand<L::Constant> {
        simpler(symbol, args).unwrap_or_else(|| Operand::Other(self.number(symbol, args)))
    }

    /// Folds a program and returns its result. `args` replace its parameters, if there are any; `defined` is the definition
    /// that it calls.
    #[inline]
    fn fold(
        &mut self,
        tree: &Tree<L>,
        args: &[Operand<L::Constant>],
        defined: Option<&Tree<L>>,
    ) -> Operand<L::Constant> {
        let mut stack: Vec<Operand<L::Constant>> = Vec::with_capacity(64);
        // In reverse prefix order a function's arguments are on top of the stack, the first one uppermost.
        for node in tree.nodes().iter().rev() {
            let symbol = match *node {
                Node::Constant(constant) => {
                    stack.push(Operand::Constant(constant));
                    continue;
                }
                Node::Symbol(symbol) => symbol,
            };
            let from = stack.len() - arity::<L>(node);
            let own = Args::collect(stack.drain(from..).rev());
            stack.push(match (L::part(symbol), defined) {
                (Part::Call, Some(body)) => self.fold(body, own.get(), None),
                (Part::Parameter(number), _) if usize::from(number) < args.len() => args[usize::from(number)],
                _ => self.folded(symbol, &own),
            });
        }
        stack.pop().unwrap_or(Operand::Input(0))
    }
}

/// Returns 64 well-mixed bits of a constant. No bit may be lost, the highest of a double being its sign, and none may be equal to a symbol's
/// or an input's.
#[inline]
pub(super) fn constant_word<L: Language>(constant: L::Constant) -> u64 {
    mixed(0x5851_f42d_4c95_7f2d, L::bits(constant))
}

/// The folded arguments of a function.
pub(super) struct Args<L: Language> {
    all: [Operand<L::Constant>; MAX_ARITY],
    count: usize,
}

impl<L: Language> Args<L> {
    #[inline]
    pub fn collect(operands: impl Iterator<Item = Operand<L::Constant>>) -> Args<L> {
        let mut args = Args { all: [Operand::Input(0); MAX_ARITY], count: 0 };
        for (arg, operand) in args.all.iter_mut().zip(operands) {
            *arg = operand;
            args.count += 1;
        }
        args
    }

    fn get(&self) -> &[Operand<L::Constant>] {
        &self.all[..self.count]
    }

    /// Returns 64 well-mixed bits of a function of these arguments.
    #[inline]
    fn hash(&self, symbol: u8) -> u64 {
        let word = |operand: &Operand<L::Constant>| match *operand {
            Operand::Constant(constant) => constant_word::<L>(constant),
            Operand::Input(input) => u64::from(input) << 2 | 1,
            Operand::Other(number) => number.rotate_left(2) ^ 2,
        };
        // Symbols and inputs are small numbers: without a mixed symbol `max white x` has the hash of `* black x`.
        self.get().iter().fold(mixed(1 << 32, symbol.into()), |hash, arg| mixed(hash, word(arg)))
    }
}

/// Folds a function of folded arguments as [`FoldedProgram`] does, without a list of computations: what does not fold is numbered by a hash.
/// That two of millions of programs get the same number by chance has a probability of about one in a million.
pub(super) fn hashed<L: Language>(symbol: u8, args: &Args<L>) -> Operand<L::Constant> {
    simpler(symbol, args).unwrap_or_else(|| Operand::Other(mixed(args.hash(symbol), args.count as u64)))
}

impl<L: Language> FoldedProgram<L> {
    /// Folds a program that calls no definition: lists what its value depends on, as [`Tree::folded`] is known of each subtree.
    pub fn new(tree: &Tree<L>) -> FoldedProgram<L> {
        let mut steps = Vec::new();
        let mut known = HashMap::with_capacity(tree.size() / 4);
        // Nodes, and whether what their arguments depend on is listed.
        let mut open = vec![(0, false)];
        while let Some((at, has_args)) = open.pop() {
            let (folded, Node::Symbol(symbol)) = (tree.folded_at(at), tree.nodes()[at]) else { continue };
            let Operand::Other(hash) = folded else { continue };
            if has_args {
                let args = tree.arguments(at).map(|arg| numbered(tree.folded_at(arg), &known));
                let args = Args::<L>::collect(args).all;
                known.insert(hash, steps.len() as u64);
                steps.push(Computation { symbol, args });
            } else if !known.contains_key(&hash) {
                let same = tree.arguments(at).find(|&arg| tree.folded_at(arg) == folded);
                open.push((same.unwrap_or(at), same.is_none()));
                if same.is_none() {
                    open.extend(tree.arguments(at).map(|arg| (arg, false)));
                }
            }
        }
        FoldedProgram { steps, result: numbered(tree.folded(), &known) }
    }

    /// Folds a program that may call `defined`, which itself calls nothing.
    pub fn with(tree: &Tree<L>, defined: &Tree<L>) -> FoldedProgram<L> {
        let mut distinct = Distinct::<L>::new(tree.size());
        let result = distinct.fold(tree, &[], Some(defined));
        FoldedProgram { steps: distinct.steps, result }
    }

    /// Returns which steps the result depends on.
    pub fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        if let Operand::Other(step) = self.result {
            needed[step as usize] = true;
        }
        for (at, step) in self.steps.iter().enumerate().rev() {
            if needed[at] {
                for arg in step.args {
                    if let Operand::Other(step) = arg {
                        needed[step as usize] = true;
                    }
                }
            }
        }
        needed
    }
}

/// Returns an operand with the number of its step in place of its hash.
fn numbered<C>(operand: Operand<C>, known: &HashMap<u64, u64>) -> Operand<C> {
    match operand {
        Operand::Other(hash) => Operand::Other(known[&hash]),
        other => other,
    }
}

/// Returns which nodes the value of a program depends on, in order: not the arguments of constant expressions, nor dead
/// branches.
pub fn needed<L: Language>(tree: &Tree<L>) -> Vec<bool> {
    let nodes = tree.nodes();
    let children = tree.children();
    let mut distinct = Distinct::<L>::new(tree.size());
    let mut operands = vec![Operand::Input(0); nodes.len()];
    // The folded operands of functions that fold.
    let mut folded = vec![None; nodes.len()];
    for at in (0..nodes.len()).rev() {
        operands[at] = match nodes[at] {
            Node::Constant(constant) => Operand::Constant(constant),
            Node::Symbol(symbol) => {
                let args = Args::collect(children[at].iter().map(|&child| operands[child]));
                folded[at] = simpler(symbol, &args);
                distinct.folded(symbol, &args)
            }
        };
    }
    let mut needed = vec![false; nodes.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        needed[at] = true;
        // A function that folds to one of its arguments needs only this one; a constant function needs none.
        let stands_for = folded[at].and_then(|to| children[at].iter().find(|&&child| operands[child] == to).copied());
        match (folded[at], stands_for) {
            (Some(_), Some(child)) => open.push(child),
            (Some(Operand::Constant(_)), None) => {}
            _ => open.extend(&children[at]),
        }
    }
    needed
}

/// Returns a constant, an input or an argument with the value of the function, if there is one.
#[inline]
fn simpler<L: Language>(symbol: u8, args: &Args<L>) -> Option<Operand<L::Constant>> {
    L::fold(symbol, args.get()).or_else(|| all_constant::<L>(symbol, args.get()))
}

fn all_constant<L: Language>(symbol: u8, args: &[Operand<L::Constant>]) -> Option<Operand<L::Constant>> {
    if !L::is_closed(symbol) || args.is_empty() {
        return None;
    }
    let mut values = [L::Value::default(); MAX_ARITY];
    for (value, arg) in values.iter_mut().zip(args) {
        let Operand::Constant(constant) = arg else { return None };
        *value = L::value(*constant);
    }
    let value = L::apply(symbol, |arg| values[arg], |_| L::Value::default());
    L::constant(value).map(Operand::Constant)
}

/// Returns an equivalent program with at most as many nodes: constants folded, dead branches removed.
pub fn simplified<L: Language>(tree: &Tree<L>) -> Tree<L> {
    let folded = FoldedProgram::new(tree);
    let mut nodes = Vec::new();
    let mut open = vec![folded.result];
    while let Some(operand) = open.pop() {
        match operand {
            Operand::Constant(constant) => nodes.push(Node::Constant(constant)),
            Operand::Input(input) => nodes.extend(L::input_nodes(input)),
            Operand::Other(step) => {
                let step = &folded.steps[step as usize];
                nodes.push(Node::Symbol(step.symbol));
                open.extend(step.args[..arity::<L>(&Node::Symbol(step.symbol))].iter().rev());
            }
        }
    }
    Tree::from_nodes(nodes)
}
