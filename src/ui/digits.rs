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

/// The characters of a pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pixel {
    /// Two rows of pixels per row of half blocks: 3×3 cells per digit.
    Half,
    /// One character per pixel: 3×5 cells per digit.
    Char(char),
}

/// Cells between two digits.
const GAP: u16 = 1;

impl Pixel {
    /// Returns the cells of one digit.
    fn size(self) -> (u16, u16) {
        match self {
            Pixel::Half => (3, 3),
            Pixel::Char(_) => (3, 5),
        }
    }
}

/// Returns the cells of a number.
pub fn size(number: u16, pixel: Pixel) -> (u16, u16) {
    let count = number.to_string().len() as u16;
    let (width, height) = pixel.size();
    (count * (width + GAP) - GAP, height)
}

/// Draws `number` at the top left corner of `area`, clipped to `area`.
pub fn draw(number: u16, pixel: Pixel, area: Rect, buf: &mut Buffer, style: Style) {
    let (width, height) = pixel.size();
    for (index, digit) in number.to_string().bytes().enumerate() {
        let rows = &FONT[usize::from(digit - b'0')];
        let left = area.x + index as u16 * (width + GAP);
        for y in 0..height {
            for x in 0..width {
                let place = (left + x, area.y + y);
                if let Some(c) = glyph(rows, pixel, x, y).filter(|_| area.contains(place.into())) {
                    buf[place].set_char(c).set_style(style);
                }
            }
        }
    }
}

fn glyph(rows: &[u8; 5], pixel: Pixel, x: u16, y: u16) -> Option<char> {
    let lit = |x: u16, y: u16| rows.get(usize::from(y)).is_some_and(|row| row >> (2 - x) & 1 == 1);
    match pixel {
        Pixel::Half => match (lit(x, 2 * y), lit(x, 2 * y + 1)) {
            (true, true) => Some('█'),
            (true, false) => Some('▀'),
            (false, true) => Some('▄'),
            (false, false) => None,
        },
        Pixel::Char(c) => lit(x, y).then_some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_four_looks_like_a_four() {
        let area = Rect::new(0, 0, 3, 5);
        let mut buf = Buffer::empty(area);
        draw(4, Pixel::Char('#'), area, &mut buf, Style::new());
        let expected = Buffer::with_lines(["# #", "# #", "###", "  #", "  #"]);
        assert_eq!(
            buf.content.iter().map(|c| c.symbol()).collect::<Vec<_>>(),
            expected.content.iter().map(|c| c.symbol()).collect::<Vec<_>>()
        );
        assert_eq!(size(48, Pixel::Half), (7, 3));
    }
}
