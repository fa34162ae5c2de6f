//! The review of a game, and what is done with what it finds.

use std::time::Duration;

use super::puzzles::reviewed;
use crate::app::stage::{Stage, config, config_of};
use crate::config::PerGame;

/// A small game, looked at four plies ahead.
fn stage(south: &str, north: &str) -> Stage {
    let mut config = config_of("kalah:4x3");
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
    assert_eq!(stage.story()[1], "Game over · South wins 19 : 5");
    stage
}

/// The line about the mistake shown, such as `? B +5 → +2, loses 6 %. D was better`; an empty one if there is none.
fn mistake(stage: &Stage) -> String {
    stage.story().into_iter().find(|line| line.contains(" was better")).unwrap_or_default()
}

#[test]
fn a_game_is_reviewed_and_its_mistakes_are_gone_through() {
    let mut stage = played();
    assert!(!stage.moves().contains("??"));
    stage.keys("r");
    assert_eq!(stage.notice(), "Reviewed: 2 mistakes (?), 1 blunder (??); > goes to the next");
    assert!(stage.panel("Chance of winning").is_some() && stage.moves().contains("?? "));
    stage.keys("home");
    let mut seen = Vec::new();
    while stage.keys(">").notice() != "No mistakes after this move" {
        seen.push(mistake(&stage));
        assert!(seen.len() < 40 && !seen.contains(&String::new()), "{seen:?}");
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
    stage.keys("<");
    assert_eq!(mistake(&stage), seen[1]);
    // After a review one is often at the end of the game, where no mistake follows: the next is the first.
    stage.keys("end");
    assert_ne!(mistake(&stage), seen[0]);
    stage.keys(">");
    assert_eq!(mistake(&stage), seen[0]);
}

/// What a solver gave up is not asked again where the game is loaded: the review is there.
#[test]
fn a_loaded_game_has_its_whole_review() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config_of("kalah:4x3:end=mover");
    (config.review.depth, config.review.solve) = (PerGame::all(4), 6);
    let mut stage = Stage::in_folder(config, "random", "random", Some(folder.path().to_owned()));
    for _ in 0..60 {
        stage.pass(Duration::from_secs(1));
    }
    stage.keys("r");
    let found = stage.notice().to_owned();
    assert!(found.starts_with("Reviewed: "), "{found}");
    stage.keys("s ctrl-u").text("kept").keys("enter n enter l").text("kept").keys("enter");
    assert!(stage.notice().starts_with("Loaded kept.game"), "{}", stage.notice());
    stage.keys("r");
    assert!(found.starts_with(stage.notice()), "{}", stage.notice());
}

/// The message and the list have the same value of a move, from the same side.
#[test]
fn a_move_has_one_value() {
    let mut config = config_of("othello");
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

#[test]
fn what_would_have_been_better_is_a_variation_and_stands_there_once() {
    let mut stage = played();
    stage.keys("r home >");
    let before = stage.record().clone();
    stage.keys("!");
    assert_eq!(stage.notice(), "Added D, 3 better than B. [ ] switches");
    let varied = stage.record().clone();
    assert!(varied.len() > before.len() && varied.line().iter().any(|step| step.variations == 2));
    // What is new is valued too.
    assert!(!stage.story().iter().any(|line| line.starts_with("Reviewing")), "{:?}", stage.story());
    // Back to the mistake by the variations, and once more: nothing is added.
    stage.keys("[");
    assert_eq!(stage.story()[1], "? B +5 → +2, loses 6 %. D was better. ! adds its line");
    stage.keys("!");
    assert_eq!(stage.record().clone().len(), varied.len());
}

#[test]
fn a_review_is_stopped_resumed_and_extended() {
    let mut config = config();
    config.review.depth = PerGame::all(60);
    config.review.solve = 0;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.keys("A");
    stage.press("r");
    assert_eq!(stage.story()[1], "Reviewing ▸ 0 of 2 positions · r stops");
    assert_eq!(stage.jobs(), 1);
    stage.press("r");
    assert_eq!(stage.notice(), "Review stopped at 0 of 2 positions; r resumes");
    assert_eq!(stage.jobs(), 0);
    stage.press("r");
    stage.press("esc");
    assert_eq!(stage.jobs(), 0, "Esc stops it as well");
}

#[test]
fn mistakes_asked_for_too_early_follow_the_review() {
    let mut stage = played();
    stage.press("r");
    stage.press("Z");
    assert_eq!(stage.notice(), "The mistakes follow when the review is complete");
    stage.wait();
    assert!(stage.panel("Find a better move").is_some(), "{}", stage.screen(120, 40));
    // A stopped review has nothing to follow.
    let mut stage = played();
    stage.press("r");
    stage.press("Z");
    stage.press("r");
    stage.keys("r");
    assert_eq!(stage.panel("Find a better move"), None);
}

#[test]
fn a_wrong_try_shows_the_reply_and_of_a_solved_position_the_exact_one() {
    for is_solved in [false, true] {
        let mut config = config_of("kalah:4x3");
        config.review.perfect = is_solved;
        (config.review.depth, config.review.solve) = (PerGame::all(1), 0);
        (config.review.mistake, config.review.blunder) = (2, 10);
        let mut stage = Stage::with_config(config, "random", "random");
        for _ in 0..60 {
            stage.pass(Duration::from_secs(1));
        }
        stage.keys("r Z");
        let mut replies = 0;
        for pit in ["A", "B", "C", "D"] {
            stage.keys(pit);
            let story = stage.story();
            if story[0].starts_with('✗') && story.len() > 2 {
                replies += 1;
                assert_eq!(story[1].contains("(estimate)"), !is_solved, "{story:?}");
            }
        }
        assert!(replies > 0, "{:?}", stage.story());
        let story = stage.keys("v").story();
        let best = story.last().unwrap();
        assert!(best.starts_with("Best play: ") && best.len() > 20, "{story:?}");
        assert_eq!(best.contains('·'), !is_solved, "{story:?}");
    }
}

#[test]
fn moves_made_after_a_review_are_valued_by_the_next() {
    let mut stage = stage("human", "human");
    stage.keys("A r");
    assert_eq!(stage.notice(), "Reviewed: no mistake (?), no blunder (??)");
    stage.keys("d");
    let summary = |stage: &mut Stage| stage.panel("Chance of winning").unwrap().foot;
    assert!(summary(&mut stage).contains("2 of 3 positions"), "{}", summary(&mut stage));
    stage.keys("r");
    assert!(!summary(&mut stage).contains(" positions"), "{}", summary(&mut stage));
    // Another game knows nothing of it.
    stage.keys("n enter");
    assert_eq!(stage.panel("Chance of winning"), None);
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
    assert!(stage.story()[1].contains(" of 2 positions"), "{:?}", stage.story());
    stage.press("r");
    assert_eq!(stage.jobs(), 1, "the player thinks again");
}

#[test]
fn a_click_on_the_curve_goes_there() {
    let mut stage = played();
    stage.keys("r home");
    let here = |stage: &mut Stage| stage.record().ending().is_some();
    assert!(!here(&mut stage));
    let screen = stage.screen(120, 40);
    let rows: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let zero = |row: &Vec<char>| row.windows(4).position(|part| part == ['5', '0', ' ', '%']).map(|at| at + 5);
    let is_axis = |row: &&Vec<char>| zero(row).is_some_and(|at| row.get(at) == Some(&'─'));
    let line = rows.iter().find(is_axis).unwrap_or_else(|| panic!("no middle line:\n{screen}"));
    let row = rows.iter().position(|row| row == line).unwrap();
    let zero = zero(line).unwrap();
    let steps = stage.record().clone().line().len();
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
    let before = stage.keys("r").record().clone();
    stage.keys("Z");
    let panel = stage.panel("Find a better move").unwrap();
    assert!(panel.words().starts_with("Mistake 1 of 3: South to move."), "{panel:?}");
    // Each move gets a verdict, the position stays, and nothing is added to the game.
    let at = stage.record().at();
    for pit in ["A", "B", "C", "D"] {
        let legal = stage.record().position().move_from_text(pit).is_some();
        stage.keys(pit);
        assert!(!legal || stage.story()[0].starts_with(['✓', '✗']), "{pit}: {:?}", stage.story());
    }
    assert_eq!((stage.record().len(), stage.record().at()), (before.len(), at));
    stage.keys("> > >");
    assert!(stage.notice().contains("of 3 found at the first try, "), "{}", stage.notice());
    assert_eq!(stage.panel("Find a better move"), None);
    // Esc ends them.
    stage.keys("Z");
    assert!(stage.footer().contains("Esc end"), "{}", stage.footer());
    stage.keys("esc");
    assert_eq!(stage.panel("Find a better move"), None);
}

#[test]
fn the_review_in_a_file_is_shown_and_kept() {
    let folder = reviewed();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("l enter");
    assert!(stage.moves().contains(" 1 A?? "), "{}", stage.moves());
    stage.keys("<");
    assert_eq!(stage.story()[1], "?? A +20 → −20, loses 68 %. C was better. ! adds its line");
    stage.keys("r s ctrl-u").text("b.game").keys("enter");
    let text = std::fs::read_to_string(folder.path().join("b.game")).unwrap();
    assert_eq!(text.matches("[%values").count(), 3, "{text}");
}

#[test]
fn a_turn_has_one_number_below_the_curve() {
    let mut stage = Stage::of_game("checkers", "human", "human");
    stage.paste("1. 11-15 23-19 2. 8-11 22-17 3. 4-8 25-22 4. 9-13 27-23 5. 6-9 23-18 *").keys("r");
    let curve = stage.panel("Chance of winning").unwrap();
    let numbers = curve.lines().last().unwrap().clone();
    assert_eq!(numbers.split(' ').filter(|word| *word == "1").count(), 1, "{numbers}");
    assert!(numbers.split(' ').filter(|word| *word == "5").count() <= 1, "{numbers}");
}
