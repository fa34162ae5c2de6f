//! The panels of a run that learns pattern weights: errors on held-out games as a list, as curves and by stage, and the strength
//! against the panel as a table and a chart. One panel has the focus and can be zoomed to the whole page.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::strength::{self, Strength};
use crate::measuring::Learner as _;
use crate::patterns::{PatternsRow, Subject, View};
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Chart, Pattern, Series, sparkline};
use crate::ui::list::{ListState, scrollbar};
use crate::ui::panes::Panes;
use crate::ui::{Look, panel, put, row, short_count, wrap};

/// The panels that can have the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    /// The curve of the selected error.
    Error,
    /// The list of errors.
    List,
    /// The errors of the newest generation by stage.
    Stages,
    Strength,
    /// The curves of all measurements against the panel.
    Course,
}

const ALL: [Pane; 5] = [Pane::Error, Pane::List, Pane::Stages, Pane::Strength, Pane::Course];

/// The error that a line of the list and a chart show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    /// Of all held-out positions.
    All,
    /// Of the positions of a stage.
    Stage(usize),
    /// Of shallow searches.
    Shallow,
}

impl Measure {
    /// The measures of a run, in the order of the list.
    fn all(subject: &Subject) -> Vec<Measure> {
        let stages = (0..subject.stages.len()).map(Measure::Stage);
        [Measure::All].into_iter().chain(stages).chain([Measure::Shallow]).collect()
    }

    /// The name in the list.
    fn name(self, subject: &Subject) -> String {
        match self {
            Measure::All => "all".to_owned(),
            Measure::Stage(stage) => subject.stages.get(stage).map_or("", |(name, ..)| name).to_owned(),
            Measure::Shallow => "shallow".to_owned(),
        }
    }

    /// The title of its chart.
    fn title(self, subject: &Subject) -> String {
        match self {
            Measure::All => format!("Error on held-out games, {}", subject.unit),
            Measure::Stage(stage) => format!("Error, {}", subject.stages.get(stage).map_or("", |(_, what, _)| what)),
            Measure::Shallow => format!("Error of depth 4 against depth 8, {}", subject.shallow_unit),
        }
    }

    /// The error of a generation; `None` if no position measures it.
    fn error(self, past: &PatternsRow) -> Option<f64> {
        let value = match self {
            Measure::All => Some(past.error),
            Measure::Stage(stage) => past.errors.get(stage).copied(),
            Measure::Shallow => Some(past.shallow_error),
        };
        value.filter(|value| *value > 0.0)
    }
}

/// Rows of the list, including its frame.
fn rows(subject: &Subject) -> u16 {
    subject.stages.len() as u16 + 8
}

/// Widths in cells of a name and of a value.
const NAME: usize = 9;
const VALUE: usize = 6;

/// The state of the panels.
pub struct Patterns {
    pub lens: Lens,
    pub panes: Panes<Pane>,
    strength: Strength,
    list: ListState,
    /// The areas of the list's rows.
    rows: Vec<(Rect, usize)>,
    /// On small screens, the chart of the stages is shown instead of the list, and the measurements' instead of the error's.
    on_stages: bool,
    on_course: bool,
}

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns {
            lens: Lens::default(),
            panes: Panes::new(Pane::List),
            strength: Strength::default(),
            list: ListState::default(),
            rows: Vec::new(),
            on_stages: false,
            on_course: false,
        }
    }
}

impl Patterns {
    pub fn anew(self) -> Patterns {
        let strength = self.strength.anew();
        let lens = self.lens.anew();
        Patterns { strength, lens, list: self.list, on_stages: self.on_stages, ..Patterns::default() }
    }

    pub fn key(&mut self, code: KeyCode, view: &View) -> bool {
        match (self.panes.focus(), code) {
            (_, KeyCode::Esc) => self.lens.cursor.take().is_some() || self.panes.unzoom(),
            (Pane::Error | Pane::Course, code) if self.lens.key(code, view.newest().unwrap_or(0)) => true,
            (Pane::Error | Pane::List | Pane::Stages, code) => {
                self.list.key(code, Measure::all(view.settings.subject).len(), 3, true)
            }
            (Pane::Strength | Pane::Course, code) => self.strength.key(code, 0),
        }
    }

    pub fn click(&mut self, at: (u16, u16), view: &View) -> bool {
        let Some(pane) = self.panes.under(at) else { return false };
        self.panes.focus_on(pane);
        self.follow();
        match pane {
            Pane::Error | Pane::Course => _ = self.lens.click(at, view.newest().unwrap_or(0)),
            Pane::Strength => _ = self.strength.table.click(at),
            Pane::List => {
                let hit = self.rows.iter().find(|(place, _)| place.contains(at.into()));
                self.list.selected = hit.map_or(self.list.selected, |(_, index)| *index);
            }
            Pane::Stages => {}
        }
        false
    }

    pub fn wheel(&mut self, at: (u16, u16), down: bool, view: &View) {
        let code = if down { KeyCode::Down } else { KeyCode::Up };
        match self.panes.under(at) {
            Some(Pane::Error | Pane::Course) if self.lens.cursor.is_some() => {
                self.lens.go(if down { 1 } else { -1 }, view.newest().unwrap_or(0));
            }
            Some(Pane::Strength) => _ = self.strength.table.key(code),
            Some(Pane::List) => _ = self.list.key(code, Measure::all(view.settings.subject).len(), 3, true),
            _ => {}
        }
    }

    pub fn turn(&mut self, by: isize) {
        self.strength.table.turn(by);
    }

    pub fn reverse(&mut self) {
        self.strength.table.reverse();
    }

    pub fn turn_beside(&mut self) {
        self.on_stages = !self.on_stages;
        // A hidden panel takes no keys.
        if matches!(self.panes.focus(), Pane::List | Pane::Stages) {
            self.panes.focus_on(if self.on_stages { Pane::Stages } else { Pane::List });
        }
    }

    pub fn next_pane(&mut self) {
        self.panes.next(&ALL);
        self.follow();
    }

    fn follow(&mut self) {
        match self.panes.focus() {
            Pane::Strength | Pane::Course => self.on_course = true,
            Pane::Error | Pane::List => self.on_course = false,
            Pane::Stages => {}
        }
    }

    pub fn draw(&mut self, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        self.panes.begin();
        self.lens.begin();
        self.rows.clear();
        self.panes.is_alone(area.width < 60 || area.height < 16);
        if let Some(pane) = self.panes.alone() {
            return self.pane(pane, view, area, buf, look);
        }
        for (pane, place) in self.layout(view, area) {
            self.pane(pane, view, place, buf, look);
        }
    }

    /// Returns the panels and their areas.
    fn layout(&self, view: &View, area: Rect) -> Vec<(Pane, Rect)> {
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let wide = area.width;
        let high = area.height;
        // A row per player, a head, and a frame.
        let table = (view.settings.panel.len() as u16).saturating_add(3).clamp(5, 12);
        let left = wide / 2;
        let right = wide - left;
        let rows = rows(view.settings.subject);
        if wide >= 100 && high >= rows + table + 6 {
            let upper = high.div_ceil(2);
            return vec![
                (Pane::Error, at(0, 0, left, upper)),
                (Pane::Course, at(0, upper, left, high - upper)),
                (Pane::List, at(left, 0, right, rows)),
                (Pane::Strength, at(left, rows, right, table)),
                (Pane::Stages, at(left, rows + table, right, high - rows - table)),
            ];
        }
        let upper = high - table.min(high / 2);
        let chart = if self.on_course { Pane::Course } else { Pane::Error };
        let beside = if self.on_stages { Pane::Stages } else { Pane::List };
        vec![
            (chart, at(0, 0, left, upper)),
            (Pane::Strength, at(0, upper, left, high - upper)),
            (beside, at(left, 0, right, high)),
        ]
    }

    fn pane(&mut self, pane: Pane, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        let focused = self.panes.drawn(pane, area);
        match pane {
            Pane::Error => self.error(view, focused, area, buf, look),
            Pane::List => self.list(view, focused, area, buf, look),
            Pane::Stages => stages(view, focused, area, buf, look),
            Pane::Strength => {
                let games = 2 * view.settings.panel_games;
                let foot = format!("depth {}, {games} games each", view.settings.panel_depth);
                self.strength.draw(view, (None, foot), focused, area, buf, look);
            }
            Pane::Course => {
                let chosen = self.strength.table.selected();
                strength::chart(view, chosen, &mut self.lens, focused, area, buf, look);
            }
        }
    }

    /// Draws the curve of the selected error, with that of all positions below that of a stage.
    fn error(&mut self, view: &View, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
        let subject = view.settings.subject;
        let chosen = Measure::all(subject).get(self.list.selected).copied().unwrap_or(Measure::Shallow);
        let title = chosen.title(subject);
        if view.past.is_empty() {
            panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
            return explain("No generation is complete yet", area, buf, look);
        }
        let (from, to) = self.lens.range(view.newest().unwrap_or(0), view.settings.generations);
        let points = |measure: Measure| -> Vec<(f64, f64)> {
            view.past.iter().filter_map(|past| Some((past.generation as f64, measure.error(past)?))).collect()
        };
        let is_stage = matches!(chosen, Measure::Stage(_));
        let label = if is_stage { chosen.name(subject) } else { String::new() };
        let mut series = vec![Series::new(label, Role::Curve1, Pattern::Solid, points(chosen))];
        if is_stage {
            series.push(Series::new("all", Role::Curve2, Pattern::Dashed, points(Measure::All)));
        }
        let cursor = self.lens.cursor.map(|at| at as f64);
        let chart = Chart { x: (from as f64, to as f64), unit: "generation", series, cursor, ..Chart::default() };
        let read = |at: usize| Some(format!("generation {at}: {}", text(view.past.get(at)?, chosen)));
        chart.through(&mut self.lens, (title, read), focused, area, buf, look);
    }

    /// Draws the list: the newest errors with their histories, and the numbers of games and positions.
    fn list(&mut self, view: &View, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
        let subject = view.settings.subject;
        let measures = Measure::all(subject);
        let same = subject.unit == subject.shallow_unit;
        let title = if same { format!("Errors, {}", subject.unit) } else { "Errors".to_owned() };
        let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
        let Some(last) = view.past.last() else {
            let text = format!(
                "After a generation: the error of the weights on held-out games, by {}, and that of shallow searches",
                subject.staged_by
            );
            return explain(&text, area, buf, look);
        };
        let room = inner.width.saturating_sub((NAME + VALUE + 3) as u16);
        put(
            look.span(
                Role::Dim,
                format!(
                    " {:<NAME$}{:>VALUE$} course",
                    subject.staged_by.split(' ').next_back().unwrap_or_default(),
                    "error"
                ),
            ),
            row(inner, 0),
            buf,
        );
        let below = Rect { y: inner.y + 1.min(inner.height), height: inner.height.saturating_sub(1), ..inner };
        let shown = self.list.window(measures.len(), usize::from(below.height));
        scrollbar(below, &shown, measures.len(), buf, look);
        for (line, index) in shown.enumerate() {
            let place = row(below, line as u16);
            let is_chosen = index == self.list.selected;
            if is_chosen && focused {
                look.cursor_place.set(place);
            }
            let role = if is_chosen && focused { Role::Selection } else { Role::Text };
            let mark = if is_chosen { look.glyphs.pointer } else { " " };
            let values: Vec<f64> = view.past.iter().filter_map(|past| measures[index].error(past)).collect();
            let line = Line::from(vec![
                look.span(
                    if role == Role::Text { Role::Dim } else { role },
                    format!("{mark}{:<NAME$}", measures[index].name(subject)),
                ),
                look.span(role, format!("{:>VALUE$}", text(last, measures[index]))),
                look.span(Role::Curve1, format!(" {}", sparkline(&values, room, look))),
            ]);
            put(line, place, buf);
            self.rows.push((place, index));
        }
        let count = |what: &str, count: u64| format!(" {what:<NAME$}{:>VALUE$}", short_count(count));
        let counts = [count("games", last.games), count("positions", last.positions)];
        for (text, at) in counts.into_iter().zip(measures.len() as u16 + 1..) {
            if at < below.height {
                put(look.span(Role::Dim, text), row(below, at), buf);
            }
        }
    }
}

/// Returns an error; a dash if no position measures it.
fn text(past: &PatternsRow, measure: Measure) -> String {
    measure
        .error(past)
        .map_or("-".to_owned(), |value| if value < 1.0 { format!("{value:.3}") } else { format!("{value:.2}") })
}

/// Draws a text in an empty panel.
fn explain(text: &str, area: Rect, buf: &mut Buffer, look: &Look) {
    let inner = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    };
    for (index, text) in wrap(text, inner.width.saturating_sub(2)).into_iter().enumerate() {
        put(look.span(Role::Dim, format!(" {text}")), row(inner, index as u16), buf);
    }
}

/// Draws the errors of the newest generation by stage, and those of the first one.
fn stages(view: &View, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
    let subject = view.settings.subject;
    let title = Line::from(look.span(Role::Title, format!("Error, {}", subject.unit)));
    let (Some(first), Some(last)) = (view.past.first(), view.past.last()) else {
        panel(area, title, focused, buf, look);
        return explain("No generation is complete yet", area, buf, look);
    };
    let points = |past: &PatternsRow| -> Vec<(f64, f64)> {
        let stages = subject.stages.iter().enumerate();
        stages.filter_map(|(stage, (.., at))| Some((f64::from(*at), Measure::Stage(stage).error(past)?))).collect()
    };
    let newest = format!("generation {}", last.generation);
    let mut series = vec![Series::new(newest, Role::Curve1, Pattern::Solid, points(last))];
    if last.generation > first.generation {
        series.push(Series::new("generation 0", Role::Curve2, Pattern::Dashed, points(first)));
    }
    let most = subject.stages.iter().map(|(.., at)| f64::from(*at)).fold(0.0, f64::max);
    let chart = Chart { x: (0.0, most), unit: subject.staged_by, series, ..Chart::default() };
    chart.framed(title, Line::default(), focused, area, buf, look);
}
