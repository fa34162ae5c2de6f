//! Which stage is in force when.

use super::{PLIES, Staged};
use crate::rng::Rng;
use rand::RngExt;

/// The stages of a player over a whole game, looked up by how many discs have been put since the start: by discs and not by moves, so
/// that a position that was set up has a stage as well.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// A stage for every number of discs put, with the chance that the next one is in force instead.
    stages: [(u8, f64); PLIES as usize + 1],
}

impl Schedule {
    /// Around a boundary that stages overlap at, the chance of the later one grows evenly from 0 to 1.
    pub fn new(staged: &Staged) -> Schedule {
        Schedule { stages: std::array::from_fn(|put| in_force(staged, put as u32)) }
    }

    /// The stage in force; `rng` is asked only where stages overlap.
    #[inline]
    pub fn stage(&self, put: u32, rng: impl FnOnce() -> Rng) -> usize {
        let (stage, later) = self.stages[put.min(PLIES) as usize];
        usize::from(stage) + usize::from(later > 0.0 && rng().random_bool(later))
    }

    /// The stage that is in force when so many discs have been put, and the chance that the next one is instead.
    pub fn chance(&self, put: u32) -> (usize, f64) {
        let (stage, later) = self.stages[put.min(PLIES) as usize];
        (stage.into(), later)
    }
}

fn in_force(staged: &Staged, put: u32) -> (u8, f64) {
    // All in hundredths of a ply; a disc that is put counts from the middle of its ply.
    let now = put * 100 + 50;
    let mut end = 0;
    let last = staged.stages.len().saturating_sub(1);
    for (index, pair) in staged.stages.windows(2).enumerate() {
        end += pair[0].share * PLIES;
        // No further than the ends of the game, and the middle of a stage that another hand-over reaches into.
        let room = |stage: usize, share: u32| if stage == 0 || stage == last { 2 * share } else { share };
        let half = staged.overlap.min(room(index, pair[0].share)).min(room(index + 1, pair[1].share)) * PLIES / 2;
        if now + half < end {
            return (index as u8, 0.0);
        }
        if now < end + half {
            return (index as u8, f64::from(now + half - end) / f64::from(2 * half));
        }
    }
    (last as u8, 0.0)
}
