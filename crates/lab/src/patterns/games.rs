//! Games from which the patterns' weights are learned.
//!
//! A game begins with random moves, is then played by a search with the last generation's weights, and solved exactly once
//! few squares are empty. The value to learn for a position is a mean of its own search's value and of the value of the next
//! position, as in TD(λ): with λ = 1 it is the game's exact result, with λ = 0 the search's value.

use crate::budget::Budget;
use crate::game::othello::patterns::DISC;
use crate::game::othello::{Othello, PASS};
use crate::game::{BoardGame as _, Game, Move};
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

/// The searches of a thread's games, with their tables.
pub struct Searcher {
    evaluator: PatternEvaluator,
    table: selective::Table<Othello>,
    exact: Option<Table<Othello>>,
}

/// Megabytes of the exact searches' table.
const EXACT_MB: usize = 4;

/// Depth of a search that solves the rest.
const TO_THE_END: u32 = 60;

impl Searcher {
    pub fn new(evaluator: PatternEvaluator) -> Searcher {
        Searcher { evaluator, table: selective::Table::default(), exact: None }
    }

    /// The move and its value for the mover, in hundredths of a disc.
    pub fn choose(&mut self, pos: &Othello, play: &Play) -> Option<(Move, i32)> {
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

/// A game in progress.
pub struct Playing {
    pos: Othello,
    /// The positions so far, with the values of their searches.
    samples: Vec<Sample>,
}

impl Playing {
    /// Begins the game with this key.
    pub fn new(play: &Play, key: &[u64]) -> Playing {
        let mut random = rng::keyed(key);
        let count = random.random_range(play.opening[0]..=play.opening[1]);
        Playing { pos: opening(&mut random, count), samples: Vec::new() }
    }

    /// Makes a move; at the end of the game returns its positions with the values to learn.
    pub fn step(&mut self, searcher: &mut Searcher, play: &Play) -> Option<Vec<Sample>> {
        let pos = self.pos;
        let Some((mv, value)) = (!pos.is_over()).then(|| searcher.choose(&pos, play)).flatten() else {
            return Some(self.learned(play.lambda));
        };
        self.samples.push((pos, value as f32));
        self.pos = pos.play(mv);
        None
    }

    /// The values to learn, from the end of the game to its beginning.
    fn learned(&mut self, lambda: f32) -> Vec<Sample> {
        let mut samples = std::mem::take(&mut self.samples);
        let mut next = (self.pos, (DISC * self.pos.margin(self.pos.side())) as f32);
        for (pos, value) in samples.iter_mut().rev() {
            let after = if next.0.side() == pos.side() { next.1 } else { -next.1 };
            *value = lambda * after + (1.0 - lambda) * *value;
            next = (*pos, *value);
        }
        // The value of a position whose mover must pass is that of the next one, which is a sample too.
        samples.retain(|(pos, _)| pos.count_moves() > 0 && pos.moves().next() != Some(PASS));
        samples
    }
}

/// The games of one thread, and the one in progress with its number.
pub struct Worker {
    searcher: Searcher,
    game: Option<(u32, Playing)>,
}

impl Worker {
    pub fn new(evaluator: PatternEvaluator) -> Worker {
        Worker { searcher: Searcher::new(evaluator), game: None }
    }

    /// Plays until the budget is spent or no game is left; `next` returns the number and the key of the next one. Returns the
    /// samples of the games that ended, with their numbers.
    pub fn run(
        &mut self,
        play: &Play,
        next: impl Fn() -> Option<(u32, [u64; 3])>,
        budget: Budget,
    ) -> Vec<(u32, Vec<Sample>)> {
        let mut ended = Vec::new();
        let begin = |(number, key): (u32, [u64; 3])| (number, Playing::new(play, &key));
        while let Some((number, mut game)) = self.game.take().or_else(|| next().map(begin)) {
            match game.step(&mut self.searcher, play) {
                Some(samples) => ended.push((number, samples)),
                None => self.game = Some((number, game)),
            }
            if budget.is_spent() {
                break;
            }
        }
        ended
    }
}
