//! The list of saved runs and plans.

use super::line::{self, Told};
use super::plans::{self, PlanTold};
use super::text::Grid;
use crate::kept::Kept;

/// An entry of the list for programs.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub enum KeptTold {
    Run(Told),
    Plan(PlanTold),
}

impl From<&Kept> for KeptTold {
    fn from(kept: &Kept) -> KeptTold {
        match kept {
            Kept::Run(entry) => KeptTold::Run(Told::from(entry)),
            Kept::Plan(entry) => KeptTold::Plan(PlanTold::from(entry)),
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
