//! The panels that runs of evaluations have apart from those of networks: the list of errors on held-out games, the errors by stage, and
//! the layout.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::measures::Measures;
use super::panels::{Pane, Panels};
use crate::evaluations::{EvaluationRow, View};
use crate::learners::Snapshot;
use crate::theme::Role;
use crate::ui::Canvas;
use crate::ui::chart::{Chart, Pattern, Series};
use crate::ui::list::RowList;

/// The panels that share a place on small screens.
pub const SHARING: [Pane; 2] = [Pane::Measures, Pane::Stages];

/// Draws the list of the errors.
pub fn list(view: &View, snapshot: &Snapshot, list: &mut RowList, mut canvas: Canvas<'_>) {
    let subject = view.settings.subject;
    let look = canvas.look;
    let same = subject.unit == subject.shallow_unit;
    let mut inner = canvas.panel(if same { format!("Errors, {}", subject.unit) } else { "Errors".to_owned() });
    if view.past.is_empty() {
        return inner.explain(&format!(
            "After a generation: the error of the weights on held-out games, by {}, and that of shallow searches",
            subject.staged_by
        ));
    }
    let measures = Measures::new(snapshot);
    let stage = subject.staged_by.split(' ').next_back().unwrap_or_default();
    inner.put(0, look.span(Role::Dim, measures.head(stage, "error")));
    measures.draw_list(list, inner.below(1));
}

/// Returns the panels and their areas.
pub fn layout(panels: &Panels, view: &View, area: Rect) -> Vec<(Pane, Rect)> {
    let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
    let wide = area.width;
    let high = area.height;
    // A row per player, a head, and a frame.
    let table = (view.settings.panel.players.len() as u16).saturating_add(3).clamp(5, 12);
    let left = wide / 2;
    let right = wide - left;
    // The list with its head, two counts below it, and a frame.
    let rows = view.settings.subject.stages.len() as u16 + 8;
    if wide >= 100 && high >= rows + table + 6 {
        let upper = high.div_ceil(2);
        return vec![
            (Pane::Chart, at(0, 0, left, upper)),
            (Pane::Course, at(0, upper, left, high - upper)),
            (Pane::Measures, at(left, 0, right, rows)),
            (Pane::Strength, at(left, rows, right, table)),
            (Pane::Stages, at(left, rows + table, right, high - rows - table)),
        ];
    }
    let upper = high - table.min(high / 2);
    let chart = panels.chart(Pane::Chart);
    let beside = panels.shared(SHARING);
    vec![
        (chart, at(0, 0, left, upper)),
        (Pane::Strength, at(0, upper, left, high - upper)),
        (beside, at(left, 0, right, high)),
    ]
}

/// Draws the errors of the newest generation by stage, and those of the first one.
pub fn stages(view: &View, mut canvas: Canvas<'_>) {
    let subject = view.settings.subject;
    let title = format!("Error, {}", subject.unit);
    let (Some(first), Some(last)) = (view.past.first(), view.past.last()) else {
        return canvas.panel(title).explain("No generation is complete yet");
    };
    let points = |past: &EvaluationRow| -> Vec<(f64, f64)> {
        let stages = subject.stages.iter().zip(&past.errors).filter(|(_, error)| **error > 0.0);
        stages.map(|((.., at), error)| (f64::from(*at), *error)).collect()
    };
    let newest = format!("generation {}", last.generation);
    let mut series = vec![Series::new(newest, Role::Curve1, Pattern::Solid, points(last))];
    if last.generation > first.generation {
        series.push(Series::new("generation 0", Role::Curve2, Pattern::Dashed, points(first)));
    }
    let most = subject.stages.iter().map(|(.., at)| f64::from(*at)).fold(0.0, f64::max);
    let chart = Chart { x: (0.0, most), unit: subject.staged_by, series, ..Chart::default() };
    let Canvas { area, focused, buf, look } = canvas;
    chart.framed(Line::from(look.span(Role::Title, title)), Line::default(), focused, area, buf, look);
}
