//! Where the Board tab's panels go. The board comes first: others get what it leaves, and are left out before it shrinks.
//!
//! A board of pits is wide: the moves go beside it, an analysis below. One of squares is high: all else goes beside it, on small
//! screens also what else stands above and below.

use ratatui::layout::Rect;

use crate::game::Board;
use crate::ui::board;

/// The panels' places; an empty one is not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub board: Rect,
    /// Where the two players and the story of the game stand, if not around the board.
    pub beside: Rect,
    pub moves: Rect,
    pub analysis: Rect,
    /// Too small for frames: bare text only.
    pub compact: bool,
}

/// A turn of the move list takes at least this, frame included.
const MOVES_LEAST: u16 = 19;
const MOVES_MOST: u16 = 40;

/// Rows of the move list that an analysis beside the board leaves it.
const MOVES_LEFT: u16 = 7;

/// Lines of the analysis' frame, or of what stands above it where there are no frames.
const ANALYSIS_FRAME: u16 = 2;

/// Rows of the board panel beside the board: the frame and the story of the last move.
const BOARD_FRAME: u16 = 3;

/// `lower`: lines wanted for the analysis or the terms of a position; 0 for none.
pub fn layout(area: Rect, board: &Board, lower: u16) -> Layout {
    let empty = Rect { width: 0, height: 0, ..area };
    let high = matches!(board, Board::Squares(_));
    // Squares are framed in no less than this.
    if area.width < 60 || area.height < if high { 21 } else { 16 } {
        return if high { beside(area, board, lower, empty) } else { compact(area, board, lower, empty) };
    }
    let wanted = if lower > 0 { lower + ANALYSIS_FRAME } else { 0 };
    let below = if high { 0 } else { wanted.min(area.height / 2) };
    let upper = Rect { height: area.height - below, ..area };
    let room = |moves: u16| (area.width.saturating_sub(moves + 2), upper.height - BOARD_FRAME);
    // The moves widen as far as the board keeps its size.
    let best = board::size(board, room(MOVES_LEAST));
    let widest = (MOVES_LEAST..=MOVES_MOST)
        .rev()
        .find(|&moves| board::size(board, room(moves)) == best && best.0 <= room(moves).0);
    let moves_width = widest.unwrap_or(0);
    let board = Rect { width: area.width - moves_width, ..upper };
    let column = Rect { x: board.right(), width: moves_width, ..upper };
    let under = Rect { y: upper.bottom(), height: below, ..area };
    let (moves, analysis) = if high { split(column, wanted) } else { (column, under) };
    Layout { board, beside: empty, moves, analysis, compact: false }
}

/// The moves above, and below them what is wanted for the analysis.
fn split(column: Rect, wanted: u16) -> (Rect, Rect) {
    let height = wanted.min(column.height.saturating_sub(MOVES_LEFT));
    let moves = Rect { height: column.height - height, ..column };
    (moves, Rect { y: moves.bottom(), height, ..column })
}

/// No frames: the board, two lines about the game, and what is left for the analysis.
fn compact(area: Rect, board: &Board, lower: u16, empty: Rect) -> Layout {
    let least = board::size(board, (area.width, 0)).1 + 3;
    let left = area.height.saturating_sub(least);
    let analysis_height = if lower > 0 { left.min(lower + ANALYSIS_FRAME) } else { 0 };
    let board = Rect { height: area.height - analysis_height, ..area };
    let analysis = Rect { y: board.bottom(), height: analysis_height, ..area };
    Layout { board, beside: empty, moves: empty, analysis, compact: true }
}

/// What stands beside a board of squares takes at least this.
const BESIDE_LEAST: u16 = 20;

/// Rows for a player beside the board.
pub const PLAYER: u16 = 2;

/// Rows for the story between the players, where an analysis leaves no more.
const STORY: u16 = 2;

/// No frames, and nothing above or below the board.
fn beside(area: Rect, board: &Board, lower: u16, empty: Rect) -> Layout {
    let width = board::size(board, (area.width.saturating_sub(BESIDE_LEAST + 1), area.height)).0.min(area.width);
    let place = Rect { width, ..area };
    let column = Rect { x: place.right() + 1, width: (area.width - width).saturating_sub(1), ..area };
    let left = column.height.saturating_sub(2 * PLAYER + STORY);
    let height = if lower > 0 { left.min(lower + ANALYSIS_FRAME) } else { 0 };
    let beside = Rect { height: column.height - height, ..column };
    let analysis = Rect { y: beside.bottom(), height, ..column };
    Layout { board: place, beside, moves: empty, analysis, compact: true }
}
