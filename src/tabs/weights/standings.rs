//! The standings of the newest generation: one row per genome, with its weights as a heat map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ViewModel;
use crate::evolve::ga::{GaView, Member};
use crate::theme::Role;
use crate::ui::table::{Cell, Column, SortedTable};
use crate::ui::{Look, panel, put};

/// Minimum width in cells of a weight's column.
const WEIGHT: u16 = 4;

/// Returns the table before the genes are known.
pub fn table() -> SortedTable {
    SortedTable::new(&columns(&[]))
}

/// Returns the columns: rank, fitness, one per gene, and the generation of birth.
fn columns(genes: &[(&'static str, &'static str)]) -> Vec<Column> {
    let gene = |(name, _): &(&'static str, &'static str)| Column::number(name, WEIGHT.max(name.len() as u16));
    let first = [Column::number("rank", 5), Column::number("%", 5)];
    let last = Column::number("born", 5);
    first.into_iter().chain(genes.iter().map(gene)).chain([last]).collect()
}

/// Returns the total width of the columns in cells.
pub fn wide(genes: &[(&'static str, &'static str)]) -> u16 {
    // A gap after each column, the marker before the first, and a blank at the end.
    2 + columns(genes).iter().map(|column| column.width + 2).sum::<u16>()
}

pub fn draw(table: &mut SortedTable, view_model: &ViewModel, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
    let last = view_model.past.last();
    let title = last.map_or("Standings".to_owned(), |past| {
        let ends = [view_model.labels.genes.first(), view_model.labels.genes.last()];
        let [from, to] = ends.map(|gene| gene.map_or("", |(name, _)| name));
        format!("Standings of generation {}: the weights of {from} to {to}", past.generation)
    });
    let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
    let Some(view) = view_model.view.as_ref().filter(|view| !view.ranking.is_empty()) else {
        let text = match &view_model.view {
            Some(_) => "playing the first tournament",
            None => "only the running process has the population",
        };
        return put(look.span(Role::Dim, format!(" {text}")), inner, buf);
    };
    table.set_columns(&columns(&view_model.labels.genes));
    let of =
        |place: usize, column: usize| view.ranking.get(place).map_or(0.0, |ranked| value(view_model, ranked, column));
    let cells =
        |place: usize| view.ranking.get(place).map_or(Vec::new(), |ranked| row(place, ranked, view_model, view, look));
    table.draw((view.ranking.len(), view.past.len() as u64), of, cells, inner, buf, look);
}

fn row(place: usize, ranked: &Member, view_model: &ViewModel, view: &GaView, look: &Look) -> Vec<Cell> {
    let mut cells = vec![Cell::from((place + 1).to_string()), format!("{:.1}", view.fitness(ranked)).into()];
    cells.extend(view_model.of_member(ranked).into_iter().map(|weight| heat(weight, look)));
    cells.push(ranked.individual.born.to_string().into());
    cells
}

/// Returns the cell of a weight. Larger weights, up to 1, are brighter and have a denser shade before the number. Negative weights
/// and those above 1 have one decimal.
fn heat(weight: f64, look: &Look) -> Cell {
    let shade = look.glyphs.shade[((weight.abs() * 4.0).round() as usize).min(4)];
    let number = match weight {
        9.95.. => format!("{weight:.0}"),
        1.05.. => format!("{weight:.1}"),
        0.995.. => " 1 ".to_owned(),
        ..=-0.95 => format!("{}1 ", look.glyphs.minus),
        ..=-0.05 => format!("{}.{:.0}", look.glyphs.minus, -10.0 * weight),
        _ => format!("{:.2}", weight.max(0.0)).trim_start_matches('0').to_owned(),
    };
    Cell { text: format!("{shade}{number:>3}"), style: Some(look.theme.heat(weight.abs())) }
}

fn value(view_model: &ViewModel, ranked: &Member, column: usize) -> f64 {
    match column {
        1 => ranked.points as f64,
        0 => 0.0,
        _ => {
            let shown = view_model.settings.shown(&ranked.individual.genome);
            shown.get(column - 2).copied().unwrap_or(ranked.individual.born as f64)
        }
    }
}
