//! The first start: a game and a level are chosen, played, resigned, and remembered.

use std::fs;

use super::harness::mancalab;

#[test]
fn a_newcomer_chooses_a_game_and_a_level_which_are_remembered() {
    let mut terminal = mancalab(&[]).first().open();
    terminal.until("Welcome to mancalab");
    terminal.until("Seeds go round the board");
    // Othello, beginner.
    terminal.keys("\x1b[C\x1b[B\x1b[D");
    terminal.until("turns them over");
    terminal.keys("\r");
    terminal.until("White  Beginner");
    terminal.keys("?");
    terminal.until("Othello: the rules");
    terminal.keys("\x1b");
    terminal.until_gone("Othello: the rules");
    terminal.keys("d3");
    terminal.until("1 d3");
    terminal.keys("R");
    terminal.until("Resign?");
    terminal.keys("y");
    terminal.until("You resigned");
    let preferences = terminal.home().join("state/mancalab/preferences.toml");
    let text = fs::read_to_string(preferences).unwrap();
    assert!(text.contains("game = \"othello:8x8:standard\"") && text.contains("north = \"beginner\""), "{text}");
    // Enter would wait for the review.
    terminal.keys("\x1b");
    terminal.until_gone("You resigned");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_game_left_before_anything_was_chosen_is_named_instead_of_a_welcome() {
    let state = tempfile::tempdir().unwrap();
    let open = || mancalab(&[]).first().env("XDG_STATE_HOME", &state.path().display().to_string()).open();
    let mut terminal = open();
    terminal.until("Welcome to mancalab");
    terminal.keys("\x1b");
    terminal.until_gone("Welcome to mancalab");
    terminal.keys("A");
    terminal.until("1 A");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);

    let mut terminal = open();
    terminal.until("Your last game is unfinished");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}
