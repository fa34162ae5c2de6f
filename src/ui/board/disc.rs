//! Discs, men and kings in sizes from one cell up. South's pieces are filled and North's are rings, so that they differ
//! without colour; in ASCII they are X and O. On a coloured board both are filled, dark and light. Kings have a crown where it fits,
//! and their letter. Where the terminal shows pictures, they are pictures on a coloured board.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::side_role;
use crate::game::{Piece, Side};
use crate::pictures::{self, Motif};
use crate::theme::{Role, lighter, rgb};
use crate::ui::Look;

/// The rows of a piece, all equally wide.
type Rows = &'static [&'static str];

/// The shapes of pieces in one size, `[South, North]`.
struct Shape {
    /// The smallest square that it fits.
    square: (u16, u16),
    men: [Rows; 2],
    kings: [Rows; 2],
}

/// From the largest to the smallest. Smaller squares show one character.
const BLOCKS: [Shape; 4] = [
    Shape {
        square: (9, 4),
        men: [&["▄█████▄", "███████", "███████", "▀█████▀"], &["▄▀▀▀▀▀▄", "█     █", "█     █", "▀▄▄▄▄▄▀"]],
        kings: [&["█▄▄█▄▄█", "███████", "███████", "▀█████▀"], &["▙▄▞▀▚▄▟", "█     █", "█     █", "▀▄▄▄▄▄▀"]],
    },
    Shape {
        square: (7, 3),
        men: [&["▄███▄", "█████", "▀███▀"], &["▄▀▀▀▄", "█   █", "▀▄▄▄▀"]],
        kings: [&["█▄█▄█", "█████", "▀███▀"], &["▙▞▀▚▟", "█   █", "▀▄▄▄▀"]],
    },
    Shape {
        square: (5, 2), men: [&["▟█▙", "▜█▛"], &["▞▀▚", "▚▄▞"]], kings: [&["▙█▟", "▜█▛"], &["▌▀▐", "▚▄▞"]]
    },
    Shape { square: (3, 1), men: [&["▐█▌"], &["( )"]], kings: [&["▐█▌"], &["( )"]] },
];

const LETTERS: [Shape; 3] = [
    Shape {
        square: (9, 4),
        men: [&[" XXXXX ", "XXXXXXX", "XXXXXXX", " XXXXX "], &[" OOOOO ", "O     O", "O     O", " OOOOO "]],
        kings: [&["X  X  X", "XXXXXXX", "XXXXXXX", " XXXXX "], &["O  O  O", "O     O", "O     O", " OOOOO "]],
    },
    Shape {
        square: (7, 3),
        men: [&[" XXX ", "XXXXX", " XXX "], &[" OOO ", "O   O", " OOO "]],
        kings: [&["X X X", "XXXXX", " XXX "], &["O O O", "O   O", " OOO "]],
    },
    Shape { square: (5, 2), men: [&["XXX", "XXX"], &["OOO", "O O"]], kings: [&["X X", "XXX"], &["O O", "OOO"]] },
];

/// A character drawn on a piece, and its role.
pub(super) type Mark = (&'static str, Role);

/// The one character for a side's pieces.
pub(super) fn letter(side: Side, look: &Look) -> &'static str {
    look.glyphs.discs[side.index()]
}

/// Returns the style of a side's pieces: colours and weight only, because underline and reverse would distort the
/// blocks.
fn ink(side: Side, is_colored: bool, look: &Look) -> Style {
    let role = match (is_colored, side) {
        (true, Side::South) => Role::PieceDark,
        (true, Side::North) => Role::PieceLight,
        (false, side) => side_role(side, true),
    };
    let style = look.style(role);
    Style { fg: style.fg, bg: style.bg, ..Style::new() }.add_modifier(style.add_modifier & Modifier::BOLD)
}

/// The smallest square with a picture.
const PICTURED: (u16, u16) = (5, 2);

/// Draws a piece as a picture over its whole square, on the square's background, which is lighter under the cursor; false if there is
/// none.
pub(super) fn draw_picture(piece: &DiscPicture, square: Rect, buf: &mut Buffer, look: &Look) -> bool {
    let Some(pictures) = look.pictures.as_deref() else { return false };
    if square.width < PICTURED.0 || square.height < PICTURED.1 {
        return false;
    }
    let color = |role: Role| look.style(role).fg.and_then(rgb);
    let ground = buf[square.as_position()].bg;
    let ground = if piece.is_at_hand { lighter(ground).unwrap_or(ground) } else { ground };
    let ink = if piece.piece.side == Side::South { Role::PieceDark } else { Role::PieceLight };
    let Some((ink, ground)) = color(ink).zip(rgb(ground)) else { return false };
    let mark = piece.mark.and_then(|(shape, role)| Some((shape, color(role)?)));
    let crown = piece.piece.king.then(|| color(Role::Accent).unwrap_or(ground));
    pictures.place(Motif::Disc { ink, is_cut: piece.is_cut, crown, mark }, ground, square, buf)
}

/// A piece as a picture.
pub(super) struct DiscPicture {
    pub piece: Piece,
    /// It is a man of checkers.
    pub is_cut: bool,
    pub is_at_hand: bool,
    pub mark: Option<(pictures::Mark, Role)>,
}

/// Draws a piece in the middle of its square, on the square's background, with a mark in the middle of the piece.
pub(super) fn draw(piece: Piece, mark: Option<Mark>, square: Rect, is_colored: bool, buf: &mut Buffer, look: &Look) {
    let shapes: &[Shape] = if look.glyphs.has_blocks() { &BLOCKS } else { &LETTERS };
    let ink = ink(piece.side, is_colored, look);
    // Colours tell the sides apart; letters stay.
    let filled = piece.side == Side::South || is_colored && look.glyphs.has_blocks();
    let fits = |shape: &&Shape| shape.square.0 <= square.width && shape.square.1 <= square.height;
    let Some(shape) = shapes.iter().find(fits) else {
        return draw_letter(piece, mark, square, ink, buf, look);
    };
    let rows = if piece.king { shape.kings } else { shape.men }[usize::from(!filled)];
    let wide = rows[0].chars().count() as u16;
    let high = rows.len() as u16;
    let left = square.x + (square.width - wide) / 2;
    let top = square.y + (square.height - high) / 2;
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

/// Draws a piece on a square of two or three cells: one character, and the mark beside it.
fn draw_letter(piece: Piece, mark: Option<Mark>, square: Rect, ink: Style, buf: &mut Buffer, look: &Look) {
    if square.is_empty() {
        return;
    }
    let x = square.x + (square.width - 1) / 2;
    let y = square.y + (square.height - 1) / 2;
    buf[(x, y)].set_symbol(letter(piece.side, look)).set_style(ink);
    if let Some((text, role)) = mark.filter(|_| x + 1 < square.right()) {
        buf[(x + 1, y)].set_symbol(text).set_style(emphasis(role, look));
    }
}

/// A role's colour and weight, without its underline and reverse.
pub(super) fn emphasis(role: Role, look: &Look) -> Style {
    let style = look.style(role);
    Style { fg: style.fg, ..Style::new() }.add_modifier(style.add_modifier & (Modifier::BOLD | Modifier::DIM))
}
