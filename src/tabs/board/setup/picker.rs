//! The player list of the new-game dialog: description, rating, and time per move.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::game::Variant;
use crate::player::offers::MY_LEVEL;
use crate::player::offers::{about, strength};
use crate::theme::Role;
use crate::ui::form::Field;
use crate::ui::list::scrollbar;
use crate::ui::{Look, clip, put, row, width};

/// With fewer rows a line about the chosen player replaces the list.
const LEAST: u16 = 3;

/// Widths of the columns: player, rating with interval, time per move, description.
const PLAYER: usize = 21;
const RATING: usize = 12;
const TIME: usize = 9;
/// Minimum width of the description.
const ABOUT: usize = 26;

/// The players' areas on the screen.
#[derive(Default)]
pub struct Picker {
    /// One player per row, from the first visible one.
    shown: Vec<String>,
    place: Rect,
}

impl Picker {
    /// The player at a position of the mouse.
    pub fn at(&self, mouse: MouseEvent) -> Option<String> {
        let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if !is_click || !self.place.contains((mouse.column, mouse.row).into()) {
            return None;
        }
        self.shown.get(usize::from(mouse.row - self.place.y)).cloned()
    }

    /// Draws the players that match the field's text with the current one marked; dim unless `being_chosen`.
    pub fn draw(
        &mut self,
        field: &Field,
        being_chosen: bool,
        variant: &Variant,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) {
        (self.shown, self.place) = (Vec::new(), Rect::ZERO);
        if area.is_empty() {
            return;
        }
        // Beside the pointer and the arrows.
        let wide = area.width.saturating_sub(4);
        let line = |text: &str, role| look.span(role, clip(&columns(text, variant, area.width, look), wide, look));
        let value = field.value.trim();
        if area.height < LEAST {
            return put(line(value, Role::Dim), row(area, 0), buf);
        }
        put(look.span(Role::Title, clip(&head(&field.label, area.width), area.width, look)), row(area, 0), buf);
        let matches = field.matches();
        let chosen = matches.iter().position(|player| *player == value);
        let rows = usize::from(area.height - 1);
        let first = chosen.map_or(0, |chosen| chosen.saturating_sub(rows / 2)).min(matches.len().saturating_sub(rows));
        self.place = Rect { y: area.y + 1, height: area.height - 1, ..area };
        self.shown = matches.iter().skip(first).take(rows).map(|player| (*player).to_owned()).collect();
        for (index, player) in self.shown.iter().enumerate() {
            let is_chosen = chosen == Some(first + index);
            let mark = if is_chosen { look.glyphs.pointer } else { " " };
            let role = match (is_chosen, being_chosen) {
                (true, _) => Role::Accent,
                (false, true) => Role::Text,
                (false, false) => Role::Dim,
            };
            let text = Line::from(vec![look.span(Role::Accent, format!("{mark} ")), line(player, role)]);
            put(text, row(self.place, index as u16), buf);
        }
        scrollbar(self.place, &(first..first + self.shown.len()), matches.len(), buf, look);
    }
}

/// Returns whether the player can have a rating: not humans, nor players whose strength depends on the machine or on results.
fn is_rated(player: &str) -> bool {
    player != "human" && player != MY_LEVEL && !player.contains("ms=")
}

/// Returns whether the description fits.
fn has_room(wide: u16) -> bool {
    usize::from(wide) >= 2 + PLAYER + RATING + TIME + ABOUT
}

fn head(seat: &str, wide: u16) -> String {
    let about = if has_room(wide) { "  description" } else { "" };
    format!("  {:<PLAYER$}{:>RATING$}{:>TIME$}{about}", format!("Players for {seat}"), "Elo", "time")
}

fn columns(player: &str, variant: &Variant, wide: u16, look: &Look) -> String {
    let about = about(player, variant).unwrap_or_default();
    let name = format!("{:<PLAYER$}", clip(player, PLAYER as u16 - 1, look));
    match strength(player, variant) {
        Some(strength) => {
            let plus_minus = if look.glyphs.has_blocks() { "±" } else { "+-" };
            let rating = format!("{} {plus_minus} {:>2}", look.signed(strength.elo), strength.plus_minus);
            let about = if has_room(wide) { format!("  {about}") } else { String::new() };
            format!("{name}{}{:>TIME$}{about}", right(&rating, RATING), strength.time())
        }
        None if has_room(wide) => {
            let rating = if is_rated(player) { "not measured" } else { "" };
            format!("{name}{rating:>RATING$}{:>TIME$}  {about}", "")
        }
        None => format!("{name}  {about}"),
    }
}

/// Right-aligned text.
fn right(text: &str, cells: usize) -> String {
    format!("{}{text}", " ".repeat(cells.saturating_sub(usize::from(width(text)))))
}
