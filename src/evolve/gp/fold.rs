//! Folding: what can be known of a program before it runs.
//!
//! A program becomes a list of distinct computations, each after those it needs, with constants folded, branches that are
//! never taken left out, and equal expressions computed once. The tape is made of it, and the simplified program for people.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::language::{Language, MAX_ARITY, Operand};
use super::tree::{Mix, Node, Tree, arity};

impl Default for Mix {
    fn default() -> Mix {
        Mix(0)
    }
}

type Known<C> = HashMap<Computation<C>, u32, BuildHasherDefault<Mix>>;

/// A function of operands; those past its arity are all the same filler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Computation<C> {
    pub symbol: u8,
    pub args: [Operand<C>; MAX_ARITY],
}

/// A folded program.
pub(super) struct Folded<L: Language> {
    /// `Operand::Other(n)` names the `n`th; each uses earlier ones only.
    pub steps: Vec<Computation<L::Constant>>,
    pub result: Operand<L::Constant>,
}

impl<L: Language> Folded<L> {
    pub fn new(tree: &Tree<L>) -> Folded<L> {
        let mut known: Known<L::Constant> = HashMap::default();
        let mut steps: Vec<Computation<L::Constant>> = Vec::new();
        let mut stack: Vec<Operand<L::Constant>> = Vec::with_capacity(64);
        // From the end backwards, a function's arguments lie on top of the stack, the first one uppermost.
        for node in tree.nodes().iter().rev() {
            let symbol = match *node {
                Node::Constant(constant) => {
                    stack.push(Operand::Constant(constant));
                    continue;
                }
                Node::Symbol(symbol) => symbol,
            };
            let arity = arity::<L>(node);
            let from = stack.len() - arity;
            let mut args = [Operand::Input(0); MAX_ARITY];
            for (arg, operand) in args.iter_mut().zip(stack[from..].iter().rev()) {
                *arg = *operand;
            }
            stack.truncate(from);
            let folded = L::fold(symbol, &args[..arity]).or_else(|| all_constant::<L>(symbol, &args[..arity]));
            stack.push(folded.unwrap_or_else(|| {
                let step = Computation { symbol, args };
                Operand::Other(*known.entry(step).or_insert_with(|| {
                    steps.push(step);
                    steps.len() as u32 - 1
                }))
            }));
        }
        let result = stack.pop().unwrap_or(Operand::Input(0));
        Folded { steps, result }
    }

    /// Leaves out what the result does not need.
    #[must_use]
    pub fn pruned(self) -> Folded<L> {
        let mut needed = vec![false; self.steps.len()];
        let mark = |needed: &mut Vec<bool>, operand: Operand<L::Constant>| {
            if let Operand::Other(step) = operand {
                needed[step as usize] = true;
            }
        };
        mark(&mut needed, self.result);
        for (at, step) in self.steps.iter().enumerate().rev() {
            if needed[at] {
                step.args.iter().for_each(|&arg| mark(&mut needed, arg));
            }
        }
        self.renumbered(&needed)
    }

    fn renumbered(self, needed: &[bool]) -> Folded<L> {
        let mut place = vec![0; needed.len()];
        let mut steps: Vec<Computation<L::Constant>> = Vec::with_capacity(needed.len());
        let moved = |place: &[u32], operand| match operand {
            Operand::Other(step) => Operand::Other(place[step as usize]),
            known => known,
        };
        for (at, step) in self.steps.iter().enumerate().filter(|(at, _)| needed[*at]) {
            place[at] = steps.len() as u32;
            steps.push(Computation { symbol: step.symbol, args: step.args.map(|arg| moved(&place, arg)) });
        }
        Folded { steps, result: moved(&place, self.result) }
    }
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

/// A program with the same value everywhere, and no more nodes: constants folded, branches that are never taken left out.
pub fn simplified<L: Language>(tree: &Tree<L>) -> Tree<L> {
    let folded = Folded::new(tree);
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
    Tree::of(nodes)
}
