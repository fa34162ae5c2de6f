//! How the positions of a table are numbered, and divided into layers.

use super::TableRules;
use super::checkers::Slices;
use crate::rank::Ranks;

/// The numbers of a table's positions.
pub(super) enum Numbering {
    /// Boards of pits: a layer for each number of seeds from 0 to the last.
    Pits(Ranks, u8),
    /// Positions of checkers: a layer for each two materials that steps connect.
    Squares(Slices),
}

impl Numbering {
    /// The numbers of positions with at most `most` seeds, or pieces; `None` if they do not fit.
    pub fn new(rules: TableRules, most: u8) -> Option<Numbering> {
        Some(match rules {
            TableRules::Checkers => Numbering::Squares(Slices::new(most)),
            _ => Numbering::Pits(Ranks::new(rules.pits().into(), most)?, most),
        })
    }

    /// Number of positions.
    pub fn count(&self) -> u64 {
        match self {
            Numbering::Pits(ranks, seeds) => ranks.count(*seeds),
            Numbering::Squares(slices) => slices.count(),
        }
    }

    /// Positions in each layer.
    pub fn layers(&self) -> Vec<usize> {
        match self {
            Numbering::Pits(ranks, seeds) => {
                (0..=*seeds).map(|seeds| (ranks.count(seeds) - ranks.first(seeds)) as usize).collect()
            }
            Numbering::Squares(slices) => slices.layers().map(|layer| slices.positions(layer)).collect(),
        }
    }

    /// The name of a layer, for messages.
    pub fn label(&self, layer: u8) -> String {
        match self {
            Numbering::Pits(..) => format!("boards with {layer} seeds"),
            Numbering::Squares(slices) => format!("positions of {}", slices.label(layer)),
        }
    }
}
