//! Layout of the Board tab's panels. The board comes first: the others share the rest, and are dropped before the board
//! shrinks.
//!
//! A board of pits is wide: the moves go beside it, everything else below. A board of squares is high: everything else
//! goes beside it, on small screens also the players and the story. On large screens the board's growth is limited, and
//! the space goes to values: the list with values, the chart, the analysis, the terms and the players' reports.

use ratatui::layout::Rect;

use crate::game::Board;
use crate::ui::{adjoin, board};

/// The panels' areas; an empty one is not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    pub board: Rect,
    /// The areas of the two players and the story, if not around the board.
    pub beside: Rect,
    pub moves: Rect,
    /// The chart of chances.
    pub curve: Rect,
    /// The list of mistakes.
    pub mistakes: Rect,
    pub analysis: Rect,
    pub terms: Rect,
    /// The computer players' reports.
    pub reports: Rect,
    /// Too small for frames: bare text only.
    pub compact: bool,
}

/// The requested panels besides the board and the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PanelRequest {
    /// The analysis is on.
    pub analysis: bool,
    /// Its maximum number of rows.
    pub lines: u16,
    /// The terms are on, and were switched on after the analysis.
    pub terms: bool,
    pub terms_last: bool,
    /// The game has terms, on or off.
    pub has_terms: bool,
    /// Their rows, in one column and where it is wide.
    pub term_lines: [u16; 2],
    /// There is a review to draw.
    pub curve: bool,
    /// There are mistakes to list.
    pub mistakes: bool,
    /// The number of computer players.
    pub reports: u16,
    /// Rows that the text below the board needs beyond one.
    pub story: u16,
    /// The editor is open: only the board and the moves are shown.
    pub edit: bool,
}

/// Minimum width of a turn in the move list, with the frame.
const MOVES_LEAST: u16 = 19;
const MOVES_MOST: u16 = 40;

/// Rows of the move list above an analysis beside the board.
const MOVES_LEFT: u16 = 7;

/// Width that a panel's lower title leaves for the title of a panel below.
const TITLE: u16 = 17;

/// Rows of a panel's frame, or of its title without frames.
const FRAME: u16 = 2;

/// Rows of the board panel beside the board: the frame and the story of the last move.
const BOARD_FRAME: u16 = 3;

/// Columns of the terms with the frame, and the width from which they have two columns.
const TERMS: u16 = 50;
const TERMS_WIDE: u16 = 76;

/// Rows of a small chart with the frame.
const CURVE: u16 = 6;

/// Most rows of a chart with the frame.
const CURVE_MOST: u16 = 10;

/// Minimum size of screens that show everything.
const LARGE: (u16, u16) = (116, 34);

/// Whether a page of this area shows everything.
pub fn is_large(area: Rect) -> bool {
    area.width >= LARGE.0 && area.height >= LARGE.1
}

pub fn layout(area: Rect, board: &Board, wanted: &PanelRequest) -> Layout {
    let high = matches!(board, Board::Squares(_));
    // Minimum size of framed squares.
    if area.width < 60 || area.height < if high { 21 } else { 16 } {
        return if high { beside(area, board, wanted) } else { compact(area, board, wanted) };
    }
    let layout = if is_large(area) && !wanted.edit { large(area, board, wanted) } else { None };
    layout.unwrap_or_else(|| framed(area, board, wanted))
}

impl PanelRequest {
    /// Returns whether a single panel for the position holds the terms rather than the analysis.
    fn is_terms(&self) -> bool {
        self.terms && (self.terms_last || !self.analysis)
    }

    /// Rows of a single panel for the position at this width; 0 for none.
    fn lower(&self, width: u16) -> u16 {
        match () {
            () if self.edit => 0,
            () if self.is_terms() => self.term_lines[usize::from(width >= TERMS_WIDE)],
            () if self.analysis => self.lines,
            () => 0,
        }
    }

    /// Rows of the terms in one column, with the frame.
    fn term_rows(&self) -> u16 {
        self.term_lines[0] + FRAME
    }

    fn has_both(&self) -> bool {
        self.analysis && self.terms && !self.edit
    }
}

impl Layout {
    /// Lets adjoining panels share the lines between them.
    pub fn joined(mut self) -> Layout {
        if !self.compact {
            adjoin(&mut [
                &mut self.board,
                &mut self.moves,
                &mut self.curve,
                &mut self.mistakes,
                &mut self.analysis,
                &mut self.terms,
                &mut self.reports,
            ]);
        }
        self
    }

    /// Gives the moves the rows below them in which nothing is drawn.
    pub fn with_long_moves(mut self, area: Rect) -> Layout {
        let moves = self.moves;
        let others = [self.board, self.curve, self.mistakes, self.analysis, self.terms, self.reports];
        let is_below = |other: &&Rect| {
            let shares_columns = other.x + 1 < moves.right() && moves.x + 1 < other.right();
            !other.is_empty() && shares_columns && other.y + 1 >= moves.bottom()
        };
        let bottom = others.iter().filter(is_below).map(|other| other.y + 1).min().unwrap_or(area.bottom());
        if !moves.is_empty() && !self.compact {
            self.moves.height = bottom.max(moves.bottom()) - moves.y;
        }
        self
    }

    /// Width of a panel's lower title, which leaves room for the title of a panel below that shares its line.
    pub fn foot_room(&self, place: Rect) -> u16 {
        let all = [self.moves, self.curve, self.mistakes, self.analysis, self.terms, self.reports];
        let shares = |other: &Rect| other.y + 1 == place.bottom() && other.x < place.right() && place.x < other.right();
        let title = if all.iter().any(|other| !other.is_empty() && shares(other)) { TITLE } else { 0 };
        place.width.saturating_sub(4 + title)
    }

    /// Gives the single panel for the position to the one switched on last.
    fn with_lower(self, lower: Rect, wanted: &PanelRequest) -> Layout {
        if wanted.is_terms() { Layout { terms: lower, ..self } } else { Layout { analysis: lower, ..self } }
    }
}

/// Cuts `height` rows off the bottom of `area`.
fn cut_bottom(area: &mut Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    area.height -= height;
    Rect { y: area.bottom(), height, ..*area }
}

/// Cuts `width` columns off the right of `area`.
fn cut_right(area: &mut Rect, width: u16) -> Rect {
    let width = width.min(area.width);
    area.width -= width;
    Rect { x: area.right(), width, ..*area }
}

/// Keeps the upper `height` rows of `area`, and returns the others.
fn keep_top(area: &mut Rect, height: u16) -> Rect {
    let rest = area.height.saturating_sub(height);
    cut_bottom(area, rest)
}

/// Keeps the left `width` columns of `area`, and returns the others.
fn keep_left(area: &mut Rect, width: u16) -> Rect {
    let rest = area.width.saturating_sub(width);
    cut_right(area, rest)
}

/// Frames around the board, the moves, and one more panel.
fn framed(area: Rect, board: &Board, wanted: &PanelRequest) -> Layout {
    let high = matches!(board, Board::Squares(_));
    let mut upper = area;
    let mut lower = if high { Rect::default() } else { below(&mut upper, board, wanted) };
    let room = |moves: u16| (area.width.saturating_sub(moves + 2), upper.height - BOARD_FRAME);
    // The moves widen as far as the board keeps its size.
    let best = board::size(board, room(MOVES_LEAST));
    let widest = (MOVES_LEAST..=MOVES_MOST)
        .rev()
        .find(|&moves| board::size(board, room(moves)) == best && best.0 <= room(moves).0);
    let mut place = upper;
    let mut moves = cut_right(&mut place, widest.unwrap_or(0));
    let mut curve = Rect::default();
    if high {
        let wants = wanted.lower(moves.width);
        let free = moves.height.saturating_sub(MOVES_LEFT);
        let wants = if wants > 0 { wants + FRAME } else { 0 };
        lower = cut_bottom(&mut moves, wants.min(free));
        if wants == 0 && wanted.curve && !wanted.edit {
            curve = cut_bottom(&mut moves, CURVE.min(free));
        }
    } else if wanted.lower(area.width) == 0 {
        curve = std::mem::take(&mut lower);
    }
    let layout = Layout { board: place, moves, curve, ..Layout::default() };
    if wanted.has_both() && lower.width >= TERMS + 50 && lower.height >= wanted.term_rows() {
        let terms = cut_right(&mut lower, TERMS);
        return Layout { analysis: lower, terms, ..layout };
    }
    layout.with_lower(lower, wanted)
}

/// Below a board of pits: one panel for the position, both side by side, or a small chart.
fn below(upper: &mut Rect, board: &Board, wanted: &PanelRequest) -> Rect {
    let least = board::size(board, (upper.width - MOVES_LEAST - 2, 13)).1 + BOARD_FRAME + wanted.story;
    let free = upper.height.saturating_sub(least);
    if wanted.has_both() && upper.width >= TERMS + 50 && free >= wanted.term_rows() {
        return cut_bottom(upper, wanted.term_rows());
    }
    match wanted.lower(upper.width) {
        0 if wanted.curve && !wanted.edit && free >= CURVE => cut_bottom(upper, CURVE),
        0 => Rect::default(),
        _ if wanted.story > 0 && free <= FRAME => Rect::default(),
        lines => {
            let most = if wanted.story > 0 { free } else { u16::MAX };
            cut_bottom(upper, (lines + FRAME).min(upper.height / 2).min(most))
        }
    }
}

/// Minimum width of the moves beside the board on large screens, and the width from which there are two columns.
const MOVES_LARGE: u16 = 31;
const TWO_COLUMNS: u16 = 84;

/// Rows of the board panel besides the board on large screens: the frame, a blank row, two rows of the story.
const BOARD_LARGE: u16 = 5;

/// Rows from which a board of pits may take its largest size, and its most rows below.
const ROOMY: u16 = 48;
const PITS_MOST: u16 = 18;

/// `None` if the board leaves too little.
fn large(area: Rect, board: &Board, wanted: &PanelRequest) -> Option<Layout> {
    let high = matches!(board, Board::Squares(_));
    // Rows below the board, columns beside it, and rows of the story.
    let (under, right, frame) = if high { (8, 50, BOARD_LARGE - 1) } else { (14, MOVES_LARGE, BOARD_LARGE) };
    let mut room = (area.width - right - 2, area.height.checked_sub(under + frame)?);
    if !high && area.height < ROOMY {
        room.1 = room.1.min(PITS_MOST);
    }
    let size = board::size(board, room);
    if size.0 > room.0 || size.1 > room.1 || size.1 < 13 {
        return None;
    }
    let mut left = area;
    let column = keep_left(&mut left, size.0 + 2);
    let split = Split { wanted, board_rows: size.1 + frame, high };
    Some(if column.width >= TWO_COLUMNS { split.three(left, column) } else { split.two(area, left, column) })
}

/// The division of a large screen.
struct Split<'a> {
    wanted: &'a PanelRequest,
    /// Rows of the board panel.
    board_rows: u16,
    high: bool,
}

impl Split<'_> {
    /// Rows of the analysis.
    fn analysis_rows(&self) -> u16 {
        self.wanted.lines.max(4) + FRAME
    }

    /// Rows of the players' reports: four each.
    fn report_rows(&self) -> u16 {
        if self.wanted.reports > 0 { 4 * self.wanted.reports + FRAME } else { 0 }
    }

    /// Rows of the terms in a column, where other panels need some: one column, unless they would leave too little
    /// beside a board of squares.
    fn term_rows(&self, height: u16, others: u16) -> u16 {
        let rows = self.wanted.term_rows();
        if !self.high || height >= rows + others { rows } else { self.wanted.term_lines[1] + FRAME }
    }

    /// The board and the chart, the moves, and a column for the rest, on or off: switching moves nothing.
    fn three(&self, mut left: Rect, mut column: Rect) -> Layout {
        let moves_width = (column.width * 2 / 5).clamp(40, 56);
        let mut side = keep_left(&mut column, moves_width);
        let rows = self.term_rows(side.height, self.analysis_rows() + self.report_rows());
        let terms = cut_bottom(&mut side, if self.wanted.has_terms { rows } else { 0 });
        let mut curve = keep_top(&mut left, self.board_rows);
        let rows = self.analysis_rows();
        let others = self.wanted.reports.min(1) + u16::from(self.wanted.mistakes);
        // An analysis of pits has few long rows: it goes below the chart, and the side is free for others.
        let analysis = match () {
            () if others > 0 && !self.high && curve.height >= rows + CURVE + 4 => cut_bottom(&mut curve, rows),
            () if others > 0 => {
                let rest = keep_top(&mut side, rows);
                std::mem::replace(&mut side, rest)
            }
            () => std::mem::take(&mut side),
        };
        let half = side.height / others.max(1);
        let mistakes = cut_bottom(&mut side, if self.wanted.mistakes { half } else { 0 });
        let reports = side;
        // Rows that the chart does not need are the board's.
        let spare = curve.height.saturating_sub(CURVE_MOST);
        (left.height, curve.y, curve.height) = (left.height + spare, curve.y + spare, curve.height - spare);
        Layout { board: left, moves: column, curve, mistakes, analysis, terms, reports, ..Layout::default() }
    }

    /// The moves beside the board; the rest below, or below the moves beside a high board.
    fn two(&self, area: Rect, left: Rect, column: Rect) -> Layout {
        if self.high { self.two_high(left, column) } else { self.two_wide(area, left.width) }
    }

    fn two_wide(&self, mut area: Rect, left: u16) -> Layout {
        let rows =
            if self.wanted.terms { self.wanted.term_rows() } else { self.analysis_rows().max(self.report_rows()) };
        let mut bottom = cut_bottom(&mut area, rows);
        let moves = keep_left(&mut area, left);
        let curve = keep_top(&mut area, self.board_rows);
        let second = self.wanted.terms || self.wanted.reports > 0;
        let right = cut_right(&mut bottom, if second { TERMS.max(moves.width) } else { 0 });
        let (terms, reports) = if self.wanted.terms { (right, Rect::default()) } else { (Rect::default(), right) };
        Layout { board: area, moves, curve, analysis: bottom, terms, reports, ..Layout::default() }
    }

    fn two_high(&self, mut left: Rect, mut column: Rect) -> Layout {
        let curve = keep_top(&mut left, self.board_rows);
        let reports = cut_bottom(&mut column, self.report_rows());
        let rows = self.term_rows(column.height, MOVES_LEFT + self.analysis_rows());
        let terms = cut_bottom(&mut column, if self.wanted.terms { rows } else { 0 });
        let most = column.height.saturating_sub(MOVES_LEFT);
        let analysis = cut_bottom(&mut column, if self.wanted.analysis { self.analysis_rows().min(most) } else { 0 });
        Layout { board: left, moves: column, curve, analysis, terms, reports, ..Layout::default() }
    }
}

/// Without frames: the board, two rows about the game, and the rest for the analysis or the terms.
fn compact(area: Rect, board: &Board, wanted: &PanelRequest) -> Layout {
    let least = board::size(board, (area.width, 0)).1 + 3;
    let left = area.height.saturating_sub(least);
    let lower = wanted.lower(area.width);
    let mut place = area;
    let lower = cut_bottom(&mut place, if lower > 0 { left.min(lower + FRAME) } else { 0 });
    Layout { board: place, compact: true, ..Layout::default() }.with_lower(lower, wanted)
}

/// Minimum width beside a board of squares.
const BESIDE_LEAST: u16 = 20;

/// Rows of a player beside the board.
pub const PLAYER: u16 = 2;

/// Rows of the story between the players, if an analysis leaves no more.
const STORY: u16 = 2;

/// Without frames, and nothing above or below the board.
fn beside(area: Rect, board: &Board, wanted: &PanelRequest) -> Layout {
    let width = board::size(board, (area.width.saturating_sub(BESIDE_LEAST + 1), area.height)).0.min(area.width);
    let place = Rect { width, ..area };
    let mut column = Rect { x: place.right() + 1, width: (area.width - width).saturating_sub(1), ..area };
    let left = column.height.saturating_sub(2 * PLAYER + STORY);
    let lower = wanted.lower(column.width);
    let lower = cut_bottom(&mut column, if lower > 0 { left.min(lower + FRAME) } else { 0 });
    Layout { board: place, beside: column, compact: true, ..Layout::default() }.with_lower(lower, wanted)
}

#[cfg(test)]
mod tests;
