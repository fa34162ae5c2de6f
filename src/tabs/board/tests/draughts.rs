//! A game on numbered squares: jumps entered square by square, typed, by the cursor and by clicks; what is forced; kings; draws.

use std::time::Duration;

use super::moves;
use crate::app::stage::{Stage, config};
use crate::config::Config;

fn checkers() -> Config {
    let mut config = config();
    config.board.game = "checkers".parse().unwrap();
    config
}

fn two_people() -> Stage {
    Stage::with_config(checkers(), "human", "human")
}

/// A game from a position.
fn at(fen: &str) -> Stage {
    let mut stage = two_people();
    stage.paste(fen);
    stage
}

/// Black's man on 1 can jump to 10 and on to 19; another can jump once.
const DOUBLE: &str = "B:W6,15,22,32:B1,17";

/// A king that can jump round in two ways and end where it began, or stop nowhere between.
const ROUND: &str = "B:W18,19,26,27,8:BK15";

/// Clicks on a square, found by its number in the line above it.
fn click(stage: &mut Stage, square: &str) {
    let screen = stage.screen(80, 24);
    let is_number = |line: &str, at: usize| {
        let before = line[..at].chars().last();
        let behind = line[at + square.len()..].chars().next();
        let is_line = |c: Option<char>| c.is_some_and(|c| !c.is_ascii_digit() && !c.is_alphabetic() && c != ' ');
        is_line(before) && is_line(behind)
    };
    let (row, at, line) = screen
        .lines()
        .enumerate()
        .find_map(|(row, line)| {
            let mut found = line.match_indices(square).map(|(at, _)| at);
            found.find(|&at| is_number(line, at)).map(|at| (row, at, line))
        })
        .unwrap_or_else(|| panic!("no {square} on\n{screen}"));
    let column = line[..at].chars().count();
    stage.click_at(column as u16 + 1, row as u16 + 1);
}

#[test]
fn a_move_is_typed_in_notation() {
    let mut stage = two_people();
    assert!(stage.shows("Type a move such as 9-13"), "{}", stage.screen(120, 40));
    stage.text("11-15");
    assert!(stage.shows("Black → 11-15"), "{}", stage.screen(120, 40));
    stage.text("22 18");
    assert!(stage.shows("White → 22-18") && stage.shows("Black must jump: 15x22"), "{}", stage.screen(120, 40));
    assert!(moves(&mut stage).starts_with("1 11-15"), "{}", moves(&mut stage));
}

#[test]
fn a_number_that_might_continue_waits_for_what_ends_it() {
    let mut stage = at("B:W32:BK1,K12");
    stage.text("1");
    assert!(stage.shows("Black → 1_"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("Black → 1 "), "{}", stage.screen(120, 40));
    stage.text("6");
    assert!(stage.shows("Black → 1-6"), "{}", stage.screen(120, 40));
    let mut stage = at("B:W32:BK1,K12");
    stage.text("1-5");
    assert!(stage.shows("Black → 1-5"), "{}", stage.screen(120, 40));
}

#[test]
fn a_jump_over_two_is_entered_square_by_square_and_shown() {
    let mut stage = at(DOUBLE);
    assert!(stage.shows("Black must jump: 1x19, 17x26"), "{}", stage.screen(120, 40));
    stage.text("1x10");
    assert!(stage.shows("Black → 1 10"), "{}", stage.screen(120, 40));
    assert!(stage.shows("3 men"), "the first captured piece is gone: {}", stage.screen(120, 40));
    stage.text("x19");
    assert!(stage.shows("Black → 1x19, captures 2"), "{}", stage.screen(120, 40));
}

#[test]
fn what_was_named_is_taken_back_one_by_one() {
    let mut stage = at(DOUBLE);
    stage.text("1x10").keys("u");
    assert!(stage.shows("Black → 1 ") && stage.shows("4 men"), "{}", stage.screen(120, 40));
    stage.keys("u");
    assert!(stage.shows("Black must jump"), "{}", stage.screen(120, 40));
    stage.text("1x10").keys("esc");
    assert!(!stage.shows("Black → 1"), "{}", stage.screen(120, 40));
    // The end names the jump, too.
    stage.text("1x19");
    assert!(stage.shows("captures 2"), "{}", stage.screen(120, 40));
}

#[test]
fn a_jump_is_entered_by_clicks_and_by_the_cursor() {
    let mut stage = at(DOUBLE);
    for square in ["1", "10", "19"] {
        click(&mut stage, square);
    }
    assert!(stage.shows("Black → 1x19, captures 2"), "{}", stage.screen(120, 40));
    let mut stage = at(DOUBLE);
    // The cursor appears where a move begins; Up is towards higher numbers.
    stage.keys("up enter");
    assert!(stage.shows("Black → 1 "), "{}", stage.screen(120, 40));
    stage.keys("up up left enter");
    assert!(stage.shows("Black → 1 10"), "{}", stage.screen(120, 40));
}

#[test]
fn of_two_ways_to_one_square_those_between_are_asked_for() {
    let mut stage = at(ROUND);
    stage.text("15x15");
    assert!(stage.shows("Several moves lead to 15. Name the squares between"), "{}", stage.screen(120, 40));
    stage.text("x22x15");
    assert!(stage.shows("captures 4"), "{}", stage.screen(120, 40));
}

#[test]
fn squares_that_cannot_be_named_are_refused_by_number() {
    let mut stage = two_people();
    stage.text("4-8");
    // What follows of a move that cannot be begun is no command, and no other move.
    assert!(stage.shows("No piece of Black can move from 4. Try 9, 10, 11, 12"), "{}", stage.screen(120, 40));
    stage.text("11-14");
    assert!(stage.shows("No move goes 11 14. Try 15, 16"), "{}", stage.screen(120, 40));
}

#[test]
fn after_a_refused_square_esc_clears_it_and_a_colon_opens_the_palette() {
    let mut stage = two_people();
    stage.text("4").keys("esc");
    stage.text("11-15");
    assert!(stage.shows("Black → 11-15"), "{}", stage.screen(120, 40));
    for begun in ["4", "22"] {
        stage.text(begun).keys(":");
        assert!(stage.shows("One move back"), "{}", stage.screen(120, 40));
        stage.keys("esc esc");
    }
    stage.keys("m");
    assert!(stage.shows("White → ") || stage.shows("2. ") || stage.shows(" 2  "), "{}", stage.screen(120, 40));
}

#[test]
fn who_has_to_jump_is_reported_why_another_move_is_none() {
    let mut stage = at("B:W6,15,22,32:B1,17,4");
    stage.text("4-8");
    assert!(stage.shows("Black must jump: 1x19, 17x26; 4 does not"), "{}", stage.screen(120, 40));
}

#[test]
fn men_and_kings_are_set_up() {
    let mut stage = two_people();
    stage.keys("p c");
    assert!(stage.shows("b w man") && stage.shows("B W king"), "{}", stage.screen(120, 40));
    // 32, a white king; one to the right, 31, a black king by going through what there is.
    stage.keys("W right space space enter");
    assert!(stage.shows("Black  human · to move"), "{}", stage.screen(120, 40));
    assert!(stage.shows("1 king"), "{}", stage.screen(120, 40));
}

#[test]
fn a_crowning_and_the_end_are_reported() {
    let mut stage = at("B:W30:B26");
    stage.text("26-31");
    assert!(stage.shows("Black → 26-31, crowned"), "{}", stage.screen(120, 40));
    let mut stage = at("B:W18:B15");
    stage.text("15x22");
    assert!(stage.shows("Game over · Black wins 1 : 0 · White has no piece left"), "{}", stage.screen(120, 40));
}

#[test]
fn a_draw_is_reported_with_its_rule() {
    let mut stage = at("B:WK32:BK1");
    for _ in 0..2 {
        for mv in ["1-6", "32-28", "6-1", "28-32"] {
            stage.text(mv).keys("enter");
        }
    }
    assert!(stage.shows("Game over · Draw 1 : 1 · threefold repetition"), "{}", stage.screen(120, 40));
}

#[test]
fn the_steps_of_a_jump_are_shown_one_after_the_other() {
    let mut config = checkers();
    config.board.animation = 10.0;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.paste(DOUBLE);
    for key in ["1", "x", "1", "9"] {
        stage.press(key);
    }
    assert!(stage.shows("4 men"), "the man is in the hand");
    stage.pass(Duration::from_millis(200));
    assert!(stage.shows("3 men"), "{}", stage.screen(120, 40));
    stage.pass(Duration::from_millis(1000));
    assert!(stage.shows("captures 2"));
}
