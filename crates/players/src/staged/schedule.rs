//! The schedule of stages over a game.

use super::{PLIES, StagedSettings};
use crate::rng::Rng;
use rand::RngExt;

/// A player's stages by the number of discs placed since the start: by discs and not by moves, so that a position that was set up
/// has a stage as well.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// The stage for each number of discs placed, with the probability that the next one is in force instead.
    stages: [(u8, f64); PLIES as usize + 1],
}

impl Schedule {
    /// The schedule of stages with these shares of the game and this [overlap](StagedSettings::overlap), all in percent. Around a boundary where
    /// stages overlap, the probability of the later one rises linearly from 0 to 1.
    pub fn new(shares: &[u32], overlap: u32) -> Schedule {
        Schedule { stages: std::array::from_fn(|put| in_force(shares, overlap, put as u32)) }
    }

    /// Returns the stage in force; `rng` is called only where stages overlap.
    #[inline]
    pub fn stage(&self, put: u32, rng: impl FnOnce() -> Rng) -> usize {
        let (stage, later) = self.stages[put.min(PLIES) as usize];
        usize::from(stage) + usize::from(later > 0.0 && rng().random_bool(later))
    }

    /// Returns the stage for this number of discs placed, and the probability that the next one is in force instead.
    pub fn chance(&self, put: u32) -> (usize, f64) {
        let (stage, later) = self.stages[put.min(PLIES) as usize];
        (stage.into(), later)
    }
}

impl StagedSettings {
    /// Returns the schedule of its stages.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&self.stages.iter().map(|stage| stage.share).collect::<Vec<_>>(), self.overlap)
    }
}

fn in_force(shares: &[u32], overlap: u32, put: u32) -> (u8, f64) {
    // In hundredths of a ply; a disc counts from the middle of its ply.
    let now = put * 100 + 50;
    let mut end = 0;
    let last = shares.len().saturating_sub(1);
    for (index, pair) in shares.windows(2).enumerate() {
        end += pair[0] * PLIES;
        // Limited by the ends of the game, and by the middle of a stage with another overlap at its other end.
        let limit = |stage: usize, share: u32| if stage == 0 || stage == last { 2 * share } else { share };
        let half = overlap.min(limit(index, pair[0])).min(limit(index + 1, pair[1])) * PLIES / 2;
        if now + half < end {
            return (index as u8, 0.0);
        }
        if now < end + half {
            return (index as u8, f64::from(now + half - end) / f64::from(2 * half));
        }
    }
    (last as u8, 0.0)
}
