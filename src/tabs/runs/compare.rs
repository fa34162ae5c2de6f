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
use crate::kinds::{AnyRun, is_less_better};
use crate::summary;
use crate::theme::Role;
use crate::ui::chart::{Band, Chart, Pattern, Series};
use crate::ui::list::scrollbar;
use crate::ui::{Look, clip, panel, put, row, squeeze, width};

/// Maximum number of points per curve, more than a chart can show. Longer curves are thinned.
const POINTS: usize = 2000;

/// The least width of a run's column, if its texts are not narrower.
const NARROWEST: u16 = 12;

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
    /// The rows of the table: a label, and one value per run or group.
    rows: Vec<(String, Vec<String>)>,
    /// The row from which on values are coloured by size.
    heat_from: usize,
    top: usize,
    /// The bright run, or the group whose quartiles are drawn.
    selected: usize,
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Head,
    Plain,
    /// Its values are coloured by size.
    Heat,
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
        Ok(Comparison { title, names, column, curves, bands: Vec::new(), rows, heat_from, top: 0, selected: 0 })
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
            rows,
            heat_from,
            top: 0,
            selected: 0,
        })
    }

    pub fn key(&mut self, key: KeyCode) -> bool {
        let last = self.names.len().saturating_sub(1);
        self.top = match key {
            KeyCode::Left | KeyCode::Right => {
                let right = self.selected + usize::from(key == KeyCode::Right);
                self.selected = if key == KeyCode::Left { self.selected.saturating_sub(1) } else { right.min(last) };
                return true;
            }
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.top + 1,
            KeyCode::PageUp => self.top.saturating_sub(10),
            KeyCode::PageDown => self.top + 10,
            KeyCode::Home => 0,
            _ => return false,
        };
        true
    }

    /// Whether groups are summarised.
    pub fn is_of_groups(&self) -> bool {
        !self.bands.is_empty()
    }

    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let wanted = self.rows.len().min(1000) as u16 + 3;
        let has_curves = self.curves.iter().any(|points| !points.is_empty());
        let below = if has_curves { wanted.min((area.height / 2).max(5)) } else { area.height }.min(area.height);
        let chart = Rect { height: area.height - below, ..area };
        if has_curves && chart.height > 2 {
            self.draw_curves(chart, buf, look);
        }
        self.draw_table(Rect { y: chart.bottom(), height: below, ..area }, buf, look);
    }

    /// Returns the appearance of each curve: as many are bright as their colours differ, the selected one and the best three others.
    fn roles(&self) -> Vec<(Role, Pattern)> {
        const BEST: [(Role, Pattern); 3] =
            [(Role::Curve1, Pattern::Dashed), (Role::Curve2, Pattern::Mixed), (Role::Curve3, Pattern::Dotted)];
        let mut roles = vec![(Role::Dim, Pattern::Dotted); self.names.len()];
        // Of errors, the least is the best.
        let sign = if is_less_better(&self.column) { -1.0 } else { 1.0 };
        let last = |run: &usize| self.curves[*run].last().map_or(f64::NEG_INFINITY, |(_, value)| sign * value);
        let mut best: Vec<usize> = (0..self.names.len()).filter(|run| *run != self.selected).collect();
        best.sort_by(|a, b| last(b).total_cmp(&last(a)));
        best.into_iter().zip(BEST).for_each(|(run, role)| roles[run] = role);
        if let Some(role) = roles.get_mut(self.selected) {
            *role = (Role::Accent, Pattern::Solid);
        }
        roles
    }

    fn draw_curves(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let last = self.curves.iter().filter_map(|points| points.last()).map(|(x, _)| *x).fold(1.0, f64::max);
        let runs = self.names.iter().zip(&self.curves).zip(self.roles());
        let series = runs.map(|((name, points), (role, pattern))| {
            let label = if role == Role::Dim { "" } else { name };
            Series::new(label, role, pattern, points.clone())
        });
        let chart = Chart {
            x: (0.0, last),
            unit: "generation",
            series: series.collect(),
            band: self.band(),
            ..Chart::default()
        };
        let title = Line::from(look.span(Role::Title, self.column.replace('_', " ")));
        chart.framed(title, Line::default(), false, area, buf, look);
    }

    /// The quartiles of the selected group.
    fn band(&self) -> Option<Band> {
        let (points, name) = self.bands.get(self.selected).zip(self.names.get(self.selected))?;
        Some(Band { label: format!("quartiles of {name}"), points: points.clone() })
    }

    fn draw_table(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = Line::from(look.span(Role::Title, self.title));
        let inner = panel(area, title, true, buf, look);
        let height = usize::from(inner.height.saturating_sub(1));
        self.top = self.top.min(self.rows.len().saturating_sub(height));
        let labels = self.rows.iter().map(|(what, _)| width(what)).max().unwrap_or(0) + 3;
        let columns = self.columns(inner.width.saturating_sub(labels));
        let roles = self.roles();
        let (least, most) = self.range();
        let heat = |text: &String| {
            let level = (text.parse::<f64>().ok()? - least) / (most - least).max(f64::MIN_POSITIVE);
            Some(look.theme.heat(level))
        };
        let line = |y: u16, what: &str, values: &[String], kind: RowKind, buf: &mut Buffer| {
            let place = row(inner, y);
            put(look.span(Role::Dim, format!(" {what}")), place, buf);
            let mut x = place.x + labels;
            let is_head = kind == RowKind::Head;
            for &(run, wide) in &columns {
                let role = if is_head { roles[run].0 } else { Role::Text };
                let style = Some(&values[run]).filter(|_| kind == RowKind::Heat).and_then(heat);
                let wide = wide.min(place.right().saturating_sub(x));
                let at = Rect { x, width: wide, ..place };
                let text = if is_head { squeeze(&values[run], wide, look) } else { clip(&values[run], wide, look) };
                put(Span::styled(text, style.unwrap_or(look.style(role))), at, buf);
                if is_head && run == self.selected {
                    buf.set_style(at, look.style(Role::Selection));
                }
                x = (x + wide + 2).min(place.right());
            }
        };
        line(0, "", &self.names, RowKind::Head, buf);
        for (y, (what, values)) in self.rows.iter().skip(self.top).take(height).enumerate() {
            let kind = if self.top + y >= self.heat_from { RowKind::Heat } else { RowKind::Plain };
            line(1 + y as u16, what, values, kind, buf);
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

    /// Returns the runs shown in columns of `cells` in all, with their widths; the selected one is among them.
    fn columns(&self, cells: u16) -> Vec<(usize, u16)> {
        let room = cells / self.names.len().max(1) as u16;
        let widest = |run: usize| {
            let cells = self.rows.iter().map(|(_, values)| width(&values[run])).max().unwrap_or(0);
            cells.max(width(&self.names[run])).min(room.saturating_sub(2).max(NARROWEST))
        };
        let mut columns: Vec<(usize, u16)> = (0..self.names.len()).map(|run| (run, widest(run))).collect();
        let needs = |columns: &[(usize, u16)]| columns.iter().map(|(_, wide)| u32::from(wide + 2)).sum::<u32>();
        while columns.len() > 1 && needs(&columns[..=self.selected - columns[0].0]) > cells.into() {
            columns.remove(0);
        }
        columns
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
    fn the_selected_run_and_the_best_three_are_bright() {
        let curves = [5.0, 9.0, 1.0, 7.0, 8.0].map(|last| vec![(0.0, last)]).to_vec();
        let names: Vec<String> = (1..=5).map(|number| format!("run-{number}")).collect();
        let mut compared = Comparison {
            title: "",
            names,
            column: "best".to_owned(),
            curves,
            bands: Vec::new(),
            rows: Vec::new(),
            heat_from: 0,
            top: 0,
            selected: 0,
        };
        assert!(compared.key(KeyCode::Right) && compared.key(KeyCode::Right));
        let roles = |compared: &Comparison| compared.roles().into_iter().map(|(role, _)| role).collect::<Vec<_>>();
        assert_eq!(roles(&compared), [Role::Dim, Role::Curve1, Role::Accent, Role::Curve3, Role::Curve2]);
        compared.column = "error_discs".to_owned();
        assert_eq!(roles(&compared), [Role::Curve1, Role::Dim, Role::Accent, Role::Curve2, Role::Curve3]);
        assert_eq!(compared.columns(9), [(2, 5), (3, 5), (4, 5)], "the selected one is in view");
    }

    #[test]
    fn a_curve_keeps_its_ends_when_it_is_thinned() {
        let values: Vec<f64> = (0..100_001).map(f64::from).collect();
        let points = thinned(&values);
        assert!(points.len() <= POINTS + 1);
        assert_eq!((points[0], points[points.len() - 1]), ((0.0, 0.0), (100_000.0, 100_000.0)));
        assert_eq!(thinned(&[1.0, f64::NAN, 3.0]), [(0.0, 1.0), (2.0, 3.0)]);
    }
}
