//! Frames around panels and windows, and the panels of a page: the focus, the zoom, and the areas drawn.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Widget};

use super::{Look, fit, put, row};
use crate::theme::Role;

/// Draws a frame with a title above. Returns the area inside.
pub(crate) fn panel(area: Rect, title: Line<'_>, focused: bool, buf: &mut Buffer, look: &Look) -> Rect {
    framed(area, title, Line::default(), focused, buf, look)
}

/// Draws a frame with a title above and one below. Returns the area inside.
pub(crate) fn framed(
    area: Rect,
    above: Line<'_>,
    below: Line<'_>,
    focused: bool,
    buf: &mut Buffer,
    look: &Look,
) -> Rect {
    let owned = |span: Span<'_>| Span::styled(span.content.into_owned(), span.style);
    let above = Line::from(above.spans.into_iter().map(owned).collect::<Vec<_>>());
    make_room(area, (above.width() as u16 + 2).min(TITLE_LEAST), buf, look);
    let inner = joined(area, above, below, buf, look);
    if focused {
        focus(area, buf, look);
        look.cursor_place.focus(inner);
    }
    inner
}

/// Colours the lines of a frame as the focused one's; again where panels drawn later have coloured common lines.
pub(crate) fn focus(area: Rect, buf: &mut Buffer, look: &Look) {
    let area = area.intersection(buf.area);
    let style = look.style(Role::BorderFocus);
    for at in area.positions().filter(|at| is_edge(*at, area)) {
        if is_line(buf[at].symbol(), look) {
            buf[at].set_style(style);
        }
    }
}

fn is_edge(at: Position, area: Rect) -> bool {
    at.y == area.y || at.y + 1 == area.bottom() || at.x == area.x || at.x + 1 == area.right()
}

/// Whether a cell has a part of a frame's line.
fn is_line(symbol: &str, look: &Look) -> bool {
    let lines = look.glyphs.border;
    symbol == lines.horizontal_top
        || symbol == lines.vertical_left
        || symbol.starts_with(|c: char| matches!(c, '\u{2500}'..='\u{257f}'))
}

/// Lets adjoining areas share the lines between them: each grows over the line of the one to its left and of the one above.
pub(crate) fn adjoin(areas: &mut [&mut Rect]) {
    let all: Vec<Rect> = areas.iter().map(|area| **area).filter(|area| !area.is_empty()).collect();
    for area in areas.iter_mut().filter(|area| !area.is_empty()) {
        let at = **area;
        let is_left = |other: &Rect| other.right() == at.x && other.y < at.bottom() && at.y < other.bottom();
        let is_above = |other: &Rect| other.bottom() == at.y && other.x < at.right() && at.x < other.right();
        let [left, up] = [all.iter().any(is_left), all.iter().any(is_above)].map(u16::from);
        **area = Rect { x: at.x - left, y: at.y - up, width: at.width + left, height: at.height + up };
    }
}

/// Draws a frame that shares its lines with those of adjoining panels, in any order: on a common line the upper panel's lower title is at
/// the right, and the lower panel's title takes the room that it leaves. Returns the area inside.
pub(crate) fn joined(area: Rect, above: Line<'static>, below: Line<'_>, buf: &mut Buffer, look: &Look) -> Rect {
    let area = area.intersection(buf.area);
    let texts: Vec<Position> =
        area.positions().filter(|at| is_edge(*at, area)).filter(|at| is_title(buf, *at, area, look)).collect();
    around(area, above, below, &texts, buf, look)
}

/// Draws a frame that leaves these cells with parts of titles. Returns the area inside.
fn around(
    area: Rect,
    above: Line<'static>,
    below: Line<'_>,
    titles: &[Position],
    buf: &mut Buffer,
    look: &Look,
) -> Rect {
    let is_foot = |x: u16| titles.iter().any(|at| (at.x, at.y) == (x, area.y) && !is_corner(buf, *at, area, look));
    let (x, width) = gap(area, above.width() as u16 + 2, is_foot);
    let title = Rect { x, width, height: 1, ..area };
    let kept: Vec<(Position, Cell)> = titles.iter().map(|at| (*at, buf[*at].clone())).collect();
    let block = Block::new()
        .borders(Borders::ALL)
        .border_set(look.glyphs.border)
        .border_style(look.style(Role::Border))
        .merge_borders(MergeStrategy::Fuzzy)
        .title_style(Style::reset())
        .title_bottom(pad(below).right_aligned());
    let inner = block.inner(area);
    block.render(area, buf);
    for (at, cell) in kept {
        // The frame has taken the style of its line there, and perhaps the text.
        if !is_title(buf, at, area, look) || is_corner(buf, at, area, look) || buf[at].symbol() == cell.symbol() {
            buf[at] = cell;
        }
    }
    let above = pad(fit(above, title.width.saturating_sub(2), look));
    buf.set_style(Rect { width: above.width() as u16, ..title }.intersection(title), Style::reset());
    put(above, title, buf);
    inner
}

/// Returns column and width of the first gap between the titles in a frame's upper line that has `wide` columns, or of the widest.
fn gap(area: Rect, wide: u16, is_foot: impl Fn(u16) -> bool) -> (u16, u16) {
    let mut gaps = Vec::new();
    let mut start = area.x + 1;
    for x in (area.x..area.right()).filter(|&x| is_foot(x)) {
        gaps.push((start, x.saturating_sub(1 + start)));
        // After a title there is a corner.
        start = x + 2;
    }
    gaps.push((start, area.right().saturating_sub(1 + start)));
    let fitting = gaps.iter().find(|(_, room)| *room >= wide);
    *fitting.or(gaps.iter().max_by_key(|(_, room)| *room)).unwrap_or(&(area.x, 0))
}

/// Columns of its title that a panel shows at least, instead of a lower title of the panel above.
const TITLE_LEAST: u16 = 10;

/// Replaces lower titles in a frame's upper line by the line where they leave less than `least` columns together.
pub(super) fn make_room(area: Rect, least: u16, buf: &mut Buffer, look: &Look) {
    let upper = row(area.intersection(buf.area), 0);
    let texts: Vec<Position> =
        upper.positions().filter(|at| is_title(buf, *at, area, look) && !is_corner(buf, *at, area, look)).collect();
    let (_, room) = gap(upper, least, |x| texts.iter().any(|at| at.x == x));
    if room < least {
        for at in texts {
            buf[at].set_symbol(look.glyphs.border.horizontal_top).set_style(look.style(Role::Border));
        }
    }
}

/// Returns whether a cell of the frame of `area` has a part of a title, or a corner of characters, which lines would replace.
fn is_title(buf: &Buffer, at: Position, area: Rect, look: &Look) -> bool {
    let symbol = |x: u16| buf.cell((x, at.y)).map_or(" ", |cell| cell.symbol());
    let is_text = |x: u16| symbol(x) != " " && !is_line(symbol(x), look);
    let is_word = |x: u16| is_text(x) && !is_corner(buf, (x, at.y).into(), area, look);
    is_text(at.x) || symbol(at.x) == " " && [at.x.wrapping_sub(1), at.x + 1].into_iter().any(is_word)
}

/// Returns whether a cell of the frame of `area` has a corner of characters: unlike a plus in a title it is at an end of the frame's
/// line, or above or below a vertical line.
fn is_corner(buf: &Buffer, at: Position, area: Rect, look: &Look) -> bool {
    let lines = look.glyphs.border;
    let is_vertical =
        |y: u16| buf.cell((at.x, y)).is_some_and(|cell| [lines.vertical_left, lines.top_left].contains(&cell.symbol()));
    let is_end = at.x == area.x || at.x + 1 == area.right();
    buf[at].symbol() == lines.top_left && (is_end || [at.y.wrapping_sub(1), at.y + 1].into_iter().any(is_vertical))
}

/// Returns a title with a space at either end, to separate it from the frame.
fn pad(mut title: Line<'_>) -> Line<'_> {
    if title.width() > 0 {
        title.spans.insert(0, Span::raw(" "));
        title.spans.push(Span::raw(" "));
    }
    title
}

/// Draws a window in the middle of `area`, over its contents. Returns the area inside, one column in from the frame.
pub(crate) fn window(area: Rect, width: u16, height: u16, title: &str, buf: &mut Buffer, look: &Look) -> Rect {
    let width = width.min(area.width);
    let height = height.min(area.height);
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    window_at(place, title, buf, look)
}

/// Draws a window at this place; see [`window`].
pub(crate) fn window_at(place: Rect, title: &str, buf: &mut Buffer, look: &Look) -> Rect {
    let place = place.intersection(buf.area);
    Clear.render(place, buf);
    buf.set_style(place, look.style(Role::Overlay));
    // Text beside a window is no title in its frame.
    let title = Line::from(look.span(Role::Title, title));
    let inner = around(place, title, Line::default(), &[], buf, look);
    focus(place, buf, look);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    look.cursor_place.focus(inner);
    inner
}

/// The panels of a page; `P` is their name.
#[derive(Clone, Debug)]
pub struct Panes<P> {
    focus: P,
    zoomed: bool,
    /// Whether the page is too small for more than one.
    small: bool,
    places: Vec<(Rect, P)>,
}

impl<P: Copy + PartialEq> Panes<P> {
    pub fn new(focus: P) -> Panes<P> {
        Panes { focus, zoomed: false, small: false, places: Vec::new() }
    }

    /// Clears the areas; call it before drawing.
    pub fn begin(&mut self) {
        self.places.clear();
    }

    /// Records a panel's area. Returns whether it has the focus.
    pub fn drawn(&mut self, pane: P, area: Rect) -> bool {
        self.places.push((area, pane));
        self.focus == pane
    }

    /// Returns the area of the panel with the focus, if it is drawn.
    pub fn focused_area(&self) -> Option<Rect> {
        self.places.iter().find(|(_, pane)| *pane == self.focus).map(|(area, _)| *area)
    }

    pub fn focus(&self) -> P {
        self.focus
    }

    pub fn focus_on(&mut self, pane: P) {
        self.focus = pane;
    }

    /// Sets whether the page is too small for more than one panel: then it shows the one with the focus.
    pub fn is_alone(&mut self, small: bool) {
        self.small = small;
    }

    /// Returns the only panel shown, because it is zoomed or the page is too small.
    pub fn alone(&self) -> Option<P> {
        (self.zoomed || self.small).then_some(self.focus)
    }

    pub fn zoom(&mut self) {
        self.zoomed = !self.zoomed;
    }

    /// Shows all panels again. Returns whether one was zoomed.
    pub fn unzoom(&mut self) -> bool {
        std::mem::take(&mut self.zoomed)
    }

    /// Moves the focus to the next panel on the page, or of `all` if only one is shown.
    pub fn next(&mut self, all: &[P]) {
        let shown: Vec<P> =
            if self.alone().is_some() { all.to_vec() } else { self.places.iter().map(|(_, pane)| *pane).collect() };
        let at = shown.iter().position(|pane| *pane == self.focus);
        let next = at.map_or(0, |at| (at + 1) % shown.len());
        self.focus = shown.get(next).copied().unwrap_or(self.focus);
    }

    /// Returns the panel at a position.
    pub fn hit_test(&self, at: (u16, u16)) -> Option<P> {
        super::hit_test(&self.places, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::theme::{ColorDepth, Glyphs, Theme};

    fn lines(buf: &Buffer) -> Vec<String> {
        let width = usize::from(buf.area.width);
        buf.content().chunks(width).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
    }

    /// Two panels side by side above a third.
    fn three() -> [Rect; 3] {
        let mut areas = [Rect::new(0, 0, 10, 3), Rect::new(10, 0, 10, 3), Rect::new(0, 3, 20, 3)];
        let [left, right, below] = &mut areas;
        adjoin(&mut [left, right, below]);
        areas
    }

    #[test]
    fn neighbours_share_a_line_in_any_order_of_drawing() {
        assert_eq!(three(), [Rect::new(0, 0, 10, 3), Rect::new(9, 0, 11, 3), Rect::new(0, 2, 20, 4)]);
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut buf = Buffer::empty(Rect::new(0, 0, 20, 6));
            for index in order {
                let title = Line::from(["a", "b", "c"][index]);
                let inner = panel(three()[index], title, index == 2, &mut buf, &look());
                assert_eq!(inner.width + 2, three()[index].width);
            }
            let expected = ["╭ a ─────┬ b ──────╮", "│        │         │", "├ c ─────┴─────────┤"];
            assert_eq!(lines(&buf)[..3], expected, "{order:?}");
            focus(three()[2], &mut buf, &look());
            let style = look().style(Role::BorderFocus);
            assert!([(0, 2), (19, 2), (10, 2), (0, 5)].iter().all(|at| Some(buf[*at].fg) == style.fg), "{order:?}");
            assert_ne!(Some(buf[(0, 0)].fg), style.fg);
        }
    }

    #[test]
    fn a_lower_title_gives_way_where_a_title_would_be_illegible() {
        let drawn = |foot: &'static str| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 20, 6));
            let [above, _, below] = three();
            framed(Rect { width: 20, ..above }, Line::from("above"), Line::from(foot), false, &mut buf, &look());
            panel(below, Line::from("a long title"), false, &mut buf, &look());
            lines(&buf).remove(2)
        };
        assert_eq!(drawn("foot"), "├ a long t… ─ foot ┤");
        assert_eq!(drawn("a long foot"), "├ a long title ────┤");
    }

    #[test]
    fn room_is_made_by_removing_lower_titles_only() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 20, 6));
        let [above, _, below] = three();
        framed(Rect { width: 20, ..above }, Line::from("above"), Line::from("foot"), false, &mut buf, &look());
        make_room(below, 11, &mut buf, &look());
        assert_eq!(lines(&buf)[2], "╰──────────── foot ╯", "there is room");
        make_room(below, 18, &mut buf, &look());
        assert_eq!(lines(&buf)[..3], ["╭ above ───────────╮", "│                  │", "╰──────────────────╯"]);
    }

    #[test]
    fn no_plus_of_a_lower_title_is_left_without_it() {
        let ascii = Look::new(Theme::usual(ColorDepth::True), Glyphs::ascii());
        for (look, expected) in [(look(), "├ a long title ────┤"), (ascii, "+ a long title ----+")] {
            let mut buf = Buffer::empty(Rect::new(0, 0, 20, 6));
            let [above, _, below] = three();
            let foot = Line::from("+70 +- 9");
            framed(Rect { width: 20, ..above }, Line::from("above"), foot, false, &mut buf, &look);
            panel(below, Line::from("a long title"), false, &mut buf, &look);
            assert_eq!(lines(&buf).remove(2), expected);
        }
    }

    #[test]
    fn no_corner_stands_in_a_lower_title() {
        let ascii = Look::new(Theme::usual(ColorDepth::True), Glyphs::ascii());
        for look in [look(), ascii] {
            let mut buf = Buffer::empty(Rect::new(0, 0, 80, 6));
            framed(Rect::new(0, 0, 52, 3), Line::default(), Line::from("0123456789"), false, &mut buf, &look);
            panel(Rect::new(51, 0, 29, 3), Line::from("a"), false, &mut buf, &look);
            panel(Rect::new(0, 2, 45, 4), Line::from("b"), false, &mut buf, &look);
            panel(Rect::new(44, 2, 36, 4), Line::from("c"), false, &mut buf, &look);
            let line = lines(&buf).remove(2);
            assert!(line.contains(" 0123456789 ") && line.contains(" b ") && line.contains(" c "), "{line}");
        }
    }

    #[test]
    fn a_window_over_text_has_a_whole_frame() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 12, 5));
        for y in 0..5 {
            put(Line::from("xxxxxxxxxxxx"), Rect::new(0, y, 12, 1), &mut buf);
        }
        let inner = window_at(Rect::new(1, 1, 9, 3), "a", &mut buf, &look());
        assert_eq!(inner, Rect::new(3, 2, 5, 1));
        assert_eq!(lines(&buf)[1..4], ["x╭ a ────╮xx", "x│       │xx", "x╰───────╯xx"]);
    }

    #[test]
    fn an_area_without_neighbours_stays() {
        let mut alone = Rect::new(3, 4, 10, 5);
        let mut empty = Rect::default();
        adjoin(&mut [&mut alone, &mut empty]);
        assert_eq!((alone, empty), (Rect::new(3, 4, 10, 5), Rect::default()));
    }

    #[test]
    fn the_focus_goes_round_what_is_shown() {
        let mut panes = Panes::new('a');
        let left = Rect::new(0, 0, 10, 5);
        assert!(panes.drawn('a', left) && !panes.drawn('b', Rect { x: 10, ..left }));
        panes.next(&['a', 'b', 'c']);
        assert_eq!((panes.focus(), panes.hit_test((12, 2)), panes.hit_test((30, 2))), ('b', Some('b'), None));
        panes.next(&['a', 'b', 'c']);
        assert_eq!(panes.focus(), 'a');
        panes.zoom();
        panes.next(&['a', 'c']);
        assert_eq!(panes.alone(), Some('c'));
        assert!(panes.unzoom() && !panes.unzoom());
        panes.next(&['a', 'b', 'c']);
        assert_eq!(panes.focus(), 'a', "what is not shown passes the focus on");
        panes.is_alone(true);
        panes.next(&['a', 'b', 'c', 'd']);
        assert_eq!(panes.alone(), Some('b'), "on a small page all take turns");
        panes.is_alone(false);
        panes.begin();
        panes.next(&['a', 'b', 'c', 'd']);
        assert_eq!(panes.focus(), 'b', "a page without panels has none to move to");
    }
}
