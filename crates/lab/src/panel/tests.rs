//! Tests of the measurement by a panel: its results are those of the games, and the run is the same without it.

use std::path::Path;
use std::time::Duration;

use super::*;
use crate::budget::{Job as _, Status};
use crate::evolve::checks::{preset, rows_of};
use crate::game::kalah::Kalah;
use crate::game::{BoardGame as _, Game as _, GameState, referee};
use crate::job::{RunJob, RunSettings, RunWatcher, fork, verify};
use crate::kinds;
use crate::measuring::Strength;
use crate::player::{Turn, build, choose};

const PROGRAMS: &[(&str, &str)] = &[("population", "20"), ("generations", "5"), ("opponents", "max")];
const MEASURED: &[(&str, &str)] = &[("panel", "random,minimax:2"), ("panel_every", "2"), ("panel_games", "3")];

fn programs() -> Box<dyn RunSettings> {
    preset("mancala-gp-1", &[PROGRAMS, MEASURED].concat())
}

fn rows(settings: &dyn RunSettings, pool: &Pool, budget: Budget) -> Vec<String> {
    rows_of(settings, pool, budget).unwrap()
}

fn written(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("generations.csv")).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Every problem and task of the genetic algorithm, small.
fn every_kind() -> Vec<Box<dyn RunSettings>> {
    let small = [("population", "4"), ("generations", "2")];
    let panel = [("panel", "random"), ("panel_every", "2"), ("panel_games", "2")];
    let of = |name: &str, own: &[(&str, &str)]| preset(name, &[&small[..], &panel, own].concat());
    vec![
        of("mancala-gp-2", &[("opponents", "max")]),
        of("oware-gp", &[("opponents", "max"), ("islands", "1"), ("migrants", "0"), ("elitism", "1")]),
        of("othello-gp-50-staged", &[("games", "2"), ("termination", "0")]),
        of("kalah-thesis", &[("depth", "1"), ("games", "1")]),
        of("kalah-hybrid", &[("depth", "1"), ("games", "1")]),
        of("kalah-network", &[("games", "2"), ("elite", "1")]),
        of("checkers-ga", &[("depth", "1")]),
    ]
}

#[test]
fn the_best_of_every_kind_of_run_meets_the_panel_and_the_other_columns_stay() {
    for measured in every_kind() {
        let mut plain = measured.clone();
        plain.set("panel", "[]").unwrap();
        let unchanged = preset(&plain.manifest().preset, &[]);
        assert!(!unchanged.to_text().contains("panel"), "settings without a panel stay as they were");
        let expected = rows(&*plain, &Pool::alone(), Budget::UNLIMITED);
        let rows = rows(&*measured, &Pool::new(2), Budget::time(Duration::ZERO));
        let name = measured.manifest().preset;
        assert_eq!(measured.header(), format!("{},panel_won_drawn_lost", plain.header()));
        assert_eq!(rows.len(), 3, "{name}");
        for (generation, (row, plain)) in rows.iter().zip(&expected).enumerate() {
            let (own, field) = row.rsplit_once(',').unwrap();
            assert_eq!(own, plain, "{name}");
            let games = PanelResult::parse_list(field).unwrap().iter().map(|result| result.both().games()).sum::<u32>();
            assert_eq!(games, if generation == 1 { 0 } else { 4 }, "{name}: {field}");
        }
    }
}

#[test]
fn neither_threads_nor_steps_show_in_the_results_unlike_the_seed() {
    let whole = rows(&*programs(), &Pool::alone(), Budget::UNLIMITED);
    assert_eq!(rows(&*programs(), &Pool::new(3), Budget::time(Duration::ZERO)), whole);
    assert_eq!(rows(&*programs(), &Pool::new(2), Budget::time(Duration::from_millis(1))), whole);
    let fields =
        |rows: &[String]| rows.iter().map(|row| row.rsplit(',').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!([1, 3, 5].map(|generation| fields(&whole)[generation].clone()), ["-", "-", "-"]);
    let mut other = programs();
    other.set("seed", "2").unwrap();
    assert_ne!(fields(&rows(&*other, &Pool::alone(), Budget::UNLIMITED)), fields(&whole));
}

/// Without chance all games of a seat are one game, which is played here by itself.
#[test]
fn results_are_those_of_the_games_of_the_best() {
    let changes =
        [("panel", "minimax:2,minimax:3"), ("panel_games", "2"), ("panel_every", "1"), ("panel_opening", "0")];
    let settings = preset("mancala-gp-1", &[PROGRAMS, &changes].concat());
    let mut job = RunJob::in_memory(settings, &Pool::alone()).unwrap();
    let mut measured = 0;
    while job.step(Budget::UNLIMITED.single()) == Status::Running || measured < 6 {
        let strength = Strength::new(job.run().view().measured());
        let (generation, results) = strength.newest().unwrap();
        assert_eq!((generation, strength.results.len()), (measured, measured as usize + 1));
        let best = crate::evolve::champion::best_program::<crate::evolve::kalah::KalahProblem>(job.run()).unwrap();
        for (opponent, result) in ["minimax:2", "minimax:3"].iter().zip(results) {
            for seat in [0, 1] {
                let mut specs = [best.clone(), opponent.parse().unwrap()];
                specs.rotate_left(seat);
                let mut players = specs.map(|spec| build::<Kalah>(&spec).unwrap());
                let start = Kalah::start(Default::default());
                let (_, ending) = referee::play_out(GameState::new(start), |pos| {
                    choose(&mut *players[pos.side().index()], &Turn::new(*pos, 0, 1)).unwrap()
                });
                let side = crate::game::Side::BOTH[seat];
                let mut expected = [0; 3];
                expected[ending.outcome(side).halves() as usize] = 2;
                assert_eq!(result.ended[seat], expected, "generation {generation}, {opponent}, seat {seat}");
            }
        }
        measured += 1;
    }
}

#[test]
fn a_run_that_stops_anywhere_goes_on_to_the_same_rows_and_is_shown_and_verified() {
    let whole = rows(&*programs(), &Pool::alone(), Budget::UNLIMITED);
    let forms = [programs().form()];
    for steps in [1, 3, 10, 40, 100] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let mut job = RunJob::create(&path, programs(), &Pool::alone()).unwrap();
        // Steps without time end within generations and within measurements.
        (0..steps).for_each(|_| _ = job.step(Budget::time(Duration::ZERO)));
        job.rest();
        drop(job);
        let (mut job, _) = RunJob::resume(&path, &forms, &Pool::new(2)).unwrap();
        assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
        assert_eq!(written(&path), whole, "{steps} steps");
        let own = Strength::new(job.run().view().measured());
        assert_eq!(own.results.iter().map(|(generation, _)| *generation).collect::<Vec<_>>(), [0, 2, 4]);
        drop(job);
        let watcher = RunWatcher::open(&path, kinds::forms()).unwrap();
        assert_eq!(Strength::new(&watcher.seen().measured()), own);
        assert_eq!(Strength::new(watcher.view().unwrap().measured()), own);
        assert_eq!(Strength::read(&path).unwrap(), own);
        let verified = verify::verify(&path, &forms, 100, &Pool::alone(), |_, _| true).unwrap();
        assert_eq!((verified.compared, verified.difference), (6, None));
    }
}

#[test]
fn invalid_results_are_reported_to_those_who_watch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    assert_eq!(RunJob::create(&path, programs(), &Pool::alone()).unwrap().step(Budget::UNLIMITED), Status::Done);
    let file = path.join("generations.csv");
    let rows = std::fs::read_to_string(&file).unwrap();
    let measured = written(&path)[2].rsplit(',').next().unwrap().to_owned();
    for field in ["9-9-9", "", "x", "1-1-1/1-1-1"] {
        std::fs::write(&file, rows.replacen(&format!(",{measured}\n"), &format!(",{field}\n"), 1)).unwrap();
        let error = RunWatcher::open(&path, kinds::forms()).err().unwrap().to_string();
        assert!(error.contains(&format!("panel_won_drawn_lost is invalid (got {field})")), "{error}");
    }
}

#[test]
fn a_longer_run_has_the_same_rows_and_a_fork_keeps_its_panel() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut job = RunJob::create(&path, programs(), &Pool::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    drop(job);
    let mut longer = programs();
    longer.set("generations", "7").unwrap();
    let whole = rows(&*longer, &Pool::alone(), Budget::UNLIMITED);
    let (mut job, _) = RunJob::extend(&path, 7, &[programs().form()], &Pool::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    drop(job);
    assert_eq!(written(&path), whole);

    let forms = kinds::forms();
    let parent = fork::Fork::new(&path, Some(4), forms).unwrap();
    let fork = |changes: &[(&str, &str)]| {
        let mut changed = longer.clone();
        changes.iter().for_each(|(key, value)| changed.set(key, value).unwrap());
        let fork = folder.path().join("fork");
        parent.write(&*changed, &fork, &Pool::alone(), |_, _| true).map(|_| fork)
    };
    for change in [("panel", "max"), ("panel", "[]"), ("panel_games", "4"), ("panel_every", "1")] {
        let error = fork(&[change]).unwrap_err().to_string();
        assert!(error.contains(&format!("{} cannot change", change.0)), "{error}");
    }
    let fork = fork(&[("mutation", "50")]).unwrap();
    let (mut job, _) = RunJob::resume(&fork, forms, &Pool::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    assert_eq!(written(&fork)[..5], whole[..5]);
    assert_eq!(Strength::read(&fork).unwrap().results.len(), 4);
}

#[test]
fn a_run_that_ends_by_itself_is_measured_at_its_end() {
    let changes =
        [("termination", "1000"), ("games", "2"), ("population", "4"), ("panel", "random"), ("panel_every", "99")];
    let rows = rows(&*preset("othello-gp-50-staged", &changes), &Pool::alone(), Budget::UNLIMITED);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(!rows[0].ends_with('-'));
}

#[test]
fn what_cannot_be_measured_is_refused_before_the_start() {
    let refused = |value: &str| {
        let mut settings = programs();
        let set = settings.set("panel", value);
        let checked = set.and_then(|()| settings.check()).unwrap_err().to_string();
        assert!(settings.start().is_err() || checked.contains("panel") || checked.contains("player"));
        checked
    };
    assert!(refused("samuel:2").contains("panel: "), "{}", refused("samuel:2"));
    assert!(refused("human").contains("a human cannot be in the panel"));
    assert!(refused("minimax:4:ms=5").contains("not be reproducible"));
    assert!(refused(&["max"; 32].join(",")).contains("at most 31 players (got 32)"));
}
