//! Programs run on many inputs at once: every instruction goes over a row of values, a worker for each of the inputs.
//!
//! What choosing the instruction costs is paid once a row, and rows are a multiple of [`LANES`] long, so that the loops over them
//! need no remainder and the compiler turns them into loops over as many workers at a time as the processor has.

use super::language::Language;
use super::tape::Tape;

/// Rows are a multiple of so many values long.
pub const LANES: usize = 4;

/// A program ready to run on rows of up to so many values; the same one may run any number of times.
#[derive(Clone, Debug)]
pub struct RowTape<L: Language> {
    tape: Tape<L>,
    /// Rows of all values: inputs, constants, results.
    rows: Vec<L::Value>,
    /// How long a row is.
    room: usize,
    /// The inputs that the program looks at, a bit each.
    used: u64,
}

impl<L: Language> RowTape<L> {
    /// `most`: so many values a row has at most.
    pub fn new(tape: Tape<L>, most: usize) -> RowTape<L> {
        let room = most.next_multiple_of(LANES);
        let rows = tape.values().iter().flat_map(|&value| std::iter::repeat_n(value, room)).collect();
        let used = tape.inputs().fold(0, |used, input| used | 1 << (input % 64));
        RowTape { tape, rows, room, used }
    }

    /// The inputs that the program looks at, a bit each; of languages with more than 64 inputs each bit stands for several.
    #[inline]
    pub fn inputs(&self) -> u64 {
        self.used
    }

    /// The program's values for `count` inputs, which `look` puts into the rows: it is given the rows of all inputs, one after the
    /// other, and how long each is. Behind `count` values a row holds anything.
    #[inline]
    pub fn run(&mut self, count: usize, look: impl FnOnce(&mut [L::Value], usize)) -> &[L::Value] {
        let (room, used) = (self.room, count.next_multiple_of(LANES).min(self.room));
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
