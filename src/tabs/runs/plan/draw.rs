//! Draws a plan's page: the grid of units, the selected unit beside or below it, and the merged view of its run.
//!
//! The status line above a plan's page: its state, its units, and the remaining time.
//!
//! Like that of runs, narrow screens leave out its least important parts.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::PlanPage;
use crate::cluster::index::PlanState;
use crate::cluster::status::{Counts, PlanStatus, UnitState};
use crate::kept::units;
use crate::sanitize;
use crate::summary::number;
use crate::tabs::runs::parts::header::{Word, fitted, percent};
use crate::tabs::runs::parts::kind::RunViewModel;
use crate::tabs::runs::parts::pairs::{Pair, pairs, scrolled};
use crate::theme::Role;
use crate::ui::{Look, adjoin, duration, fit, framed, panel, put, row, short_time, wrap};

/// The width from which grid and merged view fit side by side.
const WIDE: u16 = 100;
const HIGH: u16 = 30;
/// Rows of the unit's panel below the grid.
const DETAIL: u16 = 9;

impl PlanPage {
    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.drawn = true;
        self.has_room = area.width >= WIDE && area.height >= HIGH;
        let line = row(area, 0);
        let place = Rect { x: line.x + 1, width: line.width.saturating_sub(2), ..line };
        let line = self::line(&self.name(), &self.plan_status, self.error.as_deref(), place.width, look);
        put(line, place, buf);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        match (self.shows_grid(), self.shows_merged()) {
            (false, _) => self.draw_merged(body, buf, look),
            (true, false) => self.draw_stacked(body, buf, look),
            (true, true) if self.results.is_some() => {
                // The table needs the whole width.
                let high = (self.grid_height(body.width, body.height) + DETAIL - 2).min(body.height / 2);
                self.draw_stacked(Rect { height: high, ..body }, buf, look);
                self.draw_merged(Rect { y: body.y + high, height: body.height - high, ..body }, buf, look);
            }
            (true, true) => {
                let left = body.width * 3 / 5;
                let wanted = self.grid.height(left - 2, body.height) as u16 + 2;
                let high = wanted.clamp(DETAIL, body.height * 2 / 5);
                let band = Rect { height: high, ..body };
                let mut grid = Rect { width: left, ..band };
                let mut unit = Rect { x: body.x + left, width: body.width - left, ..band };
                adjoin(&mut [&mut grid, &mut unit]);
                self.draw_grid(grid, buf, look);
                self.draw_unit(unit, buf, look);
                self.draw_merged(Rect { y: body.y + high, height: body.height - high, ..body }, buf, look);
            }
        }
    }

    /// Returns the rows that the grid needs in a frame, at most `rows` of which show items.
    fn grid_height(&self, cells: u16, rows: u16) -> u16 {
        let items = self.grid.height(cells.saturating_sub(2), rows.saturating_sub(2)) as u16;
        // The results have a head.
        items.saturating_add(2 + u16::from(self.results.is_some()))
    }

    /// Draws the grid as high as it needs to be, and the unit below it.
    fn draw_stacked(&mut self, body: Rect, buf: &mut Buffer, look: &Look) {
        let below = DETAIL.min(body.height / 2);
        let most = body.height - below;
        let high = self.grid_height(body.width, most).clamp(most.min(6), most);
        let mut grid = Rect { height: high, ..body };
        let mut unit = Rect { y: body.y + high, height: body.height - high, ..body };
        adjoin(&mut [&mut grid, &mut unit]);
        self.draw_grid(grid, buf, look);
        self.draw_unit(unit, buf, look);
    }

    fn draw_grid(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = match &self.results {
            Some(results) => format!("{} by seed", results.column.replace('_', " ")),
            None => "Units".to_owned(),
        };
        let title = Line::from(look.span(Role::Title, title));
        let focused = !self.is_inside();
        let legend = fit(legend(&self.plan_status.counts, look), area.width.saturating_sub(4), look);
        let mut inner = framed(area, title, legend, focused, buf, look);
        // If not all units fit, a bar summarizes them.
        if self.grid.height(inner.width, inner.height) > usize::from(inner.height) && inner.height > 2 {
            let place = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..row(inner, 0) };
            put(shares(&self.plan_status.counts, place.width, look), place, buf);
            inner = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
        }
        if self.results.is_some() {
            return self.draw_results(inner, buf, look);
        }
        let units = &self.plan_status.units;
        let cell = |unit: usize| {
            let (glyph, role) = units.get(unit).map_or((" ", Role::Dim), |unit| glyph(state_of(&unit.state), look));
            (glyph.to_owned(), look.style(role))
        };
        self.grid.draw(cell, inner, buf, look);
    }

    fn draw_unit(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        if area.height < 3 {
            return;
        }
        let title = Line::from(look.span(Role::Title, format!("Unit {}", self.unit())));
        let inner = panel(area, title, false, buf, look);
        scrolled(pairs(&self.rows_of_unit(), inner.width, look), &mut 0, inner, buf, look);
    }

    /// Draws the results so far of the selected unit's run, with the tab's own panels.
    fn draw_merged(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let line = row(area, 0);
        let place = Rect { x: line.x + 1, width: line.width.saturating_sub(2), ..line };
        put(self.merged_line(place.width, look), place, buf);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        if self.in_merged(|panels, view_model| panels.draw(view_model, body, buf, look)).is_some() {
            return;
        }
        let (role, text) = match (&self.seen.error, self.seen.run_and_results) {
            (Some(error), Some((run, _))) if run == self.run() => (Role::Bad, error.clone()),
            (None, Some((run, 0))) if run == self.run() => (Role::Dim, "No results yet.".to_owned()),
            (None, Some((run, _))) if run == self.run() => {
                let text = format!("Not enough results for a first {} yet.", self.tab.kind().unit);
                (Role::Dim, text)
            }
            _ => (Role::Dim, "Merging the results.".to_owned()),
        };
        for (index, text) in wrap(&text, body.width.saturating_sub(2)).into_iter().enumerate() {
            put(look.span(role, format!(" {text}")), row(body, 1 + index as u16), buf);
        }
    }

    fn merged_line(&self, cells: u16, look: &Look) -> Line<'static> {
        let (run, newest) = self.counted;
        // Counts the displayed results; newer ones may exist.
        let done = self.seen.run_and_results.filter(|_| self.view_model().is_some()).map_or(newest, |(_, done)| done);
        let role = if self.is_inside() { Role::Accent } else { Role::Title };
        let whole = if self.seen.finished && self.view_model().is_some() { "done" } else { "so far" };
        let mut parts = vec![(0, look.span(role, format!("{} {whole}", self.work.name(run))))];
        let mut push = |rank: u8, role: Role, text: String| parts.push((rank, look.span(role, text)));
        push(1, Role::Dim, format!("{done} of {} units", self.work.count(run)));
        if let Some(status) = self.view_model().map(RunViewModel::status) {
            if !self.seen.finished {
                push(4, Role::Text, percent(status.share()));
            }
            let at = status.generation.map_or("-".to_owned(), |at| at.to_string());
            push(3, Role::Text, format!("{} {at} of {}", status.unit, status.to));
            if !status.best.is_empty() {
                push(2, Role::Accent, look.with_minus_signs(&status.best));
            }
        }
        fitted(parts, cells, look)
    }
}

/// Returns the index of a unit's state in [`Glyphs::units`](crate::theme::Glyphs).
pub(super) fn state_of(state: &UnitState) -> usize {
    match state {
        UnitState::Waiting | UnitState::Killed => 0,
        UnitState::Running { .. } => 1,
        UnitState::Done => 2,
        UnitState::Failed(_) => 3,
    }
}

pub(super) fn glyph(state: usize, look: &Look) -> (&'static str, Role) {
    const ROLES: [Role; 4] = [Role::Dim, Role::Accent, Role::Good, Role::Bad];
    (look.glyphs.units[state], ROLES[state])
}

/// Returns the counts of done, running, failed and waiting units, in display order, with the state's index and label.
fn state_counts(counts: &Counts) -> [(usize, &'static str, u32); 4] {
    [
        (2, "done", counts.done),
        (1, "running", counts.running),
        (3, "failed", counts.failed),
        (0, "waiting", counts.waiting),
    ]
}

/// Returns the legend of the cells with the count of each state.
fn legend(counts: &Counts, look: &Look) -> Line<'static> {
    let mut spans = Vec::new();
    for (state, word, count) in state_counts(counts) {
        let (glyph, role) = glyph(state, look);
        let gap = if spans.is_empty() { "" } else { "  " };
        spans.extend([Span::raw(gap), look.span(role, glyph), look.span(Role::Text, format!(" {word} {count}"))]);
    }
    Line::from(spans)
}

/// Returns one bar of the states' shares; every state that occurs has at least one cell.
fn shares(counts: &Counts, cells: u16, look: &Look) -> Line<'static> {
    let all = u64::from(counts.all().max(1));
    let mut left = cells;
    let mut spans = Vec::new();
    for (index, (state, _, count)) in state_counts(counts).into_iter().enumerate() {
        let (glyph, role) = glyph(state, look);
        let share = (u64::from(count) * u64::from(cells) / all) as u16;
        let rest = state_counts(counts)[index + 1..].iter().filter(|(.., count)| *count > 0).count() as u16;
        let wide =
            if rest == 0 && count > 0 { left } else { share.max(u16::from(count > 0)).min(left.saturating_sub(rest)) };
        left -= wide;
        spans.push(look.span(role, glyph.repeat(usize::from(wide))));
    }
    Line::from(spans)
}

/// Maximum number of prerequisite units that are listed.
const NAMED: usize = 4;

impl PlanPage {
    fn rows_of_unit(&self) -> Vec<Pair> {
        let unit = self.unit();
        let Some(plan_status) = self.plan_status.units.get(unit as usize) else { return Vec::new() };
        let (state, role) = match &plan_status.state {
            UnitState::Running { host, process, percent } => {
                let done = percent.map(|percent| format!(", {percent} % done")).unwrap_or_default();
                (format!("running on {host}, process {process}{done}"), Role::Good)
            }
            UnitState::Done => ("done".to_owned(), Role::Good),
            UnitState::Failed(reason) if reason.is_empty() => ("failed".to_owned(), Role::Bad),
            UnitState::Failed(reason) => (format!("failed: {reason}"), Role::Bad),
            UnitState::Killed => ("killed; the next attempt resumes from its checkpoint".to_owned(), Role::Warning),
            UnitState::Waiting => (self.why_waiting(unit, plan_status.attempts), Role::Text),
        };
        let mut rows =
            vec![("computes".to_owned(), self.work.describe(unit), Role::Text), ("state".to_owned(), state, role)];
        if let (Some(table), Some((value, _))) =
            (&self.results, self.results.as_ref().and_then(|table| table.result(unit as usize)))
        {
            rows.push((table.column.replace('_', " "), number(value), Role::Accent));
        }
        if plan_status.attempts > 0 {
            rows.push(("attempts".to_owned(), plan_status.attempts.to_string(), Role::Text));
        }
        let hint = self.hint().map(|hint| ("plan".to_owned(), hint, Role::Dim));
        rows.extend(hint);
        rows
    }

    fn why_waiting(&self, unit: u32, attempts: u32) -> String {
        let is_done = |unit: &u32| self.plan_status.units[*unit as usize].state == UnitState::Done;
        let needs: Vec<u32> = self.work.needs(unit).into_iter().filter(|need| !is_done(need)).collect();
        if needs.is_empty() {
            return match attempts {
                0 => "waiting".to_owned(),
                _ => "interrupted; the next attempt resumes from its checkpoint".to_owned(),
            };
        }
        let named: Vec<String> = needs.iter().take(NAMED).map(u32::to_string).collect();
        let more = needs.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let noun = if needs.len() == 1 { "unit" } else { "units" };
        format!("waiting for {noun} {}{more}", named.join(", "))
    }

    /// Returns the next step when no unit is running.
    fn hint(&self) -> Option<String> {
        let counts = &self.plan_status.counts;
        let named = match self.is_kept {
            true => sanitize::shell(self.name()),
            false => sanitize::shell_path(&self.folder),
        };
        match counts.running {
            _ if self.error.is_some() => None,
            1.. => None,
            0 if self.is_done() && self.last_read.is_merged => {
                Some("all are done and merged; S shows the summary".to_owned())
            }
            0 if self.is_done() => {
                Some(format!("all are done. p merges them, or: mancalab plan merge {named}; S then shows the summary"))
            }
            0 if counts.failed > 0 => Some(format!("p retries, or: mancalab plan submit {named} --engine local")),
            0 => Some(format!("p starts it, or: mancalab plan submit {named} --engine local")),
        }
    }
}

/// The width in cells from which the plan's name and the state of running plans are shown.
const WIDE_LINE: u16 = 100;

/// Returns the state of a plan, as lists name it.
pub(super) fn word(plan_status: &PlanStatus) -> Word {
    match PlanState::new(&plan_status.counts, plan_status.activity) {
        PlanState::Running => Word::Running,
        PlanState::New => Word::New,
        PlanState::Finished => Word::Finished,
        PlanState::Failed | PlanState::Damaged(_) => Word::Failed,
        PlanState::Crashed => Word::Crashed,
        PlanState::Stopped => Word::Stopped,
    }
}

/// Returns the line in at most `cells`.
pub(super) fn line(
    name: &str,
    plan_status: &PlanStatus,
    error: Option<&str>,
    cells: u16,
    look: &Look,
) -> Line<'static> {
    let word = if error.is_some() { Word::Stopped } else { word(plan_status) };
    let (mark, role) = word.mark(look);
    let state = if word == Word::Running && cells < WIDE_LINE { String::new() } else { format!(" {}", word.text()) };
    let mut parts = vec![(0, look.span(role, format!("{mark}{state}")))];
    let mut push = |rank: u8, role: Role, text: String| parts.push((rank, look.span(role, text)));
    if let Some(error) = error {
        push(0, Role::Bad, error.to_owned());
    }
    if cells >= WIDE_LINE {
        push(2, Role::Accent, name.to_owned());
    }
    push(0, Role::Text, units(&plan_status.counts));
    if word == Word::Running {
        match plan_status.seconds_left {
            Some(left) => {
                push(1, Role::Text, format!("{} left", duration(Duration::from_secs_f64(left.clamp(0.0, 1e10)))))
            }
            None => push(1, Role::Dim, "? left".to_owned()),
        }
    }
    if let Some(seconds) = plan_status.seconds_a_unit {
        push(3, Role::Dim, format!("{} per unit", short_time(Duration::from_secs_f64(seconds.clamp(0.0, 1e10)))));
    }
    fitted(parts, cells, look)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::cluster::layout::Activity;
    use crate::cluster::status::Counts;

    #[test]
    fn a_bar_shows_the_shares_and_whatever_there_is() {
        let bar = |waiting, running, done, failed| {
            shares(&Counts { waiting, running, done, failed, killed: 0 }, 10, &look()).to_string()
        };
        assert_eq!(bar(50, 0, 50, 0), "▮▮▮▮▮·····");
        assert_eq!(bar(100_000, 1, 1, 1), "▮▸✗·······");
        assert_eq!(bar(1, 0, 100_000, 1), "▮▮▮▮▮▮▮▮✗·");
        assert_eq!(bar(0, 0, 7, 0), "▮▮▮▮▮▮▮▮▮▮");
    }

    fn text(counts: Counts, left: Option<f64>, cells: u16) -> String {
        let activity = if counts.done > 0 { Activity::Begun } else { Activity::Never };
        text_of(counts, activity, left, cells)
    }

    fn text_of(counts: Counts, activity: Activity, left: Option<f64>, cells: u16) -> String {
        let plan_status =
            PlanStatus { units: Vec::new(), counts, activity, seconds_a_unit: Some(1.25), seconds_left: left };
        let look = look();
        line("night", &plan_status, None, cells, &look).to_string()
    }

    #[test]
    fn every_state_is_reported_and_what_matters_most_stays() {
        let running = Counts { waiting: 164, running: 2, done: 12, failed: 1, killed: 0 };
        assert_eq!(
            text(running, Some(103.0), 118),
            "▸ running  night  179 units: 12 done, 2 running, 1 failed  1:43 left  1.2 s per unit"
        );
        assert_eq!(
            text(running, Some(103.0), 78),
            "▸  179 units: 12 done, 2 running, 1 failed  1:43 left  1.2 s per unit"
        );
        assert_eq!(text(running, None, 40), "▸  179 units: 12 done, 2 running, 1 fai…");
        let counts = |waiting, failed| Counts { waiting, running: 0, done: 1, failed, killed: 0 };
        let killed = Counts { killed: 1, ..counts(1, 0) };
        assert_eq!(text(killed, None, 78), "? crashed  2 units: 1 done, 1 killed  1.2 s per unit");
        assert_eq!(text(Counts { done: 0, ..counts(2, 0) }, None, 78), "+ new  2 units: 0 done  1.2 s per unit");
        assert_eq!(text(counts(1, 0), None, 78), "· stopped  2 units: 1 done  1.2 s per unit");
        let between = text_of(counts(1, 0), Activity::Held, None, 118);
        assert_eq!(between, "▸ running  night  2 units: 1 done  ? left  1.2 s per unit");
        assert_eq!(text(counts(0, 1), None, 78), "✗ failed  2 units: 1 done, 1 failed  1.2 s per unit");
        assert_eq!(text(counts(0, 0), None, 78), "✓ finished  1 unit: 1 done  1.2 s per unit");
    }
}
