//! Pure widgets: they draw their arguments and depend on no tab, game rule or job.

pub(crate) mod board;
pub(crate) mod cells;
pub(crate) mod chart;
mod cursor_place;
pub(crate) mod digits;
mod durations;
pub(crate) mod form;
pub(crate) mod frames;
pub(crate) mod list;
pub(crate) mod table;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

use super::pictures::Pictures;
use super::sanitize;
use super::theme::{Glyphs, Role, Theme};
use cursor_place::CursorPlace;

pub(crate) use durations::{age, clock, duration, short_time, time_of};
pub(crate) use frames::{adjoin, focus, framed, joined, panel, window, window_at};

/// The appearance: the theme's styles and its glyphs; and where the choice is in what is drawn by them.
#[derive(Clone, Debug)]
pub struct Look {
    pub theme: Theme,
    pub glyphs: Glyphs,
    pub(crate) cursor_place: CursorPlace,
    /// Where the terminal shows pictures: those on its screen.
    pub(crate) pictures: Option<Arc<Pictures>>,
}

impl Look {
    pub fn new(theme: Theme, glyphs: Glyphs) -> Look {
        Look { theme, glyphs, cursor_place: CursorPlace::default(), pictures: None }
    }

    pub(crate) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Returns styled text, with hidden characters made visible.
    pub(crate) fn span<'a>(&self, role: Role, text: impl Into<String>) -> Span<'a> {
        let text = text.into();
        let hidden = text.contains(sanitize::is_hidden).then(|| sanitize::inline(&text).into_owned());
        Span::styled(hidden.unwrap_or(text), self.style(role))
    }

    /// Returns the style of a selected place whose texts keep colours of their own, if the selection has a background.
    pub(crate) fn selected_ground(&self) -> Style {
        let style = self.style(Role::Selection);
        if style.bg.is_some() { Style { fg: None, ..style } } else { style }
    }

    /// Marks a place as selected: texts in the terminal's colour take that of the selection, others keep theirs.
    pub(crate) fn select(&self, place: Rect, buf: &mut Buffer) {
        buf.set_style(place, self.selected_ground());
        let text = self.style(Role::Selection).fg;
        for position in place.intersection(buf.area).positions() {
            let cell = &mut buf[position];
            cell.fg = text.filter(|_| cell.fg == Color::Reset).unwrap_or(cell.fg);
        }
    }

    /// Returns a bar of the fraction `share` (0 to 1) of `cells` in whole cells, lower than its row, so that bars in
    /// adjacent rows stay separate.
    pub(crate) fn low_bar(&self, share: f64, cells: u16) -> String {
        let filled = (share.clamp(0.0, 1.0) * f64::from(cells)).round() as usize;
        let block = if self.glyphs.has_blocks() { "▆" } else { "#" };
        block.repeat(filled) + &" ".repeat(usize::from(cells) - filled)
    }

    /// Returns a bar of the fraction `share` (0 to 1) of `cells`, padded with blanks.
    pub(crate) fn bar(&self, share: f64, cells: u16) -> String {
        let eighths = (share.clamp(0.0, 1.0) * f64::from(cells) * 8.0).round() as usize;
        (0..usize::from(cells)).map(|cell| self.glyphs.bar[eighths.saturating_sub(8 * cell).min(8)]).collect()
    }

    /// Returns a number's text with the theme's minus sign.
    pub(crate) fn with_minus(&self, number: &str) -> String {
        number.replace('-', self.glyphs.minus)
    }

    /// Writes the numbers of a text with a minus sign; hyphens of names stay.
    pub(crate) fn with_minus_signs(&self, text: &str) -> String {
        (0..10).fold(text.to_owned(), |text, digit| {
            text.replace(&format!(" -{digit}"), &format!(" {}{digit}", self.glyphs.minus))
        })
    }

    /// Returns the units of a network's values; `None` if they are the outcome alone.
    pub(crate) fn units_of_values(&self, shaping: f32) -> Option<String> {
        (shaping != 0.0).then(|| format!("win 1, lead {}{shaping}", self.glyphs.times))
    }

    /// Returns a signed number with the theme's minus sign: `+6`, `0`, `−4`.
    pub(crate) fn signed(&self, value: i32) -> String {
        match value {
            0 => "0".to_owned(),
            1.. => format!("+{value}"),
            _ => format!("{}{}", self.glyphs.minus, value.unsigned_abs()),
        }
    }
}

/// Draws `line` at the top of `area`, cut to its width.
pub(crate) fn put(line: impl Into<Line<'static>>, area: Rect, buf: &mut Buffer) {
    if !area.is_empty() {
        buf.set_line(area.x, area.y, &line.into(), area.width);
    }
}

/// Returns the keys of a dialog, as many as fit: of `Enter: start, Esc: cancel` each key and what it does.
pub(crate) fn keys(text: &str, room: u16, look: &Look) -> Line<'static> {
    let mut line = Line::default();
    for part in text.split(", ") {
        let gap = if line.spans.is_empty() { "" } else { "  " };
        let (key, does) = part.split_once(": ").map_or((None, part), |(key, does)| (Some(key), does));
        let mut spans = vec![Span::raw(gap)];
        spans.extend(key.map(|key| look.span(Role::Key, key.to_owned())));
        spans.push(look.span(Role::Dim, if key.is_some() { format!(" {does}") } else { does.to_owned() }));
        if line.width() + spans.iter().map(Span::width).sum::<usize>() > usize::from(room) {
            break;
        }
        line.spans.extend(spans);
    }
    line
}

/// Returns what is drawn at a position, given the areas of all items.
pub(crate) fn hit_test<T: Copy>(places: &[(Rect, T)], at: impl Into<Position>) -> Option<T> {
    let at = at.into();
    places.iter().find(|(place, _)| place.contains(at)).map(|(_, item)| *item)
}

/// Returns the row `index` of `area`; empty if there is none.
pub(crate) fn row(area: Rect, index: u16) -> Rect {
    let height = u16::from(index < area.height);
    Rect { y: area.y + index.min(area.height), height, ..area }
}

/// Returns the number of cells that `text` takes.
pub(crate) fn width(text: &str) -> u16 {
    u16::try_from(text.width()).unwrap_or(u16::MAX)
}

/// The most characters examined per cell: a cell may hold several zero-width characters.
const CROWD: usize = 16;

/// Returns whether `text` fits into `cells`. Reads no more of it than needed.
fn fits(text: &str, cells: u16) -> bool {
    // A character has at most four bytes.
    text.len() <= 4 * most(cells) && width(text) <= cells
}

/// Returns the largest number of characters shown in `cells`.
fn most(cells: u16) -> usize {
    CROWD * (usize::from(cells) + 4)
}

/// Returns the beginning of `text` that fits into `cells`.
pub(crate) fn head(text: &str, cells: u16) -> &str {
    let mut taken = 0;
    let mut grows = |c: char| {
        taken += c.width().unwrap_or(0);
        taken <= usize::from(cells)
    };
    let mut head = &text[..text.chars().take(most(cells)).take_while(|&c| grows(c)).map(char::len_utf8).sum()];
    // Characters together can be wider than the sum of their widths.
    while width(head) > cells {
        head = &head[..head.char_indices().next_back().map_or(0, |(at, _)| at)];
    }
    head
}

/// Returns `text` cut to `cells`, with an ellipsis if it is cut.
pub(crate) fn clip(text: &str, cells: u16, look: &Look) -> String {
    if fits(text, cells) {
        return text.to_owned();
    }
    match cells.checked_sub(width(look.glyphs.ellipsis)) {
        Some(cells) => head(text, cells).to_owned() + look.glyphs.ellipsis,
        None => head(text, cells).to_owned(),
    }
}

/// Returns `text` cut to `cells` in its middle, because related names often share their beginnings.
pub(crate) fn squeeze(text: &str, cells: u16, look: &Look) -> String {
    if fits(text, cells) {
        return text.to_owned();
    }
    let end = tail(text, cells.saturating_sub(width(look.glyphs.ellipsis)) / 2);
    clip(&text[..text.len() - end.len()], cells.saturating_sub(width(end)), look) + end
}

/// Returns the end of `text` that fits into `cells`: the end matters while typing.
pub(crate) fn tail(text: &str, cells: u16) -> &str {
    let mut taken = 0;
    let mut grows = |c: char| {
        taken += c.width().unwrap_or(0);
        taken <= usize::from(cells)
    };
    let length: usize = text.chars().rev().take(most(cells)).take_while(|&c| grows(c)).map(char::len_utf8).sum();
    let mut tail = &text[text.len() - length..];
    while width(tail) > cells {
        tail = &tail[tail.chars().next().map_or(0, char::len_utf8)..];
    }
    tail
}

/// Returns `text` in lines of at most `cells`, broken at blanks except before a percent sign, and inside words longer than a line.
pub(crate) fn wrap(text: &str, cells: u16) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut().filter(|_| word.starts_with('%')) {
            Some(number) => *number += &format!(" {word}"),
            None => words.push(word.to_owned()),
        }
    }
    let mut lines = vec![String::new()];
    // Cells of the last line.
    let mut taken: u16 = 0;
    for piece in words.iter().flat_map(|word| pieces(word, cells.max(1))) {
        let room = width(piece);
        match lines.last_mut() {
            Some(line) if line.is_empty() => {
                line.push_str(piece);
                taken = room;
            }
            Some(line) if taken.saturating_add(1).saturating_add(room) <= cells => {
                line.push(' ');
                line.push_str(piece);
                taken += 1 + room;
            }
            _ => {
                lines.push(piece.to_owned());
                taken = room;
            }
        }
    }
    lines
}

/// Returns `text` as [`wrap`] does, in at most `rows` lines, the last one cut where more follows.
pub(crate) fn wrap_within(text: &str, cells: u16, rows: usize, look: &Look) -> Vec<String> {
    // Only what can be shown is wrapped, and a line's length more, so that the last line overflows.
    let room = usize::from(cells) * (rows + 1);
    let mut lines = wrap(head(text, u16::try_from(room).unwrap_or(u16::MAX)), cells);
    if lines.len() > rows {
        let rest = lines.split_off(rows.saturating_sub(1)).join(" ");
        lines.push(clip(&rest, cells, look));
    }
    lines
}

/// Returns a word in pieces that each fit into a line or are one character.
fn pieces(word: &str, cells: u16) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (piece, behind) = rest.split_at(head(rest, cells).len().max(first.len_utf8()));
        rest = behind;
        Some(piece)
    })
}

/// Returns `line` cut to `cells`, with an ellipsis if it is cut.
pub(crate) fn fit(line: Line<'static>, cells: u16, look: &Look) -> Line<'static> {
    let mut left = cells;
    if line.spans.iter().all(|span| {
        let fits = fits(&span.content, left);
        left = left.saturating_sub(if fits { width(&span.content) } else { 0 });
        fits
    }) {
        return line;
    }
    let mut left = cells.saturating_sub(width(look.glyphs.ellipsis));
    let mut kept = Line::default();
    for span in line.spans {
        if fits(&span.content, left) {
            left -= width(&span.content);
            kept.spans.push(span);
        } else {
            kept.spans.push(Span::styled(head(&span.content, left).to_owned() + look.glyphs.ellipsis, span.style));
            break;
        }
    }
    kept
}

/// Formats a count in at most five characters: `812`, `24.1k`, `3.0M`, `1.2G`.
pub(crate) fn short_count(count: u64) -> String {
    let scaled = |unit: f64, letter: char| {
        let value = count as f64 / unit;
        if value < 99.95 { format!("{value:.1}{letter}") } else { format!("{value:.0}{letter}") }
    };
    match count {
        0..10_000 => count.to_string(),
        10_000..999_950 => scaled(1e3, 'k'),
        999_950..999_950_000 => scaled(1e6, 'M'),
        999_950_000..999_950_000_000 => scaled(1e9, 'G'),
        _ => scaled(1e12, 'T'),
    }
}

/// Returns a line of `cells` from `from` to `to`, with the range `low` to `high` as a rule and `value` as a mark.
pub fn interval(value: f64, (low, high): (f64, f64), (from, to): (f64, f64), cells: u16, look: &Look) -> Line<'static> {
    let span = (to - from).max(1e-9);
    let last = f64::from(cells.max(1) - 1);
    let cell = |value: f64| (((value - from) / span).clamp(0.0, 1.0) * last).round() as u16;
    let inside = cell(low)..=cell(high);
    let drawn = |x: u16| match x {
        x if x == cell(value) => look.span(Role::Accent, look.glyphs.mark),
        x if inside.contains(&x) => {
            look.span(Role::Text, if look.glyphs.has_blocks() { look.glyphs.line.horizontal } else { "=" })
        }
        _ => look.span(Role::Empty, if look.glyphs.has_blocks() { look.glyphs.dot } else { "." }),
    };
    Line::from((0..cells).map(drawn).collect::<Vec<_>>())
}

/// An area of the screen and the appearance of what is drawn there.
pub(crate) struct Canvas<'a> {
    pub area: Rect,
    /// Whether keys go to what is drawn.
    pub focused: bool,
    pub buf: &'a mut Buffer,
    pub look: &'a Look,
}

impl<'a> Canvas<'a> {
    pub fn new(area: Rect, buf: &'a mut Buffer, look: &'a Look) -> Canvas<'a> {
        Canvas { area, focused: false, buf, look }
    }

    /// Returns the canvas of another area.
    pub fn at(&mut self, area: Rect) -> Canvas<'_> {
        Canvas { area, focused: self.focused, buf: &mut *self.buf, look: self.look }
    }

    /// Returns the canvas below the first `rows`.
    pub fn below(&mut self, rows: u16) -> Canvas<'_> {
        let rows = rows.min(self.area.height);
        self.at(Rect { y: self.area.y + rows, height: self.area.height - rows, ..self.area })
    }

    /// Draws a frame with a title above. Returns the canvas inside.
    pub fn panel(&mut self, title: impl Into<String>) -> Canvas<'_> {
        let title = self.look.span(Role::Title, title);
        self.framed(title, Line::default())
    }

    /// Draws a frame with a title above and one below. Returns the canvas inside.
    pub fn framed(&mut self, above: impl Into<Line<'static>>, below: Line<'static>) -> Canvas<'_> {
        let inner = framed(self.area, above.into(), below, self.focused, self.buf, self.look);
        self.at(inner)
    }

    /// Draws a line in a row, if there is one.
    pub fn put(&mut self, index: u16, line: impl Into<Line<'static>>) {
        put(line, row(self.area, index), self.buf);
    }

    /// Draws lines from the first row on, as many as fit.
    pub fn lines(&mut self, lines: impl IntoIterator<Item = Line<'static>>) {
        for (index, line) in (0..self.area.height).zip(lines) {
            self.put(index, line);
        }
    }

    /// Draws a dim text in place of contents, wrapped and one cell from the left.
    pub fn explain(&mut self, text: &str) {
        let text = wrap(text, self.area.width.saturating_sub(2));
        let look = self.look;
        self.lines(text.into_iter().map(|text| Line::from(look.span(Role::Dim, format!(" {text}")))));
    }
}

/// Appends typed or pasted text without its control characters to a value of at most `most` characters. Returns whether
/// all of it fitted.
pub fn extend(value: &mut String, text: &str, most: usize) -> bool {
    let mut typed = text.chars().filter(|c| !c.is_control());
    let room = most.saturating_sub(value.chars().count());
    value.extend(typed.by_ref().take(room));
    typed.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::super::app::stage::look;
    use super::*;

    #[test]
    fn keys_of_dialogs_are_whole() {
        let look =
            Look::new(crate::theme::Theme::usual(crate::theme::ColorDepth::True), crate::theme::Glyphs::unicode());
        let line = |room| keys("Enter: start, Esc: cancel, or type", room, &look);
        assert_eq!(line(40).to_string(), "Enter start  Esc cancel  or type");
        assert_eq!(line(24).to_string(), "Enter start  Esc cancel");
        assert_eq!(line(40).spans[1].style, look.style(Role::Key));
    }

    #[test]
    fn what_values_count_in_is_reported_where_they_count_a_lead() {
        let look = crate::app::stage::look();
        assert_eq!(
            (look.units_of_values(0.02).as_deref(), look.units_of_values(0.0)),
            (Some("win 1, lead ×0.02"), None)
        );
    }

    #[test]
    fn names_are_squeezed_in_the_middle() {
        let look = crate::app::stage::look();
        assert_eq!(squeeze("12 heuristic:4", 14, &look), "12 heuristic:4");
        assert_eq!(squeeze("12 heuristic:4", 11, &look), "12 he…tic:4");
        assert_eq!(squeeze("12 heuristic:4", 1, &look), "…");
    }

    #[test]
    fn texts_are_cut_where_they_stop_fitting() {
        let look = crate::app::stage::look();
        assert_eq!((head("漢字", 3), tail("漢字", 3), head("abc", 2), tail("abc", 2)), ("漢", "字", "ab", "bc"));
        assert_eq!((head("abc", 0), tail("abc", 0), head("", 5), tail("", 5)), ("", "", "", ""));
        assert_eq!(clip("e\u{301}e\u{301}e\u{301}", 2, &look), "e\u{301}…");
        assert_eq!(wrap("one 漢字漢字 two", 4), ["one", "漢字", "漢字", "two"]);
        assert_eq!(wrap("漢 a", 1), ["漢", "a"]);
        let look = crate::app::stage::look();
        assert_eq!(wrap_within("one two three", 7, 2, &look), ["one two", "three"]);
        assert_eq!(wrap_within("one two three four", 7, 2, &look), ["one two", "three …"]);
        assert_eq!(wrap_within(&"one ".repeat(9000), 7, 2, &look), ["one one", "one on…"]);
        let line =
            |texts: &[&str]| Line::from(texts.iter().map(|text| Span::raw((*text).to_owned())).collect::<Vec<_>>());
        let fitted = |texts: &[&str], cells| fit(line(texts), cells, &look).to_string();
        assert_eq!(fitted(&["abc", "def"], 6), "abcdef");
        assert_eq!(fitted(&["abc", "def"], 5), "abcd…");
        assert_eq!(fitted(&["abc", "def"], 4), "abc…");
        assert_eq!(fitted(&["abc", "def", "g"], 3), "ab…");
    }

    /// A million characters are cut within a frame's time, including a million zero-width ones.
    #[test]
    fn a_long_text_costs_no_more_than_what_is_shown_of_it() {
        let look = crate::app::stage::look();
        // Processor time is the same on a busy machine.
        let spent = || mancalab_base::processor::of_thread().unwrap_or_default();
        let began = spent();
        for text in
            ["x".repeat(1 << 20), "\u{301}".repeat(1 << 20), "☁\u{fe0f}".repeat(1 << 18), "a b ".repeat(1 << 18)]
        {
            for cells in [0, 1, 80, 300] {
                assert!(width(tail(&text, cells)) <= cells && width(head(&text, cells)) <= cells);
                assert!(width(&clip(&text, cells, &look)) <= cells);
                assert!(width(&squeeze(&text, cells, &look)) <= cells);
                assert!(fit(Line::raw(text.clone()), cells, &look).width() <= usize::from(cells.max(1)));
            }
            assert!(wrap(&text, 80).iter().all(|line| width(line) <= 80));
        }
        assert!(spent() - began < std::time::Duration::from_secs(20), "{:?}", spent() - began);
    }

    /// The screen shows no bidirectional controls and no invisible characters.
    #[test]
    fn nothing_hidden_reaches_the_screen() {
        let area = Rect::new(0, 0, 40, 1);
        let mut buf = Buffer::empty(area);
        let hostile = "a\u{202e}b\u{2066}c\u{200f}d\u{200b}e\u{2028}f\u{61c}g\u{1b}[31mh\u{9b}i\u{feff}j\u{e0041}";
        put(crate::app::stage::look().span(Role::Text, hostile), area, &mut buf);
        let shown: String = buf.content().iter().map(|cell| cell.symbol()).collect();
        assert_eq!(shown.trim_end(), "a�b�c�d�e�f�g�[31mh�i�j�");
        // Such characters from other sources are dropped.
        let mut buf = Buffer::empty(area);
        put("a\u{202e}b\u{2066}c\u{200f}d\u{200b}e\u{61c}g\u{1b}[31mh\u{9b}i\u{feff}j", area, &mut buf);
        let shown: String = buf.content().iter().map(|cell| cell.symbol()).collect();
        assert_eq!(shown.trim_end(), "abcdeg[31mhij");
    }

    #[test]
    fn counts_stay_short() {
        let cases = [
            (0, "0"),
            (9_999, "9999"),
            (10_000, "10.0k"),
            (24_149_000, "24.1M"),
            (999_950, "1.0M"),
            (123_456_789, "123M"),
        ];
        for (count, text) in cases {
            assert_eq!(short_count(count), text);
        }
    }

    #[test]
    fn the_range_lies_around_the_mark() {
        let text = |value, range, cells| {
            interval(value, range, (0.0, 1.0), cells, &look()).spans.iter().map(|s| s.content.to_string()).collect()
        };
        let mark = look().glyphs.mark;
        let drawn: String = text(0.5, (0.25, 0.75), 9);
        assert_eq!(drawn, format!("··──{mark}──··"));
        assert_eq!(text(2.0, (0.5, 3.0), 3), format!("·─{mark}"));
        assert_eq!(text(0.0, (0.0, 0.0), 0), "");
    }
}
