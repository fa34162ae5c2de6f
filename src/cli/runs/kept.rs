//! The list of saved runs and plans.

use super::line::{self, Json};
use super::plans;
use crate::grid::Grid;
use crate::kept::Saved;

impl From<&Saved> for Json {
    fn from(kept: &Saved) -> Json {
        match kept {
            Saved::Run(entry) => Json::from(entry),
            Saved::Plan(entry) => Json::from(entry),
        }
    }
}

/// A table with one row per entry.
pub fn grid(kept: &[Saved]) -> Grid {
    let head = ["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size"];
    let row = |one: &Saved| match one {
        Saved::Run(entry) => line::row(entry),
        Saved::Plan(entry) => plans::row(entry),
    };
    let rows = std::iter::once(head.map(str::to_owned).to_vec()).chain(kept.iter().map(row)).collect();
    Grid { rows, numbers: vec![3, 7, 8] }
}
