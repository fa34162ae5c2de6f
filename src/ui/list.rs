//! Lists with a selected row that stays in view, lists to choose from, and the scrollbar of both.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, extend, hit_test, row};
use crate::theme::Role;

/// The selected row and the first one shown. The caller draws the rows.
#[derive(Clone, Copy, Default, Debug)]
pub struct ListState {
    pub selected: usize,
    top: usize,
}

impl ListState {
    /// Moves the selection by the usual keys of a list. Returns whether the key is one of them. Letters count only if
    /// `letters` is set, for lists without typing.
    pub fn key(&mut self, key: KeyCode, len: usize, page: usize, letters: bool) -> bool {
        let last = len.saturating_sub(1);
        let page = page.max(2) - 1;
        self.selected = match key {
            KeyCode::Up => self.selected.saturating_sub(1),
            KeyCode::Down => self.selected + 1,
            KeyCode::PageUp => self.selected.saturating_sub(page),
            KeyCode::PageDown => self.selected + page,
            KeyCode::Home => 0,
            KeyCode::End => last,
            KeyCode::Char('k') if letters => self.selected.saturating_sub(1),
            KeyCode::Char('j') if letters => self.selected + 1,
            KeyCode::Char('g') if letters => 0,
            KeyCode::Char('G') if letters => last,
            _ => return false,
        };
        self.selected = self.selected.min(last);
        true
    }

    /// Returns the rows to show in `height` lines, after scrolling just far enough to include the selected row.
    pub fn window(&mut self, len: usize, height: usize) -> Range<usize> {
        self.selected = self.selected.min(len.saturating_sub(1));
        self.top = self.top.min(len.saturating_sub(height));
        self.top = self.top.min(self.selected).max((self.selected + 1).saturating_sub(height));
        self.top..(self.top + height).min(len)
    }
}

/// A list whose rows can be clicked. The caller draws the rows.
#[derive(Default, Debug)]
pub struct RowList {
    pub state: ListState,
    len: usize,
    page: usize,
    places: Vec<(Rect, usize)>,
}

impl RowList {
    /// Sets the number of rows and those that page keys move by before drawing, and forgets their areas.
    pub fn begin(&mut self, len: usize, page: usize) {
        (self.len, self.page) = (len, page);
        self.places.clear();
    }

    /// Records the area of a row.
    pub fn drawn(&mut self, place: Rect, index: usize) {
        self.places.push((place, index));
    }

    pub fn selected(&self) -> usize {
        self.state.selected
    }

    /// Moves the selection by its keys. Returns whether the key is one of them.
    pub fn key(&mut self, code: KeyCode) -> bool {
        self.state.key(code, self.len, self.page, true)
    }

    /// Selects the row at a position. Returns whether there is one.
    pub fn click(&mut self, at: (u16, u16)) -> bool {
        let hit = hit_test(&self.places, at);
        self.state.selected = hit.unwrap_or(self.state.selected);
        hit.is_some()
    }

    /// Returns the rows to show in `height` lines.
    pub fn window(&mut self, height: u16) -> Range<usize> {
        self.state.window(self.len, usize::from(height))
    }
}

/// Draws a scrollbar to the right of `rows`, on the frame if there is one, if `shown` is only a part of `len` lines. The bar touches
/// an end only where the list does, so that hidden lines are always visible.
pub(crate) fn scrollbar(rows: Rect, shown: &Range<usize>, len: usize, buf: &mut Buffer, look: &Look) {
    let height = usize::from(rows.height);
    let hidden = len.saturating_sub(shown.len());
    if hidden == 0 || height == 0 || !buf.area.contains((rows.right(), rows.bottom() - 1).into()) {
        return;
    }
    // Windows have a blank column inside their frame.
    let is_frame =
        |x: &u16| buf.cell((*x, rows.y)).is_some_and(|cell| cell.symbol() == look.glyphs.border.vertical_right);
    let column = [rows.right(), rows.right() + 1].into_iter().find(is_frame).unwrap_or(rows.right());
    let size = (height * shown.len() / len).clamp(1, height.saturating_sub(2).max(1));
    let room = height.saturating_sub(size);
    let top = match shown.start {
        0 => 0,
        start if start >= hidden => room,
        start => (room * start / hidden).clamp(room.min(1), room.saturating_sub(1).max(room.min(1))),
    };
    for y in top..top + size {
        buf[(column, rows.y + y as u16)].set_symbol(look.glyphs.bar[8]).set_style(look.style(Role::Dim));
    }
}

/// The effect of a key or the mouse on a [`Chooser`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Nothing, or the typed text has changed: filter the rows again.
    None,
    /// Another row is selected.
    Moved,
    /// The selected row is accepted.
    Take,
    /// The list is cancelled.
    Leave,
    /// The key has no meaning in a list.
    Ignored,
}

/// A list in a dialog, used by arrows and Enter, by the wheel and clicks, and by typing a filter.
#[derive(Clone, Default, Debug)]
pub struct Chooser {
    /// The typed filter.
    pub typed: String,
    /// Whether typed or pasted text was cut off.
    pub full: bool,
    list: ListState,
    /// The last input moved the selection and did not type.
    has_moved: bool,
    /// The area of the rows drawn last.
    rows: Rect,
}

impl Chooser {
    pub fn selected(&self) -> usize {
        self.list.selected
    }

    /// Returns the place of the text cursor, which is at `caret` while text is typed; `None` while the selection is moved.
    pub fn caret(&self, caret: (u16, u16)) -> Option<(u16, u16)> {
        (!self.has_moved).then_some(caret)
    }

    pub fn select(&mut self, index: usize) {
        self.list.selected = index;
    }

    /// Returns the range of `len` rows on the screen, or at least `at_least` of them if there are that many.
    pub fn seen(&self, len: usize, at_least: usize) -> Range<usize> {
        let mut list = self.list;
        list.window(len, usize::from(self.rows.height).max(at_least))
    }

    /// Handles a key in a list of `len` rows with a filter of at most `most` characters.
    pub fn key(&mut self, key: KeyEvent, len: usize, most: usize) -> Choice {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Backspace => {
                self.typed.pop();
                self.find_anew()
            }
            KeyCode::Char('u') if control => {
                self.typed.clear();
                self.find_anew()
            }
            KeyCode::Char(c) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.paste(c.encode_utf8(&mut [0; 4]), most)
            }
            _ => self.common(key, len, false),
        }
    }

    /// Handles a key in a list without a filter, where letters also move.
    pub fn key_only(&mut self, key: KeyEvent, len: usize) -> Choice {
        match key.code {
            KeyCode::Char('q') => Choice::Leave,
            _ => self.common(key, len, true),
        }
    }

    fn common(&mut self, key: KeyEvent, len: usize, letters: bool) -> Choice {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => Choice::Leave,
            KeyCode::Char('c') if control => Choice::Leave,
            KeyCode::Enter => Choice::Take,
            KeyCode::Char('n') if control => self.step(KeyCode::Down, len),
            KeyCode::Char('p') if control => self.step(KeyCode::Up, len),
            KeyCode::Char(_) if control => Choice::Ignored,
            code if self.list.key(code, len, usize::from(self.rows.height), letters) => {
                self.has_moved = true;
                Choice::Moved
            }
            _ => Choice::Ignored,
        }
    }

    fn step(&mut self, code: KeyCode, len: usize) -> Choice {
        self.list.key(code, len, 1, false);
        self.has_moved = true;
        Choice::Moved
    }

    /// Appends to the filter, up to `most` characters.
    pub fn paste(&mut self, text: &str, most: usize) -> Choice {
        let fits = extend(&mut self.typed, text, most);
        self.find_anew();
        self.full = !fits;
        Choice::None
    }

    fn find_anew(&mut self) -> Choice {
        (self.full, self.has_moved) = (false, false);
        self.list.selected = 0;
        Choice::None
    }

    /// Handles the mouse: the wheel moves; a click selects, and accepts the row if it was already selected or if
    /// `at_once`. A click beside the rows is ignored.
    pub fn mouse(&mut self, mouse: MouseEvent, len: usize, at_once: bool) -> Choice {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.step(KeyCode::Up, len),
            MouseEventKind::ScrollDown => self.step(KeyCode::Down, len),
            MouseEventKind::Down(MouseButton::Left) => {
                let shown = self.list.window(len, usize::from(self.rows.height));
                let index = shown.start + usize::from(mouse.row.saturating_sub(self.rows.y));
                if !self.rows.contains((mouse.column, mouse.row).into()) || index >= len {
                    return Choice::Ignored;
                }
                let before = std::mem::replace(&mut self.list.selected, index);
                if at_once || before == index { Choice::Take } else { Choice::Moved }
            }
            _ => Choice::Ignored,
        }
    }

    /// Draws the rows that fit; `draw` gets each row's number, area and role.
    pub fn draw(
        &mut self,
        area: Rect,
        len: usize,
        buf: &mut Buffer,
        look: &Look,
        mut draw: impl FnMut(usize, Rect, Role, &mut Buffer),
    ) {
        self.rows = area;
        let shown = self.list.window(len, usize::from(area.height));
        scrollbar(area, &shown, len, buf, look);
        for (line, index) in shown.enumerate() {
            let place = row(area, line as u16);
            let role = if index == self.list.selected { Role::Selection } else { Role::Text };
            buf.set_style(place, look.style(role));
            if index == self.list.selected {
                look.cursor_place.set(place);
            }
            draw(index, place, role, buf);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_stays_in_view() {
        let mut list = ListState::default();
        assert_eq!(list.window(10, 4), 0..4);
        list.key(KeyCode::End, 10, 4, false);
        assert_eq!(list.window(10, 4), 6..10);
        list.key(KeyCode::PageUp, 10, 4, false);
        assert_eq!((list.selected, list.window(10, 4)), (6, 6..10));
        list.key(KeyCode::Up, 10, 4, false);
        assert_eq!(list.window(10, 4), 5..9);
        assert_eq!(list.window(3, 4), 0..3, "a list that became shorter");
        assert_eq!(list.window(0, 4), 0..0);
        assert_eq!(list.window(5, 0).len(), 0);
    }

    #[test]
    fn a_scrollbar_shows_where_the_lines_are_and_that_there_are_more() {
        let bar = |shown: Range<usize>, len: usize, look: &Look| -> String {
            let mut buf = Buffer::empty(Rect::new(0, 0, 3, 5));
            scrollbar(Rect::new(0, 0, 2, 5), &shown, len, &mut buf, look);
            (0..5).map(|y| buf[(2, y)].symbol()).collect()
        };
        let look = crate::app::stage::look();
        let ascii = Look { glyphs: crate::theme::Glyphs::ascii(), ..look.clone() };
        assert_eq!([bar(0..5, 5, &look), bar(0..5, 10, &look), bar(5..10, 10, &look)], ["     ", "██   ", "   ██"]);
        assert_eq!([bar(1..6, 1000, &ascii), bar(994..999, 1000, &ascii)], [" #   ", "   # "], "neither end");
        assert_eq!([bar(0..5, 6, &ascii), bar(1..6, 6, &ascii)], ["###  ", "  ###"]);
    }

    fn click(column: u16, row: u16) -> MouseEvent {
        let kind = MouseEventKind::Down(MouseButton::Left);
        MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }
    }

    #[test]
    fn rows_are_chosen_by_keys_typing_wheel_and_clicks() {
        let mut chooser = Chooser::default();
        let mut buf = Buffer::empty(Rect::new(0, 0, 10, 6));
        let mut seen = Vec::new();
        let rows = Rect::new(0, 1, 10, 3);
        let look = crate::app::stage::look();
        chooser.draw(rows, 5, &mut buf, &look, |index, place, role, _| seen.push((index, place.y, role)));
        assert_eq!(seen, [(0, 1, Role::Selection), (1, 2, Role::Text), (2, 3, Role::Text)]);
        assert_eq!(chooser.mouse(click(3, 2), 5, false), Choice::Moved);
        assert_eq!((chooser.selected(), chooser.mouse(click(3, 2), 5, false)), (1, Choice::Take));
        assert_eq!((chooser.mouse(click(3, 3), 5, true), chooser.selected()), (Choice::Take, 2));
        assert_eq!(chooser.mouse(click(3, 5), 5, false), Choice::Ignored);
        assert_eq!(chooser.mouse(click(3, 3), 2, false), Choice::Ignored, "there is no such row");
        let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
        assert_eq!((chooser.key(key(KeyCode::End), 5, 9), chooser.selected()), (Choice::Moved, 4));
        assert_eq!((chooser.key(key(KeyCode::Char('k')), 5, 9), chooser.selected()), (Choice::None, 0));
        assert_eq!(chooser.typed, "k");
        assert_eq!(chooser.key_only(key(KeyCode::Char('j')), 5), Choice::Moved);
        assert_eq!(chooser.key(key(KeyCode::Enter), 5, 9), Choice::Take);
        assert_eq!(chooser.key(key(KeyCode::Esc), 5, 9), Choice::Leave);
        chooser.paste("0123456789", 9);
        assert_eq!((chooser.typed.as_str(), chooser.full), ("k01234567", true));
        let control = |c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
        assert_eq!((chooser.key(control('u'), 5, 9), chooser.typed.as_str(), chooser.full), (Choice::None, "", false));
    }
}
