//! Programs run on many inputs at once: each instruction processes a row of values, one lane per input.
//!
//! Instruction dispatch costs once per row. Rows are a multiple of [`LANES`] long, so loops over them have no remainder and the
//! compiler vectorizes them.

use super::language::Language;
use super::tape::Tape;

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
