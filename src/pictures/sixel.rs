//! Sixels: six rows of pixels at a time, one colour after another.

use std::collections::BTreeMap;

use super::raster::{Image, Rgb};

/// Most colours of an image: four levels of each part, and the ground. Each takes a line of its own in every band. Terminals have 256.
const REGISTERS: usize = 65;

/// Returns the sixels of an image; they begin at the cursor.
pub(super) fn encode(image: &Image) -> Vec<u8> {
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
