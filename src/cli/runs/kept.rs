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
    let mut head = vec!["name", "kind", "preset", "generations", "best", "state", "started (UTC)", "took", "size"];
    let mut rows: Vec<Vec<String>> = kept.iter().map(row).collect();
    let mut add = |title, cells: Vec<String>| {
        if cells.iter().any(|cell| !cell.is_empty()) {
            head.push(title);
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        }
    };
    add("tags", kept.iter().map(|one| one.notes().tags.join(" ")).collect());
    add("note", kept.iter().map(|one| start_of_note(&one.notes().note)).collect());
    Grid::new(&head, &[3, 7, 8], rows)
}

/// Returns the first line of a note that is not blank, or as much of it as a column has place for.
fn start_of_note(note: &str) -> String {
    const LONGEST: usize = 40;
    let line = note.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => line[..end].trim_end().to_owned() + "…",
        None => line.to_owned(),
    }
}

fn row(kept: &RunOrPlan) -> Vec<String> {
    let (kind, best) = match kept {
        RunOrPlan::Run(entry) => (line::kind(entry), entry.best_in_short()),
        RunOrPlan::Plan(entry) => (plans::kind(entry), ""),
    };
    let dash = || "-".to_owned();
    vec![
        kept.name().to_owned(),
        kind,
        kept.preset_marked(),
        kept.progress().unwrap_or_else(dash),
        best.to_owned(),
        kept.word().to_owned(),
        line::minute(kept.started()),
        kept.took().map_or_else(dash, |took| clock(took.as_secs_f64())),
        short_count(kept.size()),
    ]
}
