//! Breeding: Figure 5's scores, and that a run depends on nothing but its settings.

use mancalab::crew::Crew;
use mancalab::evolve::gp::{Genome, Outcome, Problem};
use mancalab::evolve::kalah::{KalahJob, KalahProblem, Settings};
use mancalab::program::kalah::printed;
use mancalab::step::{Budget, Job, Status};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn outcomes(settings: &Settings, names: &[&str]) -> Vec<Outcome> {
    let mut problem = KalahProblem::new(settings).unwrap();
    let programs = names.iter().map(|name| Arc::new(Genome::from(printed(name).unwrap()))).collect();
    let mut batch = problem.begin(programs, 0);
    while problem.advance(&mut batch, &Crew::alone(), Budget::time(Duration::ZERO)) == Status::Running {}
    KalahProblem::finish(batch)
}

#[test]
fn figure_5_comes_out_exactly() {
    let [one, two] = outcomes(&Settings::default(), &["figure5-1", "figure5-2"])[..] else { unreachable!() };
    assert_eq!(*one.scores, [27.0, 25.0]);
    assert_eq!(*two.scores, [41.0, 25.0]);
    assert_eq!((one.fitness, two.fitness), (5200.0 - 74.0, 6600.0 - 80.0));
    assert_ne!(one.behaviour, two.behaviour);
    let first_run = Settings::preset("mancala-gp-1").unwrap();
    assert_eq!(outcomes(&first_run, &["figure5-1"])[0].fitness, 52.0);
}

#[test]
fn every_alternative_reading_loses_figure_5() {
    for other in ["capture=standard", "value_at=south", "value_at=first", "choice=previous", "choice=six"] {
        let mut settings = Settings::default();
        settings.set_text(other).unwrap();
        let scores: Vec<Vec<f64>> =
            outcomes(&settings, &["figure5-1", "figure5-2"]).iter().map(|o| o.scores.to_vec()).collect();
        assert_ne!(scores, [[27.0, 25.0], [41.0, 25.0]], "{other}");
    }
}

fn small(preset: &str) -> Settings {
    let mut settings = Settings::preset(preset).unwrap();
    settings.tableau.population = 64;
    settings.tableau.generations = 12;
    settings.tableau.mutation = 5.0;
    settings
}

fn rows(folder: &Path) -> String {
    fs::read_to_string(folder.join("generations.csv")).unwrap()
}

#[test]
fn a_run_depends_on_its_settings_alone() {
    for preset in ["mancala-gp-1", "mancala-gp-2", "mancala-gp-broad"] {
        let mut all = Vec::new();
        for (threads, micros) in [(1, 1_000_000), (2, 0), (8, 300)] {
            let folder = tempfile::tempdir().unwrap();
            let mut job = KalahJob::create(folder.path(), small(preset), &Crew::new(threads)).unwrap();
            while job.step(Budget::time(Duration::from_micros(micros))) == Status::Running {
                job.view();
            }
            assert_eq!(job.error(), None);
            all.push((rows(folder.path()), fs::read_to_string(folder.path().join("best.txt")).unwrap()));
        }
        assert_eq!(all[0].0.lines().count(), 14);
        assert_eq!(all[0], all[1]);
        assert_eq!(all[0], all[2]);
    }
}

#[test]
fn a_run_that_is_stopped_and_resumed_writes_the_same_rows() {
    let whole = tempfile::tempdir().unwrap();
    let mut job = KalahJob::create(whole.path(), small("mancala-gp-broad"), &Crew::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    let cut = tempfile::tempdir().unwrap();
    let mut job = KalahJob::create(cut.path(), small("mancala-gp-broad"), &Crew::alone()).unwrap();
    for stop in 0..6 {
        job.step(Budget::UNLIMITED.single());
        job.step(Budget::UNLIMITED.single());
        // In the middle of a generation.
        job.step(Budget::time(Duration::ZERO));
        drop(job);
        job = KalahJob::resume(cut.path(), &Crew::new(1 + stop % 2)).unwrap().0;
    }
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    assert_eq!(rows(cut.path()), rows(whole.path()));
    let best = |folder: &Path| fs::read_to_string(folder.join("best.txt")).unwrap();
    assert_eq!(best(cut.path()), best(whole.path()));
    format!("program:{}", cut.path().join("best.txt").display()).parse::<mancalab::player::Spec>().unwrap();
}
