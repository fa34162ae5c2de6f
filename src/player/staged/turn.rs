//! A turn of a player that values boards: every move is made, the board that results is valued, and the first of the best is played.

use super::valuing::{Ordered, Valuing};
use super::{PLIES, Staged};
use crate::game::Move;
use crate::game::othello::{Afterwards, MOST_MOVES, Othello};
use crate::player::{Player, Purpose, Turn};
use crate::program::othello::OthelloLanguage;
use crate::program::rows::LANES;
use crate::program::{RowTape, Tape};
use crate::search::evaluated::Searching;
use crate::step::{Budget, Status};

/// Plays by the functions of its stages.
pub struct StagedPlayer {
    staged: Staged,
    /// Each stage's function over all moves of a position.
    tapes: Vec<RowTape<OthelloLanguage>>,
    afterwards: Afterwards,
    thinking: Option<(Turn<Othello>, Searching<Othello, Valuing>)>,
}

impl StagedPlayer {
    pub fn new(staged: Staged) -> StagedPlayer {
        let tapes = staged.stages.iter().map(|stage| RowTape::new(Tape::new(&stage.function), MOST_MOVES)).collect();
        StagedPlayer { staged, tapes, afterwards: Afterwards::default(), thinking: None }
    }

    fn stage(&self, turn: &Turn<Othello>) -> usize {
        let put = PLIES.saturating_sub(turn.pos.empty());
        self.staged.stage(put, || turn.rng(Purpose::Stage))
    }

    /// The first of the moves after which the board is worth most.
    fn best_now(&mut self, turn: &Turn<Othello>) -> Option<Move> {
        let stage = self.stage(turn);
        self.afterwards.of(&turn.pos);
        let values = value_all(&mut self.tapes[stage], &self.afterwards, &self.staged);
        let mut best: Option<(Ordered, Move)> = None;
        for (&mv, &value) in self.afterwards.moves().iter().zip(values) {
            let value = Ordered::new(value);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}

#[inline]
fn value_all<'a>(tape: &'a mut RowTape<OthelloLanguage>, afterwards: &Afterwards, staged: &Staged) -> &'a [f64] {
    tape.run(afterwards.moves().len(), |inputs, room| {
        afterwards.count(staged.zones, LANES, |row, counts| {
            for (input, &count) in inputs[row * room..].iter_mut().zip(counts) {
                *input = count.into();
            }
        });
    })
}

impl Player<Othello> for StagedPlayer {
    fn think(&mut self, turn: &Turn<Othello>, budget: Budget) -> Option<Move> {
        if self.staged.depth == 1 {
            return self.best_now(turn);
        }
        let same = self.thinking.take().filter(|(before, _)| before == turn);
        let stage = &self.staged.stages[self.stage(turn)];
        let begin = || {
            let valuing = Valuing::new(&stage.function, self.staged.zones);
            (turn.clone(), Searching::new(turn.course(), self.staged.depth, valuing))
        };
        let (_, searching) = self.thinking.insert(same.unwrap_or_else(begin));
        if searching.step(budget) == Status::Running {
            return None;
        }
        searching.best().moves.of(&turn.pos).next()
    }
}

/// What a move is worth to a player by functions, one ply ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Valued {
    pub mv: Move,
    /// NaN where the function gives no number.
    pub value: f64,
}

/// The value of every legal move by stage `stage`; none once the game is over.
pub fn values(staged: &Staged, stage: usize, pos: &Othello) -> Vec<Valued> {
    let mut afterwards = Afterwards::default();
    afterwards.of(pos);
    let Some(stage) = staged.stages.get(stage) else { return Vec::new() };
    let mut tape = RowTape::new(Tape::new(&stage.function), MOST_MOVES);
    let values = value_all(&mut tape, &afterwards, staged);
    afterwards.moves().iter().zip(values).map(|(&mv, &value)| Valued { mv, value }).collect()
}
