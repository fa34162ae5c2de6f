//! The search of successive positions, for players and contests.

use super::{Evaluator, Samuel};
use crate::budget::{Budget, Status};
use crate::game::checkers::Checkers;
use crate::game::{Game, GameState, Move};
use crate::kind::PlayerKind as _;
use crate::search::pvs::{Aim, Options, Pvs};
use crate::search::{Report, Table, Threads};

/// Maximum size of the transposition table, in megabytes.
const TABLE_MB: usize = 64;

/// A search with one set of weights. It keeps its transposition table between searches, which affects its speed and not its results;
/// with pruning the results would depend on the table, so each search starts with an empty one.
pub struct Searcher {
    evaluator: Evaluator,
    settings: Samuel,
    search: Option<Pvs<Checkers, Evaluator>>,
}

impl Searcher {
    /// A searcher to the settings' depth; ignores their time.
    pub fn new(settings: &Samuel) -> Searcher {
        Searcher { evaluator: Evaluator::new(&settings.weights), settings: settings.clone(), search: None }
    }

    /// Starts the search of a game's current position. `seed` decides between equally good moves if the settings break ties at random.
    pub fn begin(&mut self, game_state: &GameState<Checkers>, seed: u64) {
        let Samuel { prunes, plays_out, ties, depth, .. } = self.settings;
        let kept = self.search.take().filter(|_| !prunes).map(Pvs::into_table);
        // A single legal move needs no search.
        let depth = if game_state.pos().count_moves() == 1 { 1 } else { depth };
        let aim = Aim { depth, ties, seed, options: Options { plays_out, prunes } };
        // To a depth, what several threads prune would depend on their timing.
        let threads =
            Threads::Own(if prunes && !self.settings.is_timed() { 1 } else { self.settings.threads as usize });
        let table = kept.unwrap_or_else(|| Table::new(TABLE_MB));
        self.search = Some(Pvs::new(game_state.clone(), self.evaluator.clone(), aim, table).on(threads));
    }

    /// Continues until the budget is spent or the best move is known; done at once if no search has begun.
    pub fn step(&mut self, budget: Budget) -> Status {
        self.search.as_mut().map_or(Status::Done, |search| search.step(budget))
    }

    /// Returns the best move so far; `None` before the first search, and if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.search.as_ref()?.best_move()
    }

    /// Returns the result so far.
    pub fn report(&self) -> Option<Report> {
        self.search.as_ref().map(Pvs::report)
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.table().bytes())
    }

    /// Drops the search and frees its memory.
    pub fn clear(&mut self) {
        self.search = None;
    }
}
