//! The curves of a run. Figures 6 to 9 of the paper show these curves for its two presets.

use super::ViewModel;
use super::population::number;
use crate::evolve::gp::GenerationRow;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Band, Chart, Curve, curves};

/// Returns the rows that are distinguishable on this many cells of the span.
fn rows<'a>(view_model: &'a ViewModel, lens: &Lens, cells: u16) -> Vec<&'a GenerationRow> {
    let (from, to) = lens.range(view_model.newest(), view_model.last_generation);
    view_model.history.between(from, to, usize::from(cells) * 2).collect()
}

/// Returns the chart of best, mean, and the middle 50 % of each generation's fitness.
pub fn fitness(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let rows = rows(view_model, lens, cells);
    let band = rows.iter().map(|row| (row.generation as f64, row.lower_quartile, row.upper_quartile)).collect();
    let series = curves(&rows, |row| row.generation, &[("best", |row| row.best), ("mean", |row| row.mean)]);
    Chart {
        band: Some(Band { label: "middle 50 %".to_owned(), points: band }),
        ..lens.chart((view_model.newest(), view_model.last_generation), series)
    }
}

/// Returns the chart of program sizes.
pub fn sizes(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let rows = rows(view_model, lens, cells);
    let columns: [Curve<GenerationRow>; 2] =
        [("of the best", |row| row.best_nodes.into()), ("mean", |row| row.mean_nodes)];
    let series = curves(&rows, |row| row.generation, &columns);
    lens.chart((view_model.newest(), view_model.last_generation), series)
}

/// Returns the text of the cursor on the fitness chart, for this many cells.
pub fn read_fitness(row: &GenerationRow, cells: u16) -> String {
    let GenerationRow { generation, best, mean, lower_quartile, upper_quartile, .. } = *row;
    if cells < 64 {
        return format!("{generation}: best {best:.0} mean {mean:.0} mid {lower_quartile:.0} to {upper_quartile:.0}");
    }
    let [best, mean, lower, upper] = [best, mean, lower_quartile, upper_quartile].map(number);
    format!("generation {generation}: best {best}, mean {mean}, middle 50 % {lower} to {upper}")
}

/// Returns the text of the cursor on the size chart.
pub fn read_sizes(row: &GenerationRow) -> String {
    let GenerationRow { generation, mean_nodes, best_nodes, max_nodes, .. } = row;
    let mean = number(*mean_nodes);
    format!("generation {generation}: mean {mean}, of the best {best_nodes}, largest {max_nodes}")
}
