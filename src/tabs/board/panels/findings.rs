//! Search results: the panel of all moves, and the line below the board while a player thinks.
//!
//! Column heads are in the panel's upper frame and the search's figures in the lower one, so that every row is a move
//! at 80×24. Bars grow from the middle, to the right for good moves and to the left for bad ones. While an MCTS player
//! thinks, the panel shows its search.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::analysis::Analysis;
use super::figures::{
    continued_text, is_measured, line_text, marked_variation, points, speed_text, speed_within, worth_text,
};
use super::layout::Layout;
use crate::game::{Move, Position};
use crate::job::State;
use crate::player::SearchInfo;
use crate::player::analysis::Engine;
use crate::search::{self, MoveStatistics, Report};
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::{Look, clip, fit, joined, put, row, short_count, width};

/// A column of figures.
struct Column {
    head: &'static str,
    /// At least three more than the head, so that the frame is visible on both sides.
    cells: u16,
    role: Role,
    text: fn(&search::Line, &Look, &Position) -> String,
}

const MARGIN: Column =
    Column { head: "value", cells: 9, role: Role::Text, text: |line, look, position| line_text(line, position, look) };

const ALPHA_BETA: [Column; 2] = [
    MARGIN,
    Column {
        head: "depth",
        cells: 8,
        role: Role::Dim,
        text: |line, _, _| if line.solved { "end".to_owned() } else { line.depth.to_string() },
    },
];

/// The margin is last: narrow panels leave it out.
const MONTE_CARLO: [Column; 4] = [
    Column {
        head: "visits",
        cells: 9,
        role: Role::Text,
        text: |line, look, _| tried(line, look, |t| short_count(t.visits)),
    },
    Column { head: "mean", cells: 7, role: Role::Text, text: |line, look, _| tried(line, look, |t| points(t.mean)) },
    Column {
        head: "explore",
        cells: 10,
        role: Role::Dim,
        text: |line, look, _| tried(line, look, |t| points(t.exploration)),
    },
    MARGIN,
];

/// Panels narrower than this use the last column's width for variations.
const WIDE: u16 = 70;

/// Gap between the figures and the variation.
const GAP: u16 = 3;

/// Widths of bars on one side of the middle.
const BAR: (u16, u16) = (5, 16);

/// Panels narrower than this have short bars and as many columns as fit.
const NARROW: u16 = 40;
const NARROW_BAR: u16 = 3;

/// The margin of a full bar, unless some move's is larger: small values must look small.
const FULL: f64 = 4.0;

/// The columns that fit a panel of `room` cells, of which names and bars take `lead`.
fn columns(engine: Engine, cells: u16, lead: u16) -> &'static [Column] {
    let columns: &'static [Column] = match engine {
        Engine::AlphaBeta => &ALPHA_BETA,
        Engine::MonteCarlo if cells >= WIDE => &MONTE_CARLO,
        Engine::MonteCarlo => &MONTE_CARLO[..3],
    };
    let mut end = lead;
    let fitting = columns.iter().take_while(|column| {
        end += column.cells;
        end <= cells || cells >= NARROW
    });
    &columns[..fitting.count()]
}

fn tried(line: &search::Line, look: &Look, text: impl Fn(MoveStatistics) -> String) -> String {
    // Nothing is known of a move that was never tried.
    line.tried.filter(|tried| tried.visits > 0).map_or(look.glyphs.minus.to_owned(), text)
}

/// The subject of the panel.
pub struct Findings<'a> {
    /// `Analysis for South`, `North thinks: mcts 4000`.
    pub whose: String,
    pub engine: Engine,
    pub report: Option<&'a Report>,
    pub busy: Duration,
    pub done: bool,
    /// The analysis, whose lines may be continued; those of a player are its own.
    pub analysis: Option<&'a Analysis>,
}

impl<'a> Findings<'a> {
    pub fn new(analysis: &'a Analysis, session: &Session) -> Findings<'a> {
        let view = analysis.view.as_ref();
        Findings {
            whose: format!("Analysis for {}", session.seat_name(session.position().side())),
            engine: analysis.engine,
            report: view.map(|view| &view.report),
            busy: view.map_or(Duration::ZERO, |view| view.busy),
            done: analysis.state == Some(State::Done),
            analysis: Some(analysis),
        }
    }

    /// Draws the panel; returns the places of its rows with their moves.
    pub fn draw(
        &self,
        session: &Session,
        picked: Option<Move>,
        places: &Layout,
        buf: &mut Buffer,
        look: &Look,
    ) -> Vec<(Rect, Move)> {
        let area = places.analysis;
        let title = look.span(Role::Title, self.engine.title());
        let (heads, inner) = if places.compact {
            // The figures are in the extra row, if there is one.
            let above = u16::from(area.height > 3);
            if above > 0 {
                put(fit(self.figures(area.width, look), area.width, look), area, buf);
            }
            let heads = row(area, above);
            put(title, heads, buf);
            let used = above + heads.height;
            (heads, Rect { y: area.y + used, height: area.height.saturating_sub(used), ..area })
        } else {
            let room = places.foot_room(area);
            let below = fit(self.figures(room, look), room, look);
            let inner = joined(area, Line::from(title), below, buf, look);
            // The frame's line may have a title of the panel above.
            (row(inner, 0), Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner })
        };
        let position = session.position();
        let Some(report) = self.report.filter(|_| !session.is_over()) else {
            let text = match session.is_over() {
                true => "The game is over: nothing to analyse".to_owned(),
                false => format!("searching{}", look.glyphs.ellipsis),
            };
            put(look.span(Role::Dim, clip(&text, inner.width, look)), inner, buf);
            return Vec::new();
        };
        let table = Table::new(position, self.engine, report, inner.width);
        table.draw_heads(heads, places.compact, buf, look);
        let mut rows = Vec::new();
        for (index, line) in report.lines.iter().enumerate() {
            let place = row(inner, index as u16);
            let found = self.analysis.map_or(usize::MAX, |analysis| analysis.found(line));
            put(table.row(index, line, found, look), place, buf);
            if picked == Some(line.mv) {
                look.select(Rect { width: table.name as u16 + 2, ..place }.intersection(place), buf);
            }
            rows.push((place, line.mv));
        }
        rows
    }

    /// The source of the results, progress and speed.
    fn figures(&self, room: u16, look: &Look) -> Line<'static> {
        let whose = |text: &str| Line::from(look.span(Role::Title, text.to_owned()));
        let Some(report) = self.report else { return whose(&self.whose) };
        let dot = look.glyphs.dot;
        let (far, count) = match self.engine {
            Engine::AlphaBeta => {
                let depth = if report.solved { "to the end".to_owned() } else { format!("depth {}", report.depth) };
                (format!("{depth} {dot} {} nodes", short_count(report.nodes)), report.nodes)
            }
            Engine::MonteCarlo => {
                let (count, what) = report.effort();
                (format!("{} {what}", short_count(count)), count)
            }
        };
        let done = if self.done { format!(" {dot} done") } else { String::new() };
        // The depth is more important than the words before it.
        let fits = width(&self.whose) + 2 + width(&far) <= room;
        let short = self.whose.strip_prefix("Analysis for ").filter(|_| !fits);
        let short = short.unwrap_or(&self.whose);
        let mut line = whose(short);
        // Of depth and nodes the depth.
        let fits = width(short) + 2 + width(&far) <= room;
        let far = if fits { far.as_str() } else { far.split(&format!(" {dot} ")).next().unwrap_or_default() };
        line.spans.push(look.span(Role::Dim, format!("  {far}")));
        if line.width() + usize::from(width(&done)) <= usize::from(room) {
            line.spans.push(look.span(Role::Dim, done));
        }
        let left = room.saturating_sub(line.width() as u16);
        line.spans.push(look.span(Role::Dim, speed_within(left, count, self.busy, look)));
        line
    }
}

/// A thinking player's results so far: depth, expectation, speed and variation. `None` if there are none.
pub fn thought_line(session: &Session, thought: &SearchInfo, room: u16, look: &Look) -> Option<Line<'static>> {
    let report = thought.report.as_ref()?;
    let best = report.lines.first()?;
    let dot = look.glyphs.dot;
    let speed = |count| speed_text(count, thought.busy);
    let text = match best.tried {
        Some(tried) => {
            let ((count, what), mean) = (report.effort(), points(tried.mean));
            format!("{} {what} {dot} {} {dot} mean {mean}  ", short_count(count), speed(count))
        }
        None => {
            let nodes = short_count(report.nodes);
            let worth = worth_text(best, session.position(), look);
            format!("depth {} {dot} {nodes} nodes {dot} {} {dot} {worth}  ", report.depth, speed(report.nodes))
        }
    };
    let left = room.saturating_sub(width(&text));
    let line = marked_variation(session.position(), &best.pv, left, look);
    Some(Line::from(vec![look.span(Role::Dim, text), look.span(Role::Text, line)]))
}

/// The rows of the panel: move, bar, figures and variation.
struct Table<'a> {
    position: &'a Position,
    engine: Engine,
    columns: &'static [Column],
    /// Widths of the longest move and the longest bar on one side.
    name: usize,
    bar: u16,
    /// The value of the longest bar.
    most: f64,
    cells: u16,
}

impl<'a> Table<'a> {
    fn new(position: &'a Position, engine: Engine, report: &Report, cells: u16) -> Table<'a> {
        let lines = &report.lines;
        let name = lines.iter().map(|line| usize::from(width(&position.move_text(line.mv)))).max().unwrap_or(1);
        let least = if engine == Engine::AlphaBeta { FULL } else { 0.5 };
        let measured = lines.iter().filter(|line| engine != Engine::AlphaBeta || is_measured(line.margin, position));
        let most = measured.map(|line| bar_value(engine, line, position).abs()).fold(least, f64::max);
        // MCTS has more figures than alpha-beta.
        let share = if engine == Engine::AlphaBeta { 6 } else { 9 };
        let bar = if cells < NARROW { NARROW_BAR } else { (cells / share).clamp(BAR.0, BAR.1) };
        let columns = columns(engine, cells, name as u16 + 2 * bar + 3);
        Table { position, engine, columns, name, bar, most, cells }
    }

    /// The column of the first figure.
    fn lead(&self) -> u16 {
        self.name as u16 + 2 * self.bar + 3
    }

    /// Draws the heads above their figures.
    fn draw_heads(&self, place: Rect, is_beside_title: bool, buf: &mut Buffer, look: &Look) {
        let mut end = self.lead();
        let signs = format!("{} {} +", look.glyphs.minus, look.glyphs.line.vertical);
        // Where the heads do not fit beside the title, the variation's head is left out.
        if !is_beside_title || self.name as u16 + self.bar >= width(self.engine.title()) + 3 {
            self.draw_head(&signs, self.name as u16 + self.bar, place, buf, look);
        }
        for column in self.columns {
            end += column.cells;
            self.draw_head(column.head, end - width(column.head), place, buf, look);
        }
        let head = "best play";
        if end + GAP + width(head) < self.cells {
            self.draw_head(head, end + GAP, place, buf, look);
        }
    }

    fn draw_head(&self, head: &str, at: u16, place: Rect, buf: &mut Buffer, look: &Look) {
        let text = format!(" {head} ");
        let from = at.saturating_sub(1).min(place.width);
        let place = Rect { x: place.x + from, width: width(&text).min(place.width - from), ..place };
        // A dim frame must not dim it.
        buf.set_style(place, Style::reset());
        put(look.span(Role::Text, text), place, buf);
    }

    fn row(&self, index: usize, line: &search::Line, found: usize, look: &Look) -> Line<'static> {
        let role = if index == 0 { Role::Accent } else { Role::Text };
        let name = self.position.move_text(line.mv);
        let value = (bar_value(self.engine, line, self.position) / self.most).clamp(-1.0, 1.0);
        // A value that is not shown as 0 is visible.
        let is_zero = bar_value(self.engine, line, self.position).abs() < 0.05;
        let share = if is_zero && self.engine == Engine::AlphaBeta || value == 0.0 {
            0.0
        } else {
            value.abs().max(1.0 / f64::from(self.bar))
        };
        let bar = look.low_bar(share, self.bar);
        let none = " ".repeat(usize::from(self.bar));
        // A bar to the left also touches the middle.
        let turned: String = bar.chars().rev().collect();
        let (left, right) = if value < 0.0 { (turned, none) } else { (none, bar) };
        let mut spans = vec![
            look.span(role, format!(" {name:<0$} ", self.name)),
            look.span(Role::Bar, left),
            look.span(Role::Border, look.glyphs.line.vertical),
            look.span(Role::Bar, right),
        ];
        spans.extend(self.columns.iter().map(|column| {
            let text = (column.text)(line, look, self.position);
            look.span(column.role, format!("{text:>0$}", usize::from(column.cells)))
        }));
        spans.push(Span::raw(" ".repeat(usize::from(GAP))));
        let used: usize = spans.iter().map(Span::width).sum();
        let room = self.cells.saturating_sub(used as u16);
        spans.push(look.span(Role::Dim, continued_text(self.position, &line.pv, found, room, look)));
        Line::from(spans)
    }
}

/// The value of a move's bar: its gain or loss, or its share of points relative to one half.
fn bar_value(engine: Engine, line: &search::Line, position: &Position) -> f64 {
    match engine {
        Engine::AlphaBeta => line.value(position.unit()),
        Engine::MonteCarlo => {
            let tried = line.tried.filter(|tried| tried.visits > 0);
            tried.map_or(0.0, |tried| f64::from(tried.mean) / f64::from(MoveStatistics::UNIT) - 0.5)
        }
    }
}
