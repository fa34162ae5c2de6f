//! Games from which the patterns' weights are learned.
//!
//! A game begins with random moves, is then played by a search with the last generation's weights, and solved exactly once
//! few squares are empty. The value to learn for a position is a mean of its own search's value and of the value of the next
//! position, as in TD(λ): with λ = 1 it is the game's exact result, with λ = 0 the search's value.

use crate::budget::Budget;
use crate::game::othello::Othello;
use crate::game::othello::patterns::DISC;
use crate::game::{BoardGame as _, Game};
use crate::rng::{self, Rng};
use crate::search::selective::{self, Aim, PatternEvaluator, Selective};
use crate::search::{Limits, Search, Table};
use rand::{Rng as _, RngExt as _};

/// How a game is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Play {
    /// Plies of the search.
    pub depth: u32,
    /// Number of empty squares from which games are solved.
    pub exact: u32,
    /// Fewest and most random moves at the beginning.
    pub opening: [u32; 2],
    /// Weight of the next position's value, 0 to 1.
    pub lambda: f32,
}

/// A position and the value to learn for its mover, in hundredths of a disc.
pub type Sample = (Othello, f32);

/// What one player's games share: memory of its searches.
pub struct Player {
    pub evaluator: PatternEvaluator,
    table: selective::Table<Othello>,
    exact: Option<Table<Othello>>,
}

/// Megabytes of the exact searches' table.
const EXACT_MB: usize = 4;

/// Depth of a search that solves the rest.
const TO_THE_END: u32 = 60;

impl Player {
    pub fn new(evaluator: PatternEvaluator) -> Player {
        Player { evaluator, table: selective::Table::default(), exact: None }
    }

    /// The move and its value for the mover, in hundredths of a disc.
    pub fn choose(&mut self, pos: &Othello, play: &Play) -> Option<(crate::game::Move, i32)> {
        let empty = 60_u32.saturating_sub(pos.put());
        if empty <= play.exact {
            let table = self.exact.take().unwrap_or_else(|| Table::new(EXACT_MB));
            let mut search = Search::with_table(pos, Limits::depth(TO_THE_END), table);
            search.step(Budget::UNLIMITED);
            let found = search.report().lines.first().map(|line| (line.mv, DISC * line.margin));
            self.exact = Some(search.into_table());
            return found;
        }
        let table = std::mem::take(&mut self.table);
        let aim = Aim { depth: play.depth, all: false };
        let mut search = Selective::new(pos, self.evaluator.clone(), aim, table);
        search.step(Budget::UNLIMITED);
        let found = search.best_move().zip(search.value());
        self.table = search.into_table();
        found
    }
}

/// A position after `count` random moves.
pub fn opening(random: &mut Rng, count: u32) -> Othello {
    let mut pos = Othello::start(Default::default());
    for _ in 0..count {
        if pos.is_over() {
            break;
        }
        pos = pos.play(pos.pick(random.next_u32()));
    }
    pos
}

/// Plays the game with this key and returns its positions with the values to learn.
pub fn game(player: &mut Player, play: &Play, key: &[u64]) -> Vec<Sample> {
    let mut random = rng::keyed(key);
    let count = random.random_range(play.opening[0]..=play.opening[1]);
    let mut pos = opening(&mut random, count);
    let mut samples: Vec<Sample> = Vec::new();
    while let Some((mv, value)) = (!pos.is_over()).then(|| player.choose(&pos, play)).flatten() {
        samples.push((pos, value as f32));
        pos = pos.play(mv);
    }
    let mut next = (pos, (DISC * pos.margin(pos.side())) as f32);
    for (pos, value) in samples.iter_mut().rev() {
        let after = if next.0.side() == pos.side() { next.1 } else { -next.1 };
        *value = play.lambda * after + (1.0 - play.lambda) * *value;
        next = (*pos, *value);
    }
    // A position without a choice has the value of the next one, which is in the list too.
    samples.retain(|(pos, _)| {
        pos.moves().len() > 0 && pos.count_moves() > 0 && pos.moves().next() != Some(crate::game::othello::PASS)
    });
    samples
}
