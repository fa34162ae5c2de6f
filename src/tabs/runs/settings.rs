//! The dialog that changes a run's settings before it starts.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Found, RunTab};
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::kinds::AnySettings;
use crate::ui::Look;
use crate::ui::form::{Field, Form, FormKey};

/// The maximum length of a setting in characters; the longest one is a list of players.
const MOST: usize = 1 << 16;

/// A form with one line per setting. The answer is the edited settings.
pub(super) struct EditSettings {
    tab: &'static RunTab,
    form: Form,
    keys: Vec<String>,
    settings: AnySettings,
}

impl EditSettings {
    /// Creates the form of a preset; its values count as unchanged.
    pub fn new(tab: &'static RunTab, settings: AnySettings) -> EditSettings {
        let (keys, values): (Vec<String>, Vec<String>) = (tab.form.fields)(&settings).into_iter().unzip();
        let field = |(key, value): (&String, String)| {
            let about = (tab.form.about)(&settings, key);
            Field::text(key.clone(), (tab.form.offers)(&settings, key), value.clone())
                .at_most(MOST)
                .explained(about, value)
        };
        let fields = keys.iter().zip(values).map(field).collect();
        EditSettings { tab, form: Form::new(fields), keys, settings }
    }

    /// The form is validated on another thread, because players may be read from files.
    fn submit(&self) -> Outcome {
        let (tab, settings) = (self.tab, self.settings.clone());
        let values = self.form.fields.iter().map(|field| field.value.trim().to_owned());
        let fields: Vec<(String, String)> = self.keys.iter().cloned().zip(values).collect();
        Outcome::Background(Box::new(move || Box::new(read(tab, settings, &fields))))
    }
}

/// The settings, or an error with the index of its field, if it belongs to one.
type Read = Result<AnySettings, (Option<usize>, String)>;

fn read(tab: &RunTab, mut settings: AnySettings, fields: &[(String, String)]) -> Read {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    (tab.form.apply)(&mut settings, &fields).map_err(|(index, reason)| (Some(index), reason))?;
    settings.check().map_err(|error| (None, error.to_string()))?;
    Ok(settings)
}

impl Overlay for EditSettings {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Submit => self.submit(),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        match answer.downcast::<Read>().map(|read| *read) {
            Ok(Ok(wanted)) => return Outcome::TaskResult(Box::new(Found::Wanted(wanted))),
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
        let keys = "Enter: start, Esc: cancel, arrows: choose, type to replace, *: changed";
        self.form.dialog(("Settings", keys), 76, area, buf, look)
    }
}
