//! Screen output: at any size, without colours, with ASCII only.

use super::harness::{HELP, QUICK, Start, Terminal, eventually, mancalab};
use super::process::memory;

const ESC: &str = "\x1b";

fn start() -> Start {
    mancalab(&["--north", "human", "--seed", "1"]).config(QUICK)
}

/// Visits all views and quits; returns all output.
fn visit(start: Start) -> Vec<u8> {
    let mut terminal = start.open();
    terminal.until("South");
    terminal.keys("CAf");
    terminal.keys("i");
    terminal.until("nodes");
    for (keys, shown) in [("?", HELP), (":", "Take your last move back"), ("n", "New game")] {
        terminal.keys(keys);
        terminal.until(shown);
        terminal.keys(ESC);
        terminal.until_gone(shown);
    }
    terminal.keys("p");
    terminal.until("Setting up");
    terminal.keys(ESC);
    terminal.until_gone("Setting up");
    for _ in 0..3 {
        let before = terminal.text();
        terminal.keys("\t");
        terminal.until_screen("another tab", |screen| screen.contents() != before);
    }
    terminal.keys("q");
    let end = terminal.end();
    assert_eq!(end.status, 0);
    end.bytes
}

/// Returns the parameters of every SGR sequence.
fn styles(bytes: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(bytes);
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !matches!(c, '0'..=';'))?;
        (rest.as_bytes()[end] == b'm').then(|| rest[..end].to_owned())
    });
    sequences.flat_map(|one| one.split([';', ':']).map(|n| n.parse().unwrap_or(0)).collect::<Vec<u16>>()).collect()
}

fn has_colour(styles: &[u16]) -> bool {
    styles.iter().any(|n| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107))
}

#[test]
fn without_colours_there_are_weights_and_lines() {
    for start in [start().env("NO_COLOR", "1"), start().env("TERM", "vt100")] {
        let styles = styles(&visit(start));
        assert!(!has_colour(&styles), "{styles:?}");
        for (weight, code) in [("bold", 1), ("underline", 4), ("reverse", 7)] {
            assert!(styles.contains(&code), "no {weight} in {styles:?}");
        }
    }
}

#[test]
fn sixteen_colours_are_sixteen() {
    for start in [start().env("TERM", "linux"), start().env("TERM", "xterm")] {
        let styles = styles(&visit(start));
        assert!(has_colour(&styles));
        let beyond = |three: &[u16]| matches!(three[0], 38 | 48) && (three[1] != 5 || three[2] > 15);
        assert!(!styles.windows(3).any(beyond), "{styles:?}");
    }
}

/// Plays a move of Othello on a terminal of 256 colours and quits; returns all output as text.
fn pictured(start: Start) -> String {
    let mut terminal = start.size(120, 40).open();
    terminal.until("No moves yet");
    terminal.keys("d3");
    terminal.until_gone("No moves yet");
    terminal.keys("q");
    let end = terminal.end();
    assert_eq!(end.status, 0);
    String::from_utf8_lossy(&end.bytes).into_owned()
}

#[test]
fn pieces_are_pictures_by_the_wanted_protocol_alone() {
    const KITTY: &str = "\x1b_Ga=T,q=2,f=24,o=z,U=1,i=1,";
    const SIXEL: &str = "\x1bP0;1q";
    let start = |more: &[&str]| {
        let usual = ["--game", "othello", "--north", "human", "--theme", "dark"];
        mancalab(&[&usual, more].concat()).config(QUICK)
    };
    let kitty = pictured(start(&["--graphics", "kitty"]));
    assert!(kitty.contains(KITTY) && !kitty.contains(SIXEL));
    assert_eq!(kitty.matches("i=1,").count(), 1, "each is sent once");
    let sixel = pictured(start(&["--graphics", "sixel"]));
    assert!(sixel.contains(SIXEL) && !sixel.contains(KITTY));
    let known = pictured(start(&[]).env("TERM", "xterm-kitty").env("COLORTERM", "truecolor"));
    assert!(known.contains(KITTY));
    for plain in [
        start(&[]),
        start(&["--graphics", "none"]).env("TERM", "xterm-kitty").env("COLORTERM", "truecolor"),
        start(&["--graphics", "kitty", "--color", "16"]),
        start(&[]).env("TERM", "xterm-kitty").env("SSH_CONNECTION", "a 1 b 22"),
    ] {
        let bytes = pictured(plain);
        assert!(!bytes.contains("\x1b_G") && !bytes.contains("\x1bP"), "{bytes:?}");
    }
}

/// Removes escape sequences.
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut pieces = text.split('\x1b');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = match piece.strip_prefix('[') {
            Some(rest) => rest.trim_start_matches(|c: char| !matches!(c, '@'..='~')).get(1..),
            None if piece.starts_with(']') => piece.split_once('\x07').map(|(_, rest)| rest),
            None => piece.get(1..),
        };
        plain += rest.unwrap_or_default();
    }
    plain
}

#[test]
fn ascii_is_ascii() {
    let output = mancalab(&["--north", "human", "--seed", "1", "--glyphs", "ascii"]).config(QUICK);
    let by_locale = start().env("LANG", "C");
    for (start, size) in [(&output, (80, 24)), (&output, (200, 60)), (&output, (50, 16)), (&by_locale, (80, 24))] {
        let text = plain(&visit(start.clone().size(size.0, size.1)));
        let other: String = text.chars().filter(|c| !c.is_ascii()).collect();
        assert!(other.is_empty(), "{other:?} at {size:?}");
    }
    // The test detects other characters.
    assert!(!plain(&visit(start())).is_ascii());
}

#[test]
fn blocks_have_no_braille() {
    let start = mancalab(&["--north", "human", "--seed", "1", "--glyphs", "blocks"]).config(QUICK);
    let is_braille = |c: char| ('\u{2800}'..='\u{28ff}').contains(&c);
    let text = plain(&visit(start.size(120, 40)));
    assert!(!text.contains(is_braille) && !text.is_ascii());
    assert!(plain(&visit(self::start().size(120, 40))).contains(is_braille));
}

#[test]
fn any_size_is_survived() {
    let mut terminal = start().open();
    terminal.until("South");
    terminal.keys("i");
    terminal.until("nodes");
    // From small to large in irregular steps, then back and forth between the extremes.
    for step in 0..200_u32 {
        let (width, height) = match step % 20 {
            0 => (1, 1),
            1 => (480, 154),
            2 => (1, 154),
            3 => (480, 1),
            _ => (20 + step * 97 % 461, 5 + step * 31 % 150),
        };
        terminal.resize(width as u16, height as u16);
        if step % 10 == 0 {
            // Some long enough to be drawn.
            terminal.keys("v");
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }
    for (width, height) in [(480, 154), (80, 24), (60, 20), (200, 60)] {
        terminal.resize(width, height);
        terminal.until_screen("a whole picture", |screen| {
            let text = screen.contents();
            let last = text.lines().nth(usize::from(height) - 1).unwrap_or_default();
            text.contains("South") && text.contains("North") && last.contains("help")
        });
    }
    shows_help(&mut terminal);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

fn shows_help(terminal: &mut Terminal) {
    terminal.keys("?");
    terminal.until(HELP);
    terminal.keys(ESC);
    terminal.until_gone(HELP);
}

#[test]
fn too_small_a_screen_shows_so() {
    let mut terminal = start().size(20, 5).open();
    terminal.until("needs");
    terminal.resize(80, 24);
    terminal.until("South");
    shows_help(&mut terminal);
    terminal.resize(20, 5);
    terminal.until("needs");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// Window managers place a new window while the program in it starts.
#[test]
fn a_size_that_changes_during_the_start_is_noticed() {
    for _ in 0..10 {
        let mut terminal = start().size(20, 5).open();
        terminal.until("needs");
        terminal.resize(80, 24);
        terminal.until("South");
        terminal.keys("q");
        assert_eq!(terminal.end().status, 0);
    }
}

#[test]
fn the_smallest_screens_can_be_left() {
    for (width, height) in [(1, 1), (2, 1), (1, 2), (5, 3), (39, 11), (40, 12), (480, 1), (1, 154)] {
        let mut terminal = start().size(width, height).open();
        terminal.until_bytes("a frame", |bytes| String::from_utf8_lossy(bytes).contains("\x1b[?2026l"));
        // Opens everything that can be drawn.
        for key in ["i", "?", ESC, ":", ESC, "n", ESC, "s", ESC, "l", ESC, "p", ESC, "C"] {
            terminal.keys(key);
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        terminal.keys("\x03");
        assert_eq!(terminal.end().status, 0, "{width}x{height}");
    }
}

/// A terminal may report a nonsensical size; the program must not request unlimited memory.
#[test]
fn a_terminal_that_shows_it_is_huge_is_drawn_on_in_part() {
    let mut terminal = start().open();
    terminal.until("South");
    let before = memory(terminal.pid());
    terminal.resize_unseen(65_535, 65_535);
    terminal.keys("?");
    eventually("a frame of the largest size", || memory(terminal.pid()) > before + (8 << 20));
    assert!(memory(terminal.pid()) < 512 << 20, "{} bytes", memory(terminal.pid()));
    terminal.resize(80, 24);
    terminal.until(HELP);
    terminal.keys(ESC);
    terminal.until_gone(HELP);
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// `tmux display -p '#{cursor_x},#{cursor_y}'` shows the same.
#[test]
fn the_terminals_cursor_follows_the_choice_and_is_hidden_unless_the_config_shows_it() {
    for (config, is_hidden) in [(QUICK.to_owned(), true), (format!("{QUICK}[ui]\ncursor = true\n"), false)] {
        let args = ["--game", "othello", "--south", "human", "--north", "human"];
        let mut terminal = mancalab(&args).config(&config).open();
        terminal.until("Black");
        let mut places = Vec::new();
        for key in ["\x1b[C", "\x1b[C", "\x1b[B", "\x1b[D"] {
            let before = terminal.cursor();
            terminal.keys(key);
            terminal.until_screen("another place of the cursor", |screen| {
                screen.cursor_position() != before && screen.hide_cursor() == is_hidden
            });
            places.push(terminal.cursor());
        }
        // Right, down, left.
        assert!(places[1].0 == places[0].0 && places[1].1 > places[0].1, "{places:?}");
        assert!(places[2].0 > places[1].0 && places[2].1 == places[1].1, "{places:?}");
        assert_eq!(places[3], (places[2].0, places[0].1));
        // A text being typed shows it in any case.
        terminal.keys(":");
        terminal.until_screen("the cursor of the palette", |screen| !screen.hide_cursor());
        terminal.keys("\x1b[B");
        terminal.until_screen("the cursor at a row", |screen| screen.hide_cursor() == is_hidden);
        terminal.keys(ESC);
        terminal.until_gone("Find");
        terminal.keys("q");
        assert_eq!(terminal.end().status, 0);
    }
}
