//! Estimates of a position, and beside them the exact search of the rest of the game where its end is near.

use std::cmp::Reverse;
use std::time::Duration;

use super::PatternGame;
use crate::budget::{Budget, Status};
use crate::search::selective::Selective;
use crate::search::{Analysis, Line, Report, Search, SearchHints};

/// Depth of the estimates that come before the exact search: they hold if time runs out.
pub(super) const BEFORE_SOLVING: u32 = 8;

/// Estimates go on beside the exact search for a share of the positions, 1 to this: by positions and not by time, so that a search that is
/// limited by positions finds the same on a busy machine. The exact search looks at twice as many a second (8.6 and 4.3 million), which
/// makes it three quarters of the time.
const EXACT_SHARE: u64 = 6;

/// Time of a search before the other may follow.
const SLICE: Duration = Duration::from_millis(10);

/// A search to the end of the game.
pub(super) trait Exact {
    fn step(&mut self, budget: Budget) -> Status;
    fn report(&self) -> Report;
}

impl<G: SearchHints> Exact for Search<G> {
    fn step(&mut self, budget: Budget) -> Status {
        Search::step(self, budget)
    }

    fn report(&self) -> Report {
        Search::report(self)
    }
}

impl<G: SearchHints> Exact for Analysis<G> {
    fn step(&mut self, budget: Budget) -> Status {
        Analysis::step(self, budget)
    }

    fn report(&self) -> Report {
        Analysis::report(self)
    }
}

/// See the [module](self).
pub(super) struct Ending<G: PatternGame, X> {
    /// `None` if the exact search is short.
    pub estimates: Option<Selective<G, G::Evaluator>>,
    /// `None` until it begins.
    pub exact: Option<X>,
    goal: Goal,
    is_estimated: bool,
}

/// What a search is to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// Estimates to their depth.
    Estimates,
    /// Exact values, after estimates to their depth.
    Exact,
    /// Exact values, with ever deeper estimates beside them, since time may run out first.
    Both,
}

impl<G: PatternGame, X: Exact> Ending<G, X> {
    pub fn new(estimates: Option<Selective<G, G::Evaluator>>, goal: Goal) -> Ending<G, X> {
        let is_estimated = estimates.is_none();
        Ending { estimates, exact: None, goal, is_estimated }
    }

    /// Continues the search until the budget is spent or the goal is reached; `begin` makes the exact search.
    pub fn step(&mut self, budget: Budget, begin: impl Fn() -> X) -> Status {
        loop {
            let slice = if self.goal == Goal::Both { budget.at_most(SLICE) } else { budget };
            let is_estimate = self.is_estimate_next();
            let status = match self.estimates.as_mut().filter(|_| is_estimate) {
                Some(estimates) => {
                    self.is_estimated = estimates.step(slice) == Status::Done;
                    if self.is_estimated && self.goal == Goal::Estimates { Status::Done } else { Status::Running }
                }
                None => self.exact.get_or_insert_with(&begin).step(slice),
            };
            if status == Status::Done || budget.is_spent() {
                return status;
            }
        }
    }

    fn is_estimate_next(&self) -> bool {
        let is_due = || match self.goal {
            Goal::Estimates | Goal::Exact => true,
            Goal::Both => {
                let estimated = self.estimates.as_ref().map(Selective::report).unwrap_or_default();
                let solving = self.exact.as_ref().map_or(0, |exact| exact.report().nodes);
                estimated.depth < BEFORE_SOLVING || estimated.nodes * EXACT_SHARE < solving
            }
        };
        !self.is_estimated && is_due()
    }

    /// Returns whether the values are those of perfect play.
    pub fn is_solved(&self) -> bool {
        self.exact.as_ref().is_some_and(|exact| exact.report().solved)
    }

    /// Returns the exact values once all are known, and until then the estimates with those moves that are solved. Without estimates
    /// there is no line until then: an exact search that is stopped knows little.
    pub fn report(&self) -> Report {
        let mut report = self.estimates.as_ref().map(Selective::report).unwrap_or_default();
        let Some(exact) = self.exact.as_ref().map(X::report) else { return report };
        if exact.solved {
            return exact;
        }
        report.nodes += exact.nodes;
        let solved: Vec<Line> = exact.lines.into_iter().filter(|line| line.solved).collect();
        if !solved.is_empty() {
            report.lines.retain(|estimate| solved.iter().all(|line| line.mv != estimate.mv));
            report.lines.extend(solved);
            crate::sort::sort_by_key(&mut report.lines, |line| Reverse(line.rank()));
        }
        report
    }
}
