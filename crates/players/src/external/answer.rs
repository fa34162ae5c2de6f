//! What a program reports of its search, for display.

use crate::game::Position;
use crate::search::{Line, Report, Weighed};

/// Reads a line about a search in `position`, of UGI, UCI or NBoard, into the report.
pub(super) fn read(line: &str, position: &Position, report: &mut Report) {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("info") => read_info(words, position, report),
        Some("nodestats") => report.nodes = words.next().and_then(|count| count.parse().ok()).unwrap_or(report.nodes),
        Some("search" | "book") => {
            let mut next = || words.next().unwrap_or_default();
            let (pv, value) = (next(), next());
            let value = value.split(',').next().and_then(|value| value.parse::<f64>().ok());
            next();
            let depth = next().split(|c: char| !c.is_ascii_digit()).next().and_then(|depth| depth.parse().ok());
            if let Some(value) = value {
                let moves = pv.as_bytes().chunks(2).filter_map(|chars| std::str::from_utf8(chars).ok());
                set(report, position, depth.unwrap_or(0), Weighed::Value((value * 1000.0) as i64), moves);
            }
        }
        _ => {}
    }
}

/// Reads the rest of an `info` line.
fn read_info<'a>(mut words: impl Iterator<Item = &'a str>, position: &Position, report: &mut Report) {
    let (mut depth, mut value) = (report.depth, None);
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next().and_then(|depth| depth.parse().ok()).unwrap_or(depth),
            "nodes" => report.nodes = words.next().and_then(|count| count.parse().ok()).unwrap_or(report.nodes),
            "multipv" if words.next() != Some("1") => return,
            "score" => value = score(&mut words),
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

/// Reads a score: `margin N`, `cp HUNDREDTHS`, `mate PLIES`, or our own `win PLIES` and `loss PLIES`.
fn score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Weighed> {
    let (unit, number) = (words.next()?, words.next()?);
    let number: f64 = number.parse().ok()?;
    Some(match unit {
        "margin" => Weighed::Value((number * 1000.0) as i64),
        "cp" => Weighed::Value((number * 10.0) as i64),
        "mate" if number > 0.0 => Weighed::Wins(number as u32),
        "mate" => Weighed::Loses(-number as u32),
        "win" => Weighed::Wins(number as u32),
        "loss" => Weighed::Loses(number as u32),
        _ => return None,
    })
}

/// Sets the report's line to these moves, as far as they are legal.
fn set<'a>(report: &mut Report, position: &Position, depth: u32, value: Weighed, moves: impl Iterator<Item = &'a str>) {
    let (mut pv, mut pos) = (Vec::new(), *position);
    for mv in moves.map_while(|text| {
        let mv = pos.move_from_text(text)?;
        pos = pos.play(mv);
        Some(mv)
    }) {
        pv.push(mv);
    }
    let Some(&mv) = pv.first() else { return };
    let margin = if let Weighed::Value(value) = value { (value / 1000) as i32 } else { 0 };
    report.depth = depth;
    report.lines = vec![Line { mv, margin, depth, solved: false, pv, tried: None, weighed: Some(value) }];
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
            let line = report.lines.first().map(|line| (line.pv.len(), line.weighed.unwrap()));
            (report.depth, report.nodes, line)
        };
        assert_eq!(read("info depth 3 nodes 7 nps 9"), (0, 7, None));
        assert_eq!(read("info depth 3 score cp -12 nodes 8 pv d3 c5 zz"), (3, 8, Some((2, Weighed::Value(-120)))));
        assert_eq!(read("info depth 4 multipv 2 score cp 9 pv c4"), (3, 8, Some((2, Weighed::Value(-120)))));
        assert_eq!(read("info depth 4 score margin 2 pv c4"), (4, 8, Some((1, Weighed::Value(2000)))));
        assert_eq!(read("info depth 4 score mate -3 pv c4"), (4, 8, Some((1, Weighed::Loses(3)))));
        assert_eq!(read("search F5d6 -0.81 0   5@73%"), (5, 8, Some((2, Weighed::Value(-810)))));
        assert_eq!(read("nodestats 35805 0.00"), (5, 35805, Some((2, Weighed::Value(-810)))));
        assert_eq!(read("search"), (5, 35805, Some((2, Weighed::Value(-810)))));
    }
}
