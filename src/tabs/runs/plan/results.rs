//! The results of a plan's runs, where each unit is a run: a row per settings, a column per seed, coloured by result, and beside each row
//! its summary and how it compares with the first.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::PlanPage;
use super::draw::{glyph, state_of};
use crate::cluster::result::Results;
use crate::cluster::runs::Runs;
use crate::cluster::status::{UnitState, UnitStatus};
use crate::groups::comparisons;
use crate::statistics::Summary;
use crate::summary::{number, probability};
use crate::theme::Role;
use crate::ui::{Look, put, width};

/// The longest time that a task reads results for.
const MOST: Duration = Duration::from_millis(300);
/// The most cells of a seed's number: more would be wider than most results.
const HEAD: u16 = 6;

/// The results that were read, and what follows from them.
pub(super) struct RunResultTable {
    pub column: &'static str,
    /// A value per run; NaN for a run without one, `None` before it was read.
    values: Vec<Option<f64>>,
    rows: Vec<RowSummary>,
    is_reading: bool,
}

/// The summary of the runs of one row.
#[derive(Clone, Default)]
struct RowSummary {
    summary: Option<Summary>,
    /// Compared with the first row: how often it is greater, and how likely by chance, after Holm's correction.
    compared: Option<(f64, f64)>,
}

/// What a task read.
pub(in super::super) struct FoundResults {
    values: Vec<Option<f64>>,
    rows: Vec<RowSummary>,
}

impl RunResultTable {
    /// `None` for a plan whose units are not whole runs of a kind that is compared.
    pub fn new(work: &Runs) -> Option<RunResultTable> {
        let is_of_runs = work.runs() > 1 && work.units() as usize == work.runs();
        let column = work.column().filter(|_| is_of_runs)?;
        Some(RunResultTable { column, values: vec![None; work.runs()], rows: Vec::new(), is_reading: false })
    }

    /// Returns the least and the greatest result.
    fn range(&self) -> Option<(f64, f64)> {
        let values = self.values.iter().flatten().filter(|value| !value.is_nan());
        values.fold(None, |range: Option<(f64, f64)>, &value| {
            Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        })
    }

    /// Returns the result of a run, and its level from the least (0) to the greatest (1).
    pub fn result(&self, run: usize) -> Option<(f64, f64)> {
        let value = self.values.get(run).copied().flatten().filter(|value| !value.is_nan())?;
        let (low, high) = self.range()?;
        Some((value, if high > low { (value - low) / (high - low) } else { 0.5 }))
    }

    /// Returns the cells of the longest result or progress.
    fn widest(&self, units: &[UnitStatus], look: &Look) -> u16 {
        let texts = self.values.iter().flatten().filter(|value| !value.is_nan()).map(|value| width(&number(*value)));
        let running = units.iter().filter_map(|unit| running(&unit.state, look)).map(|text| width(&text));
        texts.chain(running).max().unwrap_or(1)
    }
}

impl PlanPage {
    /// Returns the next read of results as a task: of runs that are done and were not read.
    pub fn read_results(&mut self) -> Option<impl FnOnce() -> FoundResults + Send + use<>> {
        if !self.wants_results() {
            return None;
        }
        let table = self.results.as_mut()?;
        table.is_reading = true;
        let plan = self.plan.clone();
        let work = Arc::clone(&self.work);
        let mut values = table.values.clone();
        let done: Vec<usize> = unread(table, &self.plan_status.units).collect();
        Some(move || {
            let began = Instant::now();
            let results = Results::new(&plan);
            for run in done {
                values[run] = Some(work.result(run, &results).ok().flatten().unwrap_or(f64::NAN));
                if began.elapsed() > MOST {
                    break;
                }
            }
            let rows = summaries(&values, work.seeds().len());
            FoundResults { values, rows }
        })
    }

    /// Whether there are results that were not read and are not being read.
    pub fn wants_results(&self) -> bool {
        let table = self.results.as_ref().filter(|table| !table.is_reading);
        table.is_some_and(|table| unread(table, &self.plan_status.units).next().is_some())
    }

    pub fn take_results(&mut self, found: FoundResults) {
        if let Some(table) = &mut self.results {
            (table.values, table.rows, table.is_reading) = (found.values, found.rows, false);
        }
    }

    /// Draws the table; without room for numbers, a cell per run.
    pub(super) fn draw_results(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(table) = &self.results else { return };
        let seeds = self.work.seeds();
        let beside = texts(table, look).iter().map(|text| width(text)).max().unwrap_or(0);
        let wide = seeds.iter().map(|seed| width(&seed.to_string())).max().unwrap_or(1).min(HEAD);
        let wide = wide.max(table.widest(&self.plan_status.units, look));
        self.grid.set_item_width(wide);
        let has_numbers = self.grid.row_width(seeds.len()) + beside <= area.width;
        if !has_numbers {
            self.grid.set_item_width(1);
        }
        let most = area.width.saturating_sub(beside).max(area.width / 2);
        // One more for the bracket after the last.
        let left = Rect { width: most.min(self.grid.row_width(seeds.len()) + 1), ..area };
        let body = Rect { y: left.y + 1.min(left.height), height: left.height.saturating_sub(1), ..left };
        let units = &self.plan_status.units;
        let cell = |run: usize| cell(table, run, units.get(run).map(|unit| &unit.state), has_numbers, look);
        let rows = self.grid.draw(cell, body, buf, look);
        let head = |seed: usize| seeds.get(seed).map_or(String::new(), u64::to_string);
        put(look.span(Role::Dim, " seed"), Rect { height: 1.min(left.height), ..left }, buf);
        let first = rows.first().map_or(0, |(group, _)| *group);
        self.grid.draw_heads(first, head, Rect { height: 1.min(left.height), ..left }, buf, look);
        let at = |line: Rect| Rect { x: left.right(), width: area.right().saturating_sub(left.right()), ..line };
        let texts = texts(table, look);
        put(look.span(Role::Dim, texts[0].clone()), at(Rect { height: 1.min(area.height), ..area }), buf);
        for (group, line) in rows {
            let text = texts.get(1 + group).cloned().unwrap_or_default();
            put(Line::from(look.span(Role::Text, text)), at(line), buf);
        }
    }
}

/// Returns the runs that are done and whose results were not read.
fn unread<'a>(table: &'a RunResultTable, units: &'a [UnitStatus]) -> impl Iterator<Item = usize> + use<'a> {
    let is_new = |run: &usize| table.values.get(*run).is_some_and(Option::is_none);
    let done = units.iter().enumerate().filter(|(_, unit)| unit.state == UnitState::Done);
    done.map(|(run, _)| run).filter(is_new)
}

/// Returns the text of a run, its result or its state, and its style.
fn cell(
    table: &RunResultTable,
    run: usize,
    state: Option<&UnitState>,
    has_numbers: bool,
    look: &Look,
) -> (String, Style) {
    match (table.result(run), state) {
        (Some((value, level)), _) if has_numbers => (look.with_minus(&number(value)), look.theme.heat(level)),
        (Some((_, level)), _) => {
            (look.glyphs.shade[1 + (level * 3.0).round() as usize].to_owned(), look.theme.heat(level))
        }
        (None, Some(state)) => {
            let (glyph, role) = glyph(state_of(state), look);
            let text = running(state, look).filter(|_| has_numbers).unwrap_or_else(|| glyph.to_owned());
            (text, look.style(role))
        }
        (None, None) => (String::new(), Style::new()),
    }
}

/// Returns the progress of a running unit, such as `▸71%`.
fn running(state: &UnitState, look: &Look) -> Option<String> {
    let UnitState::Running { percent, .. } = state else { return None };
    Some(format!("{}{}%", look.glyphs.units[state_of(state)], (*percent)?))
}

/// Returns the head and the text of each row of the summaries, aligned.
fn texts(table: &RunResultTable, look: &Look) -> Vec<String> {
    let mut rows = vec![["median", "IQM 95 %", "A v first", "p (Holm)"].map(str::to_owned)];
    for RowSummary { summary, compared } in &table.rows {
        let dash = || "-".to_owned();
        let [median, interval] = summary.as_ref().map_or([dash(), dash()], |summary| {
            [look.with_minus(&number(summary.median.value)), interval(summary, look)]
        });
        let [greater, chance] = compared
            .map_or([dash(), dash()], |(greater, chance)| [format!("{:.0} %", 100.0 * greater), probability(chance)]);
        rows.push([median, interval, greater, chance]);
    }
    // Only one row: nothing is compared.
    let count = if table.rows.len() > 1 { 4 } else { 2 };
    let wide = |column: usize| rows.iter().map(|row| usize::from(width(&row[column]))).max().unwrap_or(0);
    let wides: Vec<usize> = (0..count).map(wide).collect();
    let line = |row: &[String; 4]| -> String {
        row.iter().zip(&wides).map(|(text, &wide)| format!("  {text:>wide$}")).collect()
    };
    rows.iter().map(line).collect()
}

fn interval(summary: &Summary, look: &Look) -> String {
    let iqm = &summary.interquartile_mean;
    let [low, high] = [iqm.low, iqm.high].map(|end| look.with_minus(&number(end)));
    if summary.count < 2 { "-".to_owned() } else { format!("{low} to {high}") }
}

/// Returns the summaries of the rows, of `seeds` runs each.
fn summaries(values: &[Option<f64>], seeds: usize) -> Vec<RowSummary> {
    let known = |range: Range<usize>| -> Vec<f64> {
        values[range].iter().flatten().copied().filter(|value| !value.is_nan()).collect()
    };
    let seeds = seeds.max(1);
    let rows: Vec<Vec<f64>> = (0..values.len() / seeds).map(|row| known(row * seeds..(row + 1) * seeds)).collect();
    // Corrected for the same comparisons as in a summary of the plan.
    let all = comparisons(&rows);
    let compared = |row: usize| {
        let one = all.iter().find(|one| one.pair == (row, 0))?;
        Some((one.test.greater, one.corrected))
    };
    let summary = |(row, values): (usize, &Vec<f64>)| RowSummary {
        summary: Summary::from_values(values),
        compared: compared(row),
    };
    rows.iter().enumerate().map(summary).collect()
}
