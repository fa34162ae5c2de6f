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
use crate::job::{Progress, Rows, Run as _};
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

/// Checks that a run that is resumed after three generations has the rows of one that never stopped, on other threads, and that these are not
/// the rows of a run with nothing but `others` set.
fn resumes_to_rows_of_its_own(settings: &toy::Settings, others: &[&str]) {
    let mut whole = Vec::new();
    let mut run = ToyRun::start(settings.clone()).unwrap();
    assert_eq!(finish(&mut run, &Pool::new(2), &mut whole), None);
    let mut rows = Vec::new();
    let mut run = ToyRun::start(settings.clone()).unwrap();
    (0..3).for_each(|_| assert!(next(&mut run, &mut rows)));
    let state = run.save(&Pool::alone());
    let mut resumed = ToyRun::restore(settings.clone(), &state, Rows::in_memory(&rows)).unwrap();
    assert_eq!(finish(&mut resumed, &Pool::alone(), &mut rows), None);
    assert_eq!(rows, whole);
    let mut without = Vec::new();
    let other = toy::Settings::with(&[&["population=60", "generations=6"], others].concat());
    finish(&mut ToyRun::start(other).unwrap(), &Pool::alone(), &mut without);
    assert_ne!(without, whole);
}
