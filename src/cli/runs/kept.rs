//! The list of saved runs and plans.

use super::line::{self, Told};
use super::plans;
use super::text::Grid;
use crate::kept::Kept;

impl From<&Kept> for Told {
    fn from(kept: &Kept) -> Told {
        match kept {
            Kept::Run(entry) => Told::from(entry),
            Kept::Plan(entry) => Told::from(entry),
        }
    }
}

/// A table with one row per entry.
pub fn grid(kept: &[Kept]) -> Grid {
    let head = ["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size"];
    let row = |one: &Kept| match one {
        Kept::Run(entry) => line::row(entry),
        Kept::Plan(entry) => plans::row(entry),
    };
    let rows = std::iter::once(head.map(str::to_owned).to_vec()).chain(kept.iter().map(row)).collect();
    Grid { rows, numbers: vec![3, 7, 8] }
}
