//! Why a player made a move, in a line: from players that decide by something that can be told.

use super::{Opinion, Spec};
use crate::game::{Move, Position};

impl Spec {
    /// What its network says of a position; `None` of players that have none, where the game is over, and of games that it does not play.
    pub fn opinion(&self, position: &Position) -> Option<Opinion> {
        match self {
            Spec::A3c(a3c) => a3c.opinion(position),
            Spec::Guided(guided) => guided.opinion(position),
            _ => None,
        }
    }

    /// What a lead larger by one is worth in what its network says, beside a game won: 0 where the outcome is all, and of players
    /// that have no network.
    pub fn shaping(&self) -> f32 {
        match self {
            Spec::A3c(a3c) => a3c.shaping(),
            Spec::Guided(guided) => guided.shaping(),
            _ => 0.0,
        }
    }

    /// It has a network.
    pub fn has_network(&self) -> bool {
        matches!(self, Spec::A3c(_) | Spec::Guided(_))
    }

    /// Why it plays `mv` in a position that a game with this seed has come to after so many plies; `None` of players that have nothing
    /// to say, and of positions of games that they do not play.
    pub fn why(&self, before: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        match self {
            Spec::Program(program) => program.why(before),
            Spec::Staged(staged) => staged.why(before, mv, ply, seed),
            Spec::A3c(a3c) => a3c.why(&before, mv),
            _ => None,
        }
    }
}
