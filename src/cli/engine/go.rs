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

/// The words that `go` knows.
const KNOWN: &str = "depth N, nodes N, movetime MS, wtime, btime, winc and binc MS, movestogo N, infinite and solve";

/// The clock of a side.
#[derive(Clone, Copy, Default)]
struct Clock {
    left: Option<Duration>,
    increment: Duration,
}

/// Reads the words after `go`, for this side to move. Unknown words and unreadable values are ignored, as UCI demands; the notes name
/// them.
pub(super) fn limits(text: &str, side: Side) -> (Limits, Vec<String>) {
    let mut limits = Limits::default();
    let mut clocks = [Clock::default(); 2];
    let mut moves_left = MOVES_LEFT;
    let mut ignored = Vec::new();
    let mut notes = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "solve" => limits.solve = true,
            "depth" | "nodes" | "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" => {
                let value = words.peek().copied();
                let Some(number) = value.and_then(|value| number(word, value)) else {
                    notes.push(format!("go: {word} must be a whole number (got {})", value.unwrap_or("nothing")));
                    continue;
                };
                words.next();
                let time = Duration::from_millis(number);
                // The side that moves first is White in chess.
                let clock = &mut clocks[usize::from(word.starts_with('b'))];
                match word {
                    "depth" => limits.depth = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                    "nodes" => limits.nodes = Some(number),
                    "movetime" => limits.time = Some(time),
                    "movestogo" => moves_left = u32::try_from(number.max(1)).unwrap_or(u32::MAX),
                    "wtime" | "btime" => clock.left = Some(time),
                    _ => clock.increment = time,
                }
            }
            _ => ignored.push(word),
        }
    }
    if !ignored.is_empty() {
        notes.push(format!("go: ignored '{}'; known: {KNOWN}", ignored.join(" ")));
    }
    let Clock { left, increment } = clocks[side.index()];
    if let Some(left) = left {
        let share = (left / moves_left + increment).min(left.saturating_sub(left / RESERVE));
        limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
    }
    (limits, notes)
}

/// Reads the value of a limit, of any size. A negative time is none left.
fn number(word: &str, text: &str) -> Option<u64> {
    let number: i128 = text.parse().ok()?;
    let is_time = word.ends_with("time") || word.ends_with("inc");
    (number >= 0 || is_time).then(|| number.clamp(0, i64::MAX.into()) as u64)
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
    play_named(&mut record, moves.split_whitespace()).map_err(|error| format!("position: {error}"))?;
    Ok(record)
}

/// Plays moves by their names.
///
/// # Errors
/// Which move is illegal, and the legal ones.
pub(in crate::cli) fn play_named<'a>(record: &mut Record, names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    for (number, name) in (1..).zip(names) {
        let mv = record.position().move_from_text(name);
        if !mv.is_some_and(|mv| record.play(mv)) {
            let position = *record.position();
            let legal: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
            let legal = if record.ending().is_some() { "none, the game is over".to_owned() } else { legal.join(", ") };
            return Err(format!("move {number}, '{name}', is not legal; legal: {legal}").into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let of = |text: &str| limits(text, Side::North).0;
        let all = of(" depth 5 nodes 100 movetime 20 infinite solve");
        let time = |ms| Some(Duration::from_millis(ms));
        assert_eq!(all, Limits { depth: Some(5), nodes: Some(100), time: time(20), infinite: true, solve: true });
        assert_eq!(of("wtime 1 btime 5000 winc 7 binc 100").time, time(300));
        assert_eq!(of("wtime 1000"), Limits::default());
        assert_eq!(of("btime 100 binc 5000").time, time(90));
        assert_eq!(of("btime 60000 movestogo 40").time, time(1500));
        assert_eq!(of("btime 1000 movestogo 0").time, time(900));
        for none_left in ["btime -50", "btime 0", "movetime -1"] {
            assert_eq!(of(none_left).time, time(0), "{none_left}");
        }
        assert_eq!(of("btime 0 binc -7").time, time(0));
        assert_eq!(of("nodes 5000000000000").nodes, Some(5_000_000_000_000));
    }

    #[test]
    fn unknown_words_and_values_are_ignored_and_named() {
        let of = |text: &str| limits(text, Side::South);
        let (found, notes) = of("ponder mate 3 searchmoves C D movetime 20");
        assert_eq!(found, Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
        assert!(
            notes.len() == 1 && notes[0].starts_with("go: ignored 'ponder mate 3 searchmoves C D'; known: depth N")
        );
        let (found, notes) = of("depth x nodes depth 4");
        assert_eq!(found, Limits { depth: Some(4), ..Limits::default() });
        assert_eq!(
            notes[..2],
            ["depth must be a whole number (got x)", "nodes must be a whole number (got depth)"]
                .map(|note| format!("go: {note}"))
        );
        assert_eq!(of("nodes").1, ["go: nodes must be a whole number (got nothing)"]);
        assert_eq!(of("depth -3").0, Limits::default());
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
