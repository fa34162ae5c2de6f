//! Tests of what a run keeps of all its generations, against the generations themselves.

use std::collections::BTreeMap;

use super::toy::{Settings, Sums};
use super::{ToyRun, next};
use crate::codec::Encoder;
use crate::gp::archive::fittest_of_islands;
use crate::gp::{Improvement, Individual, OperatorSuccess};
use crate::job::{Rows, Run as _};
use crate::pool::Pool;

fn run(texts: &[&str]) -> ToyRun {
    let small = ["population=60", "generations=12", "mutation=30", "islands=3", "migration_every=4", "migrants=1"];
    ToyRun::start(Settings::with(&[&small[..], texts].concat())).unwrap()
}

#[test]
fn an_archive_has_the_fittest_of_all_generations_each_operator_and_each_island() {
    let mut run = run(&[]);
    let mut rows = Vec::new();
    let mut best: BTreeMap<u64, (f64, u64)> = BTreeMap::new();
    let mut by_behaviour: BTreeMap<u64, f64> = BTreeMap::new();
    let (mut operators, mut islands) = (BTreeMap::<String, [u64; 3]>::new(), Vec::new());
    while next(&mut run, &mut rows) {
        let view = run.view();
        let population = view.population.as_ref().unwrap();
        for one in &population.individuals {
            let known = best.entry(one.hash).or_insert((one.outcome.fitness, population.generation));
            assert_eq!(known.0, one.outcome.fitness, "fitness is the same in each generation here");
            let known = by_behaviour.entry(one.outcome.behaviour).or_insert(f64::MIN);
            *known = known.max(one.outcome.fitness);
        }
        for OperatorSuccess { operator, bred, better, equal } in &view.run_status.histograms.operators {
            let sums = operators.entry(operator.to_string()).or_default();
            sums.iter_mut().zip([bred, better, equal]).for_each(|(sum, count)| *sum += count);
        }
        let fittest = |island: &[_]| island.iter().map(fitness_of).fold(f64::MIN, f64::max);
        islands.push((population.generation, population.individuals.chunks(20).map(fittest).collect::<Vec<_>>()));
        let ranks = fittest_of_islands(population, &view.settings.tableau);
        let by_rank: Vec<f64> = ranks.iter().map(|rank| population.ranked(*rank).unwrap().outcome.fitness).collect();
        assert_eq!(by_rank, islands.last().unwrap().1);
    }
    let view = run.view();
    let mut expected: Vec<f64> = by_behaviour.values().copied().collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    expected.truncate(10);
    assert!(expected.len() > 5, "too few behaviours for a test");
    let hall = &view.archive.hall;
    assert_eq!(hall.iter().map(|member| member.individual.outcome.fitness).collect::<Vec<_>>(), expected);
    for member in hall {
        let one = &member.individual;
        assert_eq!(best[&one.hash], (one.outcome.fitness, member.found));
        assert_eq!(one.program.hash(), one.hash);
    }
    let found: BTreeMap<String, [u64; 3]> = view
        .archive
        .operators
        .iter()
        .map(|one| (one.operator.to_string(), [one.bred, one.better, one.equal]))
        .collect();
    assert_eq!((view.archive.since, found), (0, operators));
    assert_eq!(view.archive.islands.points, islands);
}

fn fitness_of(one: &Individual<Sums>) -> f64 {
    one.outcome.fitness
}

#[test]
fn an_archive_survives_a_checkpoint_and_may_be_missing_in_an_old_one() {
    let mut whole = run(&[]);
    let mut rows = Vec::new();
    for _ in 0..6 {
        assert!(next(&mut whole, &mut rows));
    }
    let state = whole.save(&Pool::alone());
    let begun = rows.clone();
    let restore = |state: &[u8]| ToyRun::restore(whole.settings().clone(), state, Rows::in_memory(&begun)).unwrap();
    let mut again = restore(&state);
    assert_eq!(again.view().archive, whole.view().archive);
    let improvements = again.view().run_status.improvements;
    assert_eq!(improvements, whole.view().run_status.improvements);
    assert!(improvements.iter().any(|one| !one.change.is_empty()), "{improvements:?}");
    let mut archive = Encoder::new();
    whole.view().archive.encode(&mut archive);
    let mut changes = Encoder::new();
    Improvement::encode_changes(&whole.view().run_status.improvements, &mut changes);
    let unchanged = &state[..state.len() - changes.finish().len()];
    assert!(restore(unchanged).view().run_status.improvements.iter().all(|one| one.change.is_empty()));
    let mut old = restore(&unchanged[..unchanged.len() - archive.finish().len()]);
    assert!(old.view().archive.hall.is_empty());
    let mut more = rows.clone();
    assert!(next(&mut again, &mut rows) && next(&mut old, &mut more) && rows == more);
    assert_eq!((again.view().archive.since, old.view().archive.since), (0, 6));
    assert!(old.view().archive.hall.len() > 5);
}

#[test]
fn curves_of_islands_are_thinned() {
    // 20 islands may keep 819 points each.
    let mut run = run(&["islands=20", "generations=900", "initial_depth=3", "max_depth=4"]);
    let mut rows = Vec::new();
    while next(&mut run, &mut rows) {}
    let points = run.view().archive.islands.points.clone();
    assert_eq!(points.iter().map(|(at, _)| *at).collect::<Vec<_>>(), (0..=900).step_by(2).collect::<Vec<_>>());
    assert!(points.iter().all(|(_, values)| values.len() == 20));
}
