//! Pictures of pieces and seeds, for terminals that show images: by kitty's protocol or as sixels.
//!
//! A widget registers a [`Picture`] and fills its cells with placeholders, which are compared and sent as other cells are. Only the
//! terminal's encoder tells them from text: kitty draws images in place of such characters, and of sixels the part that changed is sent.
//! Hence no other module deals with images, and a dialog covers them like text.
//!
//! Kitty's graphics protocol: an image and the cells it is scaled to, placed by placeholders (U=1).

mod raster;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use miniz_oxide::deflate::compress_to_vec_zlib;
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
    store: Mutex<PictureStore>,
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
            return encode(&self.image(cell).part(pixels(area.x, area.y), pixels(area.width, area.height)));
        }
        if self.sixels.is_none() {
            self.sixels = Some(encode(self.image(cell)));
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
        let store = PictureStore { cell: cell.unwrap_or(USUAL_CELL), pictures: Vec::new() };
        Pictures { protocol, store: Mutex::new(store) }
    }

    /// Forgets all pictures: the screen is drawn completely, perhaps on another terminal or with another font.
    pub fn reset(&self, cell: Option<(u16, u16)>) {
        let mut store = self.lock();
        store.pictures.clear();
        store.cell = cell.unwrap_or(store.cell);
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
        let mut store = self.lock();
        let cell = store.cell;
        match store.pictures.get_mut(usize::from(id).wrapping_sub(1)) {
            Some(drawn) if !drawn.is_sent => {
                drawn.is_sent = true;
                transmission(id, drawn.picture.cells, drawn.image(cell))
            }
            _ => Vec::new(),
        }
    }

    /// Returns the sixels of the cells of a picture in `area`, relative to the picture's first.
    pub(crate) fn sixels(&self, id: u8, area: Rect) -> Vec<u8> {
        let mut store = self.lock();
        let cell = store.cell;
        let drawn = store.pictures.get_mut(usize::from(id).wrapping_sub(1));
        drawn.map_or(Vec::new(), |drawn| drawn.sixels(area, cell))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, PictureStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Most characters of an image in one sequence.
const CHUNK: usize = 4096;

/// Returns the sequences that send an image. The terminal answers none of them (q=2).
fn transmission(id: u8, cells: (u16, u16), image: &Image) -> Vec<u8> {
    let pixels: Vec<u8> = image.pixels.iter().flat_map(|&(red, green, blue)| [red, green, blue]).collect();
    let text = BASE64_STANDARD.encode(compress_to_vec_zlib(&pixels, 6));
    let chunks: Vec<&[u8]> = text.as_bytes().chunks(CHUNK).collect();
    let mut bytes = Vec::with_capacity(text.len() + 100);
    for (index, chunk) in chunks.iter().enumerate() {
        let more = u8::from(index + 1 < chunks.len());
        let control = match index {
            0 => format!(
                "a=T,q=2,f=24,o=z,U=1,i={id},s={},v={},c={},r={},m={more}",
                image.width, image.height, cells.0, cells.1
            ),
            _ => format!("q=2,m={more}"),
        };
        bytes.extend_from_slice(format!("\x1b_G{control};").as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\x1b\\");
    }
    bytes
}

/// Most colours of an image: four levels of each part, and the ground. Each takes a line of its own in every band. Terminals have 256.
const REGISTERS: usize = 65;

/// Returns the sixels of an image; they begin at the cursor.
fn encode(image: &Image) -> Vec<u8> {
    let colors = Colors::new(image);
    // P2=1: pixels that no sixel colours stay as they are. Pixels are square, as many as the image has.
    let mut text = format!("\x1bP0;1q\"1;1;{};{}", image.width, image.height);
    for (register, (red, green, blue)) in colors.values.iter().enumerate() {
        let percent = |part: &u8| (u32::from(*part) * 100 + 127) / 255;
        text += &format!("#{register};2;{};{};{}", percent(red), percent(green), percent(blue));
    }
    for top in (0..image.height).step_by(6) {
        // No new line behind the last band: at the bottom of the screen it would scroll.
        text += if top > 0 { "-" } else { "" };
        for register in 0..colors.values.len() {
            let line = colors.band(image, top, register);
            if line.iter().any(|bits| *bits != 0) {
                text += &format!("#{register}{}$", packed(&line));
            }
        }
    }
    text += "\x1b\\";
    text.into_bytes()
}

/// The colours of an image, as many as there are registers.
struct Colors {
    values: Vec<Rgb>,
    /// By pixel.
    registers: Vec<usize>,
}

impl Colors {
    /// Joins near colours, by as few bits as necessary, into their mean. The ground, which has to be that of the cells around, is the
    /// colour of the first pixel.
    fn new(image: &Image) -> Colors {
        let ground = image.pixels.first().copied().unwrap_or_default();
        let key = |(red, green, blue): Rgb, bits: u32| (red >> bits, green >> bits, blue >> bits);
        let joined = (0..8).find_map(|bits| {
            let mut sums: BTreeMap<Rgb, ([usize; 3], usize)> = BTreeMap::new();
            for pixel in image.pixels.iter().filter(|pixel| **pixel != ground) {
                let (sum, count) = sums.entry(key(*pixel, bits)).or_default();
                [pixel.0, pixel.1, pixel.2].iter().zip(sum).for_each(|(part, sum)| *sum += usize::from(*part));
                *count += 1;
            }
            (sums.len() < REGISTERS).then_some((bits, sums))
        });
        let (bits, sums) = joined.unwrap_or_default();
        let mean = |(sum, count): &([usize; 3], usize)| {
            let [red, green, blue] = sum.map(|sum| (sum / count) as u8);
            (red, green, blue)
        };
        let values = std::iter::once(ground).chain(sums.values().map(mean)).collect();
        let places: BTreeMap<Rgb, usize> = sums.keys().copied().zip(1..).collect();
        let register = |pixel: &Rgb| if *pixel == ground { 0 } else { places[&key(*pixel, bits)] };
        Colors { values, registers: image.pixels.iter().map(register).collect() }
    }

    /// Returns the bits of one colour in the six rows from `top`, for each column.
    fn band(&self, image: &Image, top: usize, register: usize) -> Vec<u8> {
        let bits = |x: usize| {
            let rows = (top..image.height.min(top + 6)).enumerate();
            rows.filter(|(_, y)| self.registers[y * image.width + x] == register)
                .fold(0, |bits, (bit, _)| bits | 1 << bit)
        };
        (0..image.width).map(bits).collect()
    }
}

/// Returns the characters of a band, four or more equal ones as a repetition, without trailing empty ones.
fn packed(line: &[u8]) -> String {
    let used = line.iter().rposition(|bits| *bits != 0).map_or(0, |last| last + 1);
    let mut text = String::new();
    for run in line[..used].chunk_by(|a, b| a == b) {
        let character = char::from(b'?' + run[0]);
        match run.len() {
            length @ 4.. => text += &format!("!{length}{character}"),
            length => text.extend(std::iter::repeat_n(character, length)),
        }
    }
    text
}
