//! A form: rows of labelled fields, navigated by the arrow keys and submitted by Enter.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};

use super::list::scrollbar;
use super::{Look, clip, extend, head, put, row, tail, width, window, wrap};
use crate::sanitize;
use crate::theme::Role;

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

/// The identity of a field among those of its form: labels are for people and may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FieldId(pub u16);

/// One labelled value.
#[derive(Clone, Debug)]
pub struct Field {
    pub id: FieldId,
    pub label: Cow<'static, str>,
    pub value: String,
    /// The number of characters before the caret; `None`: all of them.
    caret: Option<usize>,
    /// The values that ← and → select.
    choices: Vec<String>,
    /// Whether values other than the choices can be typed.
    typed: bool,
    /// Whether nothing was typed since the field got the focus: then typing replaces the value.
    fresh: bool,
    /// The longest value, in characters.
    most: usize,
    /// The description with the range, shown while the field has the focus.
    about: Cow<'static, str>,
    /// The default value; a field with another value is marked.
    usual: Option<String>,
}

/// The default longest value, in characters: above the longest file name and player text.
const USUAL_MOST: usize = 4096;

impl Field {
    /// Returns a field with a fixed set of choices.
    pub fn choice(label: impl Into<Cow<'static, str>>, choices: Vec<String>, value: impl Into<String>) -> Field {
        Field { typed: false, ..Field::text(label, choices, value) }
    }

    /// Returns a field for any text; ← and → select from the offers.
    pub fn text(label: impl Into<Cow<'static, str>>, offers: Vec<String>, value: impl Into<String>) -> Field {
        Field {
            id: FieldId::default(),
            label: label.into(),
            value: value.into(),
            caret: None,
            choices: offers,
            typed: true,
            fresh: true,
            most: USUAL_MOST,
            about: Cow::Borrowed(""),
            usual: None,
        }
    }

    /// Returns the field with an identity; without one it is 0.
    #[must_use]
    pub fn named(self, id: FieldId) -> Field {
        Field { id, ..self }
    }

    /// Returns the field with at most `most` characters.
    #[must_use]
    pub fn at_most(self, most: usize) -> Field {
        Field { most, ..self }
    }

    /// Returns the field with a description, shown while it has the focus, and a default value.
    #[must_use]
    pub fn explained(self, about: impl Into<Cow<'static, str>>, usual: impl Into<String>) -> Field {
        Field { about: about.into(), usual: Some(usual.into()), ..self }
    }

    /// Returns whether the value differs from the default.
    fn is_changed(&self) -> bool {
        self.usual.as_ref().is_some_and(|usual| *usual != self.value.trim())
    }

    /// Returns the text shown while the field has the focus.
    fn explanation(&self) -> String {
        let usual = self.usual.as_ref().filter(|usual| !usual.is_empty());
        let usual = usual.map(|usual| format!("preset: {}", sanitize::inline(usual)));
        [Some(self.about.to_string()), usual]
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(". ")
    }

    /// Adds typed or pasted text. Returns an error if not all of it fits: see [`extend`].
    fn take(&mut self, text: &str) -> Option<String> {
        if std::mem::take(&mut self.fresh) {
            self.value.clear();
            self.caret = None;
        }
        let (before, after) = self.around_caret();
        let mut value = before.to_owned();
        let after = after.to_owned();
        let most = self.most;
        let fits = extend(&mut value, text, most.saturating_sub(after.chars().count()));
        self.caret = self.caret.map(|_| value.chars().count());
        self.value = value + &after;
        (!fits).then(|| format!("{}: at most {most} characters; the rest was left out", self.label))
    }

    /// Returns the text before the caret and the text after it.
    fn around_caret(&self) -> (&str, &str) {
        let at = self.caret.and_then(|at| self.value.char_indices().nth(at));
        self.value.split_at(at.map_or(self.value.len(), |(at, _)| at))
    }

    fn set(&mut self, value: &str) {
        value.clone_into(&mut self.value);
        self.caret = None;
    }

    /// Moves the caret or deletes characters, as in the line of a shell.
    fn edit_at_caret(&mut self, request: InputRequest) {
        let end = self.value.chars().count();
        let mut input = Input::new(std::mem::take(&mut self.value)).with_cursor(self.caret.unwrap_or(end));
        input.handle(request);
        input.value().clone_into(&mut self.value);
        self.caret = Some(input.cursor()).filter(|&at| at < self.value.chars().count());
    }

    /// Selects the next choice. Returns whether there is one.
    fn turn(&mut self, by: isize) -> bool {
        let len = self.choices.len() as isize;
        if len == 0 {
            return false;
        }
        let at = self.choices.iter().position(|choice| *choice == self.value);
        // From a typed value, → goes to the first choice that begins with it and ← to the last, if there is one.
        let begun = |choice: &String| !self.value.is_empty() && choice.starts_with(&self.value);
        let first = || self.choices.iter().position(begun).unwrap_or(0) as isize;
        let last = || self.choices.iter().rposition(begun).map_or(len - 1, |at| at as isize);
        let next = match at {
            Some(at) => (at as isize + by).rem_euclid(len),
            None if by > 0 => first(),
            None => last(),
        };
        let choice = self.choices[next as usize].clone();
        self.set(&choice);
        true
    }

    /// Returns the choices that the typed text may become: those that begin with it, or else those with the same word
    /// before a colon. All choices if nothing was typed, or if none matches.
    pub fn matches(&self) -> Vec<&str> {
        let all = || self.choices.iter().map(String::as_str);
        let typed = self.value.trim().to_lowercase();
        if self.fresh || typed.is_empty() || self.choices.contains(&typed) {
            return all().collect();
        }
        let kind = typed.split(':').next().unwrap_or_default();
        let begin = |with: &str| all().filter(|choice| choice.starts_with(with)).collect::<Vec<_>>();
        [begin(&typed), begin(kind)].into_iter().find(|found| !found.is_empty()).unwrap_or_else(|| all().collect())
    }

    /// Sets the value as a choice does.
    pub fn choose(&mut self, value: &str) {
        self.set(value);
        self.fresh = true;
    }

    /// Completes the typed text to the first choice that begins with it. Returns whether it did. A typed number stays
    /// as it is.
    fn complete(&mut self) -> bool {
        let typed = self.value.trim().to_lowercase();
        if !self.typed || self.fresh || typed.is_empty() || self.choices.contains(&typed) {
            return false;
        }
        let goes_on = |choice: &&String| {
            let rest = choice.strip_prefix(&typed).and_then(|rest| rest.chars().next());
            rest.is_some_and(|next| !(next.is_ascii_digit() && typed.ends_with(|c: char| c.is_ascii_digit())))
        };
        let Some(choice) = self.choices.iter().find(goes_on).cloned() else { return false };
        self.choose(&choice);
        true
    }

    /// Handles a key. Returns `None` if the key is not for this field, or else the error, if any.
    fn key(&mut self, key: KeyEvent) -> Option<Option<String>> {
        if let KeyCode::Char(c) = key.code
            && self.typed
            && !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Some(self.take(c.encode_utf8(&mut [0; 4])));
        }
        self.edit(key).then_some(None)
    }

    fn edit(&mut self, key: KeyEvent) -> bool {
        let fresh = std::mem::take(&mut self.fresh);
        // The arrows select choices while the caret is at the end.
        let offers = key.modifiers.is_empty() && !self.choices.is_empty() && self.caret.is_none();
        match key.code {
            // Typing replaces a chosen value, as it does the previous value.
            KeyCode::Left if offers || !self.typed => self.fresh = self.turn(-1) || fresh,
            KeyCode::Right if offers || !self.typed => self.fresh = self.turn(1) || fresh,
            _ if self.typed => match to_input_request(&Event::Key(key)) {
                None | Some(InputRequest::InsertChar(_)) => return false,
                Some(request) => self.edit_at_caret(request),
            },
            KeyCode::Char(_) if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => return false,
            KeyCode::Char(' ') => _ = self.turn(1),
            KeyCode::Char(c) => self.choose_by_letter(c, fresh),
            _ => return false,
        }
        true
    }

    /// In a choice, typing selects the value that continues the typed text, as in 1, 12, or else the next that begins
    /// with the character.
    fn choose_by_letter(&mut self, c: char, fresh: bool) {
        let longer = format!("{}{c}", self.value);
        if !fresh && self.choices.contains(&longer) {
            self.value = longer;
            return;
        }
        let begins = |choice: &&String| choice.to_lowercase().starts_with(c.to_ascii_lowercase());
        let at = self.choices.iter().position(|choice| *choice == self.value).map_or(0, |at| at + 1);
        let exact = self.choices.iter().find(|choice| **choice == c.to_string());
        let found = exact.or_else(|| self.choices.iter().cycle().skip(at).take(self.choices.len()).find(begins));
        if let Some(found) = found.cloned() {
            self.value = found;
        }
    }
}
