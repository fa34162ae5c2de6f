//! Where the Board tab's panels go. The board comes first: others get what it leaves, and are left out before it shrinks.

use ratatui::layout::Rect;

use crate::ui::board;

/// The panels' places; an empty one is not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub board: Rect,
    pub moves: Rect,
    pub analysis: Rect,
    /// Too small for frames: bare text only.
    pub compact: bool,
}

/// A turn of the move list takes at least this, frame included.
const MOVES_LEAST: u16 = 19;
const MOVES_MOST: u16 = 40;

/// Lines of the analysis' frame, or of what stands above it where there are no frames.
const ANALYSIS_FRAME: u16 = 2;

/// Rows of the board panel beside the board: the frame and the story of the last move.
const BOARD_FRAME: u16 = 3;

/// `lower`: lines wanted below the board, for the analysis or the terms of a position; 0 for none.
pub fn layout(area: Rect, pits: usize, lower: u16) -> Layout {
    let empty = Rect { width: 0, height: 0, ..area };
    if area.width < 60 || area.height < 16 {
        return compact(area, pits, lower, empty);
    }
    let analysis_height = if lower > 0 { lower + ANALYSIS_FRAME } else { 0 };
    let upper = Rect { height: area.height - analysis_height.min(area.height / 2), ..area };
    let analysis = Rect { y: upper.bottom(), height: area.bottom() - upper.bottom(), ..area };
    let room = |moves: u16| (area.width.saturating_sub(moves + 2), upper.height - BOARD_FRAME);
    // The moves widen as far as the board keeps its size.
    let best = board::size(pits, room(MOVES_LEAST));
    let widest = (MOVES_LEAST..=MOVES_MOST)
        .rev()
        .find(|&moves| board::size(pits, room(moves)) == best && best.0 <= room(moves).0);
    let moves_width = widest.unwrap_or(0);
    let board = Rect { width: area.width - moves_width, ..upper };
    let moves = Rect { x: board.right(), width: moves_width, ..upper };
    Layout { board, moves, analysis, compact: false }
}

/// No frames: the board, two lines about the game, and what is left for the analysis.
fn compact(area: Rect, pits: usize, lower: u16, empty: Rect) -> Layout {
    let least = board::size(pits, (area.width, 0)).1 + 3;
    let left = area.height.saturating_sub(least);
    let analysis_height = if lower > 0 { left.min(lower + ANALYSIS_FRAME) } else { 0 };
    let board = Rect { height: area.height - analysis_height, ..area };
    let analysis = Rect { y: board.bottom(), height: analysis_height, ..area };
    Layout { board, moves: empty, analysis, compact: true }
}
