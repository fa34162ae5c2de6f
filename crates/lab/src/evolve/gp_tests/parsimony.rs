//! Tests of lexicographic parsimony (`prefer_small`): the smaller of equally fit programs wins.

use crate::budget::Budget;
use crate::evolve::gp::GpRun;
use crate::evolve::inspect::Inspect as _;
use crate::evolve::kalah::KalahProblem;
use crate::job::{Progress, Run as _};
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;

/// Returns the rows of a small run, and the mean size in nodes over its generations.
fn rows(seed: u64, texts: &[&str], threads: usize) -> (Vec<String>, f64) {
    let mut settings = KalahProblem::preset("mancala-gp-1").unwrap();
    let small = ["population=80", "generations=12", "opponents=max", "selection=tournament:4", "initial_depth=6"];
    [&small[..], texts].concat().iter().for_each(|text| settings.set_text(text).unwrap());
    settings.tableau.seed = seed;
    let pool = Pool::new(threads);
    let mut run = GpRun::<KalahProblem>::start(settings).unwrap();
    let mut rows = Vec::new();
    loop {
        match run.advance(&pool, Budget::UNLIMITED) {
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => break,
            Progress::Working => {}
            Progress::Halted(error) => panic!("{error}"),
        }
    }
    let sizes = run.history().iter().map(|row| row.mean_nodes);
    (rows, sizes.sum::<f64>() / run.history().len() as f64)
}

#[test]
fn small_programs_are_preferred_only_where_it_is_set() {
    let mut plain = 0.0;
    let mut small = 0.0;
    for seed in 1..=4 {
        let (without, size) = rows(seed, &[], 1);
        assert_eq!(rows(seed, &["prefer_small=false"], 2).0, without, "it is off unless it is set");
        plain += size;
        let (with, size) = rows(seed, &["prefer_small=true"], 1);
        assert_eq!(rows(seed, &["prefer_small=true"], 2).0, with, "the same seed gives the same rows");
        assert_ne!(with, without);
        small += size;
    }
    assert!(small < 0.8 * plain, "{small} nodes in all, {plain} without");
}
