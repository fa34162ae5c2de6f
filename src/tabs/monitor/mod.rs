//! The Monitor: all runs and plans at a glance, of this and other processes, with alarms.

mod draw;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::runs;
use super::runs::asks::Enter;
use crate::app::command::{Command, CommandTable};
use crate::app::overlay::TaskResult;
use crate::app::tab::{Context, Tab, Tone};
use crate::monitor::{MonitorRow, Overview};
use crate::ui::list::ListState;
use crate::ui::table::Order;
use crate::ui::{Canvas, Look, hit_test};

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row {
    /// A run or plan, as an index into those that were read.
    One(usize),
    /// The number of finished ones, which are folded or follow.
    Finished(usize),
}

/// The words of the filter, from its dialog.
struct Filter(String);

/// See [`Monitor`].
type TabOf = fn(&str) -> Option<&'static str>;

/// The tab.
pub(crate) struct Monitor {
    runs: Option<PathBuf>,
    /// Returns the scope of the tab for runs of a kind.
    tab_of: TabOf,
    /// `None` before the runs were read.
    seen: Option<Arc<Overview>>,
    /// What is computed first, what is finished last.
    rows: Vec<Row>,
    filter: String,
    /// `None`: by the last change.
    order: Option<Order>,
    is_unfolded: bool,
    list: ListState,
    places: Vec<(Rect, usize)>,
    height: usize,
}

impl CommandTable for Monitor {
    const COMMANDS: &'static [Command<Monitor>] = &[
        Command::new(
            "monitor.open",
            "Open the run or plan in its tab; fold or unfold the finished ones",
            &["enter"],
            Monitor::open_selected,
        )
        .footer("open")
        .footer_now(Monitor::fold_word)
        .enabled_if(|monitor| !monitor.rows.is_empty())
        .disabled_reason("there are no runs"),
        Command::new("monitor.filter", "Filter the runs and plans", &["/"], Monitor::ask_filter)
            .footer("filter")
            .enabled_if(Monitor::has_runs)
            .disabled_reason("there are no runs"),
        Command::new("monitor.sort", "Sort by the next column", &["o"], |monitor: &mut Monitor, _| monitor.turn(1))
            .footer("sort")
            .enabled_if(Monitor::has_runs)
            .disabled_reason("there are no runs"),
        Command::new("monitor.reverse", "Reverse the order", &["O"], |monitor: &mut Monitor, _| monitor.reverse())
            .enabled_if(|monitor| monitor.order.is_some())
            .disabled_reason("sort by a column first (o)"),
        Command::new("monitor.look", "Look at all runs again", &["r"], |_, cx| cx.wait_for_runs()),
    ];
}

impl Monitor {
    pub fn new(runs: Option<PathBuf>, tab_of: TabOf) -> Monitor {
        Monitor {
            runs,
            tab_of,
            seen: None,
            rows: Vec::new(),
            filter: String::new(),
            order: None,
            is_unfolded: false,
            list: ListState::default(),
            places: Vec::new(),
            height: 1,
        }
    }

    /// Returns the run or plan in a row.
    fn row(&self, row: usize) -> Option<&MonitorRow> {
        match self.rows.get(row)? {
            Row::One(index) => self.seen.as_ref()?.all.get(*index),
            Row::Finished(_) => None,
        }
    }

    fn selected(&self) -> Option<&MonitorRow> {
        self.row(self.list.selected)
    }

    fn has_runs(&self) -> bool {
        self.seen.as_ref().is_some_and(|seen| !seen.all.is_empty())
    }

    fn chosen(&self) -> Option<PathBuf> {
        self.selected().map(|one| one.saved.folder().to_owned())
    }

    /// Filters and sorts. What is finished is last, and folded unless nothing else is shown.
    /// The selection stays with the run in the folder `chosen`.
    fn arrange(&mut self, chosen: Option<PathBuf>) {
        let Some(seen) = self.seen.clone() else { return };
        let words = self.filter.to_lowercase();
        let fits = |index: &usize| words.split_whitespace().all(|word| seen.all[*index].saved.fits(word));
        let mut shown: Vec<usize> = (0..seen.all.len()).filter(fits).collect();
        match self.order {
            None => crate::sort::sort_by_key(&mut shown, |index| !seen.all[*index].is_running()),
            Some(order) => crate::sort::sort_by(&mut shown, |&one, &other| {
                order.compared(compare(&seen.all[one], &seen.all[other], order.column)).then(one.cmp(&other))
            }),
        }
        let is_over = |index: &usize| seen.all[*index].alarm.is_none() && seen.all[*index].saved.word() == "finished";
        let (finished, open): (Vec<usize>, Vec<usize>) = shown.into_iter().partition(is_over);
        let folds = !open.is_empty() && !finished.is_empty() && self.filter.is_empty();
        self.rows = open.into_iter().map(Row::One).collect();
        self.rows.extend(folds.then_some(Row::Finished(finished.len())));
        if !folds || self.is_unfolded {
            self.rows.extend(finished.into_iter().map(Row::One));
        }
        let is_chosen = |row: usize| self.row(row).map(|one| one.saved.folder()) == chosen.as_deref();
        let place = (0..self.rows.len()).find(|row| chosen.is_some() && is_chosen(*row));
        self.list.selected = place.unwrap_or(self.list.selected).min(self.rows.len().saturating_sub(1));
    }

    /// Returns what Enter does with the row of the finished ones.
    fn fold_word(&self) -> Option<&'static str> {
        let is_fold = matches!(self.rows.get(self.list.selected), Some(Row::Finished(_)));
        is_fold.then_some(if self.is_unfolded { "fold" } else { "unfold" })
    }

    fn turn(&mut self, by: isize) {
        // The order of activity counts as a column, after the others.
        let order = self.order.unwrap_or(Order { column: SORTED, descending: false }).turn(by, SORTED + 1, descends);
        self.order = (order.column < SORTED).then_some(order);
        self.arrange(self.chosen());
    }

    fn reverse(&mut self) {
        self.order = self.order.map(Order::reversed);
        self.arrange(self.chosen());
    }

    fn ask_filter(&mut self, cx: &mut Context) {
        let about = "List only runs and plans with all of these words in their name, preset or state; tag:NAME matches a tag. \
                     Leave empty to list all.";
        let read = |text: &str| Ok(Box::new(Filter(text.to_owned())) as TaskResult);
        cx.open(Enter::asking("Filter", "words", about, self.filter.clone(), read));
    }

    fn open_selected(&mut self, cx: &mut Context) {
        if self.fold_word().is_some() {
            self.is_unfolded = !self.is_unfolded;
            return self.arrange(self.chosen());
        }
        let Some(one) = self.selected() else { return };
        let scope = one.saved.kind().and_then(self.tab_of);
        match scope {
            Some(scope) => runs::open_in(scope, one.saved.folder().to_owned(), cx),
            None => cx.notice(Tone::Info, "No tab shows runs of this kind"),
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

    fn shows_machine(&self) -> bool {
        true
    }

    fn take_runs(&mut self, seen: &Arc<Overview>, _: &mut Context) {
        // The indices of the rows are those of the runs before.
        let chosen = self.chosen();
        self.seen = Some(Arc::clone(seen));
        self.arrange(chosen);
    }

    fn answer(&mut self, answer: TaskResult, _: &mut Context) {
        if let Ok(filter) = answer.downcast::<Filter>() {
            let chosen = self.chosen();
            self.filter = filter.0;
            self.arrange(chosen);
        }
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
        if !self.has_runs() {
            return self.draw_empty(area, buf, look);
        }
        self.draw_page(area, buf, look);
    }
}

/// The number of columns that the table is sorted by: all but the newest values.
const SORTED: usize = 6;

/// Whether the largest is expected first: of all numbers but the time left. A run without a number comes last.
fn descends(column: usize) -> bool {
    matches!(column, 2 | 4 | 5)
}

/// Compares two rows by a column of the table.
fn compare(one: &MonitorRow, other: &MonitorRow, column: usize) -> std::cmp::Ordering {
    let best = |row: &MonitorRow| row.saved.best().trim_end_matches(" %").parse::<f64>().unwrap_or(f64::NEG_INFINITY);
    let number = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
    match column {
        0 => one.saved.name().cmp(other.saved.name()),
        1 => one.saved.word().cmp(other.saved.word()),
        2 => number(one.share).total_cmp(&number(other.share)),
        3 => one.left.unwrap_or(Duration::MAX).cmp(&other.left.unwrap_or(Duration::MAX)),
        4 => number(one.speed).total_cmp(&number(other.speed)),
        _ => best(one).total_cmp(&best(other)),
    }
}
