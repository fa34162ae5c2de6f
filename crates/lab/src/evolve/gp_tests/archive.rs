//! Tests of what a run keeps of all its generations, against the generations themselves.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::codec::Encoder;
use crate::evolve::gp::{GpRun, OperatorSuccess};
use crate::evolve::inspect::{AnyView as _, Inspect as _};
use crate::evolve::kalah::KalahProblem;
use crate::job::{Progress, Rows, Run as _};
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;

type Kalah = GpRun<KalahProblem>;

fn run(texts: &[&str]) -> Kalah {
    let mut settings = KalahProblem::preset("mancala-gp-1").unwrap();
    let small = ["population=60", "generations=12", "opponents=max", "mutation=30", "islands=3", "migration_every=4"];
    for text in small.iter().chain(texts) {
        settings.set_text(text).unwrap();
    }
    Kalah::start(settings).unwrap()
}

/// Adds a generation; returns whether there was one.
fn next(run: &mut Kalah, rows: &mut Vec<String>) -> bool {
    loop {
        match run.advance(&Pool::alone(), Budget::UNLIMITED) {
            Progress::Generation(row) => rows.push(row.values),
            Progress::Working => continue,
            Progress::Done | Progress::Halted(_) => return false,
        }
        return true;
    }
}

#[test]
fn an_archive_has_the_fittest_of_all_generations_each_operator_and_each_island() {
    let mut run = run(&[]);
    let mut rows = Vec::new();
    let mut best: BTreeMap<u64, (f64, u64)> = BTreeMap::new();
    let (mut operators, mut islands) = (BTreeMap::<String, [u64; 3]>::new(), Vec::new());
    while next(&mut run, &mut rows) {
        let view = run.view();
        let population = view.population.as_ref().unwrap();
        for one in &population.individuals {
            let known = best.entry(one.hash).or_insert((one.outcome.fitness, population.generation));
            assert_eq!(known.0, one.outcome.fitness, "fitness is the same in each generation here");
        }
        for OperatorSuccess { operator, bred, better, equal } in &view.run_status.histograms.operators {
            let sums = operators.entry(operator.to_string()).or_default();
            sums.iter_mut().zip([bred, better, equal]).for_each(|(sum, count)| *sum += count);
        }
        let fittest = |island: &[_]| island.iter().map(fitness_of).fold(f64::MIN, f64::max);
        islands.push((population.generation, population.individuals.chunks(20).map(fittest).collect::<Vec<_>>()));
        let ranks = view.islands();
        let by_rank: Vec<f64> = ranks.iter().map(|rank| view.ranked(*rank).unwrap().outcome.fitness).collect();
        assert_eq!(by_rank, islands.last().unwrap().1);
    }
    let view = run.view();
    let mut expected: Vec<f64> = best.values().map(|(fitness, _)| *fitness).collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    let hall = view.hall();
    assert_eq!(hall.iter().map(|(_, one)| one.outcome.fitness).collect::<Vec<_>>(), expected[..10]);
    for (place, (found, one)) in hall.iter().enumerate() {
        assert_eq!(best[&one.hash], (one.outcome.fitness, *found));
        assert_eq!(view.hall_program(place).unwrap().hash(), one.hash);
    }
    let (since, found) = view.operators();
    let found: BTreeMap<String, [u64; 3]> =
        found.iter().map(|one| (one.operator.to_string(), [one.bred, one.better, one.equal])).collect();
    assert_eq!((since, found), (0, operators));
    assert_eq!(view.island_curves().points, islands);
}

fn fitness_of(one: &crate::evolve::gp::Individual<crate::program::kalah::KalahLanguage>) -> f64 {
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
    let restore = |state: &[u8]| Kalah::restore(whole.settings().clone(), state, Rows::in_memory(&begun)).unwrap();
    let mut again = restore(&state);
    assert_eq!(again.view().archive, whole.view().archive);
    let mut archive = Encoder::new();
    whole.view().archive.encode(&mut archive);
    let mut old = restore(&state[..state.len() - archive.finish().len()]);
    assert!(old.view().hall().is_empty());
    let mut more = rows.clone();
    assert!(next(&mut again, &mut rows) && next(&mut old, &mut more) && rows == more);
    assert_eq!((again.view().operators().0, old.view().operators().0), (0, 6));
    assert_eq!(old.view().hall().len(), 10);
}

#[test]
fn curves_of_islands_are_thinned() {
    // 20 islands may keep 819 points each.
    let mut run = run(&["islands=20", "generations=900", "initial_depth=3", "max_depth=4"]);
    let mut rows = Vec::new();
    while next(&mut run, &mut rows) {}
    let points = run.view().island_curves().points.clone();
    assert_eq!(points.iter().map(|(at, _)| *at).collect::<Vec<_>>(), (0..=900).step_by(2).collect::<Vec<_>>());
    assert!(points.iter().all(|(_, values)| values.len() == 20));
}
