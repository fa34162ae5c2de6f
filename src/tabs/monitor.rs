//! The Monitor: all runs and plans at a glance, of this and other processes, with alarms.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::runs;
use crate::app::command::{Command, CommandTable};
use crate::app::effect::{Context, Tone};
use crate::app::tab::Tab;
use crate::monitor::{MonitorRow, Overview};
use crate::summary::number;
use crate::theme::Role;
use crate::ui::chart::sparkline;
use crate::ui::list::ListState;
use crate::ui::table::{self, Cell, Column};
use crate::ui::{Canvas, Look, clip, clock, hit_test, panel, put, row, wrap};

/// Rows of the panel below the table.
const BELOW: u16 = 6;

/// The columns at a width of the page; the newest values have what the others leave.
const fn columns(width: u16) -> [Column; 7] {
    let name = if width < 100 { 18 } else { 32 };
    // The mark, five columns of numbers and words, and the gaps.
    let values = width.saturating_sub(1 + name + 39 + 7 * 2);
    let values = if values > 40 { 40 } else { values };
    [
        Column::words("name", name),
        Column::words("state", 8),
        Column::number("done", 5),
        Column::number("left", 9),
        Column::number("speed", 8),
        Column::number("best", 9),
        Column::words("newest", values),
    ]
}

/// The tab.
pub(crate) struct Monitor {
    runs: Option<PathBuf>,
    /// `None` before the runs were read.
    seen: Option<Arc<Overview>>,
    /// What is computed first: indices into `seen`.
    rows: Vec<usize>,
    list: ListState,
    places: Vec<(Rect, usize)>,
    height: usize,
}

impl CommandTable for Monitor {
    const COMMANDS: &'static [Command<Monitor>] = &[
        Command::new("monitor.open", "Open the run or plan in its tab", &["enter"], Monitor::open_selected)
            .footer("open")
            .enabled_if(|monitor| monitor.selected().is_some())
            .disabled_reason("there are no runs"),
        Command::new("monitor.look", "Look at all runs again", &["r"], |_, cx| cx.wait_for_runs()),
    ];
}

impl Monitor {
    pub fn new(runs: Option<PathBuf>) -> Monitor {
        Monitor { runs, seen: None, rows: Vec::new(), list: ListState::default(), places: Vec::new(), height: 1 }
    }

    /// Returns the run or plan in a row.
    fn row(&self, row: usize) -> Option<&MonitorRow> {
        self.seen.as_ref()?.all.get(*self.rows.get(row)?)
    }

    fn selected(&self) -> Option<&MonitorRow> {
        self.row(self.list.selected)
    }

    fn open_selected(&mut self, cx: &mut Context) {
        let Some(one) = self.selected() else { return };
        let scope = one.saved.kind().and_then(super::of_kind);
        match scope {
            Some(scope) => runs::open_in(scope, one.saved.folder().to_owned(), cx),
            None => cx.notice(Tone::Info, "No tab shows runs of this kind"),
        }
    }

    fn cells(&self, index: usize, columns: &[Column], look: &Look) -> Vec<Cell> {
        let Some(one) = self.row(index) else { return Vec::new() };
        let dash = || "-".to_owned();
        let role = match (&one.alarm, one.is_running()) {
            (Some(_), _) => Role::Bad,
            (None, true) => Role::Good,
            (None, false) => Role::Dim,
        };
        let state = Cell { text: one.saved.word().to_owned(), style: Some(look.style(role)) };
        let speed = one.speed.filter(|_| one.is_running()).map_or_else(dash, |speed| format!("{}/s", number(speed)));
        let best = if one.saved.is_plan() { dash() } else { one.saved.best() };
        vec![
            one.saved.name().to_owned().into(),
            state,
            one.share.map_or_else(dash, |share| format!("{:.0} %", (100.0 * share).floor())).into(),
            one.left.map_or_else(dash, clock).into(),
            speed.into(),
            best.into(),
            sparkline(&one.curve, columns[6].width, look).into(),
        ]
    }

    /// Draws what the table has no room for: the alarm, and the scale of the newest values.
    fn draw_below(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(one) = self.selected() else { return };
        let inner = panel(area, Line::from(look.span(Role::Title, one.saved.name().to_owned())), false, buf, look);
        let mut lines = Vec::new();
        if let Some(alarm) = &one.alarm {
            let text = wrap(&alarm.text(), inner.width.saturating_sub(2));
            lines.extend(text.into_iter().take(2).map(|line| (Role::Bad, line)));
        }
        let (least, most) = one
            .curve
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(*value), most.max(*value)));
        if least.is_finite() {
            let scale = format!("{}: {} to {}", one.column, number(least), number(most));
            lines.push((Role::Text, format!("{scale} in the newest {} rows", one.curve.len())));
        }
        lines.push((Role::Dim, crate::sanitize::path(one.saved.folder())));
        for (index, (role, text)) in lines.into_iter().enumerate() {
            put(
                look.span(role, format!(" {}", clip(&text, inner.width.saturating_sub(2), look))),
                row(inner, index as u16),
                buf,
            );
        }
    }

    fn draw_empty(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let text = match (&self.seen, &self.runs) {
            (None, Some(_)) => "Reading the runs.",
            _ => "No runs or plans yet. Start one in the tabs Evolution, Weights, Arena or Train.",
        };
        Canvas::new(area, buf, look).explain(text);
    }
}

impl Tab for Monitor {
    fn scope(&self) -> &'static str {
        "monitor"
    }

    fn title(&self) -> &'static str {
        "Monitor"
    }

    fn subtitle(&self, _: &Look) -> String {
        let Some(seen) = &self.seen else { return String::new() };
        let running = seen.all.iter().filter(|one| one.is_running()).count();
        let alarms = seen.all.iter().filter(|one| one.alarm.is_some()).count();
        // A narrow title shows the first words.
        let text = match alarms {
            0 => format!("{running} running"),
            1 => format!("1 alarm, {running} running"),
            _ => format!("{alarms} alarms, {running} running"),
        };
        seen.disk_alarm().unwrap_or(text)
    }

    fn runs_folder(&self) -> Option<&Path> {
        self.runs.as_deref()
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn take_runs(&mut self, seen: &Arc<Overview>, _: &mut Context) {
        // The list is ordered by activity: the selection stays with its run.
        let chosen = self.selected().map(|one| one.saved.folder().to_owned());
        self.seen = Some(Arc::clone(seen));
        self.rows = (0..seen.all.len()).collect();
        crate::sort::sort_by_key(&mut self.rows, |row| !seen.all[*row].is_running());
        let is_chosen = |row: &usize| Some(seen.all[*row].saved.folder()) == chosen.as_deref();
        let place = self.rows.iter().position(is_chosen).unwrap_or(self.list.selected);
        self.list.selected = place.min(self.rows.len().saturating_sub(1));
    }

    fn key(&mut self, key: KeyEvent, _: &mut Context) -> bool {
        self.list.key(key.code, self.rows.len(), self.height, true)
    }

    fn mouse(&mut self, mouse: MouseEvent, cx: &mut Context) {
        let hit = hit_test(&self.places, (mouse.column, mouse.row));
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) if hit == Some(self.list.selected) => self.open_selected(cx),
            MouseEventKind::Down(MouseButton::Left) => self.list.selected = hit.unwrap_or(self.list.selected),
            MouseEventKind::ScrollDown => _ = self.list.key(KeyCode::Down, self.rows.len(), 1, false),
            MouseEventKind::ScrollUp => _ = self.list.key(KeyCode::Up, self.rows.len(), 1, false),
            _ => {}
        }
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        if self.rows.is_empty() {
            return self.draw_empty(area, buf, look);
        }
        let below = if area.height >= 12 { BELOW } else { 0 };
        let top = Rect { height: area.height - below, ..area };
        self.height = usize::from(top.height.saturating_sub(1));
        let mut list = self.list;
        let columns = columns(area.width);
        let cells = |index: usize| self.cells(index, &columns, look);
        self.places = table::draw(&columns, None, (self.rows.len(), &mut list), cells, top, buf, look);
        self.list = list;
        self.draw_below(Rect { y: area.y + top.height, height: below, ..area }, buf, look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_values_have_the_room_that_is_left() {
        for width in [80, 99, 100, 120, 200] {
            let needed: u16 = 1 + columns(width).iter().map(|column| column.width + 2).sum::<u16>();
            assert!(needed <= width && columns(width)[6].width >= 8, "{width}: {needed}");
        }
    }
}
