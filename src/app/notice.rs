//! Notices: unsolicited messages in the right corner of the header.
//!
//! A notice is a single line, over tabs if need be, which matter less than the page. Only a text longer than the header is in a
//! frame below it, with its line breaks. A notice never covers the footer, and any key removes it and still has its usual effect.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Clear, Widget};

use super::tab::Tone;
use crate::theme::Role;
use crate::ui::{Look, clip, put, row, width, wrap};

/// Lifetime of a notice that is not an error. Errors stay until a key is pressed.
const STANDS: Duration = Duration::from_secs(6);

/// Maximum text width in columns of notices that show a place in a file, and of the others.
const WIDEST: u16 = 72;
const NARROW: u16 = 36;

pub(super) struct Notice {
    tone: Tone,
    text: String,
    /// The time it expires.
    pub until: Option<Instant>,
}

impl Notice {
    pub fn new(tone: Tone, text: String, now: Instant) -> Notice {
        let until = (tone != Tone::Bad).then_some(now + STANDS);
        Notice { tone, text, until }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    #[cfg(test)]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn role(&self) -> Role {
        match self.tone {
            Tone::Info => Role::Text,
            Tone::Good => Role::Good,
            Tone::Bad => Role::Bad,
        }
    }

    /// Returns the marker of its severity, for displays without colour.
    fn mark(&self, look: &Look) -> &'static str {
        match self.tone {
            Tone::Info => look.glyphs.pointer,
            Tone::Good => look.glyphs.check,
            Tone::Bad => look.glyphs.cross,
        }
    }

    /// Returns its width in a header of this width; `None` if it is shown below.
    pub fn in_header(&self, header: u16, look: &Look) -> Option<u16> {
        let wide = width(&self.text) + width(self.mark(look)) + 3;
        (!self.text.contains('\n') && wide <= header).then_some(wide)
    }

    /// Draws it on the screen `area`, whose header has these tabs. A tab is covered completely or not at all.
    pub fn draw(&self, area: Rect, tabs: &[Rect], buf: &mut Buffer, look: &Look) {
        let Some(wide) = self.in_header(area.width, look) else { return self.draw_below(area, buf, look) };
        let place = Rect { x: area.right() - wide, width: wide, height: 1, ..area };
        let left = tabs.iter().find(|tab| tab.right() > place.x).map_or(place.x, |tab| tab.x.min(place.x));
        Clear.render(Rect { x: left, width: place.right() - left, ..place }, buf);
        put(look.span(self.role(), format!(" {} {} ", self.mark(look), self.text)), place, buf);
    }

    fn draw_below(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let narrow = NARROW.max(area.width / 2);
        let most = if self.text.trim_end().contains('\n') { WIDEST } else { narrow };
        let most = most.min(area.width.saturating_sub(6));
        let mut lines = lines(&self.text, most);
        // Between the header and the footer.
        let high = (lines.len() as u16 + 2).min(area.height.saturating_sub(2));
        let shown = usize::from(high.saturating_sub(2));
        if lines.len() > shown {
            lines.truncate(shown);
            if let Some(last) = lines.last_mut() {
                *last = clip(last, most.saturating_sub(2), look) + " " + look.glyphs.ellipsis;
            }
        }
        let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0) + 6;
        let place = Rect { x: area.right().saturating_sub(wide), y: area.y + 1, width: wide, height: high };
        Clear.render(place, buf);
        let style = look.style(self.role());
        let block = Block::new().borders(Borders::ALL).border_set(look.glyphs.border).border_style(style);
        let inner = block.inner(place);
        block.render(place, buf);
        for (index, text) in lines.into_iter().enumerate() {
            let mark = if index == 0 { self.mark(look) } else { " " };
            let line = Line::from(vec![look.span(self.role(), format!(" {mark} ")), look.span(Role::Text, text)]);
            put(line, row(inner, index as u16), buf);
        }
    }
}

/// Returns the text's lines, with too long ones wrapped. A line that fits stays unchanged, so that the marks below a quoted source
/// line keep their columns.
fn lines(text: &str, cells: u16) -> Vec<String> {
    let fitted = |line: &str| match width(line) <= cells {
        true => vec![line.to_owned()],
        false => wrap(line, cells),
    };
    text.trim_end().lines().flat_map(fitted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, tone: Tone, (wide, high): (u16, u16)) -> Vec<String> {
        let area = Rect::new(0, 0, wide, high);
        let mut buf = Buffer::filled(area, ratatui::buffer::Cell::new("·"));
        let tabs = [Rect::new(1, 0, 9, 1), Rect::new(11, 0, 9, 1)];
        let look = crate::app::stage::look();
        Notice::new(tone, text.to_owned(), Instant::now()).draw(area, &tabs, &mut buf, &look);
        let rows = (0..high).map(|y| (0..wide).map(|x| buf[(x, y)].symbol()).collect::<String>());
        rows.collect()
    }

    #[test]
    fn a_short_one_stands_beside_the_tabs() {
        let rows = drawn("Saved", Tone::Good, (30, 6));
        assert_eq!(rows[0], format!("{} ✓ Saved ", "·".repeat(21)));
        assert!(rows[1..].iter().all(|row| *row == "·".repeat(30)));
    }

    #[test]
    fn a_longer_one_covers_whole_tabs_for_as_long_as_it_stands() {
        let rows = drawn("a longer one", Tone::Info, (30, 6));
        assert_eq!(rows[0], format!("{}    ▸ a longer one ", "·".repeat(11)));
        assert!(rows[1..].iter().all(|row| *row == "·".repeat(30)));
    }

    #[test]
    fn a_long_one_hangs_below_the_header_and_leaves_the_footer() {
        let text =
            "the file cannot be read\n  1 | here = \n    |     ^ a value is missing, and this goes on and on and on";
        let rows = drawn(text, Tone::Bad, (40, 8));
        assert_eq!(rows[0], "·".repeat(40));
        assert!(rows[2].contains("✗ the file cannot be read"), "{rows:#?}");
        assert!(rows[3].contains("  1 | here ="), "{rows:#?}");
        assert_eq!(rows[7], "·".repeat(40));
        let all = rows.concat();
        assert!(all.contains("a value is missing") && all.contains("goes on"), "{rows:#?}");
    }

    #[test]
    fn what_no_screen_holds_shows_so() {
        let rows = drawn(&"word ".repeat(400), Tone::Bad, (40, 12));
        assert_eq!(rows[11], "·".repeat(40));
        assert!(rows[9].contains('…'), "{rows:#?}");
    }

    #[test]
    fn errors_stay_and_the_rest_goes() {
        let until = |tone| Notice::new(tone, String::new(), Instant::now()).until;
        assert!(until(Tone::Bad).is_none() && until(Tone::Good).is_some() && until(Tone::Info).is_some());
    }
}
