//! Boards that use only the dark squares: their numbers, the light squares, and the marks beside pieces.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Painter, square_of};
use crate::game::{Place, Side, Squares};
use crate::theme::Role;
use crate::ui::board::disc::{Mark, emphasis};
use crate::ui::{Look, put, width};

impl Painter<'_> {
    /// Draws the numbers of the dark squares in the lines above them, each with its piece's mark; without lines only
    /// the first number of each row, on the left. Hatches the light squares.
    pub(super) fn numbers(&self, buf: &mut Buffer) {
        let cursor = self.view.cursor.or(self.view.hand).and_then(square_of);
        for square in self.board.squares() {
            let at = self.square_place(square);
            let name = self.board.name(square);
            if name.is_empty() {
                if self.skin.is_none() {
                    self.hatch(at, buf);
                }
                continue;
            }
            let role = if cursor == Some(square) { Role::Accent } else { Role::Dim };
            let wide = width(&name);
            if self.scale.framed {
                let role = if self.skin.is_some() && role == Role::Dim { Role::SquareDark } else { role };
                put(self.look.span(role, name), self.inside(Rect { y: at.y - 1, height: 1, ..at }), buf);
                if let Some((mark, role)) = self.mark_of_piece(square) {
                    let end = Rect { x: at.right() - 1, y: at.y - 1, width: 1, height: 1 };
                    put(self.look.span(role, mark), self.inside(end), buf);
                }
            } else if self.at(square).0 < 2 {
                let x = self.place.x + self.scale.labels(self.board).saturating_sub(1 + wide);
                put(self.look.span(role, name), self.inside(Rect { x, width: wide, ..at }), buf);
            }
        }
    }

    /// Draws an unused square.
    fn hatch(&self, at: Rect, buf: &mut Buffer) {
        let style = emphasis(Role::Border, self.look);
        for position in at.positions() {
            buf[position].set_symbol(self.look.glyphs.hatch).set_style(style);
        }
    }

    /// Returns the mark beside a piece: the piece of a hint, or one that must jump.
    pub(super) fn mark_of_piece(&self, square: u8) -> Option<Mark> {
        let place = Place::Square(square);
        let glyphs = &self.look.glyphs;
        self.board.get(square)?;
        match () {
            () if self.view.pointed.contains(&place) => Some((glyphs.pointer, Role::Accent)),
            () if self.view.forced.contains(&place) => Some((glyphs.must, Role::Warning)),
            () => None,
        }
    }
}

/// Returns `9 men 3K` or `2 kings`, in at most nine cells.
pub(super) fn men_and_kings(board: &Squares, side: Side, look: &Look) -> String {
    let kings = board.count_kings(side);
    let men = board.count(side) - kings;
    let word = |count: u16, one: &'static str, more: &'static str| if count == 1 { one } else { more };
    match (men, kings) {
        (men, 0) => format!("{men} {}", word(men, "man", "men")),
        (0, kings) => format!("{kings} {}", word(kings, "king", "kings")),
        _ => format!("{men} {} {kings}{}", word(men, "man", "men"), look.glyphs.king),
    }
}
