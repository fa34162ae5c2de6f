//! Tests of runs with fitness sharing.

use super::toy::{Settings, Toy};
use super::{ToyRun, next, resumes_to_rows_of_its_own};
use crate::gp::Population;
use crate::gp::run_settings::GpSettings;
use crate::gp::tests::toy::Sums;
use crate::job::RunSettings as _;

fn settings(more: &[&str]) -> Settings {
    Settings::with(&[&["population=60", "generations=6", "sharing=12.5"], more].concat())
}

/// Returns the shared fitness of each individual: the definition, pair by pair.
fn shared(population: &Population<Sums>, size: usize, radius: f64) -> Vec<f64> {
    let mut shared = Vec::new();
    for (number, one) in population.individuals.iter().enumerate() {
        let mut niche = 0.0;
        for other in &population.individuals[number / size * size..(number / size + 1) * size] {
            let differences = one.cases.iter().zip(other.cases.iter()).map(|(a, b)| (a - b).abs());
            let distance = differences.sum::<f64>() / one.cases.len() as f64;
            niche += if distance < radius { 1.0 - distance / radius } else { 0.0 };
        }
        shared.push(one.outcome.fitness / niche);
    }
    shared
}

/// How often each individual of generation 1 becomes the parent of one that only mutates, and how often it is to be.
fn parents(selection: &str, probability: impl Fn(&[f64], &[usize]) -> Vec<f64>) {
    let population = 3000;
    let texts = [
        selection,
        "sharing=40",
        "generations=2",
        "crossover=0",
        "mutation=100",
        "islands=2",
        &format!("population={population}"),
    ];
    let mut run = ToyRun::start(Settings::with(&texts)).unwrap();
    let mut rows = Vec::new();
    (0..2).for_each(|_| assert!(next(&mut run, &mut rows)));
    let before = run.population().unwrap().clone();
    assert!(next(&mut run, &mut rows));
    let mut drawn = vec![0.0; population];
    for one in &run.population().unwrap().individuals {
        drawn[before.ranking[one.birth().parents[0] as usize - 1] as usize] += 1.0;
    }
    let size = population / 2;
    let shared = shared(&before, size, 40.0);
    for island in [0..size, size..population] {
        let ranks: Vec<usize> = before.ranks[island.clone()].iter().map(|rank| *rank as usize).collect();
        let expected = probability(&shared[island.clone()], &ranks);
        // Ten groups of individuals, by what is expected.
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|a, b| expected[*a].total_cmp(&expected[*b]));
        for group in order.chunks(size / 10) {
            let mean: f64 = group.iter().map(|one| expected[*one]).sum::<f64>() * size as f64;
            let found: f64 = group.iter().map(|one| drawn[island.start + one]).sum();
            assert!((found - mean).abs() < 5.0 * mean.sqrt() + 1.0, "{selection}: {found}, {mean} expected");
        }
    }
}

#[test]
fn parents_are_drawn_by_their_shared_fitness() {
    parents("selection=roulette", |shared, _| {
        let all: f64 = shared.iter().sum();
        shared.iter().map(|one| one / all).collect()
    });
    parents("selection=tournament:3", |shared, ranks| {
        let mut order: Vec<usize> = (0..shared.len()).collect();
        // Equals up to rounding keep the order of their ranks.
        let coarse = |one: usize| (shared[one] * 1e9).round();
        order.sort_by(|&a, &b| coarse(b).total_cmp(&coarse(a)).then(ranks[a].cmp(&ranks[b])));
        let mut chances = vec![0.0; shared.len()];
        let at_least = |place: usize| ((shared.len() - place) as f64 / shared.len() as f64).powi(3);
        order.iter().enumerate().for_each(|(place, &one)| chances[one] = at_least(place) - at_least(place + 1));
        chances
    });
}

#[test]
fn a_resumed_run_has_the_same_rows() {
    for more in [&[][..], &["anew=true"], &["islands=2", "migration_every=2", "migrants=1", "selection=tournament:4"]] {
        resumes_to_rows_of_its_own(&settings(more), more);
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    for selection in ["lexicase", "nsga2:nodes"] {
        let settings = settings(&[&format!("selection={selection}")]);
        let error = ToyRun::start(settings).err().unwrap().to_string();
        assert_eq!(error, format!("sharing needs selection by roulette or tournament:N (selection is {selection})"));
    }
    let own = GpSettings::<Toy>::new(settings(&[]));
    let mut forked = own.boxed();
    forked.set("sharing", "3").unwrap();
    forked.set("selection", "tournament:2").unwrap();
    assert!(forked.check_fork(&own).is_ok());
    forked.set("sharing", "0").unwrap();
    let error = forked.check_fork(&own).unwrap_err().to_string();
    assert!(error.contains("nor sharing from or to 0"), "{error}");
}
