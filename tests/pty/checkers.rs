//! Checkers at 80×24: games played to the end by keys and by mouse, with multiple jumps, and a collection of games
//! replayed.

use std::fs;

use mancalab::game::notation::pdn;
use mancalab::game::record::Record;
use mancalab::game::{Move, Position, Variant, notation};

use super::harness::{QUICK, Terminal, mancalab};

const RIGHT: &str = "\x1b[C";
const END: &str = "\x1b[F";
const NEXT: &str = "\x1b[6~";

/// Black can jump two men; games from here are short.
const START: &str = "B:W6,15,23,32,31:B1,9,4,K12,3";

fn checkers() -> Variant {
    "checkers".parse().unwrap()
}

#[track_caller]
fn position(terminal: &mut Terminal) -> Position {
    let text = terminal.copied("Y");
    checkers().position_from_text(&text).unwrap()
}

/// Returns whether it is Black's turn or the game is over.
fn is_settled(text: &str) -> bool {
    let waits = |line: &str| line.contains("Black") && line.contains("to move");
    text.contains("Game over") || text.lines().any(waits)
}

/// Returns all but the footer, whose notices change.
fn body(text: &str) -> String {
    text.lines().take(23).collect()
}

fn open() -> Terminal {
    let args = ["start.txt", "--south", "human", "--north", "random", "--seed", "5"];
    let script = format!("printf '{START}' > start.txt; \"$@\"");
    let terminal = mancalab(&args).config(QUICK).size(80, 24).under_shell(&script).open();
    terminal.until_screen("Black's first move", |screen| is_settled(&screen.contents()));
    terminal
}

/// Returns the squares of a move, by number.
fn squares(position: &Position, mv: Move) -> Vec<String> {
    let board = position.board();
    position.places(mv).into_iter().map(|place| board.name(place)).collect()
}

/// Returns Black's move: the longest jump, else alternately a king's or a man's move.
fn choose(position: &Position, turn: usize) -> Move {
    let moves = position.moves();
    let longest = moves.iter().map(|&mv| position.places(mv).len()).max().unwrap();
    let best: Vec<Move> = moves.into_iter().filter(|&mv| position.places(mv).len() == longest).collect();
    best[turn % best.len()]
}

/// Plays all of Black's moves with `enter`, which receives a move's squares.
fn play_to_the_end(mut terminal: Terminal, mut enter: impl FnMut(&mut Terminal, &[String])) -> Record {
    for turn in 0.. {
        assert!(turn < 120, "no end to this game:\n{}", terminal.text());
        if terminal.text().contains("Game over") {
            break;
        }
        let now = position(&mut terminal);
        let before = body(&terminal.text());
        enter(&mut terminal, &squares(&now, choose(&now, turn)));
        terminal.until_screen("an answer", |screen| {
            let text = screen.contents();
            body(&text) != before && is_settled(&text)
        });
    }
    let played = notation::read(&terminal.copied("y")).unwrap();
    assert!(played.result().is_some(), "the game is over");
    let is_of_black = |parent: usize| played.position_at(parent).side() == played.start().side();
    let captured = |node: usize| {
        played
            .came(node)
            .filter(|&(parent, _)| is_of_black(parent))
            .map_or(0, |(parent, mv)| played.position_at(parent).trace(mv).taken().len())
    };
    assert!(played.main_line().iter().any(|step| captured(step.node) > 1), "a multiple jump was played");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
    played
}

#[test]
fn a_game_is_played_to_its_end_by_keys() {
    // Separators end ambiguous numbers, Enter the last one; Enter does nothing elsewhere.
    play_to_the_end(open(), |terminal, squares| terminal.keys(&format!("{}\r", squares.join("-"))));
}

/// Returns column and row (from 1) of a square on the screen, by the number above it.
fn place_of(text: &str, number: &str) -> (usize, usize) {
    let is_edge = |c: Option<&char>| c.is_some_and(|c| !c.is_ascii_digit() && !c.is_alphabetic() && *c != ' ');
    for (row, line) in text.lines().enumerate() {
        let line: Vec<char> = line.chars().take(36).collect();
        let wanted: Vec<char> = number.chars().collect();
        let found = line.windows(wanted.len()).enumerate().find(|(at, window)| {
            *window == wanted
                && is_edge(at.checked_sub(1).and_then(|at| line.get(at)))
                && is_edge(line.get(at + wanted.len()))
        });
        if let Some((at, _)) = found {
            return (at + 2, row + 2);
        }
    }
    panic!("no {number} on\n{text}");
}

#[test]
fn a_game_is_played_to_its_end_by_mouse() {
    play_to_the_end(open(), |terminal, squares| {
        for square in squares {
            let (column, row) = place_of(&terminal.text(), square);
            terminal.keys(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
        }
    });
}

#[test]
fn a_jump_is_entered_by_the_cursor_and_taken_back_halfway() {
    let mut terminal = open();
    terminal.keys("1x10");
    terminal.until("1 10");
    terminal.keys("u");
    terminal.until_gone("1 10");
    terminal.keys("\x1b");
    terminal.until("must jump: 1x26");
    assert_eq!(position(&mut terminal).to_text(), START_AS_WRITTEN);
    terminal.keys("1x26");
    terminal.until_gone("must jump: 1x26");
    terminal.keys("q");
    terminal.end();
}

/// As the program writes it, in square order.
const START_AS_WRITTEN: &str = "B:W6,15,23,31,32:B1,3,4,9,K12";

/// The games of a match: saved, listed, filtered, opened and replayed to the end.
#[test]
fn a_collection_of_a_match_is_listed_and_stepped_through() {
    let script = "\"$1\" match random max --game checkers --games 6 --seed 2 --save all.pdn >/dev/null 2>&1; \"$@\"";
    let mut terminal = mancalab(&["all.pdn"]).config(QUICK).size(80, 24).under_shell(script).open();
    terminal.until("all.pdn: 6 games");
    let saved = pdn::FORMAT.open(vec![fs::read(terminal.home().join("all.pdn")).unwrap()]).unwrap();
    assert_eq!(saved.len(), 6);
    terminal.keys("/max");
    terminal.until("Find: /max");
    terminal.keys("\r");
    for number in 1..=6 {
        terminal.until(&format!("game {number} of 6"));
        let game = saved.read(number - 1, checkers()).unwrap();
        terminal.keys(RIGHT);
        terminal.until("Black →");
        terminal.keys(END);
        terminal.until("Game over");
        assert_eq!(position(&mut terminal), *game.position_at(game.main_end()));
        terminal.keys(NEXT);
    }
    terminal.until("There are no more games");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_database_of_the_command_line_is_explored() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pdn");
    std::fs::write(&file, "[Result \"1-0\"]\n\n1. 11-15 23-19 1-0\n").unwrap();
    let file = file.to_str().unwrap();
    let mut terminal = mancalab(&["--game", "checkers", "--north", "human", "--database", file]).open();
    terminal.until("No moves yet");
    terminal.keys("#");
    terminal.until_screen("the one game", |screen| {
        let text = screen.contents();
        text.contains("11-15") && text.contains("1 game")
    });
}
