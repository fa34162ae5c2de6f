//! The analysis by a learned evaluation: the value of every move, exact once the end of a game of Othello is near.

use super::endgame::{BEFORE_SOLVING, EndgameSearch, Goal};
use super::{LearnedGame, evaluator};
use crate::analysis::Analyst;
use crate::budget::{Budget, Status};
use crate::game::GameState;
use crate::pool::Pool;
use crate::search::selective::{self, Aim, Selective};
use crate::search::{Analysis, MAX_DEPTH, Report, Table};

/// The analysis of a position: every move's value by the learned evaluation, or exact once the end of a game of Othello is near.
pub(crate) struct SelectiveAnalyst<G: LearnedGame> {
    game_state: GameState<G>,
    depth: u32,
    mb: usize,
    pool: Pool,
    /// `None` before the first step.
    search: Option<EndgameSearch<G, Analysis<G>>>,
}

impl<G: LearnedGame> SelectiveAnalyst<G> {
    /// An analysis to `depth` plies, which is exact, on all threads of `pool`, if the game may end within them. It reads the
    /// weights with its first step.
    pub fn new(game_state: GameState<G>, depth: u32, mb: usize, pool: &Pool) -> SelectiveAnalyst<G> {
        SelectiveAnalyst { game_state, depth, mb, pool: pool.clone(), search: None }
    }

    fn begin(&self) -> EndgameSearch<G, Analysis<G>> {
        let pos = self.game_state.pos();
        let is_exact = pos.plies_left().is_some_and(|plies| plies <= self.depth);
        let (goal, depth) = match (pos.plies_to_solve().filter(|_| is_exact), self.depth) {
            (None, depth) => (Goal::Estimates, depth),
            // Nothing else ends it: it may be stopped at any time.
            (Some(empty), MAX_DEPTH) => (Goal::Both(empty), empty),
            (Some(_), _) => (Goal::Exact, BEFORE_SOLVING),
        };
        let evaluator = G::with_tables(evaluator::<G>(None));
        let aim = Aim { depth, all: true };
        let table = if self.depth == MAX_DEPTH { selective::Table::kept() } else { selective::Table::default() };
        let estimates = Selective::new(self.game_state.clone(), evaluator, aim, table);
        EndgameSearch::new(Some(estimates.averaged()), goal)
    }
}

impl<G: LearnedGame> Analyst for SelectiveAnalyst<G> {
    fn step(&mut self, budget: Budget) -> Status {
        let mut search = self.search.take().unwrap_or_else(|| self.begin());
        let exact = || Analysis::new(self.game_state.clone(), self.depth, Table::new(self.mb)).on(&self.pool);
        let status = search.step(budget, exact);
        self.search = Some(search);
        status
    }

    fn report(&self) -> Report {
        self.search.as_ref().map(EndgameSearch::report).unwrap_or_default()
    }
}
