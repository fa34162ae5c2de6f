//! The drawing characters, in three sets: Unicode, Unicode without braille, and ASCII.
//!
//! Terminals, fonts and locales disagree on the width of many characters. All drawing uses these sets, so that `glyphs = "ascii"`
//! applies everywhere; each entry is one cell wide in its set.

use ratatui::symbols::{border, line};

/// The value of `ui.glyphs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GlyphChoice {
    /// ASCII if the locale is not UTF-8, and on consoles with small fonts.
    #[default]
    Auto,
    Unicode,
    /// Unicode without braille, which some fonts do not have.
    Blocks,
    Ascii,
}

crate::settings::string_enum!(GlyphChoice { "auto" => Auto, "unicode" => Unicode, "blocks" => Blocks, "ascii" => Ascii });

/// A set of characters to draw with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glyphs {
    /// Frames around boxes.
    pub border: border::Set<'static>,
    /// Lines inside boxes: boards, tables, axes.
    pub line: line::Set<'static>,
    /// Horizontal bars: a cell filled from the left by 0 to 8 eighths.
    pub bar: [&'static str; 9],
    /// Sparklines: a cell filled from below, from the lowest level to the highest.
    pub spark: [&'static str; 8],
    /// Shades of a cell from empty to full, for heat maps and bands.
    pub shade: [&'static str; 5],
    /// The marker of a value on a range.
    pub mark: &'static str,
    /// Before the selected row, and before running work.
    pub pointer: &'static str,
    pub pause: &'static str,
    pub left: &'static str,
    pub right: &'static str,
    pub up: &'static str,
    pub down: &'static str,
    /// Before negative numbers.
    pub minus: &'static str,
    /// In place of truncated text.
    pub ellipsis: &'static str,
    /// Between items on one line.
    pub dot: &'static str,
    /// As in 6 × 4.
    pub times: &'static str,
    pub check: &'static str,
    pub cross: &'static str,
    /// One piece of each side on a board of squares, `[south, north]`: filled and hollow.
    pub discs: [&'static str; 2],
    /// A legal target square.
    pub open: &'static str,
    /// The square of the last move.
    pub spot: &'static str,
    /// A piece that a move would turn over or capture.
    pub turn: &'static str,
    /// A king.
    pub king: &'static str,
    /// A piece that must capture, if no other does.
    pub must: &'static str,
    /// The filling of unused squares.
    pub hatch: &'static str,
    /// The state of a plan's unit: waiting, running, done, failed.
    pub units: [&'static str; 4],
    /// What curves are drawn with.
    pub dots: Dots,
}

/// The dots that a cell of a curve is divided into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dots {
    /// Two across and four down, as braille patterns. Seeds are dots of braille, too.
    Braille,
    /// Two across and two down, as quadrants.
    Quadrants,
    /// The cell itself, as an ASCII character.
    Cells,
}

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

const ASCII_LINE: line::Set<'static> = line::Set {
    vertical: "|",
    horizontal: "-",
    top_right: "+",
    top_left: "+",
    bottom_right: "+",
    bottom_left: "+",
    vertical_left: "+",
    vertical_right: "+",
    horizontal_down: "+",
    horizontal_up: "+",
    cross: "+",
};

impl Glyphs {
    pub(crate) fn unicode() -> Glyphs {
        Glyphs {
            border: border::ROUNDED,
            line: line::ROUNDED,
            bar: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
            spark: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
            shade: [" ", "░", "▒", "▓", "█"],
            mark: "┃",
            // Not ▶, which some terminals draw as an emoji and some locales two cells wide.
            pointer: "▸",
            pause: "‖",
            left: "←",
            right: "→",
            up: "↑",
            down: "↓",
            minus: "−",
            ellipsis: "…",
            dot: "·",
            times: "×",
            check: "✓",
            cross: "✗",
            // Neither ● nor ■, which some locales draw two cells wide.
            discs: ["▮", "▯"],
            open: "+",
            spot: "*",
            turn: "~",
            king: "K",
            must: "!",
            hatch: "░",
            units: ["·", "▸", "▮", "✗"],
            dots: Dots::Braille,
        }
    }

    pub(crate) fn blocks() -> Glyphs {
        Glyphs { dots: Dots::Quadrants, ..Glyphs::unicode() }
    }

    /// Whether there are characters that fill parts of a cell.
    pub(crate) fn has_blocks(&self) -> bool {
        self.dots != Dots::Cells
    }

    pub fn ascii() -> Glyphs {
        Glyphs {
            border: ASCII_BORDER,
            line: ASCII_LINE,
            bar: [" ", " ", " ", " ", "#", "#", "#", "#", "#"],
            spark: ["_", ".", ":", "-", "=", "+", "*", "#"],
            shade: [" ", ".", ":", "*", "#"],
            mark: "#",
            pointer: ">",
            pause: "=",
            left: "<",
            right: ">",
            up: "^",
            down: "v",
            minus: "-",
            ellipsis: "~",
            dot: "-",
            times: "x",
            check: "+",
            cross: "x",
            discs: ["X", "O"],
            open: "+",
            spot: "*",
            turn: "~",
            king: "K",
            must: "!",
            hatch: ":",
            units: [".", ">", "#", "x"],
            dots: Dots::Cells,
        }
    }

    /// Returns the chosen set, or the one that the environment supports. `env` looks up an environment variable.
    pub(crate) fn detect(env: impl Fn(&str) -> Option<String>, choice: GlyphChoice) -> Glyphs {
        let set = |name: &str| env(name).filter(|value| !value.is_empty());
        let utf8 = || {
            // The first variable that is set decides, as in setlocale(3).
            let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        };
        let small_font = || matches!(set("TERM").as_deref(), None | Some("linux" | "dumb"));
        match choice {
            GlyphChoice::Unicode => Glyphs::unicode(),
            GlyphChoice::Blocks => Glyphs::blocks(),
            GlyphChoice::Ascii => Glyphs::ascii(),
            GlyphChoice::Auto if utf8() && !small_font() => Glyphs::unicode(),
            GlyphChoice::Auto => Glyphs::ascii(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    fn all(glyphs: &Glyphs) -> Vec<&'static str> {
        let b = &glyphs.border;
        let l = &glyphs.line;
        let mut all = vec![
            b.top_left,
            b.top_right,
            b.bottom_left,
            b.bottom_right,
            b.vertical_left,
            b.vertical_right,
            b.horizontal_top,
            b.horizontal_bottom,
            l.vertical,
            l.horizontal,
            l.top_right,
            l.top_left,
            l.bottom_right,
            l.bottom_left,
            l.vertical_left,
            l.vertical_right,
            l.horizontal_down,
            l.horizontal_up,
            l.cross,
            glyphs.mark,
            glyphs.pointer,
            glyphs.pause,
            glyphs.left,
            glyphs.right,
            glyphs.up,
            glyphs.down,
            glyphs.minus,
            glyphs.ellipsis,
            glyphs.dot,
            glyphs.times,
            glyphs.check,
            glyphs.cross,
            glyphs.open,
            glyphs.spot,
            glyphs.turn,
            glyphs.king,
            glyphs.must,
            glyphs.hatch,
        ];
        all.extend(glyphs.discs);
        all.extend(glyphs.units);
        all.extend(glyphs.bar);
        all.extend(glyphs.spark);
        all.extend(glyphs.shade);
        all
    }

    #[test]
    fn every_glyph_is_one_cell_and_ascii_is_ascii() {
        for glyph in all(&Glyphs::unicode()).into_iter().chain(all(&Glyphs::ascii())) {
            assert_eq!(glyph.width(), 1, "{glyph:?}");
        }
        assert!(all(&Glyphs::ascii()).iter().all(|glyph| glyph.is_ascii()));
    }

    #[test]
    fn blocks_are_unicode_without_braille() {
        let blocks = Glyphs::blocks();
        assert!(blocks.has_blocks() && blocks.dots == Dots::Quadrants);
        let is_braille = |c: char| ('\u{2800}'..='\u{28ff}').contains(&c);
        assert!(!all(&blocks).iter().any(|glyph| glyph.contains(is_braille)));
    }

    #[test]
    fn what_stands_on_boards_is_one_cell_in_every_locale() {
        let Glyphs { discs, open, spot, turn, king, must, .. } = Glyphs::unicode();
        for glyph in discs.into_iter().chain([open, spot, turn, king, must]) {
            assert_eq!(glyph.width_cjk(), 1, "{glyph:?}");
        }
    }

    #[test]
    fn the_locale_and_the_terminal_decide() {
        let detect = |env: &[(&str, &str)]| {
            let lookup = |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
            Glyphs::detect(lookup, GlyphChoice::Auto).has_blocks()
        };
        assert!(detect(&[("LANG", "de_CH.UTF-8"), ("TERM", "xterm")]));
        assert!(detect(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C"), ("TERM", "xterm")]));
        assert!(!detect(&[("LC_ALL", "C"), ("LANG", "de_CH.UTF-8"), ("TERM", "xterm")]));
        assert!(!detect(&[("LANG", "de_CH.UTF-8"), ("TERM", "linux")]));
        assert!(!detect(&[("TERM", "xterm")]));
    }
}
