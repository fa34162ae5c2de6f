//! Quantisation of 24-bit colours to the terminal's colours.
//!
//! Distances are measured in Oklab, which approximates perception (B. Ottosson, "A perceptual color space for image processing",
//! 2020). With 16 colours, distance alone would turn every soft colour into grey, and the two sides of a board into one: there, a
//! colour with a hue is mapped to a colour with a hue.

use ratatui::style::{Color, Modifier, Style};

use super::ColorDepth;

/// Oklab: lightness 0 to 1, and two opponent axes of about -0.4 to 0.4.
type Lab = [f64; 3];

/// Colours closer than this to the grey axis count as grey.
const GREY: f64 = 0.03;

/// The default values of the 16 (xterm's); the user's palette may differ and is unknown.
const SIXTEEN: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

/// The names that ratatui gives to the 16, by number.
pub(super) const NAMED: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
];

/// Returns the style at this depth.
pub(super) fn style(style: Style, depth: ColorDepth) -> Style {
    match depth {
        ColorDepth::True => style,
        ColorDepth::Indexed => Style { fg: style.fg.map(to_256), bg: style.bg.map(to_256), ..style },
        ColorDepth::Sixteen => to_sixteen(style),
        ColorDepth::None => {
            let reverse =
                if style.bg.is_some_and(|bg| bg != Color::Reset) { Modifier::REVERSED } else { Modifier::empty() };
            Style { fg: None, bg: None, ..style }.add_modifier(reverse)
        }
    }
}

/// Reduces a style to 16 colours. A soft background would become the terminal's background, and a soft grey a black that some
/// palettes hide: they become reverse and dim.
fn to_sixteen(style: Style) -> Style {
    let is_mixed = |color: Option<Color>| matches!(color, Some(Color::Rgb(..) | Color::Indexed(16..)));
    let mut shown = Style { fg: style.fg.map(nearest_16), bg: style.bg.map(nearest_16), ..style };
    if is_mixed(style.bg) && shown.bg.is_some_and(is_grey) {
        shown.bg = None;
        shown = shown.add_modifier(Modifier::REVERSED);
    }
    if is_mixed(style.fg) && shown.fg == Some(Color::DarkGray) {
        shown.fg = None;
        shown = shown.add_modifier(Modifier::DIM);
    }
    shown
}

/// Whether the colour is one of the 16.
pub(super) fn is_named(color: Color) -> bool {
    NAMED.iter().any(|(_, named)| *named == color)
}

fn is_grey(color: Color) -> bool {
    matches!(color, Color::Black | Color::DarkGray | Color::Gray | Color::White)
}

/// Returns the lightness of a colour, 0 to 1, as it is perceived; `None` if it has no known value.
pub(super) fn lightness(color: Color) -> Option<f64> {
    Some(oklab(rgb(color)?)[0])
}

/// Mixes two colours, `t` from 0 (`low`) to 1 (`high`); `None` if one of them has no known value.
pub(super) fn mix(low: Color, high: Color, t: f64) -> Option<Color> {
    let low = oklab(rgb(low)?);
    let high = oklab(rgb(high)?);
    let mixed: Lab = std::array::from_fn(|i| low[i] + (high[i] - low[i]) * t);
    let (r, g, b) = from_oklab(mixed);
    Some(Color::Rgb(r, g, b))
}

fn to_256(color: Color) -> Color {
    match color {
        Color::Rgb(r, g, b) => {
            let wanted = oklab((r, g, b));
            // The first 16 are the user's and unknown.
            let near = (16..=255u8)
                .min_by(|&a, &b| distance(wanted, oklab(indexed(a))).total_cmp(&distance(wanted, oklab(indexed(b)))));
            near.map_or(color, Color::Indexed)
        }
        _ => color,
    }
}

fn nearest_16(color: Color) -> Color {
    let value = match color {
        Color::Rgb(r, g, b) => (r, g, b),
        Color::Indexed(index @ 16..) => indexed(index),
        Color::Indexed(index) => return NAMED[usize::from(index)].1,
        _ => return color,
    };
    let wanted = oklab(value);
    let coloured = chroma(wanted) > GREY;
    let near = (0..16)
        .filter(|&i| (chroma(oklab(SIXTEEN[i])) > GREY) == coloured)
        .min_by(|&a, &b| unlike(wanted, SIXTEEN[a], coloured).total_cmp(&unlike(wanted, SIXTEEN[b], coloured)));
    near.map_or(color, |i| NAMED[i].1)
}

/// Returns the difference of two colours: among colours with a hue by hue first, then by lightness.
fn unlike(wanted: Lab, candidate: (u8, u8, u8), coloured: bool) -> f64 {
    let candidate = oklab(candidate);
    if !coloured {
        return distance(wanted, candidate);
    }
    let hue = |lab: Lab| lab[2].atan2(lab[1]);
    let turn = (hue(wanted) - hue(candidate)).abs();
    turn.min(std::f64::consts::TAU - turn) + (wanted[0] - candidate[0]).abs() * 1.5
}

fn distance(a: Lab, b: Lab) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

fn chroma(lab: Lab) -> f64 {
    lab[1].hypot(lab[2])
}

/// Returns the value of a colour; `None` for the terminal's default.
pub(super) fn rgb(color: Color) -> Option<(u8, u8, u8)> {
    match color {
        Color::Reset => None,
        Color::Rgb(r, g, b) => Some((r, g, b)),
        Color::Indexed(index) => Some(indexed(index)),
        named => NAMED.iter().position(|(_, color)| *color == named).map(|i| SIXTEEN[i]),
    }
}

/// Returns one of xterm's 256 colours: the 16, a cube of 6×6×6, and 24 greys.
fn indexed(index: u8) -> (u8, u8, u8) {
    let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    match index {
        0..=15 => SIXTEEN[usize::from(index)],
        16..=231 => {
            let n = index - 16;
            (level(n / 36), level(n / 6 % 6), level(n % 6))
        }
        _ => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    }
}

fn oklab((r, g, b): (u8, u8, u8)) -> Lab {
    let [r, g, b] = [r, g, b].map(linear);
    let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
    let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
    let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
    [
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
}

fn from_oklab([l, a, b]: Lab) -> (u8, u8, u8) {
    let (l, m, s) = (
        (l + 0.3963377774 * a + 0.2158037573 * b).powi(3),
        (l - 0.1055613458 * a - 0.0638541728 * b).powi(3),
        (l - 0.0894841775 * a - 1.2914855480 * b).powi(3),
    );
    let [r, g, b] = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
    .map(gamma);
    (r, g, b)
}

/// Returns the linear light of an sRGB channel, 0 to 1.
fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn gamma(light: f64) -> u8 {
    let c = if light <= 0.0031308 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (c.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Returns the contrast ratio of WCAG 2, 1 to 21.
#[cfg(test)]
pub(super) fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
    let light = |(r, g, b): (u8, u8, u8)| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let a = light(a);
    let b = light(b);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_survive_the_way_to_oklab_and_back() {
        for value in [(0, 0, 0), (255, 255, 255), (205, 10, 77), (1, 2, 3)] {
            assert_eq!(from_oklab(oklab(value)), value);
        }
    }

    #[test]
    fn the_256_keep_what_they_have_and_come_near_to_the_rest() {
        assert_eq!(to_256(Color::Rgb(0, 0, 0)), Color::Indexed(16));
        assert_eq!(to_256(Color::Rgb(255, 135, 0)), Color::Indexed(208));
        assert_eq!(to_256(Color::Rgb(0x12, 0x12, 0x12)), Color::Indexed(233));
        assert_eq!(to_256(Color::Red), Color::Red);
    }

    #[test]
    fn soft_colours_keep_their_hue_among_the_16() {
        assert_eq!(nearest_16(Color::Rgb(0xe6, 0xb6, 0x73)), Color::Yellow);
        assert!(matches!(nearest_16(Color::Rgb(0x7a, 0xbd, 0xff)), Color::LightBlue | Color::LightCyan | Color::Cyan));
        assert!(matches!(nearest_16(Color::Rgb(0xf2, 0x8b, 0x82)), Color::LightRed | Color::Red));
        assert_eq!(nearest_16(Color::Rgb(0xd0, 0xd0, 0xd0)), Color::Gray);
        assert_eq!(nearest_16(Color::Indexed(9)), Color::LightRed);
    }

    #[test]
    fn what_a_few_colours_cannot_show_becomes_reverse_or_dim() {
        let soft = Style::new().bg(Color::Rgb(0x2a, 0x2f, 0x3a));
        assert_eq!(style(soft, ColorDepth::Sixteen), Style::new().add_modifier(Modifier::REVERSED));
        assert_eq!(style(soft, ColorDepth::None), Style::new().add_modifier(Modifier::REVERSED));
        let grey = Style::new().fg(Color::Rgb(0x80, 0x84, 0x80));
        assert_eq!(style(grey, ColorDepth::Sixteen), Style::new().add_modifier(Modifier::DIM));
        assert_eq!(style(Style::new().fg(Color::Red), ColorDepth::None), Style::new());
    }

    #[test]
    fn mixtures_run_from_end_to_end() {
        let low = Color::Rgb(10, 20, 30);
        let high = Color::Rgb(200, 210, 220);
        assert_eq!(mix(low, high, 0.0), Some(low));
        assert_eq!(mix(low, high, 1.0), Some(high));
        assert_eq!(mix(low, Color::Reset, 0.5), None);
    }
}
