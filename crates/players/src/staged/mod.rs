//! Players that value boards by functions, each in force for its share of the game, as "Genetic Programming Applied to Board Game
//! Othello" breeds them: `staged:( white ),75,( white_corners ),25`.
//!
//! [`Staged`] is the text and what it says, `schedule` which function is in force when. `choosing` looks one ply ahead, for
//! [`StagedPlayer`] and for the games of [`Practice`] alike; `valuing` makes a function ready for a deeper search, and `explaining` tells
//! people what is thought of every move.

mod choosing;
mod explaining;
mod practice;
mod schedule;
mod shipped;
#[cfg(test)]
mod tests;
mod text;
mod turn;
mod valuing;

use std::sync::Arc;

use super::spec::PlayerKind;
use super::{Built, of_one, offers};
use crate::game::othello::{Othello, Zones};
use crate::game::{Game, Move, Position};
use crate::pool::Pool;
use crate::program::othello::Function;
pub use choosing::{Valued, values};
pub use explaining::{InForce, Judged, JudgedMove, number};
pub use practice::Practice;
pub use schedule::Schedule;
pub use text::stages;
pub(super) use text::{KIND, begun, is_function};
pub use turn::StagedPlayer;

/// A game has so many plies for the shares of stages: every square but the four that are taken from the start.
pub const PLIES: u32 = 60;

/// The deepest search that can be asked for.
pub const MAX_DEPTH: u32 = 20;

/// A function with its share of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    pub function: Arc<Function>,
    /// In percent, 1 to 100.
    pub share: u32,
}

/// What a player by functions is made of. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Staged {
    /// At least one; the shares add up to 100.
    pub stages: Vec<Stage>,
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Around a boundary between two stages, for so many percent of the game, either may be in force, 0 to 100.
    pub overlap: u32,
    /// The file that it was read from, by its name.
    pub file: Option<String>,
    /// What it is called, if it comes with the program.
    pub shipped: Option<&'static str>,
    pub zones: Zones,
}

impl Staged {
    /// A player of these stages that looks one ply ahead.
    pub fn new(stages: Vec<Stage>) -> Staged {
        Staged { stages, depth: 1, overlap: 0, file: None, shipped: None, zones: Zones::default() }
    }

    /// A single function for the whole game.
    pub fn of(function: Function) -> Staged {
        Staged::new(vec![Stage { function: Arc::new(function), share: 100 }])
    }
}

impl PlayerKind for Staged {
    fn build<G: Game>(&self, _: &Pool) -> Built<G> {
        of_one::<G, Othello>("staged", StagedPlayer::new(self.clone()))
    }

    fn about(&self) -> String {
        match self.stages.len() {
            1 => format!("a function, {}", offers::plies(self.depth)),
            stages => format!("{stages} functions, {}", offers::plies(self.depth)),
        }
    }

    fn contents(&self) -> Option<String> {
        (self.file.is_some() || self.shipped.is_some()).then(|| self.stages_text())
    }

    fn explanation(&self, before: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        self.reason(before, mv, ply, seed)
    }
}
