//! Every command by name: type a few letters, Enter runs it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Outcome, Overlay};
use crate::app::Listed;
use crate::theme::Role;
use crate::ui::form::extend;
use crate::ui::list::ListState;
use crate::ui::{Look, clip, put, row, tail, width, window};

/// Longer words than this are in no command's name.
const MOST: usize = 200;

/// The command palette.
pub struct Palette {
    entries: Vec<Listed>,
    wanted: String,
    list: ListState,
    rows: Rect,
}

impl Palette {
    /// `entries`: what it offers, in this order.
    pub fn new(entries: Vec<Listed>) -> Palette {
        Palette { entries, wanted: String::new(), list: ListState::default(), rows: Rect::ZERO }
    }

    /// Entries whose title or id has all typed words in it, in their order.
    fn found(&self) -> Vec<&Listed> {
        let words: Vec<String> = self.wanted.split_whitespace().map(str::to_lowercase).collect();
        let fits = |entry: &&Listed| {
            let text = format!("{} {}", entry.title, entry.label.id).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.entries.iter().filter(fits).collect()
    }

    fn run(&self) -> Outcome {
        self.found().get(self.list.selected).map_or(Outcome::Stay, |entry| Outcome::Run(entry.place))
    }
}

impl Overlay for Palette {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        let (len, page) = (self.found().len(), usize::from(self.rows.height));
        match key.code {
            KeyCode::Esc => return Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Outcome::Close,
            KeyCode::Enter => return self.run(),
            KeyCode::Backspace if self.wanted.is_empty() => return Outcome::Close,
            KeyCode::Backspace => _ = self.wanted.pop(),
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.wanted.clear(),
            KeyCode::Char(c) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                extend(&mut self.wanted, c.encode_utf8(&mut [0; 4]), MOST);
                self.list.selected = 0;
            }
            code => {
                self.list.key(code, len, page, false);
            }
        }
        Outcome::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let len = self.found().len();
        match mouse.kind {
            MouseEventKind::ScrollUp => _ = self.list.key(KeyCode::Up, len, 1, false),
            MouseEventKind::ScrollDown => _ = self.list.key(KeyCode::Down, len, 1, false),
            MouseEventKind::Down(MouseButton::Left) => {
                if !self.rows.contains((mouse.column, mouse.row).into()) {
                    return Outcome::Close;
                }
                let shown = self.list.window(len, usize::from(self.rows.height));
                self.list.selected = shown.start + usize::from(mouse.row - self.rows.y);
                return self.run();
            }
            _ => {}
        }
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        extend(&mut self.wanted, text, MOST);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let height = (self.entries.len() as u16 + 4).min(area.height);
        let inner = window(area, 60, height, "Commands", buf, look);
        let wanted = tail(&self.wanted, inner.width.saturating_sub(3));
        put(Line::from(vec![look.span(Role::Key, ": "), look.span(Role::Text, wanted)]), inner, buf);
        let cursor = (inner.x + 2 + width(wanted), inner.y);
        self.rows = Rect { y: inner.y + 2.min(inner.height), height: inner.height.saturating_sub(2), ..inner };
        let mut list = self.list;
        let found = self.found();
        if found.is_empty() {
            put(look.span(Role::Dim, "no command has that in its name"), self.rows, buf);
        }
        for (place, index) in list.window(found.len(), usize::from(self.rows.height)).enumerate() {
            let line = row(self.rows, place as u16);
            let role = if index == list.selected { Role::Selection } else { Role::Text };
            buf.set_style(line, look.style(role));
            let entry = found[index];
            let labels = entry.keys.join(" ");
            let keys_width = width(&labels).min(line.width);
            put(look.span(role, clip(&entry.title, line.width - keys_width, look)), line, buf);
            let keys = Rect { x: line.right() - keys_width, width: keys_width, ..line };
            let role = if index == list.selected { role } else { Role::Key };
            put(look.span(role, labels), keys, buf);
        }
        self.list = list;
        Some(cursor).filter(|&(x, y)| area.contains((x, y).into()))
    }
}
