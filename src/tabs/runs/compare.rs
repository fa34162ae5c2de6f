//! A comparison of runs: their curves in one chart, and a table of differing settings and status.

use crossterm::event::KeyCode;
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::RunTab;
use super::home::curve;
use super::listing::clock;
use crate::job::RunReader;
use crate::job::run_dir::Entry;
use crate::kept::{differing, word_of};
use crate::kinds::AnyRun;
use crate::theme::Role;
use crate::ui::chart::{Chart, Series};
use crate::ui::{Look, clip, panel, put, row, width};

/// Maximum number of points per curve, more than a chart can show. Longer curves are thinned.
const POINTS: usize = 2000;

/// The compared runs.
pub(super) struct Comparison {
    names: Vec<String>,
    /// The column of the curves; empty without one.
    column: &'static str,
    /// `(generation, value)` points, one curve per run; empty for a run without the column.
    curves: Vec<Vec<(f64, f64)>>,
    /// The rows of the table: a label, and one value per run.
    rows: Vec<(String, Vec<String>)>,
    top: usize,
}

impl Comparison {
    /// Reads the runs' files.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn read(tab: &RunTab, runs: Vec<Entry>) -> Result<Comparison, Error> {
        let mut settings: Vec<Vec<(String, String)>> = Vec::new();
        let (mut curves, mut column, kind) = (Vec::new(), "", tab.kind());
        for run in &runs {
            let own = RunReader::open(&run.folder)?.settings::<AnyRun>()?;
            let manifest = own.manifest();
            let preset = ("preset".to_owned(), manifest.preset_marked());
            settings.push(std::iter::once(preset).chain((tab.form.fields)(&own)).collect());
            let (name, values) = curve(kind, &run.folder)?;
            column = if column.is_empty() { name } else { column };
            curves.push(if name == column { thinned(&values) } else { Vec::new() });
        }
        let settings: Vec<&[(String, String)]> = settings.iter().map(Vec::as_slice).collect();
        let mut rows = differing(&settings, "");
        let row = |what: &str, value: &dyn Fn(&Entry) -> String| (what.to_owned(), runs.iter().map(value).collect());
        rows.extend([
            row(kind.unit, &|run| run.generation.map_or("-".to_owned(), |at| (at + kind.first).to_string())),
            row("best", &|run| run.best_in_short().to_owned()),
            row("state", &|run| word_of(&run.state).to_owned()),
            row("took", &|run| clock(run.took)),
        ]);
        Ok(Comparison { names: runs.iter().map(|run| run.name.clone()).collect(), column, curves, rows, top: 0 })
    }

    pub fn key(&mut self, key: KeyCode) -> bool {
        self.top = match key {
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.top + 1,
            KeyCode::PageUp => self.top.saturating_sub(10),
            KeyCode::PageDown => self.top + 10,
            KeyCode::Home => 0,
            _ => return false,
        };
        true
    }

    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let wanted = self.rows.len() as u16 + 3;
        let has_curves = self.curves.iter().any(|points| !points.is_empty());
        let below = if has_curves { wanted.min((area.height / 2).max(5)) } else { area.height }.min(area.height);
        let chart = Rect { height: area.height - below, ..area };
        if has_curves && chart.height > 2 {
            self.draw_curves(chart, buf, look);
        }
        self.draw_table(Rect { y: chart.bottom(), height: below, ..area }, buf, look);
    }

    fn draw_curves(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let last = self.curves.iter().filter_map(|points| points.last()).map(|(x, _)| *x).fold(1.0, f64::max);
        let series = self.names.iter().zip(&self.curves).enumerate();
        let series = series.map(|(index, (name, points))| Series::nth(index, name.clone(), points.clone())).collect();
        let chart = Chart { x: (0.0, last), y: None, series, band: None, cursor: None };
        let title = Line::from(look.span(Role::Title, self.column.replace('_', " ")));
        chart.framed(title, Line::default(), false, area, buf, look);
    }

    fn draw_table(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = Line::from(look.span(Role::Title, "Differences and status"));
        let inner = panel(area, title, true, buf, look);
        let height = usize::from(inner.height.saturating_sub(1));
        self.top = self.top.min(self.rows.len().saturating_sub(height));
        let labels = self.rows.iter().map(|(what, _)| width(what)).max().unwrap_or(0);
        let count = self.names.len() as u16;
        let room = inner.width.saturating_sub(labels + 3) / count.max(1);
        let widest = |at: usize| {
            let cells = self.rows.iter().map(|(_, values)| width(&values[at])).max().unwrap_or(0);
            cells.max(width(&self.names[at])).min(room.saturating_sub(2)).max(4)
        };
        let widths: Vec<u16> = (0..self.names.len()).map(widest).collect();
        let mut line = |y: u16, what: &str, values: &[String], role: Role| {
            let place = row(inner, y);
            put(look.span(Role::Dim, format!(" {what}")), place, buf);
            let mut x = place.x + labels + 3;
            for (value, wide) in values.iter().zip(&widths) {
                let wide = (*wide).min(place.right().saturating_sub(x));
                put(look.span(role, clip(value, wide, look)), Rect { x, width: wide, ..place }, buf);
                x = (x + wide + 2).min(place.right());
            }
        };
        line(0, "", &self.names, Role::Accent);
        for (y, (what, values)) in self.rows.iter().skip(self.top).take(height).enumerate() {
            line(1 + y as u16, what, values, Role::Text);
        }
    }
}

fn thinned(values: &[f64]) -> Vec<(f64, f64)> {
    let step = values.len().div_ceil(POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let points = values.iter().enumerate().filter(|(at, value)| (at % step == 0 || *at == last) && value.is_finite());
    points.map(|(at, value)| (at as f64, *value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_keeps_its_ends_when_it_is_thinned() {
        let values: Vec<f64> = (0..100_001).map(f64::from).collect();
        let points = thinned(&values);
        assert!(points.len() <= POINTS + 1);
        assert_eq!((points[0], points[points.len() - 1]), ((0.0, 0.0), (100_000.0, 100_000.0)));
        assert_eq!(thinned(&[1.0, f64::NAN, 3.0]), [(0.0, 1.0), (2.0, 3.0)]);
    }
}
