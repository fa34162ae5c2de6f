//! The list of saved runs and plans.

use super::line::{self, Json};
use super::plans;
use crate::cli::live::clock;
use crate::grid::Grid;
use crate::kept::RunOrPlan;
use crate::ui::short_count;

impl From<&RunOrPlan> for Json {
    fn from(kept: &RunOrPlan) -> Json {
        match kept {
            RunOrPlan::Run(entry) => Json::from(entry),
            RunOrPlan::Plan(entry) => Json::from(entry),
        }
    }
}

/// A table with one row per entry. The column of generations has the units of plans, done and total.
pub fn grid(kept: &[RunOrPlan]) -> Grid {
    let head = ["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size", "tags"];
    let shown = if kept.iter().any(|one| !one.tags().is_empty()) { head.len() } else { head.len() - 1 };
    Grid::new(&head[..shown], &[3, 7, 8], kept.iter().map(|one| row(one)[..shown].to_vec()))
}

fn row(kept: &RunOrPlan) -> [String; 10] {
    let (kind, best) = match kept {
        RunOrPlan::Run(entry) => (line::kind(entry), entry.best_in_short()),
        RunOrPlan::Plan(entry) => (plans::kind(entry), ""),
    };
    let dash = || "-".to_owned();
    [
        kept.name().to_owned(),
        kind,
        kept.preset_marked(),
        kept.progress().unwrap_or_else(dash),
        best.to_owned(),
        kept.word().to_owned(),
        line::minute(kept.started()),
        kept.took().map_or_else(dash, |took| clock(took.as_secs_f64())),
        short_count(kept.size()),
        kept.tags().join(" "),
    ]
}
