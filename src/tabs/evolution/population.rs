//! The table of the newest generation's programs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Picture;
use crate::evolve::gp::Individual;
use crate::program::kalah::KalahLanguage;
use crate::theme::Role;
use crate::ui::table::{Cell, Column, SortedTable};
use crate::ui::{Look, panel, put};

const COLUMNS: [Column; 7] = [
    Column::number("rank", 5),
    Column::number("fitness", 8),
    Column::number("first", 5),
    Column::number("second", 6),
    Column::number("nodes", 5),
    Column::number("depth", 5),
    Column::words("origin", 18),
];

/// The table, sortable by any column.
pub fn table() -> SortedTable {
    SortedTable::new(&COLUMNS)
}

pub fn draw(table: &mut SortedTable, picture: &Picture, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
    let view = picture.view.as_ref();
    let population = view.and_then(|view| view.population.as_ref());
    let title = population.map_or("Population".to_owned(), |p| format!("Population of generation {}", p.generation));
    let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
    let Some(population) = population else {
        let text = if view.is_some() { "being made" } else { "only the process that runs it has the population" };
        return put(look.span(Role::Dim, format!(" {text}")), inner, buf);
    };
    let of = |rank: usize, column: usize| population.ranked(rank).map_or(0.0, |one| value(one, column));
    let cells = |rank: usize| population.ranked(rank).map_or(Vec::new(), |one| row(rank, one));
    table.draw((population.len(), population.generation), of, cells, inner, buf, look);
}

fn row(rank: usize, one: &Individual<KalahLanguage>) -> Vec<Cell> {
    let [first, second] = [one.outcome.scores[0], one.outcome.scores[1]];
    let cells = [
        (rank + 1).to_string(),
        number(one.outcome.fitness),
        number(first),
        number(second),
        one.nodes().to_string(),
        one.depth.to_string(),
        one.operator.to_string(),
    ];
    cells.map(Cell::from).into()
}

fn value(one: &Individual<KalahLanguage>, column: usize) -> f64 {
    match column {
        1 => one.outcome.fitness,
        2 => one.outcome.scores[0],
        3 => one.outcome.scores[1],
        4 => one.nodes().into(),
        5 => one.depth.into(),
        _ => f64::from(one.operator as u8),
    }
}

/// Whole numbers plainly, means with a decimal.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.1}") }
}
