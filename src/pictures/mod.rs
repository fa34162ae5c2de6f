//! Pictures of pieces and seeds, for terminals that show images: by kitty's protocol or as sixels.
//!
//! A widget registers a [`Picture`] and fills its cells with placeholders, which are compared and sent as other cells are. Only the
//! terminal's encoder tells them from text: kitty draws images in place of such characters, and of sixels the part that changed is sent.
//! Hence no other module deals with images, and a dialog covers them like text.

mod kitty;
mod raster;
mod sixel;

use std::sync::{Mutex, PoisonError};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use raster::Image;
pub(crate) use raster::{Mark, Motif, Rgb};

/// The value of `--graphics` and `ui.graphics`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphicsChoice {
    /// What the terminal is known to show, unless it is at the end of a line or inside another program.
    #[default]
    Auto,
    Kitty,
    Sixel,
    None,
}

impl GraphicsChoice {
    /// Returns whether the answer depends on the terminal's report of its type. `env` looks up an environment variable.
    pub fn depends_on_type(self, env: impl Fn(&str) -> Option<String>) -> bool {
        self == GraphicsChoice::Auto && !is_far(&env) && !is_kitty(&env)
    }

    /// Returns the protocol; `has_sixels`: the terminal reports them.
    pub fn protocol(self, has_sixels: bool, env: impl Fn(&str) -> Option<String>) -> Option<Protocol> {
        match self {
            GraphicsChoice::Kitty => Some(Protocol::Kitty),
            GraphicsChoice::Sixel => Some(Protocol::Sixel),
            GraphicsChoice::None => None,
            GraphicsChoice::Auto if is_far(&env) => None,
            GraphicsChoice::Auto if is_kitty(&env) => Some(Protocol::Kitty),
            GraphicsChoice::Auto => has_sixels.then_some(Protocol::Sixel),
        }
    }
}

crate::settings::string_enum!(GraphicsChoice { "auto" => Auto, "kitty" => Kitty, "sixel" => Sixel, "none" => None });

/// Behind a line that may be slow, or in a multiplexer, which does not know where images are.
fn is_far(env: &impl Fn(&str) -> Option<String>) -> bool {
    ["SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT", "TMUX", "STY"].iter().any(|name| env(name).is_some())
}

/// One of the terminals that draw images in place of characters; none reports that it does.
fn is_kitty(env: &impl Fn(&str) -> Option<String>) -> bool {
    let is = |name: &str, value: &str| env(name).is_some_and(|set| set == value);
    is("TERM", "xterm-kitty") || is("TERM", "xterm-ghostty") || is("TERM_PROGRAM", "ghostty")
}

/// How images are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Kitty's, with placeholders: kitty and Ghostty.
    Kitty,
    Sixel,
}

/// An image for an area of cells.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Picture {
    pub motif: Motif,
    /// Columns and rows.
    pub cells: (u16, u16),
    pub ground: Rgb,
}

/// The pictures on a screen, and which of them the terminal has. Shared by the widgets and the terminal's encoder.
#[derive(Debug)]
pub struct Pictures {
    protocol: Protocol,
    known: Mutex<PictureStore>,
}

#[derive(Debug)]
struct PictureStore {
    /// Width and height of a cell in pixels.
    cell: (u16, u16),
    /// By identifier, from 1.
    pictures: Vec<Drawn>,
}

/// A picture, and what was made of it: many squares show the same.
#[derive(Debug)]
struct Drawn {
    picture: Picture,
    /// Kitty has it.
    is_sent: bool,
    /// Drawn at the first use.
    image: Option<Image>,
    /// All of it as sixels.
    sixels: Option<Vec<u8>>,
}

impl Drawn {
    fn image(&mut self, cell: (u16, u16)) -> &Image {
        self.image.get_or_insert_with(|| raster::draw(&self.picture, cell))
    }

    /// Returns the sixels of an area of cells, relative to the picture's first.
    fn sixels(&mut self, area: Rect, cell: (u16, u16)) -> Vec<u8> {
        if area.as_size() != self.picture.cells.into() {
            let pixels = |x: u16, y: u16| (usize::from(x * cell.0), usize::from(y * cell.1));
            return sixel::encode(&self.image(cell).part(pixels(area.x, area.y), pixels(area.width, area.height)));
        }
        if self.sixels.is_none() {
            self.sixels = Some(sixel::encode(self.image(cell)));
        }
        self.sixels.clone().unwrap_or_default()
    }
}

/// A part of a picture: the picture's identifier, column and row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub id: u8,
    pub column: u16,
    pub row: u16,
}

/// The character that kitty draws images in place of.
const PLACEHOLDER: char = '\u{10eeee}';

/// Kitty's marks for the numbers of columns and rows, from 0.
const NUMBERS: [char; 30] = [
    '\u{305}', '\u{30d}', '\u{30e}', '\u{310}', '\u{312}', '\u{33d}', '\u{33e}', '\u{33f}', '\u{346}', '\u{34a}',
    '\u{34b}', '\u{34c}', '\u{350}', '\u{351}', '\u{352}', '\u{357}', '\u{35b}', '\u{363}', '\u{364}', '\u{365}',
    '\u{366}', '\u{367}', '\u{368}', '\u{369}', '\u{36a}', '\u{36b}', '\u{36c}', '\u{36d}', '\u{36e}', '\u{36f}',
];

/// The first of 240 invisible characters that tell the identifier, whatever becomes of the cell's colour (a page is shaded below a
/// dialog).
const FIRST_ID: u32 = 0xe0100;
const MOST: usize = 239;

/// A cell's size in pixels where the terminal does not report it.
const USUAL_CELL: (u16, u16) = (10, 20);

impl Pictures {
    /// Returns no pictures yet, for a terminal with this protocol; `cell`: width and height of a cell in pixels, if known.
    pub fn new(protocol: Protocol, cell: Option<(u16, u16)>) -> Pictures {
        let known = PictureStore { cell: cell.unwrap_or(USUAL_CELL), pictures: Vec::new() };
        Pictures { protocol, known: Mutex::new(known) }
    }

    /// Forgets all pictures: the screen is drawn completely, perhaps on another terminal or with another font.
    pub fn reset(&self, cell: Option<(u16, u16)>) {
        let mut known = self.lock();
        known.pictures.clear();
        known.cell = cell.unwrap_or(known.cell);
    }

    /// Fills an area with a picture's placeholders; false, and nothing, if it is too large or there are too many pictures.
    pub(crate) fn place(&self, motif: Motif, ground: Rgb, area: Rect, buf: &mut Buffer) -> bool {
        let most = NUMBERS.len() as u16;
        if area.is_empty() || area.width > most || area.height > most {
            return false;
        }
        let picture = Picture { motif, cells: (area.width, area.height), ground };
        let Some(id) = self.id(picture) else { return false };
        let Some(mark) = char::from_u32(FIRST_ID + u32::from(id)) else { return false };
        for (row, y) in area.rows().map(|row| row.y).enumerate() {
            for (column, x) in area.columns().map(|column| column.x).enumerate() {
                let symbol: String = [PLACEHOLDER, NUMBERS[row], NUMBERS[column], mark].iter().collect();
                buf[(x, y)].set_symbol(&symbol);
            }
        }
        true
    }

    fn id(&self, picture: Picture) -> Option<u8> {
        let pictures = &mut self.lock().pictures;
        let index = match pictures.iter().position(|drawn| drawn.picture == picture) {
            Some(index) => index,
            None if pictures.len() == MOST => return None,
            None => {
                pictures.push(Drawn { picture, is_sent: false, image: None, sixels: None });
                pictures.len() - 1
            }
        };
        u8::try_from(index + 1).ok()
    }

    pub(crate) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Returns the bytes that send a picture, unless the terminal has it.
    pub(crate) fn transmission(&self, id: u8) -> Vec<u8> {
        let mut known = self.lock();
        let cell = known.cell;
        match known.pictures.get_mut(usize::from(id).wrapping_sub(1)) {
            Some(drawn) if !drawn.is_sent => {
                drawn.is_sent = true;
                kitty::transmission(id, drawn.picture.cells, drawn.image(cell))
            }
            _ => Vec::new(),
        }
    }

    /// Returns the sixels of the cells of a picture in `area`, relative to the picture's first.
    pub(crate) fn sixels(&self, id: u8, area: Rect) -> Vec<u8> {
        let mut known = self.lock();
        let cell = known.cell;
        let drawn = known.pictures.get_mut(usize::from(id).wrapping_sub(1));
        drawn.map_or(Vec::new(), |drawn| drawn.sixels(area, cell))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, PictureStore> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what a cell's symbol shows of a picture.
pub(crate) fn part(symbol: &str) -> Option<Part> {
    let mut chars = symbol.strip_prefix(PLACEHOLDER)?.chars();
    let mut number = || {
        let mark = chars.next()?;
        NUMBERS.iter().position(|one| *one == mark).and_then(|number| u16::try_from(number).ok())
    };
    let row = number()?;
    let column = number()?;
    let id = u8::try_from(u32::from(chars.next()?).checked_sub(FIRST_ID)?).ok()?;
    Some(Part { id, column, row })
}

/// Returns the characters of a part for kitty: after its left neighbour it goes without numbers.
pub(crate) fn characters(part: Part, follows: bool) -> String {
    match follows {
        true => PLACEHOLDER.to_string(),
        false => [PLACEHOLDER, NUMBERS[usize::from(part.row)], NUMBERS[usize::from(part.column)]].iter().collect(),
    }
}

#[cfg(test)]
mod tests;
