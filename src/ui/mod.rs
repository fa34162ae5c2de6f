//! Pure widgets: they draw what they are given and know no tab, no game rule and no job.

pub mod board;
pub mod chart;
pub mod digits;
pub mod form;
pub mod list;
pub mod scale;
pub mod table;

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::theme::{Glyphs, Role, Theme};
pub use scale::interval;

/// How everything looks: the theme's styles and the characters to draw with.
#[derive(Clone, Debug)]
pub struct Look {
    pub theme: Theme,
    pub glyphs: Glyphs,
}

impl Look {
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    pub fn span<'a>(&self, role: Role, text: impl Into<String>) -> Span<'a> {
        Span::styled(text.into(), self.style(role))
    }

    /// A bar of `share` (0 to 1) of `cells` in whole cells, not as high as its row, so that bars below one another stay apart.
    pub fn low_bar(&self, share: f64, cells: u16) -> String {
        let filled = (share.clamp(0.0, 1.0) * f64::from(cells)).round() as usize;
        let block = if self.glyphs.braille { "▆" } else { "#" };
        block.repeat(filled) + &" ".repeat(usize::from(cells) - filled)
    }

    /// A bar of `share` (0 to 1) of `cells`, filled up with blanks.
    pub fn bar(&self, share: f64, cells: u16) -> String {
        let eighths = (share.clamp(0.0, 1.0) * f64::from(cells) * 8.0).round() as usize;
        (0..usize::from(cells)).map(|cell| self.glyphs.bar[eighths.saturating_sub(8 * cell).min(8)]).collect()
    }

    /// A signed number with the theme's minus sign: `+6`, `0`, `−4`.
    pub fn signed(&self, value: i32) -> String {
        match value {
            0 => "0".to_owned(),
            1.. => format!("+{value}"),
            _ => format!("{}{}", self.glyphs.minus, value.unsigned_abs()),
        }
    }
}

/// A frame with a title above; gives the space inside.
pub fn panel(area: Rect, title: Line<'_>, focused: bool, buf: &mut Buffer, look: &Look) -> Rect {
    framed(area, title, Line::default(), focused, buf, look)
}

/// A frame with a title above and one below; gives the space inside.
pub fn framed(area: Rect, above: Line<'_>, below: Line<'_>, focused: bool, buf: &mut Buffer, look: &Look) -> Rect {
    let role = if focused { Role::BorderFocus } else { Role::Border };
    let block = Block::new()
        .borders(Borders::ALL)
        .border_set(look.glyphs.border)
        .border_style(look.style(role))
        // Titles start from plain: a dim frame must not dim them.
        .title_style(Style::reset())
        .title_top(pad(above))
        .title_bottom(pad(below));
    let inner = block.inner(area);
    block.render(area, buf);
    inner
}

/// A title with a space at either end, so that it stands free of the frame.
fn pad(mut title: Line<'_>) -> Line<'_> {
    if title.width() > 0 {
        title.spans.insert(0, Span::raw(" "));
        title.spans.push(Span::raw(" "));
    }
    title
}

/// A window in the middle of `area`, over what is there; gives the space inside, one column in from the frame.
pub fn window(area: Rect, width: u16, height: u16, title: &str, buf: &mut Buffer, look: &Look) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    Clear.render(place, buf);
    buf.set_style(place, look.style(Role::Overlay));
    let inner = panel(place, Line::from(look.span(Role::Title, title)), true, buf, look);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}

/// Draws `line` at the top of `area`, cut to its width.
pub fn put(line: impl Into<Line<'static>>, area: Rect, buf: &mut Buffer) {
    if !area.is_empty() {
        buf.set_line(area.x, area.y, &line.into(), area.width);
    }
}

/// The row `index` of `area`; empty if there is none.
pub fn row(area: Rect, index: u16) -> Rect {
    let height = u16::from(index < area.height);
    Rect { y: area.y + index.min(area.height), height, ..area }
}

/// Cells that `text` takes.
pub fn width(text: &str) -> u16 {
    u16::try_from(text.width()).unwrap_or(u16::MAX)
}

/// `text` cut to `cells`, with an ellipsis where something is missing.
pub fn clip(text: &str, cells: u16, look: &Look) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if width(&kept) + width(c.encode_utf8(&mut [0; 4])) + width(look.glyphs.ellipsis) > cells {
            break;
        }
        kept.push(c);
    }
    kept + look.glyphs.ellipsis
}

/// `text` cut to `cells` in its middle, where names that begin alike are most alike.
pub fn squeeze(text: &str, cells: u16, look: &Look) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let end = tail(text, cells.saturating_sub(width(look.glyphs.ellipsis)) / 2);
    clip(&text[..text.len() - end.len()], cells.saturating_sub(width(end)), look) + end
}

/// The end of `text` that fits into `cells`: while typing, the end is what one looks at.
pub fn tail(text: &str, cells: u16) -> &str {
    let mut start = 0;
    while width(&text[start..]) > cells {
        start += text[start..].chars().next().map_or(1, char::len_utf8);
    }
    &text[start..]
}

/// `text` in lines of at most `cells`, broken at blanks, and within words that are longer than a line.
pub fn wrap(text: &str, cells: u16) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace().flat_map(|word| pieces(word, usize::from(cells.max(1)))) {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(&word),
            Some(line) if width(line) + 1 + width(&word) <= cells => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// A word in pieces of at most so many characters.
fn pieces(word: &str, most: usize) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    letters.chunks(most).map(|piece| piece.iter().collect()).collect()
}

/// `line` cut to `cells`, with an ellipsis where something is missing.
pub fn fit(line: Line<'static>, cells: u16, look: &Look) -> Line<'static> {
    if line.width() <= usize::from(cells) {
        return line;
    }
    let mut left = cells.saturating_sub(width(look.glyphs.ellipsis));
    let mut kept = Line::default();
    for span in line.spans {
        let text: String = if width(&span.content) <= left {
            span.content.into_owned()
        } else {
            let mut text = String::new();
            for c in span.content.chars().take_while(|_| left > 0) {
                if width(&text) + width(c.encode_utf8(&mut [0; 4])) > left {
                    break;
                }
                text.push(c);
            }
            text + look.glyphs.ellipsis
        };
        let cut = text.ends_with(look.glyphs.ellipsis);
        left = left.saturating_sub(width(&text));
        kept.spans.push(Span::styled(text, span.style));
        if cut {
            break;
        }
    }
    kept
}

/// A time with the unit that suits it: `18.4 µs`, `1.2 ms`, `3.45 s`.
pub fn short_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// A count in at most five characters: `812`, `24.1k`, `3.0M`, `1.2G`.
pub fn short_count(count: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let text = |nanos| short_time(Duration::from_nanos(nanos));
        assert_eq!([text(640), text(1_500_000), text(2_350_000_000)], ["0.6 µs", "1.5 ms", "2.35 s"]);
    }

    #[test]
    fn names_are_squeezed_in_the_middle() {
        let look = crate::app::stage::look();
        assert_eq!(squeeze("12 heuristic:4", 14, &look), "12 heuristic:4");
        assert_eq!(squeeze("12 heuristic:4", 11, &look), "12 he…tic:4");
        assert_eq!(squeeze("12 heuristic:4", 1, &look), "…");
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
}
