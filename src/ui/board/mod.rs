//! A board, drawn as large as its place allows: pits and stores in `pits`, squares in `squares`.
//!
//! Both draw the same [`View`]: what lies on the board, who sits below, and what is marked. Each takes of the marks what means
//! something on its kind of board.

mod disc;
mod pits;
mod squares;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Look;
use crate::game::{Board, Place, Side};

/// What to draw.
pub struct View<'a> {
    pub board: &'a Board,
    /// The side that sits below.
    pub seat: Side,
    /// What the sides are called, `[south, north]`.
    pub names: [&'static str; 2],
    /// Places that can be named next in a move.
    pub playable: Vec<Place>,
    /// Pieces one of which has to capture.
    pub forced: Vec<Place>,
    /// Places of the move being entered that have been named.
    pub named: Vec<Place>,
    /// The places that named the last move.
    pub last: Vec<Place>,
    /// What the last move added to a place (or took away), for a mark beside its count.
    pub changes: Vec<(Place, i32)>,
    /// Where the hand is, while a move is shown; where the cursor is, while a position is set up.
    pub hand: Option<Place>,
    /// Where the cursor is with which a move is entered.
    pub cursor: Option<Place>,
    /// Pieces that the move under the cursor would turn over or take.
    pub preview: Vec<Place>,
    /// Places to point at: those of a hint, in order.
    pub pointed: Vec<Place>,
    /// What an analysis says of the moves that are named by one place: at most three characters each.
    pub values: Vec<(Place, String)>,
    /// What stands below each side's count beside a board of squares, `[south, north]`.
    pub notes: [String; 2],
}

impl<'a> View<'a> {
    /// The board without any marks.
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
}

/// The cells that the board takes in an area of at most `room`, names and figures included; more than `room` if it cannot be
/// drawn that small.
pub fn size(board: &Board, room: (u16, u16)) -> (u16, u16) {
    match board {
        Board::Pits(board) => pits::size(board.pits_a_side(), room),
        Board::Squares(board) => squares::size(board, room),
    }
}

/// Draws the board in the middle of `area`; gives where each place is, for the mouse.
pub fn draw(view: &View, area: Rect, buf: &mut Buffer, look: &Look) -> Vec<(Rect, Place)> {
    match view.board {
        Board::Pits(board) => pits::draw(view, board, area, buf, look),
        Board::Squares(board) => squares::draw(view, board, area, buf, look),
    }
}
