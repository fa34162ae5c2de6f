//! The opponents in training and their shares of the games.

use ratatui::text::Line;

use crate::theme::Role;
use crate::train::{View, Who};
use crate::ui::{Canvas, clip, width};

/// Returns the preferred rows of the panel, including its frame.
pub fn rows(view: &View) -> u16 {
    view.settings.opponents.len().min(usize::from(u16::MAX) - 3) as u16 + 3
}

/// Draws one bar per opponent; the last row describes the pool of past snapshots.
pub fn draw(view: &View, mut canvas: Canvas<'_>) {
    let settings = &view.settings;
    let look = canvas.look;
    let mut canvas = canvas.panel("Opponents, their shares");
    let inner = canvas.area;
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.share).sum();
    let most = settings.opponents.iter().map(|opponent| opponent.share).fold(0.0, f64::max);
    let names: Vec<String> = settings.opponents.iter().map(|opponent| opponent.who.to_string()).collect();
    let longest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let room = longest.min(inner.width.saturating_sub(9).max(4));
    let bar = inner.width.saturating_sub(room + 10).min(40);
    for (index, (opponent, name)) in settings.opponents.iter().zip(&names).enumerate() {
        let name = clip(name, room, look);
        let gap = " ".repeat(usize::from(room - width(&name)));
        let role = if matches!(opponent.who, Who::Player(_)) { Role::Bar } else { Role::BarAlt };
        let line = Line::from(vec![
            look.span(Role::Text, format!(" {name}{gap}")),
            look.span(Role::Text, format!("{:>5.1} % ", 100.0 * opponent.share / all)),
            look.span(role, look.low_bar(opponent.share / most, bar)),
        ]);
        canvas.put(index as u16, line);
    }
    if settings.opponents.iter().any(|opponent| opponent.who == Who::Past) {
        let kept = format!(" past: one of the last {}", settings.past);
        let ways = [format!("{kept}, saved every {} generations", settings.past_every), kept];
        let text = ways.into_iter().find(|text| width(text) < inner.width).unwrap_or_default();
        canvas.put(names.len() as u16, look.span(Role::Dim, text));
    }
}
