//! The standings of the newest generation: a row a genome, its ten weights as a heat map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Picture;
use crate::evolve::ga::Ranked;
use crate::evolve::ga::weights::WeightsView;
use crate::theme::Role;
use crate::ui::table::{Cell, Column, SortedTable};
use crate::ui::{Look, panel, put};

const COLUMNS: [Column; 13] = [
    Column::number("rank", 5),
    Column::number("%", 5),
    Column::number("H1", 4),
    Column::number("H2", 4),
    Column::number("H3", 4),
    Column::number("H4", 4),
    Column::number("H5", 4),
    Column::number("H6", 4),
    Column::number("H7", 4),
    Column::number("H8", 4),
    Column::number("H9", 4),
    Column::number("H10", 4),
    Column::number("born", 5),
];

/// Cells that all columns take.
pub const WIDTH: u16 = 83;

/// The table, sortable by any column.
pub fn table() -> SortedTable {
    SortedTable::new(&COLUMNS)
}

pub fn draw(table: &mut SortedTable, picture: &Picture, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
    let last = picture.past.last();
    let title = last.map_or("Standings".to_owned(), |past| {
        format!("Standings of generation {}: the weights of H1 to H10", past.generation)
    });
    let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
    let Some(view) = picture.view.as_ref().filter(|view| !view.ranking.is_empty()) else {
        let text = match &picture.view {
            Some(_) => "the first tournament is being played",
            None => "only the process that runs it has the population",
        };
        return put(look.span(Role::Dim, format!(" {text}")), inner, buf);
    };
    let of = |place: usize, column: usize| view.ranking.get(place).map_or(0.0, |ranked| value(ranked, column));
    let cells = |place: usize| view.ranking.get(place).map_or(Vec::new(), |ranked| row(place, ranked, view, look));
    table.draw((view.ranking.len(), view.past.len() as u64), of, cells, inner, buf, look);
}

fn row(place: usize, ranked: &Ranked, view: &WeightsView, look: &Look) -> Vec<Cell> {
    let mut cells = vec![Cell::from((place + 1).to_string()), format!("{:.1}", view.fitness(ranked)).into()];
    cells.extend(ranked.individual.genome.iter().map(|&weight| heat(weight, look)));
    cells.push(ranked.individual.born.to_string().into());
    cells
}

/// A weight from 0 to 1: brighter is larger, and so is the shade before the number.
fn heat(weight: f64, look: &Look) -> Cell {
    let shade = look.glyphs.shade[((weight * 4.0).round() as usize).min(4)];
    let number =
        if weight >= 0.995 { " 1 ".to_owned() } else { format!("{weight:.2}").trim_start_matches('0').to_owned() };
    Cell { text: format!("{shade}{number:>3}"), style: Some(look.theme.heat(weight)) }
}

fn value(ranked: &Ranked, column: usize) -> f64 {
    match column {
        1 => ranked.points as f64,
        2..=11 => ranked.individual.genome.get(column - 2).copied().unwrap_or(0.0),
        12 => ranked.individual.born as f64,
        _ => 0.0,
    }
}
