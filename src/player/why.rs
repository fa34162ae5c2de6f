//! Why a player made a move, in a line: from players that decide by something that can be told.

use super::Spec;
use crate::game::{Move, Position};

impl Spec {
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
