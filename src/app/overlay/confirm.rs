//! The confirmation before quitting.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Outcome, Overlay};
use crate::theme::Role;
use crate::ui::{Look, put, row, width, window};

/// Asks whether to quit while work is unfinished.
pub struct ConfirmQuit {
    /// The unfinished work, a sentence each.
    reasons: Vec<String>,
    /// The areas of the two answers: quit, stay.
    answers: [Rect; 2],
}

const QUIT: &str = " save and quit";
const STAY: &str = " stay";

impl ConfirmQuit {
    pub fn new(reasons: Vec<String>) -> ConfirmQuit {
        ConfirmQuit { reasons, answers: [Rect::ZERO; 2] }
    }
}

impl Overlay for ConfirmQuit {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y' | 's') | KeyCode::Enter => Outcome::Quit,
            KeyCode::Char('c') if key.modifiers.contains(crossterm::event::KeyModifiers::CONTROL) => Outcome::Quit,
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Outcome::Close,
            _ => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let at = (mouse.column, mouse.row).into();
        let clicked = |place: &Rect| mouse.kind == MouseEventKind::Down(MouseButton::Left) && place.contains(at);
        match self.answers.iter().position(clicked) {
            Some(0) => Outcome::Quit,
            Some(_) => Outcome::Close,
            None => Outcome::Stay,
        }
    }

    fn unfinished(&mut self, reasons: &[String]) {
        self.reasons = match reasons {
            [] => vec!["Nothing is running any more.".to_owned()],
            reasons => reasons.to_vec(),
        };
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let widest = self.reasons.iter().map(|reason| width(reason)).max().unwrap_or(0).max(34) + 6;
        let inner = window(area, widest, self.reasons.len() as u16 + 5, "Quit?", buf, look);
        for (index, reason) in self.reasons.iter().enumerate() {
            put(look.span(Role::Text, reason.clone()), row(inner, 1 + index as u16), buf);
        }
        let keys = Line::from(vec![
            look.span(Role::Key, "y"),
            look.span(Role::Text, format!("{QUIT}   ")),
            look.span(Role::Key, "n"),
            look.span(Role::Text, STAY),
        ]);
        let place = row(inner, 2 + self.reasons.len() as u16);
        put(keys, place, buf);
        look.cursor_place.set(place);
        let [quit, stay] = [QUIT, STAY].map(|word| 1 + width(word));
        self.answers = [Rect { width: quit, ..place }, Rect { x: place.x + quit + 3, width: stay, ..place }];
        None
    }
}
