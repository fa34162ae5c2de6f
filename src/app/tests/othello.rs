//! Othello on the Board, in all sizes and in intermediate ones.

use super::super::stage::Stage;
use super::sizes::{assert_drawn_in_any_size, pages};
use crate::paths::Paths;
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;

fn othello(south: &str, north: &str) -> Stage {
    Stage::of_game("othello", south, north)
}

#[test]
fn othello_at_the_start() {
    insta::assert_snapshot!(othello("human", "minimax:2").screens());
}

#[test]
fn othello_with_the_cursor_and_an_analysis() {
    let mut stage = othello("human", "human");
    stage.keys("d 3 c 5 right t i");
    insta::assert_snapshot!(pages(&mut stage));
}

#[test]
fn othello_in_ascii_without_colour() {
    let mut stage = othello("human", "human");
    let theme = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    stage.set_look(Look::new(theme, Glyphs::ascii()));
    stage.keys("d 3 c 5 right");
    insta::assert_snapshot!(pages(&mut stage) + &stage.styles_of(1..23));
}

#[test]
fn othello_being_set_up_and_told() {
    let mut stage = othello("human", "human");
    let edit = stage.keys("p c w right space down").pages();
    let pass = stage.keys("up enter").pages();
    let help = stage.keys("?").dialogs();
    insta::assert_snapshot!(edit + "\n" + &pass + "\n" + &help);
}

#[test]
fn othello_is_drawn_in_any_size_and_in_ascii() {
    let mut stage = othello("human", "human");
    assert_drawn_in_any_size(&mut stage, &["d 3", "right", "i t", "o", "w", "v", "p", "esc n"]);
}

/// A function player shows its values of all moves, and the reason for its move.
#[test]
fn othello_with_a_players_function() {
    let mut stage =
        othello("human", "staged:( + white ( * white_corners 10 ) ),50,( - black black_edges ),50:overlap=20");
    let first = stage.keys("w").pages();
    // The last key takes the notice of a casual game down.
    stage.keys("d 3 f12");
    assert!(stage.screen(80, 24).contains("value 3, next e3"));
    insta::assert_snapshot!(first + &pages(&mut stage));
}

/// Where two functions hand over gradually, the panel shows how likely each is.
#[test]
fn othello_with_the_probability_of_each_function() {
    let mut stage = othello("human", "staged:( white ),50,( black ),50:overlap=100");
    stage.keys("w");
    for (columns, rows) in [(80, 24), (120, 40), (160, 50)] {
        let screen = stage.screen(columns, rows);
        assert!(screen.contains("│ stage 1 99 % · stage 2 1 % "), "{screen}");
    }
    stage.keys("d 3");
    let screen = stage.screen(80, 24);
    assert!(screen.contains("│ stage 1 96 % · stage 2 4 % "), "{screen}");
}

/// A function with a division is not a path, and a searched function is labelled as such.
#[test]
fn othello_with_a_function_that_divides_and_looks_ahead() {
    let mut stage = othello("human", "staged:( / white black ):depth=2");
    stage.keys("w d 3");
    let screen = stage.screen(80, 24);
    for text in
        ["White  staged:( / white black ):depth=2", "depth 1 here, 2 in play", "searches 2 plies with ( / white"]
    {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
}
