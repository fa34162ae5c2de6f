//! A form: rows of labelled fields, navigated by the arrow keys and submitted by Enter.

mod field;
#[cfg(test)]
mod tests;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::list::scrollbar;
use super::{Look, clip, head, put, row, tail, width, window, wrap};
use crate::sanitize;
use crate::theme::Role;
pub use field::{Field, FieldId};

/// The fields of a form and its focus.
#[derive(Clone, Debug)]
pub struct Form {
    pub fields: Vec<Field>,
    pub focus: usize,
    /// An error message, shown below the fields.
    pub error: Option<String>,
    /// The area drawn last, for the mouse.
    place: Rect,
}

/// The effect of a key on a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormKey {
    /// Handled; a value may have changed.
    Used,
    /// Enter: submit the form.
    Submit,
    /// Esc, or Ctrl-C.
    Cancel,
    Ignored,
}

impl Form {
    pub fn new(fields: Vec<Field>) -> Form {
        Form { fields, focus: 0, error: None, place: Rect::ZERO }
    }

    /// Returns the value of a field; empty without the field.
    pub fn value(&self, id: FieldId) -> &str {
        self.position(id).map_or("", |field| &self.fields[field].value)
    }

    /// Returns the index of a field.
    pub fn position(&self, id: FieldId) -> Option<usize> {
        self.fields.iter().position(|field| field.id == id)
    }

    pub fn key(&mut self, key: KeyEvent) -> FormKey {
        let count = self.fields.len();
        match key.code {
            KeyCode::Esc => return FormKey::Cancel,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return FormKey::Cancel,
            KeyCode::Enter => return FormKey::Submit,
            KeyCode::Up | KeyCode::BackTab => self.go_to((self.focus + count - 1) % count.max(1)),
            KeyCode::Tab if self.fields.get_mut(self.focus).is_some_and(Field::complete) => self.error = None,
            KeyCode::Down | KeyCode::Tab => self.go_to((self.focus + 1) % count.max(1)),
            _ => {
                let Some(wrong) = self.fields.get_mut(self.focus).and_then(|field| field.key(key)) else {
                    return FormKey::Ignored;
                };
                self.error = wrong;
            }
        }
        FormKey::Used
    }

    /// Moves the focus to a field.
    pub fn go_to(&mut self, field: usize) {
        self.focus = field;
        if let Some(field) = self.fields.get_mut(field) {
            field.fresh = true;
        }
    }

    /// Returns the field with the focus.
    pub fn focused(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    pub fn paste(&mut self, text: &str) {
        if let Some(field) = self.fields.get_mut(self.focus).filter(|field| field.typed) {
            self.error = field.take(text);
        }
    }

    /// Moves the focus to the clicked field.
    pub fn mouse(&mut self, mouse: MouseEvent) {
        let at = (mouse.column, mouse.row).into();
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) || !self.place.contains(at) {
            return;
        }
        let (top, shown) = self.shown(self.place);
        let row = usize::from(mouse.row - self.place.y);
        if row < shown {
            self.go_to(top + row);
        }
    }

    /// Returns the first field shown in `area` and the number of fields shown: the focus is among them, with a blank
    /// row and the error below.
    fn shown(&self, area: Rect) -> (usize, usize) {
        let note_lines = self.note(area.width).map_or(0, |(lines, _)| lines.len());
        let below = (1 + note_lines.max(1)).min(usize::from(area.height) / 2);
        let shown = self.fields.len().min((usize::from(area.height) - below).max(1));
        let top = self.focus.saturating_sub(shown / 2).min(self.fields.len() - shown);
        (top, shown)
    }

    /// Returns the lines below the fields: the error, or else the explanation of the field with the focus.
    fn note(&self, width: u16) -> Option<(Vec<String>, Role)> {
        let focused = || self.fields.get(self.focus).map(Field::explanation).filter(|text| !text.is_empty());
        match &self.error {
            Some(error) => Some((wrap(error, width), Role::Bad)),
            None => focused().map(|text| (wrap(&text, width), Role::Dim)),
        }
    }

    /// Returns the rows that [`draw`](Form::draw) needs: the fields, a blank row, and three for an error.
    pub fn height(&self) -> u16 {
        self.fields.len() as u16 + 4
    }

    /// Draws the form in a window in the middle of `area`, with its keys below; see [`draw`](Form::draw).
    pub fn dialog(
        &mut self,
        (title, keys): (&str, &str),
        width: u16,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Option<(u16, u16)> {
        let inner = window(area, width, self.height() + 4, title, buf, look);
        let foot = row(inner, inner.height.saturating_sub(1));
        put(super::keys(keys, foot.width, look), foot, buf);
        let blank = u16::from(inner.height > self.height() + 1);
        let rows = inner.height.saturating_sub(1 + blank);
        self.draw(Rect { y: inner.y + blank, height: rows, ..inner }, buf, look)
    }

    /// Draws the fields in rows, with a scrollbar if there are more. Returns the position of the text
    /// cursor if a typed field has the focus.
    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        self.place = area;
        let marks = u16::from(self.fields.iter().any(|field| field.usual.is_some())) * 2;
        let labels = self.fields.iter().map(|field| width(&field.label)).max().unwrap_or(0) + 2 + marks;
        let mut cursor = None;
        let (top, shown) = self.shown(area);
        for (index, field) in self.fields.iter().enumerate().skip(top).take(shown) {
            let line = row(area, (index - top) as u16);
            let focused = index == self.focus;
            let role = if focused { Role::Selection } else { Role::Text };
            let mark = if field.is_changed() { "* " } else { "  " };
            let label = format!("{}{}", &mark[..usize::from(marks)], field.label);
            put(look.span(if field.is_changed() { Role::Accent } else { Role::Dim }, label), line, buf);
            let value = Rect { x: line.x + labels, width: line.width.saturating_sub(labels), ..line };
            if value.is_empty() {
                continue;
            }
            if focused {
                buf.set_style(value, look.style(role));
                look.cursor_place.set(Rect { x: value.x + 1, width: value.width.saturating_sub(1), ..value });
            }
            let arrows = focused && !field.choices.is_empty();
            let room = value.width.saturating_sub(if arrows { 5 } else { 2 });
            // Hidden characters are shown, and need space.
            let last = |text: &str| tail(&sanitize::inline(tail(text, room)), room).to_owned();
            let (mut text, after) = match field.around_caret() {
                (before, after) if field.typed => (last(before), after),
                _ => (last(&clip(&field.value, room, look)), ""),
            };
            if focused && field.typed {
                cursor = Some((value.x + 1 + width(&text), value.y));
            }
            text += head(&sanitize::inline(head(after, room)), room - width(&text));
            put(look.span(role, format!(" {text}")), value, buf);
            if arrows {
                let hint = format!("{}{} ", look.glyphs.left, look.glyphs.right);
                let x = value.right().saturating_sub(width(&hint));
                put(look.span(role, hint), Rect { x, width: value.right() - x, ..value }, buf);
            }
        }
        let rows = Rect { height: area.height.min(shown as u16), ..area };
        scrollbar(rows, &(top..self.fields.len().min(top + shown)), self.fields.len(), buf, look);
        if let Some((lines, role)) = self.note(area.width) {
            for (index, line) in lines.into_iter().enumerate() {
                put(look.span(role, line), row(area, (shown + 1 + index) as u16), buf);
            }
        }
        cursor
    }
}
