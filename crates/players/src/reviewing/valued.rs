//! The values of a position's moves, what a move gives away, and how well moves were chosen.
//!
//! Everything that is shown of a move comes from here, from the position before it: its value, the chance of winning after it, and what
//! it loses beside the best.

use super::Terms;
use crate::chances::Curve;
use crate::game::referee::Why;
use crate::game::{Ending, Move, Position, Side};
use crate::search::{self, Report};
use std::cmp::Reverse;

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
        let lost = |of: &dyn Fn(&search::Line) -> f64| (of(best) - of(own)).max(0.0);
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
