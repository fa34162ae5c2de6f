//! A game on squares: entering moves by typing, by the cursor and by the mouse, passing, setting up, and what is shown.

use std::time::Duration;

use super::moves;
use crate::app::stage::{Stage, config};
use crate::config::Config;
use crate::game::{Position, Variant};

fn othello() -> Config {
    let mut config = config();
    config.board.game = "othello".parse().unwrap();
    config
}

fn two_people() -> Stage {
    Stage::with_config(othello(), "human", "human")
}

/// White has a disc in the corner that Black cannot get behind; White can take Black's.
fn without_a_move(black: &str) -> String {
    let start = format!("OX{} X", "-".repeat(62));
    format!("[Game \"othello\"]\n[South \"{black}\"]\n[North \"human\"]\n[Start \"{start}\"]\n")
}

#[test]
fn a_square_is_typed() {
    let mut stage = two_people();
    assert!(stage.shows("Type a square such as d3"), "{}", stage.screen(120, 40));
    assert!(stage.keys("d").shows("Black → d_"), "{}", stage.screen(120, 40));
    assert!(stage.keys("3").shows("Black → d3: flips 1"), "{}", stage.screen(120, 40));
    assert!(stage.shows("White  human · to move"));
    stage.keys("C 5");
    assert!(moves(&mut stage).starts_with("1 d3 +3 c5 0"), "{}", moves(&mut stage));
}

#[test]
fn a_square_that_is_no_move_is_refused_with_those_that_are() {
    let mut stage = two_people();
    assert!(stage.keys("a 1").shows("a1 is not possible. Try d3, c4, f5, e6"), "{}", stage.screen(120, 40));
    assert!(stage.shows("Type a square"));
}

#[test]
fn what_was_typed_is_taken_back_and_begun_again() {
    let mut stage = two_people();
    assert!(!stage.keys("d esc").shows("d_"));
    assert!(stage.keys("3").shows("tunes the weights"), "a digit alone selects a tab: {}", stage.screen(120, 40));
    assert!(stage.keys("1 c d 3").shows("Black → d3"), "a letter after a letter starts over");
    assert!(!stage.keys("c backspace").shows("c_"));
}

#[test]
fn letters_of_files_are_squares_while_a_person_is_to_move_and_commands_else() {
    let mut stage = two_people();
    assert!(stage.keys("h").shows("Black → h_") && stage.shows("Esc take back"), "{}", stage.screen(120, 40));
    stage.keys("esc");
    assert!(stage.shows("t hint"), "the footer names a key that works: {}", stage.screen(120, 40));
    stage.keys("t");
    assert!(stage.screen(80, 24).contains('▸'));
    let mut stage = Stage::with_config(othello(), "random", "random");
    assert!(stage.keys("space").shows("t hint"), "{}", stage.screen(120, 40));
}

#[test]
fn arrows_choose_a_square_and_enter_plays_it() {
    let mut stage = two_people();
    stage.keys("right");
    assert!(stage.screen(80, 24).contains("[ + ]"), "the cursor is where a move is possible: {}", stage.screen(80, 24));
    assert!(stage.screen(80, 24).contains("~"), "the discs to flip are marked");
    stage.keys("left up");
    assert!(!stage.screen(80, 24).contains("~"));
    assert!(stage.keys("enter").shows("c2 is not possible"), "{}", stage.screen(120, 40));
    assert!(stage.keys("right down enter").shows("Black → d3: flips 1"));
    assert!(stage.keys("up enter").shows("d2 is not possible"), "the cursor stays: {}", stage.screen(120, 40));
    assert!(stage.keys(", .").shows("Black → d3: flips 1"), "other keys step through the game");
}

#[test]
fn squares_are_clicked_on() {
    let mut stage = two_people();
    click(&mut stage, "d3");
    assert!(stage.shows("Black → d3: flips 1"), "{}", stage.screen(120, 40));
    stage.keys("v");
    click(&mut stage, "c5");
    assert!(stage.shows("White → c5: flips 1"), "a flipped board: {}", stage.screen(120, 40));
}

/// Clicks in the middle of a square, found by the coordinates beside the board.
fn click(stage: &mut Stage, square: &str) {
    let screen = stage.screen(80, 24);
    let (file, rank) = square.split_at(1);
    let letters = screen.lines().find(|line| "abcdefgh".chars().all(|c| line.contains(&format!(" {c} ")))).unwrap();
    let column = letters.chars().position(|c| c.to_string() == file).unwrap();
    let is_rank = |line: &str| line.trim_start_matches('│').trim_start().starts_with(&format!("{rank} │"));
    let row = screen.lines().position(is_rank).unwrap();
    stage.click_at(column as u16, row as u16);
}

#[test]
fn a_pass_is_offered_and_seen() {
    let mut stage = two_people();
    stage.paste(&without_a_move("human"));
    assert!(stage.shows("Black must pass: Enter"), "{}", stage.screen(120, 40));
    assert!(stage.keys("d esc").shows("Enter pass"), "{}", stage.screen(120, 40));
    assert!(stage.keys("c 1").shows("Black has no move and must pass: Enter"), "{}", stage.screen(120, 40));
    assert!(stage.keys("enter").shows("Black passes"), "{}", stage.screen(120, 40));
    assert!(moves(&mut stage).contains("pass"), "{}", moves(&mut stage));
    assert!(stage.keys("c 1").shows("Game over · White wins 3 : 0"), "{}", stage.screen(120, 40));
}

#[test]
fn a_computer_passes_when_asked_and_shows() {
    let mut stage = two_people();
    stage.paste(&without_a_move("max"));
    assert!(stage.keys("m").shows("Black passes"), "{}", stage.screen(120, 40));
    assert!(stage.shows("White  you · to move"), "{}", stage.screen(120, 40));
}

#[test]
fn a_position_is_set_up_on_squares() {
    let mut stage = two_people();
    assert!(stage.keys("p c enter").shows("the board has no discs"), "{}", stage.screen(120, 40));
    assert!(stage.keys("w").shows("Setting up") && stage.shows("b w piece"), "{}", stage.screen(120, 40));
    // White a1, Black b1, and Black to move has to pass.
    stage.keys("right space enter");
    assert!(stage.shows("Black must pass"), "{}", stage.screen(120, 40));
    stage.keys("p s enter");
    assert!(stage.shows("White  human · to move"), "{}", stage.screen(120, 40));
    stage.keys("p right . enter");
    assert!(stage.shows("No side can move: game over"), "{}", stage.screen(120, 40));
}

#[test]
fn clicks_set_a_position_up() {
    let mut stage = two_people();
    stage.keys("p");
    for _ in 0..3 {
        click(&mut stage, "b2");
    }
    assert!(stage.keys("enter").shows("Black  human · to move"));
    assert_eq!(counts(&mut stage), (2, 3));
}

/// Black's discs and White's on a smaller screen.
fn counts(stage: &mut Stage) -> (u16, u16) {
    let screen = stage.screen(60, 20);
    let mut counts = screen.lines().filter_map(|line| line.split_once(" on board")?.0.rsplit(' ').next()?.parse().ok());
    let white = counts.next().unwrap();
    (counts.next().unwrap(), white)
}

#[test]
fn flips_are_shown_after_the_disc() {
    let mut config = othello();
    config.board.animation = 10.0;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.press("d").press("3");
    assert_eq!(counts(&mut stage), (3, 2), "the disc lies there");
    stage.pass(Duration::from_millis(100));
    assert_eq!(counts(&mut stage), (4, 1), "and has flipped one");
}

#[test]
fn counts_and_moves_of_both_sides_stand_beside_the_board() {
    let mut stage = two_people();
    stage.keys("d 3");
    assert_eq!(counts(&mut stage), (4, 1));
    assert!(stage.screen(80, 24).contains("3 moves"), "{}", stage.screen(80, 24));
}

#[test]
fn the_dialog_names_the_seats_of_the_game() {
    let mut stage = Stage::new("human", "max");
    stage.keys("n");
    while !stage.shows("Othello") {
        stage.keys("right");
    }
    assert!(stage.shows("Black") && stage.shows("White"), "{}", stage.screen(120, 40));
    assert!(stage.keys("enter").shows("White  max"), "{}", stage.screen(120, 40));
    assert!(stage.shows("Black  you · to move"));
}

#[test]
fn an_analysis_stands_on_the_squares() {
    let mut stage = two_people();
    stage.keys("i");
    let screen = stage.screen(80, 24);
    assert!(screen.contains("Alpha-beta") && screen.contains("value"), "{screen}");
    let start = "othello".parse::<Variant>().unwrap().start();
    for mv in start.moves() {
        assert!(screen.contains(&start.move_text(mv)), "{screen}");
    }
}

#[test]
fn a_game_is_played_to_its_end_by_keys() {
    let mut stage = two_people();
    let mut position: Position = "othello".parse::<Variant>().unwrap().start();
    let mut ply = 0;
    while let Some(&mv) = position.moves().get(ply % position.moves().len().max(1)) {
        match position.move_text(mv).as_str() {
            "pass" => _ = stage.keys("enter"),
            name => _ = stage.type_ahead(&format!("{} {}", &name[..1], &name[1..])),
        }
        position = position.play(mv);
        ply += 1;
    }
    let mut counts = position.board().counts();
    counts.sort();
    let [less, more] = counts;
    assert!(stage.shows("Game over") && stage.shows(&format!("wins {more} : {less}")), "{}", stage.screen(120, 40));
    assert!(stage.keys("d 3").shows("The game is over"), "{}", stage.screen(120, 40));
}
