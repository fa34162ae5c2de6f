//! The panels that runs of networks have apart from those of patterns: the list of the measures of training, and the layout.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::measures::{self, Measures};
use super::opponents;
use super::panels::{Pane, Panels};
use crate::learners::Snapshot;
use crate::theme::Role;
use crate::train::View;
use crate::ui::Canvas;
use crate::ui::list::RowList;

/// The panels that share a place on small screens.
pub const SHARING: [Pane; 2] = [Pane::Positions, Pane::Opponents];

/// Draws the list of the measures; its title warns of runs that are not reproducible.
pub fn list(view: &View, snapshot: &Snapshot, list: &mut RowList, mut canvas: Canvas<'_>) {
    let look = canvas.look;
    let titled = |text: &str| Line::from(vec![look.span(Role::Title, "Learning"), look.span(Role::Warning, text)]);
    let [title, short] = match view.settings.is_reproducible() {
        true => [titled(""), titled("")],
        false => ["  schedule=free: not reproducible", ": not reproducible"].map(titled),
    };
    let title = if title.width() as u16 + 4 <= canvas.area.width { title } else { short };
    let mut inner = canvas.framed(title, Line::default());
    match view.past.is_empty() {
        true => inner.explain("Playing the first generation"),
        false => Measures::new(snapshot).draw_list(list, inner),
    }
}

/// Returns the panels and their areas.
pub fn layout(panels: &Panels, view: &View, area: Rect) -> Vec<(Pane, Rect)> {
    let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
    let wide = area.width;
    let high = area.height;
    // A row per player, the network itself, a head, and a frame.
    let table = (view.settings.panel.len() as u16).saturating_add(4);
    let opponents = opponents::rows(view);
    if wide >= 160 && high >= 34 {
        let left = wide * 2 / 5;
        let right = wide / 4;
        let middle = wide - left - right;
        let upper = table.min(high / 3);
        let lower = opponents.min(high / 4);
        return vec![
            (Pane::Strength, at(0, 0, left, upper)),
            (Pane::Course, at(0, upper, left, high - upper - lower)),
            (Pane::Opponents, at(0, high - lower, left, lower)),
            (Pane::Chart, at(left, 0, middle, high - measures::ROWS)),
            (Pane::Measures, at(left, high - measures::ROWS, middle, measures::ROWS)),
            (Pane::Positions, at(left + middle, 0, right, high)),
        ];
    }
    if wide >= 100 && high >= 34 {
        let left = wide / 2;
        let upper = table.clamp(8, 13);
        let lower = opponents.min(9);
        let charts = high - measures::ROWS;
        return vec![
            (Pane::Course, at(0, 0, left, charts.div_ceil(2))),
            (Pane::Strength, at(left, 0, wide - left, upper)),
            (Pane::Chart, at(0, charts.div_ceil(2), left, charts / 2)),
            (Pane::Measures, at(0, charts, left, measures::ROWS)),
            (Pane::Positions, at(left, upper, wide - left, high - upper - lower)),
            (Pane::Opponents, at(left, high - lower, wide - left, lower)),
        ];
    }
    let left = (wide * 42 / 100).max(30);
    let upper = (high / 2).max(table.min(high * 3 / 5));
    let chart = panels.chart(Pane::Course);
    vec![
        (chart, at(0, 0, left, upper)),
        (Pane::Strength, at(left, 0, wide - left, upper)),
        (Pane::Measures, at(0, upper, left, high - upper)),
        (panels.shared(SHARING), at(left, upper, wide - left, high - upper)),
    ]
}
