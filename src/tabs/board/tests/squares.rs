//! A game on squares: entering moves by typing, by the cursor and by the mouse, passing, setting up, and what is shown.

use std::time::Duration;

use crate::app::stage::{Stage, config_of};
use crate::config::PerGame;
use crate::game::{Position, Variant};

fn two_people() -> Stage {
    Stage::of_game("othello", "human", "human")
}

/// White has a disc in the corner that Black cannot get behind; White can take Black's.
fn without_a_move(black: &str) -> String {
    let start = format!("OX{} X", "-".repeat(62));
    format!("[Game \"othello\"]\n[South \"{black}\"]\n[North \"human\"]\n[Start \"{start}\"]\n")
}

#[test]
fn squares_are_typed() {
    let mut stage = two_people();
    let entries = [
        ("", "Type a square such as d3, or use arrows"),
        ("a 1", "a1 is not possible. Try d3, c4, f5, e6"),
        ("d", "Black → d_"),
        ("esc", "Type a square such as d3, or use arrows"),
        // A letter after a letter starts over.
        ("c d 3", "Black → d3: flips 1"),
        ("c", "White → c_"),
        ("backspace", "Black → d3: flips 1"),
        ("C 5", "White → c5: flips 1"),
    ];
    stage.replies("squares", &entries);
    assert_eq!(stage.north(), "▯ White  human");
    assert!(stage.moves().starts_with("1 d3 +3 c5 0"));
    assert_eq!(stage.keys("3").tab(), "Weights", "a digit alone selects a tab");
}

#[test]
fn letters_of_files_are_squares_while_a_person_is_to_move_and_commands_else() {
    let mut stage = two_people();
    assert_eq!(stage.keys("h").reply(), "Black → h_");
    assert!(stage.footer().starts_with("Esc take back "), "{}", stage.footer());
    stage.keys("esc");
    assert!(stage.footer().contains(" t hint "), "it names a key that works: {}", stage.footer());
    assert!(!stage.body(80, 24).contains("│ ▸ │"));
    assert!(stage.keys("t").body(80, 24).contains("│ ▸ │"), "{}", stage.screen(80, 24));
    let mut stage = Stage::of_game("othello", "random", "random");
    assert!(stage.keys("space").footer().contains(" t hint "), "{}", stage.footer());
}

#[test]
fn arrows_choose_a_square_and_enter_plays_it() {
    let mut stage = two_people();
    stage.keys("right");
    assert!(stage.body(80, 24).contains("[ + ]"), "the cursor is where a move is possible: {}", stage.screen(80, 24));
    assert!(stage.body(80, 24).contains('~'), "the discs to flip are marked");
    stage.keys("left up");
    assert!(!stage.body(80, 24).contains('~'));
    assert_eq!(stage.keys("enter").notice(), "c2 is not possible. Try d3, c4, f5, e6");
    assert_eq!(stage.keys("right down enter").story(), ["Black → d3: flips 1"]);
    assert_eq!(stage.keys("up enter").notice(), "d2 is not possible. Try c3, e3, c5", "the cursor stays");
    assert_eq!(stage.keys(", .").story(), ["Black → d3: flips 1"], "other keys step through the game");
}

#[test]
fn the_footer_names_every_word_once() {
    let mut stage = two_people();
    stage.text("d3c3").keys(",");
    let footer = stage.footer();
    assert!(footer.starts_with("a1-h8 play arrows choose ") && footer.contains(" space continue "), "{footer}");
    stage.keys("up");
    assert!(stage.footer().starts_with("a1-h8 Enter play arrows choose "), "{}", stage.footer());
    let mut pits = Stage::new("human", "human");
    pits.keys("right");
    assert!(pits.footer().starts_with("A-F Enter sow arrows choose "), "{}", pits.footer());
}

#[test]
fn squares_are_clicked_on() {
    let mut stage = two_people();
    click(&mut stage, "d3");
    assert_eq!(stage.story(), ["Black → d3: flips 1"]);
    stage.keys("v");
    click(&mut stage, "c5");
    assert_eq!(stage.story(), ["White → c5: flips 1"], "a flipped board");
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
    assert_eq!(stage.story(), ["Black must pass: Enter"]);
    assert!(stage.keys("d esc").footer().starts_with("Enter pass "), "{}", stage.footer());
    assert_eq!(stage.keys("c 1").notice(), "Black has no move and must pass: Enter");
    assert_eq!(stage.keys("enter").story(), ["Black passes"]);
    assert!(stage.moves().starts_with("1 pass"), "{}", stage.moves());
    assert_eq!(stage.keys("c 1").story()[2], "Game over · White wins 3 : 0");
}

#[test]
fn a_computer_passes_when_asked_and_shows() {
    let mut stage = two_people();
    stage.paste(&without_a_move("max"));
    assert_eq!(stage.keys("m").story(), ["Black passes"]);
    assert_eq!(stage.north(), "▸ ▯ White  you · to move");
}

#[test]
fn a_position_is_set_up_on_squares() {
    let mut stage = two_people();
    assert_eq!(stage.keys("p c enter").notice(), "the board has no discs; at least one is needed");
    assert_eq!(stage.keys("w").story(), ["Setting up: Space changes, Enter plays"]);
    assert!(stage.footer().starts_with("Space next b w piece . empty"), "{}", stage.footer());
    // White a1, Black b1, and Black to move has to pass.
    stage.keys("right space enter");
    assert_eq!(stage.story(), ["Black must pass: Enter"]);
    stage.keys("p s enter");
    assert_eq!(stage.north(), "▸ ▯ White  human · to move");
    stage.keys("p right . enter");
    assert_eq!(stage.notice(), "No side can move: game over");
}

#[test]
fn clicks_set_a_position_up() {
    let mut stage = two_people();
    stage.keys("p");
    for _ in 0..3 {
        click(&mut stage, "b2");
    }
    assert_eq!(stage.keys("enter").south(), "▸ ▮ Black  human · to move");
    assert_eq!(stage.counts(), ["2 on board", "3 on board"]);
}

#[test]
fn flips_are_shown_after_the_disc() {
    let mut config = config_of("othello");
    config.board.animation = 10.0;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.press("d").press("3");
    assert_eq!(stage.counts(), ["3 on board", "2 on board"], "the disc lies there");
    stage.pass(Duration::from_millis(100));
    assert_eq!(stage.counts(), ["4 on board", "1 on board"], "and has flipped one");
}

#[test]
fn counts_and_moves_of_both_sides_stand_beside_the_board() {
    let mut stage = two_people();
    let screen = stage.keys("d 3").screen(60, 20);
    for text in ["1 on board", "4 on board", "3 moves"] {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
}

#[test]
fn the_dialog_names_the_seats_of_the_game() {
    let mut stage = Stage::new("human", "max");
    stage.keys("n");
    while !stage.dialog_has("Game Othello ←→") {
        stage.keys("right");
    }
    assert!(stage.dialog_has("Black human"));
    assert!(stage.dialog_has("White max"));
    assert_eq!(stage.keys("enter").north(), "▯ White  Beginner");
    assert_eq!(stage.south(), "▸ ▮ Black  you · to move");
}

#[test]
fn an_analysis_stands_on_the_squares() {
    let mut stage = two_people();
    stage.keys("i");
    let start = *stage.record().start();
    let mut names: Vec<String> = start.moves().into_iter().map(|mv| start.move_text(mv)).collect();
    let mut analysed = stage.analysed();
    names.sort();
    analysed.sort();
    assert_eq!(analysed, names);
}

#[test]
fn a_game_is_played_to_its_end_by_keys() {
    // The review that begins at the end takes as long as its depth says.
    let mut config = config_of("othello");
    config.review.depth = PerGame::all(1);
    let mut stage = Stage::with_config(config, "human", "human");
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
    assert_eq!(stage.story()[2], format!("Game over · White wins {more} : {less}"));
    assert_eq!(stage.keys("d 3").notice(), "The game is over: n starts a new one, u takes the last move back");
}
