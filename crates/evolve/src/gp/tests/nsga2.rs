//! Runs that select by fitness and size.

use super::toy::Settings;
use super::{ToyRun, finish};
use crate::gp::population::front;
use crate::job::{Rows, Run as _};
use crate::pool::Pool;

const SELECTION: &str = "selection=nsga2:nodes";

fn run(texts: &[&str], threads: usize) -> (ToyRun, Vec<String>) {
    let texts = [&["population=60", "generations=15", SELECTION], texts].concat();
    let mut run = ToyRun::start(Settings::with(&texts)).unwrap();
    let mut rows = Vec::new();
    assert_eq!(finish(&mut run, &Pool::new(threads), &mut rows), None);
    (run, rows)
}

#[test]
fn the_front_of_a_generation_is_never_lost() {
    let points = |run: &ToyRun| -> Vec<(f64, u32)> {
        run.population().unwrap().individuals.iter().map(|one| (one.outcome.fitness, one.nodes)).collect()
    };
    let mut runs = (3..15).map(|generations| points(&run(&[&format!("generations={generations}")], 1).0));
    let mut before = runs.next().unwrap();
    for after in runs {
        for at in front(&before) {
            let (fitness, nodes) = before[at];
            assert!(after.iter().any(|other| other.0 >= fitness && other.1 <= nodes), "{fitness} with {nodes} nodes");
        }
        before = after;
    }
}

#[test]
fn rows_depend_on_the_seed_alone_and_a_resumed_run_has_the_same() {
    let (whole, rows) = run(&[], 1);
    assert_eq!(run(&[], 3).1, rows);
    assert_ne!(run(&["seed=2"], 1).1, rows);
    let (half, first) = run(&["generations=7"], 1);
    let settings = Settings::with(&["population=60", "generations=15", SELECTION]);
    let mut resumed = ToyRun::restore(settings, &half.save(&Pool::alone()), Rows::in_memory(&first)).unwrap();
    let mut all = first;
    assert_eq!(finish(&mut resumed, &Pool::alone(), &mut all), None);
    assert_eq!((all, resumed.best()), (rows, whole.best()));
}

#[test]
fn what_it_cannot_compare_is_refused() {
    let refused = |text: &str| ToyRun::start(Settings::with(&[SELECTION, text])).err().unwrap().to_string();
    assert!(refused("anew=true").contains("so that both must play the same games"));
    assert!(refused("islands=2").contains("needs a single island (islands is 2)"));
    let mut settings = Settings::default();
    let error = crate::settings::KeyedSettings::set(&mut settings, "selection", "nsga2:size").unwrap_err().to_string();
    assert!(error.contains("nsga2:nodes or nsga2:depth (got 'nsga2:size')"), "{error}");
    assert_eq!(Settings::with(&["selection=nsga2:depth"]).tableau.selection.to_string(), "nsga2:depth");
}
