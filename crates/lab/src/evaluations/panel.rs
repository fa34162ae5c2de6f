//! Strength of the weights: games of a search with them against a fixed panel of players.

use super::games::{Play, Searcher, opening};
use super::learnable::Learnable;
use super::settings::Settings;
use crate::budget::Budget;
use crate::game::{GameState, Outcome, Side};
use crate::measuring::PanelResult;
use crate::player::{Player, Turn, build};
use crate::pool::Pool;
use crate::rng;
use crate::work::{Work, WorkList};

/// Random moves at the start of a game.
const OPENING: u32 = 8;

/// Key of the panel's openings, which no game number reaches.
const PANEL: u64 = 1 << 32;

/// A measurement in progress.
pub struct PanelMatch<G: Learnable> {
    met: Vec<PanelResult>,
    playing: WorkList<(), PanelGame<G>>,
    /// Games that have ended.
    played: usize,
    games: usize,
    generation: u64,
}

impl<G: Learnable> PanelMatch<G> {
    /// A measurement against this number of players; none if it is 0.
    pub fn new(settings: &Settings, players: usize, generation: u64) -> PanelMatch<G> {
        let games = players * 2 * settings.panel.games as usize;
        PanelMatch {
            met: vec![PanelResult::default(); players],
            playing: WorkList::default(),
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
        let players = self.met.len();
        let PanelMatch { games, generation, .. } = *self;
        let work = PanelGames { settings, evaluator, generation, games, players };
        for (number, outcome) in self.playing.advance(&work, pool, budget) {
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
struct PanelGame<G: Learnable> {
    number: usize,
    /// The seat of the weights.
    own: Side,
    state: GameState<G>,
    searcher: Searcher<G>,
    opponent: Box<dyn Player<G>>,
    /// The opponent's turn in progress.
    turn: Option<Turn<G>>,
}

impl<G: Learnable> PanelGame<G> {
    /// Begins a game; `None` if the opponent cannot be built, which the settings' check excludes.
    fn new(
        settings: &Settings,
        evaluator: &G::Evaluator,
        generation: u64,
        number: usize,
        players: usize,
    ) -> Option<PanelGame<G>> {
        let (player, seat) = seat(number, players);
        // Both seats of all players have the same openings.
        let key = [settings.seed, PANEL + generation, (number / 2 / players) as u64];
        Some(PanelGame {
            number,
            own: Side::BOTH[seat],
            state: GameState::new(*opening::<G>(&mut rng::keyed(&key), OPENING).pos()),
            searcher: Searcher::new(evaluator.clone()),
            opponent: build(&settings.panel.players[player]).ok()?,
            turn: None,
        })
    }

    /// Makes a move; returns false if the budget is spent first.
    fn step(&mut self, settings: &Settings, budget: Budget) -> bool {
        let mv = if self.state.pos().side() == self.own {
            let play = Play { depth: settings.panel_depth, ..settings.play() };
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

/// The games of a measurement.
struct PanelGames<'a, G: Learnable> {
    settings: &'a Settings,
    evaluator: &'a G::Evaluator,
    generation: u64,
    games: usize,
    players: usize,
}

impl<G: Learnable> Work for PanelGames<'_, G> {
    type Memory = ();
    type Item = PanelGame<G>;
    /// The game's number and the weights' outcome.
    type Output = (usize, Outcome);

    fn memory(&self) {}

    fn begin(&self, number: usize) -> Option<PanelGame<G>> {
        let playing = || PanelGame::new(self.settings, self.evaluator, self.generation, number, self.players);
        (number < self.games).then(playing).flatten()
    }

    fn advance(&self, (): &mut (), game: &mut PanelGame<G>, budget: Budget) -> Option<(usize, Outcome)> {
        loop {
            if let Some(ending) = game.state.ending() {
                return Some((game.number, ending.outcome(game.own)));
            }
            if !game.step(self.settings, budget) || budget.is_spent() {
                return None;
            }
        }
    }
}
