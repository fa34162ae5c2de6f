//! Strength of the weights: games of a search with them against a fixed panel of players.

use super::games::{Play, Searcher, opening};
use super::learnable::Learnable;
use super::settings::Settings;
use crate::budget::Budget;
use crate::game::{GameState, Outcome, Side};
use crate::player::{Player, Turn, build};
use crate::pool::Pool;
use crate::rng;
use crate::train::PanelResult;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Random moves at the start of a game.
const OPENING: u32 = 8;

/// Key of the panel's openings, which no game number reaches.
const PANEL: u64 = 1 << 32;

/// A measurement in progress.
pub struct Meeting<G: Learnable> {
    met: Vec<PanelResult>,
    /// The game in progress of each thread.
    playing: Vec<Option<Playing<G>>>,
    /// Games begun so far, and those that have ended.
    dealt: AtomicUsize,
    played: usize,
    games: usize,
    generation: u64,
}

impl<G: Learnable> Meeting<G> {
    /// A measurement against this number of players; none if it is 0.
    pub fn new(settings: &Settings, players: usize, generation: u64) -> Meeting<G> {
        let games = players * 2 * settings.panel_games as usize;
        Meeting {
            met: vec![PanelResult::default(); players],
            playing: Vec::new(),
            dealt: AtomicUsize::new(0),
            played: 0,
            games,
            generation,
        }
    }

    /// The share of the games that are played.
    pub fn share(&self) -> f64 {
        self.played as f64 / self.games.max(1) as f64
    }

    /// Plays until the budget is spent; returns the results when all games are played.
    pub fn step(
        &mut self,
        settings: &Settings,
        evaluator: &G::Evaluator,
        pool: &Pool,
        budget: Budget,
    ) -> Option<Vec<PanelResult>> {
        let games = self.games;
        let players = self.met.len();
        let dealt = &self.dealt;
        let generation = self.generation;
        self.playing.resize_with(pool.count().max(self.playing.len()), || None);
        let next = || {
            let number = dealt.fetch_add(1, Ordering::Relaxed);
            // Keeps the counter from growing without bound.
            dealt.fetch_min(games, Ordering::Relaxed);
            (number < games).then(|| Playing::new(settings, evaluator, generation, number, players)).flatten()
        };
        let ended = pool.map_each(&mut self.playing, |playing| run(playing, settings, next, budget));
        for (number, outcome) in ended.into_iter().flatten() {
            let (player, seat) = seat(number, players);
            self.met[player].ended[seat][outcome.halves() as usize] += 1;
            self.played += 1;
        }
        (self.played == games).then(|| std::mem::take(&mut self.met))
    }
}

/// The player of a game, and the seat of the weights.
fn seat(number: usize, players: usize) -> (usize, usize) {
    (number / 2 % players, number % 2)
}

/// A game in progress.
struct Playing<G: Learnable> {
    number: usize,
    /// The seat of the weights.
    own: Side,
    state: GameState<G>,
    searcher: Searcher<G>,
    opponent: Box<dyn Player<G>>,
    /// The opponent's turn in progress.
    turn: Option<Turn<G>>,
}

impl<G: Learnable> Playing<G> {
    /// Begins a game; `None` if the opponent cannot be built, which the settings' check excludes.
    fn new(
        settings: &Settings,
        evaluator: &G::Evaluator,
        generation: u64,
        number: usize,
        players: usize,
    ) -> Option<Playing<G>> {
        let (player, seat) = seat(number, players);
        // Both seats of all players have the same openings.
        let key = [settings.seed, PANEL + generation, (number / 2 / players) as u64];
        Some(Playing {
            number,
            own: Side::BOTH[seat],
            state: GameState::new(*opening::<G>(&mut rng::keyed(&key), OPENING).pos()),
            searcher: Searcher::new(evaluator.clone()),
            opponent: build(&settings.panel[player]).ok()?,
            turn: None,
        })
    }

    /// Makes a move; returns false if the budget is spent first.
    fn step(&mut self, settings: &Settings, budget: Budget) -> bool {
        let mv = if self.state.pos().side() == self.own {
            let play = Play { depth: settings.panel_depth, deepens: false, ..settings.play() };
            self.searcher.choose(&self.state, &play).map(|(mv, _)| mv)
        } else {
            let turn = self.turn.get_or_insert_with(|| Turn::current(&self.state, settings.seed));
            self.opponent.think(turn, budget)
        };
        let Some(mv) = mv else { return false };
        self.turn = None;
        self.state.play(mv);
        true
    }
}

/// Plays games until the budget is spent or `next` has no more; returns those that ended, with the weights' outcomes.
fn run<G: Learnable>(
    playing: &mut Option<Playing<G>>,
    settings: &Settings,
    next: impl Fn() -> Option<Playing<G>>,
    budget: Budget,
) -> Vec<(usize, Outcome)> {
    let mut ended = Vec::new();
    while let Some(mut game) = playing.take().or_else(&next) {
        if let Some(ending) = game.state.ending() {
            ended.push((game.number, ending.outcome(game.own)));
            continue;
        }
        let has_moved = game.step(settings, budget);
        *playing = Some(game);
        if !has_moved || budget.is_spent() {
            break;
        }
    }
    ended
}
