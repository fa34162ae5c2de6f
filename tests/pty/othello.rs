//! Othello at 80×24: a whole game by keys, another by mouse.

use mancalab::game::notation;
use mancalab::game::record::Record;
use mancalab::game::{Move, Position, Side, Variant};
use mancalab::player::Spec;

use super::harness::{QUICK, Terminal, mancalab};

/// Returns the position on the screen.
#[track_caller]
fn position(terminal: &mut Terminal) -> Position {
    let text = terminal.copied("Y");
    "othello".parse::<Variant>().unwrap().position_from_text(&text).unwrap()
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

/// Returns column and row (from 1) of a square on the screen, by the letters above and the numbers beside the board.
fn place_of(text: &str, square: &str) -> Option<(usize, usize)> {
    let file = square.chars().next()?;
    let rank = square.chars().nth(1)?;
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let is_head = |line: &Vec<char>| {
        let letters: String = line.iter().filter(|c| c.is_alphabetic()).collect();
        letters.starts_with("abcdefgh")
    };
    let head = lines.iter().position(is_head)?;
    let column = lines[head].iter().position(|&c| c == file)?;
    let is_row = |line: &Vec<char>| line.iter().take(12).find(|c| !matches!(c, ' ' | '│' | '║')) == Some(&rank);
    Some((column + 1, head + lines[head..].iter().position(is_row)? + 1))
}

fn open(opponent: &str) -> Terminal {
    let args = ["--game", "othello", "--south", "human", "--north", opponent, "--seed", "5"];
    let terminal = mancalab(&args).config(QUICK).size(80, 24).open();
    terminal.until_screen("Black's first move", |screen| is_settled(&screen.contents()));
    terminal
}

/// Plays all of Black's moves with `enter`, except passes, and compares the final position with the record.
fn play_to_the_end(mut terminal: Terminal, mut enter: impl FnMut(&mut Terminal, &str)) -> Record {
    for turn in 0.. {
        assert!(turn < 40, "no end to this game:\n{}", terminal.text());
        if terminal.text().contains("Game over") {
            break;
        }
        let now = position(&mut terminal);
        let before = body(&terminal.text());
        let moves: Vec<Move> = now.moves();
        match now.move_text(moves[turn % moves.len()]).as_str() {
            "pass" => terminal.keys("\r"),
            square => enter(&mut terminal, square),
        }
        terminal.until_screen("an answer", |screen| {
            let text = screen.contents();
            body(&text) != before && is_settled(&text)
        });
    }
    let played = notation::read(&terminal.copied("y")).unwrap();
    assert!(played.result().is_some() && played.ply() > 20);
    // The winner's count comes first, or on the card the person's.
    let mut counts = played.position_at(played.end()).board().counts();
    counts.sort_unstable();
    let [less, more] = counts;
    let text = terminal.text();
    assert!(
        [format!("{more} : {less}"), format!("lose {less} : {more}")].iter().any(|end| text.contains(end)),
        "{text}"
    );
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
    played
}

/// Against a function player, with its values of every move beside the board.
#[test]
fn a_game_against_a_player_by_functions() {
    let player = "staged:( - white black_corners ),50,( white_corners ),50";
    let mut terminal = open(player);
    terminal.keys("w");
    terminal.until("( - white black_corners )");
    let played = play_to_the_end(terminal, |terminal, square| terminal.keys(square));
    let name = |named: &String| named.contains("staged");
    assert!(played.players.iter().any(name));
    // Each of its moves is the best by the function in use.
    let spec: Spec = player.parse().unwrap();
    let Spec::Staged(staged) = &spec else { unreachable!() };
    for step in played.main_line() {
        let (parent, mv) = played.came(step.node).unwrap();
        let in_force = staged.in_force(*played.position_at(parent), played.ply_at(parent), 5).unwrap();
        let judged = in_force.judged();
        assert!(step.mover == Side::South || judged.moves[0].mv == mv, "{judged:?}");
    }
}

#[test]
fn a_game_is_played_to_its_end_by_keys() {
    play_to_the_end(open("random"), |terminal, square| terminal.keys(square));
}

#[test]
fn a_game_is_played_to_its_end_by_mouse() {
    play_to_the_end(open("random"), |terminal, square| {
        let (column, row) =
            place_of(&terminal.text(), square).unwrap_or_else(|| panic!("{square}\n{}", terminal.text()));
        terminal.keys(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    });
}
