//! Games of checkers between two sets of weights, which can be left in the middle of a move.

use rand::Rng as _;

use crate::budget::{Budget, Status};
use crate::evolve::ga::Genome;
use crate::evolve::ga::play::{GameKey, Play, Played, Seat};
use crate::game::checkers::{Checkers, Rules};
use crate::game::{BoardGame as _, Game as _, GameState, Move, Side};
use crate::player::samuel::{COUNT, Samuel, Searcher, Weights};
use crate::rng;

/// What a random choice in a game is for. The number is part of every recorded run.
const GAME: u64 = 2;

/// How the games of a run are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Games {
    pub rules: Rules,
    /// Plies each side looks ahead.
    pub depth: u32,
    /// Captures are played out beyond that.
    pub plays_out: bool,
    /// Moves at the beginning of a game that are drawn at random.
    pub opening: u32,
}

/// A game under way. What a side has searched is its own, so that nothing is found otherwise because of games before.
pub struct Match {
    course: GameState<Checkers>,
    /// `None` before the side's first move.
    searchers: [Option<Searcher>; 2],
    /// The side to move has begun to search.
    is_thinking: bool,
    moves: Vec<Move>,
}

impl Match {
    /// The moves so far, those of the opening too.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn play(&mut self, mv: Move) {
        self.course.play(mv);
        self.moves.push(mv);
    }
}

impl Games {
    /// The player with these weights.
    pub fn samuel(&self, weights: Weights) -> Samuel {
        Samuel { plays_out: self.plays_out, ..Samuel::new(self.depth, weights) }
    }
}

/// The weights a genome stands for.
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

    /// A game after its opening, the same for both games of a pairing that differ in who moves first.
    fn begin(&self, GameKey { seed, generation, pairing, opening, .. }: GameKey) -> Match {
        let mut rng = rng::keyed(&[seed, generation, pairing, opening, GAME]);
        let course = GameState::new(Checkers::start(self.rules));
        let mut game = Match { course, searchers: [None, None], is_thinking: false, moves: Vec::new() };
        for _ in 0..self.opening {
            if !game.course.is_over() {
                game.play(game.course.pos().pick(rng.next_u32()));
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
    ) -> Option<Played> {
        loop {
            if let Some(ending) = game.course.ending() {
                let pos = game.course.pos();
                let [own, other] = Side::BOTH.map(|side| pos.pieces(side).count_ones() as i32);
                return Some(Played { outcome: ending.outcome(Side::South), ahead: own - other });
            }
            let side = game.course.pos().side();
            let player = if side == Side::South { first.player } else { second.player };
            let searcher = game.searchers[side.index()].get_or_insert_with(|| Searcher::new(player));
            if !std::mem::replace(&mut game.is_thinking, true) {
                // Of equally good moves the first is played, so that the seed decides nothing.
                searcher.begin(&game.course, 0);
            }
            if searcher.step(budget) == Status::Running {
                return None;
            }
            let mv = searcher.best_move().unwrap_or_else(|| game.course.pos().pick(0));
            game.is_thinking = false;
            game.play(mv);
            if budget.is_spent() && !game.course.is_over() {
                return None;
            }
        }
    }
}
