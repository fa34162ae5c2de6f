//! The table of the newest generation's programs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ViewModel;
use crate::evolve::gp::{Measure, Measures, Selectable};
use crate::theme::Role;
use crate::ui::table::{Cell, Column, SortedTable};
use crate::ui::{Look, panel, put};

/// Returns the columns for these measures.
fn columns(measures: &Measures) -> Vec<Column> {
    let own = |measure: &Measure| Column::number(measure.short, (measure.short.len() as u16).max(5));
    let front = [Column::number("rank", 5), Column::number("fitness", 8)];
    let end = [Column::number("nodes", 5), Column::number("depth", 5), Column::words("origin", 18)];
    front.into_iter().chain(measures.all.iter().map(own)).chain(end).collect()
}

/// Returns the table, sortable by any column; the columns are set when it is drawn.
pub fn table() -> SortedTable {
    SortedTable::new(&[])
}

pub fn draw(table: &mut SortedTable, view_model: &ViewModel, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
    let view = view_model.view.as_deref();
    let population = view.and_then(|view| Some((view, view.population()?)));
    let title = population
        .map_or("Population".to_owned(), |(_, (generation, _))| format!("Population of generation {generation}"));
    let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
    let Some((view, (generation, len))) = population else {
        let text = if view.is_some() { "computing" } else { "only the running process has the population" };
        return put(look.span(Role::Dim, format!(" {text}")), inner, buf);
    };
    let measures = view_model.history.measures();
    table.set_columns(&columns(measures));
    let of = |rank: usize, column: usize| view.ranked(rank).map_or(0.0, |one| value(one, column));
    let cells = |rank: usize| view.ranked(rank).map_or(Vec::new(), |one| row(rank, one));
    table.draw((len, generation), of, cells, inner, buf, look);
}

fn row(rank: usize, one: &Selectable) -> Vec<Cell> {
    let front = [(rank + 1).to_string(), number(one.outcome.fitness)];
    let scores = one.outcome.scores.iter().map(|&score| number(score));
    let end = [one.nodes.to_string(), one.depth.to_string(), one.operator.to_string()];
    front.into_iter().chain(scores).chain(end).map(Cell::from).collect()
}

fn value(one: &Selectable, column: usize) -> f64 {
    let scores = &one.outcome.scores;
    match column.checked_sub(2) {
        None => one.outcome.fitness,
        Some(score) if score < scores.len() => scores[score],
        Some(other) => {
            [one.nodes.into(), one.depth.into(), f64::from(one.operator as u8)][(other - scores.len()).min(2)]
        }
    }
}

/// Formats whole numbers without decimals, others with one.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.1}") }
}
