//! What the moves of a finished game lose under perfect play.

use std::mem;

use super::game::GameInProgress;
use crate::budget::{Budget, Job as _, Status};
use crate::game::record::Before;
use crate::game::{Move, Position};
use crate::player::analysing::Question;
use crate::player::{Analysing, Playable};
use crate::pool::Pool;

/// A count in progress. It goes from the end of the game back: a solver meets later positions again on its way from earlier ones.
pub(super) struct Losses {
    /// The positions after the opening with the moves in them, the seat of each, 0 for the player that moved first.
    left: Vec<(Position, Move, usize)>,
    /// Lost by the player that moved first, and by the other.
    lost: [u32; 2],
    solving: Option<Analysing>,
}

impl Losses {
    /// Starts the count of a finished game from `start`.
    pub fn new<G: Playable>(playing: &GameInProgress<G>, start: Position) -> Losses {
        let mut position = start;
        let mut left = Vec::with_capacity(playing.moves().len());
        for &mv in playing.moves() {
            left.push((position, mv, usize::from(position.side() != start.side())));
            position = position.play(mv);
        }
        left.drain(..playing.opening());
        Losses { left, lost: [0; 2], solving: None }
    }

    /// Continues until the budget is spent, and returns the seeds lost by both players once they are known. `earlier` is an analysis
    /// whose table can be reused.
    pub fn step(&mut self, earlier: &mut Option<Analysing>, budget: Budget) -> Option<[u32; 2]> {
        while let Some(&(position, mv, seat)) = self.left.last() {
            let begin =
                || Analysing::after(earlier.take(), position, &Before::default(), Question::Perfect, &Pool::alone());
            let solving = self.solving.get_or_insert_with(begin);
            if solving.step(budget) == Status::Running {
                return None;
            }
            let lines = solving.view().report.lines;
            let margin = |mv| lines.iter().find(|line| line.mv == mv).map_or(0, |line| line.margin);
            let best = lines.first().map_or(0, |line| line.margin);
            self.lost[seat] += best.abs_diff(margin(mv));
            *earlier = mem::take(&mut self.solving);
            self.left.pop();
            if budget.is_spent() && !self.left.is_empty() {
                return None;
            }
        }
        Some(self.lost)
    }
}
