//! The curves of a run: fitness, and the weights of each generation's best.

use super::ViewModel;
use crate::evolve::ga::GenerationRow;
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Chart, Pattern, Series};

/// Returns the rows between two generations, about `most` of them: those at multiples of a step, so that the selection is stable
/// while the run continues, and the newest.
pub fn between(view_model: &ViewModel, (from, to): (u64, u64), most: usize) -> Vec<&GenerationRow> {
    let seen: Vec<&GenerationRow> =
        view_model.past.iter().filter(|past| (from..=to).contains(&past.generation)).collect();
    let step = seen.len().div_ceil(most.max(1)).next_power_of_two() as u64;
    let newest = seen.last().map(|past| past.generation);
    seen.into_iter().filter(|past| past.generation % step == 0 || Some(past.generation) == newest).collect()
}

fn chart(
    view_model: &ViewModel,
    lens: &Lens,
    cells: u16,
    series: impl FnOnce(&dyn Fn(&dyn Fn(&GenerationRow) -> f64) -> Vec<(f64, f64)>) -> Vec<Series>,
) -> Chart {
    let (from, to) = lens.range(view_model.newest(), view_model.of);
    let rows = between(view_model, (from, to), usize::from(cells) * 2);
    let points =
        |of: &dyn Fn(&GenerationRow) -> f64| rows.iter().map(|past| (past.generation as f64, of(past))).collect();
    let cursor = lens.cursor.map(|at| at as f64);
    Chart { x: (from as f64, to as f64), series: series(&points), cursor, ..Chart::default() }
}

/// Returns the chart of best, mean and worst fitness.
pub fn fitness(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    chart(view_model, lens, cells, |points| {
        vec![
            Series::new("worst", Role::Curve3, Pattern::Dotted, points(&|past| past.worst)),
            Series::new("mean", Role::Curve2, Pattern::Dashed, points(&|past| past.mean)),
            Series::new("best", Role::Curve1, Pattern::Solid, points(&|past| past.best)),
        ]
    })
}

/// Maximum number of curves that colour and pattern distinguish.
const MOST: usize = 12;

/// Returns the chart of the best genome's weights; if only proportions matter, those of the largest weights of the newest best.
pub fn game_state(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let mut shown = view_model.order();
    shown.truncate(MOST);
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let chart = chart(view_model, lens, cells, |points| {
        let weight =
            |index: usize| points(&|past| view_model.shown(&past.best_genome).get(index).copied().unwrap_or(0.0));
        // The legend lists the curves in reverse drawing order.
        let curves = shown.iter().enumerate().rev().map(|(nth, &gene)| {
            let points: Vec<(f64, f64)> = weight(gene);
            low = points.iter().fold(low, |low, (_, value)| low.min(*value));
            high = points.iter().fold(high, |high, (_, value)| high.max(*value));
            Series::nth(nth, view_model.labels.genes[gene].0, points)
        });
        curves.collect()
    });
    Chart { y: Some((low, high)), ..chart }
}

/// Returns the text of the cursor on the fitness chart.
pub fn read_fitness(past: &GenerationRow) -> String {
    format!("generation {}: best {:.1}, mean {:.1}, worst {:.1}", past.generation, past.best, past.mean, past.worst)
}

/// Returns the text of the cursor on the chart of weights.
pub fn read_course(view_model: &ViewModel, past: &GenerationRow) -> String {
    let values = view_model.shown(&past.best_genome);
    let mut genes = view_model.order();
    genes.truncate(MOST);
    let weight = |gene: usize| values.get(gene).copied().unwrap_or(0.0);
    let weights = genes.into_iter().map(|gene| format!("{} {:.2}", view_model.labels.genes[gene].0, weight(gene)));
    format!("generation {}: {}", past.generation, weights.collect::<Vec<_>>().join(", "))
}
