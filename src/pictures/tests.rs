use base64::prelude::{BASE64_STANDARD, Engine as _};
use proptest::prelude::*;

use super::raster::Image;
use super::*;

const GROUND: Rgb = (40, 110, 70);
const WHITE: Rgb = (240, 240, 240);

fn disc() -> Motif {
    Motif::Disc { ink: WHITE, is_cut: false, crown: None, mark: None }
}

fn draw(motif: Motif, cells: (u16, u16)) -> Image {
    raster::draw(&Picture { motif, cells, ground: GROUND }, (10, 20))
}

fn env<'a>(set: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + use<'a> {
    |name| set.iter().find(|(one, _)| *one == name).map(|(_, value)| (*value).to_owned())
}

#[test]
fn images_are_shown_where_the_terminal_has_them_and_never_over_a_line_unasked() {
    let auto = |has_sixels, set: &[(&str, &str)]| GraphicsChoice::Auto.protocol(has_sixels, env(set));
    let kitty = ("TERM", "xterm-kitty");
    assert_eq!(auto(false, &[kitty]), Some(Protocol::Kitty));
    assert_eq!(auto(false, &[("TERM_PROGRAM", "ghostty")]), Some(Protocol::Kitty));
    assert_eq!(auto(true, &[("TERM", "foot")]), Some(Protocol::Sixel));
    assert_eq!(auto(false, &[("TERM", "xterm")]), None);
    for far in [("SSH_CONNECTION", "a b"), ("TMUX", "1"), ("STY", "1")] {
        assert_eq!(auto(true, &[kitty, far]), None);
        assert_eq!(GraphicsChoice::Kitty.protocol(false, env(&[far])), Some(Protocol::Kitty));
    }
    assert_eq!(GraphicsChoice::None.protocol(true, env(&[kitty])), None);
    assert!(GraphicsChoice::Auto.depends_on_type(env(&[])) && !GraphicsChoice::Auto.depends_on_type(env(&[kitty])));
}

#[test]
fn a_disc_is_round_and_lies_on_the_ground() {
    let image = draw(disc(), (6, 3));
    let at = |x: usize, y: usize| image.pixels[y * image.width + x];
    assert_eq!((image.width, image.height), (60, 60));
    assert!([at(0, 0), at(59, 0), at(0, 59), at(59, 59)].iter().all(|corner| *corner == GROUND));
    let bright = image.pixels.iter().filter(|(red, ..)| *red > 150).count() as f64;
    let expected = std::f64::consts::PI * (0.44 * 60.0_f64).powi(2);
    assert!((bright / expected - 1.0).abs() < 0.03, "{bright} of {expected}");
    assert!(at(30, 8).0 > at(30, 52).0, "the light comes from above");
}

#[test]
fn more_seeds_cover_more_and_none_nothing() {
    let covered =
        |count| draw(Motif::Seeds { count, ink: WHITE }, (9, 4)).pixels.iter().filter(|p| **p != GROUND).count();
    let counts: Vec<usize> = [0, 1, 3, 8, 20].map(covered).to_vec();
    assert!(counts[0] == 0 && counts.is_sorted() && counts[1] > 0 && counts[1] < counts[2], "{counts:?}");
}

#[test]
fn placeholders_tell_their_picture_and_equal_ones_share_it() {
    let pictures = Pictures::new(Protocol::Kitty, None);
    let mut buf = Buffer::empty(Rect::new(0, 0, 20, 5));
    let area = Rect::new(2, 1, 5, 2);
    assert!(pictures.place(disc(), GROUND, area, &mut buf));
    assert!(pictures.place(disc(), GROUND, Rect { x: 10, ..area }, &mut buf));
    assert!(pictures.place(disc(), WHITE, Rect { x: 10, y: 3, ..area }, &mut buf));
    let shown = |x, y| part(buf[(x, y)].symbol());
    assert_eq!(shown(2, 1), Some(Part { id: 1, column: 0, row: 0 }));
    assert_eq!(shown(6, 2), Some(Part { id: 1, column: 4, row: 1 }));
    assert_eq!(shown(11, 1), Some(Part { id: 1, column: 1, row: 0 }));
    assert_eq!(shown(10, 3), Some(Part { id: 2, column: 0, row: 0 }));
    assert_eq!((shown(0, 0), part("x"), part("")), (None, None, None));
    assert_eq!(unicode_width::UnicodeWidthStr::width(buf[(2, 1)].symbol()), 1);
    assert!(!pictures.transmission(1).is_empty() && pictures.transmission(1).is_empty(), "sent once");
    pictures.reset(None);
    assert!(pictures.transmission(1).is_empty(), "forgotten");
}

#[test]
fn a_screen_has_at_most_as_many_pictures_as_there_are_identifiers() {
    let pictures = Pictures::new(Protocol::Kitty, None);
    let mut buf = Buffer::empty(Rect::new(0, 0, 40, 40));
    let mut place = |count, area| pictures.place(Motif::Seeds { count, ink: WHITE }, GROUND, area, &mut buf);
    assert!((0..239).all(|count| place(count, Rect::new(0, 0, 3, 1))));
    assert!(!place(239, Rect::new(0, 0, 3, 1)) && place(7, Rect::new(0, 0, 3, 1)));
    assert!(!place(7, Rect::new(0, 0, 31, 1)));
}

#[test]
fn kitty_gets_the_pixels() {
    let image = draw(Motif::Seeds { count: 30, ink: WHITE }, (20, 10));
    let text = String::from_utf8(transmission(7, (20, 10), &image)).unwrap();
    let sequences: Vec<&str> = text.split("\x1b\\").filter(|one| !one.is_empty()).collect();
    let (controls, payload): (Vec<&str>, Vec<&str>) =
        sequences.iter().map(|one| one.strip_prefix("\x1b_G").unwrap().split_once(';').unwrap()).unzip();
    assert!(controls[0].starts_with("a=T,q=2,f=24,o=z,U=1,i=7,s=200,v=200,c=20,r=10,"), "{}", controls[0]);
    assert!(controls.iter().rev().skip(1).all(|one| one.ends_with("m=1")) && controls.last().unwrap().ends_with("m=0"));
    assert!(controls.len() > 1 && payload.iter().all(|one| one.len() <= 4096));
    let packed = BASE64_STANDARD.decode(payload.concat()).unwrap();
    let pixels = miniz_oxide::inflate::decompress_to_vec_zlib(&packed).unwrap();
    let expected: Vec<u8> = image.pixels.iter().flat_map(|&(r, g, b)| [r, g, b]).collect();
    assert_eq!(pixels, expected);
}

/// Draws sixels as a terminal does: colours in percent by pixel, `None` where nothing was drawn.
fn shown(text: &str, width: usize, height: usize) -> Vec<Option<[u32; 3]>> {
    let body = text.strip_prefix("\x1bP0;1q\"1;1;").unwrap().strip_suffix("\x1b\\").unwrap();
    let mut pixels = vec![None; width * height];
    let mut colors = std::collections::HashMap::new();
    let (mut x, mut top, mut color, mut repeat) = (0, 0, [0; 3], 1);
    let mut rest = body.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
    while let Some(first) = rest.chars().next() {
        rest = &rest[1..];
        let length = rest.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(rest.len());
        let numbers = || rest[..length].split(';').map(|number| number.parse::<u32>().unwrap()).collect::<Vec<_>>();
        match first {
            '#' => {
                let numbers = numbers();
                if let [register, 2, red, green, blue] = numbers[..] {
                    colors.insert(register, [red, green, blue]);
                }
                color = colors[&numbers[0]];
                rest = &rest[length..];
            }
            '!' => {
                repeat = numbers()[0] as usize;
                rest = &rest[length..];
            }
            '$' => x = 0,
            '-' => (x, top) = (0, top + 6),
            sixel => {
                let bits = sixel as u8 - b'?';
                for (column, bit) in (x..x + repeat).flat_map(|column| (0..6).map(move |bit| (column, bit))) {
                    if bits >> bit & 1 == 1 {
                        pixels[(top + bit) * width + column] = Some(color);
                    }
                }
                (x, repeat) = (x + repeat, 1);
            }
        }
    }
    pixels
}

proptest! {
    /// Every pixel is drawn, in a colour of the same quarter of each part.
    #[test]
    fn sixels_show_the_image(count in 0..30_u16, wide in 1..6_u16, high in 1..4_u16, red in 0..=255_u8) {
        let image = draw(Motif::Seeds { count, ink: (red, 200, 90) }, (wide, high));
        let text = String::from_utf8(encode(&image)).unwrap();
        prop_assert_eq!(shown(&text, image.width, image.height)[0], Some([40, 110, 70].map(|part| (part * 100 + 127) / 255)));
        for (pixel, drawn) in image.pixels.iter().zip(shown(&text, image.width, image.height)) {
            let drawn = drawn.unwrap();
            let wanted = [pixel.0, pixel.1, pixel.2].map(|part| u32::from(part) * 100 / 255);
            prop_assert!(wanted.iter().zip(drawn).all(|(one, other)| one.abs_diff(other) <= 25), "{wanted:?} {drawn:?}");
        }
    }
}

#[test]
fn a_part_of_a_picture_is_cut_from_it() {
    let whole = draw(disc(), (4, 2));
    let part = whole.part((10, 20), (20, 20));
    assert_eq!((part.width, part.height), (20, 20));
    assert_eq!(part.pixels[0], whole.pixels[20 * 40 + 10]);
    assert_eq!(part.pixels[399], whole.pixels[39 * 40 + 29]);
}
