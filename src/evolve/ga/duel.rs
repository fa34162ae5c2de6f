//! Games between two sets of weights: what a genome's fitness is made of, played millions of times in a run.

use rand::{Rng as _, RngExt};

use crate::game::{Game, Move};
use crate::player::heuristic::Evaluator;
use crate::rng::Rng;
use crate::search::Ties;
use crate::search::evaluated::{MoveSet, best_moves};

/// How the games of a run are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Games<G> {
    pub start: G,
    /// Plies each side looks ahead.
    pub depth: u32,
    pub ties: Ties,
    /// Moves at the beginning of a game that are drawn at random.
    pub opening: u32,
}

/// One of a contest's players.
#[derive(Clone, Copy, Debug)]
pub struct Duellist<'a> {
    /// Which of the contest's players it is.
    pub number: u32,
    pub evaluator: &'a Evaluator,
}

/// Moves that were found before. A player meets the same positions again and again: the openings are few, and its opponents
/// play alike. What is found is exact, so what is remembered changes nothing but the time it takes.
pub struct Memory<G: Game> {
    entries: Vec<Remembered<G::Key>>,
    /// What an entry that was never used holds.
    unused: Remembered<G::Key>,
}

#[derive(Clone, Copy)]
struct Remembered<K> {
    /// With the same seeds in play, position and margin tell all that lies on the board.
    key: K,
    best: u64,
    margin: i32,
    player: u32,
}

impl<G: Game> Memory<G> {
    /// Entries: some megabytes, and about as many as there are positions in a generation of fifty.
    const SIZE: usize = 1 << 18;

    /// For games that begin at `start`.
    pub fn new(start: &G) -> Memory<G> {
        let unused = Remembered { key: start.key(), best: 0, margin: 0, player: u32::MAX };
        Memory { entries: vec![unused; Memory::<G>::SIZE], unused }
    }

    /// Forgets everything: what follows is about other players.
    pub fn clear(&mut self) {
        self.entries.fill(self.unused);
    }

    /// The best moves of `pos` for `player`, from memory or else by searching.
    #[inline]
    fn best(&mut self, pos: &G, depth: u32, player: Duellist<'_>) -> MoveSet {
        let (key, margin) = (pos.key(), pos.margin(pos.side()));
        let salt = u64::from(player.number) << 8 ^ margin as u64;
        let hash = G::hash(&key) ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let entry = &mut self.entries[hash as usize & (Memory::<G>::SIZE - 1)];
        if entry.player == player.number && entry.margin == margin && entry.key == key {
            return MoveSet::from_word(entry.best);
        }
        let moves = best_moves(pos, depth, player.evaluator).moves;
        if let Some(best) = moves.word() {
            *entry = Remembered { key, best, margin, player: player.number };
        }
        moves
    }
}

impl<G: Game> Games<G> {
    /// Whether chance has no say: then every game between the same two is the same.
    pub fn is_certain(&self) -> bool {
        self.opening == 0 && self.ties == Ties::First
    }

    /// The first side's points in a game, in halves: 2 for a win, 1 for a draw, 0 for a loss. `memory` must know of no other
    /// players and games than those of this contest.
    pub fn play(&self, [first, second]: [Duellist<'_>; 2], memory: &mut Memory<G>, rng: &mut Rng) -> u32 {
        let mut pos = self.start;
        let side = pos.side();
        for _ in 0..self.opening {
            if !pos.is_over() {
                pos = pos.play(pos.pick(rng.next_u32()));
            }
        }
        while !pos.is_over() {
            let player = if pos.side() == side { first } else { second };
            let best = memory.best(&pos, self.depth, player);
            pos = pos.play(self.draw(&pos, best, rng));
        }
        match pos.margin(side) {
            ..0 => 0,
            0 => 1,
            1.. => 2,
        }
    }

    #[inline]
    fn draw(&self, pos: &G, best: MoveSet, rng: &mut Rng) -> Move {
        let nth = match self.ties {
            Ties::Random if best.len() > 1 => rng.random_range(0..best.len()),
            _ => 0,
        };
        best.of(pos).nth(nth as usize).unwrap_or_default()
    }
}
