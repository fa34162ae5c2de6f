//! A board of pits and stores, drawn as large as its area allows.
//!
//! One frame holds both rows of pits between the two stores. The row of the seat is at the bottom, its store on the
//! right. Six sizes share the code: they differ in the size of a pit and in how its count is drawn. A larger area
//! leaves the largest size unchanged. On a coloured board pits are hollows in the wood. Where the terminal shows pictures, seeds lie in
//! them below their number, which is plain text in pits then.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{Skin, View, side_role};
use crate::game::{PitBoard, Place, Side};
use crate::pictures::Motif;
use crate::theme::{Dots, Role, rgb};
use crate::ui::digits::{self, Pixel};
use crate::ui::{Look, put, width};

/// The size of a pit and a store inside their frame, in cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scale {
    pit: (u16, u16),
    store: u16,
    /// How counts are drawn in pits and in stores; `None`: as plain text.
    pit_digits: Option<Pixel>,
    store_digits: Option<Pixel>,
    framed: bool,
}

/// From the largest to the smallest.
const SCALES: [Scale; 6] = [
    Scale { pit: (11, 7), store: 13, pit_digits: Some(Pixel::Half), store_digits: Some(Pixel::Half), framed: true },
    Scale { pit: (9, 5), store: 11, pit_digits: Some(Pixel::Half), store_digits: Some(Pixel::Half), framed: true },
    Scale { pit: (5, 3), store: 9, pit_digits: None, store_digits: Some(Pixel::Half), framed: true },
    Scale { pit: (4, 3), store: 7, pit_digits: None, store_digits: Some(Pixel::Half), framed: true },
    Scale { pit: (4, 1), store: 5, pit_digits: None, store_digits: None, framed: true },
    Scale { pit: (4, 1), store: 4, pit_digits: None, store_digits: None, framed: false },
];

impl Scale {
    /// Returns the scale with character digits instead of block digits where blocks are not available.
    fn for_look(mut self, look: &Look) -> Scale {
        if !look.glyphs.has_blocks() {
            // Digits of characters are higher than those of half blocks, and would overlap the marks above and below
            // them.
            self.pit_digits = None;
            self.store_digits = self.store_digits.map(|_| Pixel::Char('#'));
        }
        self
    }

    /// Returns the cells of the whole board, names included.
    fn size(self, pits: u16) -> (u16, u16) {
        let line = u16::from(self.framed);
        let width = pits * (self.pit.0 + line) + 2 * (self.store + line) + line;
        (width, 2 * self.pit.1 + 3 * line + 2)
    }
}

/// Returns the cells that the board needs in an area of at most `room`, names included.
pub fn size(pits: usize, room: (u16, u16)) -> (u16, u16) {
    scale(pits, room).size(pits as u16)
}

fn scale(pits: usize, room: (u16, u16)) -> Scale {
    let fits = |scale: &&Scale| {
        let (width, height) = scale.size(pits as u16);
        width <= room.0 && height <= room.1
    };
    *SCALES.iter().find(fits).unwrap_or(&SCALES[SCALES.len() - 1])
}

/// Draws the board in the middle of `area`. Returns the area of each place, for the mouse.
pub fn draw(view: &View, board: &PitBoard, area: Rect, buf: &mut Buffer, look: &Look) -> Vec<(Rect, Place)> {
    let pits = board.pits_a_side();
    let scale = scale(pits, (area.width, area.height)).for_look(look);
    let (width, height) = scale.size(pits as u16);
    let place = Rect {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(height) / 2,
        width: width.min(area.width),
        height: height.min(area.height),
    };
    let skin = Skin::new(Role::Wood, Role::Hollow, look);
    let painter = Painter { view, board, look, scale, place, pits: pits as u16, skin };
    painter.ground(buf);
    if scale.framed {
        painter.frame(buf);
    }
    painter.cells(buf)
}

struct Painter<'a> {
    view: &'a View<'a>,
    board: &'a PitBoard,
    look: &'a Look,
    scale: Scale,
    place: Rect,
    pits: u16,
    skin: Option<Skin>,
}

impl Painter<'_> {
    /// Colours the board, its pits and its stores.
    fn ground(&self, buf: &mut Buffer) {
        let Some(skin) = self.skin else { return };
        let rows = self.place.height.saturating_sub(2);
        let pits = (0..self.pits).flat_map(|index| [false, true].map(|upper| self.pit_place(index, upper)));
        let stores = [false, true].map(|left| self.store_place(left));
        skin.paint(Rect { y: self.place.y + 1, height: rows, ..self.place }, pits.chain(stores), buf);
    }

    /// Returns the thickness of the lines between cells.
    fn line(&self) -> u16 {
        u16::from(self.scale.framed)
    }

    fn frame(&self, buf: &mut Buffer) {
        let lines = &self.look.glyphs.line;
        let style = Skin::lines(self.skin, self.look);
        let top = self.place.y + 1;
        let middle = top + self.scale.pit.1 + 1;
        let bottom = top + 2 * (self.scale.pit.1 + 1);
        let left = self.place.x;
        let right = self.place.right() - 1;
        let inner_left = left + self.scale.store + 1;
        let inner_right = right - self.scale.store - 1;
        let is_column =
            |x: u16| (inner_left..=inner_right).contains(&x) && (x - inner_left).is_multiple_of(self.scale.pit.0 + 1);
        for x in left..=right {
            let edge = if x == left {
                0
            } else if x == right {
                2
            } else {
                1
            };
            let ends = |corners: [&'static str; 2], cross: &'static str| match edge {
                0 => corners[0],
                2 => corners[1],
                _ if is_column(x) => cross,
                _ => lines.horizontal,
            };
            buf[(x, top)].set_symbol(ends([lines.top_left, lines.top_right], lines.horizontal_down)).set_style(style);
            buf[(x, bottom)]
                .set_symbol(ends([lines.bottom_left, lines.bottom_right], lines.horizontal_up))
                .set_style(style);
            if (inner_left..=inner_right).contains(&x) {
                let symbol = match x {
                    x if x == inner_left => lines.vertical_right,
                    x if x == inner_right => lines.vertical_left,
                    x if is_column(x) => lines.cross,
                    _ => lines.horizontal,
                };
                buf[(x, middle)].set_symbol(symbol).set_style(style);
            }
        }
        for y in (top + 1..bottom).filter(|&y| y != middle) {
            for x in (left..=right).filter(|&x| x == left || x == right || is_column(x)) {
                buf[(x, y)].set_symbol(lines.vertical).set_style(style);
            }
        }
        for x in [left, right] {
            buf[(x, middle)].set_symbol(lines.vertical).set_style(style);
        }
    }

    fn cells(&self, buf: &mut Buffer) -> Vec<(Rect, Place)> {
        let seat = self.view.seat;
        let mut places = Vec::new();
        for index in 0..self.pits {
            for (cell, upper) in [(Place::Pit(seat, index as u8), false), (Place::Pit(seat.other(), index as u8), true)]
            {
                let place = self.pit_place(index, upper);
                self.cell(cell, place, buf);
                self.name(cell, place, upper, buf);
                places.push((place, cell));
            }
        }
        for (side, left) in [(seat.other(), true), (seat, false)] {
            let place = self.store_place(left);
            self.cell(Place::Store(side), place, buf);
            self.store_name(side, place, left, buf);
            places.push((place, Place::Store(side)));
        }
        places
    }

    /// Returns the inside of the pit `index`, counted from its owner's left; the upper row's owner sits opposite.
    fn pit_place(&self, index: u16, upper: bool) -> Rect {
        let column = if upper { self.pits - 1 - index } else { index };
        let (width, height) = self.scale.pit;
        let line = self.line();
        let x = self.place.x + 2 * line + self.scale.store + column * (width + line);
        let y = self.place.y + 1 + line + if upper { 0 } else { height + line };
        Rect { x, y, width, height }.intersection(self.place)
    }

    fn store_place(&self, left: bool) -> Rect {
        let line = self.line();
        let x = if left { self.place.x + line } else { self.place.right() - line - self.scale.store };
        let height = 2 * self.scale.pit.1 + line;
        Rect { x, y: self.place.y + 1 + line, width: self.scale.store, height }.intersection(self.place)
    }

    fn name(&self, cell: Place, place: Rect, upper: bool, buf: &mut Buffer) {
        if !matches!(cell, Place::Pit(..)) {
            return;
        }
        let name = self.view.board.name(cell);
        let y = if upper { self.place.y } else { self.place.bottom().saturating_sub(1) };
        let role = match () {
            () if self.view.pointed.contains(&cell) => Role::Accent,
            () if self.view.playable.contains(&cell) => Role::Key,
            () => Role::Dim,
        };
        let text = match self.view.pointed.contains(&cell) {
            true => format!("{}{name}", self.look.glyphs.pointer),
            false => format!(" {name}"),
        };
        // Under the last digit of a plain count, under the middle of a large one.
        let end = self.number_end(place);
        put(self.look.span(role, text), Rect { x: end.saturating_sub(2), y, width: 2, height: 1 }, buf);
        self.value(cell, end, Rect { y, height: 1, ..place }, buf);
    }

    /// Draws the analysis value of the pit's move after the pit's name, where lines separate the pits.
    fn value(&self, cell: Place, name_end: u16, place: Rect, buf: &mut Buffer) {
        let Some((_, text)) = self.view.values.iter().find(|(place, _)| *place == cell).filter(|_| self.scale.framed)
        else {
            return;
        };
        let x = name_end + u16::from(place.width > 4);
        let room = Rect { x, width: width(text).min(self.place.right().saturating_sub(x)), ..place };
        let role = if self.view.pointed.contains(&cell) { Role::Accent } else { Role::Text };
        put(self.look.span(role, text.clone()), room, buf);
    }

    /// Returns the column after the last digit of a two-digit plain count at this place.
    fn number_end(&self, place: Rect) -> u16 {
        place.x + place.width / 2 + 1
    }

    /// Draws the owner's name above the left store and below the right one, in line with the names of its pits.
    fn store_name(&self, side: Side, place: Rect, left: bool, buf: &mut Buffer) {
        let name = self.view.names[side.index()];
        if place.width < width(name) {
            return;
        }
        let y = if left { self.place.y } else { self.place.bottom().saturating_sub(1) };
        let x = place.x + (place.width - width(name)) / 2;
        put(self.look.span(side_role(side, false), name), Rect { x, y, width: place.width, height: 1 }, buf);
    }

    fn count_style(&self, cell: Place, count: u16) -> Style {
        let view = self.view;
        let owner = match cell {
            Place::Pit(side, _) | Place::Store(side) => side,
            Place::Square(_) => Side::South,
        };
        let own = match (owner, cell, count) {
            (_, Place::Pit(..), 0) => Role::Empty,
            (side, ..) => side_role(side, false),
        };
        let mut style = self.look.style(own);
        if view.is_at_hand(cell) {
            style = style.patch(self.look.selected_ground());
        } else if self.change(cell) > 0 || view.last.contains(&cell) {
            // The colour stays the owner's: ownership matters more than the change.
            style = style.add_modifier(self.look.style(Role::LastMove).add_modifier);
        } else if self.change(cell) < 0 {
            style = style.patch(self.look.style(Role::Capture));
        }
        style
    }

    fn change(&self, cell: Place) -> i32 {
        self.view.changes.iter().find(|(changed, _)| *changed == cell).map_or(0, |&(_, by)| by)
    }

    fn cell(&self, cell: Place, place: Rect, buf: &mut Buffer) {
        if place.is_empty() {
            return;
        }
        let count = self.board.get(cell);
        let style = self.count_style(cell, count);
        if let Some(heap) = self.heap(cell, place)
            && self.seeds(count, heap, buf)
        {
            let above = Rect { height: place.height - heap.height, ..place };
            self.number(cell, count, style, above, buf);
            return self.marks(cell, place, buf);
        }
        self.number(cell, count, style, place, buf);
        self.marks(cell, place, buf);
        if matches!(cell, Place::Pit(..)) && place.height >= 3 {
            let (from, pile) = self.pile(count, place);
            let row = Rect { x: place.x + from, y: place.bottom() - 1, width: width(&pile), height: 1 };
            put(self.look.span(Role::Seeds, pile), row, buf);
        }
    }

    /// Returns where the seeds of a pit or store are drawn as a picture: below its number.
    fn heap(&self, cell: Place, place: Rect) -> Option<Rect> {
        let number = match cell {
            Place::Pit(..) => 1,
            _ => self.scale.store_digits.map_or(1, |pixel| digits::size("0", pixel).1 + 1),
        };
        let height = place.height.checked_sub(number).filter(|height| *height >= 2)?;
        Some(Rect { y: place.bottom() - height, height, ..place })
    }

    /// Draws seeds as a picture; false if there is none.
    fn seeds(&self, count: u16, heap: Rect, buf: &mut Buffer) -> bool {
        let Some(pictures) = self.look.pictures.as_deref().filter(|_| self.skin.is_some()) else { return false };
        let ink = self.look.style(Role::Seeds).fg.and_then(rgb);
        let Some((ink, ground)) = ink.zip(rgb(buf[heap.as_position()].bg)) else { return false };
        count == 0 || pictures.place(Motif::Seeds { count, ink }, ground, heap, buf)
    }

    /// Draws the number of a pit or store in the middle of a place.
    fn number(&self, cell: Place, count: u16, style: Style, place: Rect, buf: &mut Buffer) {
        let middle = place.y + (place.height - 1) / 2;
        let text = count.to_string();
        let pixel = if matches!(cell, Place::Pit(..)) { self.scale.pit_digits } else { self.scale.store_digits };
        let is_empty = count == 0 && matches!(cell, Place::Pit(..));
        match pixel.filter(|_| !is_empty).map(|pixel| (pixel, digits::size(&text, pixel))) {
            Some((pixel, (wide, high))) if wide <= place.width && high <= place.height => {
                let x = place.x + (place.width - wide) / 2;
                let y = place.y + (place.height - high) / 2;
                // Blocks have colours only: no underline or reverse through large digits.
                let style = Style { fg: style.fg, bg: style.bg, ..Style::new() };
                digits::draw(&text, pixel, Rect { x, y, width: wide, height: high }, buf, style);
            }
            _ => {
                let text = if is_empty { self.look.glyphs.dot.to_owned() } else { text };
                let x = self.number_end(place).saturating_sub(width(&text)).max(place.x);
                buf.set_stringn(x, middle, text, usize::from(place.right().saturating_sub(x)), style);
            }
        }
    }

    /// Draws the pointer of the hand and the change of the last move beside the count, where they fit.
    fn marks(&self, cell: Place, place: Rect, buf: &mut Buffer) {
        if place.height < 3 {
            return;
        }
        let change = self.change(cell);
        if self.view.is_at_hand(cell) {
            let corner = Rect { width: 1, height: 1, ..place };
            put(self.look.span(Role::Accent, self.look.glyphs.pointer), corner, buf);
        }
        let text = match cell {
            _ if change != 0 => self.look.signed(change),
            _ if self.view.last.contains(&cell) => self.look.glyphs.up.to_owned(),
            _ => String::new(),
        };
        let role = if change < 0 { Role::Capture } else { Role::LastMove };
        let style = Style { fg: self.look.style(role).fg, ..Style::new() };
        let x = place.right().saturating_sub(width(&text) + u16::from(place.width > 6));
        let top = Rect { x, y: place.y, width: width(&text), height: 1 };
        put(Span::styled(text, style), top, buf);
    }

    /// Returns the seeds as dots, centred below their number, and their first column; empty if they do not all fit.
    fn pile(&self, count: u16, place: Rect) -> (u16, String) {
        // Twice the column of the number's middle (a cell's middle or left edge).
        let middle = match self.scale.pit_digits {
            Some(_) => place.width,
            None => 2 * (self.number_end(place) - place.x) - width(&count.to_string()),
        };
        pile(count, middle, place.width, self.look)
    }
}

/// Dots in a character: one to eight, or one to two without braille.
const DOTS: [char; 8] = ['⠂', '⠆', '⠖', '⠶', '⠷', '⠿', '⡿', '⣿'];
const ASCII_DOTS: [char; 2] = ['.', ':'];

/// Returns `count` dots in `cells` columns, as symmetric as possible about half the column `middle`, and their first
/// column. Empty if they do not all fit.
fn pile(count: u16, middle: u16, cells: u16, look: &Look) -> (u16, String) {
    let is_braille = look.glyphs.dots == Dots::Braille;
    let dots: &[char] = if is_braille { &DOTS } else { &ASCII_DOTS };
    let widths = || (1..=cells).filter(|wide| *wide <= count && (middle + wide).is_multiple_of(2));
    // A braille pile stays one column narrower, so as not to touch the lines at its sides.
    let most = if is_braille { cells - 1 } else { cells };
    let fits = |wide: &u16| *wide <= middle.min(most) && middle + wide <= 2 * cells;
    let crowds = [2, 4, 8].into_iter().filter(|&crowd| usize::from(crowd) <= dots.len());
    let Some(wide) = crowds.flat_map(|crowd| widths().filter(fits).find(|wide| count <= crowd * wide)).next() else {
        return (0, String::new());
    };
    let each = count / wide;
    let more = count % wide;
    let extra = |at: u16| {
        // Pairs fill the outer columns first; an odd dot goes to the middle.
        let from_edge = at.min(wide - 1 - at);
        let is_middle = wide % 2 == 1 && from_edge == wide / 2;
        let odd_at = if wide % 2 == 1 { is_middle } else { at == wide / 2 - 1 };
        let pairs = more / 2;
        (!is_middle && from_edge < pairs) || (more % 2 == 1 && odd_at)
    };
    let text = (0..wide).map(|at| dots[usize::from(each + u16::from(extra(at))) - 1]).collect();
    ((middle - wide) / 2, text)
}

#[cfg(test)]
mod tests;
