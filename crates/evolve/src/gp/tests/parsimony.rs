//! Tests of lexicographic parsimony (`prefer_small`): the smaller of equally fit programs wins.

use super::toy::Settings;
use super::{ToyRun, finish};
use crate::pool::Pool;

/// Returns the rows of a small run, and the mean size in nodes over its generations.
fn rows(seed: u64, texts: &[&str], threads: usize) -> (Vec<String>, f64) {
    let small = ["population=80", "generations=12", "selection=tournament:4", "initial_depth=6"];
    let mut settings = Settings::with(&[&small[..], texts].concat());
    settings.tableau.seed = seed;
    let mut run = ToyRun::start(settings).unwrap();
    let mut rows = Vec::new();
    assert_eq!(finish(&mut run, &Pool::new(threads), &mut rows), None);
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
