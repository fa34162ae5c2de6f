//! Checkers' evaluation for selective search: the networks, jumps to their end, the outcomes that come with the program, and the endgame
//! table.
//!
//! Before an endgame of four pieces its outcome is all that counts, sooner wins and later losses first. Within one the search goes on: where
//! it ends, an outcome counts more than the networks' value, which only decides between positions equally far from the end.

use super::super::margins::{MarginTable, Margins};
use super::super::pvs::{ABOVE_ALL, WON};
use super::{Cut, Cuts, Evaluator, SelectiveGame};
use crate::evaluations::LearnedEvaluation as _;
use crate::evaluations::checkers::{MOST, POINT, Weights};
use crate::game::checkers::{Checkers, MAN};
use crate::game::{BoardGame as _, Game, History, Move};
use crate::tables::endgame::checkers::Value;
use crate::tables::endgame::outcomes::{self, Outcome, outcome};
use std::sync::Arc;

/// Number of standard deviations at which a deep search is left out, in a search to a depth.
const SURE: f32 = 0.7;

/// The same against the clock, where the plies that a wider margin costs are worth less than its certainty.
const SURE_IN_TIME: f32 = 1.2;

/// The smallest depth that is predicted.
const PREDICTED: u8 = 2;

/// By reduction, of one ply and of two: the number of moves searched to the full depth before, and the smallest depth.
const SHORTENED: [(usize, u8); 2] = [(2, 2), (4, 4)];

/// Value of a win by the table that a rule may prevent: more than any material, and less than a win.
const LIKELY: i32 = 40 * POINT;

/// Value of a win by its outcome, where the search began with at most four pieces: more than the networks' there.
const WINNING: i32 = 20 * POINT;

/// What a [span](outcomes::SPAN) of plies until the end is worth.
const SPAN: i32 = 2 * POINT;

/// The part of the networks' value beside an outcome.
const BESIDE: i32 = 8;

/// How a search uses the outcomes of endgames.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcomes {
    /// Not at all.
    Unused,
    /// It begins before an endgame.
    Ahead,
    /// It begins within one.
    Within,
}

/// See the [module](self).
#[derive(Clone)]
pub struct CheckersEvaluator {
    weights: Arc<Weights>,
    cuts: Cuts,
    outcomes: Outcomes,
    tables: MarginTable,
    /// Whether positions of the game before the search count as drawn when they come up again.
    avoids_past: bool,
}

impl CheckersEvaluator {
    /// The same for play, with the outcomes of endgames: a position of the game that comes up again counts as drawn, so that the side that
    /// is ahead avoids it. Values of an analysis do not depend on that.
    #[must_use]
    pub fn for_play(self) -> CheckersEvaluator {
        CheckersEvaluator { avoids_past: true, outcomes: Outcomes::Ahead, ..self }
    }

    /// The same for a search that the clock ends.
    #[must_use]
    pub fn in_time(self) -> CheckersEvaluator {
        CheckersEvaluator { cuts: Cuts::new(self.weights.errors, SURE_IN_TIME), ..self }
    }

    /// The same with the outcomes of endgames, and the endgame table, if there is one.
    #[must_use]
    pub fn with_tables(self) -> CheckersEvaluator {
        let tables = MarginTable::open(&Checkers::start(Default::default()));
        CheckersEvaluator { tables, outcomes: Outcomes::Ahead, ..self }
    }

    /// The endgame table's value. A win that a rule may prevent is the greatest of estimates, which a search takes but no proof.
    fn by_table(&self, pos: &Checkers, history: &History<Checkers>, window: (i32, i32)) -> Option<i32> {
        let Margins { least, most, .. } = self.tables.get(pos, history)?;
        let value = self.tables.value(pos)?;
        let plies = i32::from(value.plies().unwrap_or(0));
        if least == most {
            return Some(least.signum() * (WON - plies));
        }
        match value {
            _ if window == (-ABOVE_ALL, ABOVE_ALL) => None,
            Value::Wins(_) => Some(LIKELY - plies),
            Value::Draws => Some(0),
            Value::Loses(_) => Some(plies - LIKELY),
        }
    }

    /// The value by the outcome of an endgame; `None` without one.
    #[inline]
    fn by_outcome(&self, pos: &Checkers) -> Option<i32> {
        if self.outcomes == Outcomes::Unused {
            return None;
        }
        let Outcome { sign, spans } = outcome(pos)?;
        Some(match self.outcomes {
            _ if sign == 0 => 0,
            Outcomes::Within => sign * (WINNING - SPAN * spans) + self.weights.value(pos) / BESIDE,
            _ => sign * (LIKELY - SPAN * spans),
        })
    }
}

impl SelectiveGame for Checkers {
    type Evaluator = CheckersEvaluator;

    fn evaluator(weights: Arc<Weights>) -> CheckersEvaluator {
        let cuts = Cuts::new(weights.errors, SURE);
        let outcomes = Outcomes::Unused;
        CheckersEvaluator { weights, cuts, outcomes, tables: MarginTable::NONE, avoids_past: false }
    }

    fn evaluator_in_full(weights: Arc<Weights>) -> CheckersEvaluator {
        CheckersEvaluator { cuts: Cuts::NONE, ..Checkers::evaluator(weights) }
    }
}

impl Evaluator<Checkers> for CheckersEvaluator {
    type State = ();

    const THOUSANDTHS: i64 = 1000 / POINT as i64;
    const MARGIN: i32 = POINT / MAN;
    const USES_ORDER: bool = true;

    fn words(&[a, b, c, d]: &[u32; 4]) -> [u64; 2] {
        [u64::from(a) | u64::from(b) << 32, u64::from(c) | u64::from(d) << 32]
    }

    fn state(&self, _: &Checkers) {}

    #[inline]
    fn after(&self, _: &(), _: &Checkers, _: &Checkers) {}

    #[inline]
    fn value(&self, pos: &Checkers, _: &()) -> i32 {
        self.by_outcome(pos).unwrap_or_else(|| self.weights.value(pos))
    }

    /// A side without a legal move loses.
    #[inline]
    fn ended(&self, _: &Checkers) -> i32 {
        -WON
    }

    /// Within an endgame all positions have their outcomes; before one those are beyond the networks' values.
    fn is_outcome(&self, value: i32) -> bool {
        value.abs() > if self.outcomes == Outcomes::Within { 0 } else { MOST }
    }

    /// Captures and crownings by their gain.
    #[inline]
    fn rank(&self, pos: &Checkers, _: Move, child: &Checkers) -> i32 {
        POINT * (child.lead(pos.side()) - pos.lead(pos.side()))
    }

    /// A jump without an alternative.
    #[inline]
    fn is_forced(&self, pos: &Checkers, _: Move) -> bool {
        pos.must_jump() && pos.count_moves() == 1
    }

    #[inline]
    fn is_quiet(&self, pos: &Checkers) -> bool {
        !pos.must_jump()
    }

    #[inline]
    fn reduction(&self, pos: &Checkers, depth: u8, nth: usize) -> u8 {
        if self.cuts.is_none() || pos.must_jump() {
            return 0;
        }
        SHORTENED.iter().map(|&(full, from)| u8::from(nth >= full && depth >= from)).sum()
    }

    #[inline]
    fn cut(&self, pos: &Checkers, depth: u8) -> Option<Cut> {
        if depth < PREDICTED || pos.must_jump() { None } else { self.cuts.get(depth, pos.progress()) }
    }

    #[inline]
    fn begin(&mut self, root: &Checkers) {
        let is_within = (!root.empty()).count_ones() <= outcomes::PIECES.into();
        if self.outcomes != Outcomes::Unused {
            self.outcomes = if is_within { Outcomes::Within } else { Outcomes::Ahead };
        }
    }

    #[inline]
    fn settled(&self, pos: &Checkers, history: &History<Checkers>, depth: u8, window: (i32, i32)) -> Option<i32> {
        if self.tables.has(pos) {
            return self.by_table(pos, history, window);
        }
        if window == (-ABOVE_ALL, ABOVE_ALL) {
            return None;
        }
        // Of two wins the one that is reached sooner. Within an endgame the search goes on for the win itself.
        let value = self.by_outcome(pos)?;
        (value == 0 || self.outcomes == Outcomes::Ahead).then(|| value + value.signum() * i32::from(depth))
    }

    /// Ignores repetitions, whose effect on an estimate is small.
    #[inline]
    fn depends_on_history(&self, pos: &Checkers, history: &History<Checkers>, depth: u8) -> bool {
        pos.may_end_by_count(history, depth.into())
    }

    /// A position that a search comes back to can come up again: it counts as drawn at once.
    #[inline]
    fn is_drawn(&self, pos: &Checkers, history: &History<Checkers>, searched: usize) -> bool {
        let within = if self.avoids_past { history.len() } else { searched };
        pos.repeats(history, within) || pos.ruling(history).is_some()
    }
}
