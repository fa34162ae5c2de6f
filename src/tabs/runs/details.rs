//! The details of the selected list entry: a preset's settings, or a run's status, curve, and differences from its preset.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};

use super::home::{Closer, Home, Selection};
use super::parts::pairs::{Pair, pairs, scrolled};
use crate::cluster::index::{PlanEntry, PlanState};
use crate::job::run_dir::{Entry, EntryState, Notes};
use crate::kept::{self, RunOrPlan, plan_word, units};
use crate::kinds::KindOf as _;
use crate::sanitize;
use crate::summary::number;
use crate::theme::Role;
use crate::ui::chart::scaled_sparkline;
use crate::ui::{Look, duration, framed, width, wrap};

impl Home {
    pub(super) fn draw_details(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.details = area;
        if std::mem::replace(&mut self.details_of, self.list.selected) != self.list.selected {
            self.details_top = 0;
        }
        let Some((title, lines)) = self.details(area.as_size(), look) else { return };
        let hint = if lines.len() > usize::from(area.height.saturating_sub(2)) { "J K: scroll" } else { "" };
        let title = look.span(Role::Title, title);
        let hint = look.span(Role::Dim, hint);
        let inner = framed(area, Line::from(title), Line::from(hint), false, buf, look);
        scrolled(lines, &mut self.details_top, inner, buf, look);
    }

    /// Returns the title and the lines of the selected entry, for a panel of this size.
    fn details(&self, size: Size, look: &Look) -> Option<(String, Vec<Line<'static>>)> {
        let inner = Size { width: size.width.saturating_sub(2), height: size.height.saturating_sub(2) };
        Some(match self.chosen()? {
            Selection::Preset(preset) => {
                let about = if self.is_cut { wrap(preset.about, inner.width.saturating_sub(2)) } else { Vec::new() };
                let mut lines: Vec<Line> =
                    about.into_iter().map(|text| Line::from(look.span(Role::Text, format!(" {text}")))).collect();
                let rows = preset.settings.texts().into_iter().map(|(key, value)| (key, value, Role::Text));
                let height = inner.height.saturating_sub(lines.len() as u16);
                lines.extend(columns(&rows.collect::<Vec<_>>(), Size { height, ..inner }, look));
                (format!("Settings of {}", preset.name), lines)
            }
            Selection::Saved(RunOrPlan::Plan(plan)) => {
                (plan.name.clone(), pairs(&rows_of_plan(plan), inner.width, look))
            }
            Selection::Saved(RunOrPlan::Run(run)) => {
                let closer = self.closer.as_ref().filter(|closer| closer.folder == run.folder);
                let curve = closer.filter(|closer| closer.curve.len() > 1 && inner.height > 3);
                let curve = curve.map(|closer| curve_line(closer, inner.width, look));
                let lines = curve.into_iter().chain(pairs(&self.rows_of(run, closer), inner.width, look));
                (run.name.clone(), lines.collect())
            }
        })
    }

    fn rows_of(&self, run: &Entry, closer: Option<&Closer>) -> Vec<Pair> {
        let mut rows = vec![("state".to_owned(), state_text(run), Role::Text)];
        let mut add = |label: &str, value: String, role: Role| rows.push((label.to_owned(), value, role));
        if !run.best.is_empty() {
            add("best", kept::best(run), Role::Text);
        }
        if let Some(manifest) = &run.manifest {
            add("preset", format!("{}, seed {}", manifest.preset_marked(), manifest.seed), Role::Text);
            let usual = self.presets.iter().find(|preset| preset.name == manifest.preset);
            let usual = usual.map(|preset| (self.tab.form.fields)(&*preset.settings)).unwrap_or_default();
            let own = closer.map(|closer| closer.settings.as_slice()).unwrap_or_default();
            for (key, value) in own.iter().filter(|(key, _)| key != "seed") {
                if let Some((_, usual)) = usual.iter().find(|(known, usual)| known == key && usual != value) {
                    add(&format!("* {key}"), format!("{value} (preset: {usual})"), Role::Accent);
                }
            }
        }
        if let Some(parent) = kept::forked_from(run) {
            add("forked from", parent, Role::Text);
        }
        add("took", duration(run.took), Role::Text);
        rows_of_notes(&run.notes).into_iter().for_each(|(label, value, role)| add(label, value, role));
        add("folder", sanitize::path(&run.folder), Role::Dim);
        rows
    }
}

/// Returns the status of a plan and its contents.
fn rows_of_plan(plan: &PlanEntry) -> Vec<Pair> {
    let state = match &plan.state {
        PlanState::Damaged(reason) => format!("damaged: {reason}"),
        state => format!("plan, {} (Enter: units)", plan_word(state)),
    };
    let mut rows = vec![("state".to_owned(), state, Role::Text)];
    let mut add = |label: &str, value: String, role: Role| rows.push((label.to_owned(), value, role));
    if let Some(what) = &plan.what {
        add("units", units(&plan.counts), Role::Text);
        add("preset", format!("{}, seeds {}", what.preset, what.seeds), Role::Text);
    }
    rows_of_notes(&plan.notes).into_iter().for_each(|(label, value, role)| add(label, value, role));
    add("folder", sanitize::path(&plan.folder), Role::Dim);
    rows
}

/// Returns the tags and the note, if there are some.
fn rows_of_notes(notes: &Notes) -> Vec<(&'static str, String, Role)> {
    let tags = ("tags", notes.tags.join(", "), Role::Accent);
    let note = ("note", sanitize::inline(&notes.note).into_owned(), Role::Text);
    [tags, note].into_iter().filter(|(_, text, _)| !text.is_empty()).collect()
}

/// Returns the state of a run, and the effect of Enter on it.
fn state_text(run: &Entry) -> String {
    let text = kept::state_text(run);
    match &run.state {
        EntryState::Running(_) | EntryState::Paused(_) => text + " (Enter: watch)",
        EntryState::Stopped => text + " (Enter: resume)",
        EntryState::Crashed => text + ": its process was killed (Enter: resume)",
        EntryState::Finished => text + " (Enter: show, e: extend)",
        EntryState::Failed(_) | EntryState::Damaged(_) => text,
    }
}

fn curve_line(closer: &Closer, cells: u16, look: &Look) -> Line<'static> {
    let label = closer.column.split('_').take(2).collect::<Vec<_>>().join(" ");
    let room = cells.saturating_sub(width(&label) + 3);
    Line::from(vec![
        look.span(Role::Dim, format!(" {label} ")),
        look.span(Role::Accent, scaled_sparkline(&closer.curve, number, room, look)),
    ])
}

/// Like [`pairs`], in as many columns as are needed to show all rows, if they fit.
fn columns(rows: &[Pair], size: Size, look: &Look) -> Vec<Line<'static>> {
    let most = (size.width / 36).max(1);
    let in_columns = |count: u16| pairs(rows, size.width / count, look);
    let fits = |count: &u16| in_columns(*count).len().div_ceil(usize::from(*count)) <= usize::from(size.height);
    let count = (1..=most).find(fits).unwrap_or(most);
    let lines = in_columns(count);
    let wide = usize::from(size.width / count);
    let high = lines.len().div_ceil(usize::from(count)).max(1);
    let joined = |y: usize| {
        lines[y..].iter().step_by(high).fold(Line::default(), |mut joined, line| {
            let gap = joined.width().next_multiple_of(wide) - joined.width();
            joined.spans.push(Span::raw(" ".repeat(gap)));
            joined.spans.extend(line.spans.iter().cloned());
            joined
        })
    };
    (0..high.min(lines.len())).map(joined).collect()
}
