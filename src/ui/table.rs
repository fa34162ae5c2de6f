//! A table: aligned columns, a selected row, a sorted column.

use std::cmp::Ordering;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::list::{ListState, scrollbar};
use super::{Canvas, Look, clip, hit_test, put, row, width};
use crate::theme::Role;

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub title: &'static str,
    /// Cells, without the gap between columns. A last column of words takes the remaining width.
    pub width: u16,
    /// Whether it is aligned to the right (numbers) or to the left (words).
    pub right: bool,
    /// Whether the order by this column begins with the largest value.
    descends: bool,
}

impl Column {
    pub const fn number(title: &'static str, width: u16) -> Column {
        Column { title, width, right: true, descends: true }
    }

    pub const fn words(title: &'static str, width: u16) -> Column {
        Column { title, width, right: false, descends: false }
    }

    /// The same column, of words or pictures that stand for numbers.
    pub const fn of_numbers(self) -> Column {
        Column { descends: true, ..self }
    }

    fn cell(&self, text: &str, look: &Look) -> String {
        let text = clip(text, self.width, look);
        let gap = " ".repeat(usize::from(self.width.saturating_sub(width(&text))));
        if self.right { gap + &text } else { text + &gap }
    }
}

/// The contents of a cell; without a style it has that of its row.
#[derive(Clone, Debug)]
pub struct Cell {
    pub text: String,
    pub style: Option<Style>,
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text, style: None }
    }
}

/// The column that orders the rows, and whether the largest comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    pub column: usize,
    pub descending: bool,
}

impl Order {
    /// Returns the order by the next column to the left or right, wrapping around; `descends`: whether it begins with the largest.
    #[must_use]
    pub fn turn(self, by: isize, columns: usize, descends: impl Fn(usize) -> bool) -> Order {
        let column = (self.column as isize + by).rem_euclid(columns.max(1) as isize) as usize;
        Order { column, descending: descends(column) }
    }

    /// Turns a comparison of two values around if the largest comes first. Equal ones keep their places.
    pub fn compared(self, ordering: Ordering) -> Ordering {
        if self.descending { ordering.reverse() } else { ordering }
    }

    #[must_use]
    pub fn reversed(self) -> Order {
        Order { descending: !self.descending, ..self }
    }
}

/// A column of a sorted table, with the values that sort the rows by it and their cells.
pub struct Field<'a> {
    column: Column,
    value: Box<dyn Fn(usize) -> f64 + 'a>,
    cell: Box<dyn Fn(usize) -> Cell + 'a>,
}

impl<'a> Field<'a> {
    /// `value` and `cell` return those of a row, by its index in the original order.
    pub fn new<C: Into<Cell>>(
        column: Column,
        value: impl Fn(usize) -> f64 + 'a,
        cell: impl Fn(usize) -> C + 'a,
    ) -> Field<'a> {
        Field { column, value: Box::new(value), cell: Box::new(move |row| cell(row).into()) }
    }
}

/// Draws the header and as many rows as fit; `cells` returns the contents of row `index`. Returns the areas of the rows
/// shown, with their indices, for the mouse.
pub fn draw(
    columns: &[Column],
    order: Option<Order>,
    (len, list): (usize, &mut ListState),
    cells: impl Fn(usize) -> Vec<Cell>,
    area: Rect,
    buf: &mut Buffer,
    look: &Look,
) -> Vec<(Rect, usize)> {
    let all = columns.len();
    let columns = fitting(columns, area.width);
    let header = |index: usize, column: &Column| {
        let arrow = match order.filter(|order| order.column == index) {
            Some(Order { descending: true, .. }) => look.glyphs.down,
            Some(_) => look.glyphs.up,
            None => "",
        };
        let role = if arrow.is_empty() { Role::Dim } else { Role::Accent };
        let title = if column.right { format!("{arrow}{}", column.title) } else { format!("{}{arrow}", column.title) };
        look.span(role, column.cell(&title, look))
    };
    let mut spans = vec![Span::raw(" ")];
    for (index, column) in columns.iter().enumerate() {
        spans.extend([header(index, column), Span::raw("  ")]);
    }
    put(Line::from(spans), area, buf);
    if columns.len() < all && buf.area.contains((area.right(), area.y).into()) {
        // On the frame: more columns exist.
        buf[(area.right(), area.y)].set_symbol(look.glyphs.ellipsis).set_style(look.style(Role::Dim));
    }
    let body = Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area };
    let mut places = Vec::new();
    let shown = list.window(len, usize::from(body.height));
    scrollbar(body, &shown, len, buf, look);
    for (line, index) in shown.enumerate() {
        let place = row(body, line as u16);
        let selected = index == list.selected;
        let role = if selected { Role::Selection } else { Role::Text };
        if selected {
            buf.set_style(place, look.style(role));
            look.cursor_place.set(place);
        }
        let mut line = Line::from(look.span(role, if selected { look.glyphs.pointer } else { " " }));
        for (column, cell) in columns.iter().zip(cells(index)) {
            let style = cell.style.map_or(look.style(role), |own| look.style(role).patch(own));
            line.spans
                .extend([Span::styled(column.cell(&cell.text, look), style), Span::styled("  ", look.style(role))]);
        }
        put(line, place, buf);
        places.push((place, index));
    }
    places
}

/// A table that can be sorted by any column. The first column is the original order.
#[derive(Default)]
pub struct SortedTable {
    pub list: ListState,
    columns: Vec<Column>,
    order: Order,
    /// The rows in the order shown, and the version and order that they were sorted for.
    rows: Vec<usize>,
    made_for: Option<(u64, Order)>,
    places: Vec<(Rect, usize)>,
    height: usize,
}

impl SortedTable {
    /// Replaces the columns; the order is reset if their number differs.
    fn set_columns(&mut self, columns: Vec<Column>) {
        if columns.len() != self.columns.len() {
            self.order = Order { column: 0, descending: false };
            self.made_for = None;
        }
        self.columns = columns;
    }

    /// Returns the table for other rows: in the same order, with the first selected.
    #[must_use]
    pub fn anew(self) -> SortedTable {
        SortedTable { order: self.order, columns: self.columns, ..SortedTable::default() }
    }

    /// Sets the number of rows before they are drawn and sorted, so that keys work.
    pub fn set_len(&mut self, len: usize) {
        if self.rows.len() != len {
            (self.rows, self.made_for) = ((0..len).collect(), None);
        }
    }

    /// Sorts by the next column to the left or right: numbers with the largest first, words from A on.
    pub fn turn(&mut self, by: isize) {
        let columns = &self.columns;
        self.order = self.order.turn(by, columns.len(), |column| column > 0 && columns[column].descends);
    }

    pub fn reverse(&mut self) {
        self.order = self.order.reversed();
    }

    /// Moves the selection by its keys. Returns whether the key is one of them.
    pub fn key(&mut self, code: KeyCode) -> bool {
        self.list.key(code, self.rows.len(), self.height, true)
    }

    /// Selects the row at a position. Returns whether there is one.
    pub fn click(&mut self, at: (u16, u16)) -> bool {
        let hit = hit_test(&self.places, at);
        self.list.selected = hit.unwrap_or(self.list.selected);
        hit.is_some()
    }

    /// Returns the selected row, as an index in the original order.
    pub fn selected(&self) -> usize {
        self.rows.get(self.list.selected).copied().unwrap_or(0)
    }

    /// Draws `len` rows that change only with their `version`.
    pub fn draw(&mut self, (len, version): (usize, u64), fields: &[Field<'_>], canvas: Canvas<'_>) {
        let Canvas { area, buf, look, .. } = canvas;
        self.set_columns(fields.iter().map(|field| field.column).collect());
        if self.made_for != Some((version, self.order)) {
            self.made_for = Some((version, self.order));
            self.sort(len, &*fields[self.order.column].value);
        }
        self.height = usize::from(area.height.saturating_sub(1));
        let cells = |row: usize| fields.iter().map(|field| (field.cell)(row)).collect();
        let rows = &self.rows;
        let cells = |index: usize| rows.get(index).map_or(Vec::new(), |&row| cells(row));
        let list = (rows.len(), &mut self.list);
        self.places = draw(&self.columns, Some(self.order), list, cells, area, buf, look);
    }

    fn sort(&mut self, len: usize, value: &dyn Fn(usize) -> f64) {
        self.rows = (0..len).collect();
        let Order { column, .. } = self.order;
        if column > 0 {
            let compare = |a: usize, b: usize| self.order.compared(value(a).total_cmp(&value(b))).then(a.cmp(&b));
            crate::sort::sort_by(&mut self.rows, |&a, &b| compare(a, b));
        } else if self.order.descending {
            self.rows.reverse();
        }
    }
}

/// Returns the columns that fit as a whole; a last column of words takes the remaining width.
fn fitting(columns: &[Column], width: u16) -> Vec<Column> {
    let needs = |columns: &[Column]| 1 + columns.iter().map(|column| column.width + 2).sum::<u16>();
    let count = (1..=columns.len()).take_while(|&count| needs(&columns[..count]) <= width + 2).count().max(1);
    let mut fitting = columns[..count.min(columns.len())].to_vec();
    let rest = (width + 2).saturating_sub(needs(&fitting));
    if let Some(last) = fitting.last_mut().filter(|last| count == columns.len() && !last.right) {
        last.width += rest;
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;

    #[test]
    fn columns_are_aligned_and_the_selected_row_is_marked() {
        let columns = [Column::number("rank", 4), Column::number("fitness", 8), Column::words("origin", 6)];
        let area = Rect::new(0, 0, 28, 4);
        let mut buf = Buffer::empty(area);
        let mut list = ListState::default();
        list.selected = 2;
        let order = Some(Order { column: 1, descending: true });
        let cells = |index: usize| {
            [index.to_string(), (index * 1000).to_string(), "crossover".to_owned()].map(Cell::from).into()
        };
        let places = draw(&columns, order, (9, &mut list), cells, area, &mut buf, &look());
        let rows = |y| (0..28).map(|x| buf[(x, y)].symbol()).collect::<String>();
        assert_eq!(rows(0), " rank  ↓fitness  origin     ");
        assert_eq!(rows(1), "    0         0  crossover  ");
        assert_eq!(rows(3), "▸   2      2000  crossover  ");
        assert_eq!(places[2].1, 2);
    }

    #[test]
    fn orders_turn_and_reverse() {
        let order = Order { column: 0, descending: true };
        let turned = order.turn(-1, 3, |column| column == 2);
        assert_eq!(turned, Order { column: 2, descending: true });
        assert_eq!(turned.turn(-1, 3, |column| column == 2), Order { column: 1, descending: false });
        assert!(!order.reversed().descending);
    }
}
