//! Review of a game as a job, for any game: alpha-beta values every position and rates the moves that were played.
//!
//! Every position is an analysis of its own with its own table: its result follows from the position and the depth alone (and from the
//! endgame table of Oware, Awari or checkers, if there is one), whatever was valued before and by how many threads, so a review can be stopped, resumed and extended. This costs little, since table
//! entries hold for one depth, and the next position of a game is searched one ply deeper.

#[cfg(test)]
mod tests;
mod text;

use super::analysing::{Analysing, Question};
use super::chances::Curve;
use super::perfect::is_solvable;
use crate::budget::{Budget, Job, Status};
use crate::game::record::{Before, NodeId, Record};
use crate::game::referee::Why;
use crate::game::{Ending, Move, Position, Side};
use crate::pool::Pool;
use crate::search::{self, Report};
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The depth of a review, and the thresholds for mistakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Plies to search.
    pub depth: u32,
    /// Solve every position, in games that have a solver.
    pub perfect: bool,
    /// Positions with at most this many empty squares are solved, in games that fill one with every move.
    pub solve: u32,
    /// A move that loses at least this much of the chance of winning is a mistake, in percentage points.
    pub mistake: u32,
    /// The threshold for a blunder, at least that for a mistake.
    pub blunder: u32,
    /// Memory of each position's table, in megabytes.
    pub mb: usize,
}

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
    /// Percentage points of the chance of winning, 0 to 100.
    pub chance: f64,
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
    const NONE: Loss = Loss { chance: 0.0, value: 0.0, result: None };

    /// Returns whether the move is as good as the best.
    pub fn is_zero(&self) -> bool {
        *self == Loss::NONE
    }

    /// Returns how well the move was chosen in percent: 100 for the best, 0 for one that gives everything away. The curve is
    /// lichess's (lichess.org/page/accuracy).
    pub fn accuracy(&self) -> f64 {
        (103.1668 * (-0.04354 * self.chance).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// A position to evaluate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    position: Position,
    before: Before,
    ending: Option<Ending>,
}

impl Asked {
    pub fn of(record: &Record, node: NodeId) -> Asked {
        let position = *record.position_at(node);
        Asked { position, before: record.before_at(node), ending: record.ending_at(node) }
    }
}

/// A position's value.
#[derive(Clone, PartialEq, Debug)]
pub struct Valued {
    /// The value for South after best play by both sides, at this depth, in seeds, discs or men.
    pub south: f64,
    /// Plies searched; 0 if the game is over.
    pub depth: u32,
    /// The value is exact: that of perfect play.
    pub solved: bool,
    /// Nodes searched.
    pub nodes: u64,
    /// Whether the game is won or lost without a margin.
    is_decided: bool,
    curve: Curve,
    side: Side,
    /// Units of the margin in one of the value.
    unit: i32,
    /// The absolute margin of a game that is won or lost; `None` in games where margins of ended games differ.
    win: Option<i32>,
    /// Every legal move, best first, equal moves in the game's order. The first one's line is the principal variation.
    pub moves: Vec<search::Line>,
}

impl Valued {
    fn new(position: &Position, report: Report) -> Valued {
        let Report { depth, solved, nodes, lines: moves, .. } = report;
        let (curve, unit, win, side) = (Curve::at(position), position.unit(), position.decided(), position.side());
        Valued { south: 0.0, depth, solved, nodes, is_decided: false, curve, side, unit, win, moves }
    }

    fn ended(position: &Position, ending: &Ending) -> Valued {
        // A rule that ends a game where only winning counts makes it a draw, as in the search.
        let counts = ending.why == Why::NoMoves || position.decided().is_none();
        let south = if counts { ending.margin(Side::South) } else { 0 };
        let valued = Valued::new(position, Report { solved: true, ..Report::default() });
        let is_decided = valued.is_decisive(south);
        Valued { south: f64::from(south) / f64::from(valued.unit), is_decided, curve: Curve::OVER, ..valued }
    }

    fn found(position: &Position, mut report: Report) -> Valued {
        let order = position.moves();
        crate::sort::sort_by_key(&mut report.lines, |line| {
            (Reverse(line.rank()), order.iter().position(|&mv| mv == line.mv))
        });
        let valued = Valued::new(position, report);
        let Some(best) = valued.moves.first() else { return valued };
        let (value, is_decided) = (best.value(valued.unit), valued.is_decisive(best.margin));
        Valued { south: if valued.side == Side::South { value } else { -value }, is_decided, ..valued }
    }

    /// Returns South's chance of winning, 0 to 1.
    pub fn chance(&self) -> f64 {
        if self.is_decided { Curve::OVER.chance(self.south) } else { self.curve.chance(self.south) }
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
    pub fn of(&self, mv: Move) -> Option<&search::Line> {
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

    /// Returns the chance of winning after a move for the side to move, 0 to 1.
    pub fn chance_of(&self, line: &search::Line) -> f64 {
        let curve = if self.is_decisive(line.margin) { Curve::OVER } else { self.curve };
        curve.chance(self.value_of(line))
    }

    /// Returns whether this margin is a won or lost game, and not how much it is won or lost by.
    pub fn is_decisive(&self, margin: i32) -> bool {
        self.win.is_some_and(|win| margin.unsigned_abs() >= win.unsigned_abs())
    }

    /// Returns what `mv` gives away; `None` for an illegal move. Where a win or a loss is found, only a move that changes who is ahead
    /// loses: whether the search finds the end of a won game within its depth does not rate the moves that keep the lead.
    pub fn loss(&self, mv: Move) -> Option<Loss> {
        let (best, own) = (self.best()?, self.of(mv)?);
        let is_decided = self.is_decisive(best.margin) || self.is_decisive(own.margin);
        if best.rank() == own.rank() || is_decided && best.margin.signum() == own.margin.signum() {
            return Some(Loss::NONE);
        }
        let given = if self.is_decisive(best.margin) { GivenAway::Win } else { GivenAway::NotLost };
        Some(Loss {
            chance: 100.0 * (self.chance_of(best) - self.chance_of(own)),
            value: if is_decided { 0.0 } else { self.value_of(best) - self.value_of(own) },
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
pub fn accuracy<'a>(moves: impl Iterator<Item = (&'a Valued, Move)>) -> Option<f64> {
    let chosen = moves.filter(|(valued, _)| valued.moves.len() > 1);
    let (sum, count) = chosen
        .filter_map(|(valued, mv)| valued.loss(mv))
        .fold((0.0, 0), |(sum, count), loss| (sum + loss.accuracy(), count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// A review in progress: positions evaluated in the order given.
pub struct Reviewing {
    asked: Vec<Asked>,
    terms: Terms,
    pool: Pool,
    workers: Vec<WorkerState>,
    /// The first position not started yet.
    next: AtomicUsize,
    found: Vec<Option<Arc<Valued>>>,
    busy: Duration,
}

/// A worker's position in progress, and those it finished in this step.
#[derive(Default)]
struct WorkerState {
    at: Option<(usize, Analysing)>,
    /// The last position finished, whose solver has a table for the next.
    last: Option<Analysing>,
    found: Vec<(usize, Valued)>,
}

/// A snapshot of a review.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reviewed {
    /// A value for each position, once it is known.
    pub found: Vec<Option<Arc<Valued>>>,
    /// Time spent on it.
    pub busy: Duration,
}

impl Reviewed {
    /// Returns the number of positions evaluated.
    pub fn done(&self) -> usize {
        self.found.iter().flatten().count()
    }

    /// Returns the estimated time left, from the mean time per position; `None` before the first result.
    pub fn left(&self) -> Option<Duration> {
        let done = u32::try_from(self.done()).ok().filter(|done| *done > 0)?;
        let rest = u32::try_from(self.found.len()).unwrap_or(u32::MAX) - done;
        Some(self.busy / done * rest)
    }

    /// Returns nodes per second; `None` before the first result.
    pub fn speed(&self) -> Option<u64> {
        let nodes: u64 = self.found.iter().flatten().map(|valued| valued.nodes).sum();
        (nodes > 0 && !self.busy.is_zero()).then(|| (nodes as f64 / self.busy.as_secs_f64()) as u64)
    }
}

impl Reviewing {
    pub fn new(asked: Vec<Asked>, terms: Terms, pool: &Pool) -> Reviewing {
        let found = vec![None; asked.len()];
        let (pool, next) = (pool.clone(), AtomicUsize::new(0));
        Reviewing { asked, terms, pool, workers: Vec::new(), next, found, busy: Duration::ZERO }
    }

    fn is_done(&self) -> bool {
        self.found.iter().all(Option::is_some)
    }
}

impl Terms {
    fn question(&self, position: &Position) -> Question {
        if self.perfect && is_solvable(position) {
            return Question::Perfect;
        }
        let end = position.plies_left().filter(|plies| *plies <= 2 * self.solve).unwrap_or(0);
        Question::AlphaBeta { depth: self.depth.max(end), mb: self.mb, solve: false }
    }
}

impl WorkerState {
    /// Evaluates positions until the budget is spent or none is left.
    fn step(&mut self, asked: &[Asked], terms: &Terms, next: &AtomicUsize, budget: Budget) {
        loop {
            let (index, mut analysis) = match self.at.take() {
                Some(at) => at,
                None => {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    // A solver meets later positions again on its way from earlier ones.
                    let index = if terms.perfect { asked.len().wrapping_sub(index + 1) } else { index };
                    let Some(Asked { position, before, ending }) = asked.get(index) else { return };
                    if let Some(ending) = ending {
                        self.found.push((index, Valued::ended(position, ending)));
                        continue;
                    }
                    (
                        index,
                        Analysing::after(self.last.take(), *position, before, terms.question(position), &Pool::alone()),
                    )
                }
            };
            match analysis.step(budget) {
                Status::Done => {
                    self.found.push((index, Valued::found(&asked[index].position, analysis.view().report)));
                    self.last = Some(analysis);
                }
                Status::Running => self.at = Some((index, analysis)),
            }
            if budget.is_spent() {
                return;
            }
        }
    }
}

impl Job for Reviewing {
    type View = Reviewed;

    fn step(&mut self, budget: Budget) -> Status {
        let _turn = self.pool.turn();
        let (started, budget) = (Instant::now(), budget.afresh());
        self.workers.resize_with(self.pool.count(), WorkerState::default);
        let (asked, terms, next) = (&self.asked, &self.terms, &self.next);
        self.pool.map_each(&mut self.workers, |worker| worker.step(asked, terms, next, budget));
        for (index, valued) in self.workers.iter_mut().flat_map(|worker| worker.found.drain(..)) {
            self.found[index] = Some(Arc::new(valued));
        }
        self.busy += started.elapsed();
        if self.is_done() { Status::Done } else { Status::Running }
    }

    fn view(&self) -> Reviewed {
        Reviewed { found: self.found.clone(), busy: self.busy }
    }
}
