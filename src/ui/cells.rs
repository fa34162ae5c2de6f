//! A grid of cells, one per item, in rows that fit the width: in blocks of ten, each group starting a new row.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::list::scrollbar;
use super::{Look, put, row, squeeze, width};
use crate::theme::Role;

/// Consecutive items that belong together.
pub struct Group {
    /// The label of its first row; if empty, the number of its first item.
    pub name: String,
    pub first: usize,
    pub count: usize,
}

/// The longest label of a group, in cells.
const LONGEST_NAME: u16 = 28;

/// A row of the grid: its group, its first item and its number of items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row {
    group: usize,
    first: usize,
    count: usize,
}

/// The grid, with its selection and scroll position.
pub struct CellGrid {
    pub selected: usize,
    groups: Vec<Group>,
    rows: Vec<Row>,
    /// Cells of the labels in front of the rows.
    labels: u16,
    /// Cells of an item.
    wide: u16,
    /// Columns from one cell to the next, and the most cells in a row.
    step: u16,
    most: usize,
    top: usize,
    area: Rect,
}

impl CellGrid {
    pub fn new(groups: Vec<Group>) -> CellGrid {
        let numbers = width(&groups.last().map_or(0, |group| group.first + group.count).to_string());
        let names = groups.iter().map(|group| width(&group.name)).max().unwrap_or(0).min(LONGEST_NAME);
        let labels = numbers.max(names);
        let grid = Rect::default();
        CellGrid { selected: 0, groups, rows: Vec::new(), labels, wide: 1, step: 1, most: 0, top: 0, area: grid }
    }

    fn len(&self) -> usize {
        self.groups.last().map_or(0, |group| group.first + group.count)
    }

    /// Sets the cells of an item, 1 at first.
    pub fn set_item_width(&mut self, wide: u16) {
        if self.wide != wide.max(1) {
            (self.wide, self.most) = (wide.max(1), 0);
        }
    }

    /// Returns the columns from one item to the next: with blanks between them, and as close as possible.
    fn steps(&self) -> [u16; 2] {
        [self.wide + 1, if self.wide == 1 { 1 } else { self.wide + 1 }]
    }

    /// Returns the cells of a row of `count` items with blanks between them.
    pub fn row_width(&self, count: usize) -> u16 {
        self.labels + 2 + count as u16 * (self.wide + 1) + (count.saturating_sub(1) / 10) as u16
    }

    /// Returns the number of items in a row of `cells` columns with `step` columns per item: a multiple of ten where
    /// ten fit.
    fn fitting(&self, cells: u16, step: u16) -> usize {
        let room = usize::from(cells.saturating_sub(self.labels + 2));
        // One more for the bracket after the last.
        let tens = room + 1;
        let single = room;
        match 10 * (tens / (10 * usize::from(step) + 1)) {
            0 => (single / usize::from(step)).clamp(1, 9),
            most => most,
        }
    }

    fn count_rows(&self, most: usize) -> usize {
        self.groups.iter().map(|group| group.count.div_ceil(most)).sum()
    }

    /// Returns the number of rows needed for all items in `cells` × `rows`: with blanks between the items if they fit.
    pub fn height(&self, cells: u16, rows: u16) -> usize {
        let [airy, close] = self.steps().map(|step| self.count_rows(self.fitting(cells, step)));
        if airy <= usize::from(rows) { airy } else { close }
    }

    fn arrange(&mut self, area: Rect) {
        let [airy, close] = self.steps().map(|step| (step, self.fitting(area.width, step)));
        let is_airy = self.count_rows(airy.1) <= usize::from(area.height);
        let (step, most) = if is_airy { airy } else { close };
        if (step, most) != (self.step, self.most) {
            (self.step, self.most) = (step, most);
            let rows = self.groups.iter().enumerate().flat_map(|(index, group)| {
                let end = group.first + group.count;
                let row = move |first| Row { group: index, first, count: most.min(end - first) };
                (group.first..end).step_by(most).map(row)
            });
            self.rows = rows.collect();
        }
        self.area = area;
        let at = self.row_of(self.selected);
        let height = usize::from(area.height);
        self.top = self.top.min(self.rows.len().saturating_sub(height)).min(at).max((at + 1).saturating_sub(height));
    }

    fn row_of(&self, thing: usize) -> usize {
        self.rows.partition_point(|row| row.first <= thing).saturating_sub(1)
    }

    /// Moves the selection by its keys. Returns whether the key is one of them.
    pub fn key(&mut self, key: KeyCode) -> bool {
        let last = self.len().saturating_sub(1);
        let page = isize::from(self.area.height.max(2) as i16 - 1);
        match key {
            KeyCode::Left => self.selected = self.selected.saturating_sub(1),
            KeyCode::Right => self.selected = (self.selected + 1).min(last),
            KeyCode::Home | KeyCode::Char('g') => self.selected = 0,
            KeyCode::End | KeyCode::Char('G') => self.selected = last,
            KeyCode::Up | KeyCode::Char('k') => self.go(-1),
            KeyCode::Down | KeyCode::Char('j') => self.go(1),
            KeyCode::PageUp => self.go(-page),
            KeyCode::PageDown => self.go(page),
            _ => return false,
        }
        true
    }

    /// Moves by `by` rows, and keeps the column where the row is long enough.
    pub fn go(&mut self, by: isize) {
        let from = self.row_of(self.selected);
        let to = from.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
        if let (Some(from), Some(to)) = (self.rows.get(from), self.rows.get(to)) {
            self.selected = to.first + (self.selected - from.first).min(to.count - 1);
        }
    }

    pub fn is_over(&self, at: (u16, u16)) -> bool {
        self.area.contains(at.into())
    }

    /// Selects the item at a position. Returns whether there is one.
    pub fn click(&mut self, (x, y): (u16, u16)) -> bool {
        if !self.is_over((x, y)) {
            return false;
        }
        let Some(row) = self.rows.get(self.top + usize::from(y - self.area.y)) else { return false };
        let hit = (0..row.count).find(|&place| {
            let left = self.area.x + self.offset(place);
            // The blank after a cell belongs to it.
            (left..left + self.step).contains(&x)
        });
        self.selected = hit.map_or(self.selected, |place| row.first + place);
        hit.is_some()
    }

    /// Returns the first column of a cell in its row.
    fn offset(&self, place: usize) -> u16 {
        self.labels + 2 + place as u16 * self.step + (place / 10) as u16
    }

    /// Draws as many rows as fit, the selected item among them; `cell` returns the text of an item and its style. Returns the groups that
    /// begin in the rows shown, and the areas of these rows.
    pub fn draw(
        &mut self,
        cell: impl Fn(usize) -> (String, Style),
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Vec<(usize, Rect)> {
        let mut begun = Vec::new();
        if area.is_empty() {
            return begun;
        }
        self.arrange(area);
        let shown = self.top..self.rows.len().min(self.top + usize::from(area.height));
        scrollbar(area, &shown, self.rows.len(), buf, look);
        for (line, Row { group, first, count }) in self.rows.iter().skip(self.top).copied().enumerate() {
            if line >= usize::from(area.height) {
                break;
            }
            let place = row(area, line as u16);
            let number = group;
            let group = &self.groups[group];
            if first == group.first {
                begun.push((number, place));
            }
            put(look.span(Role::Dim, self.label(group, first, look)), place, buf);
            let chosen = (first..first + count).contains(&self.selected);
            for thing in 0..count {
                let (text, style) = cell(first + thing);
                let text = format!("{text:>wide$}", wide = usize::from(self.wide));
                put(Span::styled(text, style), within(place, place.x + self.offset(thing), self.wide), buf);
            }
            if chosen {
                self.draw_chosen(&cell(self.selected).0, place, self.offset(self.selected - first), buf, look);
            }
        }
        begun
    }

    /// Draws a text above each item of the first row of `group`.
    pub fn draw_heads(&self, group: usize, text: impl Fn(usize) -> String, line: Rect, buf: &mut Buffer, look: &Look) {
        let count = self.groups.get(group).map_or(0, |group| group.count.min(self.most));
        for thing in 0..count {
            let text = text(thing);
            let x = line.x + self.offset(thing) + self.wide.saturating_sub(width(&text));
            put(look.span(Role::Dim, text), within(line, x, self.wide), buf);
        }
    }

    /// Draws the selected item, in brackets where they fit, so that it is visible without colour.
    fn draw_chosen(&self, glyph: &str, place: Rect, offset: u16, buf: &mut Buffer, look: &Look) {
        let style = look.style(Role::Selection);
        look.cursor_place.set(within(place, place.x + offset, 1));
        let glyph = format!("{glyph:>wide$}", wide = usize::from(self.wide));
        if self.step == 1 {
            return put(Span::styled(glyph, style), within(place, place.x + offset, 1), buf);
        }
        put(Span::styled(format!("[{glyph}]"), style), within(place, place.x + offset - 1, self.wide + 2), buf);
    }

    /// Returns the label of a row: names to the left, numbers to the right.
    fn label(&self, group: &Group, first: usize, look: &Look) -> String {
        let wide = usize::from(self.labels);
        if group.name.is_empty() || first != group.first {
            return format!(" {first:>wide$}");
        }
        format!(" {}", squeeze(&group.name, self.labels, look))
    }
}

/// Returns up to `cells` cells of a row from `x` on.
fn within(row: Rect, x: u16, cells: u16) -> Rect {
    Rect { x, width: row.right().saturating_sub(x).min(cells), ..row }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;

    fn group(name: &str, first: usize, count: usize) -> Group {
        Group { name: name.to_owned(), first, count }
    }

    fn drawn(grid: &mut CellGrid, wide: u16, high: u16) -> Vec<String> {
        let area = Rect::new(0, 0, wide, high);
        let mut buf = Buffer::empty(area);
        let glyphs = ["a", "b", "c"];
        grid.draw(|thing| (glyphs[thing % 3].to_owned(), Style::new()), area, &mut buf, &look());
        let line = |y| (0..wide).map(|x| buf[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..high).map(line).collect()
    }

    #[test]
    fn rows_fit_the_width_and_have_air_where_there_is_room() {
        let mut grid = CellGrid::new(vec![group("", 0, 25)]);
        assert_eq!(drawn(&mut grid, 47, 3), ["  0[a]b c a b c a b c a  b c a b c a b c a b", " 20 c a b c a", ""]);
        assert_eq!(drawn(&mut grid, 26, 2), ["  0 abcabcabca bcabcabcab", " 20 cabca"]);
        assert_eq!(drawn(&mut grid, 9, 3)[0], "  0 abcab", "less than ten");
        assert_eq!((grid.height(47, 9), grid.height(26, 2), grid.height(26, 3)), (2, 2, 3));
    }

    #[test]
    fn groups_begin_rows_and_the_chosen_one_stays_in_view() {
        let mut grid = CellGrid::new(vec![group("one", 0, 12), group("two", 12, 2), group("three", 14, 10)]);
        let shown = drawn(&mut grid, 18, 4);
        assert_eq!(shown, [" one   abcabcabca", "    10 bc", " two   ab", " three cabcabcabc"]);
        (0..3).for_each(|_| assert!(grid.key(KeyCode::Down)));
        assert_eq!(grid.selected, 14);
        assert_eq!(drawn(&mut grid, 18, 2), [" two   ab", " three cabcabcabc"]);
        assert!(grid.key(KeyCode::End) && grid.key(KeyCode::Up));
        assert_eq!(grid.selected, 13, "the row above is shorter");
        assert!(grid.click((9, 1)) && !grid.click((2, 1)) && !grid.click((40, 0)));
        assert_eq!(grid.selected, 16);
        assert!(grid.key(KeyCode::Char('g')) && !grid.key(KeyCode::Enter));
        assert_eq!(grid.selected, 0);
    }
}
