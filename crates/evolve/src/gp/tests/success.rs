//! Tests of the success of operators, against parents looked up in the previous generation.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::toy::{Settings, Sums};
use super::{ToyRun, next};
use crate::gp::problem::Settings as _;
use crate::gp::view::FromRows;
use crate::gp::{History, Operator, Population};
use crate::job::Run as _;
use crate::pool::Pool;

/// Returns the number of children per operator, and how many of them are better than their first parent and equal to it.
fn counted(before: &Population<Sums>, after: &Population<Sums>) -> BTreeMap<String, [u64; 3]> {
    let mut counts = BTreeMap::new();
    for one in &after.individuals {
        let count: &mut [u64; 3] = counts.entry(one.operator.to_string()).or_default();
        count[0] += 1;
        if !one.operator.keeps() {
            let parent = before.ranked(one.birth().parents[0] as usize - 1).unwrap().outcome.fitness;
            count[1] += u64::from(one.outcome.fitness > parent);
            count[2] += u64::from(one.outcome.fitness == parent);
        }
    }
    counts
}

#[test]
fn children_are_compared_with_their_first_parents() {
    let settings = Settings::with(&["population=60", "generations=4", "crossover=60", "mutation=40", "elitism=2"]);
    let mut run = ToyRun::start(settings.clone()).unwrap();
    let mut next = || {
        assert!(next(&mut run, &mut Vec::new()));
        let state = run.save(&Pool::alone());
        let watched = FromRows::new(History::new(settings.measures()));
        let seen = ToyRun::view_from_checkpoint(&Arc::new(settings.clone()), &state, &watched).unwrap();
        let view = run.view();
        assert_eq!(seen.run_status.histograms, view.run_status.histograms, "a checkpoint has all of it");
        (view.population.unwrap(), view.run_status.histograms.operators.clone())
    };
    let (mut before, first) = next();
    assert_eq!((first.len(), first[0].operator, first[0].bred, first[0].rate()), (1, Operator::Grown, 60, None));
    for _ in 0..4 {
        let (after, operators) = next();
        let found = operators.iter().map(|one| (one.operator.to_string(), [one.bred, one.better, one.equal])).collect();
        assert_eq!(counted(&before, &after), found);
        assert!(operators.len() >= 5 && operators.iter().any(|one| one.better > 0), "{operators:?}");
        before = after;
    }
}
