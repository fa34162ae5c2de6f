//! A small tournament from its preset to its games on the Board.

use std::path::Path;

use super::apply;
use crate::app::stage::Stage;
use crate::budget::{Budget, Job as _};
use crate::job::{RunJob, RunSettings};
use crate::pool::Pool;
use crate::reproduce;
use crate::settings::KeyedSettings as _;
use crate::tabs::staged::with_runs;

fn stage(folder: &Path) -> Stage {
    with_runs("4", folder, None)
}

/// Fills in the form of the first preset, whose player lines come first, and starts.
fn tournament(stage: &mut Stage, players: &[&str], games: &str, seed: &str) {
    stage.keys("e");
    for slot in 0..8 {
        stage.keys("ctrl-u").text(players.get(slot).unwrap_or(&"")).keys("down");
    }
    stage.text(seed);
    for _ in 0..3 {
        stage.press("down");
    }
    stage.text(games).keys("enter");
    stage.wait();
}

const PLAYERS: [&str; 3] = ["random", "max", "minimax:2:ties=random"];

#[test]
fn the_list_of_presets() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(stage(folder.path()).pages());
}

#[test]
fn the_form_has_a_line_for_every_player() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("e");
    insta::assert_snapshot!(stage.screen(80, 24));
    stage.keys("right");
    assert!(stage.shows("player 1") && stage.shows("sprt"), "{}", stage.screen(80, 24));
    stage.keys("ctrl-u").text("nobody").keys("enter");
    assert!(stage.shows("player 1: no player is named 'nobody'"), "{}", stage.screen(80, 24));
}

#[test]
fn what_is_wrong_with_a_player_is_reported_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.toml");
    std::fs::write(&file, "W1 = 0.5\n").unwrap();
    let error = |player: &str| {
        let settings = reproduce::tournaments().first().and_then(|(name, _)| reproduce::tournament(name)).unwrap();
        apply(&mut <Box<dyn RunSettings>>::from(settings), &[("player 1", "max"), ("player 2", player)]).unwrap_err()
    };
    let why = format!("player 2: unknown section `W1`; accepted: weights, origin ({}:1:1)", file.display());
    assert_eq!(error(&format!("heuristic:4@{}", file.display())), (1, why));
    let known = "random, max, minimax:D, heuristic:D, mcts:N, program:FILE, staged:F";
    assert_eq!(error("nobody"), (1, format!("player 2: no player is named 'nobody'; known: {known}")));
}

#[test]
fn a_tournament_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    tournament(&mut stage, &PLAYERS, "12", "7");
    stage.keys("down right");
    let pages = stage.pages();
    assert!(pages.contains("finished") && pages.contains("game 108 of 108"), "{pages}");
    assert!(pages.contains("max v max") && pages.contains("12 games (Enter: open)"), "{pages}");
    insta::assert_snapshot!(pages);
}

#[test]
fn the_log_of_a_tournament_counts_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut settings = reproduce::tournament("round-robin").unwrap();
    for (key, value) in [("players", "minimax:4, max"), ("games", "8"), ("stop", "hours:1e-12")] {
        settings.set(key, value).unwrap();
    }
    RunJob::create(&run, settings, &Pool::alone()).unwrap().step(Budget::UNLIMITED);
    let ended = crate::job::run_dir::entry(run).ended_early().unwrap();
    assert!(ended.starts_with("hours:0.000000000001 in round ") && !ended.ends_with(" 0"), "{ended}");
}

#[test]
fn a_game_is_opened_on_the_board_to_be_stepped_through() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    tournament(&mut stage, &PLAYERS, "3", "7");
    // Nothing is drawn between the keys, as with fast typing.
    stage.keys("down down j enter");
    assert!(stage.shows("South  minimax:2:ties=random") && stage.shows("North  random"), "{}", stage.screen(120, 40));
    assert!(stage.shows("Loaded round-robin-seed7, game 2"), "{}", stage.screen(120, 40));
    stage.keys("end");
    let end = stage.screen(120, 40);
    assert!(end.contains("wins") || end.contains("draw"), "{end}");
    // Back in the arena, the player of the row can be challenged.
    stage.keys("4 c");
    assert!(stage.shows("North  minimax:2:ties=random"), "{}", stage.screen(120, 40));
}

#[test]
fn the_matrix_shows_other_measures_and_games_are_sorted() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    tournament(&mut stage, &PLAYERS, "5", "1");
    assert!(stage.shows("% of games won by the row"));
    stage.keys("m");
    assert!(stage.shows("% of points of the row"));
    stage.keys("m");
    assert!(stage.shows("mean margin of the row"));
    stage.keys("o o");
    assert!(stage.shows("↓margin"), "{}", stage.screen(80, 24));
    stage.click("3 minimax:2");
    stage.keys("x");
    // On a wide screen the subtitle fits beside the notice.
    let screen = stage.screen(200, 60);
    assert!(screen.contains("tournament-seed1") || screen.contains("round-robin-seed1"), "{screen}");
}

#[test]
fn pairs_that_do_not_meet_have_no_cell() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("e");
    for slot in 0..8 {
        stage.keys("ctrl-u").text(PLAYERS.get(slot).unwrap_or(&"")).keys("down");
    }
    stage.text("1").keys("down down").text("1-2 2-1").keys("down").text("4").keys("enter");
    stage.wait();
    stage.keys("down down");
    assert!(stage.shows("These two do not play in this order") && stage.shows("No games"), "{}", stage.screen(80, 24));
    stage.keys("up left");
    assert!(stage.shows("max v random"), "{}", stage.screen(80, 24));
}

#[test]
fn a_tournament_is_left_and_resumed_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("e");
    for slot in 0..8 {
        stage.keys("ctrl-u").text(["mcts:3000", "max"].get(slot).unwrap_or(&"")).keys("down");
    }
    stage.text("1").keys("down down down").text("8").press("enter").press("space");
    stage.until("paused");
    let before = games(&mut stage);
    stage.press("s");
    stage.until(&format!("game {} of 32", before + 4));
    stage.until("paused");
    let csv = folder.path().join("round-robin-seed1/generations.csv");
    let rows = std::fs::read_to_string(&csv).unwrap().lines().count();
    assert!((2..9).contains(&rows), "{rows}");
    stage.press("x");
    stage.until("Saved and stopped");
    let in_the_list = (0..2000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        stage.pass(std::time::Duration::from_millis(100)).shows("stopped (Enter: resume)")
    });
    assert!(in_the_list, "{}", stage.screen(120, 40));
    // The run that was stopped is selected.
    stage.press("enter");
    stage.until("finished");
    assert!(stage.shows("game 32 of 32"), "{}", stage.screen(80, 24));
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 9);
}

/// Returns the number of counted games.
fn games(stage: &mut Stage) -> u32 {
    let screen = stage.screen(120, 40);
    screen.split("game ").nth(1).and_then(|after| after.split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// A tournament of another process can be watched, with its games.
#[test]
fn a_saved_tournament_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    let players = PLAYERS.iter().map(|text| text.parse().unwrap()).collect();
    let settings = crate::arena::Settings::round_robin(crate::game::Variant::usual()[0], players, 4, 1);
    let mut job = RunJob::create(&path, settings, &Pool::default()).unwrap();
    job.step(Budget::UNLIMITED);
    drop(job);
    let mut stage = with_runs("4", folder.path(), Some(("arena", path)));
    assert!(stage.shows("finished") && stage.shows("game 36 of 36"), "{}", stage.screen(120, 40));
    stage.keys("down enter");
    assert!(stage.shows("South  max"), "{}", stage.screen(120, 40));
}

#[test]
fn the_cursor_goes_with_the_matrix_and_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    tournament(&mut stage, &PLAYERS, "3", "7");
    stage.cursor_follows("down right left up");
    stage.keys("f");
    stage.cursor_follows("down down up");
}
