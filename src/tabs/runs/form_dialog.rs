//! A dialog that is a form: its values are read on another thread, because they may name files.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Answer;
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::ui::Look;
use crate::ui::form::{Form, FormKey};

/// What the values mean, or an error with the index of its field, if it belongs to one.
pub(super) type ReadValues = Result<Answer, (Option<usize>, String)>;

/// Reads the values of a form.
type Reader = dyn Fn(&[String]) -> ReadValues + Send + Sync;

/// A form that answers with what its values mean.
pub(super) struct FormDialog {
    title: &'static str,
    /// What the keys do, below the form.
    keys: &'static str,
    form: Form,
    /// Called with the values without surrounding blanks.
    read: Arc<Reader>,
}

impl FormDialog {
    pub fn new(
        (title, keys): (&'static str, &'static str),
        form: Form,
        read: impl Fn(&[String]) -> ReadValues + Send + Sync + 'static,
    ) -> FormDialog {
        FormDialog { title, keys, form, read: Arc::new(read) }
    }

    fn submit(&self) -> Outcome {
        let values: Vec<String> = self.form.fields.iter().map(|field| field.value.trim().to_owned()).collect();
        let read = self.read.clone();
        Outcome::Background(Box::new(move || Box::new(read(&values))))
    }
}

impl Overlay for FormDialog {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Submit => self.submit(),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        match answer.downcast::<ReadValues>().map(|read| *read) {
            Ok(Ok(found)) => return Outcome::TaskResult(Box::new(found)),
            Ok(Err((field, reason))) => {
                field.into_iter().for_each(|field| self.form.go_to(field));
                self.form.error = Some(reason);
            }
            Err(_) => {}
        }
        Outcome::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        self.form.mouse(mouse);
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        self.form.dialog((self.title, self.keys), 76, area, buf, look)
    }
}
