//! The dialog that changes a run's settings before it starts.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Kind, Settings};
use crate::app::overlay::{Outcome, Overlay};
use crate::ui::Look;
use crate::ui::form::{Field, Form, FormKey};

/// Characters of the longest setting, which is a list of players.
const MOST: usize = 1 << 16;

/// Every setting as a line to type into. Answers with the settings as they are wanted.
pub(super) struct EditSettings<K: Kind> {
    form: Form,
    keys: Vec<String>,
    settings: Settings<K>,
}

impl<K: Kind> EditSettings<K> {
    pub fn new(settings: Settings<K>) -> EditSettings<K> {
        let (keys, values): (Vec<String>, Vec<String>) = K::fields(&settings).into_iter().unzip();
        let fields = keys
            .iter()
            .zip(values)
            .map(|(key, value)| Field::text(key.clone(), K::offers(key), value).at_most(MOST))
            .collect();
        EditSettings { form: Form::new(fields), keys, settings }
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
        self.form.mouse(mouse);
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let keys = "Enter starts the run, Esc leaves, arrows choose, typing replaces";
        self.form.dialog(("Settings", keys), 76, area, buf, look)
    }
}
