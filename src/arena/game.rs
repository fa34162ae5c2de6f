//! One game between two players, played in pieces, and what is kept of it.

use std::time::{Duration, Instant};

use crate::game::record::Record;
use crate::game::{Game, Move, Variant};
use crate::job::Budget;
use crate::player::{Player, Turn};
use crate::rng;
use rand::Rng as _;

/// What a random choice in a tournament is for. The numbers are part of every recorded tournament.
#[repr(u64)]
pub(super) enum Purpose {
    Opening = 0,
    Game = 1,
}

/// A game that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Which of the tournament's cells it belongs to.
    pub cell: usize,
    /// Its number within the cell, from 0.
    pub number: u32,
    /// What all chance in it follows from, but for the opening.
    pub seed: u64,
    /// The final margin for the side that moved first.
    pub margin: i32,
    pub moves: Box<[Move]>,
    /// How many of the moves were drawn as an opening.
    pub opening: u32,
}

impl Kept {
    /// The game to be looked at and saved; `players` are the names of the one who moved first and of the other.
    pub fn record(&self, variant: Variant, players: [String; 2]) -> Record {
        let mut record = Record::new(variant, players, Some(self.seed));
        record.headers.push(("Opening".to_owned(), format!("{} random moves", self.opening)));
        for &mv in &self.moves {
            record.play(mv);
        }
        record
    }
}

/// What the players spent on a game, of the one who moved first and of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Spent {
    pub time: [Duration; 2],
    pub turns: [u32; 2],
}

/// A game being played.
pub(super) struct Playing<G> {
    start: G,
    turn: Turn<G>,
    moves: Vec<Move>,
    opening: u32,
    spent: Spent,
}

impl<G: Game> Playing<G> {
    /// Begins with the opening. Games of the same number have the same one in every cell, so that players and seats are
    /// compared on equal terms.
    pub fn new(start: G, opening: u32, seed: u64, cell: [u64; 2], number: u32) -> Playing<G> {
        let mut random = rng::keyed(&[seed, number.into(), Purpose::Opening as u64]);
        let game = rng::derived(&[seed, cell[0], cell[1], number.into(), Purpose::Game as u64]);
        let mut playing = Playing {
            start,
            turn: Turn { pos: start, ply: 0, seed: game },
            moves: Vec::with_capacity(64),
            opening: 0,
            spent: Spent::default(),
        };
        for _ in 0..opening {
            if !playing.turn.pos.is_over() {
                playing.play(playing.turn.pos.pick(random.next_u32()));
            }
        }
        playing.opening = playing.turn.ply;
        playing
    }

    fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        self.turn.pos = self.turn.pos.play(mv);
        self.turn.ply += 1;
    }

    /// Which of the two is to move: 0 for the one who moved first.
    pub fn seat(&self) -> usize {
        usize::from(self.turn.pos.side() != self.start.side())
    }

    pub fn is_over(&self) -> bool {
        self.turn.pos.is_over()
    }

    /// Lets the player whose turn it is think; false if the budget was spent first.
    pub fn advance(&mut self, player: &mut dyn Player<G>, budget: Budget) -> bool {
        let (seat, began) = (self.seat(), Instant::now());
        let chosen = player.think(&self.turn, budget);
        self.spent.time[seat] += began.elapsed();
        let Some(mv) = chosen else { return false };
        self.spent.turns[seat] += 1;
        self.play(mv);
        true
    }

    pub fn finish(self, cell: usize, number: u32) -> (Kept, Spent) {
        let margin = self.turn.pos.margin(self.start.side());
        let Playing { turn, moves, opening, spent, .. } = self;
        (Kept { cell, number, seed: turn.seed, margin, moves: moves.into(), opening }, spent)
    }
}
