//! Compiled programs: a list of instructions over numbered values, executed in order, for one input or for many at once.
//!
//! The values are the inputs, the constants, and the result of each instruction. Instructions address their arguments by
//! number, without a stack or calls.
//!
//! Programs run on many inputs at once: each instruction processes a row of values, one lane per input.
//!
//! Instruction dispatch costs once per row. Rows are a multiple of [`LANES`] long, so loops over them have no remainder and the
//! compiler vectorizes them.

use super::fold::FoldedProgram;
use super::language::{Language, MAX_ARITY, Operand};
use super::tree::Tree;

#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub symbol: u8,
    /// Numbers of values.
    pub args: [u32; MAX_ARITY],
}

/// A program ready to run. It may run any number of times.
#[derive(Clone, Debug)]
pub struct Tape<L: Language> {
    code: Vec<Instruction>,
    /// Inputs, constants, results.
    values: Vec<L::Value>,
    /// Index of the first result.
    results: usize,
    /// Number of the program's value.
    result: usize,
}

impl<L: Language> Tape<L> {
    pub fn new(tree: &Tree<L>) -> Tape<L> {
        Tape::compile_folded(&FoldedProgram::new(tree))
    }

    /// Compiles a program that may call `defined`, which itself calls nothing.
    pub fn with(tree: &Tree<L>, defined: Option<&Tree<L>>) -> Tape<L> {
        Tape::compile_folded(
            &defined.map_or_else(|| FoldedProgram::new(tree), |defined| FoldedProgram::with(tree, defined)),
        )
    }

    fn compile_folded(folded: &FoldedProgram<L>) -> Tape<L> {
        let needed = folded.needed();
        let mut values = Values::<L>::new();
        // Index of each step's result, counted from the first result.
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
        // The number of constants before the results is known only now.
        let settled = |number: u32| if number & RESULT != 0 { (number & !RESULT) + results as u32 } else { number };
        for instruction in &mut code {
            instruction.args = instruction.args.map(settled);
        }
        let result = settled(result) as usize;
        values.resize(results + code.len(), L::Value::default());
        Tape { code, values, results, result }
    }

    /// Returns the number of instructions.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Returns whether the program is a constant or an input.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    pub(super) fn code(&self) -> &[Instruction] {
        &self.code
    }

    /// Returns the values: inputs, constants, results. Constants are already set.
    pub(super) fn values(&self) -> &[L::Value] {
        &self.values
    }

    /// Returns the number of the first result.
    pub(super) fn results(&self) -> usize {
        self.results
    }

    /// Returns the inputs that the program reads, possibly with repetitions; all inputs if a function selects one at run time.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        let chosen = self.code.iter().any(|instruction| !L::is_closed(instruction.symbol));
        // Arguments beyond a function's arity are fillers.
        let args = |one: &Instruction| one.args.into_iter().take(L::SYMBOLS[usize::from(one.symbol)].arity());
        let named = self.code.iter().flat_map(args).map(|number| number as usize);
        let named = named.chain([self.result]).filter(|&number| number < L::INPUTS);
        named.chain(0..if chosen { L::INPUTS } else { 0 })
    }

    /// Returns the number of the program's value.
    pub(super) fn result(&self) -> usize {
        self.result
    }

    /// Returns the program's value in `context`.
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
    /// Cache of recent constants; most programs have few.
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

/// Row lengths are multiples of this.
pub const LANES: usize = 4;

/// A program ready to run on rows of values. It may run any number of times.
#[derive(Clone, Debug)]
pub struct RowTape<L: Language> {
    tape: Tape<L>,
    /// Rows of all values: inputs, constants, results.
    rows: Vec<L::Value>,
    /// Length of a row.
    room: usize,
    /// Bit set of the inputs that the program reads.
    used: u64,
}

impl<L: Language> RowTape<L> {
    /// `most`: maximum number of values per row.
    pub fn new(tape: Tape<L>, most: usize) -> RowTape<L> {
        let room = most.next_multiple_of(LANES);
        let rows = tape.values().iter().flat_map(|&value| std::iter::repeat_n(value, room)).collect();
        let used = tape.inputs().fold(0, |used, input| used | 1 << (input % 64));
        RowTape { tape, rows, room, used }
    }

    /// Returns the bit set of the inputs that the program reads. With more than 64 inputs each bit represents several.
    #[inline]
    pub fn inputs(&self) -> u64 {
        self.used
    }

    /// Returns the program's values for `count` inputs. `look` writes the inputs: it receives the consecutive rows of all
    /// inputs and the row length. Values after the first `count` are unspecified.
    #[inline]
    pub fn run(&mut self, count: usize, look: impl FnOnce(&mut [L::Value], usize)) -> &[L::Value] {
        let room = self.room;
        let used = count.next_multiple_of(LANES).min(self.room);
        look(&mut self.rows[..L::INPUTS * room], room);
        for (at, instruction) in (self.tape.results()..).zip(self.tape.code()) {
            let (before, here) = self.rows.split_at_mut(at * room);
            let row = |number: usize| &before[number * room..number * room + used];
            L::apply_row(instruction.symbol, &mut here[..used], |arg| row(instruction.args[arg] as usize), row);
        }
        let result = self.tape.result() * room;
        &self.rows[result..result + count.min(room)]
    }
}
