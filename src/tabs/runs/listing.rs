//! Draws the list page: presets, the table of runs, and beside or below them the selected entry.

use std::time::SystemTime;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::home::{DONE, HEADS, Home};
use super::parts::window;
use crate::cluster::index::PlanState;
use crate::job::run_dir::EntryState;
use crate::kept::RunOrPlan;
use crate::theme::Role;
use crate::ui::list::scrollbar;
use crate::ui::{Canvas, Look, adjoin, age, clip, duration, focus, panel, put, row, short_count, squeeze, width, wrap};

/// The width from which the selected entry is shown beside the list.
const WIDE: u16 = 110;
/// The minimum width of the name column while other columns are shown.
const NARROWEST_NAME: u16 = 24;
/// The columns in the order in which narrow screens omit them.
const LEFT_OUT: [usize; 6] = [1, 6, 5, 4, 3, 2];

impl Home {
    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.is_drawn = true;
        let about = if area.height < 26 { Vec::new() } else { wrap(self.tab.about, area.width.saturating_sub(4)) };
        let top = about.len() as u16;
        let lines = about.into_iter().map(|line| Line::from(look.span(Role::Dim, format!(" {line}"))));
        Canvas::new(area, buf, look).lines(lines);
        let body = Rect { y: area.y + top, height: area.height.saturating_sub(top), ..area };
        let (list, mut details) = if body.width >= WIDE {
            let left = (body.width * 3 / 5).clamp(68, 120);
            (Rect { width: left, ..body }, Rect { x: body.x + left, width: body.width - left, ..body })
        } else if body.height >= 18 {
            let below = (body.height * 2 / 5).max(8);
            let above = body.height - below;
            (Rect { height: above, ..body }, Rect { y: body.y + above, height: below, ..body })
        } else {
            (body, Rect::default())
        };
        let (mut presets, mut runs) = self.split_list(list);
        adjoin(&mut [&mut presets, &mut runs, &mut details]);
        self.places.clear();
        self.heads.clear();
        self.draw_presets(presets, buf, look);
        self.draw_runs(runs, buf, look);
        if !details.is_empty() {
            self.draw_details(details, buf, look);
        }
        focus(if self.list.selected < self.presets.len() { presets } else { runs }, buf, look);
    }

    /// Divides the list's area among presets and runs.
    fn split_list(&self, area: Rect) -> (Rect, Rect) {
        // Presets get the rows that the runs leave, and half of the page if both are many.
        let most = (area.height / 2).max(area.height.saturating_sub(self.shown.len().max(2) as u16 + 3)).max(4);
        let rows = |texts: Vec<Vec<String>>| texts.iter().map(Vec::len).sum::<usize>() as u16 + 2;
        let wrapped = rows(self.descriptions(area.width.saturating_sub(2)));
        let wanted = if wrapped <= most { wrapped } else { self.presets.len() as u16 + 2 };
        // A low page shows either presets or runs.
        let presets = match area.height {
            ..9 if self.list.selected < self.presets.len() => area.height,
            9..12 if self.list.selected < self.presets.len() => wanted.min(area.height / 2),
            ..12 => 0,
            _ => wanted.min(most),
        };
        let runs = Rect { y: area.y + presets, height: area.height - presets, ..area };
        (Rect { height: if presets < 3 { 0 } else { presets }, ..area }, runs)
    }

    fn draw_presets(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        if area.height < 3 {
            return;
        }
        let focused = self.list.selected < self.presets.len();
        let inner = panel(area, Line::from(look.span(Role::Title, "Presets")), focused, buf, look);
        let names = self.names();
        let texts = self.descriptions(inner.width);
        let wraps = texts.iter().map(Vec::len).sum::<usize>() <= usize::from(inner.height);
        let shown = match wraps {
            true => 0..self.presets.len(),
            false => window(self.list.selected, self.presets.len(), inner.height),
        };
        scrollbar(inner, &shown, self.presets.len(), buf, look);
        self.is_cut = !wraps && texts.get(self.list.selected).is_some_and(|text| text.len() > 1);
        let mut y = 0;
        for (index, text) in shown.clone().zip(&texts[shown]) {
            let name = self.presets[index].name;
            let first = row(inner, y);
            let height = if wraps { text.len() as u16 } else { 1 };
            let place = Rect { height: height.min(inner.height - y), ..first };
            let (mark, role, dim) = self.roles(index, place, buf, look);
            put(look.span(role, format!("{mark} {name}")), first, buf);
            for (line, text) in text.iter().take(usize::from(height)).enumerate() {
                let at = row(inner, y + line as u16);
                let at = Rect { x: at.x + names + 4, width: at.width.saturating_sub(names + 5), ..at };
                // A text that goes on has an ellipsis, also where its first line fits.
                let text = if wraps { text.clone() } else { clip(self.presets[index].about, at.width, look) };
                put(look.span(dim, text), at, buf);
            }
            self.places.push((place, index));
            y += height;
        }
    }

    /// Returns the width of the longest name of a preset.
    fn names(&self) -> u16 {
        self.presets.iter().map(|preset| width(preset.name)).max().unwrap_or(0)
    }

    /// Returns the descriptions of the presets, wrapped behind their names in rows of `cells`.
    fn descriptions(&self, cells: u16) -> Vec<Vec<String>> {
        let room = cells.saturating_sub(self.names() + 5);
        self.presets.iter().map(|preset| wrap(preset.about, room)).collect()
    }

    /// Returns the mark of a row, the role of its text and the role of secondary text; highlights the selected row.
    fn roles(&self, index: usize, place: Rect, buf: &mut Buffer, look: &Look) -> (&'static str, Role, Role) {
        if index != self.list.selected {
            return (" ", Role::Text, Role::Dim);
        }
        buf.set_style(place, look.style(Role::Selection));
        look.cursor_place.set(place);
        (look.glyphs.pointer, Role::Selection, Role::Selection)
    }

    fn draw_runs(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        if area.height < 3 {
            return;
        }
        let all = self.runs.len();
        let shown = self.shown.len();
        let marked = self.marked.len();
        let mut title = if all == 0 { "Runs".to_owned() } else { format!("Runs ({shown})") };
        if !self.filter.is_empty() {
            title = format!("Runs ({shown} of {all}: '{}')", self.filter);
        }
        if marked > 0 {
            title += &format!("  {marked} marked");
        }
        let focused = self.list.selected >= self.presets.len();
        let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
        if shown == 0 {
            let text = match all {
                0 if !self.is_read => "Reading the runs.",
                0 => "No runs yet. Press Enter to start one with the selected preset.",
                _ => "No run matches in name, preset, state or tag:NAME.",
            };
            return Canvas::new(inner, buf, look).explain(text);
        }
        let selected = self.list.selected.checked_sub(self.presets.len());
        let rows = window(selected.unwrap_or(0), shown, inner.height.saturating_sub(1));
        let body = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
        scrollbar(body, &rows, shown, buf, look);
        let now = SystemTime::now();
        let texts: Vec<[String; HEADS.len()]> =
            rows.clone().filter_map(|row| self.kept(row)).map(|kept| texts(kept, now)).collect();
        let columns = columns(&texts, inner.width.saturating_sub(5));
        self.draw_heads(&columns, row(inner, 0), buf, look);
        for (line, (index, texts)) in rows.zip(&texts).enumerate() {
            let place = row(inner, 1 + line as u16);
            let index = self.presets.len() + index;
            let line = self.row(index, texts, &columns, place, buf, look);
            put(line, place, buf);
            self.places.push((place, index));
        }
    }

    fn draw_heads(&mut self, columns: &[(usize, u16)], place: Rect, buf: &mut Buffer, look: &Look) {
        let mut x = place.x + 5;
        for &(column, wide) in columns {
            let arrow = match self.order.column == column {
                false => "",
                true if self.order.descending => look.glyphs.down,
                true => look.glyphs.up,
            };
            let role = if arrow.is_empty() { Role::Dim } else { Role::Accent };
            let title = if column == DONE { self.tab.kind().units } else { HEADS[column] };
            let head = cell(column, &format!("{arrow}{title}"), wide, look);
            let at = Rect { x, width: wide.min(place.right().saturating_sub(x)), ..place };
            put(look.span(role, head), at, buf);
            self.heads.push((at, column));
            x += wide + 2;
        }
    }

    fn row(
        &self,
        index: usize,
        texts: &[String; HEADS.len()],
        columns: &[(usize, u16)],
        place: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Line<'static> {
        let (mark, role, dim) = self.roles(index, place, buf, look);
        let Some(kept) = self.kept(index - self.presets.len()) else { return Line::default() };
        let star = if self.marked.contains(kept.folder()) { "*" } else { " " };
        let (state, state_role) = state(kept, look);
        let state_role = if role == Role::Selection { role } else { state_role };
        let mut spans = vec![look.span(role, mark), look.span(role, star), look.span(state_role, format!("{state}  "))];
        for &(column, wide) in columns {
            let role = if column == 0 || column == 3 { role } else { dim };
            spans.push(look.span(role, cell(column, &texts[column], wide, look)));
            spans.push(Span::styled("  ", look.style(role)));
        }
        Line::from(spans)
    }
}

/// Returns the mark of a run's or plan's state, unique for each state.
fn state(kept: &RunOrPlan, look: &Look) -> (&'static str, Role) {
    match kept {
        RunOrPlan::Run(run) => match &run.state {
            EntryState::Running(_) => (look.glyphs.pointer, Role::Good),
            EntryState::Paused(_) => (look.glyphs.pause, Role::Warning),
            EntryState::Stopped => (look.glyphs.dot, Role::Dim),
            EntryState::Crashed => ("?", Role::Warning),
            EntryState::Finished => (look.glyphs.check, Role::Good),
            EntryState::Failed(_) => ("!", Role::Bad),
            EntryState::Damaged(_) => (look.glyphs.cross, Role::Bad),
        },
        RunOrPlan::Plan(plan) => match &plan.state {
            PlanState::Running => (look.glyphs.pointer, Role::Good),
            PlanState::New => ("+", Role::Dim),
            PlanState::Stopped => (look.glyphs.dot, Role::Dim),
            PlanState::Finished => (look.glyphs.check, Role::Good),
            PlanState::Failed => ("!", Role::Bad),
            PlanState::Crashed => ("?", Role::Warning),
            PlanState::Damaged(_) => (look.glyphs.cross, Role::Bad),
        },
    }
}

/// Returns the texts of the columns.
fn texts(kept: &RunOrPlan, now: SystemTime) -> [String; HEADS.len()] {
    let at = kept.progress().unwrap_or_else(|| kept.word().to_owned());
    let started = kept.started().and_then(|started| now.duration_since(started).ok()).map_or(String::new(), age);
    let took = kept.took().map_or(String::new(), duration);
    [kept.name().to_owned(), kept.preset_marked(), at, kept.best(), started, took, short_count(kept.size())]
}

/// Returns the columns that fit, with their widths: the name, and as many others as possible.
fn columns(texts: &[[String; HEADS.len()]], room: u16) -> Vec<(usize, u16)> {
    let wide = |column: usize| {
        let widest = texts.iter().map(|texts| width(&texts[column])).max().unwrap_or(0);
        // Leaves space for an arrow beside every head.
        let most = match column {
            0 => 60,
            1 => 30,
            _ => 16,
        };
        widest.max(width(HEADS[column]) + 1).min(most)
    };
    let mut columns: Vec<(usize, u16)> = (0..HEADS.len()).map(|column| (column, wide(column))).collect();
    let needs = |columns: &[(usize, u16)]| columns.iter().map(|(_, wide)| wide + 2).sum::<u16>().saturating_sub(2);
    for column in LEFT_OUT {
        let over = needs(&columns).saturating_sub(room);
        // The name shrinks before a column is omitted, down to its minimum.
        if over <= columns[0].1.saturating_sub(NARROWEST_NAME) {
            columns[0].1 -= over;
            return columns;
        }
        columns.retain(|(known, _)| *known != column);
    }
    columns[0].1 = columns[0].1.min(room);
    columns
}

/// Returns the text padded to its column: names and presets left-aligned, numbers right-aligned.
fn cell(column: usize, text: &str, wide: u16, look: &Look) -> String {
    let text = if column == 0 { squeeze(text, wide, look) } else { clip(text, wide, look) };
    let gap = " ".repeat(usize::from(wide - width(&text).min(wide)));
    if column < 2 { text + &gap } else { gap + &text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_left_out_before_names_are_cut_short() {
        let texts =
            [[&*"n".repeat(20), "mancala-gp-1", "150/150", "6420", "5 min ago", "1:02:03", "12.3k"].map(str::to_owned)];
        let names = |room| columns(&texts, room).into_iter().map(|(column, _)| HEADS[column]).collect::<Vec<_>>();
        assert_eq!(names(100), HEADS);
        assert_eq!(names(75), ["name", "generations", "best", "started", "took", "size"]);
        assert_eq!(names(55), ["name", "generations", "best", "started"]);
        assert_eq!(names(45), ["name", "generations", "best"]);
        assert_eq!(names(10), ["name"]);
        assert_eq!(columns(&texts, 10), [(0, 10)]);
    }

    #[test]
    fn the_selected_row_is_among_those_shown() {
        assert_eq!([window(0, 3, 5), window(9, 10, 4), window(5, 10, 4)], [0..3, 6..10, 3..7]);
    }
}
