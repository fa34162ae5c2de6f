//! The curves of a run. Figures 6 to 9 of the paper show these curves for its two presets.

use super::ViewModel;
use super::population::number;
use crate::evolve::gp::GenerationRow;
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Band, Chart, Pattern, Series};

fn points(rows: &[GenerationRow], of: impl Fn(&GenerationRow) -> f64) -> Vec<(f64, f64)> {
    rows.iter().map(|row| (row.generation as f64, of(row))).collect()
}

/// Returns the rows that are distinguishable on this many cells of the span.
fn rows(view_model: &ViewModel, (from, to): (u64, u64), cells: u16) -> Vec<GenerationRow> {
    view_model.history.between(from, to, usize::from(cells) * 2).copied().collect()
}

fn range(view_model: &ViewModel, lens: &Lens) -> (u64, u64) {
    lens.range(view_model.newest(), view_model.last_generation)
}

/// Returns the chart of best, mean, and the middle 50 % of each generation's fitness.
pub fn fitness(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let (from, to) = range(view_model, lens);
    let rows = rows(view_model, (from, to), cells);
    let band = rows.iter().map(|row| (row.generation as f64, row.lower_quartile, row.upper_quartile)).collect();
    Chart {
        x: (from as f64, to as f64),
        unit: "generation",
        series: vec![
            Series::new("best", Role::Curve1, Pattern::Solid, points(&rows, |row| row.best)),
            Series::new("mean", Role::Curve2, Pattern::Dashed, points(&rows, |row| row.mean)),
        ],
        band: Some(Band { label: "middle 50 %".to_owned(), points: band }),
        cursor: lens.cursor.map(|at| at as f64),
        ..Chart::default()
    }
}

/// Returns the chart of program sizes.
pub fn sizes(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let (from, to) = range(view_model, lens);
    let rows = rows(view_model, (from, to), cells);
    let series = vec![
        Series::new("of the best", Role::Curve1, Pattern::Solid, points(&rows, |row| row.best_nodes.into())),
        Series::new("mean", Role::Curve2, Pattern::Dashed, points(&rows, |row| row.mean_nodes)),
    ];
    let cursor = lens.cursor.map(|at| at as f64);
    let x = (from as f64, to as f64);
    Chart { x, y: Some((0.0, 1.0)), unit: "generation", series, cursor, ..Chart::default() }
}

/// Returns the text of the cursor on the fitness chart, for this many cells.
pub fn read_fitness(row: &GenerationRow, cells: u16) -> String {
    if cells < 64 {
        let GenerationRow { generation, best, mean, lower_quartile, upper_quartile, .. } = row;
        return format!("{generation}: best {best:.0} mean {mean:.0} mid {lower_quartile:.0} to {upper_quartile:.0}");
    }
    format!(
        "generation {}: best {}, mean {}, middle 50 % {} to {}",
        row.generation,
        number(row.best),
        number(row.mean),
        number(row.lower_quartile),
        number(row.upper_quartile)
    )
}

/// Returns the text of the cursor on the size chart.
pub fn read_sizes(row: &GenerationRow) -> String {
    format!(
        "generation {}: mean {}, of the best {}, largest {}",
        row.generation,
        number(row.mean_nodes),
        row.best_nodes,
        row.max_nodes
    )
}
