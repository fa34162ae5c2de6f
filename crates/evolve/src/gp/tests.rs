//! Tests of genetic programming, with a toy problem: sums that fit a function.

mod archive;
mod generator;
mod initial;
mod islands;
mod lexicase;
mod nsga2;
mod parsimony;
mod points;
mod sharing;
mod success;
mod toy;

use super::GpRun;
use crate::budget::Budget;
use crate::job::{Progress, Run as _};
use crate::pool::Pool;
use mancalab_base::Error;
use toy::Toy;

type ToyRun = GpRun<Toy>;

/// Adds the row of the next generation; returns whether there was one.
fn next(run: &mut ToyRun, rows: &mut Vec<String>) -> bool {
    let before = rows.len();
    while rows.len() == before {
        match run.advance(&Pool::alone(), Budget::UNLIMITED) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done | Progress::Halted(_) => return false,
        }
    }
    true
}

/// Adds the rows of all generations that follow. Returns the reason why the run stopped early, if it did.
fn finish(run: &mut ToyRun, pool: &Pool, rows: &mut Vec<String>) -> Option<Error> {
    loop {
        match run.advance(pool, Budget::UNLIMITED) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return None,
            Progress::Halted(why) => return Some(why),
        }
    }
}
