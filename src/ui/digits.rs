//! Numbers drawn large.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Digits of 3×5 pixels, a row of three bits each.
const FONT: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b011, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// The rows of digits of three characters each, and three rows, without blocks.
const SEGMENTS: [[&str; 3]; 10] = [
    [" _ ", "| |", "|_|"],
    ["   ", "  |", "  |"],
    [" _ ", " _|", "|_ "],
    [" _ ", " _|", " _|"],
    ["   ", "|_|", "  |"],
    [" _ ", "|_ ", " _|"],
    [" _ ", "|_ ", "|_|"],
    [" _ ", "  |", "  |"],
    [" _ ", "|_|", "|_|"],
    [" _ ", "|_|", " _|"],
];

/// The characters of a pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pixel {
    /// Two rows of pixels per row of half blocks: 3×3 cells per digit.
    Half,
    /// One character per pixel: 3×5 cells per digit.
    Char(char),
    /// Lines of characters instead of pixels: 3×3 cells per digit.
    Segment,
}

/// Cells between two digits.
const GAP: u16 = 1;

impl Pixel {
    /// Returns the cells of a digit, or of a colon.
    fn size(self, c: char) -> (u16, u16) {
        (if c == ':' { 1 } else { 3 }, if matches!(self, Pixel::Char(_)) { 5 } else { 3 })
    }
}

/// Returns whether a text has only characters that are drawn large: digits and colons.
pub fn can_draw(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == ':')
}

/// Returns the cells of a text.
pub fn size(text: &str, pixel: Pixel) -> (u16, u16) {
    let width: u16 = text.chars().map(|c| pixel.size(c).0 + GAP).sum();
    (width.saturating_sub(GAP), pixel.size('0').1)
}

/// Draws `text` at the top left corner of `area`, clipped to `area`.
pub fn draw(text: &str, pixel: Pixel, area: Rect, buf: &mut Buffer, style: Style) {
    let mut left = area.x;
    for c in text.chars() {
        let (width, height) = pixel.size(c);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let place = (left + x, area.y + y);
            if let Some(glyph) = glyph(c, pixel, x, y).filter(|_| area.contains(place.into())) {
                buf[place].set_char(glyph).set_style(style);
            }
        }
        left += width + GAP;
    }
}

fn glyph(c: char, pixel: Pixel, x: u16, y: u16) -> Option<char> {
    let Some(digit) = c.to_digit(10) else { return colon(pixel, y) };
    let rows = &FONT[digit as usize];
    let lit = |x: u16, y: u16| rows.get(usize::from(y)).is_some_and(|row| row >> (2 - x) & 1 == 1);
    match pixel {
        Pixel::Half => half(lit(x, 2 * y), lit(x, 2 * y + 1)),
        Pixel::Char(c) => lit(x, y).then_some(c),
        Pixel::Segment => {
            let row = SEGMENTS[digit as usize][usize::from(y)];
            row.chars().nth(usize::from(x)).filter(|c| *c != ' ')
        }
    }
}

/// The character of two pixels, one above the other.
fn half(upper: bool, lower: bool) -> Option<char> {
    match (upper, lower) {
        (true, true) => Some('█'),
        (true, false) => Some('▀'),
        (false, true) => Some('▄'),
        (false, false) => None,
    }
}

/// A colon has pixels in the second and the fourth of five rows.
fn colon(pixel: Pixel, y: u16) -> Option<char> {
    match pixel {
        Pixel::Half => (y < 2).then_some('▄'),
        Pixel::Char(c) => (y % 2 == 1).then_some(c),
        Pixel::Segment => (y > 0).then_some('.'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_four_looks_like_a_four() {
        let area = Rect::new(0, 0, 3, 5);
        let mut buf = Buffer::empty(area);
        draw("4", Pixel::Char('#'), area, &mut buf, Style::new());
        let expected = Buffer::with_lines(["# #", "# #", "###", "  #", "  #"]);
        assert_eq!(
            buf.content.iter().map(|c| c.symbol()).collect::<Vec<_>>(),
            expected.content.iter().map(|c| c.symbol()).collect::<Vec<_>>()
        );
        let area = Rect::new(0, 0, 13, 3);
        let mut buf = Buffer::empty(area);
        draw("1:25", Pixel::Segment, area, &mut buf, Style::new());
        let rows = buf.content.chunks(13).map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>());
        assert_eq!(rows.collect::<Vec<_>>(), ["       _   _ ", "  | .  _| |_ ", "  | . |_   _|"]);
        assert!(can_draw("1:25") && !can_draw("3 d"));
        assert_eq!(size("4:8", Pixel::Half), (9, 3));
    }
}
