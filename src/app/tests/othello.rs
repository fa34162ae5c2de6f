//! Othello on the Board, in all sizes and in those between.

use super::super::stage::{Stage, config, look};
use crate::paths::Paths;
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;

fn othello(south: &str, north: &str) -> Stage {
    let mut config = config();
    config.board.game = "othello".parse().unwrap();
    Stage::with_config(config, south, north)
}

/// Othello in all sizes, and in those between.
fn othello_screens(stage: &mut Stage) -> String {
    let more = [(60, 20), (100, 30), (200, 60)];
    let more = more.map(|(width, height)| format!("\n{width}x{height}\n{}", stage.screen(width, height)));
    stage.screens() + &more.concat()
}

#[test]
fn othello_at_the_start() {
    let mut stage = othello("human", "minimax:2");
    insta::assert_snapshot!(othello_screens(&mut stage));
}

#[test]
fn othello_with_the_cursor_and_an_analysis() {
    let mut stage = othello("human", "human");
    stage.keys("d 3 c 5 right t i");
    insta::assert_snapshot!(othello_screens(&mut stage));
}

#[test]
fn othello_in_ascii_without_colour() {
    let mut stage = othello("human", "human");
    let theme = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    stage.set_look(Look { theme, glyphs: Glyphs::ascii() });
    stage.keys("d 3 c 5 right");
    insta::assert_snapshot!(othello_screens(&mut stage) + &stage.styles());
}

#[test]
fn othello_being_set_up_and_told() {
    let mut stage = othello("human", "human");
    let edit = stage.keys("p c w right space down").screens();
    let pass = stage.keys("up enter").screens();
    let help = stage.keys("?").screens();
    insta::assert_snapshot!(edit + "\n" + &pass + "\n" + &help);
}

#[test]
fn othello_is_drawn_in_any_size_and_in_ascii() {
    let mut stage = othello("human", "human");
    let sizes =
        [(1, 1), (20, 5), (40, 11), (40, 12), (59, 15), (60, 16), (80, 20), (80, 23), (61, 90), (480, 12), (480, 154)];
    for keys in ["d 3", "right", "i t", "o", "w", "v", "p", "esc n"] {
        stage.keys(keys);
        for glyphs in [Glyphs::unicode(), Glyphs::ascii()] {
            let ascii = glyphs == Glyphs::ascii();
            stage.set_look(Look { glyphs, ..look() });
            for (width, height) in sizes {
                let screen = stage.screen(width, height);
                assert!(!ascii || screen.is_ascii(), "after {keys} at {width}x{height}:\n{screen}");
            }
        }
    }
}

/// A player by functions says what it makes of every move, and why it moved.
#[test]
fn othello_with_a_players_function() {
    let mut stage =
        othello("human", "staged:( + white ( * white_corners 10 ) ),50,( - black black_edges ),50:overlap=20");
    let first = stage.keys("w").screens();
    stage.keys("d 3");
    assert!(stage.screen(80, 24).contains("worth "));
    insta::assert_snapshot!(first + &othello_screens(&mut stage));
}

/// A function that divides is no path, and one that is searched with says so.
#[test]
fn othello_with_a_function_that_divides_and_looks_ahead() {
    let mut stage = othello("human", "staged:( / white black ):depth=2");
    stage.keys("w d 3");
    let screen = stage.screen(80, 24);
    for text in
        ["White  staged:( / white black ):depth=2", "one ply ahead here, 2 in play", "looks 2 plies ahead by ( / white"]
    {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
}
