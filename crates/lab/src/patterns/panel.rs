//! Strength of the weights: games of a search with them against a fixed panel of players.

use super::games::{Play, Player as Searcher, opening};
use super::settings::Settings;
use crate::budget::Budget;
use crate::game::othello::Othello;
use crate::game::othello::patterns::Weights;
use crate::game::{Game, GameState, Outcome, Side};
use crate::player::{Turn, build};
use crate::pool::Pool;
use crate::rng;
use crate::search::selective::PatternEvaluator;
use crate::train::Met;
use std::sync::Arc;

/// Random moves at the start of a game.
const OPENING: u32 = 8;

/// Key of the panel's openings, which no game number reaches.
const PANEL: u64 = 1 << 32;

/// Games between two checks of the budget.
const AT_ONCE: usize = 1;

/// A measurement in progress.
pub struct Meeting {
    met: Vec<Met>,
    played: usize,
    games: usize,
    generation: u64,
}

impl Meeting {
    /// A measurement against this number of players; none if it is 0.
    pub fn new(settings: &Settings, players: usize, generation: u64) -> Meeting {
        let games = players * 2 * settings.panel_games as usize;
        Meeting { met: vec![Met::default(); players], played: 0, games, generation }
    }

    /// The share of the games that are played.
    pub fn share(&self) -> f64 {
        self.played as f64 / self.games.max(1) as f64
    }

    /// Plays games until the budget is spent; returns the results when all are played.
    pub fn step(
        &mut self,
        settings: &Settings,
        weights: &Arc<Weights>,
        pool: &Pool,
        budget: Budget,
    ) -> Option<Vec<Met>> {
        while self.played < self.games {
            let count = (AT_ONCE * pool.count()).min(self.games - self.played);
            let mut numbers: Vec<usize> = (self.played..self.played + count).collect();
            let ended = pool.map_each(&mut numbers, |number| self.game(settings, weights, *number));
            for (number, outcome) in numbers.into_iter().zip(ended) {
                let (player, seat) = self.seat(number);
                self.met[player].ended[seat][outcome as usize] += 1;
            }
            self.played += count;
            if budget.is_spent() && self.played < self.games {
                return None;
            }
        }
        Some(std::mem::take(&mut self.met))
    }

    /// The player of a game, and the seat of the weights.
    fn seat(&self, number: usize) -> (usize, usize) {
        (number / 2 % self.met.len(), number % 2)
    }

    /// Plays a game; the outcome is that of the weights.
    fn game(&self, settings: &Settings, weights: &Arc<Weights>, number: usize) -> Outcome {
        let (player, seat) = self.seat(number);
        // Both seats of all players have the same openings.
        let key = [settings.seed, PANEL + self.generation, (number / 2 / self.met.len()) as u64];
        let mut state = GameState::from(&opening(&mut rng::keyed(&key), OPENING));
        let mut searcher = Searcher::new(PatternEvaluator::new(Arc::clone(weights)));
        let play = Play { depth: settings.panel_depth, ..settings.play() };
        let Ok(mut opponent) = build::<Othello>(&settings.panel[player]) else { return Outcome::Drawn };
        let own = Side::BOTH[seat];
        while !state.is_over() {
            let mv = if state.pos().side() == own {
                searcher.choose(state.pos(), &play).map(|(mv, _)| mv)
            } else {
                opponent.think(&Turn::of(&state, settings.seed), Budget::UNLIMITED)
            };
            let Some(mv) = mv else { break };
            state.play(mv);
        }
        state.pos().outcome(own)
    }
}
