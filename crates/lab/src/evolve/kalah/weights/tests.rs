//! Tests of the genetic algorithm: independent of the division into steps, and fair in every generation.

use super::*;
use crate::budget::{Budget, Job, Status};
use crate::evolve::checks::{self, rows};
use crate::evolve::ga::GaView;
use crate::evolve::ga::Individual;
use crate::evolve::task::AnyTask as _;
use crate::job::{Progress, Rows, Run, RunJob};
use crate::kinds;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use std::time::Duration;

fn small(seed: u64) -> WeightsSettings {
    let mut settings = preset("kalah-thesis").unwrap();
    for (key, value) in [("population", "7"), ("generations", "4"), ("depth", "2"), ("games", "2")] {
        settings.set(key, value).unwrap();
    }
    Settings { seed, ..settings }
}

#[test]
fn the_mean_fitness_is_half_in_every_generation() {
    for (key, value) in [("games", "1"), ("opening", "0"), ("ties", "first"), ("fix_w4", "false")] {
        let mut settings = small(3);
        settings.set(key, value).unwrap();
        settings.set("mutation_rate", "0.5").unwrap();
        let mut run = WeightsRun::start(settings).unwrap();
        let mut generations = 0;
        while let Progress::Generation(row) = run.advance(&Pool::default(), Budget::UNLIMITED) {
            let view = run.view();
            let points: u64 = run.ranking().iter().map(|ranked| ranked.points).sum();
            assert_eq!(2 * points, view.possible * 7);
            assert_eq!(row.values.split(',').nth(2), Some("50.000"));
            generations += 1;
        }
        assert_eq!(generations, 5);
    }
}

#[test]
fn rows_depend_on_settings_and_seed_alone() {
    checks::rows_depend_on_settings_and_seed_alone(small);
}

/// A small run in Oware, whose players search with a history.
fn oware() -> WeightsSettings {
    let mut settings = preset("oware-weights").unwrap();
    for (key, value) in [("population", "5"), ("generations", "3"), ("depth", "2"), ("games", "2")] {
        settings.set(key, value).unwrap();
    }
    settings
}

#[test]
fn rows_of_other_games_depend_on_settings_and_seed_alone() {
    let whole = rows(oware(), &Pool::alone(), Budget::UNLIMITED);
    assert_eq!(rows(oware(), &Pool::new(2), Budget::time(Duration::ZERO)), whole);
    // At this depth a search may stop in the middle of a move.
    let deep = || Settings { generations: 0, population: 2, ..oware() };
    let deep = |pool: &Pool, budget: Budget| {
        let mut settings = deep();
        settings.set("depth", "7").unwrap();
        rows(settings, pool, budget)
    };
    assert_eq!(deep(&Pool::new(2), Budget::time(Duration::ZERO)), deep(&Pool::alone(), Budget::UNLIMITED));
    let folder = tempfile::tempdir().unwrap();
    let job = checks::continues_to_the_same_rows(&oware(), folder.path(), 1, |_| {});
    // The best genome is a player of the game.
    let text = format!("heuristic:2@{}", folder.path().join("best.txt").display());
    let spec: crate::player::Spec = text.parse().unwrap();
    let mut player = crate::player::build::<crate::game::sowing::oware::Oware>(&spec).unwrap();
    let start = crate::game::BoardGame::start(Default::default());
    let (game_state, _) = crate::game::referee::play_out(crate::game::GameState::new(start), |pos| {
        let turn = crate::player::Turn::new(*pos, 0, 1);
        let mv = crate::player::choose(&mut *player, &turn).unwrap();
        assert!(crate::game::Game::moves(pos).any(|legal| legal == mv));
        mv
    });
    assert!(game_state.plies() > 5);
    let best = &job.run_as::<WeightsRun>().ranking()[0].individual.genome;
    assert_eq!((best[6], settings_of(&job).yardstick()), (0.0, "minimax:2".to_owned()));
}

fn settings_of(job: &RunJob) -> &HeuristicWeights {
    &job.run_as::<WeightsRun>().settings().task
}

#[test]
fn a_stopped_run_continues_to_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let job = checks::continues_to_the_same_rows(&small(5), folder.path(), 2, |job| {
        let watching = kinds::watch(folder.path()).unwrap();
        let watched = watching.seen().get::<GaView>().unwrap();
        let own = job.run_as::<WeightsRun>().view();
        assert_eq!((watched.generation, watched.finished, &watched.past), (2, false, &own.past));
        assert_eq!((watched.games_left, watched.generations, watched.genes), (own.games_left, 4, 10));
    });
    let one = job.run_as::<WeightsRun>().view();
    let best = weights(&one.past.last().unwrap().best_genome);
    drop(job);
    // A finished run stays finished, with a complete view.
    let (mut again, _) = kinds::resume(folder.path(), &Pool::default()).unwrap();
    assert_eq!(again.step(Budget::UNLIMITED), Status::Done);
    let other = again.run_as::<WeightsRun>().view();
    assert_eq!((one.ranking, one.finished, one.games_left), (other.ranking, true, 0));
    assert_eq!(one.past.len(), other.past.len());
    // The best genome is a file of weights.
    let text = format!("heuristic:4@{}", folder.path().join("best.txt").display());
    let crate::player::Spec::Heuristic(player) = text.parse().unwrap() else { panic!("{text}") };
    assert_eq!(player.weights, best);
}

#[test]
fn an_elite_stays_and_ids_are_given_once() {
    let settings = Settings { elite: 2, ..small(9) };
    let mut run = WeightsRun::start(settings).unwrap();
    let mut seen: Vec<u64> = Vec::new();
    let mut before: Vec<Individual> = Vec::new();
    while let Progress::Generation(_) = run.advance(&Pool::default(), Budget::UNLIMITED) {
        let now: Vec<Individual> = run.ranking().iter().map(|ranked| ranked.individual.clone()).collect();
        assert!(run.ranking().is_sorted_by_key(|ranked| std::cmp::Reverse(ranked.points)));
        for elite in before.iter().take(2) {
            assert!(now.contains(elite));
        }
        for fresh in now.iter().filter(|individual| !before.contains(individual)) {
            assert!(!seen.contains(&fresh.id), "{fresh:?}");
            seen.push(fresh.id);
        }
        before = now;
    }
    assert!(before.iter().all(|individual| individual.genome[3] == 1.0));
}

#[test]
fn an_omitted_heuristic_keeps_weight_0() {
    let mut settings = small(4);
    settings.set("terms", "-H4,-H8").unwrap();
    settings.set("mutation_rate", "0.5").unwrap();
    let mut run = WeightsRun::start(settings).unwrap();
    while let Progress::Generation(_) = run.advance(&Pool::default(), Budget::UNLIMITED) {
        let genomes = || run.ranking().iter().map(|ranked| &ranked.individual.genome);
        assert!(genomes().all(|genome| genome[3] == 0.0 && genome[7] == 0.0 && genome[6] > 0.0));
    }
    let mut none = small(4);
    none.set("terms", "[]").unwrap();
    assert!(WeightsRun::start(none).err().unwrap().to_string().contains("terms must contain at least one heuristic"));
}

#[test]
fn every_setting_comes_back_from_its_text() {
    let settings = small(1);
    let changes = [
        ("population", "9"),
        ("elite", "3"),
        ("mutation_rate", "0.25"),
        ("crossover_rate", "0.75"),
        ("game", "5x3:empty"),
        ("depth", "3"),
        ("games", "7"),
        ("opening", "4"),
        ("ties", "first"),
        ("judged", "path"),
        ("near", "indicator"),
        ("sigma", "0.05"),
        ("start", "middle"),
        ("spread", "0.3"),
        ("fix_w4", "false"),
        ("crossover", "linear"),
        ("terms", "H4,H7"),
        ("panel", "random,minimax:2"),
        ("panel_games", "3"),
        ("panel_every", "4"),
        ("panel_opening", "1"),
        ("initial", "src/lib.rs"),
        ("stop", "plateau:3"),
        ("keep", "2"),
    ];
    assert_eq!(settings.list().iter().map(|(key, ..)| *key).collect::<Vec<_>>(), changes.map(|(key, _)| key));
    checks::are_changed_and_kept(&settings, &changes);
}

#[test]
fn settings_say_what_they_accept() {
    let mut settings = small(1);
    let mut error = |key: &str, value: &str| settings.set(key, value).unwrap_err().to_string();
    assert_eq!(error("population", "1"), "population: a whole number from 2 to 1000 is expected (got 1)");
    assert_eq!(error("sigma", "NaN"), "sigma: a number from 0 to 1 is expected (got NaN)");
    assert_eq!(error("ties", "some"), "ties: expected first, last, random or window (got some)");
    assert!(
        error("speed", "1")
            .starts_with("no setting is named 'speed' (did you mean 'seed'?); known: seed, generations, population")
    );
    let wrong = WeightsRun::start(Settings { elite: 7, ..small(1) }).err().unwrap();
    assert_eq!(wrong, "elite must be less than the population of 7 (got 7)".into());
}

#[test]
fn a_damaged_state_is_refused() {
    let mut run = WeightsRun::start(small(1)).unwrap();
    let Progress::Generation(row) = run.advance(&Pool::default(), Budget::UNLIMITED) else { panic!() };
    let rows = [row.values];
    let state = run.save(&Pool::alone());
    assert!(WeightsRun::restore(small(1), &state, Rows::in_memory(&rows)).is_ok());
    for length in 0..state.len() {
        assert!(WeightsRun::restore(small(1), &state[..length], Rows::in_memory(&rows)).is_err());
    }
    let others = Settings { population: 8, ..small(1) };
    assert_eq!(
        WeightsRun::restore(others, &state, Rows::in_memory(&rows)).err().unwrap(),
        "the checkpoint does not hold 8 genomes of 10 genes".into()
    );
    assert!(WeightsRun::restore(small(1), &state, Rows::in_memory(&["0,1,2".to_owned()])).is_err());
}

#[test]
fn a_view_shows_how_far_it_is() {
    let mut run = WeightsRun::start(small(2)).unwrap();
    let view = run.view();
    assert_eq!((view.generation, view.progress.pairings, view.best(), view.ranking.len()), (0, 0, None, 0));
    while run.advance(&Pool::default(), Budget::time(Duration::ZERO)) == Progress::Working {}
    let view = run.view();
    // 28 pairings, of which 21 are of two genomes, with two games each way.
    assert_eq!((view.generation, view.progress.all_pairings, view.progress.of_games), (1, 28, 84));
    assert_eq!((view.games_left, view.past.len()), (4 * 84, 1));
    assert!(view.games_per_second > 0.0 && view.seconds_left().is_some());
    let settings = small(2);
    let player = settings.player(&view.ranking[6].individual.genome, "");
    assert!(player.starts_with("heuristic:2@") && player.ends_with(":ties=random"), "{player}");
    assert!(player.parse::<crate::player::Spec>().is_ok());
    let ranked = &view.ranking[0];
    let (ending, text) = settings.kept(ranked, view.fitness(ranked));
    let text = String::from_utf8(text).unwrap();
    assert!(ending == "toml" && text.contains("[origin]\npreset = \"kalah-thesis\"\nseed = \"2\""), "{text}");
}

/// Weights in a proportion stay in it through crossover, mutation and files, and change no draw of the others.
#[test]
fn tied_weights_keep_their_proportion() {
    let mut settings = small(1);
    settings.set("terms", "H1,H4,2*H6-H8").unwrap();
    settings.set("mutation_rate", "0.5").unwrap();
    let mut run = WeightsRun::start(settings.clone()).unwrap();
    let mut generations = 0;
    while let Progress::Working | Progress::Generation(_) = run.advance(&Pool::alone(), Budget::UNLIMITED) {
        for member in run.ranking() {
            let genome = &member.individual.genome;
            assert!((genome[7] + genome[5] / 2.0).abs() <= 0.000_501, "{genome:?}");
            assert!([1, 2, 4, 6, 8, 9].iter().all(|&term| genome[term] == 0.0));
        }
        generations += 1;
    }
    assert!(generations > 1 && run.ranking().iter().any(|member| member.individual.genome[7] < 0.0));
    settings.set("terms", "H6-H4").unwrap();
    let error = WeightsRun::start(settings).err().unwrap().to_string();
    assert!(error.contains("the weight of H4 follows another one"), "{error}");
}
