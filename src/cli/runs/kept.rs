//! The list of saved runs and plans.

use super::line::{self, Json};
use super::plans;
use crate::grid::Grid;
use crate::kept::RunOrPlan;

impl From<&RunOrPlan> for Json {
    fn from(kept: &RunOrPlan) -> Json {
        match kept {
            RunOrPlan::Run(entry) => Json::from(entry),
            RunOrPlan::Plan(entry) => Json::from(entry),
        }
    }
}

/// A table with one row per entry.
pub fn grid(kept: &[RunOrPlan]) -> Grid {
    let head = ["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size"];
    let row = |one: &RunOrPlan| match one {
        RunOrPlan::Run(entry) => line::row(entry),
        RunOrPlan::Plan(entry) => plans::row(entry),
    };
    let rows = std::iter::once(head.map(str::to_owned).to_vec()).chain(kept.iter().map(row)).collect();
    Grid { rows, numbers: vec![3, 7, 8], ..Grid::default() }
}
