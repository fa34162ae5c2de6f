//! The automatic theme, chosen by the terminal's background.

use super::{BUILT_IN, ColorDepth};

/// The value of config and flags for the automatic theme.
pub(crate) const AUTO: &str = "auto";

/// The background of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shade {
    Dark,
    Light,
}

impl Shade {
    /// Classifies red, green and blue, each 0 to 1: light from the perceptual middle between black and white.
    pub(crate) fn classify([red, green, blue]: [f64; 3]) -> Shade {
        let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        // The lightness L* of CIE 1976 is 50 at this luminance.
        const MIDDLE: f64 = 0.184;
        let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        if luminance > MIDDLE { Shade::Light } else { Shade::Dark }
    }
}

/// Returns the theme for this background; `None` is an unknown background.
///
/// Unknown is not dark: the theme made of the terminal's own sixteen colours can be read on any background. With no more colours than
/// those it is always that one: the soft colours of the others would only be approximated.
pub(crate) fn suiting(background: Option<Shade>, depth: ColorDepth) -> &'static str {
    match background {
        _ if depth == ColorDepth::Sixteen => "sixteen",
        None => "sixteen",
        Some(Shade::Light) => "light",
        Some(Shade::Dark) => BUILT_IN[0].0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_are_dark_or_light() {
        let of = |[r, g, b]: [u8; 3]| Shade::classify([r, g, b].map(|c| f64::from(c) / 255.0));
        for dark in [[0, 0, 0], [0x12, 0x12, 0x12], [0, 0x2b, 0x36], [0x28, 0x2c, 0x34], [0, 0, 255], [110, 110, 110]] {
            assert_eq!(of(dark), Shade::Dark, "{dark:?}");
        }
        for light in [[255, 255, 255], [0xfd, 0xf6, 0xe3], [0xee, 0xe8, 0xd5], [255, 255, 0], [130, 130, 130]] {
            assert_eq!(of(light), Shade::Light, "{light:?}");
        }
    }

    #[test]
    fn every_theme_that_may_be_chosen_is_built_in() {
        for background in [None, Some(Shade::Dark), Some(Shade::Light)] {
            for depth in [ColorDepth::None, ColorDepth::Sixteen, ColorDepth::Indexed, ColorDepth::True] {
                let name = suiting(background, depth);
                assert!(BUILT_IN.iter().any(|(known, _)| *known == name), "{name}");
            }
        }
        assert_eq!(suiting(Some(Shade::Light), ColorDepth::True), "light");
        assert_eq!(suiting(Some(Shade::Light), ColorDepth::Sixteen), "sixteen");
        assert_eq!(suiting(None, ColorDepth::True), "sixteen");
    }
}
