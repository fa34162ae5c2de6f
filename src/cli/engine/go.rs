//! The lines `go` and `position` of UGI.

use std::time::Duration;

use mancalab_base::Error;

use super::search::Limits;
use crate::game::record::Record;
use crate::game::{Side, Variant};

/// The share of the clock for a move: as if the game had this many more.
const MOVES_LEFT: u32 = 25;

/// The share of the clock that a move never uses.
const RESERVE: u32 = 10;

/// The words that `go` accepts.
const ACCEPTED: &str = "depth N, nodes N, movetime MS, wtime, btime, winc and binc MS, infinite and solve";

/// Reads the words after `go`, for this side to move.
///
/// # Errors
/// A word is unknown or lacks its number: what is accepted.
pub(super) fn limits(text: &str, side: Side) -> Result<Limits, Error> {
    let mut limits = Limits::default();
    let (mut left, mut increment) = ([None; 2], [Duration::ZERO; 2]);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "solve" => limits.solve = true,
            "depth" => limits.depth = Some(number(word, words.next())? as u32),
            "nodes" => limits.nodes = Some(number(word, words.next())?),
            "movetime" => limits.time = Some(Duration::from_millis(number(word, words.next())?)),
            // The side that moves first is White in chess.
            "wtime" | "btime" => {
                left[usize::from(word == "btime")] = Some(Duration::from_millis(number(word, words.next())?));
            }
            "winc" | "binc" => {
                increment[usize::from(word == "binc")] = Duration::from_millis(number(word, words.next())?);
            }
            _ => return Err(format!("go: unknown word '{word}'; accepted: {ACCEPTED}").into()),
        }
    }
    if let Some(left) = left[side.index()] {
        let share = (left / MOVES_LEFT + increment[side.index()]).min(left.saturating_sub(left / RESERVE));
        limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
    }
    Ok(limits)
}

fn number(word: &str, text: Option<&str>) -> Result<u64, Error> {
    let number = text.and_then(|text| text.parse().ok()).filter(|number| *number <= u64::from(u32::MAX));
    number.ok_or_else(|| {
        format!("go: {word} must be a whole number from 0 to {} (got {})", u32::MAX, text.unwrap_or("nothing")).into()
    })
}

/// Reads the words after `position`: a position's text or `startpos`, and moves.
///
/// # Errors
/// Where the position is invalid, or which move is illegal, and what is accepted.
pub(super) fn position(text: &str, variant: Variant) -> Result<Record, Error> {
    let (start, moves) = match format!("{text} ").split_once(" moves ") {
        Some((start, moves)) => (start.to_owned(), moves.to_owned()),
        None => (text.to_owned(), String::new()),
    };
    let start = start.trim();
    let start = start.strip_prefix("fen ").unwrap_or(start).trim();
    let pos = match start {
        "" => return Err("position: startpos or a position's text is needed".to_owned().into()),
        "startpos" => variant.start(),
        text => variant.position_from_text(text).map_err(|error| format!("position: {error}"))?,
    };
    let mut record = Record::from_position(variant, pos, [String::new(), String::new()], None);
    for (number, name) in (1..).zip(moves.split_whitespace()) {
        let mv = record.position().move_from_text(name);
        if !mv.is_some_and(|mv| record.play(mv)) {
            let position = *record.position();
            let legal: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
            let legal = if record.ending().is_some() { "none, the game is over".to_owned() } else { legal.join(", ") };
            return Err(format!("position: move {number}, '{name}', is not legal; legal: {legal}").into());
        }
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let of = |text: &str| limits(text, Side::North).map_err(|error| error.to_string());
        let all = of(" depth 5 nodes 100 movetime 20 infinite solve").unwrap();
        let time = Some(Duration::from_millis(20));
        assert_eq!(all, Limits { depth: Some(5), nodes: Some(100), time, infinite: true, solve: true });
        assert_eq!(of("wtime 1 btime 5000 winc 7 binc 100").unwrap().time, Some(Duration::from_millis(300)));
        assert_eq!(of("wtime 1000").unwrap(), Limits::default());
        assert_eq!(of("btime 100 binc 5000").unwrap().time, Some(Duration::from_millis(90)));
        assert_eq!(of("depth x").unwrap_err(), "go: depth must be a whole number from 0 to 4294967295 (got x)");
        assert!(of("nodes").unwrap_err().ends_with("(got nothing)"));
        assert!(of("ponder").unwrap_err().starts_with("go: unknown word 'ponder'; accepted: depth N"));
    }

    #[test]
    fn positions_are_read_with_their_moves() {
        let of = |text: &str, game: &str| {
            let record = position(text, game.parse().unwrap()).map_err(|error| error.to_string())?;
            Ok::<_, String>((record.position().to_text(), record.ply()))
        };
        assert_eq!(of("startpos moves C F", "kalah").unwrap().1, 2);
        let text = "<6,0,4,0,5,5,5,5,4,4,4,4,4,4,1> S";
        assert_eq!(of(&format!("fen {text}"), "kalah"), Ok((text.to_owned(), 0)));
        assert_eq!(of(&format!("{text} moves"), "kalah"), Ok((text.to_owned(), 0)));
        assert!(of(&format!("{text} moves  A"), "kalah").is_err());
        assert_eq!(of("startpos moves d3 c5", "othello").unwrap().1, 2);
        assert!(of("startpos moves d3 d3", "othello").unwrap_err().contains("move 2, 'd3', is not legal; legal: c3"));
        assert!(of("", "kalah").unwrap_err().contains("startpos"));
        assert!(of("x", "kalah").unwrap_err().starts_with("position: line 1, column 1"));
    }
}
