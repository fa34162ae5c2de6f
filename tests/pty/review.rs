//! A game reviewed on the keyboard: going through its mistakes, and adding the better move at one of them.

use std::fs;

use mancalab::game::notation;

use super::harness::{QUICK, mancalab};

/// Two weak players, four pits a side: the first mistakes come soon.
const GAME: &str = "[Game \"kalah:4x3:standard\"]\n[South \"human\"]\n[North \"human\"]\n[Result \"9-15\"]\n\n\
                    1. B A 2. c 3. C 4. b 5. D 6. a 7. B 8. d 9. B 10. c 11. A 12. b 13. C D\n";

#[test]
fn a_game_is_reviewed_and_a_better_line_added() {
    let config = format!("{QUICK}[review]\ndepth = 6\nsolve = 0\nmistake = 1\nblunder = 3\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weak.game");
    fs::write(&file, GAME).unwrap();
    let mut terminal = mancalab(&[file.to_str().unwrap()]).config(&config).size(120, 40).open();
    terminal.until("Moves");
    terminal.keys("r");
    terminal.until("Reviewed: ");
    terminal.until("Chance of winning");
    terminal.keys("\x1b[H>");
    terminal.until(" was better");
    let before = notation::read(&terminal.copied("y")).unwrap();
    terminal.keys("!");
    terminal.until(" better than ");
    let after = notation::read(&terminal.copied("y")).unwrap();
    assert!(after.len() > before.len());
    assert!(after.line().iter().any(|step| step.variations == 2));
    assert_eq!(fs::read_to_string(&file).unwrap(), GAME, "the file is unchanged");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// A puzzle is solved, and the program closed at once: its card is saved, and the result printed.
#[test]
fn the_result_of_puzzles_is_printed_behind_the_screen() {
    let state = tempfile::tempdir().unwrap();
    let games = state.path().join("mancalab/games");
    fs::create_dir_all(&games).unwrap();
    let game = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"max\"]\n\n\
                {[%values 8 C=+20 F b, B=+19, F=+9, D=-1, E=0, A=-20 b]} 1. A *\n";
    fs::write(games.join("a.game"), game).unwrap();
    let path = state.path().display().to_string();
    let start = || mancalab(&["puzzles"]).config(QUICK).env("XDG_STATE_HOME", &path).size(120, 40);
    let mut terminal = start().open();
    terminal.until("Puzzle 1 of 1");
    terminal.keys("cq");
    let end = terminal.end();
    let output = String::from_utf8_lossy(&end.bytes).into_owned();
    assert_eq!(end.status, 0, "{output}");
    assert!(output.trim_end().ends_with("1 of 1 found. Next: tomorrow (1)"), "{output}");
    let cards = fs::read_to_string(state.path().join("mancalab/cards.toml")).unwrap();
    assert!(cards.contains("repetitions = 1\ngrade = 5\n"), "{cards}");
    // Nothing is due, and nothing is printed.
    let mut terminal = start().open();
    terminal.until("1 of 1 found. Next: tomorrow (1)");
    terminal.keys("q");
    let end = terminal.end();
    assert!(!String::from_utf8_lossy(&end.bytes).trim_end().ends_with("tomorrow (1)"));
}
