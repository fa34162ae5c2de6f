//! A game of a training, or of a measurement, that can be left between any two moves and gone on with.

use rand::Rng as _;

use crate::budget::Budget;
use crate::game::{Game, GameState, Move, Planes, Side};
use crate::net::{Activations, Network, Policy};
use crate::player::{Player, Turn};
use crate::rng;

/// What a random choice in a game is for. The numbers are part of every recorded training.
#[derive(Clone, Copy)]
#[repr(u64)]
pub enum Purpose {
    /// Who is met, in which seat.
    Meeting = 0,
    Opening = 1,
    /// A move of a network.
    Choice = 2,
    /// All chance of the other player.
    Player = 3,
}

/// What all chance in a game follows from: the run's seed, where the game is played, and its number there.
pub type Key = [u64; 3];

/// 32 random bits for a purpose, the same whenever they are asked for.
pub fn drawn([seed, worker, number]: Key, purpose: Purpose, nth: u64) -> u32 {
    rng::keyed(&[seed, worker, number, purpose as u64, nth]).next_u32()
}

/// A game under way.
pub struct Episode<G> {
    pub key: Key,
    pub course: GameState<G>,
    /// All moves from the start.
    pub moves: Vec<Move>,
    /// Who plays on the other side, as a number in the list of those who may.
    pub against: usize,
    /// Which of the past selves that is, if it is one.
    pub slot: usize,
    /// Where the network sits that learns or is measured.
    pub seat: Side,
    /// The turn that the other player thinks about.
    turn: Option<Turn<G>>,
}

impl<G: Game> Episode<G> {
    /// Begins with so many random moves.
    pub fn begin(start: G, key: Key, opening: u32, against: usize, slot: usize, seat: Side) -> Episode<G> {
        let course = GameState::new(start);
        let mut episode = Episode { key, course, moves: Vec::with_capacity(64), against, slot, seat, turn: None };
        for nth in 0..opening {
            if !episode.course.is_over() {
                episode.play(episode.course.pos().pick(drawn(key, Purpose::Opening, nth.into())));
            }
        }
        episode
    }

    pub fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        self.course.play(mv);
        self.turn = None;
    }

    /// Lets the other player think; false if the budget was spent first.
    pub fn answer(&mut self, player: &mut dyn Player<G>, budget: Budget) -> bool {
        let seed = self.seed();
        let turn = self.turn.get_or_insert_with(|| Turn::of(&self.course, seed));
        let Some(mv) = player.think(turn, budget) else { return false };
        self.play(mv);
        true
    }

    /// The seed of the other player's game.
    pub fn seed(&self) -> u64 {
        let [seed, worker, number] = self.key;
        rng::derived(&[seed, worker, number, Purpose::Player as u64])
    }

    /// The random bits by which a network chooses its next move.
    pub fn bits(&self) -> u32 {
        drawn(self.key, Purpose::Choice, self.moves.len() as u64)
    }
}

/// A network asked about positions, and room for its answers.
#[derive(Default)]
pub struct Asked {
    pub input: Vec<(u16, f32)>,
    /// The outputs of the legal moves, in the order of the moves.
    pub legal: Vec<u16>,
    pub said: Activations,
    pub policy: Policy,
}

impl Asked {
    /// What the network says of a position, which must not be over.
    pub fn ask<G: Planes>(&mut self, network: &Network, pos: &G, encoding: usize) {
        let Asked { input, legal, said, policy } = self;
        input.clear();
        pos.encode(encoding, input);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        network.forward(input, said);
        policy.read(said.logits(), legal, 1.0);
    }

    /// Plays the move that the policy chooses by chance.
    pub fn choose<G: Planes>(&mut self, network: &Network, episode: &mut Episode<G>, encoding: usize) {
        let pos = *episode.course.pos();
        self.ask(network, &pos, encoding);
        let nth = self.policy.pick(episode.bits());
        episode.play(pos.moves().nth(nth).unwrap_or_default());
    }
}
