//! Confirmation before files of players are opened or their commands run.
//!
//! A game may come from anywhere and names its players. A file that such a name means is opened, and a command in it run,
//! only after the user has seen the name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::LibraryMessage;
use crate::app::overlay::{Outcome, Overlay};
use crate::player::Spec;
use crate::player::spec::Unread;
use crate::theme::Role;
use crate::ui::{Look, put, row, squeeze, window, wrap};

/// Width of the seat's column.
const LABEL: u16 = 7;

/// Maximum rows of a name; longer names lose their middle.
const ROWS: u16 = 4;

/// A dialog that shows the names and asks.
pub struct Agree {
    pub game: u64,
    /// The seats' names and the players' names from the game's text.
    pub names: Vec<(&'static str, String)>,
}

impl Overlay for Agree {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y') => Outcome::TaskResult(Box::new(LibraryMessage::OpenPlayers(self.game))),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc | KeyCode::Enter => Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Outcome::Close,
            _ => Outcome::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let wide = area.width.min(72);
        let names: Vec<Line<'static>> =
            self.names.iter().flat_map(|(seat, name)| lines(seat, name, wide.saturating_sub(4), look)).collect();
        let count = names.len() as u16;
        let is_command = |name: &str| name.parse::<Unread>().is_ok_and(|unread| unread.is_command());
        let [title, what, yes, no] = match self.names.iter().any(|(_, name)| is_command(name)) {
            true => ["Run players' commands?", "This game's players run commands:", " run them", " run none"],
            false => ["Open players' files?", "This game's players are in files:", " open them", " open none"],
        };
        let inner = window(area, wide, count + 7, title, buf, look);
        put(look.span(Role::Text, what), row(inner, 1), buf);
        for (index, line) in names.into_iter().enumerate() {
            put(line, row(inner, 2 + index as u16), buf);
        }
        let keys = |key: &'static str, what: &str, then: &str| {
            Line::from(vec![look.span(Role::Key, key), look.span(Role::Text, format!("{what}{then}"))])
        };
        put(keys("y", yes, " and let them play"), row(inner, 3 + count), buf);
        look.cursor_place.set(row(inner, 3 + count));
        put(keys("n", no, ", play their moves"), row(inner, 4 + count), buf);
        None
    }
}

/// A seat and its player's name, in full where it fits: the user must know what would be opened.
fn lines(seat: &str, name: &str, wide: u16, look: &Look) -> Vec<Line<'static>> {
    let wide = wide.saturating_sub(LABEL);
    let whole = wrap(&squeeze(name, wide * ROWS, look), wide);
    let line = |(index, text): (usize, String)| {
        let label = if index == 0 { seat.to_owned() } else { String::new() };
        Line::from(vec![
            look.span(Role::Dim, format!("{label:<0$}", usize::from(LABEL))),
            look.span(Role::Accent, text),
        ])
    };
    whole.into_iter().enumerate().map(line).collect()
}

/// Returns whether this player's text names a file or a command.
pub fn needs_agreement(name: &str) -> bool {
    name.parse::<Unread>().is_ok_and(|unread| unread.needs_agreement())
}

/// The player of this text without opening a file or taking a command; an unknown name is a human.
pub fn without_file(name: &str) -> Spec {
    let unread = name.parse::<Unread>().ok().filter(|unread| !unread.needs_agreement());
    unread.and_then(|unread| unread.load().ok()).unwrap_or(Spec::Human)
}
