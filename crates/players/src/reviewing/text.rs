//! The values of a position as text, for the file of a reviewed game: `12 C=+4 F b C, F=-2!, A=+1`.
//!
//! First the search depth, with `!` if all values are exact and `?` if a solver gave the position up; then every move with its margin for the side to move, the best first, and
//! the moves after it as far as they are kept. A margin may be followed by a value in thousandths of the evaluation's unit (`+3/1480`)
//! or the plies to the end of the game (`+100#7`), by `!` if it is exact, and by a depth of its own (`@14`).

use super::PositionValue;
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Position};
use crate::search::{Line, MAX_DEPTH, MoveValue, Report};

/// Greatest margin that a text may have: more than that of a won game.
const MOST: u32 = 1 << 24;

/// Maximum number of moves that are kept of a line.
const KEPT: usize = 10;

impl PositionValue {
    /// Returns the values as text: lines of the best move and of those in `with_lines`, for other moves the value alone.
    pub fn to_text(&self, position: &Position, with_lines: &[Move]) -> String {
        let beyond = if self.is_beyond { "?" } else { "" };
        let mut text = format!("{}{}{beyond}", self.depth, exact(self.solved));
        for (index, line) in self.moves.iter().enumerate() {
            let kept = if index == 0 || with_lines.contains(&line.mv) { KEPT } else { 1 };
            text += if index == 0 { " " } else { ", " };
            text += &self.line_text(position, line, kept);
        }
        text
    }

    fn line_text(&self, position: &Position, line: &Line, kept: usize) -> String {
        let weighed = match line.weighed {
            Some(MoveValue::Value(value)) => format!("/{value}"),
            Some(MoveValue::Wins(plies) | MoveValue::Loses(plies)) => format!("#{plies}"),
            None => String::new(),
        };
        let depth = if line.depth == self.depth { String::new() } else { format!("@{}", line.depth) };
        let name = position.move_text(line.mv);
        let mut text = format!("{name}={:+}{weighed}{}{depth}", line.margin, exact(line.solved));
        let mut pos = position.play(line.mv);
        for &mv in line.pv.iter().take(kept).skip(1) {
            text += &format!(" {}", pos.move_text(mv));
            pos = pos.play(mv);
        }
        text
    }

    /// Returns the values that a record has of a position; `None` if it has none, or other moves than the position.
    pub fn in_record(record: &Record, node: NodeId) -> Option<PositionValue> {
        let position = record.position_at(node);
        let text = record.review(node);
        let (head, moves) = text.split_once(' ').unwrap_or((text, ""));
        let (head, is_beyond) = head.strip_suffix('?').map_or((head, false), |head| (head, true));
        let (head, solved) = without_mark(head);
        let depth = head.parse().ok()?;
        if let Some(ending) = record.ending_at(node) {
            return Some(PositionValue::ended(position, &ending));
        }
        let lines = moves.split(", ").map(|text| read_line(position, text, depth)).collect::<Option<Vec<_>>>()?;
        let mut found: Vec<Move> = lines.iter().map(|line| line.mv).collect();
        let mut legal: Vec<Move> = position.moves().into_iter().collect();
        crate::sort::sort(&mut found);
        crate::sort::sort(&mut legal);
        let report = Report { depth, nodes: 0, games: 0, solved, lines };
        let mut valued = PositionValue::found(position, report);
        valued.is_beyond = is_beyond;
        (found == legal).then_some(valued)
    }
}

fn exact(solved: bool) -> &'static str {
    if solved { "!" } else { "" }
}

fn without_mark(text: &str) -> (&str, bool) {
    text.strip_suffix('!').map_or((text, false), |text| (text, true))
}

fn read_line(position: &Position, text: &str, depth: u32) -> Option<Line> {
    let mut words = text.split(' ');
    let (name, value) = words.next()?.split_once('=')?;
    let (value, depth) = match value.split_once('@') {
        Some((value, depth)) => (value, depth.parse().ok()?),
        None => (value, depth),
    };
    let (value, solved) = without_mark(value);
    let (margin, weighed) = if let Some((margin, value)) = value.split_once('/') {
        (margin.parse().ok()?, Some(MoveValue::Value(value.parse().ok()?)))
    } else if let Some((margin, plies)) = value.split_once('#') {
        let (margin, plies): (i32, u32) = (margin.parse().ok()?, plies.parse().ok()?);
        (margin, Some(if margin > 0 { MoveValue::Wins(plies) } else { MoveValue::Loses(plies) }))
    } else {
        (value.parse().ok()?, None)
    };
    let is_possible = i32::abs_diff(margin, 0) <= MOST && depth <= MAX_DEPTH;
    let mv = position.move_from_text(name).filter(|_| is_possible)?;
    let mut pv = vec![mv];
    let mut pos = position.play(mv);
    for name in words {
        let mv = pos.move_from_text(name)?;
        pv.push(mv);
        pos = pos.play(mv);
    }
    Some(Line { mv, margin, depth, solved, pv, tried: None, weighed })
}

#[cfg(test)]
mod tests {
    use super::super::Terms;
    use super::super::tests::{TERMS, game, review};
    use super::*;
    use crate::budget::Budget;
    use crate::game::notation;
    use crate::pool::Pool;

    #[test]
    fn values_come_back_from_a_game_file() {
        // No solver knows the ending of the second.
        let games = [("kalah:6x2", 60), ("kalah:4x2:end=mover", 60), ("othello", 64), ("checkers", 30), ("oware", 12)];
        for (variant, plies) in games {
            let (mut record, nodes) = game(variant, None, plies);
            let terms = Terms { solve: u32::from(variant.contains("mover")), ..TERMS };
            let valued = review(&record, &nodes, terms, &Pool::alone(), || Budget::UNLIMITED);
            assert_eq!(valued.iter().any(|valued| valued.is_beyond), variant.contains("mover"), "{variant}");
            for (&node, valued) in nodes.iter().zip(&valued) {
                let played: Vec<Move> = record.tried(node).map(|(_, mv)| mv).collect();
                let text = valued.to_text(record.position_at(node), &played);
                record.set_review(node, text);
            }
            let again = notation::read(&notation::write(&record)).unwrap();
            for (&node, valued) in nodes.iter().zip(&valued) {
                let read = PositionValue::in_record(&again, node).unwrap();
                assert_eq!((read.south, read.chance(), read.depth), (valued.south, valued.chance(), valued.depth));
                assert_eq!((read.solved, read.is_beyond), (valued.solved, valued.is_beyond));
                for line in &valued.moves {
                    assert_eq!(read.loss(line.mv), valued.loss(line.mv), "{variant}: {}", again.review(node));
                }
                assert_eq!(read.line().first(), valued.line().first());
            }
        }
    }

    #[test]
    fn values_of_other_moves_are_none() {
        let (mut record, _) = game("kalah", None, 2);
        for text in [
            "",
            "8",
            "8 C=+1",
            "8 C=1, D=x",
            "tea",
            "8 A=1, B=1, C=1, D=1, E=1, F=1, F=1",
            "8 a=1",
            "8 A=1, B=1, C=-2147483648, D=1, E=1, F=1",
            "9999 A=1, B=1, C=1, D=1, E=1, F=1",
        ] {
            record.set_review(0, text.to_owned());
            assert!(PositionValue::in_record(&record, 0).is_none(), "{text}");
        }
        record.set_review(0, "8 A=1, B=1, C=9, D=1, E=1, F=1".to_owned());
        assert_eq!(PositionValue::in_record(&record, 0).unwrap().south, 9.0);
    }
}
