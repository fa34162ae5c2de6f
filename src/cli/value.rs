//! The value of a move for the side to move, as engines and analyses write it.

use std::cmp::Reverse;

use crate::game::{Move, Position};
use crate::search::{Line, MoveStatistics, MoveValue, Report};

/// A value in its own unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    /// Seeds or discs: the final margin, or the margin at the search's horizon. In checkers half men.
    Margin(i32),
    /// Thousandths of the unit of an evaluation.
    Evaluation(i64),
    /// A won game, in this many plies if that is known.
    Win(Option<u32>),
    Loss(Option<u32>),
    /// Points in simulated games, in ten-thousandths.
    Points(u32),
}

impl Value {
    /// The value of a move at `position`.
    pub fn from_line(line: &Line, position: &Position) -> Value {
        let win = position.decided();
        match (line.weighed, line.tried) {
            (Some(MoveValue::Value(value)), _) => Value::Evaluation(value),
            (Some(MoveValue::Wins(plies)), _) => Value::Win(Some(plies)),
            (Some(MoveValue::Loses(plies)), _) => Value::Loss(Some(plies)),
            (None, Some(MoveStatistics { mean, .. })) => Value::Points(mean),
            (Some(MoveValue::Outcome(value)), _) => {
                if value > 0 {
                    Value::Win(None)
                } else {
                    Value::Loss(None)
                }
            }
            (None, None) if win.is_some_and(|win| line.margin >= win) => Value::Win(None),
            (None, None) if win.is_some_and(|win| line.margin <= -win) => Value::Loss(None),
            (None, None) => Value::Margin(line.margin),
        }
    }

    /// The words after `score` in UGI.
    pub fn score(self) -> String {
        let plies = |plies: Option<u32>| plies.map_or(String::new(), |plies| format!(" {plies}"));
        match self {
            Value::Margin(margin) => format!("margin {margin}"),
            Value::Evaluation(thousandths) => format!("cp {}", thousandths / 10),
            Value::Win(known) => format!("win{}", plies(known)),
            Value::Loss(known) => format!("loss{}", plies(known)),
            Value::Points(points) => {
                format!("percent {:.1}", f64::from(points) / f64::from(MoveStatistics::UNIT) * 100.0)
            }
        }
    }

    /// The value for users.
    pub fn text(self) -> String {
        match self {
            Value::Margin(margin) => format!("{margin:+}"),
            Value::Evaluation(thousandths) => format!("{:+.2}", thousandths as f64 / 1000.0),
            Value::Win(_) => "win".to_owned(),
            Value::Loss(_) => "loss".to_owned(),
            Value::Points(points) => format!("{:.1} %", f64::from(points) / f64::from(MoveStatistics::UNIT) * 100.0),
        }
    }

    /// The margin or the evaluation in seeds, discs or men, of which `unit` is the size in margins; `None` for another value.
    pub fn number(self, unit: i32) -> Option<f64> {
        match self {
            Value::Margin(margin) => Some(f64::from(margin) / f64::from(unit)),
            Value::Evaluation(thousandths) => Some(thousandths as f64 / 1000.0),
            Value::Win(_) | Value::Loss(_) | Value::Points(_) => None,
        }
    }

    /// Plies to the end of a decided game, if they are known.
    pub fn plies(self) -> Option<u32> {
        if let Value::Win(plies) | Value::Loss(plies) = self { plies } else { None }
    }

    /// The margin; `None` for another unit.
    pub fn margin(self) -> Option<i32> {
        if let Value::Margin(margin) = self { Some(margin) } else { None }
    }

    /// `win` or `loss` of a decided game.
    pub fn outcome(self) -> Option<&'static str> {
        match self {
            Value::Win(_) => Some("win"),
            Value::Loss(_) => Some("loss"),
            _ => None,
        }
    }
}

/// Sorts the lines of an analysis: the best first, equal moves in the game's order, so that the first is the move of a player
/// that takes the first of equally good ones.
pub(super) fn sort(report: &mut Report, position: &Position) {
    let order = position.moves();
    crate::sort::sort_by_key(&mut report.lines, |line| {
        (Reverse(line.rank()), order.iter().position(|&mv| mv == line.mv))
    });
}

/// The names of moves played from `position`.
pub(super) fn names(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut pos = *position;
    let mut names = Vec::with_capacity(moves.len());
    for &mv in moves {
        names.push(pos.move_text(mv));
        pos = pos.play(mv);
    }
    names
}
