//! A comparison of runs, or of groups of runs that differ only in their seeds: their curves in one chart, and a table.
//!
//! Of runs the table has the settings that differ and the status, of groups the summary and the result of each seed.

use std::path::PathBuf;

use crossterm::event::KeyCode;
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::RunTab;
use super::home::curve;
use super::listing::clock;
use crate::grid::Grid;
use crate::groups::{self, Comparison as Comparing, Group, GroupRun, Groups};
use crate::job::RunReader;
use crate::job::run_dir::Entry;
use crate::kept::{differing, word_of};
use crate::kinds::AnyRun;
use crate::summary;
use crate::theme::Role;
use crate::ui::chart::{Band, Chart, Series};
use crate::ui::list::scrollbar;
use crate::ui::{Look, clip, panel, put, row, width};

/// Maximum number of points per curve, more than a chart can show. Longer curves are thinned.
const POINTS: usize = 2000;

/// The compared runs or groups.
pub(super) struct Comparison {
    title: &'static str,
    names: Vec<String>,
    /// The column of the curves; empty without one.
    column: String,
    /// `(generation, value)` points, one curve per run or the medians of a group; empty for a run without the column.
    curves: Vec<Vec<(f64, f64)>>,
    /// The quartiles of each group: `(generation, lower, upper)`.
    bands: Vec<Vec<(f64, f64, f64)>>,
    /// The group whose quartiles are drawn.
    chosen: usize,
    /// The rows of the table: a label, and one value per run or group.
    rows: Vec<(String, Vec<String>)>,
    /// The row from which on values are coloured by size.
    heat_from: usize,
    top: usize,
}

impl Comparison {
    /// Reads the runs' files.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn read(tab: &RunTab, runs: Vec<Entry>) -> Result<Comparison, Error> {
        let mut settings: Vec<Vec<(String, String)>> = Vec::new();
        let (mut curves, mut column, kind) = (Vec::new(), String::new(), tab.kind());
        for run in &runs {
            let own = RunReader::open(&run.folder)?.settings::<AnyRun>()?;
            let manifest = own.manifest();
            let preset = ("preset".to_owned(), manifest.preset_marked());
            settings.push(std::iter::once(preset).chain((tab.form.fields)(&own)).collect());
            let (name, values) = curve(kind, &run.folder)?;
            column = if column.is_empty() { name.to_owned() } else { column };
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
        let names = runs.iter().map(|run| run.name.clone()).collect();
        let (title, heat_from) = ("Differences and status", usize::MAX);
        Ok(Comparison { title, names, column, curves, bands: Vec::new(), chosen: 0, rows, heat_from, top: 0 })
    }

    /// Reads the runs that these folders stand for, and summarises their groups.
    ///
    /// # Errors
    /// A run cannot be read, or the runs have no common column.
    pub fn of_groups(folders: &[PathBuf]) -> Result<Comparison, Error> {
        let mut runs = Vec::new();
        for folder in folders {
            runs.extend(groups::named(None, folder)?.into_iter().filter(|run| !runs.contains(run)).collect::<Vec<_>>());
        }
        let groups = Groups::of(&runs, None)?;
        let bands: Vec<groups::Band> = groups.groups.iter().map(Group::band).collect();
        let mut rows = turned(&summary::table(&groups, None));
        rows.extend(differences(&groups));
        let heat_from = rows.len();
        rows.extend(results(&groups));
        Ok(Comparison {
            title: "Groups of runs: their last generations",
            names: groups.groups.iter().map(|group| group.name.clone()).collect(),
            column: groups.column,
            curves: bands.iter().map(|band| thinned(&band.median)).collect(),
            bands: bands.iter().map(quartiles).collect(),
            chosen: 0,
            rows,
            heat_from,
            top: 0,
        })
    }

    pub fn key(&mut self, key: KeyCode) -> bool {
        self.top = match key {
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.top + 1,
            KeyCode::PageUp => self.top.saturating_sub(10),
            KeyCode::PageDown => self.top + 10,
            KeyCode::Home => 0,
            KeyCode::Left | KeyCode::Right if !self.bands.is_empty() => {
                let by = if key == KeyCode::Left { self.bands.len() - 1 } else { 1 };
                self.chosen = (self.chosen + by) % self.bands.len();
                return true;
            }
            _ => return false,
        };
        true
    }

    /// Whether groups are summarised.
    pub fn is_of_groups(&self) -> bool {
        !self.bands.is_empty()
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
        let band = self.bands.get(self.chosen).zip(self.names.get(self.chosen));
        let band = band.map(|(points, name)| Band { label: format!("quartiles of {name}"), points: points.clone() });
        let chart = Chart { x: (0.0, last), y: None, series, band, cursor: None };
        let title = Line::from(look.span(Role::Title, self.column.replace('_', " ")));
        chart.framed(title, Line::default(), false, area, buf, look);
    }

    fn draw_table(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = Line::from(look.span(Role::Title, self.title));
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
        let (least, most) = self.range();
        let heat = |text: &String| {
            let value = text.parse::<f64>().ok()?;
            Some(look.theme.heat((value - least) / (most - least).max(f64::MIN_POSITIVE)))
        };
        let mut line = |y: u16, what: &str, values: &[String], role: Role, is_heat: bool| {
            let place = row(inner, y);
            put(look.span(Role::Dim, format!(" {what}")), place, buf);
            let mut x = place.x + labels + 3;
            for (value, wide) in values.iter().zip(&widths) {
                let wide = (*wide).min(place.right().saturating_sub(x));
                let style = Some(value).filter(|_| is_heat).and_then(heat).unwrap_or(look.style(role));
                put(Span::styled(clip(value, wide, look), style), Rect { x, width: wide, ..place }, buf);
                x = (x + wide + 2).min(place.right());
            }
        };
        line(0, "", &self.names, Role::Accent, false);
        for (y, (what, values)) in self.rows.iter().skip(self.top).take(height).enumerate() {
            line(1 + y as u16, what, values, Role::Text, self.top + y >= self.heat_from);
        }
        let body = Rect { y: inner.y + 1.min(inner.height), height: height as u16, ..inner };
        scrollbar(body, &(self.top..self.rows.len().min(self.top + height)), self.rows.len(), buf, look);
    }

    /// The least and greatest of the values that are coloured by size.
    fn range(&self) -> (f64, f64) {
        let values = self.rows.iter().skip(self.heat_from).flat_map(|(_, values)| values);
        let values = values.filter_map(|text| text.parse::<f64>().ok());
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
    }
}

/// Returns a table with its rows as columns, without the names.
fn turned(grid: &Grid) -> Vec<(String, Vec<String>)> {
    let Some((head, rows)) = grid.rows.split_first() else { return Vec::new() };
    let row = |(column, what): (usize, &String)| (what.clone(), rows.iter().map(|row| row[column].clone()).collect());
    head.iter().enumerate().skip(1).map(row).collect()
}

/// How likely the difference of each group from the first is chance, and how often it is ahead.
fn differences(groups: &Groups) -> Vec<(String, Vec<String>)> {
    let with_first: Vec<_> = groups.comparisons().into_iter().filter(|one| one.pair.1 == 0).collect();
    if with_first.is_empty() {
        return Vec::new();
    }
    let row = |what: &str, text: &dyn Fn(&Comparing) -> String| {
        let of = |group: usize| with_first.iter().find(|one| one.pair.0 == group).map_or("-".to_owned(), text);
        (what.to_owned(), (0..groups.groups.len()).map(of).collect())
    };
    vec![
        row("above the first", &|one| format!("{:.0} %", 100.0 * one.test.greater)),
        row("p corrected (Holm)", &|one| summary::probability(one.corrected)),
    ]
}

/// The result of each seed.
fn results(groups: &Groups) -> Vec<(String, Vec<String>)> {
    let mut seeds: Vec<u64> = groups.groups.iter().flat_map(|group| &group.runs).map(|run| run.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let row = |seed: &u64| {
        let of = |group: &Group| group.runs.iter().find(|run| run.seed == *seed).map_or(f64::NAN, GroupRun::result);
        (format!("seed {seed}"), groups.groups.iter().map(|group| summary::number(of(group))).collect())
    };
    seeds.iter().map(row).collect()
}

fn quartiles(band: &groups::Band) -> Vec<(f64, f64, f64)> {
    let step = band.lower.len().div_ceil(POINTS).max(1);
    let points = band.lower.iter().zip(&band.upper).enumerate().step_by(step);
    points.map(|(at, (low, high))| (at as f64, *low, *high)).filter(|(_, low, high)| (low + high).is_finite()).collect()
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
