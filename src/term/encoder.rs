//! The changed cells of a frame as few bytes, for lines that take seconds for a screen.
//!
//! crossterm's backend, which does the rest, sets both colours and each attribute by sequences of their own, moves to absolute places
//! only, and writes every blank.

use std::io::{self, Write};
use std::sync::Arc;

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use crate::pictures::{self, Part, Pictures, Protocol};

/// The backend of both screens. It does not draw underlines in a colour of their own.
pub(super) struct LeanBackend<W: Write> {
    inner: CrosstermBackend<W>,
    /// The terminal repeats a character (REP).
    repeats: bool,
    /// The pictures that the terminal shows.
    pictures: Option<Arc<Pictures>>,
}

impl<W: Write> LeanBackend<W> {
    pub fn new(writer: W) -> LeanBackend<W> {
        LeanBackend { inner: CrosstermBackend::new(writer), repeats: false, pictures: None }
    }

    /// Sends these pictures where cells have their placeholders.
    pub fn show(&mut self, pictures: Option<Arc<Pictures>>) {
        self.pictures = pictures;
    }

    /// Forgets what pictures the terminal has.
    pub fn forget_pictures(&mut self) {
        let Some(pictures) = &self.pictures else { return };
        pictures.reset(self.inner.window_size().ok().and_then(|size| super::cell_size(&size)));
    }

    /// Sets whether the terminal repeats a character on request, which not all do.
    pub fn repeat(&mut self, repeats: bool) {
        self.repeats = repeats;
    }
}

impl<W: Write> Write for LeanBackend<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.inner)
    }
}

impl<W: Write> Backend for LeanBackend<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let bytes = encode(content, self.repeats, self.pictures.as_deref());
        self.inner.write_all(&bytes)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.inner.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.inner)
    }
}

/// Blanks from which erasing takes fewer bytes than writing.
const ERASED: u16 = 8;

/// What shows of a blank besides its background.
const VISIBLE_ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT).union(Modifier::SLOW_BLINK);

/// Colours and attributes of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Style {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

const PLAIN: Style = Style { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

/// Equal cells in a row.
struct Run<'a> {
    x: u16,
    y: u16,
    symbol: &'a str,
    style: Style,
    cells: u16,
}

/// The terminal's state while a frame is written.
struct Encoder {
    bytes: Vec<u8>,
    repeats: bool,
    style: Style,
    /// Where the next character goes, column and row from 0; `None`: unknown.
    position: Option<(u16, u16)>,
    /// The part of a picture at the place before.
    part: Option<Part>,
}

/// Encodes cells, given by rows from left to right. The terminal's style is plain before and after.
fn encode<'a>(
    cells: impl Iterator<Item = (u16, u16, &'a Cell)>,
    repeats: bool,
    pictures: Option<&Pictures>,
) -> Vec<u8> {
    let mut encoder = Encoder { bytes: Vec::new(), repeats, style: PLAIN, position: None, part: None };
    let mut run: Option<Run<'_>> = None;
    let mut sixels = Vec::new();
    for (x, y, cell) in cells {
        if let Some((pictures, part)) = pictures.zip(pictures::part(cell.symbol())) {
            match pictures.protocol() {
                Protocol::Kitty => {
                    encoder.run(run.take());
                    encoder.picture(x, y, part, cell.bg, pictures);
                }
                Protocol::Sixel => add(&mut sixels, x, y, part),
            }
            continue;
        }
        let style = Style { fg: cell.fg, bg: cell.bg, modifier: cell.modifier };
        match &mut run {
            Some(run) if run.is_continued(x, y, cell.symbol(), style) => run.cells += 1,
            _ => {
                let next = Run { x, y, symbol: cell.symbol(), style, cells: 1 };
                encoder.run(run.replace(next));
            }
        }
    }
    encoder.run(run);
    encoder.restyle(PLAIN);
    for (id, origin, changed) in sixels {
        encoder.go_to(origin.0 + changed.x, origin.1 + changed.y);
        encoder.bytes.extend(pictures.map(|pictures| pictures.sixels(id, changed)).unwrap_or_default());
        encoder.position = None;
    }
    encoder.bytes
}

/// Changed cells of a picture: its identifier, the place of its first cell, and the cells relative to that.
type Change = (u8, (u16, u16), Rect);

/// Adds a changed cell of a picture.
fn add(changes: &mut Vec<Change>, x: u16, y: u16, part: Part) {
    let origin = (x.saturating_sub(part.column), y.saturating_sub(part.row));
    let cell = Rect { x: part.column, y: part.row, width: 1, height: 1 };
    match changes.iter_mut().find(|(id, of, _)| (*id, *of) == (part.id, origin)) {
        Some((.., changed)) => *changed = changed.union(cell),
        None => changes.push((part.id, origin, cell)),
    }
}

impl Run<'_> {
    fn is_continued(&self, x: u16, y: u16, symbol: &str, style: Style) -> bool {
        // Wide characters stand alone.
        (y, symbol, style) == (self.y, self.symbol, self.style) && x == self.x + self.cells && symbol.width() == 1
    }

    /// Nothing but its background shows.
    fn is_blank(&self) -> bool {
        self.symbol == " " && !self.style.modifier.intersects(VISIBLE_ON_BLANKS)
    }
}

impl Encoder {
    fn run(&mut self, run: Option<Run<'_>>) {
        let Some(run) = run else { return };
        self.go_to(run.x, run.y);
        if run.is_blank() {
            // Whatever ink is in the pen, unless it shows.
            let kept = Style { bg: run.style.bg, ..self.style };
            self.restyle(if kept.modifier.intersects(VISIBLE_ON_BLANKS) { run.style } else { kept });
            // Not all terminals erase with a background.
            if run.cells >= ERASED && run.style.bg == Color::Reset {
                return self.push(&format!("\x1b[{}X", run.cells));
            }
        } else {
            self.restyle(run.style);
        }
        self.characters(&run);
        self.position = (run.symbol.width() == 1).then(|| (run.x + run.cells, run.y));
    }

    /// Writes a part of a picture as kitty's placeholder, and before its first part the picture itself.
    fn picture(&mut self, x: u16, y: u16, part: Part, bg: Color, pictures: &Pictures) {
        let before = Part { column: part.column.wrapping_sub(1), ..part };
        let follows = self.position == Some((x, y)) && self.part == Some(before);
        self.bytes.extend(pictures.transmission(part.id));
        self.go_to(x, y);
        self.restyle(Style { fg: Color::Indexed(part.id), bg, modifier: Modifier::empty() });
        self.push(&pictures::characters(part, follows));
        (self.position, self.part) = (Some((x + 1, y)), Some(part));
    }

    /// Writes the characters of a run, or one and the request to repeat it.
    fn characters(&mut self, run: &Run<'_>) {
        let more = run.cells - 1;
        let repeated = format!("\x1b[{more}b");
        if self.repeats && repeated.len() < usize::from(more) * run.symbol.len() {
            self.push(run.symbol);
            return self.push(&repeated);
        }
        (0..run.cells).for_each(|_| self.push(run.symbol));
    }

    fn go_to(&mut self, x: u16, y: u16) {
        match self.position {
            Some(at) if at == (x, y) => {}
            Some((from, row)) if row == y && from + 1 == x => self.push("\x1b[C"),
            Some((from, row)) if row == y && from < x => self.push(&format!("\x1b[{}C", x - from)),
            _ => self.push(&format!("\x1b[{};{}H", u32::from(y) + 1, u32::from(x) + 1)),
        }
        self.position = Some((x, y));
    }

    /// Changes the style by what differs, or from a plain one, whichever is shorter.
    fn restyle(&mut self, style: Style) {
        if style == self.style {
            return;
        }
        let by_difference = differences(self.style, style);
        let anew = [vec!["0".to_owned()], differences(PLAIN, style)].concat();
        let shorter = [by_difference, anew].map(|codes| codes.join(";")).into_iter().min_by_key(String::len);
        let codes = shorter.unwrap_or_default();
        self.push(&format!("\x1b[{}m", if codes == "0" { "" } else { &codes }));
        self.style = style;
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// The attributes, with the codes that set and end them. One code ends bold and dim.
const ATTRIBUTES: [(Modifier, &str, &str); 9] = [
    (Modifier::BOLD, "1", "22"),
    (Modifier::DIM, "2", "22"),
    (Modifier::ITALIC, "3", "23"),
    (Modifier::UNDERLINED, "4", "24"),
    (Modifier::SLOW_BLINK, "5", "25"),
    (Modifier::RAPID_BLINK, "6", "25"),
    (Modifier::REVERSED, "7", "27"),
    (Modifier::HIDDEN, "8", "28"),
    (Modifier::CROSSED_OUT, "9", "29"),
];

/// Returns the codes of SGR that lead from one style to another.
fn differences(from: Style, to: Style) -> Vec<String> {
    let lost = from.modifier - to.modifier;
    let mut gained = to.modifier - from.modifier;
    let mut codes: Vec<&str> =
        ATTRIBUTES.iter().filter(|(one, ..)| lost.contains(*one)).map(|(.., end)| *end).collect();
    codes.dedup();
    for (one, _, end) in ATTRIBUTES {
        if codes.contains(&end) && to.modifier.contains(one) {
            gained |= one;
        }
    }
    codes.extend(ATTRIBUTES.iter().filter(|(one, ..)| gained.contains(*one)).map(|(_, set, _)| *set));
    let mut codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
    codes.extend((from.fg != to.fg).then(|| color(to.fg, 30)));
    codes.extend((from.bg != to.bg).then(|| color(to.bg, 40)));
    codes
}

/// Returns the code of a colour; `base`: 30 for the character, 40 for the background. The sixteen are indices, because some terminals show
/// the older codes of bold characters in another colour.
fn color(color: Color, base: u8) -> String {
    let index = |index: u8| format!("{};5;{index}", base + 8);
    match color {
        Color::Reset => (base + 9).to_string(),
        Color::Rgb(red, green, blue) => format!("{};2;{red};{green};{blue}", base + 8),
        Color::Indexed(number) => index(number),
        Color::Black => index(0),
        Color::Red => index(1),
        Color::Green => index(2),
        Color::Yellow => index(3),
        Color::Blue => index(4),
        Color::Magenta => index(5),
        Color::Cyan => index(6),
        Color::Gray => index(7),
        Color::DarkGray => index(8),
        Color::LightRed => index(9),
        Color::LightGreen => index(10),
        Color::LightYellow => index(11),
        Color::LightBlue => index(12),
        Color::LightMagenta => index(13),
        Color::LightCyan => index(14),
        Color::White => index(15),
    }
}

#[cfg(test)]
mod tests;
