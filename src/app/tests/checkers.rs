//! Checkers on the Board, in all sizes and in intermediate ones.

use super::super::stage::Stage;
use super::sizes::{assert_drawn_in_any_size, pages};
use crate::paths::Paths;
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;

/// Jumps are compulsory, one of them over two men; there are kings of both sides.
const JUMPS: &str = "B:W6,15,22,32,K30:B1,17,K12";

fn checkers(south: &str, north: &str) -> Stage {
    Stage::of_game("checkers", south, north)
}

#[test]
fn checkers_at_the_start() {
    let mut stage = checkers("human", "minimax:2");
    insta::assert_snapshot!(pages(&mut stage));
}

#[test]
fn checkers_with_jumps_to_choose_from() {
    let mut stage = checkers("human", "human");
    stage.paste(JUMPS);
    insta::assert_snapshot!(stage.screens());
}

#[test]
fn checkers_in_the_middle_of_a_jump_with_an_analysis() {
    let mut stage = checkers("human", "human");
    stage.paste(JUMPS);
    stage.text("1x10").keys("up i");
    insta::assert_snapshot!(pages(&mut stage));
}

#[test]
fn checkers_with_samuels_terms() {
    let mut stage = checkers("human", "samuel:2@pieces");
    stage.paste("B:W18,22,26,27,30,K14:B1,3,6,12,K32");
    let by_pieces = stage.keys("w").pages();
    let mut stage = checkers("human", "human");
    stage.paste("B:W18,22,26,27,30,K14:B1,3,6,12,K32");
    stage.keys("w");
    insta::assert_snapshot!(by_pieces + &pages(&mut stage));
}

#[test]
fn checkers_in_ascii_without_colour() {
    let mut stage = checkers("human", "human");
    let theme = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    stage.set_look(Look::new(theme, Glyphs::ascii()));
    stage.paste(JUMPS);
    stage.keys("h");
    let hint = pages(&mut stage);
    stage.text("1x19");
    insta::assert_snapshot!(hint + &pages(&mut stage) + &stage.styles_of(1..23));
}

#[test]
fn checkers_being_set_up_and_told() {
    let mut stage = checkers("human", "human");
    let edit = stage.keys("p c W right b down B").pages();
    let help = stage.keys("esc ?").dialogs();
    let new = stage.keys("esc n").dialogs();
    insta::assert_snapshot!(edit + "\n" + &help + "\n" + &new);
}

#[test]
fn checkers_is_drawn_in_any_size_and_in_ascii() {
    let mut stage = checkers("human", "human");
    stage.paste(JUMPS);
    assert_drawn_in_any_size(&mut stage, &["right", "1 x 1 0", "i h", "o", "w", "v", "p", "esc n"]);
}
