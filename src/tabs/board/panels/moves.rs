//! The list of moves: the main line by turns, and below each move the variations tried instead.
//!
//! A turn is everything a side does before the other side moves, including extra moves. Wide lists have one turn per
//! row if all turns fit; others have two, South's and North's, so that thirty turns fit at 80×24. Variations and
//! comments are running text below the row of their move, indented by depth. The time of a turn has a column before the value where
//! there is room, and otherwise the value's on request.

mod window;

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Panels;
use super::figures::{is_measured, value_text};
use super::layout::{Layout, is_large};
use crate::game::notation::Marks;
use crate::game::record::{NodeId, Step};
use crate::game::{Move, Side};
use crate::player::review::Mark;
use crate::tabs::board::session::Session;
use crate::tabs::board::session::clock::clock_text;
use crate::theme::Role;
use crate::ui::digits::{self, Pixel};
use crate::ui::list::scrollbar;
use crate::ui::{Look, clock, fit, joined, put, row, width};
use window::Window;

/// Width of a value with its leading blank.
const VALUE: u16 = 5;

/// Width of a time with blanks around it, and of one of two turns from which there is room for it.
const TIME: u16 = 7;
const TIMED_CELL: u16 = 20;

/// Widths from which each turn has its own row, and from which each of two turns has its value.
const ONE_A_ROW: u16 = 38;
const VALUE_EACH: u16 = 28;

/// The time of a turn in five characters: `3.2`, `42.0`, `1:40`, `1 h`.
fn time_text(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 59.95 => format!("{seconds:.1}"),
        seconds if seconds < 3599.5 => clock(Duration::from_secs(seconds.round() as u64)),
        seconds => format!("{:.0} h", (seconds / 3600.0).min(999.0)),
    }
}

/// A row of the list.
struct Row {
    line: Line<'static>,
    /// Start and end columns of each move, and the position after it.
    places: Vec<(u16, u16, NodeId)>,
    is_current: bool,
}

/// A move with its mark and comment.
struct Word {
    text: String,
    role: Role,
    node: NodeId,
    is_current: bool,
}

/// A turn of the main line.
struct Turn<'a> {
    number: u32,
    mover: Side,
    steps: &'a [Step],
}

impl Row {
    fn new() -> Row {
        Row { line: Line::default(), places: Vec::new(), is_current: false }
    }

    fn cells(&self) -> u16 {
        self.line.width() as u16
    }

    /// Fills the row up to a column.
    fn pad(&mut self, column: u16) {
        let gap = column.saturating_sub(self.cells());
        self.line.spans.push(Span::raw(" ".repeat(usize::from(gap))));
    }

    fn word(&mut self, word: &Word, look: &Look) {
        let from = self.cells();
        self.line.spans.push(look.span(word.role, word.text.clone()));
        self.places.push((from, from + width(&word.text), word.node));
        self.is_current |= word.is_current;
    }

    /// Text that ends at a column.
    fn right(&mut self, text: String, end: u16, role: Role, look: &Look) {
        self.pad(end.saturating_sub(width(&text)));
        self.line.spans.push(look.span(role, text));
    }
}

impl Panels {
    /// Draws the list; returns the places of its moves. `is_saved`: the game has not changed since it was saved; `pace`: the speed of moves
    /// that follow by themselves.
    pub fn draw_moves(
        &self,
        session: &Session,
        (is_saved, pace): (bool, Option<String>),
        places: &Layout,
        buf: &mut Buffer,
        look: &Look,
    ) -> Vec<(Rect, NodeId)> {
        // A record without moves is not saved.
        let title = if is_saved || session.record.line().is_empty() {
            "Moves".to_owned()
        } else {
            format!("Moves {} not saved", look.glyphs.dot)
        };
        let mut title = Line::from(look.span(Role::Title, title));
        if let Some(opening) = session.opening() {
            title.spans.push(look.span(Role::Dim, format!(" {} {opening}", look.glyphs.dot)));
        }
        if let Some(pace) = pace {
            title.spans.push(look.span(Role::Accent, format!(" {} {pace}", look.glyphs.pointer)));
        }
        let area = places.moves;
        let room = area.width.saturating_sub(4);
        let legend = self.legend(session, places.foot_room(area), look);
        let inner = joined(area, fit(title, room, look), legend, buf, look);
        let inner = if self.large_clocks { draw_clocks(session, inner, buf, look) } else { inner };
        let unfolded =
            session.record.first_branch(session.record.at()).and_then(|branch| session.record.parent(branch));
        let is_timed = session.record.main_line().iter().any(|step| session.time_of_turn(&[*step]).is_some());
        // Narrow pairs have one value for both.
        let is_apart = self.times && is_timed && inner.width < VALUE_EACH;
        let is_single = is_apart || inner.width >= ONE_A_ROW;
        let last = session.record.line().last().map_or(0, |step| step.turn);
        let number_room = width(&last.to_string()).max(2) + 1;
        let mut list =
            List { session, panels: self, look, room: inner.width, is_single, unfolded, is_timed, number_room };
        let height = usize::from(inner.height);
        let mut window = list.window(height);
        if list.is_single && !is_apart && window.rows.len() >= height {
            list.is_single = false;
            window = list.window(height);
        }
        let Window { rows, current, above, below } = window;
        if rows.is_empty() {
            put(fit(Line::from(look.span(Role::Dim, "No moves yet")), inner.width, look), inner, buf);
            return Vec::new();
        }
        put(list.heads(), inner, buf);
        let inner = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
        let height = usize::from(inner.height);
        // The current move stays visible, in the middle if possible.
        let top = current.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
        let seen = above + top..above + rows.len().min(top + height);
        scrollbar(inner, &seen, above + rows.len() + below, buf, look);
        let mut places = Vec::new();
        for (index, shown) in rows.into_iter().skip(top).take(height).enumerate() {
            let line = row(inner, index as u16);
            put(shown.line, line, buf);
            places.extend(shown.places.into_iter().map(|(from, to, node)| {
                (
                    Rect { x: line.x + from.min(line.width), width: to.min(line.width).saturating_sub(from), ..line },
                    node,
                )
            }));
        }
        places
    }

    /// The legend of the marks in the list, as many as fit.
    fn legend(&self, session: &Session, room: u16, look: &Look) -> Line<'static> {
        let mut words = Vec::new();
        if room >= VALUE_EACH && !session.record.is_empty() {
            words.push(format!("+: {}", session.seat_name(session.point_of_view())));
        }
        if let Some([mistake, blunder]) = self.review.thresholds().filter(|_| self.review.has_results(session)) {
            words.push(format!("? {}{mistake} %  ?? {}{blunder} %", look.glyphs.minus, look.glyphs.minus));
        }
        if self.folded && session.record.has_variations() {
            words.push("* variations".to_owned());
        }
        if session.record.has_comments() {
            words.push("\" comment".to_owned());
        }
        let mut text = String::new();
        for word in words {
            let gap = if text.is_empty() { "" } else { "  " };
            if width(&text) + width(gap) + width(&word) <= room {
                text = format!("{text}{gap}{word}");
            }
        }
        Line::from(look.span(Role::Dim, text))
    }

    /// The value of a position after a review; before, the lead. Of the side [shown](Session::point_of_view).
    fn value_or_lead(&self, session: &Session, node: NodeId, look: &Look) -> String {
        if !self.review.has_results(session) {
            let position = session.record.position_at(node);
            let margin = position.margin(session.point_of_view());
            return match is_measured(margin, position) {
                true => value_text(f64::from(margin) / f64::from(position.unit()), look),
                false => if margin > 0 { "wins" } else { "loses" }.to_owned(),
            };
        }
        self.review.verdict(session, node).map_or(String::new(), |verdict| match verdict.is_decided {
            true if verdict.value > 0.0 => "wins".to_owned(),
            true if verdict.value < 0.0 => "loses".to_owned(),
            _ => value_text(verdict.value, look),
        })
    }
}

/// The list under construction.
struct List<'a> {
    session: &'a Session,
    panels: &'a Panels,
    look: &'a Look,
    room: u16,
    /// One turn per row.
    is_single: bool,
    /// The position whose folded variations are shown, as the current move is in one of them.
    unfolded: Option<NodeId>,
    /// The time of a move is known.
    is_timed: bool,
    /// Columns of a turn's number and the blank behind it.
    number_room: u16,
}

impl List<'_> {
    /// The head of the values.
    fn value_head(&self) -> String {
        let word = match self.panels.review.has_results(self.session) {
            _ if self.has_times_for_values() => "time",
            false => "lead",
            true if self.room < VALUE_EACH => "val",
            true => "value",
        };
        word.to_owned()
    }

    /// Width of the column of times; 0 without one.
    fn time_room(&self) -> u16 {
        let has_room = self.is_single && self.room >= ONE_A_ROW || self.cells().0 >= TIMED_CELL;
        if self.is_timed && has_room { TIME } else { 0 }
    }

    /// Whether the column of values has times.
    fn has_times_for_values(&self) -> bool {
        self.is_timed && self.panels.times && self.time_room() == 0
    }

    /// Adds the time and the value of a turn, which end at a column.
    fn right(&self, row: &mut Row, steps: &[Step], end: u16) {
        let time = || self.session.time_of_turn(steps).map_or(String::new(), time_text);
        if self.time_room() > 0 {
            row.right(time(), end.saturating_sub(VALUE + 1), Role::Dim, self.look);
        }
        let Some(last) = steps.last() else { return };
        let value = if self.has_times_for_values() {
            time()
        } else {
            self.panels.value_or_lead(self.session, last.node, self.look)
        };
        row.right(value, end, Role::Dim, self.look);
    }

    /// Adds the heads of the times and values, which end at a column.
    fn right_heads(&self, row: &mut Row, end: u16) {
        if self.time_room() > 0 {
            row.right("time".to_owned(), end.saturating_sub(VALUE + 1), Role::Dim, self.look);
        }
        row.right(self.value_head(), end, Role::Dim, self.look);
    }

    /// The heads of the columns.
    fn heads(&self) -> Line<'static> {
        let look = self.look;
        let names = self.session.record.variant.seats();
        let mut heads = Row::new();
        heads.pad(self.number_room);
        if self.is_single {
            heads.line.spans.push(look.span(Role::Dim, "moves"));
            self.right_heads(&mut heads, self.room);
            return heads.line;
        }
        let (cell, each) = self.cells();
        for (column, side) in Side::BOTH.into_iter().enumerate() {
            let role = self.session.side_role(side);
            let start = self.column(column);
            heads.pad(start);
            // No underline or reverse: a head is not a move.
            let style = Style { fg: look.style(role).fg, ..look.style(Role::Dim) };
            heads.line.spans.push(Span::styled(names[side.index()], style));
            if each {
                self.right_heads(&mut heads, start + cell - 1);
            }
        }
        if !each {
            self.right_heads(&mut heads, self.room);
        }
        heads.line
    }

    /// Width of one of two turns in a row, and whether each has its value.
    fn cells(&self) -> (u16, bool) {
        let each = self.room >= VALUE_EACH;
        let values = if each { 0 } else { VALUE };
        (self.room.saturating_sub(self.number_room + values) / 2, each)
    }

    /// The columns of the first and second turn of a row.
    fn column(&self, index: usize) -> u16 {
        let (cell, each) = self.cells();
        let odd = if each { 0 } else { self.room.saturating_sub(self.number_room + VALUE) % 2 };
        self.number_room + if index == 0 { 0 } else { cell + odd }
    }

    /// Adds a turn's moves.
    fn single(&self, turn: &Turn, is_numbered: bool) -> Vec<Row> {
        let ends = self.room.saturating_sub(VALUE + self.time_room());
        let mut rows: Vec<Row> = Vec::new();
        for word in self.words(turn.steps) {
            if rows.last().is_none_or(|row| row.cells() + width(&word.text) > ends) {
                let mut row = Row::new();
                if rows.is_empty() && is_numbered {
                    self.number(&mut row, turn.number);
                }
                row.pad(self.number_room + 1);
                rows.push(row);
            }
            let Some(row) = rows.last_mut() else { continue };
            row.word(&word, self.look);
            row.line.spans.push(Span::raw(" "));
        }
        if let Some(row) = rows.last_mut() {
            self.right(row, turn.steps, self.room);
        }
        rows
    }

    /// Adds South's and North's turn side by side.
    fn pair(&self, pair: &[Turn]) -> Vec<Row> {
        let (cell, each) = self.cells();
        let mut rows: Vec<Row> = Vec::new();
        for turn in pair {
            let column = self.column(turn.mover.index());
            let end = (column + cell).saturating_sub(if each { VALUE + self.time_room() } else { 0 });
            let mut at = 0;
            let mut start = true;
            for word in self.words(turn.steps) {
                if !start && rows[at].cells() + width(&word.text) > end {
                    (at, start) = (at + 1, true);
                }
                if rows.len() == at {
                    rows.push(Row::new());
                }
                let row = &mut rows[at];
                if start {
                    if at == 0 && row.cells() == 0 {
                        self.number(row, turn.number);
                    }
                    row.pad(column);
                }
                row.word(&word, self.look);
                row.line.spans.push(Span::raw(" "));
                start = false;
            }
            if each {
                self.right(&mut rows[at], turn.steps, column + cell - 1);
            }
        }
        if let (Some(row), Some(turn), false) = (rows.last_mut(), pair.last(), each) {
            self.right(row, turn.steps, self.room);
        }
        rows
    }

    fn number(&self, row: &mut Row, number: u32) {
        row.line.spans.push(self.look.span(Role::Dim, format!("{number:>0$} ", usize::from(self.number_room) - 1)));
    }

    fn words(&self, steps: &[Step]) -> Vec<Word> {
        let word = |step: &Step| self.word(step.node, step.mv, step.mover, self.is_folded(step.node));
        steps.iter().map(word).collect()
    }

    /// `folded`: a mark shows that there are variations.
    fn word(&self, node: NodeId, mv: Move, mover: Side, folded: bool) -> Word {
        let record = &self.session.record;
        let mut text = record.position_at(record.parent(node).unwrap_or(0)).move_text(mv);
        let mark = self.panels.review.verdict(self.session, node).and_then(|verdict| verdict.mark);
        text += mark.map_or("", Mark::text);
        let marks = Marks::parse(record.comment(node));
        text += &marks.strengths;
        if folded {
            text.push('*');
        }
        if !marks.text.is_empty() {
            text.push('"');
        }
        let is_current = node == record.at();
        let role = match mover {
            _ if is_current => Role::Selection,
            side => self.session.side_role(side),
        };
        Word { text, role, node, is_current }
    }
}

/// Rows of a clock with a blank one, and those of the list of moves that must be left.
const CLOCK: u16 = 4;
const LIST: u16 = 8;

/// Whether the clocks are drawn large beside a page of this area, in a panel of moves of this one.
pub fn has_large_clocks(session: &Session, page: Rect, moves: Rect) -> bool {
    let is_drawable = |side| session.time_left(side).is_some_and(|left| digits::can_draw(&clock_text(left)));
    let has_room = is_large(page) && moves.height >= 2 * CLOCK + LIST + 2;
    has_room && Side::BOTH.into_iter().all(is_drawable)
}

/// Draws the clocks at both ends of an area, and returns the rest of it.
fn draw_clocks(session: &Session, area: Rect, buf: &mut Buffer, look: &Look) -> Rect {
    let bottom = session.bottom();
    draw_clock(session, bottom.other(), Rect { height: CLOCK - 1, ..area }, buf, look);
    draw_clock(session, bottom, Rect { y: area.bottom() - (CLOCK - 1), height: CLOCK - 1, ..area }, buf, look);
    Rect { y: area.y + CLOCK, height: area.height - 2 * CLOCK, ..area }
}

fn draw_clock(session: &Session, side: Side, area: Rect, buf: &mut Buffer, look: &Look) {
    let Some(text) = session.clock_text(side) else { return };
    let role = session.clock_role(side);
    let pixel = if look.glyphs.has_blocks() { Pixel::Half } else { Pixel::Segment };
    let wide = digits::size(&text, pixel).0.min(area.width);
    let digits = Rect { x: area.x + 1, width: wide, ..area };
    // No underline or reverse through large digits.
    let style = look.style(role);
    digits::draw(&text, pixel, digits, buf, Style { fg: style.fg, bg: style.bg, ..Style::new() });
    let pointer = if session.is_to_move(side) { look.glyphs.pointer } else { "" };
    let name = format!("{pointer} {}", session.seat_title(side, look));
    let place = Rect { x: area.right().saturating_sub(width(&name) + 1), ..row(area, 1) };
    if place.x > digits.right() {
        put(look.span(Role::Dim, name), place, buf);
    }
}
