//! The turn of a function player.

use super::StagedSettings;
use super::choosing::Choosing;
use super::valuing::Valuing;
use crate::budget::{Budget, Status};
use crate::game::Move;
use crate::game::othello::{Afterwards, Othello};
use crate::search::alpha_beta::Searching;
use crate::{Player, Purpose, Turn};

/// A player that evaluates boards with the function of the current stage.
pub struct StagedPlayer {
    staged: StagedSettings,
    choosing: Choosing,
    thinking: Option<(Turn<Othello>, Searching<Othello, Valuing>)>,
}

impl StagedPlayer {
    pub fn new(staged: StagedSettings) -> StagedPlayer {
        StagedPlayer { choosing: Choosing::new(&staged), staged, thinking: None }
    }
}

impl Player<Othello> for StagedPlayer {
    fn think(&mut self, turn: &Turn<Othello>, budget: Budget) -> Option<Move> {
        let stage = self.choosing.stage(&turn.pos, || turn.rng(Purpose::Stage));
        if self.staged.depth == 1 {
            let afterwards = Afterwards::new(&turn.pos);
            return afterwards.moves().get(self.choosing.best(&afterwards, stage)).copied();
        }
        let same = self.thinking.take().filter(|(before, _)| before == turn);
        let begin = || {
            let valuing = Valuing::new(&self.staged.stages[stage].function, self.staged.zones);
            (turn.clone(), Searching::new(turn.game_state(), self.staged.depth, valuing))
        };
        let (_, searching) = self.thinking.insert(same.unwrap_or_else(begin));
        if searching.step(budget) == Status::Running {
            return None;
        }
        searching.best().moves.legal(&turn.pos).next()
    }
}
