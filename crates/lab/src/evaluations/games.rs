//! Games from which an evaluation is learned.
//!
//! A game begins with random moves, is then played by a search with the last generation's weights, and valued exactly near its
//! end. The value to learn for a position is a mean of its own search's value and of the value of the next position, as in
//! TD(λ): with λ = 1 it is the game's exact result, with λ = 0 the search's value. In a game of wins and losses it is the
//! expected result, 0 to 1, and a search's value counts by its [odds](mancalab_evaluations::LearnedEvaluation::ODDS).

use super::learnable::Learnable;
use crate::budget::Budget;
use crate::game::{GameState, Move};
use crate::rng::{self, Rng};
use crate::search::selective::{Aim, Evaluator as _, Selective, Table};
use crate::work::Work;
use mancalab_evaluations::fit::{Sample, expected};
use rand::{Rng as _, RngExt as _};

/// How a game is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Play {
    /// Plies of the search.
    pub depth: u32,
    /// Number of empty squares, or of pieces, from which positions are valued exactly.
    pub exact: u32,
    /// Fewest and most random moves at the beginning.
    pub opening: [u32; 2],
    /// Weight of the next position's value, 0 to 1.
    pub lambda: f32,
}

/// The searches of a thread's games, with their tables.
pub struct Searcher<G: Learnable> {
    evaluator: G::Evaluator,
    table: Table,
    solver: G::Solver,
}

impl<G: Learnable> Searcher<G> {
    pub fn new(evaluator: G::Evaluator) -> Searcher<G> {
        Searcher { evaluator, table: Table::default(), solver: G::Solver::default() }
    }

    /// The move and its value for the mover, in hundredths of the displayed unit.
    pub fn choose(&mut self, state: &GameState<G>, play: &Play) -> Option<(Move, i32)> {
        if let Some(solved) = state.pos().solved(play.exact, &mut self.solver) {
            return Some(solved);
        }
        let table = std::mem::take(&mut self.table);
        let aim = Aim { depth: play.depth, all: false };
        let mut search = Selective::new(state.clone(), self.evaluator.clone(), aim, table);
        search.step(Budget::UNLIMITED);
        let found = search.best_move().zip(search.value());
        self.table = search.into_table();
        found
    }
}

/// The value to learn of a search's value.
pub fn learned<G: Learnable>(value: i32) -> f32 {
    match G::ODDS {
        None => value as f32,
        Some(odds) => expected(value as f32, odds),
    }
}

/// The value to learn for the other side.
fn reversed<G: Learnable>(value: f32) -> f32 {
    if G::ODDS.is_some() { 1.0 - value } else { -value }
}

/// A game after `count` random moves.
pub fn opening<G: Learnable>(random: &mut Rng, count: u32) -> GameState<G> {
    let mut state = GameState::new(G::begin());
    for _ in 0..count {
        if state.is_over() {
            break;
        }
        let mv = state.pos().pick(random.next_u32());
        state.play(mv);
    }
    state
}

/// A game in progress.
pub struct LearningGame<G: Learnable> {
    state: GameState<G>,
    /// The positions so far, with the values to learn of their searches.
    samples: Vec<Sample<G>>,
}

impl<G: Learnable> LearningGame<G> {
    /// Begins the game with this key.
    pub fn new(play: &Play, key: &[u64]) -> LearningGame<G> {
        let mut random = rng::keyed(key);
        let count = random.random_range(play.opening[0]..=play.opening[1]);
        LearningGame { state: opening(&mut random, count), samples: Vec::new() }
    }

    /// Makes a move; at the end of the game returns its positions with the values to learn.
    pub fn step(&mut self, searcher: &mut Searcher<G>, play: &Play) -> Option<Vec<Sample<G>>> {
        let pos = *self.state.pos();
        if let Some(value) = self.ended(searcher, play) {
            return Some(self.learned(play.lambda, learned::<G>(value)));
        }
        let (mv, value) = searcher.choose(&self.state, play)?;
        self.samples.push((pos, learned::<G>(value)));
        self.state.play(mv);
        None
    }

    /// The value of a game that is over or known.
    fn ended(&self, searcher: &mut Searcher<G>, play: &Play) -> Option<i32> {
        let pos = self.state.pos();
        if pos.is_over() {
            return Some(searcher.evaluator.ended(pos));
        }
        if self.state.is_over() { Some(0) } else { G::known(&self.state, play.exact, &mut searcher.solver) }
    }

    /// The values to learn, from the end of the game, whose value is `last`, to its beginning.
    fn learned(&mut self, lambda: f32, last: f32) -> Vec<Sample<G>> {
        let mut samples = std::mem::take(&mut self.samples);
        let mut next = (*self.state.pos(), last);
        for (pos, value) in samples.iter_mut().rev() {
            let after = if next.0.side() == pos.side() { next.1 } else { reversed::<G>(next.1) };
            *value = lambda * after + (1.0 - lambda) * *value;
            next = (*pos, *value);
        }
        samples.retain(|(pos, _)| pos.is_sample());
        samples
    }
}

/// The games of a generation, by number.
pub struct GenerationGames<G: Learnable> {
    pub play: Play,
    pub evaluator: G::Evaluator,
    pub count: u32,
    /// The seed and the generation, from which openings and random moves follow.
    pub keys: [u64; 2],
}

impl<G: Learnable> Work for GenerationGames<G> {
    type Memory = Searcher<G>;
    type Item = (u32, LearningGame<G>);
    /// The game's number and its samples.
    type Output = (u32, Vec<Sample<G>>);

    fn memory(&self) -> Searcher<G> {
        Searcher::new(self.evaluator.clone())
    }

    fn begin(&self, number: usize) -> Option<(u32, LearningGame<G>)> {
        let number = u32::try_from(number).ok().filter(|number| *number < self.count)?;
        let [seed, generation] = self.keys;
        Some((number, LearningGame::new(&self.play, &[seed, generation, number.into()])))
    }

    fn advance(
        &self,
        searcher: &mut Searcher<G>,
        (number, game): &mut (u32, LearningGame<G>),
        budget: Budget,
    ) -> Option<(u32, Vec<Sample<G>>)> {
        loop {
            if let Some(samples) = game.step(searcher, &self.play) {
                return Some((*number, samples));
            }
            if budget.is_spent() {
                return None;
            }
        }
    }
}
