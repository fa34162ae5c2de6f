//! Players that value boards by functions, each in force for its share of the game, as "Genetic Programming Applied to Board Game
//! Othello" breeds them: `staged:( white ),75,( white_corners ),25`.
//!
//! [`Staged`] is the text and what it says; `valuing` makes a function ready for a search, [`StagedPlayer`] plays.

mod text;
mod turn;
mod valuing;

use std::fmt;
use std::sync::Arc;

use crate::game::othello::Zones;
use crate::program::othello::Function;
use crate::rng::Rng;
use rand::RngExt;
pub(super) use text::{Unread, begun, is_function};
pub use turn::{StagedPlayer, Valued, values};

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
    pub zones: Zones,
}

impl Staged {
    /// A player of these stages that looks one ply ahead.
    pub fn new(stages: Vec<Stage>) -> Staged {
        Staged { stages, depth: 1, overlap: 0, file: None, zones: Zones::default() }
    }

    /// A single function for the whole game.
    pub fn of(function: Function) -> Staged {
        Staged::new(vec![Stage { function: Arc::new(function), share: 100 }])
    }

    /// Which stage is in force when so many discs have been put since the start. Around a boundary that stages overlap at the
    /// chance of the later one grows evenly from 0 to 1, and `rng` decides.
    pub fn stage(&self, put: u32, rng: impl FnOnce() -> Rng) -> usize {
        // All in hundredths of a ply.
        let now = i64::from(put) * 100 + 50;
        let half = i64::from(self.overlap * PLIES) / 2;
        let mut end = 0;
        for (index, stage) in self.stages.iter().enumerate() {
            end += i64::from(stage.share * PLIES);
            let is_last = index + 1 == self.stages.len();
            if is_last || now < end - half {
                return index;
            }
            if now < end + half {
                let later = (now - (end - half)) as f64 / (2 * half) as f64;
                return index + usize::from(rng().random_bool(later));
            }
        }
        0
    }
}

impl fmt::Display for Staged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("staged:")?;
        match &self.file {
            Some(name) => f.write_str(name)?,
            None => f.write_str(&self.stages_text())?,
        }
        f.write_str(&self.settings_text())
    }
}
