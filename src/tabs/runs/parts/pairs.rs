//! Panels of labels and values, which may scroll.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::theme::Role;
use crate::ui::list::scrollbar;
use crate::ui::{Look, put, row, width, wrap};

/// A label, its value, and the value's role.
pub type Pair = (String, String, Role);

/// Draws the lines from `top` on, which is reduced to the last page, and a scrollbar if they do not fit.
pub fn scrolled(lines: Vec<Line<'static>>, top: &mut usize, area: Rect, buf: &mut Buffer, look: &Look) {
    let len = lines.len();
    let height = usize::from(area.height);
    *top = (*top).min(len.saturating_sub(height));
    scrollbar(area, &(*top..len.min(*top + height)), len, buf, look);
    for (y, line) in lines.into_iter().skip(*top).take(height).enumerate() {
        put(line, row(area, y as u16), buf);
    }
}

/// Returns the lines of labels and values below one another, with long values wrapped in rows of `cells`.
pub fn pairs(rows: &[Pair], cells: u16, look: &Look) -> Vec<Line<'static>> {
    let labels = rows.iter().map(|(label, ..)| width(label)).max().unwrap_or(0) + 3;
    let mut lines = Vec::new();
    for (label, value, role) in rows {
        let mut label = format!(" {label}");
        for text in wrap(value, cells.saturating_sub(labels + 1)) {
            let gap = " ".repeat(usize::from(labels - width(&label)));
            lines.push(Line::from(vec![look.span(Role::Dim, label + &gap), look.span(*role, text)]));
            label = String::new();
        }
    }
    lines
}
