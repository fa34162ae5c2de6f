//! The review of a game, and what is done with what it finds.

use std::path::Path;
use std::time::Duration;

use crate::app::stage::{Stage, config, config_of};
use crate::config::PerGame;
use crate::paths::Paths;
use crate::rights::{Limits, Rights};
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, Opening};

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
    assert_eq!(summary(&mut stage), "");
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
    assert!(stage.notice().contains(" found, ") && stage.notice().ends_with(" wrong tries"), "{}", stage.notice());
    assert_eq!(stage.panel("Find a better move"), None);
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
    assert!(stage.moves().contains(" 1 A?? "), "{}", stage.moves());
    stage.keys("<");
    assert_eq!(stage.story()[1], "?? A +20 → −20, loses 68 %. C was better. ! adds its line");
    stage.keys("r s ctrl-u").text("b.game").keys("enter");
    let text = std::fs::read_to_string(folder.path().join("b.game")).unwrap();
    assert_eq!(text.matches("[%values").count(), 3, "{text}");
}

#[test]
fn puzzles_come_from_the_reviews_in_saved_games() {
    let folder = reviewed();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("Q");
    let panel = stage.panel("Find a better move").unwrap();
    assert!(panel.words().starts_with("Puzzle 1 of 1") && !panel.words().contains("A??"), "{panel:?}");
    // No command shows the answer for nothing.
    assert_eq!(stage.keys("V").notice(), "Find the move first (v: answer)");
    assert_eq!(stage.keys("m").notice(), "v shows the answer");
    stage.keys("D");
    assert_eq!(stage.story(), ["✗ D: −1, 36 % lost.", "Try another move. v: answer"]);
    stage.keys("C");
    let answer = ["✓ C is best: +20. You had played A: −20, 68 % lost.", "C moves again.", "Best play: C F"];
    assert_eq!(stage.story(), answer);
    assert!(stage.footer().contains("Enter next") && stage.footer().contains(". play the line"), "{}", stage.footer());
    // The line is stepped through on the board, not in the game.
    let before = (stage.counts(), stage.record().at());
    stage.keys(".");
    assert_eq!(stage.story(), ["Line 1 of 2: C F"]);
    assert_ne!(stage.counts(), before.0);
    stage.keys(". . ,");
    assert_eq!(stage.story(), ["Line 1 of 2: C F"]);
    stage.keys("esc");
    assert_eq!((stage.counts(), stage.record().at()), before);
    assert_eq!(stage.story(), answer);
    // After a wrong try it comes again at the end.
    stage.keys("enter C enter");
    assert_eq!(stage.notice(), "0 of 1 found. Next due: tomorrow (1)");
    let empty = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(empty.path().to_owned()));
    stage.keys("Q");
    assert_eq!(stage.notice(), "No puzzles: no saved games. s saves a game, after r reviewed it");
}

/// Own mistakes come first; those of the computer on request.
#[test]
fn the_computers_mistakes_are_tried_on_request() {
    let folder = reviewed();
    let path = folder.path().join("a.game");
    let text = std::fs::read_to_string(&path).unwrap().replace("2. b", "2. d");
    std::fs::write(path, text.replace("\"human\"", "\"max\"").replacen("\"max\"", "\"human\"", 1)).unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("l enter Z");
    let task = |stage: &mut Stage| stage.panel("Find a better move").map(|panel| panel.words()).unwrap_or_default();
    assert!(task(&mut stage).starts_with("Mistake 1 of 1: South"), "{}", task(&mut stage));
    stage.keys("v");
    assert_eq!(stage.story()[0], "C is best: +20. You had played A: −20, 68 % lost.");
    stage.keys("enter");
    assert_eq!(stage.notice(), "0 of 1 found, 0 nearly, 0 wrong tries. Z: the computer's 1");
    stage.keys("Z");
    assert!(task(&mut stage).starts_with("Mistake 1 of 1: North"), "{}", task(&mut stage));
}

/// The app of a person with this folder as home, whose reviewed game is [saved](reviewed) there with other moves by these players.
fn at_home(home: &Path, games: &[(&str, [&str; 2])], rights: Rights) -> Stage {
    let paths = match rights.is_guest() {
        true => Paths::of_guest(Some(home.join("state")), rights),
        false => Paths::within(home),
    };
    let folder = paths.games().unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(reviewed().path().join("a.game")).unwrap();
    for (name, [south, north]) in games {
        let text = text
            .replace("South \"human", &format!("South \"{south}"))
            .replace("North \"max", &format!("North \"{north}"));
        std::fs::write(folder.join(name), text).unwrap();
    }
    let board = Settings::new(Setup::from_config(&config().board), Some(folder));
    Stage::with_paths(config(), tabs::all(Opening::new(board, &paths)), paths)
}

/// The cards in the file, without their dates.
fn cards(home: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(home.join("state/cards.toml")).unwrap_or_default();
    let cards = text.split("[[card]]").skip(1).map(|card| {
        assert!(card.contains("\ngame = \"kalah:6x4:standard\"\nposition = \"<"), "{card}");
        card.lines().skip_while(|line| !line.starts_with("interval")).collect::<Vec<_>>().join(", ")
    });
    cards.collect()
}

#[test]
fn a_puzzle_is_graded_by_its_first_try_and_comes_back() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let mut stage = at_home(home, &[("a.game", ["human", "max"])], Rights::default());
    // A puzzle that is skipped without a try has no grade.
    stage.keys("Q >");
    assert_eq!(stage.notice(), "Next due: today (1)");
    assert!(!home.join("state/cards.toml").exists());
    stage.keys("Q D");
    assert_eq!(stage.story()[0], "✗ D: −1, 36 % lost.");
    assert_eq!(cards(home), ["interval = 1, ease = 2.50, repetitions = 0, grade = 1"]);
    stage.keys("C");
    assert_eq!(cards(home), ["interval = 1, ease = 2.50, repetitions = 0, grade = 2"]);
    // It comes again at the end.
    stage.keys("enter");
    let panel = stage.panel("Find a better move").unwrap();
    assert!(panel.words().starts_with("Puzzle 2 of 2"), "{panel:?}");
    stage.keys("C enter");
    assert_eq!(stage.notice(), "0 of 1 found. Next due: tomorrow (1)");
    assert_eq!(stage.keys("Q").notice(), "0 of 1 found. Next due: tomorrow (1)");
    assert_eq!(cards(home), ["interval = 1, ease = 2.50, repetitions = 0, grade = 2"]);
    // The next day.
    let path = home.join("state/cards.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let due = text.lines().find(|line| line.starts_with("due")).unwrap().to_owned();
    std::fs::write(&path, text.replace(&due, "due = \"2026-01-01\"")).unwrap();
    stage.keys("Q C enter");
    assert_eq!(stage.notice(), "1 of 1 found. Next due: tomorrow (1)");
    assert_eq!(cards(home), ["interval = 1, ease = 2.60, repetitions = 1, grade = 5"]);
    // A grade that a task did not write is written when the program ends.
    assert_eq!(stage.parts().0.leave(|_| {}), Vec::<String>::new());
}

#[test]
fn the_computers_mistakes_are_asked_on_request() {
    let home = tempfile::tempdir().unwrap();
    let mut stage = at_home(home.path(), &[("a.game", ["max", "max"])], Rights::default());
    stage.keys("Q");
    assert_eq!(stage.notice(), "No puzzles from your mistakes. Q again: mistakes of the computer (1)");
    stage.keys("Q C enter");
    assert_eq!(stage.notice(), "1 of 1 found. Next due: tomorrow (1)");
    assert_eq!(cards(home.path()), ["interval = 1, ease = 2.60, repetitions = 1, grade = 5"]);
    // The same position in a person's game is the person's mistake.
    let mut stage = at_home(home.path(), &[("b.game", ["human", "max"])], Rights::default());
    assert_eq!(stage.keys("Q").notice(), "1 of 1 found. Next due: tomorrow (1)");
}

#[test]
fn a_damaged_file_of_cards_is_reported_and_stays() {
    let home = tempfile::tempdir().unwrap();
    let mut stage = at_home(home.path(), &[("a.game", ["human", "max"])], Rights::default());
    let path = home.path().join("state/cards.toml");
    let damaged = "[[card]]\ngrade = 9\n";
    std::fs::write(&path, damaged).unwrap();
    stage.keys("Q");
    assert!(stage.notice().contains("cards.toml:2:9") && stage.notice().contains("from 0 to 5"), "{}", stage.notice());
    assert_eq!(stage.panel("Find a better move"), None);
    // Damaged while puzzles are tried.
    std::fs::remove_file(&path).unwrap();
    stage.keys("Q");
    std::fs::write(&path, damaged).unwrap();
    stage.keys("D");
    assert!(stage.notice().contains("cards.toml:2:9"), "{}", stage.notice());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(stage.parts().0.leave(|_| {}), Vec::<String>::new());
    assert_eq!(cards(home.path()), ["interval = 1, ease = 2.50, repetitions = 0, grade = 1"]);
}

#[test]
fn guests_have_cards_for_their_session_only() {
    let home = tempfile::tempdir().unwrap();
    let rights = Rights::of_guest(Limits {
        depth: 4,
        iterations: 100,
        seconds: 1,
        analysis_seconds: 1,
        table_mb: 1,
        saves: 3,
        save_kb: 4,
        paste_kb: 4,
        minutes: 60,
    });
    let mut stage = at_home(home.path(), &[("a.game", ["human", "max"])], rights);
    assert_eq!(stage.keys("Q C enter").notice(), "1 of 1 found. Next due: tomorrow (1)");
    assert_eq!(stage.keys("Q").notice(), "1 of 1 found. Next due: tomorrow (1)");
    assert!(!home.path().join("state/cards.toml").exists());
}

/// A hint shows the answer, so that the card is graded as after a wrong try.
#[test]
fn a_hint_at_a_puzzle_shows_the_answer() {
    let home = tempfile::tempdir().unwrap();
    let mut stage = at_home(home.path(), &[("a.game", ["human", "max"])], Rights::default());
    stage.keys("Q t");
    assert_eq!(stage.story()[0], "C is best: +20. You had played A: −20, 68 % lost.");
    assert_eq!(cards(home.path()), ["interval = 1, ease = 2.50, repetitions = 0, grade = 1"]);
    // After a puzzle of another game the same game begins again.
    stage.keys("M");
    assert_eq!(stage.record().variant.name(), "kalah");
}
