//! The question whether players that are in files may be opened.
//!
//! A game may come from anywhere, and names its players. To open whatever file such a name means, a person has to have seen it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::overlay::{Outcome, Overlay};
use crate::game::Side;
use crate::theme::Role;
use crate::ui::{Look, put, row, squeeze, window};

/// Shows the names and asks.
pub(super) struct Agree {
    pub game: u64,
    /// Who sits where, as the game's text has it.
    pub names: Vec<(Side, String)>,
}

/// The answer: they may be opened, for this game.
pub(super) struct Agreed(pub u64);

impl Overlay for Agree {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y') => Outcome::Answer(Box::new(Agreed(self.game))),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc | KeyCode::Enter => Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Outcome::Close,
            _ => Outcome::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let names = self.names.len() as u16;
        let inner = window(area, 72, names + 7, "Open players' files?", buf, look);
        put(look.span(Role::Text, "This game names players that are in files:"), row(inner, 1), buf);
        for (index, (side, name)) in self.names.iter().enumerate() {
            let name = squeeze(name, inner.width.saturating_sub(8), look);
            let line = vec![look.span(Role::Dim, format!("{side:<7}")), look.span(Role::Accent, name)];
            put(Line::from(line), row(inner, 2 + index as u16), buf);
        }
        let keys = |key: &'static str, what: &'static str| {
            Line::from(vec![look.span(Role::Key, key), look.span(Role::Text, what)])
        };
        put(keys("y", " open the files, and let these players play"), row(inner, 3 + names), buf);
        put(keys("n", " open nothing: play their moves yourself"), row(inner, 4 + names), buf);
        None
    }
}
