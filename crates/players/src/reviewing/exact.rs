//! Exact values of a game of Kalah, from its last position to its first.
//!
//! The solver meets later positions again on its way from earlier ones, so it goes back with one table. A position's value comes first;
//! that of the move to the next position follows from the next one's. Those of other moves are found where that takes few nodes:
//! bad moves take far more than the position's value.

use super::{Effort, PositionRequest};
use crate::budget::{Budget, Status};
use crate::game::kalah::Kalah;
use crate::game::{Game as _, Move, Position};
use crate::perfect::TABLE_MB;
use crate::search::{Line, Report};
use crate::tables::{MoveSolver, Solver};
use std::time::Duration;

/// Nodes that a position's value may take; and with its other moves.
const NODES: u64 = 1 << 24;
const WITH_MOVES: u64 = NODES / 32;
/// Nodes of a quick answer, and seeds in the pits from which on a position's value usually takes no more.
const QUICK: u64 = NODES / 8;
const QUICK_SEEDS: i32 = 28;

/// Solutions in progress.
pub(super) struct Exact {
    /// The positions to solve, the next one last.
    left: Vec<usize>,
    effort: Effort,
    current: Option<(usize, MoveSolver)>,
    /// The solver of the last position, whose table the next one uses.
    before: Option<MoveSolver>,
    /// A position took too many nodes: those before it are harder, and only what is known without a search is taken of them.
    has_given_up: bool,
    /// The last position with its margin for the side to move, if it is known.
    last: Option<(Kalah, i32)>,
    found: Vec<(usize, Report)>,
}

impl Exact {
    pub fn new(left: Vec<usize>, effort: Effort) -> Exact {
        Exact { left, effort, current: None, before: None, has_given_up: false, last: None, found: Vec::new() }
    }

    /// Returns the positions that were finished since the last call: with the value and all moves, the value and some, or nothing.
    pub fn take_found(&mut self) -> Vec<(usize, Report)> {
        std::mem::take(&mut self.found)
    }

    /// Solves positions until the budget is spent or none is left.
    pub fn step(&mut self, asked: &[PositionRequest], budget: Budget) -> Status {
        loop {
            let (index, mut solver) = match self.current.take() {
                Some(at) => at,
                None => {
                    let Some(index) = self.left.pop() else { return Status::Done };
                    if self.before.is_none() {
                        self.before = self.largest(index, asked);
                    }
                    let Some(solver) = self.begin(&asked[index].position) else {
                        self.found.push((index, Report::default()));
                        continue;
                    };
                    (index, solver)
                }
            };
            if self.solve(&asked[index].position, &mut solver, budget) == Status::Running {
                self.current = Some((index, solver));
                return Status::Running;
            }
            self.finish(index, &asked[index].position, &solver);
            self.before = Some(solver);
            if budget.is_spent() && !self.left.is_empty() {
                return Status::Running;
            }
        }
    }

    /// A solver of the first position that needs one: its tables serve all that follow, which have fewer seeds.
    fn largest(&self, next: usize, asked: &[PositionRequest]) -> Option<MoveSolver> {
        let solver = |&index: &usize| match &asked[index].position {
            Position::Kalah(pos) => MoveSolver::new(pos, true, TABLE_MB, None).ok(),
            _ => None,
        };
        self.left.iter().chain([&next]).filter_map(solver).find(|solver| solver.solver().is_some())
    }

    /// `None` if the position is beyond the solver.
    fn begin(&mut self, position: &Position) -> Option<MoveSolver> {
        let Position::Kalah(pos) = position else { return None };
        Solver::check(pos).ok()?;
        let solver = MoveSolver::new(pos, true, TABLE_MB, self.before.take()).ok()?;
        if self.has_given_up && !solver.is_solved() {
            self.before = Some(solver);
            return None;
        }
        Some(solver)
    }

    fn solve(&self, position: &Position, solver: &mut MoveSolver, budget: Budget) -> Status {
        loop {
            // One slice at a time: the nodes at which it ends do not depend on its speed.
            if solver.step(Budget::time(Duration::ZERO)) == Status::Done {
                return Status::Done;
            }
            let nodes = solver.solver().map_or(0, |solver| solver.solution().nodes);
            let is_valued = value_line(solver).is_some_and(|line| ends_game(*position, &line.pv));
            let most = match self.effort {
                Effort::Unlimited => u64::MAX,
                Effort::Usual if !is_valued => NODES,
                Effort::Quick if !is_valued => QUICK,
                _ => WITH_MOVES,
            };
            if nodes >= most {
                return Status::Done;
            }
            if budget.is_spent() {
                return Status::Running;
            }
        }
    }

    fn finish(&mut self, index: usize, position: &Position, solver: &MoveSolver) {
        let mut report = Report::from(solver);
        let best = value_line(solver).or_else(|| report.lines.first().filter(|_| report.solved).cloned());
        if let (Position::Kalah(pos), Some(best)) = (position, &best) {
            report.solved = true;
            let known: Vec<Line> = pos
                .moves()
                .filter_map(|mv| Some(line(vec![mv], self.margin(pos, mv)?)))
                .chain([best.clone()])
                .collect();
            for line in known {
                match report.lines.iter_mut().find(|found| found.mv == line.mv) {
                    Some(found) if found.pv.len() < line.pv.len() => *found = line,
                    Some(_) => {}
                    None => report.lines.push(line),
                }
            }
            report.depth = best.depth;
            self.last = Some((*pos, best.margin));
        } else {
            self.has_given_up = true;
            (report, self.last) = (Report { nodes: report.nodes, ..Report::default() }, None);
        }
        self.found.push((index, report));
    }

    /// The margin of a move to the last position, or to the end of the game.
    fn margin(&self, pos: &Kalah, mv: Move) -> Option<i32> {
        let child = pos.play(mv);
        if child.is_over() {
            return Some(child.margin(pos.side()));
        }
        let (last, margin) = self.last.filter(|(last, _)| *last == child)?;
        Some(if last.side() == pos.side() { margin } else { -margin })
    }
}

/// Whether the position is a start with known values, or has few enough seeds to be solved while a person thinks.
pub(super) fn is_quick(pos: &Kalah) -> bool {
    pos.reach() <= QUICK_SEEDS || MoveSolver::is_in_book(pos)
}

fn ends_game(mut position: Position, moves: &[Move]) -> bool {
    for &mv in moves {
        position = position.play(mv);
    }
    position.is_over()
}

/// The best line of a position whose value is known, as far as it is known.
fn value_line(solver: &MoveSolver) -> Option<Line> {
    let solution = solver.solver()?.solution();
    let (least, most) = solution.margins;
    (least == most && !solution.line.is_empty()).then(|| line(solution.line, least))
}

fn line(pv: Vec<Move>, margin: i32) -> Line {
    Line { mv: pv[0], margin, depth: pv.len() as u32, solved: true, pv, tried: None, weighed: None }
}

/// The estimates of a search with exact values in their places. No estimate is above the exact value of the position.
pub(super) fn merged(exact: &Report, mut estimates: Report) -> Report {
    estimates.nodes += exact.nodes;
    let Some(value) = exact.lines.iter().map(|line| line.margin).max().filter(|_| exact.solved) else {
        return estimates;
    };
    for line in &mut estimates.lines {
        match exact.lines.iter().find(|known| known.mv == line.mv) {
            Some(known) => *line = known.clone(),
            None => line.margin = line.margin.min(value),
        }
    }
    Report { solved: true, ..estimates }
}
