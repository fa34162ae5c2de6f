//! Games of checkers between two sets of weights, which can be suspended in the middle of a move.

use rand::Rng as _;

use crate::budget::{Budget, Status};
use crate::evolve::ga::Genome;
use crate::evolve::ga::play::{GameKey, GameResult, Play, Seat};
use crate::game::checkers::{Checkers, Rules};
use crate::game::{BoardGame as _, Game as _, GameState, Move, Side};
use crate::player::samuel::{COUNT, Samuel, Searcher, Weights};
use crate::rng;

/// Purpose of the random draws in a game. The number is part of every recorded run.
const GAME: u64 = 2;

/// The games of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Games {
    pub rules: Rules,
    /// Search depth of both sides in plies.
    pub depth: u32,
    /// Whether captures are searched beyond that depth.
    pub plays_out: bool,
    /// Number of random moves at the start of a game.
    pub opening: u32,
}

/// A game in progress. Each side has its own search state, so results do not depend on earlier games.
pub struct Match {
    game_state: GameState<Checkers>,
    /// `None` before the side's first move.
    searchers: [Option<Searcher>; 2],
    /// Whether the side to move has started its search.
    is_thinking: bool,
    moves: Vec<Move>,
}

impl Match {
    /// Returns the moves so far, including the opening.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn play(&mut self, mv: Move) {
        self.game_state.play(mv);
        self.moves.push(mv);
    }
}

impl Games {
    /// Returns the player with these weights.
    pub fn samuel(&self, weights: Weights) -> Samuel {
        Samuel { plays_out: self.plays_out, ..Samuel::new(self.depth, weights) }
    }
}

/// Returns the weights of a genome.
pub fn weights(genome: &[f64]) -> Weights {
    let reals = <[f64; COUNT]>::try_from(genome).ok();
    reals.and_then(|reals| Weights::from_reals(reals).ok()).unwrap_or_default()
}

impl Play for Games {
    type Player = Samuel;
    type Game = Match;
    type Memory = ();

    fn is_certain(&self) -> bool {
        self.opening == 0
    }

    fn player(&self, genome: &Genome) -> Samuel {
        self.samuel(weights(genome))
    }

    fn memory(&self) {}

    fn clear(&self, (): &mut ()) {}

    /// Starts a game after its opening, which is the same for both games of a pairing that differ in the first mover.
    fn begin(&self, GameKey { seed, generation, pairing, opening, .. }: GameKey) -> Match {
        let mut rng = rng::keyed(&[seed, generation, pairing, opening, GAME]);
        let game_state = GameState::new(Checkers::start(self.rules));
        let mut game = Match { game_state, searchers: [None, None], is_thinking: false, moves: Vec::new() };
        for _ in 0..self.opening {
            if !game.game_state.is_over() {
                game.play(game.game_state.pos().pick(rng.next_u32()));
            }
        }
        game
    }

    fn play(
        &self,
        game: &mut Match,
        [first, second]: [Seat<'_, Samuel>; 2],
        (): &mut (),
        budget: Budget,
    ) -> Option<GameResult> {
        loop {
            if let Some(ending) = game.game_state.ending() {
                let pos = game.game_state.pos();
                let [own, other] = Side::BOTH.map(|side| pos.pieces(side).count_ones() as i32);
                return Some(GameResult { outcome: ending.outcome(Side::South), ahead: own - other });
            }
            let side = game.game_state.pos().side();
            let player = if side == Side::South { first.player } else { second.player };
            let searcher = game.searchers[side.index()].get_or_insert_with(|| Searcher::new(player));
            if !std::mem::replace(&mut game.is_thinking, true) {
                // The first of equal moves is played, so the seed has no effect.
                searcher.begin(&game.game_state, 0);
            }
            if searcher.step(budget) == Status::Running {
                return None;
            }
            let mv = searcher.best_move().unwrap_or_else(|| game.game_state.pos().pick(0));
            game.is_thinking = false;
            game.play(mv);
            if budget.is_spent() && !game.game_state.is_over() {
                return None;
            }
        }
    }
}
