//! Players that evaluate boards with functions, each in force for its share of the game, as "Genetic Programming Applied to Board Game
//! Othello" evolves them: `staged:( white ),75,( white_corners ),25`.
//!
//! [`StagedSettings`] holds a player's settings, `text` reads and writes them, `schedule` selects the function in force. `choosing` looks one
//! ply ahead, for [`StagedPlayer`] and for the games of [`Practice`]; `valuing` prepares a function for a deeper search, and
//! `explaining` explains moves.

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

use super::kind::{Effort, PlayerKind};
use super::{Built, of_one};
use crate::game::othello::{Othello, Zones};
use crate::game::{Move, Position};
use crate::pool::Pool;
use crate::program::othello::Function;
use crate::search::SearchHints;
pub use choosing::{MoveValue, values};
pub use explaining::{Explanation, InForce, JudgedMove, number};
pub use practice::Practice;
pub use schedule::Schedule;
pub use text::stages;
pub(super) use text::{FORMS, begun, is_function};
pub use turn::StagedPlayer;

/// Plies of a game, for the shares of stages: every square except the four occupied at the start.
pub const PLIES: u32 = 60;

/// The maximum depth, in plies.
pub const MAX_DEPTH: u32 = 20;

/// A function with its share of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    pub function: Arc<Function>,
    /// In percent, 1 to 100.
    pub share: u32,
}

/// The settings of a function player. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedSettings {
    /// At least one; the shares add up to 100.
    pub stages: Vec<Stage>,
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// The width of the overlap around a boundary between stages, in which either may be in force, in percent of the game, 0 to 100.
    pub overlap: u32,
    /// The name of the file that it was read from.
    pub file: Option<String>,
    /// The overlap that this file sets.
    pub file_overlap: u32,
    /// Its name, if it comes with the program.
    pub shipped: Option<&'static str>,
    pub zones: Zones,
}

impl StagedSettings {
    /// A player of these stages that looks one ply ahead.
    pub fn new(stages: Vec<Stage>) -> StagedSettings {
        StagedSettings {
            stages,
            depth: 1,
            overlap: 0,
            file: None,
            file_overlap: 0,
            shipped: None,
            zones: Zones::default(),
        }
    }

    /// A single function for the whole game.
    pub fn one_stage(function: Function) -> StagedSettings {
        StagedSettings::new(vec![Stage { function: Arc::new(function), share: 100 }])
    }
}

impl PlayerKind for StagedSettings {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        of_one::<G, Othello, _>("staged", || StagedPlayer::new(self.clone()))
    }

    fn effort(&self) -> Effort {
        Effort::of_depth(self.depth)
    }

    fn about(&self) -> String {
        match self.stages.len() {
            1 => format!("1 function, depth {}", self.depth),
            stages => format!("{stages} functions, depth {}", self.depth),
        }
    }

    fn is_deterministic(&self) -> bool {
        self.overlap == 0
    }

    fn contents(&self) -> Option<String> {
        (self.file.is_some() || self.shipped.is_some()).then(|| self.text_with(self.file_overlap))
    }

    fn explanation(&self, before: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        self.reason(before, mv, ply, seed)
    }
}
