//! Dialogs of runs: a question with several answers, a text input, and a form, whose values another thread reads, because they may name files.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Answer;
use super::manage::RunAction;
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::theme::Role;
use crate::ui::form::{Field, Form, FormKey};
use crate::ui::{Look, keys, put, row, width, window, wrap};

/// An answer: its key, its label, and the resulting [`RunAction`]; `None` cancels.
type Choice = (char, &'static str, Option<RunAction>);

/// A question.
pub(super) struct Ask {
    title: &'static str,
    lines: Vec<String>,
    choices: Vec<Choice>,
    /// The answer that Enter chooses.
    usual: usize,
    places: Vec<Rect>,
}

impl Ask {
    pub fn new(title: &'static str, lines: Vec<String>, choices: Vec<Choice>) -> Ask {
        Ask { title, lines, choices, usual: 0, places: Vec::new() }
    }

    /// Makes Enter choose this answer instead of the first, where the first cannot be undone.
    pub fn usual(self, usual: usize) -> Ask {
        Ask { usual, ..self }
    }

    fn choose(&mut self, index: usize) -> Outcome {
        match self.choices.get_mut(index).and_then(|choice| choice.2.take()) {
            Some(action) => Outcome::TaskResult(Box::new(Answer::RunAction(action))),
            None => Outcome::Close,
        }
    }
}

impl Overlay for Ask {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Esc => Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(crossterm::event::KeyModifiers::CONTROL) => Outcome::Close,
            KeyCode::Enter => self.choose(self.usual),
            KeyCode::Char(c) => match self.choices.iter().position(|choice| choice.0 == c) {
                Some(index) => self.choose(index),
                None => Outcome::Stay,
            },
            _ => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let at = (mouse.column, mouse.row).into();
        let hit = self.places.iter().position(|place| place.contains(at));
        match hit.filter(|_| mouse.kind == MouseEventKind::Down(MouseButton::Left)) {
            Some(index) => self.choose(index),
            None => Outcome::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let answers: u16 = self.choices.iter().map(|choice| width(choice.1) + 5).sum();
        let widest = self.lines.iter().map(|line| width(line)).max().unwrap_or(0).max(answers);
        let wide = (widest + 6).min(area.width);
        let lines: Vec<String> = self.lines.iter().flat_map(|line| wrap(line, wide.saturating_sub(6))).collect();
        let inner = window(area, wide, lines.len() as u16 + 5, self.title, buf, look);
        for (index, line) in lines.iter().enumerate() {
            put(look.span(Role::Text, line.clone()), row(inner, 1 + index as u16), buf);
        }
        let line = row(inner, (2 + lines.len() as u16).min(inner.height.saturating_sub(1)));
        let mut x = line.x;
        look.cursor_place.set(line);
        self.places.clear();
        for (key, what, _) in &self.choices {
            let wide = (width(what) + 2).min(line.right().saturating_sub(x));
            let place = Rect { x, width: wide, ..line };
            let spans = vec![look.span(Role::Key, key.to_string()), look.span(Role::Text, format!(" {what}"))];
            put(ratatui::text::Line::from(spans), place, buf);
            self.places.push(place);
            x = x.saturating_add(wide + 3);
        }
        None
    }
}

/// Acts on the text, on another thread; the error is shown in the form.
type Act = dyn Fn(&str) -> Result<TaskResult, Error> + Send + Sync;

/// A single-line text input, which stays open until its text is accepted.
pub(in crate::tabs) struct Enter {
    title: &'static str,
    about: String,
    form: Form,
    act: Arc<Act>,
    /// The action writes files.
    writes: bool,
    is_acting: bool,
    is_closed: bool,
}

impl Enter {
    pub(super) fn new(
        title: &'static str,
        label: &'static str,
        about: impl Into<String>,
        value: String,
        read: impl Fn(&str) -> Result<RunAction, Error> + Send + Sync + 'static,
    ) -> Enter {
        Enter::asking(title, label, about, value, move |text| Ok(Box::new(Answer::RunAction(read(text)?))))
    }

    /// Creates a dialog with another answer, whose `act` may take long and use files.
    pub fn asking(
        title: &'static str,
        label: &'static str,
        about: impl Into<String>,
        value: String,
        act: impl Fn(&str) -> Result<TaskResult, Error> + Send + Sync + 'static,
    ) -> Enter {
        let form = Form::new(vec![Field::text(label, Vec::new(), value).at_most(200)]);
        Enter {
            title,
            about: about.into(),
            form,
            act: Arc::new(act),
            writes: false,
            is_acting: false,
            is_closed: false,
        }
    }

    /// Creates a dialog whose `act` writes files: what it answers, or its error, is reported even if the dialog is closed before.
    pub(super) fn writing(
        title: &'static str,
        label: &'static str,
        about: impl Into<String>,
        value: String,
        act: impl Fn(&str) -> Result<Answer, Error> + Send + Sync + 'static,
    ) -> Enter {
        let act = move |text: &str| Ok(Box::new(act(text)?) as TaskResult);
        Enter { writes: true, ..Enter::asking(title, label, about, value, act) }
    }
}

impl Overlay for Enter {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Submit => {
                let text = self.form.fields[0].value.trim().to_owned();
                let act = self.act.clone();
                self.is_acting = true;
                Outcome::Background(Box::new(move || Box::new(act(&text))))
            }
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        self.is_acting = false;
        match answer.downcast::<Result<TaskResult, Error>>().map(|acted| *acted) {
            Ok(Ok(answer)) => return Outcome::TaskResult(answer),
            Ok(Err(error)) if self.is_closed => {
                return Outcome::TaskResult(Box::new(Answer::Changed { message: Err(error), choose: None }));
            }
            Ok(Err(error)) => self.form.error = Some(error.to_string()),
            Err(_) => {}
        }
        Outcome::Stay
    }

    fn closes_writing(&mut self) -> bool {
        self.is_closed = true;
        self.writes
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let wide = 66.min(area.width);
        let about = wrap(&self.about, wide.saturating_sub(4));
        let inner = window(area, wide, self.form.height() + about.len() as u16 + 4, self.title, buf, look);
        for (index, line) in about.iter().enumerate() {
            put(look.span(Role::Text, line.clone()), row(inner, index as u16), buf);
        }
        let top = about.len() as u16 + 1;
        let foot = inner.height.saturating_sub(1);
        let hint = match (self.is_acting, self.writes) {
            (true, true) => "Working. Esc: close, it goes on",
            (true, false) => "Working. Esc: cancel",
            (false, _) => "Enter: OK, Esc: cancel",
        };
        put(keys(hint, inner.width, look), row(inner, foot), buf);
        let form = Rect { y: inner.y + top, height: foot.saturating_sub(top), ..inner };
        self.form.draw(form, buf, look).filter(|_| form.height > 0)
    }
}

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
