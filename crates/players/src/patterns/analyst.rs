//! The analysis by patterns: the value of every move, exact once the end of a game of Othello is near.

use super::{BEFORE_SOLVING, PatternGame, evaluator};
use crate::analysing::Analyst;
use crate::budget::{Budget, Status};
use crate::game::GameState;
use crate::pool::Pool;
use crate::search::selective::{self, Aim, Selective};
use crate::search::{Analysis, Report, Table};

/// The analysis of a position: every move's value by patterns, or exact once the end of a game of Othello is near.
pub(crate) struct PatternAnalyst<G: PatternGame> {
    game_state: GameState<G>,
    depth: u32,
    mb: usize,
    pool: Pool,
    selective: Option<Selective<G, G::Evaluator>>,
    exact: Option<Analysis<G>>,
}

impl<G: PatternGame> PatternAnalyst<G> {
    /// An analysis to `depth` plies, which is exact, on all threads of `pool`, if the game may end within them. It reads the
    /// weights with its first step.
    pub fn new(game_state: GameState<G>, depth: u32, mb: usize, pool: &Pool) -> PatternAnalyst<G> {
        PatternAnalyst { game_state, depth, mb, pool: pool.clone(), selective: None, exact: None }
    }

    fn is_exact(&self) -> bool {
        let pos = self.game_state.pos();
        pos.plies_to_solve().is_some() && pos.plies_left().is_some_and(|plies| plies <= self.depth)
    }
}

impl<G: PatternGame> Analyst for PatternAnalyst<G> {
    fn step(&mut self, budget: Budget) -> Status {
        let is_exact = self.is_exact();
        if let Some(exact) = &mut self.exact {
            return exact.step(budget);
        }
        let (depth, game_state) = (self.depth, &self.game_state);
        let selective = self.selective.get_or_insert_with(|| {
            let depth = if is_exact { BEFORE_SOLVING } else { depth };
            let aim = Aim { depth, all: true };
            let evaluator = G::with_tables(evaluator::<G>(None));
            Selective::new(game_state.clone(), evaluator, aim, selective::Table::default())
        });
        if selective.step(budget) == Status::Running {
            return Status::Running;
        }
        if !is_exact {
            return Status::Done;
        }
        let exact = Analysis::new(self.game_state.clone(), self.depth, Table::new(self.mb));
        self.exact = Some(exact.on(&self.pool));
        Status::Running
    }

    /// The exact values, once they are there.
    fn report(&self) -> Report {
        let exact = self.exact.as_ref().map(Analysis::report).filter(|report| report.solved);
        exact.or_else(|| self.selective.as_ref().map(Selective::report)).unwrap_or_default()
    }
}
