//! The parts that a plan's runs are divided into. A unit is one part of one run.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A part of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The whole run.
    Whole,
    /// Games of one cell of a tournament.
    Block {
        cell: usize,
        /// The players, for display.
        who: Arc<str>,
        rounds: Range<u32>,
    },
    /// The generations of one island between two migrations.
    Epoch { epoch: u32, island: u32, islands: u32 },
}

impl Part {
    /// Returns the indices of the parts of the same run that must be computed first.
    pub fn needs(&self) -> Vec<usize> {
        match *self {
            Part::Epoch { epoch, island, islands } if epoch > 0 => {
                let before = |island: u32| ((epoch - 1) * islands + island) as usize;
                let mut needs = vec![before(island), before((island + islands - 1) % islands)];
                crate::sort::sort(&mut needs);
                needs.dedup();
                needs
            }
            _ => Vec::new(),
        }
    }
}

/// Shown after the run's name; empty for a whole run.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Whole => Ok(()),
            Part::Block { who, rounds, .. } => write!(f, "{who}, games {} to {}", rounds.start + 1, rounds.end),
            Part::Epoch { epoch, island, .. } => write!(f, "epoch {}, island {}", epoch + 1, island + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_needs_its_island_and_the_one_before_it() {
        let epoch = |epoch, island| Part::Epoch { epoch, island, islands: 3 };
        assert_eq!(epoch(0, 2).needs(), Vec::<usize>::new());
        assert_eq!((epoch(1, 0).needs(), epoch(2, 1).needs()), (vec![0, 2], vec![3, 4]));
        assert_eq!(Part::Epoch { epoch: 1, island: 0, islands: 1 }.needs(), [0]);
    }
}
