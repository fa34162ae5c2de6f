//! Mistakes of saved games as puzzles, and their cards.

use std::path::Path;

use crate::app::stage::{Stage, config, limits};
use crate::paths::Paths;
use crate::rights::Rights;
use crate::tabs::board::setup::{Settings, Setup};
use crate::tabs::{self, TabSettings};

/// A folder with a game whose file has the values of a review: South's first move, A, is a blunder.
pub(super) fn reviewed() -> tempfile::TempDir {
    valued("", "C=+20 F b, B=+19, F=+9, D=-1, E=0, A=-20 b")
}

/// The same with a tag before the moves, and these values of the first moves.
fn valued(tag: &str, first: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"max\"]\n{tag}\n\
         {{[%values 8 {first}]}} 1. A {{[%values 8 a=+20, b=+20, c=+18, d=0, e=0, f=0]}} 2. b\n"
    );
    std::fs::write(folder.path().join("a.game"), text).unwrap();
    folder
}

#[test]
fn an_estimate_is_not_wrong_because_the_best_value_is_exact() {
    // Near the end, where the line after an exact value is solved at once.
    let start = "[Start \"<6,20,16,1,1,1,1,1,1,1,1,1,1,1,1> S\"]\n";
    let folder = valued(start, "C=+8! b, B=+7, F=-4, D=-6, E=-6, A=0! b");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("Q D");
    let story = stage.story();
    assert!(story[0].starts_with("✗ D: −6 (estimate), "), "{story:?}");
    // A step would end the tries with the answer on the board.
    assert_eq!(stage.keys(".").notice(), "v shows the answer; Esc ends the tries");
    stage.keys("B");
    assert!(stage.story()[0].starts_with("✓ B: +7 (estimate), 1 % lost. C is best: +8."), "{:?}", stage.story());
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
    assert_eq!(stage.story(), ["✗ D: −1, 36 % lost.", "North answers f (estimate).", "Try another move. v: answer"]);
    stage.keys("C");
    // The review found C F of it, and shallow searches beside it the rest.
    let line = "C F · b a E e F B F D c F A F C F D F";
    let answer =
        ["✓ C is best: +20. You had played A: −20, 68 % lost.", "C moves again.", &format!("Best play: {line}")];
    assert_eq!(stage.story(), answer);
    assert!(stage.footer().contains("Enter next") && stage.footer().contains(". show the line"), "{}", stage.footer());
    // The line is stepped through on the board, not in the game.
    let before = (stage.counts(), stage.record().at());
    stage.keys(".");
    assert_eq!(stage.story(), [format!("Line 1 of 18: {}", line.replace(" ·", ""))]);
    assert_ne!(stage.counts(), before.0);
    stage.keys(". . , ,");
    assert_eq!(stage.story(), [format!("Line 1 of 18: {}", line.replace(" ·", ""))]);
    stage.keys("esc");
    assert_eq!((stage.counts(), stage.record().at()), before);
    assert_eq!(stage.story(), answer);
    // After a wrong try it comes again at the end.
    stage.keys("enter C enter");
    assert_eq!(stage.notice(), "0 of 1 found. Next: tomorrow (1)");
    let empty = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(empty.path().to_owned()));
    stage.keys("Q");
    assert_eq!(stage.notice(), "No puzzles from your mistakes. Shipped puzzles: 10");
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
    assert_eq!(stage.notice(), "0 of 1 found at the first try, 0 wrong tries. Z: the computer's 1");
    stage.keys("Z");
    assert!(task(&mut stage).starts_with("Mistake 1 of 1: North"), "{}", task(&mut stage));
    // Going elsewhere ends the tries, and says so.
    stage.keys("end");
    assert_eq!((task(&mut stage).as_str(), stage.notice()), ("", "0 of 1 found at the first try, 0 wrong tries"));
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
    Stage::with_paths(config(), tabs::all(TabSettings::new(board, &paths)), paths)
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
    assert_eq!(stage.notice(), "Next: today (1)");
    assert!(!home.join("state/cards.toml").exists());
    stage.keys("Q D");
    assert_eq!(stage.story()[0], "✗ D: −1, 36 % lost.");
    assert_eq!(cards(home), ["interval = 1, ease = 2.50, repetitions = 0, grade = 1"]);
    stage.keys("C");
    assert_eq!(cards(home), ["interval = 1, ease = 2.50, repetitions = 0, grade = 2"]);
    // It comes again at the end.
    stage.keys("enter");
    let panel = stage.panel("Find a better move").unwrap();
    assert!(panel.words().starts_with("Puzzle once more (a.game, turn 1)"), "{panel:?}");
    stage.keys("C enter");
    assert_eq!(stage.notice(), "0 of 1 found. Next: tomorrow (1)");
    // Those that come with the program follow.
    assert_eq!(stage.keys("Q").notice(), "0 of 1 found. Next: tomorrow (1). Shipped puzzles: 9");
    let panel = stage.panel("Find a better move").unwrap();
    assert!(panel.words().starts_with("Puzzle 1 of 9 (shipped, number 1)"), "{panel:?}");
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let screen = stage.screen(width, height);
        assert!(!screen.contains("Chance of winning"), "a puzzle has no course: {screen}");
    }
    stage.keys("Q");
    assert_eq!(cards(home), ["interval = 1, ease = 2.50, repetitions = 0, grade = 2"]);
    // The next day.
    let path = home.join("state/cards.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let due = text.lines().find(|line| line.starts_with("due")).unwrap().to_owned();
    std::fs::write(&path, text.replace(&due, "due = \"2026-01-01\"")).unwrap();
    stage.keys("Q C enter");
    assert_eq!(stage.notice(), "1 of 1 found. Next: tomorrow (1)");
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
    assert_eq!(stage.notice(), "1 of 1 found. Next: tomorrow (1)");
    assert_eq!(cards(home.path()), ["interval = 1, ease = 2.60, repetitions = 1, grade = 5"]);
    // The same position in a person's game is the person's mistake.
    let mut stage = at_home(home.path(), &[("b.game", ["human", "max"])], Rights::default());
    assert_eq!(stage.keys("Q").notice(), "1 of 1 found. Next: tomorrow (1). Shipped puzzles: 9");
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
    let rights = Rights::of_guest(limits());
    let mut stage = at_home(home.path(), &[("a.game", ["human", "max"])], rights);
    assert_eq!(stage.keys("Q C enter").notice(), "1 of 1 found. Next: tomorrow (1)");
    assert_eq!(stage.keys("Q").notice(), "1 of 1 found. Next: tomorrow (1). Shipped puzzles: 9");
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

#[test]
fn the_game_on_the_board_comes_back_after_puzzles() {
    let folder = reviewed();
    let last = folder.path().join("last.game");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("C F");
    let before = (stage.moves(), stage.counts());
    stage.keys("Q");
    assert_ne!(stage.counts(), before.1);
    stage.keys("C enter");
    assert_eq!(stage.notice(), "1 of 1 found. Next: tomorrow (1)");
    assert_eq!((stage.moves(), stage.counts()), before);
    assert!(!last.exists(), "it was not left");
    // It goes on, and comes back again.
    stage.keys("Q esc b");
    assert_eq!(stage.moves(), "1 C F b +1");
    // Another game takes the place of both.
    stage.keys("Q n enter");
    assert!(stage.record().is_empty());
    let text = std::fs::read_to_string(&last).unwrap();
    assert!(text.contains("1. C F") && text.contains("2. b"), "{text}");
}

#[test]
fn a_game_is_saved_when_the_program_ends_at_a_puzzle() {
    let folder = reviewed();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("C F Q D");
    assert_eq!(stage.parts().0.leave(|_| {}), Vec::<String>::new());
    let text = std::fs::read_to_string(folder.path().join("last.game")).unwrap();
    assert!(text.contains("1. C F"), "{text}");
}
