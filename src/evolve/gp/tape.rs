//! Programs made ready to run: a list of instructions over numbered values, gone through once from front to back.
//!
//! The values are the inputs, then the constants, then each instruction's result, so an instruction reads its arguments by number
//! and nothing is pushed, popped or called.

use super::fold::Folded;
use super::language::{Language, MAX_ARITY, Operand};
use super::tree::Tree;

#[derive(Clone, Copy, Debug)]
struct Instruction {
    symbol: u8,
    /// Numbers of values.
    args: [u32; MAX_ARITY],
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
        let folded = Folded::new(tree).pruned();
        let mut values = vec![L::Value::default(); L::INPUTS];
        let mut constants: Vec<(L::Constant, u32)> = Vec::new();
        let mut number = |operand: Operand<L::Constant>| match operand {
            Operand::Input(input) => u32::from(input),
            // Marked, until it is known how many constants there are.
            Operand::Other(step) => step | RESULT,
            Operand::Constant(constant) => match constants.iter().find(|(known, _)| *known == constant) {
                Some((_, number)) => *number,
                None => {
                    let number = values.len() as u32;
                    values.push(L::value(constant));
                    constants.push((constant, number));
                    number
                }
            },
        };
        let mut code: Vec<Instruction> = folded
            .steps
            .iter()
            .map(|step| Instruction { symbol: step.symbol, args: step.args.map(&mut number) })
            .collect();
        let result = number(folded.result);
        let results = values.len();
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
