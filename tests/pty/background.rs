//! Choice of the theme by the terminal's background, on terminals that answer, do not answer, or answer too late.

use std::time::{Duration, Instant};

use super::harness::{BLACK, QUICK, Start, Terminal, mancalab};

const WHITE: &str = "\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;22c";

fn start(args: &[&str]) -> Start {
    let args = [&["--north", "human", "--seed", "1"], args].concat();
    mancalab(&args).config(QUICK)
}

/// Returns the colours on the screen after the start, of the cells that show a character.
fn colours(terminal: &Terminal) -> Vec<vt100::Color> {
    let seen = std::cell::RefCell::new(Vec::new());
    terminal.until_screen("the start", |screen| {
        let (rows, columns) = screen.size();
        let cells = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
        let shown = cells.filter_map(|(row, column)| screen.cell(row, column));
        let shown = shown.filter(|cell| !cell.contents().trim().is_empty());
        *seen.borrow_mut() = shown.map(vt100::Cell::fgcolor).collect();
        screen.contents().contains("No moves yet")
    });
    seen.into_inner()
}

/// Returns the colours on a terminal with this answer, and the time to the first frame.
fn answered(answer: &'static str) -> (Vec<vt100::Color>, Duration) {
    let mut terminal = start(&[]).answer(answer).open();
    let seen = colours(&terminal);
    let took = terminal.started.elapsed();
    assert!(terminal.text().contains("No moves yet"), "no part of the answer was read as keys: {}", terminal.text());
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
    (seen, took)
}

fn themed(name: &str) -> Vec<vt100::Color> {
    let mut terminal = start(&["--theme", name]).open();
    let seen = colours(&terminal);
    assert!(!String::from_utf8_lossy(&terminal.bytes()).contains("]11;"), "an explicit theme needs no query");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
    seen
}

#[test]
fn the_theme_goes_with_the_background_the_terminal_shows() {
    let [light, dark, sixteen] = ["light", "dark", "sixteen"].map(themed);
    assert!(light != dark && sixteen != dark && sixteen != light);
    let (white, with_white) = answered(WHITE);
    let (black, with_black) = answered(BLACK);
    // The two Solarized backgrounds, in forms used by terminals.
    let (cream, _) = answered("\x1b]11;rgb:fd/f6/e3\x1b\\\x1b[?6c");
    let (teal, _) = answered("\x1b]11;rgb:0000/2b2b/3636\x1b\\\x1b[?6c");
    assert!(white == light && cream == light);
    assert!(black == dark && teal == dark);
    // A terminal that only identifies itself, one that answers nonsense, one that does not answer.
    let (other, with_other) = answered("\x1b[?6c");
    let (nonsense, _) = answered("\x1b]11;hello\x07\x1b[?6c");
    let (mute, with_none) = answered("");
    assert!(other == sixteen && nonsense == sixteen && mute == sixteen);
    println!(
        "first frame: {with_white:?}, {with_black:?} answered; {with_other:?} declined; {with_none:?} without an answer"
    );
}

#[test]
fn an_answer_that_is_late_is_no_typing_and_chooses_the_theme_all_the_same() {
    let light = themed("light");
    let mut terminal = start(&[]).answer("").open();
    assert_ne!(colours(&terminal), light);
    // If read as keys, these would sow F, and B.
    terminal.keys(WHITE);
    let deadline = Instant::now() + super::harness::PATIENCE;
    while colours(&terminal) != light {
        assert!(Instant::now() < deadline, "the light theme did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
    terminal.keys("b");
    terminal.until("South sows B");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn lines_two_cells_wide_become_ascii() {
    // The cursor before and behind a line that is also repeated twice, in time and late.
    let wide = "\x1b[1;1R\x1b[1;7R\x1b[?62;22c";
    for (answer, late) in [(wide, ""), ("", wide)] {
        let mut terminal = start(&[]).answer(answer).open();
        terminal.until("No moves yet");
        terminal.keys(late);
        terminal.until_screen("ASCII", |screen| screen.contents().is_ascii());
        terminal.keys("q");
        assert_eq!(terminal.end().status, 0);
    }
}

#[test]
fn a_background_that_is_named_is_not_asked_for() {
    let light = themed("light");
    let mut terminal = start(&[]).env("COLORFGBG", "0;default;15").open();
    assert_eq!(colours(&terminal), light);
    assert!(!String::from_utf8_lossy(&terminal.bytes()).contains("]11;"));
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn whoever_wants_no_colours_is_not_asked_about_them() {
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "vt100"), ("STY", "1.tty")] {
        let mut terminal = start(&[]).env(name, value).open();
        terminal.until("No moves yet");
        assert!(!String::from_utf8_lossy(&terminal.bytes()).contains("]11;"), "{name}");
        terminal.keys("q");
        assert_eq!(terminal.end().status, 0);
    }
}
