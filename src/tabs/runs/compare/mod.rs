//! A comparison of runs, or of groups of runs that differ only in their seeds: their curves in one chart, and a table.
//!
//! Of runs the table has the settings that differ and the status, of groups the summary and the result of each seed.

mod strips;

use std::path::{Path, PathBuf};

use crossterm::event::KeyCode;
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::parts::kind::RunTab;
use crate::grid::Grid;
use crate::groups::{self, Axis, Comparison as Comparing, Group, GroupRun, Groups};
use crate::job::run_dir::{Columns, Entry};
use crate::kept::{self, differing};
use crate::kinds::{self, is_less_better};
use crate::summary;
use crate::theme::Role;
use crate::ui::chart::lens::Plot;
use crate::ui::chart::{Band, Chart, Pattern, Series};
use crate::ui::list::scrollbar;
use crate::ui::{Look, adjoin, clip, duration, panel, put, row, squeeze, width};

/// The least width of a run's column, if its texts are not narrower.
const NARROWEST: u16 = 12;

/// The compared runs or groups.
pub(super) struct Comparison {
    query: Query,
    title: &'static str,
    names: Vec<String>,
    /// The columns that curves can show, and the one that they show; both empty without one.
    columns: Vec<String>,
    column: String,
    /// What the x axis can show.
    axes: Vec<Axis>,
    /// `(x, value)` points, one curve per run or the medians of a group; empty for a run without the column.
    curves: Vec<Vec<(f64, f64)>>,
    /// The quartiles of each group: `(x, lower, upper)`.
    bands: Vec<Vec<(f64, f64, f64)>>,
    /// The rows of the table: a label, and one value per run or group.
    rows: Vec<(String, Vec<String>)>,
    /// The results of all seeds of each group.
    results: Vec<Vec<f64>>,
    /// The row from which on values are coloured by size.
    heat_from: usize,
    /// Why the groups cannot be compared.
    pub warning: Option<String>,
    top: usize,
    /// The bright run, or the group whose quartiles are drawn.
    selected: usize,
    /// The place on the x axis whose values are shown, and the area of the curves drawn last.
    cursor: Option<f64>,
    plot: Option<Plot>,
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
    /// Creates one without runs, to be filled.
    fn new(query: Query, title: &'static str) -> Comparison {
        Comparison {
            query,
            title,
            names: Vec::new(),
            columns: Vec::new(),
            column: String::new(),
            axes: Vec::new(),
            curves: Vec::new(),
            bands: Vec::new(),
            rows: Vec::new(),
            results: Vec::new(),
            heat_from: 0,
            warning: None,
            top: 0,
            selected: 0,
            cursor: None,
            plot: None,
        }
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
            KeyCode::Char(step @ (',' | '.')) => {
                self.go(if step == ',' { -1.0 } else { 1.0 });
                return true;
            }
            _ => return false,
        };
        true
    }

    /// Moves the cursor by cells; a new one starts at the end.
    fn go(&mut self, cells: f64) {
        let Some(plot) = self.plot else { return };
        let step = (plot.x.1 - plot.x.0) / f64::from(plot.area.width.max(1));
        // Generations and evaluations are whole numbers.
        let step = if self.query.axis == Axis::Seconds { step } else { step.round().max(1.0) };
        self.cursor = Some(self.cursor.map_or(plot.x.1, |at| (at + cells * step).clamp(plot.x.0, plot.x.1)));
    }

    /// Moves the cursor to a click on the curves.
    pub fn click(&mut self, at: (u16, u16)) {
        if let Some(plot) = self.plot.filter(|plot| plot.area.contains(at.into())) {
            self.cursor = Some(plot.at(at.0));
        }
    }

    /// Removes the cursor. Returns whether there was one.
    pub fn leave_cursor(&mut self) -> bool {
        self.cursor.take().is_some()
    }

    /// Returns the query for the curves of another column, the next or the previous one.
    pub fn with_column(&self, by: isize) -> Option<Query> {
        let at = self.columns.iter().position(|name| *name == self.column)?;
        let next = (at as isize + by).rem_euclid(self.columns.len() as isize) as usize;
        Some(Query { column: Some(self.columns[next].clone()), ..self.query.clone() })
    }

    /// Returns the query for the same curves over the next x axis.
    pub fn with_next_axis(&self) -> Option<Query> {
        let at = self.axes.iter().position(|axis| *axis == self.query.axis)?;
        let axis = self.axes[(at + 1) % self.axes.len()];
        Some(Query { axis, column: Some(self.column.clone()), ..self.query.clone() })
    }

    /// Keeps the selection of what was shown before, if it is of the same runs.
    #[must_use]
    pub fn after(self, before: Option<Comparison>) -> Comparison {
        let Some(before) = before.filter(|before| before.names == self.names) else { return self };
        let cursor = before.cursor.filter(|_| before.query.axis == self.query.axis);
        Comparison { selected: before.selected, top: before.top, cursor, ..self }
    }

    /// Whether groups are summarised.
    pub fn is_of_groups(&self) -> bool {
        !self.bands.is_empty()
    }

    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let wanted = self.rows.len().min(1000) as u16 + 3;
        let has_curves = self.curves.iter().any(|points| !points.is_empty());
        let beside = self.strips_height(area.height);
        let left = area.height - beside;
        let below = if has_curves { wanted.min((left / 2).max(5)) } else { left }.min(left);
        let height = if has_curves && left - below > 2 { left - below } else { 0 };
        let mut chart = Rect { height, ..area };
        let mut strips = Rect { y: area.y + height, height: beside, ..area };
        let mut table = Rect { y: area.bottom() - below, height: below, ..area };
        match beside {
            0 => adjoin(&mut [&mut chart, &mut table]),
            _ => adjoin(&mut [&mut chart, &mut strips, &mut table]),
        }
        if !chart.is_empty() {
            self.draw_curves(chart, buf, look);
        }
        if beside > 0 {
            self.draw_strips(strips, buf, look);
        }
        self.draw_table(table, buf, look);
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
        crate::sort::sort_by(&mut best, |a, b| last(b).total_cmp(&last(a)));
        best.into_iter().zip(BEST).for_each(|(run, role)| roles[run] = role);
        if let Some(role) = roles.get_mut(self.selected) {
            *role = (Role::Accent, Pattern::Solid);
        }
        roles
    }

    fn draw_curves(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let last = self.curves.iter().filter_map(|points| points.last()).map(|(x, _)| *x).fold(1.0, f64::max);
        let runs = self.names.iter().zip(&self.curves).zip(self.roles());
        let series = runs.map(|((name, points), (role, pattern))| {
            let label = if role == Role::Dim { "" } else { name };
            Series::new(label, role, pattern, points.clone())
        });
        let chart = Chart {
            x: (0.0, last),
            unit: self.query.axis.unit(),
            series: series.collect(),
            band: self.band(),
            cursor: self.cursor,
            is_percent: self.column.ends_with("percent"),
            ..Chart::default()
        };
        let title = Line::from(look.span(Role::Title, self.column.replace('_', " ")));
        let below = self.cursor.map_or(Line::default(), |at| Line::from(look.span(Role::Accent, self.at_cursor(at))));
        self.plot = chart.framed(title, below, false, area, buf, look);
    }

    /// Returns the values of the bright curves at this place of the x axis: the newest up to there.
    fn at_cursor(&self, at: f64) -> String {
        let value = |points: &[(f64, f64)]| points.iter().take_while(|(x, _)| *x <= at).last().map(|(_, value)| *value);
        let roles = self.roles();
        let bright = (0..self.names.len()).filter(|run| roles[*run].0 != Role::Dim);
        let texts = bright
            .filter_map(|run| Some(format!("{} {}", self.names[run], summary::number(value(&self.curves[run])?))));
        let place = if self.query.axis == Axis::Seconds { format!("{at:.2}") } else { format!("{at:.0}") };
        format!("{} {place}: {}", self.query.axis.unit(), texts.collect::<Vec<_>>().join(", "))
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
                let text = format!("{}{text}", " ".repeat(usize::from(wide.saturating_sub(width(&text)))));
                put(Span::styled(text, style.unwrap_or(look.style(role))), at, buf);
                if is_head && run == self.selected {
                    look.select(at, buf);
                    look.cursor_place.set(at);
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

/// Maximum number of points per curve, more than a chart can show. Longer curves are thinned.
const POINTS: usize = 2000;

/// What to compare, and how.
#[derive(Clone)]
pub struct Query {
    pub source: Source,
    /// The column of the curves; `None`: the usual one.
    pub column: Option<String>,
    pub axis: Axis,
}

/// The runs that are compared.
#[derive(Clone)]
pub enum Source {
    /// Each alone.
    Runs(&'static RunTab, Vec<Entry>),
    /// Groups of the runs that these folders stand for.
    Groups(Vec<PathBuf>),
}

impl Source {
    /// Returns the usual query.
    pub fn query(self) -> Query {
        Query { source: self, column: None, axis: Axis::default() }
    }
}

impl Query {
    /// Reads the runs' files.
    ///
    /// # Errors
    /// A run cannot be read, or groups have no common column.
    pub fn read(self) -> Result<Comparison, Error> {
        match self.source.clone() {
            Source::Runs(tab, runs) => self.read_runs(tab, &runs),
            Source::Groups(folders) => self.read_groups(&folders),
        }
    }

    fn read_runs(self, tab: &RunTab, runs: &[Entry]) -> Result<Comparison, Error> {
        let mut settings: Vec<Vec<(String, String)>> = Vec::new();
        let mut curves = Vec::new();
        let mut columns = Vec::new();
        // All settings by their keys; those of the form have titles.
        let mut keyed: Vec<Vec<(String, String)>> = Vec::new();
        let kind = tab.kind();
        let mut column = self.column.clone().unwrap_or_default();
        for run in runs {
            let own = kinds::settings(&run.folder)?;
            let preset = ("preset".to_owned(), own.manifest().preset_marked());
            keyed.push(own.list().into_iter().map(|(key, _, value)| (key.to_owned(), value)).collect());
            settings.push(std::iter::once(preset).chain((tab.form.fields)(&*own)).collect());
            let names = Columns::open(&run.folder)?.names;
            if column.is_empty() {
                kind.curve(&names).unwrap_or_default().clone_into(&mut column);
            }
            curves.push(match names.contains(&column) {
                true => {
                    let values = groups::curve(&run.folder, &column)?;
                    thinned(&self.axis.values(&run.folder, values.len())?, &values)
                }
                false => Vec::new(),
            });
            columns.extend(names.into_iter().filter(|name| !columns.contains(name)).collect::<Vec<_>>());
        }
        let keyed: Vec<&[(String, String)]> = keyed.iter().map(Vec::as_slice).collect();
        let warning = summary::warning(&column, "runs", differing(&keyed, "").iter().map(|(key, _)| key.as_str()));
        let faulty = summary::faulty(runs.iter().map(|run| &*run.folder));
        let settings: Vec<&[(String, String)]> = settings.iter().map(Vec::as_slice).collect();
        let mut rows = differing(&settings, "");
        rows.extend(kept::status_rows(&runs.iter().collect::<Vec<_>>(), kind, duration));
        let names = runs.iter().map(|run| run.name.clone()).collect();
        let axes = axes(runs.iter().map(|run| &*run.folder));
        let heat_from = usize::MAX;
        Ok(Comparison {
            names,
            columns,
            column,
            axes,
            curves,
            rows,
            warning: warning.into_iter().chain(faulty).reduce(|one, other| format!("{one}. {other}")),
            heat_from,
            ..Comparison::new(self, "Differences and status")
        })
    }

    fn read_groups(self, folders: &[PathBuf]) -> Result<Comparison, Error> {
        let mut runs = Vec::new();
        for folder in folders {
            runs.extend(groups::named(None, folder)?.into_iter().filter(|run| !runs.contains(run)).collect::<Vec<_>>());
        }
        let groups = Groups::read(&runs, self.column.as_deref())?;
        let bands: Vec<groups::Band> = groups.groups.iter().map(Group::band).collect();
        let x = groups.groups.iter().map(|group| group.along(self.axis)).collect::<Result<Vec<_>, Error>>()?;
        let mut rows = turned(&summary::table(&groups, None));
        rows.extend(differences(&groups));
        let heat_from = rows.len();
        rows.extend(results(&groups));
        Ok(Comparison {
            names: groups.groups.iter().map(|group| group.name.clone()).collect(),
            columns: runs.first().map_or(Ok(Vec::new()), |run| Columns::open(run).map(|columns| columns.names))?,
            axes: axes(runs.iter().map(|run| &**run)),
            curves: bands.iter().zip(&x).map(|(band, x)| thinned(x, &band.median)).collect(),
            bands: bands.iter().zip(&x).map(|(band, x)| quartiles(band, x)).collect(),
            warning: summary::warnings(&groups),
            results: groups.groups.iter().map(Group::results).collect(),
            column: groups.column,
            rows,
            heat_from,
            ..Comparison::new(self, "Groups of runs: their last generations")
        })
    }
}

/// Returns the axes that all runs have.
fn axes<'a>(runs: impl Iterator<Item = &'a Path> + Clone) -> Vec<Axis> {
    Axis::ALL.into_iter().filter(|axis| runs.clone().all(|run| axis.is_of(run))).collect()
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
        let difference = |group: usize| with_first.iter().find(|one| one.pair.0 == group).map_or("-".to_owned(), text);
        (what.to_owned(), (0..groups.groups.len()).map(difference).collect())
    };
    vec![
        row("above the first", &|one| format!("{:.0} %", 100.0 * one.test.greater)),
        row("p corrected (Holm)", &|one| summary::probability(one.corrected)),
    ]
}

/// The result of each seed.
fn results(groups: &Groups) -> Vec<(String, Vec<String>)> {
    let mut seeds: Vec<u64> = groups.groups.iter().flat_map(|group| &group.runs).map(|run| run.seed).collect();
    crate::sort::sort(&mut seeds);
    seeds.dedup();
    let row = |seed: &u64| {
        let result = |group: &Group| group.runs.iter().find(|run| run.seed == *seed).map_or(f64::NAN, GroupRun::result);
        (format!("seed {seed}"), groups.groups.iter().map(|group| summary::number(result(group))).collect())
    };
    seeds.iter().map(row).collect()
}

fn quartiles(band: &groups::Band, x: &[f64]) -> Vec<(f64, f64, f64)> {
    let step = band.lower.len().div_ceil(POINTS).max(1);
    let points = x.iter().zip(band.lower.iter().zip(&band.upper)).step_by(step);
    points.map(|(x, (low, high))| (*x, *low, *high)).filter(|(_, low, high)| (low + high).is_finite()).collect()
}

/// Returns the points of a curve, thinned if there are many; its ends stay.
fn thinned(x: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let step = values.len().div_ceil(POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let points = x.iter().zip(values).enumerate();
    let points = points.filter(|(at, (_, value))| (at % step == 0 || *at == last) && value.is_finite());
    points.map(|(_, (x, value))| (*x, *value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_run_and_the_best_three_are_bright() {
        let curves = [5.0, 9.0, 1.0, 7.0, 8.0].map(|last| vec![(0.0, last)]).to_vec();
        let names: Vec<String> = (1..=5).map(|number| format!("run-{number}")).collect();
        let columns = vec!["best".to_owned(), "mean".to_owned()];
        let empty = Comparison::new(Source::Groups(Vec::new()).query(), "");
        let mut compared = Comparison { names, columns, column: "best".to_owned(), curves, ..empty };
        assert!(compared.key(KeyCode::Right) && compared.key(KeyCode::Right));
        let roles = |compared: &Comparison| compared.roles().into_iter().map(|(role, _)| role).collect::<Vec<_>>();
        assert_eq!(roles(&compared), [Role::Dim, Role::Curve1, Role::Accent, Role::Curve3, Role::Curve2]);
        compared.column = "error_discs".to_owned();
        assert_eq!(roles(&compared), [Role::Curve1, Role::Dim, Role::Accent, Role::Curve2, Role::Curve3]);
        compared.column = "mean".to_owned();
        assert_eq!(compared.with_column(1).unwrap().column.as_deref(), Some("best"));
        assert_eq!(compared.columns(9), [(2, 5), (3, 5), (4, 5)], "the selected one is in view");
    }

    #[test]
    fn a_curve_keeps_its_ends_when_it_is_thinned() {
        let values: Vec<f64> = (0..100_001).map(f64::from).collect();
        let points = thinned(&values, &values);
        assert!(points.len() <= POINTS + 1);
        assert_eq!((points[0], points[points.len() - 1]), ((0.0, 0.0), (100_000.0, 100_000.0)));
        assert_eq!(thinned(&[0.0, 5.0, 9.0], &[1.0, f64::NAN, 3.0]), [(0.0, 1.0), (9.0, 3.0)]);
    }
}
