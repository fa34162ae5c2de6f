//! Whole games, by keys.

use std::fs;

use mancalab::game::notation;
use mancalab::game::record::Record;

use super::harness::{QUICK, Terminal, mancalab};

const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";

/// Returns the game, read from the clipboard.
#[track_caller]
fn game(terminal: &mut Terminal) -> Record {
    notation::read(&terminal.copied("y")).unwrap()
}

/// Returns the position on the screen.
#[track_caller]
fn position(terminal: &mut Terminal) -> String {
    terminal.copied("Y")
}

/// Returns whether it is South's turn or the game is over.
fn is_settled(text: &str) -> bool {
    let waits = |line: &str| line.contains("South") && line.contains("to move");
    text.contains("Game over") || text.lines().any(waits)
}

/// Types the first letter that is a legal move, and waits for South's next turn.
#[track_caller]
fn move_south(terminal: &mut Terminal, letters: &[&str]) {
    for letter in letters {
        let before = terminal.text();
        let refused = format!("Pit {letter} is empty");
        terminal.keys(letter);
        terminal.until_screen("an answer to a letter", |screen| screen.contents() != before);
        if !terminal.text().contains(&refused) {
            terminal.until_screen("South's next move", |screen| is_settled(&screen.contents()));
            return;
        }
    }
    panic!("no letter is a move:\n{}", terminal.text());
}

#[test]
fn a_game_is_played_walked_varied_saved_and_opened_again() {
    let args = ["--game", "kalah:3x2", "--south", "human", "--north", "minimax:4", "--seed", "1"];
    let mut terminal = mancalab(&args).config(QUICK).open();
    terminal.until_screen("South's first move", |screen| is_settled(&screen.contents()));
    for turn in 0.. {
        assert!(turn < 50, "no end to this game:\n{}", terminal.text());
        if terminal.text().contains("Game over") {
            break;
        }
        move_south(&mut terminal, &["A", "B", "C"]);
    }
    let played = game(&mut terminal);
    assert!(played.result().is_some(), "the game is over");
    let [south, north] = played.position_at(played.end()).board().counts();
    assert_eq!(south + north, 12);
    let over = position(&mut terminal);

    // Back and forward.
    terminal.keys(",");
    terminal.until_gone("Game over");
    assert_ne!(position(&mut terminal), over);
    terminal.keys(HOME);
    assert_eq!(position(&mut terminal), played.start().to_text());
    terminal.keys(END);
    assert_eq!(position(&mut terminal), over);
    terminal.until("Game over");

    // Another first move: both are kept.
    terminal.keys(HOME);
    terminal.until_gone("Game over");
    move_south(&mut terminal, &["C"]);
    let varied = game(&mut terminal);
    assert!(varied.len() > played.len());
    let file = terminal.home().join("my own.game");
    terminal.keys("s");
    terminal.until("Save the game");
    terminal.keys(&format!("\x15{}\r", file.display()));
    terminal.until("Saved");
    terminal.keys("q");
    // This folder outlives the program.
    let kept = tempfile::tempdir().unwrap();
    let copy = kept.path().join("copy.game");
    super::harness::eventually("the saved game", || fs::copy(&file, &copy).is_ok_and(|size| size > 0));
    assert_eq!(terminal.end().status, 0);

    let mut terminal = mancalab(&[copy.to_str().unwrap()]).config(QUICK).open();
    terminal.until("South");
    assert_eq!(position(&mut terminal), over, "it opens at the end of its main line, the game played first");
    assert_eq!(notation::write(&game(&mut terminal)), notation::write(&varied));
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_game_that_is_looked_at_waits_for_the_person() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.game");
    fs::write(&file, "[Game \"kalah\"]\n[South \"human\"]\n[North \"minimax:2\"]\n\n1. C F 2. b (2. a 3. A) e 3. D\n")
        .unwrap();
    let mut terminal = mancalab(&[file.to_str().unwrap()]).config(QUICK).open();
    terminal.until("Easy · paused (space: continue)");
    let before = notation::write(&game(&mut terminal));
    terminal.keys(HOME);
    // Along the line, along its variation, and beyond the end.
    for key in ["\x1b[C", "\x1b[C", "\x1b[C", "]", "\x1b[C", "\x1b[C", "\x1b[C", END, "[", END, "\x1b[C"] {
        terminal.keys(key);
    }
    terminal.until("is paused (space: continue, m: one move)");
    assert_eq!(notation::write(&game(&mut terminal)), before);
    terminal.keys(" ");
    terminal.until_screen("an answer", |screen| screen.contents().contains("you · to move"));
    assert!(game(&mut terminal).len() > notation::read(&before).unwrap().len());
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn computers_play_by_themselves_to_the_end() {
    let args = ["--south", "random", "--north", "max", "--game", "kalah:3x2", "--seed", "7"];
    let mut terminal = mancalab(&args).config(QUICK).open();
    terminal.until("Game over");
    let first = game(&mut terminal);
    assert!(first.result().is_some());
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);

    // At the slowest speed, and hurried by keys: the same seed gives the same game.
    let mut terminal = mancalab(&args).open();
    terminal.until("South");
    terminal.keys("++++++++");
    terminal.until("Game over");
    assert_eq!(notation::write(&game(&mut terminal)), notation::write(&first));
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_position_is_analysed_by_either_search() {
    let config = format!("{QUICK}[search]\nanalysis_iterations = 3000\n");
    let mut terminal = mancalab(&["--north", "human"]).config(&config).open();
    terminal.until("South");
    terminal.keys("io");
    terminal.until("visits");
    terminal.until("3000 games");
    terminal.keys("A");
    terminal.until("Analysis for North  3000 games");
    terminal.keys("o");
    terminal.until("nodes");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_game_is_found_again_by_the_dialogs() {
    let args = ["--game", "kalah:3x2", "--south", "human", "--north", "human"];
    let mut terminal = mancalab(&args).config(QUICK).open();
    terminal.until("South");
    terminal.keys("Ca");
    let played = game(&mut terminal);
    // A new name, in the folder of games.
    terminal.keys("s");
    terminal.until("Save the game");
    terminal.keys("\r");
    terminal.until("Saved");
    assert!(terminal.home().join("state/mancalab/games/game-1.game").exists());
    // Another game, and back to the first.
    terminal.keys("n");
    terminal.until("New game");
    terminal.keys("\r");
    terminal.until_gone("New game");
    assert_ne!(position(&mut terminal), played.position().to_text());
    terminal.keys("l");
    terminal.until("game-1");
    terminal.keys("\r");
    terminal.until("Loaded");
    assert_eq!(position(&mut terminal), played.position().to_text());
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// Without bracketed paste a terminal sends pasted text as keys, all at once: none waits for the next one.
#[test]
fn much_that_is_typed_at_once_arrives_at_once() {
    let mut terminal = mancalab(&["--game", "kalah:6x4", "--north", "human"]).config(QUICK).open();
    terminal.until("South");
    terminal.keys("l");
    terminal.until("Load a game");
    let typed = "x".repeat(100) + &"y".repeat(3000) + "<end>";
    terminal.keys(&typed);
    terminal.until("<end>");
    terminal.keys("\x1b");
    terminal.until_gone("Load a game");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}
