//! The dialog that changes a run's settings before it starts.

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Kind, Settings};
use crate::app::overlay::{Outcome, Overlay};
use crate::theme::Role;
use crate::ui::form::{Field, Form, FormKey};
use crate::ui::{Look, clip, put, row, window};

/// Every setting as a line to type into. Answers with the settings as they are wanted.
pub(super) struct EditSettings<K: Kind> {
    form: Form,
    keys: Vec<String>,
    settings: Settings<K>,
    fields: Rect,
}

impl<K: Kind> EditSettings<K> {
    pub fn new(settings: Settings<K>) -> EditSettings<K> {
        let (keys, values): (Vec<String>, Vec<String>) = K::fields(&settings).into_iter().unzip();
        let fields =
            keys.iter().zip(values).map(|(key, value)| Field::text(key.clone(), K::offers(key), value)).collect();
        EditSettings { form: Form::new(fields), keys, settings, fields: Rect::ZERO }
    }

    fn submit(&mut self) -> Outcome {
        let mut settings = self.settings.clone();
        let values = self.form.fields.iter().map(|field| field.value.trim());
        let fields: Vec<(&str, &str)> = self.keys.iter().map(String::as_str).zip(values).collect();
        if let Err((index, reason)) = K::apply(&mut settings, &fields) {
            self.form.go_to(index);
            self.form.error = Some(reason);
            return Outcome::Stay;
        }
        if let Err(reason) = K::check(&settings) {
            self.form.error = Some(reason);
            return Outcome::Stay;
        }
        Outcome::Answer(Box::new(Wanted::<K>(settings)))
    }
}

/// The dialog's answer.
pub(super) struct Wanted<K: Kind>(pub Settings<K>);

impl<K: Kind> Overlay for EditSettings<K> {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Submit => self.submit(),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        if mouse.kind == MouseEventKind::Down(MouseButton::Left)
            && self.fields.contains((mouse.column, mouse.row).into())
        {
            self.form.focus_row(usize::from(mouse.row - self.fields.y), self.fields.height);
        }
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let inner = window(area, 76, self.form.height() + 3, "Settings", buf, look);
        let foot = row(inner, inner.height.saturating_sub(1));
        put(
            look.span(
                Role::Dim,
                clip("Enter starts the run, Esc leaves, arrows choose, typing replaces", foot.width, look),
            ),
            foot,
            buf,
        );
        self.fields = Rect { height: inner.height.saturating_sub(1), ..inner };
        self.form.draw(self.fields, buf, look)
    }
}
