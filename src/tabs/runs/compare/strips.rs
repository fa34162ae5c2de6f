//! A strip of each group with the results of all its seeds, over the range of all groups.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Comparison;
use crate::summary;
use crate::tabs::runs::parts::window;
use crate::theme::Role;
use crate::ui::{Look, fit, framed, put, row, squeeze, width};

/// The least height of the page with strips, and the most groups whose strips are shown at once.
const LEAST: u16 = 14;
const MOST: u16 = 6;
/// Cells of the longest name.
const NAME: u16 = 30;

impl Comparison {
    /// Returns the height of the strips on a page: none where there is no room, or no two different results.
    pub(super) fn strips_height(&self, page: u16) -> u16 {
        let (low, high) = summary::range(&self.results);
        // The ends of the range, and a frame that shares a border with the table.
        if page < LEAST || low >= high { 0 } else { 2 + (self.results.len() as u16).min(MOST) }
    }

    pub(super) fn draw_strips(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = Line::from(look.span(Role::Title, "Results of all seeds"));
        let mark = if look.glyphs.dot.is_ascii() { "." } else { "·" };
        let legend = format!("{mark} one seed  : several  | median");
        let legend = fit(Line::from(look.span(Role::Dim, legend)), area.width.saturating_sub(4), look);
        let inner = framed(area, title, legend, false, buf, look);
        let names = self.names.iter().map(|name| width(name)).max().unwrap_or(0).min(NAME).min(inner.width / 3);
        let cells = usize::from(inner.width.saturating_sub(names + 4));
        let range = summary::range(&self.results);
        let roles = self.roles();
        let line = |y: u16, name: &str, strip: &str, role: Role, buf: &mut Buffer| {
            let name = squeeze(name, names, look);
            let gap = " ".repeat(usize::from(names.saturating_sub(width(&name)) + 2));
            let spans = vec![look.span(role, format!(" {name}{gap}")), look.span(role, strip.to_owned())];
            put(Line::from(spans), row(inner, y), buf);
        };
        line(0, "", &look.with_minus(&summary::strip_ends(range, cells)), Role::Dim, buf);
        let shown = window(self.selected, self.results.len(), inner.height.saturating_sub(1));
        for (y, group) in shown.enumerate() {
            let strip = summary::strip(&self.results[group], range, cells).replace('·', mark);
            let role = if roles[group].0 == Role::Dim { Role::Text } else { roles[group].0 };
            line(1 + y as u16, &self.names[group], &strip, role, buf);
        }
    }
}
