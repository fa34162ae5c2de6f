//! A question with two answers: `y` and `n`.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Outcome, Overlay};
use crate::app::effect::Message;
use crate::theme::Role;
use crate::ui::{Look, put, row, width, window};

/// Asks before something is done; yes sends a message to the tab.
pub(crate) struct Question<F> {
    title: &'static str,
    text: String,
    /// The words for yes and no.
    words: [&'static str; 2],
    yes: F,
    /// Where they are on the screen.
    places: [Rect; 2],
}

impl<M: Message, F: Fn() -> M> Question<F> {
    pub fn new(title: &'static str, text: String, words: [&'static str; 2], yes: F) -> Question<F> {
        Question { title, text, words, yes, places: [Rect::ZERO; 2] }
    }
}

impl<M: Message, F: Fn() -> M> Overlay for Question<F> {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y') => Outcome::TaskResult(Box::new((self.yes)())),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc | KeyCode::Enter => Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Outcome::Close,
            _ => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let at = (mouse.column, mouse.row).into();
        let clicked = |place: &Rect| mouse.kind == MouseEventKind::Down(MouseButton::Left) && place.contains(at);
        match self.places.iter().position(clicked) {
            Some(0) => Outcome::TaskResult(Box::new((self.yes)())),
            Some(_) => Outcome::Close,
            None => Outcome::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let inner = window(area, width(&self.text).max(34) + 4, 6, self.title, buf, look);
        put(look.span(Role::Text, self.text.clone()), row(inner, 1), buf);
        let [yes, no] = self.words;
        let keys = Line::from(vec![
            look.span(Role::Key, "y"),
            look.span(Role::Text, format!(" {yes}   ")),
            look.span(Role::Key, "n"),
            look.span(Role::Text, format!(" {no}")),
        ]);
        let place = row(inner, 3);
        put(keys, place, buf);
        look.cursor_place.set(place);
        let wide = 2 + width(yes);
        self.places = [Rect { width: wide, ..place }, Rect { x: place.x + wide + 3, width: 2 + width(no), ..place }];
        None
    }
}
