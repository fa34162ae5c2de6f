//! A board, drawn as large as its area allows: pits and stores in `pits`, squares in `squares`.
//!
//! Both draw the same [`View`]: the pieces or seeds, the side at the bottom, and the marks. Each ignores marks without
//! a meaning on its kind of board.

mod disc;
#[cfg(test)]
mod picture_tests;
mod pits;
mod squares;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::Look;
use crate::game::{Board, Place, Side};
use crate::theme::Role;

/// Returns the role of a side: on boards of squares the sides are Black and White, with their own.
pub(crate) fn side_role(side: Side, is_square: bool) -> Role {
    match (side, is_square) {
        (Side::South, true) => Role::Black,
        (Side::North, true) => Role::White,
        (Side::South, false) => Role::South,
        (Side::North, false) => Role::North,
    }
}

/// The board to draw, with its marks.
pub struct View<'a> {
    pub board: &'a Board,
    /// The side drawn at the bottom.
    pub seat: Side,
    /// The names of the sides, `[south, north]`.
    pub names: [&'static str; 2],
    /// Places that can be entered next in a move.
    pub playable: Vec<Place>,
    /// Pieces that must capture (one of them).
    pub forced: Vec<Place>,
    /// Places already entered of the current move.
    pub named: Vec<Place>,
    /// The places that name the last move.
    pub last: Vec<Place>,
    /// The change of each place by the last move (+ or −), for a mark beside its count.
    pub changes: Vec<(Place, i32)>,
    /// The position of the hand during an animated move, or of the cursor while a position is set up.
    pub hand: Option<Place>,
    /// The position of the cursor that enters moves.
    pub cursor: Option<Place>,
    /// Pieces that the move under the cursor flips or captures.
    pub preview: Vec<Place>,
    /// The places of a hint, in order.
    pub pointed: Vec<Place>,
    /// Analysis values of moves named by one place: at most three characters each.
    pub values: Vec<(Place, String)>,
    /// Notes below each side's count beside a board of squares, `[south, north]`.
    pub notes: [String; 2],
}

impl<'a> View<'a> {
    /// Returns the board without marks.
    pub fn new(board: &'a Board, seat: Side, names: [&'static str; 2]) -> View<'a> {
        View {
            board,
            seat,
            names,
            playable: Vec::new(),
            forced: Vec::new(),
            named: Vec::new(),
            last: Vec::new(),
            changes: Vec::new(),
            hand: None,
            cursor: None,
            preview: Vec::new(),
            pointed: Vec::new(),
            values: Vec::new(),
            notes: [String::new(), String::new()],
        }
    }

    /// Returns whether the hand or the cursor is at a place.
    fn is_at_hand(&self, place: Place) -> bool {
        self.hand == Some(place) || self.cursor == Some(place)
    }
}

/// Returns the cells that the board needs in an area of at most `room`, names and figures included; more than `room` if
/// it cannot be drawn that small.
pub fn size(board: &Board, room: (u16, u16)) -> (u16, u16) {
    match board {
        Board::Pits(board) => pits::size(board.pits_a_side(), room),
        Board::Squares(board) => squares::size(board, room),
    }
}

/// Draws the board in the middle of `area`. Returns the area of each place, for the mouse.
pub fn draw(view: &View, area: Rect, buf: &mut Buffer, look: &Look) -> Vec<(Rect, Place)> {
    match view.board {
        Board::Pits(board) => pits::draw(view, board, area, buf, look),
        Board::Squares(board) => squares::draw(view, board, area, buf, look),
    }
}

/// The colours of a board's two kinds of ground, and of its lines.
#[derive(Clone, Copy)]
struct Skin {
    first: Color,
    second: Color,
    lines: Color,
}

impl Skin {
    /// Returns the skin of the backgrounds of two roles, the first with the colour of lines.
    pub fn new(first: Role, second: Role, look: &Look) -> Option<Skin> {
        let shown = |color: Option<Color>| color.filter(|color| matches!(color, Color::Rgb(..) | Color::Indexed(_)));
        let first = look.style(first);
        let second = look.style(second);
        Some(Skin { first: shown(first.bg)?, second: shown(second.bg)?, lines: shown(first.fg)? })
    }

    /// Colours the board and the places of the second kind in it.
    pub fn paint(self, board: Rect, second: impl Iterator<Item = Rect>, buf: &mut Buffer) {
        buf.set_style(board, Style::new().bg(self.first));
        second.for_each(|place| buf.set_style(place, Style::new().bg(self.second)));
    }

    /// Returns the style of the lines: on the board, or on the terminal's background if there is no skin.
    pub fn lines(skin: Option<Skin>, look: &Look) -> Style {
        skin.map_or(look.style(Role::Border), |skin| Style::new().fg(skin.lines))
    }
}
