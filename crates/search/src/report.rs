//! Results of a search, for any game: shown while it runs and stored afterwards.

use crate::game::Move;
use mancalab_tables::{MoveSolver, Solver};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The last completed depth, in plies.
    pub depth: u32,
    /// Positions visited, or nodes in the tree.
    pub nodes: u64,
    /// Playouts; 0 for a search without playouts.
    pub games: u64,
    /// Whether the values are those of perfect play, so that no greater depth changes them.
    pub solved: bool,
    /// The best move first.
    pub lines: Vec<Line>,
}

impl Report {
    /// Returns the lines whose value is at most `spread` below the best, in the unit that people count in, of which `unit` is the size
    /// in margins. A known result is not given away: then the result is that of the best line.
    pub fn within(&self, spread: f64, unit: i32) -> impl Iterator<Item = &Line> {
        let is_near = move |best: &Line, line: &Line| {
            let is_value = |line: &Line| matches!(line.weighed, None | Some(MoveValue::Value(_)));
            let is_as_good = !best.solved || best.margin.signum() == line.margin.signum();
            is_value(best) && is_value(line) && is_as_good && best.value(unit) - line.value(unit) <= spread
        };
        let best = self.lines.iter().max_by_key(|line| line.rank());
        self.lines.iter().filter(move |line| best.is_some_and(|best| line.rank() == best.rank() || is_near(best, line)))
    }
}

/// One move at the root with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub mv: Move,
    /// The final margin, or the margin at the search horizon, for the side to move at the root.
    pub margin: i32,
    /// Search depth of this line in plies.
    pub depth: u32,
    /// Whether the margin is that of perfect play.
    pub solved: bool,
    /// Principal variation, as far as it is known, beginning with `mv`.
    pub pv: Vec<Move>,
    /// Visit statistics, from a Monte Carlo search.
    pub tried: Option<MoveStatistics>,
    /// Value from a search by an evaluation other than the margin, in its own unit; `margin` is the same in the game's unit,
    /// rounded. Or a win or a loss, with its distance if that is known.
    pub weighed: Option<MoveValue>,
}

impl Line {
    /// Returns the value in the unit that people count in, of which `unit` is the size in margins; of a won or lost game the margin.
    pub fn value(&self, unit: i32) -> f64 {
        match self.weighed {
            Some(MoveValue::Value(thousandths)) => thousandths as f64 / 1000.0,
            _ => f64::from(self.margin) / f64::from(unit),
        }
    }

    /// Greater is better for the side to move: the margin, then the exact value, sooner wins and later losses, and those whose distance
    /// is known before others.
    pub fn rank(&self) -> (i32, i64) {
        let within = match self.weighed {
            Some(MoveValue::Value(value)) => value,
            Some(MoveValue::Wins(plies)) => PROVEN - i64::from(plies),
            Some(MoveValue::Loses(plies)) => i64::from(plies) - PROVEN,
            Some(MoveValue::Outcome(value)) => value,
            None => 0,
        };
        (self.margin, within)
    }
}

/// More than any value of an outcome.
const PROVEN: i64 = 1 << 40;

/// Value of a move in a search by an evaluation, for the side to move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveValue {
    /// In thousandths of the evaluation's unit.
    Value(i64),
    /// Wins the game in this many plies.
    Wins(u32),
    /// Loses the game in this many plies.
    Loses(u32),
    /// Wins the game if positive, loses it if negative, in a number of plies that is not known; the greater, the sooner won or the
    /// later lost. In thousandths of the evaluation's unit.
    Outcome(i64),
}

/// Statistics of a root move in a Monte Carlo search. If `visits` is 0, the other fields have no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveStatistics {
    /// Playouts or iterations through the move.
    pub visits: u64,
    /// Mean points per visit for the mover (win 1, draw ½), in [`UNIT`](MoveStatistics::UNIT)s.
    pub mean: u32,
    /// Distance of the upper confidence bound above the mean, in the same unit.
    pub exploration: u32,
}

impl MoveStatistics {
    /// Ten-thousandths of a point.
    pub const UNIT: u32 = 10_000;
}

impl Report {
    /// Returns the amount of work and its unit: playouts if there are any, otherwise nodes.
    pub fn effort(&self) -> (u64, &'static str) {
        if self.games > 0 { (self.games, "games") } else { (self.nodes, "nodes") }
    }

    /// Returns the first move, if there is one.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }
}

/// The solved moves, best first; every move once done, if all were wanted.
impl From<&MoveSolver> for Report {
    fn from(solver: &MoveSolver) -> Report {
        let solution = solver.solver().map(Solver::solution);
        let nodes = solution.as_ref().map_or(0, |solution| solution.nodes);
        let best = solver.best();
        let best_line = solution.map(|solution| solution.line).filter(|line| line.first() == best.as_ref());
        let line = |(mv, margin): (Move, i32)| {
            let pv = best_line.clone().filter(|_| Some(mv) == best).unwrap_or_else(|| vec![mv]);
            Line { mv, margin, depth: pv.len() as u32, solved: true, pv, tried: None, weighed: None }
        };
        let mut lines: Vec<Line> = solver.margins().map(line).collect();
        crate::sort::sort_by_key(&mut lines, |line| -line.margin);
        let depth = lines.first().map_or(0, |line| line.depth);
        Report { depth, nodes, games: 0, solved: solver.is_solved(), lines }
    }
}
