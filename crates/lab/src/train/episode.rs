//! A game of a training or of a measurement, which can be suspended between any two moves.

use rand::Rng as _;

use crate::budget::Budget;
use crate::game::{Game, GameState, Move, Planes, Side};
use crate::net::{Activations, Network, Policy};
use crate::player::{Player, Turn};
use crate::rng;

/// Purposes of the random draws in a game. The numbers are part of every recorded training.
#[derive(Clone, Copy)]
#[repr(u64)]
pub enum Purpose {
    /// The choice of opponent and seat.
    Meeting = 0,
    Opening = 1,
    /// A move of a network.
    Choice = 2,
    /// All randomness of the other player.
    Player = 3,
}

/// The key of all random draws of a game: the run's seed, the place where the game is played, and its number there.
pub type Key = [u64; 3];

/// Returns 32 random bits for a purpose, a pure function of its arguments.
pub fn drawn([seed, worker, number]: Key, purpose: Purpose, nth: u64) -> u32 {
    rng::keyed(&[seed, worker, number, purpose as u64, nth]).next_u32()
}

/// A game in progress.
pub struct Episode<G> {
    pub key: Key,
    pub game_state: GameState<G>,
    /// All moves from the start.
    pub moves: Vec<Move>,
    /// Index of the opponent in its list.
    pub against: usize,
    /// Index of the past self, if the opponent is one.
    pub slot: usize,
    /// The seat of the network that learns or is measured.
    pub seat: Side,
    /// The other player's turn in progress.
    turn: Option<Turn<G>>,
}

impl<G: Game> Episode<G> {
    /// Starts a game with this number of random moves.
    pub fn begin(start: G, key: Key, opening: u32, against: usize, slot: usize, seat: Side) -> Episode<G> {
        let game_state = GameState::new(start);
        let mut episode = Episode { key, game_state, moves: Vec::with_capacity(64), against, slot, seat, turn: None };
        for nth in 0..opening {
            if !episode.game_state.is_over() {
                episode.play(episode.game_state.pos().pick(drawn(key, Purpose::Opening, nth.into())));
            }
        }
        episode
    }

    pub fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        self.game_state.play(mv);
        self.turn = None;
    }

    /// Lets the other player search and move; returns false if the budget is spent first.
    pub fn answer(&mut self, player: &mut dyn Player<G>, budget: Budget) -> bool {
        let seed = self.seed();
        let turn = self.turn.get_or_insert_with(|| Turn::current(&self.game_state, seed));
        let Some(mv) = player.think(turn, budget) else { return false };
        self.play(mv);
        true
    }

    /// Returns the seed of the other player's game.
    pub fn seed(&self) -> u64 {
        let [seed, worker, number] = self.key;
        rng::derived(&[seed, worker, number, Purpose::Player as u64])
    }

    /// Returns the random bits by which a network chooses its next move.
    pub fn bits(&self) -> u32 {
        drawn(self.key, Purpose::Choice, self.moves.len() as u64)
    }
}

/// A network's evaluation of a position, with its buffers.
#[derive(Default)]
pub struct NetworkAnswer {
    pub input: Vec<(u16, f32)>,
    /// The outputs of the legal moves, in the order of the moves.
    pub legal: Vec<u16>,
    pub printed: Activations,
    pub policy: Policy,
}

impl NetworkAnswer {
    /// Evaluates a position, which must not be over; returns itself.
    pub fn ask<G: Planes>(&mut self, network: &Network, pos: &G, encoding: usize) -> &NetworkAnswer {
        let NetworkAnswer { input, legal, printed, policy } = self;
        input.clear();
        pos.encode(encoding, input);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        network.forward(input, printed);
        policy.read(printed.logits(), legal, 1.0);
        self
    }

    /// Plays a move drawn from the policy.
    pub fn choose<G: Planes>(&mut self, network: &Network, episode: &mut Episode<G>, encoding: usize) {
        let pos = *episode.game_state.pos();
        self.ask(network, &pos, encoding);
        let nth = self.policy.pick(episode.bits());
        episode.play(pos.moves().nth(nth).unwrap_or_default());
    }
}
