//! Estimates of a position, and beside them the exact search of the rest of the game where its end is near.

use std::cmp::Reverse;
use std::time::Duration;

use super::LearnedGame;
use crate::budget::{Budget, Status};
use crate::search::selective::Selective;
use crate::search::{Analysis, Line, Report, Search, SearchHints};

/// Depth of the estimates that come before the exact search: they hold if time runs out.
pub(crate) const BEFORE_SOLVING: u32 = 8;

/// Estimates have a share of the positions, 1 to this: of the forecast of the exact search before it begins, and of what it has visited
/// after. By positions and not by time, so that a search finds the same on a busy machine. In an analysis of all moves the exact search looks
/// at twice as many a second (8.6 and 4.3 million), which makes it three quarters of the time; for one move it is three fifths.
const EXACT_SHARE: f64 = 6.0;

/// The same within a limit, where estimates end when the exact search begins: a sixth of its time, in case the forecast is too low.
const FIRST_SHARE: f64 = 24.0;

/// Time of a search before the other may follow.
const SLICE: Duration = Duration::from_millis(10);

/// The same within a limit, where the exact search begins as soon as what is left seems to suffice.
const SHORT_SLICE: Duration = Duration::from_millis(1);

/// Positions of the exact search in the time of one of the estimates: 5.5 with 16 empty squares, 4.0 with 20.
const EXACT_SPEED: f64 = 4.0;

/// One forecast of six is too low by more than this factor.
const CAUTION: f64 = 1.9;

/// A search by two plies visits fewer positions to [`BEFORE_SOLVING`] than one by single plies: the mean of the logarithm over 60 positions
/// with 12 to 15 empty squares.
const BY_TWO_PLIES: f64 = 0.43;

/// Returns the number of positions that an exact search visits, as a forecast from the empty squares and the positions that estimates by
/// single plies to [`BEFORE_SOLVING`] took. The logarithm is fitted to 222 positions of games between searches of five plies after eight random moves, with 12
/// to 20 empty squares; its standard deviation there is 0.63.
fn forecast(empty: u32, estimated: f64) -> f64 {
    (-4.146 + 0.649 * f64::from(empty) + 0.744 * estimated.max(1.0).ln()).exp()
}

/// A search to the end of the game.
pub(crate) trait Exact {
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
pub(crate) struct EndgameSearch<G: LearnedGame, X> {
    /// `None` if the exact search is short.
    pub estimates: Option<Selective<G, G::Evaluator>>,
    /// `None` until it begins.
    pub exact: Option<X>,
    goal: Goal,
    is_estimated: bool,
    /// Positions of the exact search that remain within the limit, if the goal is [`Limited`](Goal::Limited).
    affordable: f64,
}

/// What a search is to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// Estimates to their depth.
    Estimates,
    /// Exact values, after estimates to their depth.
    Exact,
    /// Exact values of a position with so many empty squares, with ever deeper estimates before and beside them, since it may be stopped at
    /// any time.
    Both(u32),
    /// The best that there is when a known limit is reached, with so many empty squares: estimates up to the end of the game, and exact values
    /// as soon as a forecast of their search fits what is left.
    Limited(u32),
}

impl<G: LearnedGame, X: Exact> EndgameSearch<G, X> {
    pub fn new(estimates: Option<Selective<G, G::Evaluator>>, goal: Goal) -> EndgameSearch<G, X> {
        let is_estimated = estimates.is_none();
        EndgameSearch { estimates, exact: None, goal, is_estimated, affordable: 0.0 }
    }

    /// Sets the time left, as the positions that the estimates could visit in it.
    pub fn afford_time_of(&mut self, estimated: f64) {
        self.affordable = EXACT_SPEED * estimated;
    }

    /// Limits the positions left, whatever the time.
    pub fn afford_at_most(&mut self, positions: f64) {
        self.affordable = self.affordable.min(positions);
    }

    /// Continues the search until the budget is spent or the goal is reached, within a limit for a millisecond; `begin` makes the exact
    /// search.
    pub fn step(&mut self, budget: Budget, begin: impl Fn() -> X) -> Status {
        loop {
            let slice = match self.goal {
                Goal::Estimates | Goal::Exact => budget,
                Goal::Both(_) => budget.at_most(SLICE),
                Goal::Limited(_) => budget.at_most(SHORT_SLICE),
            };
            let is_estimate = self.is_estimate_next();
            let status = match self.estimates.as_mut().filter(|_| is_estimate) {
                Some(estimates) => {
                    self.is_estimated = estimates.step(slice) == Status::Done;
                    if self.is_estimated && self.goal == Goal::Estimates { Status::Done } else { Status::Running }
                }
                None => self.exact.get_or_insert_with(&begin).step(slice),
            };
            if status == Status::Done || budget.is_spent() || matches!(self.goal, Goal::Limited(_)) {
                return status;
            }
        }
    }

    fn is_estimate_next(&self) -> bool {
        let estimates = self.estimates.as_ref();
        let estimated = estimates.map_or(0, Selective::nodes) as f64;
        let first = estimates.and_then(|estimates| {
            let by_single_plies = if estimates.is_by_two_plies() { BY_TWO_PLIES.exp() } else { 1.0 };
            Some(by_single_plies * estimates.nodes_to(BEFORE_SOLVING)? as f64)
        });
        let is_due = || match self.goal {
            Goal::Estimates | Goal::Exact => true,
            Goal::Both(empty) => {
                let solving = self.exact.as_ref().map_or(0, |exact| exact.report().nodes);
                let share = |first| forecast(empty, first).max(solving as f64) / EXACT_SHARE;
                first.is_none_or(|first| estimated < share(first))
            }
            Goal::Limited(empty) => {
                let is_time = |first| {
                    let exact = forecast(empty, first);
                    CAUTION * exact <= self.affordable && estimated >= exact / FIRST_SHARE
                };
                self.exact.is_none() && !first.is_some_and(is_time)
            }
        };
        !self.is_estimated && is_due()
    }

    /// Returns whether an estimate has ended.
    pub fn has_value(&self) -> bool {
        self.estimates.as_ref().is_some_and(|estimates| estimates.value().is_some())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;
    use crate::game::{BoardGame as _, Game as _};
    use crate::search::selective::{Aim, SelectiveGame as _, Table};
    use crate::search::{Limits, MAX_DEPTH};
    use mancalab_evaluations::LearnedEvaluation as _;
    use rand::Rng as _;

    /// Forecasts of other games than those they are fitted to: half of them are less than twice too low or too high.
    #[test]
    fn forecasts_are_about_right() {
        let evaluator = Othello::evaluator(Othello::shipped());
        let mut errors = Vec::new();
        for game in 0..12 {
            let mut random = crate::rng::keyed(&[31, game]);
            let mut pos = Othello::start(Default::default());
            while pos.empty() > 12 + (game as u32 % 4) && !pos.is_over() {
                pos = pos.play(pos.pick(random.next_u32()));
            }
            let aim = Aim { depth: BEFORE_SOLVING, all: false };
            let mut estimates = Selective::new(&pos, evaluator.clone(), aim, Table::default());
            estimates.step(Budget::UNLIMITED);
            let mut exact = Search::new(&pos, Limits::depth(MAX_DEPTH));
            exact.step(Budget::UNLIMITED);
            if let Some(nodes) = estimates.nodes_to(BEFORE_SOLVING) {
                errors.push((exact.report().nodes as f64 / forecast(pos.empty(), nodes as f64)).ln());
            }
        }
        crate::sort::sort_by_key(&mut errors, |error: &f64| (error.abs() * 1e6) as i64);
        assert!(errors[errors.len() / 2].abs() < 2_f64.ln(), "{errors:?}");
    }
}
