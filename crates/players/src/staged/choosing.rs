//! The move choice one ply ahead: evaluates the board after every move and chooses the first of the best.

use super::valuing::TotalOrder;
use super::{Schedule, StagedSettings};
use crate::game::Move;
use crate::game::othello::{Afterwards, MOST_MOVES, Othello, Zones};
use crate::program::RowTape;
use crate::program::othello::{Function, OthelloLanguage};
use crate::program::rows::LANES;
use crate::rng::Rng;
use crate::search::alpha_beta::EvalValue as _;

/// A player's functions, compiled to evaluate all moves of a position at once.
#[derive(Clone, Debug)]
pub(super) struct Choosing {
    /// One function per stage.
    tapes: Vec<RowTape<OthelloLanguage>>,
    schedule: Schedule,
    zones: Zones,
}

impl Choosing {
    pub fn new(staged: &StagedSettings) -> Choosing {
        let tapes = staged.stages.iter().map(|stage| row_tape(&stage.function)).collect();
        Choosing { tapes, schedule: staged.schedule(), zones: staged.zones }
    }

    /// Returns the stage in force in a position.
    #[inline]
    pub fn stage(&self, pos: &Othello, rng: impl FnOnce() -> Rng) -> usize {
        self.schedule.stage(pos.put(), rng)
    }

    /// Returns the index of the first of the moves with the best resulting board; 0 if there are none.
    #[inline]
    pub fn best(&mut self, afterwards: &Afterwards, stage: usize) -> usize {
        let values = value_all(&mut self.tapes[stage], afterwards, self.zones);
        let mut best = 0;
        let mut most = TotalOrder::LEAST;
        for (number, &value) in values.iter().enumerate() {
            let value = TotalOrder::new(value);
            if value > most {
                (best, most) = (number, value);
            }
        }
        best
    }
}

fn row_tape(function: &Function) -> RowTape<OthelloLanguage> {
    RowTape::new(function.tape(), MOST_MOVES)
}

#[inline]
fn value_all<'a>(tape: &'a mut RowTape<OthelloLanguage>, afterwards: &Afterwards, zones: Zones) -> &'a [f64] {
    let wanted = tape.inputs() as u32;
    tape.run(afterwards.moves().len(), |inputs, width| {
        afterwards.count(zones, wanted, LANES, |row, counts| {
            for (input, &count) in inputs[row * width..].iter_mut().zip(counts) {
                *input = count.into();
            }
        });
    })
}

/// A move's value by a function, one ply ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveValue {
    pub mv: Move,
    /// NaN if the function's value is not a number.
    pub value: f64,
}

/// Returns the value of every legal move by a function, in move order; empty if the game is over.
pub fn values(function: &Function, zones: Zones, pos: &Othello) -> Vec<MoveValue> {
    let afterwards = Afterwards::new(pos);
    let mut tape = row_tape(function);
    let values = value_all(&mut tape, &afterwards, zones);
    afterwards.moves().iter().zip(values).map(|(&mv, &value)| MoveValue { mv, value }).collect()
}
