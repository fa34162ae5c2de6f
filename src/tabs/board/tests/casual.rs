//! What makes a game casual, and where it is shown: notice, card, file and results.

use crate::app::stage::{Stage, config, config_of};
use crate::config::{Config, PerGame};
use crate::paths::Paths;
use crate::player::offers::{Level, Opponent};
use crate::results::{self, GameResult};
use crate::tabs::board::setup::{Settings, Setup};
use crate::tabs::{self, TabSettings};

/// Returns what makes the game on the board casual; an empty text for a rated one.
fn reasons(stage: &Stage) -> &str {
    stage.record().header("Casual").unwrap_or_default()
}

/// A small game with short reviews.
fn small() -> Config {
    let mut config = config_of("kalah:2x1");
    (config.review.depth, config.review.solve) = (PerGame::all(3), 0);
    config
}

/// A game with the folders of a person in `home`.
fn at_home(config: Config, players: [&str; 2], home: &std::path::Path) -> Stage {
    let paths = Paths::within(home);
    let players = players.map(|player| player.parse::<Opponent>().unwrap());
    let setup = Setup { seed: Some(1), ..Setup::new(config.board.game, players) };
    let board = Settings::new(setup, paths.games());
    Stage::with_paths(config, tabs::all(TabSettings::new(board, &paths)), paths)
}

#[test]
fn help_makes_a_game_casual_and_the_reasons_stay_in_their_order() {
    for (keys, expected, notice) in [
        ("C F t", "hints", "Casual game now: you used a hint"),
        ("t C F", "hints", ""),
        ("C F i", "analysis", "Casual game now: the analysis is on"),
        ("i C F", "analysis", ""),
        ("i i C F", "", ""),
        ("C F w", "values", "Casual game now: values are shown"),
        ("C F W", "coach", "Casual game now: the coach is on"),
        ("C F @", "threat", "Casual game now: you showed a threat"),
        ("C F u", "take-back", "Casual game now: you took a move back"),
        ("C F , left A", "take-back", "Casual game now: you took a move back"),
        ("C F , left right right", "", ""),
        ("C , C", "", ""),
        ("C m", "move by the computer", ""),
        ("m C", "move by the computer", ""),
        ("C F u t i t", "take-back, hints, analysis", ""),
        ("C F delete y", "take-back", "Deleted 1 move. U restores"),
    ] {
        let mut stage = Stage::new("human", "minimax:2");
        stage.keys(keys);
        assert_eq!(reasons(&stage), expected, "{keys}");
        if !notice.is_empty() {
            assert_eq!(stage.notice(), notice, "{keys}");
        }
    }
}

#[test]
fn a_review_of_the_running_game_makes_it_casual_and_one_after_the_end_does_not() {
    let mut stage = Stage::with_config(small(), "human", "max");
    stage.keys("A r");
    assert_eq!(reasons(&stage), "review");
    let mut stage = Stage::with_config(small(), "human", "max");
    while stage.record().ending().is_none() {
        stage.keys("A B");
    }
    assert!(stage.panel("Game over").unwrap().lines()[0].ends_with("against Beginner · rated"));
    stage.keys("esc r i");
    assert_eq!(reasons(&stage), "");
    // Nor do the same move again with help, and a variation or a move taken back in it.
    stage.keys("u");
    let (_, last) = stage.record().tried(stage.record().at()).next().unwrap();
    let last = stage.record().position().move_text(last);
    stage.keys(&last);
    assert_eq!(reasons(&stage), "");
    stage.keys("home B");
    assert!(stage.record().tried(0).count() > 1, "{}", stage.screen(80, 24));
    stage.keys("u A");
    assert_eq!(reasons(&stage), "");
}

#[test]
fn games_of_two_persons_or_two_computers_are_neither_rated_nor_casual() {
    for players in [["human", "human"], ["max", "max"]] {
        let mut stage = Stage::new(players[0], players[1]);
        stage.keys("A i t u");
        assert_eq!(reasons(&stage), "", "{players:?}");
    }
}

#[test]
fn other_players_make_a_game_casual_and_a_new_one_is_rated_again() {
    let mut stage = Stage::new("human", "minimax:2");
    stage.keys("C F O enter");
    assert_eq!((reasons(&stage), stage.notice()), ("other players", "Casual game now: players changed"));
    stage.keys("M C F");
    assert_eq!(reasons(&stage), "");
}

#[test]
fn the_reasons_are_in_the_file_and_a_loaded_game_is_casual_once_it_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "minimax:2", Some(folder.path().into()));
    stage.keys("C F t").save_as("one");
    let saved = std::fs::read_to_string(folder.path().join("one.game")).unwrap();
    assert!(saved.contains("[North \"minimax:2\"]\n") && saved.contains("[Casual \"hints\"]\n"), "{saved}");
    stage.keys("n enter l enter");
    assert_eq!(reasons(&stage), "hints");
    let moves = stage.record().position().moves();
    let pit = stage.record().position().move_text(moves[0]);
    stage.keys(&pit);
    assert_eq!(reasons(&stage), "hints, loaded game");

    let mut stage = Stage::new("human", "human");
    stage.paste("[Game \"kalah\"]\n[South \"human\"]\n[North \"minimax:2\"]\n\n1. C\n");
    stage.keys("i t");
    assert_eq!(reasons(&stage), "", "looking changes nothing");
    stage.keys("i F");
    assert_eq!((reasons(&stage), stage.notice()), ("loaded game", "Casual game now: you loaded it"));
}

#[test]
fn a_game_from_another_position_is_casual_without_a_notice() {
    let mut stage = Stage::new("human", "max");
    stage.keys("p 1 enter A");
    assert_eq!((reasons(&stage), stage.notice()), ("set-up position", ""));
}

#[test]
fn results_have_the_reasons_and_the_rating_counts_rated_games_only() {
    let home = tempfile::tempdir().unwrap();
    let mut stage = at_home(small(), ["human", "beginner"], home.path());
    while stage.record().ending().is_none() {
        stage.keys("A B");
    }
    stage.keys("esc M t");
    while stage.record().ending().is_none() {
        stage.keys("A B");
    }
    let head = stage.panel("Game over").unwrap().lines().remove(0);
    assert!(head.ends_with("against Beginner · casual (hints)"), "{head}");
    // Results and their accuracies are written in the background.
    let file = results::file(&Paths::within(home.path())).unwrap();
    let is_whole = |games: &[GameResult]| games.len() == 2 && games.iter().all(|game| game.accuracy.is_some());
    stage.wait_until("both results", |_| results::read(&file).is_ok_and(|(games, _)| is_whole(&games)));
    let (games, bad) = results::read(&file).unwrap();
    let casual: Vec<Option<&str>> = games.iter().map(|game| game.casual.as_deref()).collect();
    assert_eq!((casual, bad), (vec![None, Some("hints")], Vec::new()));
    assert!(games.iter().all(|game| game.opponent == "max" && game.opening.is_some()), "{games:?}");
    assert!(games.iter().all(|game| game.phases.chance.iter().all(Option::is_some)), "{games:?}");
    stage.keys("esc %");
    assert_eq!(stage.dialog_title(), "Your results");
    let dialog = stage.dialog().unwrap();
    assert!(dialog.lines().iter().any(|line| line.ends_with("casual (hints)")), "{dialog:?}");
    assert!(dialog.words().contains("first third 2 "), "{dialog:?}");
}

/// Moves that were tried and left before the end are no part of the result.
#[test]
fn the_line_that_was_played_to_its_end_is_the_game() {
    let home = tempfile::tempdir().unwrap();
    let mut stage = at_home(small(), ["human", "beginner"], home.path());
    stage.keys("A home B");
    while stage.record().ending().is_none() {
        stage.keys("A B");
    }
    let file = results::file(&Paths::within(home.path())).unwrap();
    let is_reviewed = |games: &[GameResult]| games.len() == 1 && games[0].accuracy.is_some();
    stage.wait_until("the result", |_| results::read(&file).is_ok_and(|(games, _)| is_reviewed(&games)));
    let record = stage.record();
    assert!(record.has_variations() && record.is_main(record.at()));
    let game = results::read(&file).unwrap().0.remove(0);
    assert_eq!(game.moves as usize, record.main_line().len());
    assert!(game.opening.as_ref().is_some_and(|opening| opening.starts_with('B')), "{game:?}");
}

#[test]
fn a_players_name_is_its_level_in_every_game() {
    for game in ["kalah", "oware", "awari", "vai-lung-thlan", "ohvalhu", "erherhe", "othello", "checkers"] {
        let config = config_of(game);
        let variant = config.board.game;
        let text = Level::Easy.player(&variant);
        let stage = Stage::with_config(config, "human", text);
        assert!(stage.north().ends_with("  Easy"), "{game}: {}", stage.north());
        assert_eq!(stage.record().players[1], text, "the file has the player's text");
    }
    let stage = Stage::new("human", "minimax:3");
    assert_eq!(stage.north(), "North  minimax:3");
}
