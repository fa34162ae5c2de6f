//! The charts of a run: the curves of the fitness, and a heat map of the weights of each generation's best.

use super::ViewModel;
use crate::evolve::ga::GenerationRow;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Chart, Curve, HeatMap, HeatRow, curves};

/// Returns about `most` rows between two generations; see [`Chunks::between`](crate::evolve::chunks::Chunks::between).
pub fn between(view_model: &ViewModel, (from, to): (u64, u64), most: usize) -> Vec<&GenerationRow> {
    view_model.past.between(from, to, most).collect()
}

/// Returns the chart of best, mean and worst fitness.
pub fn fitness(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let ends = (view_model.newest(), view_model.last_generation);
    let rows = between(view_model, lens.range(ends.0, ends.1), usize::from(cells) * 2);
    let columns: [Curve<GenerationRow>; 3] =
        [("best", |past| past.best), ("mean", |past| past.mean), ("worst", |past| past.worst)];
    Chart { is_percent: true, ..lens.chart(ends, curves(&rows, |past| past.generation, &columns)) }
}

/// Returns the heat map of the best genome's weights, the largest of the newest generation first.
pub fn course(view_model: &ViewModel, lens: &Lens, cells: u16) -> HeatMap {
    let (from, to) = lens.range(view_model.newest(), view_model.last_generation);
    let rows = between(view_model, (from, to), usize::from(cells) * 2);
    let shown: Vec<(f64, Vec<f64>)> =
        rows.iter().map(|past| (past.generation as f64, view_model.shown(&past.best_genome))).collect();
    let points = |gene: usize| shown.iter().filter_map(move |(x, values)| Some((*x, *values.get(gene)?))).collect();
    let label = |(short, title): &(&str, &str)| format!("{short} {title}");
    let genes = view_model.labels.genes.iter().enumerate();
    let mut rows: Vec<HeatRow> =
        genes.map(|(gene, names)| HeatRow { label: label(names), points: points(gene) }).collect();
    let last = |row: &HeatRow| row.points.last().map_or(f64::NEG_INFINITY, |(_, value)| *value);
    crate::sort::sort_by(&mut rows, |a, b| last(b).total_cmp(&last(a)));
    let values = || shown.iter().flat_map(|(_, values)| values.iter().copied());
    let scale = (values().fold(0.0, f64::min), values().fold(1.0, f64::max));
    HeatMap { x: (from as f64, to as f64), unit: "generation", rows, scale }
}

/// Returns the text of the cursor on the fitness chart.
pub fn read_fitness(past: &GenerationRow) -> String {
    format!("generation {}: best {:.1}, mean {:.1}, worst {:.1}", past.generation, past.best, past.mean, past.worst)
}
