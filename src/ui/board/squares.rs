//! A board of squares with pieces, drawn as large as its area allows.
//!
//! Coordinates are above and on the left. Beside the board, if there is space, are the sides' counts as large digits.
//! Squares are framed in the larger sizes, and separated by dots in the smallest. A larger area leaves the largest size
//! unchanged.
//!
//! If only dark squares are used, the light ones are hatched, and the number of each dark one is in the line above it;
//! without lines, the number of each row's first square is on the left.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::disc::{self, Mark, emphasis};
use super::{Skin, View, side_role};
use crate::game::{Ground, Piece, Place, Side, Squares};
use crate::pictures;
use crate::theme::{Role, lighter};
use crate::ui::digits::{self, Pixel};
use crate::ui::{Look, put, row, width};

/// The cells of a square, and whether lines separate squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scale {
    square: (u16, u16),
    framed: bool,
}

/// From the largest to the smallest.
const SCALES: [Scale; 5] = [
    Scale { square: (9, 4), framed: true },
    Scale { square: (7, 3), framed: true },
    Scale { square: (5, 2), framed: true },
    Scale { square: (3, 1), framed: true },
    Scale { square: (2, 1), framed: false },
];

/// Cells of the figures beside the board, and of the gap before them.
const FIGURES: u16 = 9;
const GAP: u16 = 2;

/// Rows of both sides' figures; with kings, one row more each.
const FIGURES_HIGH: u16 = 14;

impl Scale {
    fn line(self) -> u16 {
        u16::from(self.framed)
    }

    /// Returns the cells of the whole board with its coordinates.
    fn size(self, board: &Squares) -> (u16, u16) {
        let line = self.line();
        let files = u16::from(board.files);
        let ranks = u16::from(board.ranks);
        let wide = self.labels(board) + files * (self.square.0 + line) + line;
        (wide, self.head(board) + ranks * (self.square.1 + line) + line)
    }

    /// Returns the columns of the labels on the left of the board, with the blank after them.
    fn labels(self, board: &Squares) -> u16 {
        match board.ground {
            Ground::Whole => width(&board.ranks.to_string()) + 1,
            // The numbers are in the lines.
            Ground::Dark if self.framed => 0,
            Ground::Dark => width(&board.played_on().count().to_string()) + 1,
        }
    }

    /// Returns the rows above the board.
    fn head(self, board: &Squares) -> u16 {
        u16::from(board.ground == Ground::Whole)
    }
}

fn scale(board: &Squares, room: (u16, u16)) -> Scale {
    let fits = |scale: &&Scale| {
        let (wide, high) = scale.size(board);
        wide <= room.0 && high <= room.1
    };
    // A smaller board with figures is more useful than a larger one without.
    let with_figures = |scale: &&Scale| fits(scale) && has_figures(board, scale.size(board), room);
    let scale = SCALES.iter().find(with_figures).or_else(|| SCALES.iter().find(fits));
    *scale.unwrap_or(&SCALES[SCALES.len() - 1])
}

/// Returns whether the figures fit beside a board of this size.
fn has_figures(board: &Squares, (wide, high): (u16, u16), room: (u16, u16)) -> bool {
    wide + GAP + FIGURES <= room.0 && high >= FIGURES_HIGH + 2 * u16::from(board.has_kings())
}

/// See [`super::size`].
pub(super) fn size(board: &Squares, room: (u16, u16)) -> (u16, u16) {
    let (wide, high) = scale(board, room).size(board);
    (if has_figures(board, (wide, high), room) { wide + GAP + FIGURES } else { wide }, high)
}

/// See [`super::draw`].
pub(super) fn draw(view: &View, board: &Squares, area: Rect, buf: &mut Buffer, look: &Look) -> Vec<(Rect, Place)> {
    let room = (area.width, area.height);
    let scale = scale(board, room);
    let (wide, high) = size(board, room);
    let place = Rect {
        x: area.x + area.width.saturating_sub(wide) / 2,
        y: area.y + area.height.saturating_sub(high) / 2,
        width: wide.min(area.width),
        height: high.min(area.height),
    };
    let painter = Painter { view, board, look, scale, place, skin: skin(board, look) };
    painter.ground(buf);
    if scale.framed {
        painter.frame(buf);
    }
    match board.ground {
        Ground::Whole => painter.coordinates(buf),
        Ground::Dark => painter.numbers(buf),
    }
    let mut places = Vec::new();
    for square in board.played_on() {
        let at = painter.square_place(square);
        painter.square(square, at, buf);
        places.push((at, Place::Square(square)));
    }
    if has_figures(board, scale.size(board), room) {
        painter.figures(buf);
    }
    places
}

struct Painter<'a> {
    view: &'a View<'a>,
    board: &'a Squares,
    look: &'a Look,
    scale: Scale,
    place: Rect,
    skin: Option<Skin>,
}

fn skin(board: &Squares, look: &Look) -> Option<Skin> {
    match board.ground {
        Ground::Whole => Skin::new(Role::Felt, Role::Felt, look),
        Ground::Dark => Skin::new(Role::SquareDark, Role::SquareLight, look),
    }
}

impl Painter<'_> {
    /// Colours the board.
    fn ground(&self, buf: &mut Buffer) {
        let Some(skin) = self.skin else { return };
        let (x, y) = self.corner(0, 0);
        let line = self.scale.line();
        let files = u16::from(self.board.files);
        let ranks = u16::from(self.board.ranks);
        let wide = files * (self.scale.square.0 + line) + line;
        let high = ranks * (self.scale.square.1 + line) + line;
        let all = Rect { x: x - line, y: y - line, width: wide, height: high }.intersection(self.place);
        let unused = self.board.squares().filter(|&square| !self.board.is_played_on(square));
        skin.paint(all, unused.map(|square| self.square_place(square)), buf);
    }

    /// Returns the column and row where a square is drawn: rotated by 180° if North is at the bottom.
    fn at(&self, square: u8) -> (u16, u16) {
        let file = square % self.board.files;
        let rank = square / self.board.files;
        match self.view.seat {
            Side::South => (file.into(), rank.into()),
            Side::North => ((self.board.files - 1 - file).into(), (self.board.ranks - 1 - rank).into()),
        }
    }

    /// Returns the top left corner of the inside of the square in this column and row.
    fn corner(&self, column: u16, row: u16) -> (u16, u16) {
        let line = self.scale.line();
        let (wide, high) = self.scale.square;
        let x = self.place.x + self.scale.labels(self.board) + line + column * (wide + line);
        (x, self.place.y + self.scale.head(self.board) + line + row * (high + line))
    }

    /// Returns the inside of a square.
    fn square_place(&self, square: u8) -> Rect {
        let (column, row) = self.at(square);
        let (x, y) = self.corner(column, row);
        let (width, height) = self.scale.square;
        Rect { x, y, width, height }.intersection(self.place)
    }

    /// Draws the letters of the files above and the numbers of the ranks on the left; the cursor's are highlighted.
    fn coordinates(&self, buf: &mut Buffer) {
        let (wide, high) = self.scale.square;
        let cursor = self.view.cursor.or(self.view.hand).and_then(square_of).map(|square| self.at(square));
        let role = |is_cursors: bool| if is_cursors { Role::Accent } else { Role::Dim };
        for square in self.board.squares() {
            let (column, line) = self.at(square);
            let name = self.board.file_and_rank(square);
            let (file, rank) = name.split_at(1);
            let (x, y) = self.corner(column, line);
            if line == 0 {
                let place = Rect { x: x + (wide - 1) / 2, y: self.place.y, width: 1, height: 1 };
                put(self.look.span(role(cursor.is_some_and(|at| at.0 == column)), file), self.inside(place), buf);
            }
            if column == 0 {
                let x = self.place.x + self.scale.labels(self.board) - 1 - width(rank);
                let place = Rect { x, y: y + (high - 1) / 2, width: width(rank), height: 1 };
                put(self.look.span(role(cursor.is_some_and(|at| at.1 == line)), rank), self.inside(place), buf);
            }
        }
    }

    fn inside(&self, place: Rect) -> Rect {
        place.intersection(self.place)
    }

    /// Draws the lines between the squares and around them.
    fn frame(&self, buf: &mut Buffer) {
        let lines = &self.look.glyphs.line;
        let style = Skin::lines(self.skin, self.look);
        let left = self.place.x + self.scale.labels(self.board);
        let top = self.place.y + self.scale.head(self.board);
        let step_x = self.scale.square.0 + 1;
        let step_y = self.scale.square.1 + 1;
        let wide = u16::from(self.board.files) * step_x;
        let high = u16::from(self.board.ranks) * step_y;
        for y in 0..=high {
            for x in 0..=wide {
                let symbol = match (x.is_multiple_of(step_x), y.is_multiple_of(step_y)) {
                    (false, false) => continue,
                    (true, false) => lines.vertical,
                    (false, true) => lines.horizontal,
                    (true, true) => match (x, y) {
                        (0, 0) => lines.top_left,
                        (x, 0) if x == wide => lines.top_right,
                        (0, y) if y == high => lines.bottom_left,
                        (x, y) if x == wide && y == high => lines.bottom_right,
                        (_, 0) => lines.horizontal_down,
                        (_, y) if y == high => lines.horizontal_up,
                        (0, _) => lines.vertical_right,
                        (x, _) if x == wide => lines.vertical_left,
                        _ => lines.cross,
                    },
                };
                if self.place.contains((left + x, top + y).into()) {
                    buf[(left + x, top + y)].set_symbol(symbol).set_style(style);
                }
            }
        }
    }

    fn square(&self, square: u8, at: Rect, buf: &mut Buffer) {
        if at.is_empty() {
            return;
        }
        match self.board.get(square) {
            Some(piece) if self.picture(square, piece, at, buf) => {}
            Some(piece) => disc::draw(piece, self.mark(square, piece), at, self.skin.is_some(), buf, self.look),
            None => self.empty(square, at, buf),
        }
        let place = Place::Square(square);
        let view = self.view;
        if view.cursor == Some(place) {
            self.look.cursor_place.set_middle(at);
        }
        if view.is_at_hand(place) || view.named.contains(&place) {
            self.select(at, buf);
            self.brackets(at, buf);
        }
    }

    /// Draws a piece as a picture, if the terminal shows them.
    fn picture(&self, square: u8, piece: Piece, at: Rect, buf: &mut Buffer) -> bool {
        let place = Place::Square(square);
        let view = self.view;
        let mark = match () {
            () if view.preview.contains(&place) => Some((pictures::Mark::Ring, Role::Capture)),
            () if view.last.contains(&place) && !piece.king => Some((pictures::Mark::Spot, Role::LastMove)),
            () => None,
        };
        let is_at_hand = view.is_at_hand(place) || view.named.contains(&place);
        let is_cut = self.board.ground == Ground::Dark;
        self.skin.is_some()
            && disc::draw_picture(&disc::DiscPicture { piece, is_cut, is_at_hand, mark }, at, buf, self.look)
    }

    /// Colours the cursor's square: lighter than it is, or as a selection on a board without colours.
    fn select(&self, at: Rect, buf: &mut Buffer) {
        let style = self.look.selected_ground();
        match self.skin {
            Some(_) => at.positions().for_each(|place| {
                let cell = &mut buf[place];
                cell.bg = lighter(cell.bg).unwrap_or(cell.bg);
            }),
            // A whole square in reverse video would look like a disc.
            None if style.bg.is_some() || !self.scale.framed => buf.set_style(at, style),
            None => {}
        }
    }

    /// Draws brackets around the cursor's square: some terminals do not show its background.
    fn brackets(&self, at: Rect, buf: &mut Buffer) {
        let style = emphasis(Role::Accent, self.look);
        let middle = at.y + (at.height - 1) / 2;
        if self.scale.framed {
            buf[(at.x - 1, middle)].set_symbol("[").set_style(style);
            if at.right() < self.place.right() {
                buf[(at.right(), middle)].set_symbol("]").set_style(style);
            }
        }
    }

    /// Returns the mark on a piece: to be flipped or captured, last moved, or king.
    fn mark(&self, square: u8, piece: Piece) -> Option<disc::Mark> {
        let place = Place::Square(square);
        let glyphs = &self.look.glyphs;
        match () {
            () if self.view.preview.contains(&place) => Some((glyphs.turn, Role::Capture)),
            () if piece.king => Some((glyphs.king, Role::Text)),
            // Without lines the mark is on the piece itself.
            () if !self.scale.framed && self.mark_of_piece(square).is_some() => self.mark_of_piece(square),
            () if self.view.last.contains(&place) => Some((glyphs.spot, Role::LastMove)),
            () => None,
        }
    }

    /// Draws an empty square: the value of a move there, a possible move, a hint, or the origin of the last move.
    fn empty(&self, square: u8, at: Rect, buf: &mut Buffer) {
        let place = Place::Square(square);
        let glyphs = &self.look.glyphs;
        let middle = Rect { y: at.y + (at.height - 1) / 2, height: 1, ..at };
        let pointed = self.view.pointed.contains(&place);
        let value = self.view.values.iter().find(|(other, _)| *other == place).map(|(_, text)| text.as_str());
        let (text, role) = match value.filter(|text| width(text) <= at.width && self.scale.framed) {
            Some(value) => (value, if pointed { Role::Accent } else { Role::Text }),
            None if pointed => (glyphs.pointer, Role::Accent),
            None if self.view.playable.contains(&place) => (glyphs.open, Role::Key),
            None if self.view.last.contains(&place) => (glyphs.spot, Role::LastMove),
            None if !self.scale.framed && self.board.ground == Ground::Whole => (glyphs.dot, Role::Border),
            None => return,
        };
        let text = text.to_owned();
        let x = middle.x + (middle.width - width(&text).min(middle.width)) / 2;
        // On a coloured board text has the colour of the lighter pieces.
        let style = match self.skin {
            Some(_) => {
                emphasis(role, self.look).patch(Style { fg: self.look.style(Role::PieceLight).fg, ..Style::new() })
            }
            None => self.look.style(role),
        };
        put(Span::styled(text, style), Rect { x, width: middle.right() - x, ..middle }, buf);
    }

    /// Draws each side's name, count and notes beside the board, in the order of the sides on it.
    fn figures(&self, buf: &mut Buffer) {
        let x = self.place.right() - FIGURES;
        let head = self.scale.head(self.board);
        let column = Rect { x, y: self.place.y + head, width: FIGURES, height: self.place.height - head };
        let high = self.digits_high() + 2 + u16::from(self.board.has_kings());
        let lower = Rect { y: column.bottom().saturating_sub(high), height: high, ..column };
        self.figures_of(self.view.seat.other(), Rect { height: high, ..column }, buf);
        self.figures_of(self.view.seat, lower, buf);
    }

    fn digits_high(&self) -> u16 {
        digits::size("0", self.pixel()).1
    }

    fn pixel(&self) -> Pixel {
        if self.look.glyphs.has_blocks() { Pixel::Half } else { Pixel::Char('#') }
    }

    fn figures_of(&self, side: Side, area: Rect, buf: &mut Buffer) {
        let role = side_role(side, true);
        let name = format!("{} {}", disc::letter(side, self.look), self.view.names[side.index()]);
        put(self.look.span(role, name), area, buf);
        let count = self.board.count(side).to_string();
        let style = Style { fg: self.look.style(role).fg, ..Style::new() };
        let (wide, high) = digits::size(&count, self.pixel());
        if wide <= area.width && high + 1 < area.height {
            digits::draw(&count, self.pixel(), Rect { y: area.y + 1, width: wide, height: high, ..area }, buf, style);
        }
        if self.board.has_kings() {
            let line = row(area, area.height.saturating_sub(2));
            put(self.look.span(Role::Text, men_and_kings(self.board, side, self.look)), line, buf);
        }
        let note = self.view.notes[side.index()].clone();
        put(self.look.span(Role::Dim, note), row(area, area.height.saturating_sub(1)), buf);
    }
}

fn square_of(place: Place) -> Option<u8> {
    if let Place::Square(square) = place { Some(square) } else { None }
}

#[cfg(test)]
mod tests;

impl Painter<'_> {
    /// Draws the numbers of the dark squares in the lines above them, each with its piece's mark; without lines only
    /// the first number of each row, on the left. Hatches the light squares.
    fn numbers(&self, buf: &mut Buffer) {
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
    fn mark_of_piece(&self, square: u8) -> Option<Mark> {
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
fn men_and_kings(board: &Squares, side: Side, look: &Look) -> String {
    let kings = board.count_kings(side);
    let men = board.count(side) - kings;
    let word = |count: u16, one: &'static str, more: &'static str| if count == 1 { one } else { more };
    match (men, kings) {
        (men, 0) => format!("{men} {}", word(men, "man", "men")),
        (0, kings) => format!("{kings} {}", word(kings, "king", "kings")),
        _ => format!("{men} {} {kings}{}", word(men, "man", "men"), look.glyphs.king),
    }
}
