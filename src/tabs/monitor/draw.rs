//! Draws the Monitor: a line about the machine, the table, the curve of the selected run, and the start and last change of each.

use std::time::SystemTime;

use mancalab_base::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Monitor, Row};
use crate::kept::{RunOrPlan, units};
use crate::monitor::MonitorRow;
use crate::summary::number;
use crate::theme::Role;
use crate::ui::chart::{Chart, Pattern, Series, scaled_sparkline};
use crate::ui::table::{self, Cell, Column};
use crate::ui::{Canvas, Look, adjoin, age, clip, duration, fit, panel, put, row, squeeze, time_of, width, wrap};

/// Rows of the lower panels from which the folder is shown above the curve.
const LOW: u16 = 8;
/// The height from which panels are shown below the table.
const HIGH: u16 = 13;

/// Width in cells of the best, a number or a tournament's leading player.
const BEST: u16 = 9;

/// The columns at a width of the page; the newest values have what the others leave.
pub(super) const fn columns(width: u16) -> [Column; 7] {
    let (name, number) = if width < 100 { (16, 7) } else { (32, 9) };
    // The mark, columns of numbers and words, and the gaps.
    let values = width.saturating_sub(1 + name + 8 + 5 + 2 * number + BEST + 7 * 2);
    let values = if values > 60 { 60 } else { values };
    [
        Column::words("name", name),
        Column::words("state", 8),
        Column::number("done", 5),
        Column::number("left", number),
        Column::number("speed", number),
        Column::number("best", BEST),
        Column::words("newest", values),
    ]
}

impl Monitor {
    pub(super) fn draw_page(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        put(self.machine(area.width.saturating_sub(2), look), Rect { x: area.x + 1, ..row(area, 0) }, buf);
        let body = Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area };
        let below = if body.height < HIGH { 0 } else { (body.height * 2 / 5).max(7) };
        let table = Rect { height: body.height - below, ..body };
        if self.rows.is_empty() {
            Canvas::new(table, buf, look).explain("No run matches in name, preset, state or tag:NAME.");
        } else {
            self.draw_table(table, buf, look);
        }
        let left = area.width * 3 / 5;
        let mut curve = Rect { y: body.y + table.height, height: below, width: left, ..body };
        let mut events = Rect { x: body.x + left, width: body.width - left, ..curve };
        adjoin(&mut [&mut curve, &mut events]);
        if below > 0 {
            self.draw_selected(curve, buf, look);
            self.draw_events(events, buf, look);
        }
    }

    /// Returns the counts by state, the free disk and the load, in at most `cells`.
    fn machine(&self, cells: u16, look: &Look) -> Line<'static> {
        let Some(seen) = &self.seen else { return Line::default() };
        let count = |fits: &dyn Fn(&MonitorRow) -> bool| seen.all.iter().filter(|one| fits(one)).count();
        let running = count(&MonitorRow::is_running);
        let alarms = count(&|one| one.alarm.is_some());
        let plans = count(&|one| one.saved.is_plan());
        let mut spans = vec![look.span(Role::Text, format!("{running} running"))];
        let mut push = |role: Role, text: String| {
            spans.extend([look.span(Role::Dim, format!(" {} ", look.glyphs.dot)), look.span(role, text)]);
        };
        if alarms > 0 {
            push(Role::Bad, counted(alarms, "alarm"));
        }
        if plans > 0 {
            push(Role::Text, counted(plans, "plan"));
        }
        let [free, load] = seen.machine();
        if let Some(free) = free {
            let role = if seen.disk_alarm().is_some() { Role::Bad } else { Role::Dim };
            push(role, format!("disk {free} free"));
        }
        if let Some(load) = load {
            let is_high = seen.load.is_some_and(|(load, processors)| load > f64::from(processors) + 1.0);
            push(if is_high { Role::Warning } else { Role::Dim }, format!("load {load}"));
        }
        if !self.filter.is_empty() {
            push(Role::Accent, format!("filter: {}", self.filter));
        }
        fit(Line::from(spans), cells, look)
    }

    fn draw_table(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.height = usize::from(area.height.saturating_sub(1));
        let mut list = self.list;
        let columns = columns(area.width);
        let now = SystemTime::now();
        let cells = |index: usize| match self.rows.get(index) {
            Some(Row::Finished(count)) => self.finished(*count, look),
            _ => self.row(index).map_or(Vec::new(), |one| cells(one, &columns, now, look)),
        };
        self.places = table::draw(&columns, self.order, (self.rows.len(), &mut list), cells, area, buf, look);
        self.list = list;
    }

    /// Returns the row that stands for the finished ones, or is above them.
    fn finished(&self, count: usize, look: &Look) -> Vec<Cell> {
        let mark = if self.is_unfolded { look.glyphs.down } else { look.glyphs.right };
        let style = Some(look.style(Role::Dim));
        vec![Cell { text: format!("{mark} {count} finished"), style }]
    }

    /// Draws the curve of the selected run, or the units of a plan; above it what is wrong.
    fn draw_selected(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(one) = self.selected() else {
            panel(area, Line::default(), false, buf, look);
            return;
        };
        let column = if one.column.is_empty() { String::new() } else { format!(": {}", one.column.replace('_', " ")) };
        let title = look.span(Role::Title, one.saved.name().to_owned());
        let mut inner = panel(area, Line::from(vec![title, look.span(Role::Dim, column)]), false, buf, look);
        let mut lines = Vec::new();
        if let Some(alarm) = &one.alarm {
            let text = wrap(&alarm.text(), inner.width.saturating_sub(2));
            lines.extend(text.into_iter().take(2).map(|line| (Role::Bad, line)));
        }
        if let RunOrPlan::Plan(plan) = &one.saved {
            lines.push((Role::Text, units(&plan.counts)));
        }
        // A low panel has room for the curve alone.
        if inner.height >= LOW || one.curve.len() < 2 {
            lines.push((Role::Dim, crate::sanitize::path(one.saved.folder())));
        }
        for (role, text) in lines.into_iter().take(usize::from(inner.height)) {
            put(look.span(role, format!(" {}", clip(&text, inner.width.saturating_sub(2), look))), row(inner, 0), buf);
            inner = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
        }
        if one.curve.len() > 1 {
            curve(one).draw(inner, buf, look);
        }
    }

    fn draw_events(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = vec![look.span(Role::Title, "Start and last change"), look.span(Role::Dim, " (UTC)")];
        let inner = panel(area, Line::from(title), false, buf, look);
        let now = SystemTime::now();
        let mut events = self.seen.as_ref().map_or(Vec::new(), |seen| seen.events());
        events.truncate(usize::from(inner.height));
        let times: Vec<String> = events.iter().map(|event| time_of(event.time, now)).collect();
        let wide = times.iter().map(|at| width(at)).max().unwrap_or(0);
        for (line, (event, at)) in events.into_iter().zip(times).enumerate() {
            let role = if event.is_alarm { Role::Bad } else { Role::Text };
            // The end of a name, such as a seed, and what happened stay readable.
            let room = inner.width.saturating_sub(wide + 5 + width(&event.what)).max(8);
            let name = squeeze(&event.name, room, look);
            let text = vec![
                look.span(Role::Dim, format!(" {at:>wide$}  ", wide = usize::from(wide))),
                look.span(role, format!("{name} {}", event.what)),
            ];
            put(fit(Line::from(text), inner.width.saturating_sub(1), look), row(inner, line as u16), buf);
        }
    }
}

fn cells(one: &MonitorRow, columns: &[Column], now: SystemTime, look: &Look) -> Vec<Cell> {
    let dash = || "-".to_owned();
    let role = match (&one.alarm, one.is_running()) {
        (Some(_), _) => Role::Bad,
        (None, true) => Role::Good,
        (None, false) => Role::Dim,
    };
    let state = Cell { text: one.saved.word().to_owned(), style: Some(look.style(role)) };
    let speed = one.speed.filter(|_| one.is_running()).map_or_else(dash, rate);
    let best = if one.saved.is_plan() { dash() } else { one.saved.best() };
    let last = columns[columns.len() - 1].width;
    // What does not run has no speed: its last column says since when.
    let newest = match one.saved.changed().filter(|_| one.curve.is_empty()) {
        Some(at) => age(now.duration_since(at).unwrap_or_default()),
        None => scaled_sparkline(&one.curve, number, last, look),
    };
    vec![
        squeeze(one.saved.name(), columns[0].width, look).into(),
        state,
        one.share.map_or_else(dash, |share| format!("{:.0} %", (100.0 * share).floor())).into(),
        one.left.map_or_else(dash, duration).into(),
        speed.into(),
        best.into(),
        newest.into(),
    ]
}

/// Formats a number per second in at most seven characters: `0.35/s`, `2.5/s`, `1234/s`.
fn rate(speed: f64) -> String {
    let digits = (1.0 - speed.max(1e-3).log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{speed:.digits$}/s")
}

/// Returns the newest values over the generations.
fn curve(one: &MonitorRow) -> Chart {
    let newest = one.saved.newest().unwrap_or(one.curve.len() as u64 - 1);
    let first = (newest + 1).saturating_sub(one.curve.len() as u64);
    let points = (first..).map(|at| at as f64).zip(one.curve.iter().copied()).collect();
    Chart {
        x: (first as f64, newest as f64),
        unit: "generation",
        series: vec![Series::new("", Role::Curve1, Pattern::Solid, points)],
        is_percent: one.column.ends_with("percent"),
        ..Chart::default()
    }
}
