//! The chart of the chance of winning over the game: a bar per position, up where it is above one half and down where it is below,
//! with the marks of mistakes on the line between. The current position is marked below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::layout::Layout;
use super::review::{Review, Verdict};
use crate::game::Side;
use crate::game::record::NodeId;
use crate::player::review::Mark;
use crate::tabs::board::session::Session;
use crate::theme::{Dots, Role};
use crate::ui::{Look, fit, joined, put, width};

/// Minimum inner size.
const SMALLEST: (u16, u16) = (16, 4);

/// Minimum width of panels that name the sides at the ends of the scale.
const NAMED: u16 = 44;

/// A position of the line and its columns.
struct Bar {
    node: NodeId,
    turn: Option<u32>,
    verdict: Option<Verdict>,
    from: u16,
    to: u16,
    /// The last column is left free.
    has_gap: bool,
}

impl Review {
    /// Draws the panel with the chart into `area`; nothing before a review.
    pub fn draw_curve(&mut self, session: &Session, places: &Layout, buf: &mut Buffer, look: &Look) {
        self.columns.clear();
        let area = places.curve;
        if area.is_empty() || !self.has_results(session) {
            return;
        }
        let title = Line::from(look.span(
            Role::Title,
            format!("Chance of winning {} {}", look.glyphs.dot, session.seat_name(session.point_of_view())),
        ));
        let below = fit(self.curve_foot(session, look), places.foot_room(area), look);
        let inner = joined(area, title, below, buf, look);
        if inner.width < SMALLEST.0 || inner.height < SMALLEST.1 {
            return;
        }
        let labels = labels(session, inner.width);
        let gutter = labels.iter().map(|(label, _)| width(label)).max().unwrap_or(0) + 1;
        // The line in the middle has as many rows above it as below.
        let rows = (inner.height - 2) / 2;
        let plot = Rect { x: inner.x + gutter, width: inner.width - gutter, height: 2 * rows + 1, ..inner };
        let zero = plot.y + rows;
        draw_axis(plot, zero, gutter, labels, buf, look);
        let bars = self.bars(session, plot.width);
        for bar in &bars {
            draw_bar(session, bar, plot, rows, buf, look);
            let place = Rect { x: plot.x + bar.from, width: bar.to - bar.from, height: plot.height + 1, ..plot };
            self.columns.push((place, bar.node));
        }
        draw_marks(&bars, plot, zero, buf, look);
        let below = Rect { y: plot.bottom(), height: 1, ..plot };
        draw_places(session, &bars, below, buf, look);
    }

    /// The progress of the review, or its results.
    fn curve_foot(&self, session: &Session, look: &Look) -> Line<'static> {
        if let Some(progress) = self.progress(session, look) {
            return Line::from(vec![
                look.span(Role::Accent, format!("{} ", look.glyphs.pointer)),
                look.span(Role::Dim, progress),
            ]);
        }
        let count = |mark| self.mistakes(session).iter().filter(|(_, found)| *found == mark).count();
        let dot = look.glyphs.dot;
        let few = count(Mark::Mistake);
        let many = count(Mark::Blunder);
        let rest = match self.reviewed(session) {
            (done, count) if done < count => format!(" {dot} {done} of {count} positions"),
            _ => String::new(),
        };
        let accuracy = |side: Side| {
            self.accuracy(session, side).map(|accuracy| format!("{} {accuracy:.0} %", session.seat_name(side)))
        };
        let accuracies: Vec<String> = Side::BOTH.into_iter().filter_map(accuracy).collect();
        let accuracies =
            if accuracies.is_empty() { String::new() } else { format!(" {dot} accuracy {}", accuracies.join(", ")) };
        Line::from(look.span(Role::Dim, format!("? {few} {dot} ?? {many}{rest}{accuracies}")))
    }

    /// Distributes the positions of the line over `cells` columns, from the left.
    fn bars(&self, session: &Session, cells: u16) -> Vec<Bar> {
        let mut nodes = vec![(0, None)];
        nodes.extend(session.record.line().into_iter().map(|step| (step.node, step.opens_turn.then_some(step.turn))));
        let count = nodes.len();
        let cells = usize::from(cells);
        // Bars of equal width with gaps if they fit; otherwise they fill the panel, and share columns if necessary.
        let wide = (cells / count).min(4);
        let at = |index: usize| if wide > 1 { index * wide } else { index * cells / count } as u16;
        let bar = |(index, (node, turn))| {
            let from = at(index);
            let to = at(index + 1).max(at(index) + 1);
            Bar { node, turn, verdict: self.verdict(session, node), from, to, has_gap: wide > 1 }
        };
        nodes.into_iter().enumerate().map(bar).collect()
    }
}

/// The labels of the top, the middle and the bottom: whose chance is certain there.
fn labels(session: &Session, cells: u16) -> [(String, Role); 3] {
    let label = |side: Side, short: &str| match cells {
        ..NAMED => short.to_owned(),
        _ => format!("{} wins", session.seat_name(side)),
    };
    let upper = session.point_of_view();
    let role = |side| session.side_role(side);
    [
        (label(upper, "100"), role(upper)),
        ("50 %".to_owned(), Role::Dim),
        (label(upper.other(), "0"), role(upper.other())),
    ]
}

fn draw_bar(session: &Session, bar: &Bar, plot: Rect, rows: u16, buf: &mut Buffer, look: &Look) {
    let zero = plot.y + rows;
    let place = Rect { x: plot.x + bar.from, y: zero, width: bar.to - bar.from, height: 1 };
    let Some(verdict) = bar.verdict else {
        return put(look.span(Role::Dim, look.glyphs.dot.repeat(place.width.into())), place, buf);
    };
    let up = verdict.chance > 0.5;
    let upper = session.point_of_view();
    let role = session.side_role(if up { upper } else { upper.other() });
    let levels = 2.0 * (verdict.chance - 0.5).abs() * f64::from(rows) * f64::from(LEVELS);
    // A lead is visible.
    let mut left = (levels.round() as i32).max(i32::from(verdict.value != 0.0));
    let gap = u16::from(bar.has_gap && place.width > 1);
    for step in 1..=rows {
        if left <= 0 {
            break;
        }
        let text = fill(left.min(LEVELS), up, look).repeat(usize::from(place.width - gap));
        put(look.span(role, text), Rect { y: if up { zero - step } else { zero + step }, ..place }, buf);
        left -= LEVELS;
    }
}

/// The marker of the current position, and turn numbers.
fn draw_places(session: &Session, bars: &[Bar], place: Rect, buf: &mut Buffer, look: &Look) {
    let at = session.record.at();
    let here = bars.iter().find(|bar| bar.node == at).map(|bar| bar.from);
    let mut free = 0;
    let mut last = 0;
    for bar in bars {
        // Both sides' turns may have the same number.
        let Some(turn) = bar.turn.filter(|turn| (*turn == 1 || turn % 5 == 0) && *turn != last) else { continue };
        last = turn;
        let label = turn.to_string();
        let end = bar.from + width(&label);
        let covered = here.is_some_and(|here| (bar.from..end + 1).contains(&here) || here + 1 == bar.from);
        if bar.from < free || covered || end > place.width {
            continue;
        }
        put(look.span(Role::Dim, label), Rect { x: place.x + bar.from, width: place.width - bar.from, ..place }, buf);
        free = end + 1;
    }
    if let Some(here) = here {
        put(look.span(Role::Accent, look.glyphs.up), Rect { x: place.x + here, width: 1, ..place }, buf);
    }
}

/// Fill levels of a cell.
const LEVELS: i32 = 4;

/// A cell filled to a level, 1 to [`LEVELS`], from the zero line.
fn fill(level: i32, up: bool, look: &Look) -> &'static str {
    let cell = |cells: [&'static str; 4]| cells[(level.clamp(1, LEVELS) - 1) as usize];
    match (look.glyphs.dots, up) {
        (Dots::Braille, true) => cell(["⣀", "⣤", "⣶", "⣿"]),
        (Dots::Braille, false) => cell(["⠉", "⠛", "⠿", "⣿"]),
        (Dots::Quadrants, true) => cell(["▂", "▄", "▆", "█"]),
        (Dots::Quadrants, false) => cell(["▔", "▀", "▀", "█"]),
        (Dots::Cells, true) => cell([".", ":", "#", "#"]),
        (Dots::Cells, false) => cell(["'", ":", "#", "#"]),
    }
}

fn draw_axis(plot: Rect, zero: u16, gutter: u16, labels: [(String, Role); 3], buf: &mut Buffer, look: &Look) {
    let rows = [plot.y, zero, plot.bottom() - 1];
    for ((label, role), y) in labels.into_iter().zip(rows) {
        let x = plot.x - 1 - width(&label);
        put(look.span(role, label), Rect { x, y, width: gutter, height: 1 }, buf);
    }
    let line = look.glyphs.line.horizontal.repeat(usize::from(plot.width));
    put(look.span(Role::Border, line), Rect { y: zero, height: 1, ..plot }, buf);
}

/// `?` and `??` on the zero line; in a single column the second mark is on the side without the bar.
fn draw_marks(bars: &[Bar], plot: Rect, zero: u16, buf: &mut Buffer, look: &Look) {
    for bar in bars {
        let Some(Verdict { chance, mark: Some(mark), .. }) = bar.verdict else { continue };
        let role = if mark == Mark::Blunder { Role::Bad } else { Role::Warning };
        let text = mark.text();
        let place = Rect { x: plot.x + bar.from, y: zero, width: bar.to - bar.from, height: 1 };
        put(look.span(role, text), place, buf);
        if width(text) > place.width {
            let y = if chance > 0.5 { zero + 1 } else { zero - 1 };
            put(look.span(role, &text[..1]), Rect { y, ..place }, buf);
        }
    }
}
