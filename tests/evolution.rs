//! Breeding: Figure 5's scores, and that a run depends on nothing but its settings.

use mancalab::crew::Crew;
use mancalab::evolve::gp::{Genome, GpRun, Outcome, Problem};
use mancalab::evolve::kalah::{KalahProblem, Settings};
use mancalab::evolve::othello::{self, OthelloProblem};
use mancalab::job::RunJob;
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

/// The rows and the best program of a run in steps of so long.
fn whole<P: Problem>(settings: P::Settings, threads: usize, micros: u64) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut job = RunJob::<GpRun<P>>::create(folder.path(), settings, &Crew::new(threads)).unwrap();
    while job.step(Budget::time(Duration::from_micros(micros))) == Status::Running {
        job.view();
    }
    assert_eq!(job.error(), None);
    (rows(folder.path()), best(folder.path()))
}

/// The same of a run that is stopped again and again, in the middle of a generation, and resumed with other threads.
fn cut<P: Problem>(settings: P::Settings) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut job = RunJob::<GpRun<P>>::create(folder.path(), settings, &Crew::alone()).unwrap();
    for stop in 0..6 {
        job.step(Budget::UNLIMITED.single());
        job.step(Budget::UNLIMITED.single());
        job.step(Budget::time(Duration::ZERO));
        drop(job);
        job = RunJob::<GpRun<P>>::resume(folder.path(), &Crew::new(1 + stop % 2)).unwrap().0;
    }
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    (rows(folder.path()), best(folder.path()))
}

fn best(folder: &Path) -> String {
    fs::read_to_string(folder.join("best.txt")).unwrap()
}

#[test]
fn a_run_depends_on_its_settings_alone() {
    for preset in ["mancala-gp-1", "mancala-gp-2", "mancala-gp-broad"] {
        let at_once = whole::<KalahProblem>(small(preset), 1, 1_000_000);
        assert_eq!(at_once.0.lines().count(), 14);
        assert_eq!(at_once, whole::<KalahProblem>(small(preset), 2, 0));
        assert_eq!(at_once, whole::<KalahProblem>(small(preset), 8, 300));
    }
    for settings in small_othello() {
        let at_once = whole::<OthelloProblem>(settings.clone(), 1, 1_000_000);
        assert_eq!(at_once.0.lines().count(), 10);
        assert_eq!(at_once, whole::<OthelloProblem>(settings.clone(), 2, 0));
        assert_eq!(at_once, whole::<OthelloProblem>(settings, 8, 300));
    }
}

#[test]
fn a_run_that_is_stopped_and_resumed_writes_the_same_rows() {
    let settings = small("mancala-gp-broad");
    let told = cut::<KalahProblem>(settings.clone());
    assert_eq!(told, whole::<KalahProblem>(settings, 1, 1_000_000));
    is_a_player("program", &told.1);
    for settings in small_othello() {
        let told = cut::<OthelloProblem>(settings.clone());
        assert_eq!(told, whole::<OthelloProblem>(settings, 1, 1_000_000));
        is_a_player("staged", &told.1);
    }
}

fn is_a_player(word: &str, best: &str) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), best).unwrap();
    format!("{word}:{}", file.path().display()).parse::<mancalab::player::Spec>().unwrap();
}

/// The presets of Othello on a small scale, one with definitions, one of a stage alone.
fn small_othello() -> Vec<othello::Settings> {
    let of = |(preset, more): (&str, &[&str])| {
        let mut settings = othello::Settings::preset(preset).unwrap();
        let small = ["population=24", "generations=8", "games=2", "termination=0", "mutation=10", "islands=1"];
        small.iter().chain(more).for_each(|text| settings.set_text(text).unwrap());
        settings
    };
    let strong = ("othello-gp-strong", &["opponents=random,minimax:2,mcts:5,2*champions:2", "adf=1"][..]);
    let all = [
        ("othello-gp-50", &["anew=false"][..]),
        ("othello-gp-25-staged", &["adf=2"]),
        strong,
        ("othello-gp-25-staged", &["training=stage:2"]),
    ];
    all.into_iter().map(of).collect()
}

#[test]
fn a_run_ends_at_the_first_program_that_leaves_few_enough_discs() {
    let mut settings = small_othello().remove(0);
    settings.termination = 60.0;
    let (rows, best) = whole::<OthelloProblem>(settings.clone(), 2, 1_000_000);
    let column = rows.lines().next().unwrap().split(',').position(|name| name == "best_opponent_discs").unwrap();
    let discs: Vec<f64> =
        rows.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().parse().unwrap()).collect();
    let (last, before) = discs.split_last().unwrap();
    assert!(*last <= 60.0 && before.iter().all(|discs| *discs > 60.0) && discs.len() < 9, "{discs:?}");
    is_a_player("staged", &best);
    // As long as there is none it goes on to its last generation.
    settings.termination = 1.0;
    assert_eq!(whole::<OthelloProblem>(settings, 2, 1_000_000).0.lines().count(), 10);
}
