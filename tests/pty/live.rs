//! Commands without a screen on a terminal: one changing line, within the width, removed at the end.

use super::harness::{Terminal, mancalab};

const CTRL_C: &str = "\x03";

/// The program, and its exit status; the shell survives an interrupt.
const AND_THEN: &str = "trap : INT; \"$@\"; echo \"ended $?\"";

/// Returns the cells of every text drawn in the live line.
fn redrawn(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let ends: Vec<&str> = text.split("\x1b[J").collect();
    let lines = ends[..ends.len() - 1].iter();
    lines.filter_map(|line| line.rsplit('\r').next()).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Checks that no part of a live line is left, and that the next line starts in the first column.
#[track_caller]
fn assert_clean(terminal: &Terminal) {
    let text = terminal.text();
    assert!(!text.contains(" left") && !text.contains(" %  "), "{text}");
    assert!(text.lines().any(|line| line.starts_with("ended ") || line.starts_with("^Cended ")), "{text}");
}

#[test]
fn a_run_has_one_line_that_stays_within_the_width_and_is_gone_in_the_end() {
    let args = "tune kalah-thesis --population 24 --generations 12 --set depth=4 --seed 1 --out run --threads 1";
    let args: Vec<&str> = args.split(' ').collect();
    let terminal = mancalab(&args).size(60, 24).under_shell(AND_THEN).open();
    terminal.until("ended 0");
    assert_clean(&terminal);
    let text = terminal.text();
    assert!(
        text.contains("play: mancalab --game kalah:6x4:standard --north") && text.contains("generation 0: best "),
        "{text}"
    );
    let lines = redrawn(&terminal.end().bytes);
    assert!(lines.len() > 3 && lines.iter().all(|line| line.chars().count() < 60), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains('█') && line.contains("games/s")), "{lines:?}");
}

#[test]
fn the_line_follows_the_width_and_an_interrupt_leaves_the_terminal_clean() {
    for args in [
        &["dev", "perft", "--depth", "30"][..],
        &["reproduce", "mancala-gp/figure10", "--programs", "100000", "--threads", "1"],
        &["reproduce", "othello-gp/table1", "--games", "1000000", "--threads", "1"],
        &["evolve", "mancala-gp-1", "--generations", "100000", "--seed", "1", "--out", "run", "--threads", "1"],
        &["match", "minimax:6", "minimax:6", "--games", "1000000", "--threads", "1"],
    ] {
        let mut terminal = mancalab(args).under_shell(AND_THEN).open();
        terminal.until(" left");
        terminal.resize(40, 24);
        let before = terminal.bytes().len();
        // Lines measured earlier may still be on their way.
        terminal.until_bytes("lines of the new width", |bytes| {
            let lines = redrawn(&bytes[before..]);
            lines.len() > 4 && lines[lines.len() - 3..].iter().all(|line| line.chars().count() < 40)
        });
        terminal.keys(CTRL_C);
        terminal.until("ended 130");
        // Text drawn for the old width during the change may be broken above; the last line is still removed.
        let bytes = terminal.end().bytes;
        let text = String::from_utf8_lossy(&bytes);
        let (before, after) = text.rsplit_once("\x1b[J\r").unwrap();
        assert!(before.ends_with('\r') && !after.contains(" %  "), "{args:?}: {text}");
    }
}

#[test]
fn where_there_is_no_utf_8_the_line_is_ascii_and_a_dumb_terminal_has_none() {
    let args = |games| ["match", "minimax:5", "minimax:6", "--games", games, "--seed", "1", "--threads", "1"];
    let mut terminal = mancalab(&args("20000")).env("LANG", "C").under_shell(AND_THEN).open();
    terminal.until("#-");
    terminal.keys(CTRL_C);
    terminal.until("ended 130");
    let lines = redrawn(&terminal.end().bytes);
    assert!(lines.iter().any(|line| line.contains("#-")) && lines.iter().all(|line| line.is_ascii()), "{lines:?}");
    let terminal = mancalab(&args("300")).env("TERM", "dumb").under_shell(AND_THEN).open();
    terminal.until("ended 0");
    assert!(!terminal.end().bytes.contains(&0x1b));
}

#[test]
fn a_result_in_a_file_has_nothing_of_the_line() {
    let args = ["dev", "perft", "--depth", "9"];
    let terminal = mancalab(&args).under_shell("\"$@\" > told; echo \"ended $?\"").open();
    terminal.until("ended 0");
    assert_clean(&terminal);
    let output = std::fs::read_to_string(terminal.home().join("told")).unwrap();
    assert!(output.lines().count() == 11 && !output.contains(['\r', '\x1b', '%']), "{output}");
    assert_eq!(terminal.end().status, 0);
}
