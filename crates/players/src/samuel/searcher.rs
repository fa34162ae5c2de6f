//! The search of one position after another, as players and contests of players use it.

use super::{Evaluator, Samuel};
use crate::budget::{Budget, Status};
use crate::game::checkers::Checkers;
use crate::game::{Game, GameState, Move};
use crate::search::pvs::{Aim, Options, Pvs};
use crate::search::{Report, Table};

/// Memory that the table may grow to, in megabytes.
const TABLE_MB: usize = 64;

/// Finds moves by one set of weights. What it knows of positions it keeps from one search to the next, which changes how long it takes
/// and nothing of what it finds; where it prunes, what is found would depend on it, and each search begins anew.
pub struct Searcher {
    evaluator: Evaluator,
    settings: Samuel,
    search: Option<Pvs<Checkers, Evaluator>>,
}

impl Searcher {
    /// A searcher to the settings' depth; of their time it knows nothing.
    pub fn new(settings: &Samuel) -> Searcher {
        Searcher { evaluator: Evaluator::new(&settings.weights), settings: settings.clone(), search: None }
    }

    /// Turns to the position that a game has come to. `seed` decides between equally good moves, if the settings say at random.
    pub fn begin(&mut self, course: &GameState<Checkers>, seed: u64) {
        let Samuel { prunes, plays_out, ties, depth, .. } = self.settings;
        let kept = self.search.take().filter(|_| !prunes).map(Pvs::into_table);
        // A single move needs no search.
        let depth = if course.pos().count_moves() == 1 { 1 } else { depth };
        let aim = Aim { depth, ties, seed, manner: Options { plays_out, prunes } };
        let table = kept.unwrap_or_else(|| Table::new(TABLE_MB));
        self.search = Some(Pvs::new(course.clone(), self.evaluator.clone(), aim, table));
    }

    /// Searches on until the budget is spent or the best move is known; where nothing was begun there is nothing to do.
    pub fn step(&mut self, budget: Budget) -> Status {
        self.search.as_mut().map_or(Status::Done, |search| search.step(budget))
    }

    /// The best move so far; `None` before the first search, and if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.search.as_ref()?.best_move()
    }

    /// What has been found so far.
    pub fn report(&self) -> Option<Report> {
        self.search.as_ref().map(Pvs::report)
    }

    /// Bytes that the table takes.
    pub fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.table().bytes())
    }

    /// Forgets all that was searched, and gives its room back.
    pub fn clear(&mut self) {
        self.search = None;
    }
}
