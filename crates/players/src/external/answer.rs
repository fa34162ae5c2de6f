//! What a program reports of its search, for display.

use crate::game::Position;
use crate::search::{Line, MoveValue, Report};

/// Reads a line about a search in `position`, of UGI, UCI or NBoard, into the report.
pub(super) fn read(line: &str, position: &Position, report: &mut Report) {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("info") => read_info(words, position, report),
        Some("nodestats") => report.nodes = words.next().and_then(|count| count.parse().ok()).unwrap_or(report.nodes),
        Some("search" | "book") => {
            let mut next = || words.next().unwrap_or_default();
            let pv = next();
            let value = next();
            let value = value.split(',').next().and_then(|value| value.parse::<f64>().ok());
            next();
            let depth = next().split(|c: char| !c.is_ascii_digit()).next().and_then(|depth| depth.parse().ok());
            if let Some(value) = value {
                let moves = pv.as_bytes().chunks(2).filter_map(|chars| std::str::from_utf8(chars).ok());
                let value = Score::weighed(MoveValue::Value((value * 1000.0) as i64));
                set(report, position, depth.unwrap_or(0), value, moves);
            }
        }
        _ => {}
    }
}

/// A value, as a [`Line`] holds it.
#[derive(Clone, Copy)]
struct Score {
    margin: i32,
    weighed: Option<MoveValue>,
}

impl Score {
    fn weighed(weighed: MoveValue) -> Score {
        let margin = if let MoveValue::Value(thousandths) = weighed { (thousandths / 1000) as i32 } else { 0 };
        Score { margin, weighed: Some(weighed) }
    }
}

/// Reads the rest of an `info` line.
fn read_info<'a>(words: impl Iterator<Item = &'a str>, position: &Position, report: &mut Report) {
    let mut depth = report.depth;
    let mut value = None;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next().and_then(|depth| depth.parse().ok()).unwrap_or(depth),
            "nodes" => report.nodes = words.next().and_then(|count| count.parse().ok()).unwrap_or(report.nodes),
            "multipv" if words.next() != Some("1") => return,
            "score" => {
                let unit = words.next().unwrap_or_default();
                let number = words.next_if(|word| word.parse::<f64>().is_ok()).and_then(|word| word.parse().ok());
                value = score(unit, number, position);
            }
            "pv" => {
                if let Some(value) = value {
                    set(report, position, depth, value, words);
                }
                return;
            }
            "string" => return,
            _ => {}
        }
    }
}

/// Returns a score: `margin N`, `cp HUNDREDTHS`, `mate MOVES`, or our own `win` and `loss`, perhaps with plies.
fn score(unit: &str, number: Option<f64>, position: &Position) -> Option<Score> {
    // A mate in one move is one ply away, one in two moves three.
    let plies = |moves: f64| (2.0 * moves - 1.0) as u32;
    Some(match (unit, number) {
        ("margin", Some(margin)) => Score { margin: margin as i32, weighed: None },
        ("cp", Some(hundredths)) => Score::weighed(MoveValue::Value((hundredths * 10.0) as i64)),
        ("mate", Some(moves)) if moves > 0.0 => Score::weighed(MoveValue::Wins(plies(moves))),
        ("mate", Some(moves)) => Score::weighed(MoveValue::Loses(plies(-moves))),
        ("win", Some(plies)) => Score::weighed(MoveValue::Wins(plies as u32)),
        ("loss", Some(plies)) => Score::weighed(MoveValue::Loses(plies as u32)),
        ("win", None) => Score { margin: position.decided()?, weighed: None },
        ("loss", None) => Score { margin: -position.decided()?, weighed: None },
        _ => return None,
    })
}

/// Sets the report's line to these moves, as far as they are legal.
fn set<'a>(report: &mut Report, position: &Position, depth: u32, value: Score, moves: impl Iterator<Item = &'a str>) {
    let mut pos = *position;
    let legal = moves.map_while(|text| {
        let mv = pos.move_from_text(text)?;
        pos = pos.play(mv);
        Some(mv)
    });
    let pv: Vec<_> = legal.collect();
    let Some(&mv) = pv.first() else { return };
    let Score { margin, weighed } = value;
    report.depth = depth;
    report.lines = vec![Line { mv, margin, depth, solved: false, pv, tried: None, weighed }];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn lines_of_all_protocols_are_read() {
        let start = "othello".parse::<Variant>().unwrap().start();
        let mut report = Report::default();
        let mut read = |line: &str| {
            read(line, &start, &mut report);
            let line = report.lines.first().map(|line| (line.pv.len(), line.margin, line.weighed));
            (report.depth, report.nodes, line)
        };
        assert_eq!(read("info depth 3 nodes 7 nps 9"), (0, 7, None));
        let two = Some((2, 0, Some(MoveValue::Value(-120))));
        assert_eq!(read("info depth 3 score cp -12 nodes 8 pv d3 c5 zz"), (3, 8, two));
        assert_eq!(read("info depth 4 multipv 2 score cp 9 pv c4"), (3, 8, two));
        assert_eq!(read("info depth 4 score margin 2 solved pv c4"), (4, 8, Some((1, 2, None))));
        assert_eq!(read("info depth 4 score mate -2 pv c4"), (4, 8, Some((1, 0, Some(MoveValue::Loses(3))))));
        assert_eq!(read("info depth 4 score win nodes 9 pv c4").1, 9);
        let searched = Some((2, 0, Some(MoveValue::Value(-810))));
        assert_eq!(read("search F5d6 -0.81 0   5@73%"), (5, 9, searched));
        assert_eq!(read("nodestats 35805 0.00"), (5, 35805, searched));
        assert_eq!(read("search"), (5, 35805, searched));
    }
}
