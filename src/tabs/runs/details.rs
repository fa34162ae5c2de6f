//! The details of the selected list entry: a preset's settings, or a run's status, curve, and differences from its preset.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::home::{Chosen, Closer, Home};
use super::listing::clock;
use crate::cluster::index::{PlanEntry, PlanState};
use crate::job::run_dir::{Entry, EntryState};
use crate::kept::{Saved, counted, plan_word};
use crate::sanitize;
use crate::theme::Role;
use crate::ui::chart::sparkline;
use crate::ui::{Look, clip, panel, put, row, width, wrap};

impl Home {
    pub(super) fn draw_details(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        match self.chosen() {
            None => {}
            Some(Chosen::Preset(preset)) => {
                let title = format!("Settings of {}", preset.name);
                let inner = panel(area, Line::from(look.span(Role::Title, title)), false, buf, look);
                let settings = preset.settings.texts();
                let rows = settings.into_iter().map(|(key, value)| (key, value, Role::Text));
                columns(&rows.collect::<Vec<_>>(), inner, buf, look);
            }
            Some(Chosen::Saved(Saved::Plan(plan))) => {
                let title = Line::from(look.span(Role::Title, plan.name.clone()));
                let inner = panel(area, title, false, buf, look);
                pairs(&rows_of_plan(plan), inner, buf, look);
            }
            Some(Chosen::Saved(Saved::Run(run))) => {
                let inner = panel(area, Line::from(look.span(Role::Title, run.name.clone())), false, buf, look);
                let closer = self.closer.as_ref().filter(|closer| closer.folder == run.folder);
                let curve = closer.filter(|closer| closer.curve.len() > 1);
                let top = if let Some(closer) = curve.filter(|_| inner.height > 3) {
                    draw_curve(closer, row(inner, 0), buf, look);
                    1
                } else {
                    0
                };
                let inner = Rect { y: inner.y + top, height: inner.height.saturating_sub(top), ..inner };
                pairs(&self.rows_of(run, closer), inner, buf, look);
            }
        }
    }

    fn rows_of(&self, run: &Entry, closer: Option<&Closer>) -> Vec<Pair> {
        let mut rows = vec![("state".to_owned(), state_text(&run.state), Role::Text)];
        let mut add = |label: &str, value: String, role: Role| rows.push((label.to_owned(), value, role));
        if !run.best.is_empty() {
            add("best", run.best.clone(), Role::Text);
        }
        if let Some(manifest) = &run.manifest {
            add("preset", format!("{}, seed {}", manifest.preset_marked(), manifest.seed), Role::Text);
            let usual = self.presets.iter().find(|preset| preset.name == manifest.preset);
            let usual = usual.map(|preset| (self.tab.form.fields)(&preset.settings)).unwrap_or_default();
            let own = closer.map(|closer| closer.settings.as_slice()).unwrap_or_default();
            for (key, value) in own.iter().filter(|(key, _)| key != "seed") {
                if let Some((_, usual)) = usual.iter().find(|(known, usual)| known == key && usual != value) {
                    add(&format!("* {key}"), format!("{value} (preset: {usual})"), Role::Accent);
                }
            }
        }
        add("took", clock(run.took), Role::Text);
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
        add("units", counted(&plan.counts), Role::Text);
        add("preset", format!("{}, seeds {}", what.preset, what.seeds), Role::Text);
    }
    add("folder", sanitize::path(&plan.folder), Role::Dim);
    rows
}

/// A label, its value, and the value's role.
pub(super) type Pair = (String, String, Role);

/// Returns the state of a run, and the effect of Enter on it.
fn state_text(state: &EntryState) -> String {
    match state {
        EntryState::Running(writer) => format!("running: {writer} (Enter: watch)"),
        EntryState::Paused(writer) => format!("paused: {writer} (Enter: watch)"),
        EntryState::Stopped => "stopped (Enter: resume)".to_owned(),
        EntryState::Crashed => "crashed: its process was killed (Enter: resume)".to_owned(),
        EntryState::Failed(reason) => format!("failed: {reason}"),
        EntryState::Finished => "finished (Enter: show, e: extend)".to_owned(),
        EntryState::Damaged(reason) => format!("damaged: {reason}"),
    }
}

fn draw_curve(closer: &Closer, place: Rect, buf: &mut Buffer, look: &Look) {
    let label = closer.column.split('_').take(2).collect::<Vec<_>>().join(" ");
    let room = place.width.saturating_sub(width(&label) + 3);
    let line = Line::from(vec![
        look.span(Role::Dim, format!(" {label} ")),
        look.span(Role::Accent, sparkline(&closer.curve, room, look)),
    ]);
    put(line, place, buf);
}

/// Draws labels and values below one another, wrapping long values.
pub(super) fn pairs(rows: &[Pair], area: Rect, buf: &mut Buffer, look: &Look) {
    let labels = rows.iter().map(|(label, ..)| width(label)).max().unwrap_or(0) + 3;
    let mut y = 0;
    for (label, value, role) in rows {
        put(look.span(Role::Dim, format!(" {label}")), row(area, y), buf);
        for line in wrap(value, area.width.saturating_sub(labels + 1)) {
            let place = row(area, y);
            let place = Rect { x: place.x + labels, width: place.width.saturating_sub(labels), ..place };
            put(look.span(*role, line), place, buf);
            y += 1;
        }
    }
}

/// Like [`pairs`], in as many columns as are needed to show all rows, if they fit.
fn columns(rows: &[Pair], area: Rect, buf: &mut Buffer, look: &Look) {
    let height = usize::from(area.height.max(1));
    let count = rows.len().div_ceil(height).min(usize::from(area.width / 36).max(1));
    if count < 2 {
        return pairs(rows, area, buf, look);
    }
    let wide = area.width / count as u16;
    for (index, part) in rows.chunks(rows.len().div_ceil(count)).enumerate() {
        let place = Rect { x: area.x + index as u16 * wide, width: wide, ..area };
        let labels = part.iter().map(|(label, ..)| width(label)).max().unwrap_or(0) + 3;
        for (line, (label, value, role)) in part.iter().enumerate() {
            let place = row(place, line as u16);
            put(look.span(Role::Dim, format!(" {label}")), place, buf);
            let value = clip(value, place.width.saturating_sub(labels + 1), look);
            let place =
                Rect { x: place.x + labels.min(place.width), width: place.width.saturating_sub(labels), ..place };
            put(look.span(*role, value), place, buf);
        }
    }
}
