//! The table of the newest generation's programs.

use super::ViewModel;
use crate::evolve::gp::{Measure, Measures, Selectable};
use crate::evolve::inspect::AnyView;
use crate::ui::Canvas;
use crate::ui::table::{Column, Field, SortedTable};

pub fn draw(table: &mut SortedTable, view_model: &ViewModel, mut canvas: Canvas<'_>) {
    let view = view_model.view.as_deref();
    let Some((view, (generation, len))) = view.and_then(|view| Some((view, view.population()?))) else {
        let text = if view.is_some() { "computing" } else { "only the running process has the population" };
        return canvas.panel("Population").explain(text);
    };
    let inner = canvas.panel(format!("Population of generation {generation}"));
    table.draw((len, generation), &fields(view, view_model.history.measures()), inner);
}

/// Returns the columns of a population with these measures.
fn fields<'a>(view: &'a dyn AnyView, measures: &Measures) -> Vec<Field<'a>> {
    let score = |(at, measure): (usize, &Measure)| {
        let column = Column::number(measure.short, (measure.short.len() as u16).max(5));
        number_field(view, column, move |one| one.outcome.scores.get(at).copied().unwrap_or(0.0))
    };
    let operator = |rank: usize| view.ranked(rank).map(|one| one.operator);
    let mut fields = vec![
        Field::new(Column::number("rank", 5), |rank| rank as f64, |rank| (rank + 1).to_string()),
        number_field(view, Column::number("fitness", 8), |one| one.outcome.fitness),
    ];
    fields.extend(measures.all.iter().enumerate().map(score));
    fields.extend([
        number_field(view, Column::number("nodes", 5), |one| one.nodes.into()),
        number_field(view, Column::number("depth", 5), |one| one.depth.into()),
        Field::new(
            Column::words("origin", 18),
            move |rank| operator(rank).map_or(0.0, |operator| f64::from(operator as u8)),
            move |rank| operator(rank).map_or(String::new(), |operator| operator.to_string()),
        ),
    ]);
    fields
}

/// Returns a column of numbers of the programs.
fn number_field<'a>(view: &'a dyn AnyView, column: Column, of: impl Fn(&Selectable) -> f64 + Copy + 'a) -> Field<'a> {
    let value = move |rank| view.ranked(rank).map_or(0.0, of);
    Field::new(column, value, move |rank| number(value(rank)))
}

/// Formats whole numbers without decimals, others with one.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.1}") }
}
