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
