//! What terminals send besides plain keys: sequences that come apart, are unknown, or never end.

use std::time::Duration;

use super::harness::{HELP, QUICK, Terminal, eventually, mancalab};

fn open() -> Terminal {
    let args = ["--game", "kalah:6x4", "--south", "human", "--north", "human"];
    let terminal = mancalab(&args).config(QUICK).open();
    terminal.until("South");
    terminal
}

#[test]
fn no_part_of_a_sequence_plays_a_move() {
    let mut terminal = open();
    let before = terminal.copied("Y");
    let all: [&[&str]; 7] = [
        &["\x1b\x1b[D"],
        &["\x1b[7$", "\x1b[A"],
        &["\x1b", "[A"],
        &["\x1b[", "D"],
        &["\x1bO", "C"],
        &["\x1b[<0;", "\x1b[B"],
        &["\x1b]11;rgb:ffff/", "ffff/ffff\x07"],
    ];
    for parts in all {
        parts.iter().for_each(|part| terminal.keys(part));
    }
    assert_eq!(terminal.copied("Y"), before);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// `ESC [ P` and `ESC [ M`, which are F1 and a report of the mouse elsewhere.
#[test]
fn delete_of_st_deletes_and_ctrl_delete_swallows_no_key() {
    let mut terminal = open();
    terminal.keys("A");
    terminal.until("1 A");
    terminal.keys("\x1b[P");
    terminal.until("Delete?");
    terminal.keys("y");
    terminal.until("Deleted 1 move");
    terminal.keys("\x1b[M?");
    terminal.until(HELP);
    terminal.keys("\x1b[M");
    terminal.keys("q");
    terminal.until_gone(HELP);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn keys_work_again_after_a_paste_without_an_end() {
    let terminal = &mut open();
    let before = terminal.bytes().len();
    terminal.keys("\x1b[200~abc");
    eventually("a copy", || {
        // The silence that ends it; a busy machine may read several keys at once.
        std::thread::sleep(Duration::from_millis(1100));
        terminal.keys("Y");
        String::from_utf8_lossy(&terminal.bytes()[before..]).contains("\x1b]52;c;")
    });
}
