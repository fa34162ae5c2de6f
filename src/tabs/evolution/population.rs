//! The table of the newest generation's programs.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Picture;
use crate::evolve::gp::{Individual, Population};
use crate::evolve::kalah::KalahLanguage;
use crate::theme::Role;
use crate::ui::list::ListState;
use crate::ui::table::{self, Cell, Column, Order};
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

/// Rows, order and selection.
pub struct Table {
    pub list: ListState,
    order: Order,
    /// The ranks in the order shown, of the generation and order they were made for.
    ranks: Vec<usize>,
    made_for: Option<(u64, Order)>,
    places: Vec<(Rect, usize)>,
    height: usize,
}

impl Default for Table {
    fn default() -> Table {
        let order = Order { column: 0, descending: false };
        Table { list: ListState::default(), order, ranks: Vec::new(), made_for: None, places: Vec::new(), height: 1 }
    }
}

impl Table {
    pub fn turn(&mut self, by: isize) {
        self.order = self.order.turn(by, COLUMNS.len());
    }

    pub fn reverse(&mut self) {
        self.order = self.order.reversed();
    }

    pub fn key(&mut self, code: KeyCode, picture: &Picture) -> bool {
        let len =
            picture.view.as_ref().and_then(|view| view.population.as_ref()).map_or(0, |population| population.len());
        self.list.key(code, len, self.height, true)
    }

    pub fn click(&mut self, at: (u16, u16)) -> bool {
        let hit = self.places.iter().find(|(place, _)| place.contains(at.into())).map(|&(_, index)| index);
        self.list.selected = hit.unwrap_or(self.list.selected);
        hit.is_some()
    }

    /// The selected program's rank, from 0.
    pub fn selected(&self) -> usize {
        self.ranks.get(self.list.selected).copied().unwrap_or(0)
    }

    fn sort(&mut self, population: &Population<KalahLanguage>) {
        let wanted = Some((population.generation, self.order));
        if self.made_for == wanted {
            return;
        }
        self.made_for = wanted;
        self.ranks = (0..population.len()).collect();
        let Order { column, descending } = self.order;
        if column > 0 {
            let value = |rank: &usize| population.ranked(*rank).map_or(0.0, |one| value(one, column));
            self.ranks.sort_by(|a, b| value(a).total_cmp(&value(b)).then(a.cmp(b)));
        }
        if descending {
            self.ranks.reverse();
        }
    }

    pub fn draw(&mut self, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
        let view = picture.view.as_ref();
        let population = view.and_then(|view| view.population.as_ref());
        let title =
            population.map_or("Population".to_owned(), |p| format!("Population of generation {}", p.generation));
        let inner = panel(area, Line::from(look.span(Role::Title, title)), true, buf, look);
        let Some(population) = population else {
            let text = if view.is_some() { "being made" } else { "only the process that runs it has the population" };
            return put(look.span(Role::Dim, format!(" {text}")), inner, buf);
        };
        self.sort(population);
        self.height = usize::from(inner.height.saturating_sub(1));
        let ranks = &self.ranks;
        let cells = |index: usize| {
            let rank = ranks.get(index).copied().unwrap_or(0);
            population.ranked(rank).map_or(Vec::new(), |one| row(rank, one))
        };
        let list = (ranks.len(), &mut self.list);
        self.places = table::draw(&COLUMNS, Some(self.order), list, cells, inner, buf, look);
    }
}

fn row(rank: usize, one: &Individual<KalahLanguage>) -> Vec<Cell> {
    let [first, second] = one.outcome.scores;
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
