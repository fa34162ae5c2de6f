//! Discs and men, from one cell to some dozens: South's are filled and North's are rings, so that no colour is needed to tell
//! them apart; in ASCII they are X and O.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::game::{Piece, Side};
use crate::theme::Role;
use crate::ui::Look;

/// A disc in one size: its rows, all equally wide.
struct Shape {
    /// The square that it is for, at least.
    square: (u16, u16),
    filled: &'static [&'static str],
    ring: &'static [&'static str],
}

/// From the largest to the smallest; smaller squares hold one character.
const BLOCKS: [Shape; 3] = [
    Shape {
        square: (7, 3), filled: &["▄███▄", "█████", "▀███▀"], ring: &["▄▀▀▀▄", "█   █", "▀▄▄▄▀"]
    },
    Shape { square: (5, 2), filled: &["▟█▙", "▜█▛"], ring: &["▞▀▚", "▚▄▞"] },
    Shape { square: (3, 1), filled: &["▐█▌"], ring: &["( )"] },
];

const LETTERS: [Shape; 2] = [
    Shape { square: (7, 3), filled: &[" XXX ", "XXXXX", " XXX "], ring: &[" OOO ", "O   O", " OOO "] },
    Shape { square: (5, 2), filled: &["XXX", "XXX"], ring: &["OOO", "O O"] },
];

/// What is written into a piece, and in which role.
pub(super) type Mark = (&'static str, Role);

/// The one character for a side's pieces.
pub(super) fn letter(side: Side, look: &Look) -> &'static str {
    look.glyphs.discs[side.index()]
}

/// The colour of a side's pieces. Nothing else of the style, for lines through blocks would be read as part of them.
fn ink(side: Side, look: &Look) -> Style {
    let style = look.style(if side == Side::South { Role::South } else { Role::North });
    Style { fg: style.fg, bg: style.bg, ..Style::new() }.add_modifier(style.add_modifier & Modifier::BOLD)
}

/// Draws a piece in the middle of its square, upon the style that the square has, with a mark in the middle of the piece.
pub(super) fn draw(piece: Piece, mark: Option<Mark>, square: Rect, buf: &mut Buffer, look: &Look) {
    let shapes: &[Shape] = if look.glyphs.braille { &BLOCKS } else { &LETTERS };
    let ink = ink(piece.side, look);
    let filled = piece.side == Side::South;
    let fits = |shape: &&Shape| shape.square.0 <= square.width && shape.square.1 <= square.height;
    let Some(shape) = shapes.iter().find(fits) else {
        return draw_letter(piece, mark, square, buf, look);
    };
    let rows = if filled { shape.filled } else { shape.ring };
    let (wide, high) = (rows[0].chars().count() as u16, rows.len() as u16);
    let (left, top) = (square.x + (square.width - wide) / 2, square.y + (square.height - high) / 2);
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().enumerate().filter(|(_, c)| *c != ' ') {
            buf[(left + x as u16, top + y as u16)].set_char(c).set_style(ink);
        }
    }
    let Some((text, role)) = mark else { return };
    let style = if filled {
        // Cut out of the disc.
        ink.add_modifier(Modifier::REVERSED)
    } else {
        emphasis(role, look)
    };
    buf[(left + wide / 2, top + (high - 1) / 2)].set_symbol(text).set_style(style);
}

/// Squares of two or three cells: a character, and beside it the mark.
fn draw_letter(piece: Piece, mark: Option<Mark>, square: Rect, buf: &mut Buffer, look: &Look) {
    if square.is_empty() {
        return;
    }
    let (x, y) = (square.x + (square.width - 1) / 2, square.y + (square.height - 1) / 2);
    buf[(x, y)].set_symbol(letter(piece.side, look)).set_style(ink(piece.side, look));
    if let Some((text, role)) = mark.filter(|_| x + 1 < square.right()) {
        buf[(x + 1, y)].set_symbol(text).set_style(emphasis(role, look));
    }
}

/// A role's colour and weight, without its underline and reverse.
pub(super) fn emphasis(role: Role, look: &Look) -> Style {
    let style = look.style(role);
    Style { fg: style.fg, ..Style::new() }.add_modifier(style.add_modifier & (Modifier::BOLD | Modifier::DIM))
}
