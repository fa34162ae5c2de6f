//! A game on numbered squares: jumps entered square by square, typed, by the cursor and by clicks; what is forced; kings; draws.

use std::time::Duration;

use crate::app::stage::{Stage, config_of};

fn two_people() -> Stage {
    Stage::of_game("checkers", "human", "human")
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

/// A case: its name, the position (none: the start), and the entries with their replies.
type Entered = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const ENTERED: [Entered; 9] = [
    (
        "a move in notation",
        "",
        &[
            ("", "Type a move such as 9-13, or use arrows"),
            ("'11-15", "Black → 11-15"),
            ("'22 space '18", "White → 22-18 / Black must jump: 15x22"),
        ],
    ),
    (
        "a number that might continue waits for what ends it",
        "B:W32:BK1,K12",
        &[("'1", "Black → 1_"), ("enter", "Black → 1"), ("'6", "Black → 1-6")],
    ),
    ("a line ends a number", "B:W32:BK1,K12", &[("'1-5", "Black → 1-5")]),
    (
        "a jump over two is entered square by square, and taken back one by one",
        DOUBLE,
        &[
            ("f12", "Type a move such as 1x19, or use arrows / Black must jump: 1x19, 17x26"),
            ("'1x10", "Black → 1 10"),
            ("u", "Black → 1"),
            ("u", "Type a move such as 1x19, or use arrows / Black must jump: 1x19, 17x26"),
            ("'1x10 esc", "Type a move such as 1x19, or use arrows / Black must jump: 1x19, 17x26"),
            ("'1x10", "Black → 1 10"),
            ("'x19", "Black → 1x19, captures 2 / White must jump: 22x13"),
        ],
    ),
    ("the end names the jump, too", DOUBLE, &[("'1x19", "Black → 1x19, captures 2 / White must jump: 22x13")]),
    (
        "the cursor appears where a move begins; Up is towards higher numbers",
        DOUBLE,
        &[("up enter", "Black → 1"), ("up up left enter", "Black → 1 10")],
    ),
    (
        "of two ways to a square those between are asked for",
        ROUND,
        &[
            ("'15x15", "Several moves lead to 15. Name the squares between"),
            ("'x22x15", "Black → 15x22x31x24x15, captures 4"),
        ],
    ),
    (
        "what follows of a move that cannot be begun is no command, and no other move",
        "",
        &[
            ("'4-8", "No piece of Black can move from 4. Try 9, 10, 11, 12"),
            ("'11-14", "No move goes 11 14. Try 15, 16"),
        ],
    ),
    ("who has to jump is reported", "B:W6,15,22,32:B1,17,4", &[("'4-8", "Black must jump: 1x19, 17x26; 4 does not")]),
];

#[test]
fn moves_are_entered_by_numbers() {
    for (name, position, entries) in ENTERED {
        let mut stage = if position.is_empty() { two_people() } else { at(position) };
        stage.replies(name, entries);
    }
}

#[test]
fn a_jump_is_entered_by_clicks_and_takes_piece_by_piece() {
    let mut stage = at(DOUBLE);
    assert_eq!(stage.counts(), ["2 men", "4 men"]);
    click(&mut stage, "1");
    click(&mut stage, "10");
    assert_eq!(stage.counts(), ["2 men", "3 men"], "the first captured piece is gone");
    assert_eq!(stage.keys("u").counts(), ["2 men", "4 men"]);
    click(&mut stage, "10");
    click(&mut stage, "19");
    assert_eq!(stage.story()[0], "Black → 1x19, captures 2");
}

#[test]
fn after_a_refused_square_esc_clears_it_and_a_colon_opens_the_palette() {
    let mut stage = two_people();
    stage.text("4").keys("esc");
    stage.text("11-15");
    assert_eq!(stage.story(), ["Black → 11-15"]);
    for begun in ["4", "22"] {
        stage.text(begun).keys(":");
        assert!(stage.dialog_has("One move back ,"));
        stage.keys("esc esc");
    }
    stage.keys("m");
    assert_eq!(stage.record().ply(), 2, "a move of White: {}", stage.moves());
    assert!(stage.moves().starts_with("1 11-15 "), "{}", stage.moves());
}

#[test]
fn men_and_kings_are_set_up() {
    let mut stage = two_people();
    stage.keys("p c");
    assert!(stage.footer().starts_with("Space next b w man B W king . empty"), "{}", stage.footer());
    // 32, a white king; one to the right, 31, a black king by going through what there is.
    stage.keys("W right space space enter");
    assert_eq!(stage.south(), "▸ ▮ Black  human · to move");
    assert_eq!(stage.counts(), ["1 king", "1 king"]);
}

#[test]
fn crownings_and_ends_are_reported() {
    let repeated = "1-6 32-28 6-1 28-32 1-6 32-28 6-1 28-32";
    for (position, typed, line) in [
        ("B:W30:B26", "26-31", "Black → 26-31, crowned"),
        ("B:W18:B15", "15x22", "Game over · Black wins 1 : 0 · White has no piece left"),
        ("B:WK32:BK1", repeated, "Game over · Draw 1 : 1 · threefold repetition"),
    ] {
        let mut stage = at(position);
        for mv in typed.split(' ') {
            stage.text(mv).keys("enter");
        }
        assert!(stage.story().iter().any(|found| found == line), "{position}: {:?}", stage.story());
    }
}

#[test]
fn the_steps_of_a_jump_are_shown_one_after_the_other() {
    let mut config = config_of("checkers");
    config.board.animation = 10.0;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.paste(DOUBLE);
    for key in ["1", "x", "1", "9"] {
        stage.press(key);
    }
    assert_eq!(stage.counts()[1], "4 men", "the man is in the hand");
    stage.pass(Duration::from_millis(200));
    assert_eq!(stage.counts()[1], "3 men");
    stage.pass(Duration::from_millis(1000));
    assert_eq!(stage.story()[0], "Black → 1x19, captures 2");
}
