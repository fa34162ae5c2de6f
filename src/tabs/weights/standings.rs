//! The standings of the newest generation: a row a genome, its ten weights as a heat map.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Picture;
use crate::evolve::ga::Ranked;
use crate::evolve::ga::weights::WeightsView;
use crate::theme::Role;
use crate::ui::list::ListState;
use crate::ui::table::{self, Cell, Column, Order};
use crate::ui::{Look, panel, put};

const COLUMNS: [Column; 13] = [
    Column::number("rank", 5),
    Column::number("%", 5),
    Column::number("W1", 4),
    Column::number("W2", 4),
    Column::number("W3", 4),
    Column::number("W4", 4),
    Column::number("W5", 4),
    Column::number("W6", 4),
    Column::number("W7", 4),
    Column::number("W8", 4),
    Column::number("W9", 4),
    Column::number("W10", 4),
    Column::number("born", 5),
];

/// Rows, order and selection.
pub struct Standings {
    pub list: ListState,
    order: Order,
    rows: Vec<usize>,
    made_for: Option<(usize, Order)>,
    places: Vec<(Rect, usize)>,
    height: usize,
}

impl Default for Standings {
    fn default() -> Standings {
        let order = Order { column: 0, descending: false };
        Standings { list: ListState::default(), order, rows: Vec::new(), made_for: None, places: Vec::new(), height: 1 }
    }
}

impl Standings {
    pub fn turn(&mut self, by: isize) {
        self.order = self.order.turn(by, COLUMNS.len());
    }

    pub fn reverse(&mut self) {
        self.order = self.order.reversed();
    }

    pub fn key(&mut self, code: KeyCode, picture: &Picture) -> bool {
        let len = picture.view.as_ref().map_or(0, |view| view.ranking.len());
        self.list.key(code, len, self.height, true)
    }

    pub fn click(&mut self, at: (u16, u16)) -> bool {
        let hit = self.places.iter().find(|(place, _)| place.contains(at.into())).map(|&(_, index)| index);
        self.list.selected = hit.unwrap_or(self.list.selected);
        hit.is_some()
    }

    /// The selected genome's place in the ranking, from 0.
    pub fn selected(&self) -> usize {
        self.rows.get(self.list.selected).copied().unwrap_or(0)
    }

    fn sort(&mut self, view: &WeightsView) {
        let wanted = Some((view.past.len(), self.order));
        if self.made_for == wanted {
            return;
        }
        self.made_for = wanted;
        self.rows = (0..view.ranking.len()).collect();
        let Order { column, descending } = self.order;
        let value = |row: &usize| view.ranking.get(*row).map_or(0.0, |ranked| value(ranked, column));
        if column > 0 {
            self.rows.sort_by(|a, b| value(a).total_cmp(&value(b)).then(a.cmp(b)));
        }
        if descending {
            self.rows.reverse();
        }
    }

    pub fn draw(&mut self, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = picture
            .past
            .last()
            .map_or("Standings".to_owned(), |past| format!("Standings of generation {}", past.generation));
        let inner = panel(area, Line::from(look.span(Role::Title, title)), true, buf, look);
        let Some(view) = picture.view.as_ref().filter(|view| !view.ranking.is_empty()) else {
            let text = if picture.view.is_some() {
                "the first tournament is being played"
            } else {
                "only the process that runs it has the population"
            };
            return put(look.span(Role::Dim, format!(" {text}")), inner, buf);
        };
        self.sort(view);
        self.height = usize::from(inner.height.saturating_sub(1));
        let rows = &self.rows;
        let cells = |index: usize| {
            let place = rows.get(index).copied().unwrap_or(0);
            view.ranking.get(place).map_or(Vec::new(), |ranked| row(place, ranked, view, look))
        };
        let list = (rows.len(), &mut self.list);
        self.places = table::draw(&COLUMNS, Some(self.order), list, cells, inner, buf, look);
    }
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
