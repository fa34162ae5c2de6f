//! The review of a game, and what is done with what it finds.

use std::time::Duration;

use crate::app::TerminalRequest;
use crate::app::stage::{Stage, config};
use crate::config::PerGame;
use crate::game::notation;
use crate::game::record::Record;

/// A small game, looked at four plies ahead.
fn stage(south: &str, north: &str) -> Stage {
    let mut config = config();
    config.board.game = "kalah:4x3".parse().unwrap();
    (config.review.depth, config.review.solve) = (PerGame::all(4), 0);
    (config.review.mistake, config.review.blunder) = (5, 10);
    Stage::with_config(config, south, north)
}

/// A game that weak players have played to its end.
fn played() -> Stage {
    let mut stage = stage("random", "random");
    for _ in 0..60 {
        stage.pass(Duration::from_secs(1));
    }
    assert!(stage.shows("Game over"), "{}", stage.screen(120, 40));
    stage
}

/// The game as it is copied.
fn copied(stage: &mut Stage) -> Record {
    stage.keys("y");
    let copied = stage.app.take_requests().into_iter().find_map(|wish| match wish {
        TerminalRequest::Copy(text) => Some(text),
        _ => None,
    });
    notation::read(&copied.unwrap()).unwrap()
}

#[test]
fn a_game_is_reviewed_and_its_mistakes_are_gone_through() {
    let mut stage = played();
    assert!(!stage.shows("??"));
    stage.keys("r");
    assert!(stage.shows("Reviewed: "), "{}", stage.screen(120, 40));
    assert!(stage.shows("Chance of winning") && stage.shows("?? "));
    stage.keys("home");
    let mut seen = Vec::new();
    for _ in 0..40 {
        stage.keys(">");
        if stage.shows("No mistakes after this move") {
            break;
        }
        let screen = stage.screen(120, 40);
        let output = screen.lines().find_map(|line| line.split("? ").find(|part| part.contains(" was better")));
        seen.push(output.unwrap_or_else(|| panic!("{screen}")).to_owned());
    }
    assert!(seen.len() > 2, "{seen:?}");
    stage.keys("<");
    assert!(stage.shows(&seen[seen.len() - 2]), "{seen:?}\n{}", stage.screen(120, 40));
}

/// The message and the list have the same value of a move, from the same side.
#[test]
fn a_move_has_one_value() {
    let mut config = config();
    config.board.game = "othello".parse().unwrap();
    (config.review.depth, config.review.solve) = (PerGame::all(2), 0);
    let mut stage = Stage::with_config(config, "random", "random");
    for _ in 0..70 {
        stage.pass(Duration::from_secs(1));
    }
    stage.keys("r home");
    let mut compared = 0;
    for _ in 0..70 {
        stage.keys(".");
        let screen = stage.screen(160, 50);
        // Such as `? d3 +1.5 → −2, loses 12 %. c4 was better`.
        let words: Vec<Vec<&str>> = screen.lines().map(|line| line.split_whitespace().collect()).collect();
        let message =
            words.iter().find_map(|line| line.windows(3).find(|part| part[1] == "→" && part[2].ends_with(',')));
        let Some(&[_, _, value]) = message else { continue };
        let line = words.iter().find(|line| line.windows(3).any(|part| part[1] == "→" && part[2] == value)).unwrap();
        let at = line.iter().position(|word| *word == "→").unwrap();
        let name = line[at - 2];
        let value = value.trim_end_matches(',');
        let is_row = |line: &Vec<&str>| {
            line.windows(2)
                .any(|part| part[0].trim_end_matches(['?', '"']) == name && part[1].trim_end_matches('│') == value)
        };
        assert!(words.iter().any(is_row), "{name} {value}\n{screen}");
        compared += 1;
    }
    assert!(compared > 20, "{compared} moves");
}

/// After a review one is often at the end of the game, where no mistake follows.
#[test]
fn at_the_end_of_the_game_the_next_mistake_is_the_first() {
    let mut stage = played();
    stage.keys("r home >");
    let first = stage.screen(120, 40);
    let output = first.lines().find_map(|line| line.split("? ").find(|part| part.contains(" was better"))).unwrap();
    stage.keys("end");
    assert!(!stage.shows(output), "{}", stage.screen(120, 40));
    stage.keys(">");
    assert!(stage.shows(output), "{}", stage.screen(120, 40));
}

#[test]
fn what_would_have_been_better_is_a_variation_and_stands_there_once() {
    let mut stage = played();
    stage.keys("r home >");
    let before = copied(&mut stage);
    stage.keys("!");
    assert!(stage.shows(" better than "), "{}", stage.screen(120, 40));
    let varied = copied(&mut stage);
    assert!(varied.len() > before.len() && varied.line().iter().any(|step| step.variations == 2));
    // What is new is valued too.
    assert!(!stage.shows(" of ") || !stage.shows("Reviewing"));
    // Back to the mistake by the variations, and once more: nothing is added.
    stage.keys("[");
    assert!(stage.shows(" was better"), "{}", stage.screen(120, 40));
    stage.keys("!");
    assert_eq!(copied(&mut stage).len(), varied.len());
}

#[test]
fn a_review_is_stopped_resumed_and_extended() {
    let mut config = config();
    config.review.depth = PerGame::all(60);
    config.review.solve = 0;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.keys("A");
    stage.press("r");
    assert!(stage.shows("Reviewing") && stage.shows("0 of 2 positions"), "{}", stage.screen(120, 40));
    assert_eq!(stage.jobs(), 1);
    stage.press("r");
    assert!(stage.shows("Review stopped at 0 of 2 positions; r resumes"), "{}", stage.screen(120, 40));
    assert_eq!(stage.jobs(), 0);
    stage.press("r");
    stage.press("esc");
    assert_eq!(stage.jobs(), 0, "Esc stops it as well");
}

#[test]
fn moves_made_after_a_review_are_valued_by_the_next() {
    let mut stage = stage("human", "human");
    stage.keys("A r");
    assert!(stage.shows("Reviewed: "), "{}", stage.screen(120, 40));
    stage.keys("d");
    assert!(stage.shows("2 of 3 positions"), "{}", stage.screen(120, 40));
    stage.keys("r");
    assert!(!stage.shows("2 of 3 positions"));
    // Another game knows nothing of it.
    stage.keys("n enter");
    assert!(!stage.shows("? 0"), "{}", stage.screen(120, 40));
}

#[test]
fn while_a_game_is_reviewed_no_player_moves() {
    let mut config = config();
    (config.review.depth, config.review.solve) = (PerGame::all(60), 0);
    let mut stage = Stage::with_config(config, "human", "minimax:60");
    stage.press("A");
    assert_eq!(stage.jobs(), 1, "the player thinks");
    stage.press("r");
    assert_eq!(stage.jobs(), 1, "the review alone is at work");
    assert!(stage.shows("0 of 2 positions") || stage.shows("1 of 2 positions"), "{}", stage.screen(120, 40));
    stage.press("r");
    assert_eq!(stage.jobs(), 1, "the player thinks again");
}

#[test]
fn a_click_on_the_curve_goes_there() {
    let mut stage = played();
    stage.keys("r home");
    let here = |stage: &mut Stage| stage.screen(80, 24).contains("Game over");
    assert!(!here(&mut stage));
    let screen = stage.screen(120, 40);
    let rows: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let zero = |row: &Vec<char>| row.windows(4).position(|part| part == ['5', '0', ' ', '%']).map(|at| at + 5);
    let is_axis = |row: &&Vec<char>| zero(row).is_some_and(|at| row.get(at) == Some(&'─'));
    let line = rows.iter().find(is_axis).unwrap_or_else(|| panic!("no middle line:\n{screen}"));
    let row = rows.iter().position(|row| row == line).unwrap();
    let zero = zero(line).unwrap();
    let steps = copied(&mut stage).line().len();
    stage.buffer(120, 40);
    for column in (zero..line.len()).rev() {
        stage.click_at(column as u16, row as u16);
        if here(&mut stage) {
            break;
        }
        stage.buffer(120, 40);
    }
    assert!(here(&mut stage), "{steps} moves\n{}", stage.screen(120, 40));
}

#[test]
fn mistakes_are_tried_again_with_the_move_hidden() {
    let mut stage = played();
    let before = copied(stage.keys("r"));
    stage.keys("Z");
    assert!(stage.shows("Find a better move") && stage.shows("Mistake 1 of"), "{}", stage.screen(120, 40));
    // Some pit gives an answer, and nothing is added to the game.
    for pit in ["A", "B", "C", "D"] {
        stage.keys(pit);
        if ["Yes: ", "Nearly: ", "No: "].iter().any(|answer| stage.shows(answer)) {
            break;
        }
    }
    assert!(["Yes: ", "Nearly: ", "No: "].iter().any(|answer| stage.shows(answer)), "{}", stage.screen(120, 40));
    assert_eq!(copied(&mut stage).len(), before.len());
    for _ in 0..40 {
        stage.keys(">");
        if stage.shows(" found, ") {
            break;
        }
    }
    assert!(stage.shows(" wrong tries") && !stage.shows("Find a better move"), "{}", stage.screen(120, 40));
}

/// A folder with a game whose file has the values of a review: South's first move, A, is a blunder.
fn reviewed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"max\"]\n\n\
                {[%values 8 C=+20 F b, B=+19, F=+9, D=-1, E=0, A=-20 b]} 1. A \
                {[%values 8 a=+20, b=+20, c=+18, d=0, e=0, f=0]} 2. b\n";
    std::fs::write(folder.path().join("a.game"), text).unwrap();
    folder
}

#[test]
fn the_review_in_a_file_is_shown_and_kept() {
    let folder = reviewed();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("l enter");
    assert!(stage.shows("A??"), "{}", stage.screen(120, 40));
    stage.keys("<");
    assert!(stage.shows("C was better"), "{}", stage.screen(120, 40));
    stage.keys("r s ctrl-u").text("b.game").keys("enter");
    let text = std::fs::read_to_string(folder.path().join("b.game")).unwrap();
    assert_eq!(text.matches("[%values").count(), 3, "{text}");
}

#[test]
fn puzzles_come_from_the_reviews_in_saved_games() {
    let folder = reviewed();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("Q");
    assert!(stage.shows("Puzzle 1 of 1") && !stage.shows("A??"), "{}", stage.screen(120, 40));
    stage.keys("D");
    assert!(stage.shows("No: D loses"), "{}", stage.screen(120, 40));
    stage.keys("C");
    assert!(stage.shows("1 of 1 found, 0 nearly, 1 wrong tries"), "{}", stage.screen(120, 40));
    let empty = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(empty.path().to_owned()));
    stage.keys("Q");
    assert!(stage.shows("No puzzles: no saved games"), "{}", stage.screen(120, 40));
}
