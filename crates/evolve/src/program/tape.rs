//! Programs made ready to run: a list of instructions over numbered values, gone through once from front to back.
//!
//! The values are the inputs, then the constants, then each instruction's result, so an instruction reads its arguments by number
//! and nothing is pushed, popped or called.

use super::fold::Folded;
use super::language::{Language, MAX_ARITY, Operand};
use super::tree::Tree;

#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub symbol: u8,
    /// Numbers of values.
    pub args: [u32; MAX_ARITY],
}

/// A program ready to run; the same tape may run any number of times.
#[derive(Clone, Debug)]
pub struct Tape<L: Language> {
    code: Vec<Instruction>,
    /// Inputs, constants, results.
    values: Vec<L::Value>,
    /// Where the results begin.
    results: usize,
    /// The number of the program's value.
    result: usize,
}

impl<L: Language> Tape<L> {
    pub fn new(tree: &Tree<L>) -> Tape<L> {
        Tape::of(&Folded::new(tree))
    }

    /// A program that may call `defined`, which calls nothing itself.
    pub fn with(tree: &Tree<L>, defined: Option<&Tree<L>>) -> Tape<L> {
        Tape::of(&Folded::with(tree, defined))
    }

    fn of(folded: &Folded<L>) -> Tape<L> {
        let needed = folded.needed();
        let mut values = Values::<L>::new();
        // Where each step's result lies, counted from the first result.
        let mut places = vec![0; needed.len()];
        let mut code: Vec<Instruction> = Vec::with_capacity(needed.iter().filter(|&&needed| needed).count());
        for (at, step) in folded.steps.iter().enumerate().filter(|(at, _)| needed[*at]) {
            places[at] = RESULT | code.len() as u32;
            let args = step.args.map(|arg| values.number(arg, &places));
            code.push(Instruction { symbol: step.symbol, args });
        }
        let result = values.number(folded.result, &places);
        let mut values = values.values;
        let results = values.len();
        // Only now is it known how many constants stand before the results.
        let settled = |number: u32| if number & RESULT != 0 { (number & !RESULT) + results as u32 } else { number };
        for instruction in &mut code {
            instruction.args = instruction.args.map(settled);
        }
        let result = settled(result) as usize;
        values.resize(results + code.len(), L::Value::default());
        Tape { code, values, results, result }
    }

    /// How many instructions are left of the program.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// The program is a constant or an input.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    pub(super) fn code(&self) -> &[Instruction] {
        &self.code
    }

    /// Inputs, constants, results: where constants stand, their values.
    pub(super) fn values(&self) -> &[L::Value] {
        &self.values
    }

    /// The number of the first result.
    pub(super) fn results(&self) -> usize {
        self.results
    }

    /// The inputs that the program looks at, some perhaps more than once: all, where a function chooses which.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        let chosen = self.code.iter().any(|instruction| !L::is_closed(instruction.symbol));
        // Those past a function's arity are fillers.
        let args = |one: &Instruction| one.args.into_iter().take(L::SYMBOLS[usize::from(one.symbol)].arity());
        let named = self.code.iter().flat_map(args).map(|number| number as usize);
        let named = named.chain([self.result]).filter(|&number| number < L::INPUTS);
        named.chain(0..if chosen { L::INPUTS } else { 0 })
    }

    /// The number of the program's value.
    pub(super) fn result(&self) -> usize {
        self.result
    }

    /// The program's value in `context`.
    #[inline]
    pub fn run(&mut self, context: &L::Context) -> L::Value {
        L::look(context, &mut self.values[..L::INPUTS]);
        for (at, instruction) in (self.results..).zip(&self.code) {
            let values = &self.values;
            let value =
                L::apply(instruction.symbol, |arg| values[instruction.args[arg] as usize], |input| values[input]);
            self.values[at] = value;
        }
        self.values[self.result]
    }
}

/// Marks the number of an instruction.
const RESULT: u32 = 1 << 31;

/// The values before the results, while they are numbered.
struct Values<L: Language> {
    values: Vec<L::Value>,
    /// Constants met lately: most programs have few.
    lately: [Option<(L::Constant, u32)>; 64],
}

impl<L: Language> Values<L> {
    fn new() -> Values<L> {
        Values { values: vec![L::Value::default(); L::INPUTS], lately: [None; 64] }
    }

    fn number(&mut self, operand: Operand<L::Constant>, places: &[u32]) -> u32 {
        let constant = match operand {
            Operand::Input(input) => return input.into(),
            Operand::Other(step) => return places[step as usize],
            Operand::Constant(constant) => constant,
        };
        let lately = &mut self.lately[(L::bits(constant) % 64) as usize];
        match *lately {
            Some((known, number)) if known == constant => number,
            _ => {
                let number = self.values.len() as u32;
                self.values.push(L::value(constant));
                *lately = Some((constant, number));
                number
            }
        }
    }
}
