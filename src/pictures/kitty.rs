//! Kitty's graphics protocol: an image and the cells it is scaled to, placed by placeholders (U=1).

use base64::prelude::{BASE64_STANDARD, Engine as _};
use miniz_oxide::deflate::compress_to_vec_zlib;

use super::raster::Image;

/// Most characters of an image in one sequence.
const CHUNK: usize = 4096;

/// Returns the sequences that send an image. The terminal answers none of them (q=2).
pub(super) fn transmission(id: u8, cells: (u16, u16), image: &Image) -> Vec<u8> {
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
