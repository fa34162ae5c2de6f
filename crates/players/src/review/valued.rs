//! The values of a position's moves, what a move gives away, and how well moves were chosen.
//!
//! Everything that is shown of a move comes from here, from the position before it: its value, the chance of winning after it, and what
//! it loses beside the best.
//!
//! The values of a position as text, for the file of a reviewed game: `12 C=+4 F b C, F=-2!, A=+1`.
//!
//! First the search depth, with `!` if all values are exact and `?` if a solver gave the position up; then every move with its margin for the side to move, the best first, and
//! the moves after it as far as they are kept. A margin may be followed by a value in thousandths of the evaluation's unit (`+3/1480`)
//! or the plies to the end of the game (`+100#7`), by `!` if it is exact, and by a depth of its own (`@14`).

use std::cmp::Reverse;

use super::Terms;
use crate::chances::Curve;
use crate::game::record::{NodeId, Record};
use crate::game::referee::Why;
use crate::game::{Ending, Move, Position, Side};
use crate::search::{self, Line, MAX_DEPTH, MoveValue, Report};

/// The mark of a move that loses much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Mark {
    Mistake,
    Blunder,
}

impl Mark {
    /// Returns the usual symbol in annotated games.
    pub fn text(self) -> &'static str {
        match self {
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// What a move gives away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Percentage points of the chance of winning, 0 to 100: the chance after the best move less that after the move.
    pub chance: f64,
    /// The same between equal players, for whom a known result is not certain: the loss by the curve, whatever is exact.
    pub between_equals: f64,
    /// The value given away, in seeds, discs or men; 0 where the result is known and stays the same.
    pub value: f64,
    /// The result that the search finds given away.
    pub result: Option<GivenAway>,
}

/// A result that a move gives away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenAway {
    /// A won game.
    Win,
    /// A game that was not lost.
    NotLost,
}

impl Loss {
    const NONE: Loss = Loss { chance: 0.0, between_equals: 0.0, value: 0.0, result: None };

    /// Returns whether the move is as good as the best.
    pub fn is_zero(&self) -> bool {
        *self == Loss::NONE
    }

    /// Returns how well the move was chosen in percent: 100 for the best, 0 for one that gives everything away. The curve is
    /// lichess's (lichess.org/page/accuracy). A side that is lost for certain and gives away more is less accurate.
    pub fn accuracy(&self) -> f64 {
        (103.1668 * (-0.04354 * self.chance.max(self.between_equals)).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// A position's value.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionValue {
    /// The value for South after best play by both sides, at this depth, in seeds, discs or men.
    pub south: f64,
    /// Plies searched; 0 if the game is over.
    pub depth: u32,
    /// The value is exact: that of perfect play. Those of other moves than the best may be estimates.
    pub solved: bool,
    /// A solver was asked about the position and gave up.
    pub is_beyond: bool,
    /// Nodes searched.
    pub nodes: u64,
    /// Whether the game is won or lost without a margin.
    is_decided: bool,
    /// South's chance of winning, 0 to 1.
    chance: f64,
    /// The greatest chance that a move may have: that of the position if its value is exact.
    most: f64,
    curve: Curve,
    side: Side,
    /// Units of the margin in one of the value.
    unit: i32,
    /// The absolute margin of a game that is won or lost; `None` in games where margins of ended games differ.
    win: Option<i32>,
    /// Every legal move, best first, equal moves in the game's order. The first one's line is the principal variation.
    pub moves: Vec<search::Line>,
}

impl PositionValue {
    fn new(position: &Position, report: Report) -> PositionValue {
        let Report { depth, solved, nodes, lines: moves, .. } = report;
        let curve = Curve::at(position);
        let unit = position.unit();
        let win = position.decided();
        let side = position.side();
        let south = 0.0;
        let chance = 0.5;
        let most = 1.0;
        let is_decided = false;
        let is_beyond = false;
        PositionValue {
            south,
            chance,
            most,
            depth,
            solved,
            is_beyond,
            nodes,
            is_decided,
            curve,
            side,
            unit,
            win,
            moves,
        }
    }

    pub(super) fn ended(position: &Position, ending: &Ending) -> PositionValue {
        // A rule that ends a game where only winning counts makes it a draw, as in the search.
        let counts = ending.why == Why::NoMoves || position.decided().is_none();
        let margin = if counts { ending.margin(Side::South) } else { 0 };
        let valued = PositionValue::new(position, Report { solved: true, ..Report::default() });
        let south = f64::from(margin) / f64::from(valued.unit);
        let is_decided = valued.is_decisive(margin);
        PositionValue { south, chance: Curve::OVER.chance(south), is_decided, ..valued }
    }

    pub(super) fn found(position: &Position, report: Report) -> PositionValue {
        let order = position.moves();
        let mut valued = PositionValue::new(position, report);
        let exact = valued.moves.iter().filter(|line| line.solved).map(|line| valued.value_of(line)).reduce(f64::max);
        valued.most = exact.filter(|_| valued.solved).map_or(1.0, |value| Curve::OVER.chance(value));
        let mut moves = std::mem::take(&mut valued.moves);
        crate::sort::sort_by_key(&mut moves, |line| {
            // The order of chances, which are not negative, is that of their bits.
            let chance = Reverse(valued.chance_of(line).to_bits());
            (chance, Reverse(line.rank()), !line.solved, order.iter().position(|&mv| mv == line.mv))
        });
        if let Some(best) = moves.first() {
            (valued.south, valued.chance) = (valued.south_of(best), valued.south_chance_of(best));
            valued.is_decided = valued.is_decisive(best.margin);
        }
        PositionValue { moves, ..valued }
    }

    /// Returns South's chance of winning, 0 to 1.
    pub fn chance(&self) -> f64 {
        self.chance
    }

    /// Returns whether the position is won or lost in a game without margins.
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Returns the best move with its line; `None` if the game is over.
    pub fn best(&self) -> Option<&search::Line> {
        self.moves.first()
    }

    /// Returns the reliable part of the principal variation: its last moves were searched one or two plies deep and are often poor,
    /// so half of it is left out unless it is solved.
    pub fn line(&self) -> &[Move] {
        let Some(best) = self.best() else { return &[] };
        let sound = if best.solved { best.pv.len() } else { best.pv.len().div_ceil(2) };
        &best.pv[..sound]
    }

    /// Returns the line of a move.
    pub fn move_line(&self, mv: Move) -> Option<&search::Line> {
        self.moves.iter().find(|line| line.mv == mv)
    }

    /// Returns the side to move; meaningless if the game is over.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the value of a move for the side to move, in seeds, discs or men.
    pub fn value_of(&self, line: &search::Line) -> f64 {
        line.value(self.unit)
    }

    /// Returns the chance of winning after a move for the side to move, 0 to 1: certain if its value is exact.
    pub fn chance_of(&self, line: &search::Line) -> f64 {
        let is_certain = line.solved || self.is_decisive(line.margin);
        let curve = if is_certain { Curve::OVER } else { self.curve };
        curve.chance(self.value_of(line)).min(self.most)
    }

    /// Returns the value of a move for South, in seeds, discs or men.
    pub fn south_of(&self, line: &search::Line) -> f64 {
        if self.side == Side::South { self.value_of(line) } else { 0.0 - self.value_of(line) }
    }

    /// Returns South's chance of winning after a move, 0 to 1.
    pub fn south_chance_of(&self, line: &search::Line) -> f64 {
        if self.side == Side::South { self.chance_of(line) } else { 1.0 - self.chance_of(line) }
    }

    /// Returns whether this margin is a won or lost game, and not how much it is won or lost by.
    pub fn is_decisive(&self, margin: i32) -> bool {
        self.win.is_some_and(|win| margin.unsigned_abs() >= win.unsigned_abs())
    }

    /// Returns what `mv` gives away; `None` for an illegal move. Where a win or a loss is found, only a move that changes who is ahead
    /// loses: whether the search finds the end of a won game within its depth does not rate the moves that keep the lead.
    pub fn loss(&self, mv: Move) -> Option<Loss> {
        let best = self.best()?;
        let own = self.move_line(mv)?;
        let is_decided = self.is_decisive(best.margin) || self.is_decisive(own.margin);
        let is_same = is_decided && best.margin.signum() == own.margin.signum();
        if best.rank() == own.rank() || is_same {
            return Some(Loss::NONE);
        }
        let given = if self.is_decisive(best.margin) { GivenAway::Win } else { GivenAway::NotLost };
        // An estimate may be above an exact value.
        let lost = |value: &dyn Fn(&search::Line) -> f64| (value(best) - value(own)).max(0.0);
        let between_equals = 100.0 * lost(&|line| self.curve.chance(self.value_of(line)));
        Some(Loss {
            chance: 100.0 * lost(&|line| self.chance_of(line)),
            between_equals: if is_decided { 0.0 } else { between_equals },
            value: if is_decided { 0.0 } else { lost(&|line| self.value_of(line)) },
            result: is_decided.then_some(given),
        })
    }

    /// Returns the mark of `mv`.
    pub fn mark(&self, mv: Move, terms: &Terms) -> Option<Mark> {
        match self.loss(mv)?.chance {
            lost if lost >= terms.blunder.into() => Some(Mark::Blunder),
            lost if lost >= terms.mistake.into() => Some(Mark::Mistake),
            _ => None,
        }
    }
}

/// Returns how well moves were chosen in percent: the mean over those with a choice; `None` if there are none.
pub fn accuracy<'a>(moves: impl Iterator<Item = (&'a PositionValue, Move)>) -> Option<f64> {
    let chosen = moves.filter(|(valued, _)| valued.moves.len() > 1);
    let (sum, count) = chosen
        .filter_map(|(valued, mv)| valued.loss(mv))
        .fold((0.0, 0), |(sum, count), loss| (sum + loss.accuracy(), count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

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
            Some(MoveValue::Outcome(value)) => format!("~{value}"),
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
    } else if let Some((margin, value)) = value.split_once('~') {
        (margin.parse().ok()?, Some(MoveValue::Outcome(value.parse().ok()?)))
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
    fn values_of_all_kinds_come_back_from_a_game_file() {
        let (mut record, _) = game("checkers", None, 2);
        let position = *record.position_at(0);
        let values = [MoveValue::Wins(7), MoveValue::Outcome(38_250), MoveValue::Value(-310), MoveValue::Value(-320)];
        let values = [&values[..], &[MoveValue::Outcome(-36_000), MoveValue::Loses(12), MoveValue::Loses(8)]].concat();
        let line = |(mv, value): (Move, MoveValue)| {
            let margin = match value {
                MoveValue::Value(_) => -1,
                MoveValue::Wins(_) | MoveValue::Outcome(1..) => 100,
                MoveValue::Loses(_) | MoveValue::Outcome(_) => -100,
            };
            Line { mv, margin, depth: 8, solved: false, pv: vec![mv], tried: None, weighed: Some(value) }
        };
        let lines: Vec<Line> = position.moves().into_iter().zip(values.clone()).map(line).collect();
        assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.rank())), "the best first");
        let found = PositionValue::found(&position, Report { depth: 8, lines, ..Report::default() });
        record.set_review(0, found.to_text(&position, &[]));
        let read = PositionValue::in_record(&record, 0).unwrap();
        assert_eq!(read.moves.iter().map(|line| line.weighed.unwrap()).collect::<Vec<_>>(), values);
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
