//! Themes: the styles of roles.
//!
//! The rest of the program names the meaning of a text ([`Role`]) and never its colour. A [`Theme`] is a palette of named colours
//! and a style for every role; it is parsed from TOML, may inherit from another, and is fitted to the terminal's [`ColorDepth`]
//! once, when it is loaded. Without colour there is one theme, `mono`, which uses bold, dim, underline and reverse for the
//! important distinctions. The user's theme files are read, never written.

mod file;
mod glyphs;
mod quantise;
use ratatui::style::{Color, Style};

use super::paths::Paths;
use super::settings::Report;
use file::Definition;

pub use glyphs::{Dots, GlyphChoice, Glyphs};

/// The built-in themes: name, text. The first is the default one, from which all others inherit.
pub(crate) const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("sixteen", include_str!("../../themes/sixteen.toml")),
    ("okabe-ito", include_str!("../../themes/okabe-ito.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
];

/// Number of steps of the heat scale.
const HEAT_STEPS: usize = 9;

/// A style for every role, ready for the terminal.
#[derive(Clone, PartialEq, Debug)]
pub struct Theme {
    name: String,
    styles: Vec<Style>,
    heat: [Style; HEAT_STEPS],
    /// Empty where colours are too few.
    heat_grounds: Vec<Color>,
}

/// How far a square's colour is mixed with white under the cursor.
const TINT: f64 = 0.3;

/// Returns a lighter tint of a colour; `None` for the terminal's own.
pub(crate) fn lighter(color: Color) -> Option<Color> {
    let tint = quantise::mix(color, Color::Rgb(255, 255, 255), TINT)?;
    let depth = if matches!(color, Color::Rgb(..)) { ColorDepth::True } else { ColorDepth::Indexed };
    quantise::style(Style::new().bg(tint), depth).bg
}

/// Returns the red, green and blue of a colour; `None` for the terminal's own.
pub(crate) fn rgb(color: Color) -> Option<(u8, u8, u8)> {
    quantise::rgb(color).filter(|_| !quantise::is_named(color))
}

impl Theme {
    /// The keys and sections of a theme file.
    pub(crate) const KEYS: [&str; 4] = ["name", "inherits", "palette", "roles"];

    /// Loads a theme by name, or from a file if `name` is a path (contains a `/` or ends in `.toml`).
    ///
    /// A file `NAME.toml` among the user's themes takes precedence over the built-in theme of that name, and may inherit from it.
    /// At [`ColorDepth::None`] the named theme is only checked, and `mono` is returned.
    ///
    /// # Errors
    /// The theme does not exist (the message lists those that do), a file cannot be read, or its text has errors (all of them).
    pub fn load(name: &str, depth: ColorDepth, paths: &Paths) -> Result<Theme, Report> {
        let chain = file::chain(name, paths)?;
        let named = Theme::build(name, &chain, depth)?;
        if depth > ColorDepth::None {
            return Ok(named);
        }
        let mono = file::built_in("mono")
            .map_or(Ok(Vec::new()), |source| file::Definition::read(&source).map(|one| vec![one]))?;
        Theme::build("mono", &mono, depth)
    }

    /// Returns the built-in theme `dark`, or `mono` without colour: for tests, and as a fallback.
    pub fn usual(depth: ColorDepth) -> Theme {
        Theme::load(BUILT_IN[0].0, depth, &Paths::default()).unwrap_or_else(|_| Theme::plain())
    }

    /// Returns a theme without styles.
    fn plain() -> Theme {
        let styles = vec![Style::new(); Role::ALL.len()];
        let heat = [Style::new(); HEAT_STEPS];
        Theme { name: "plain".into(), styles, heat, heat_grounds: Vec::new() }
    }

    fn build(name: &str, chain: &[Definition], depth: ColorDepth) -> Result<Theme, Report> {
        let mut theme = Theme::plain();
        theme.name = chain.first().and_then(|leaf| leaf.name.clone()).unwrap_or_else(|| name.to_string());
        let styles = file::resolve(chain)?;
        theme.heat =
            heat(styles[Role::HeatLow.index()], styles[Role::HeatHigh.index()], styles[Role::Text.index()], depth);
        theme.heat_grounds = heat_grounds(&styles, depth);
        theme.styles = styles.into_iter().map(|style| quantise::style(style, depth)).collect();
        Ok(theme)
    }

    /// Whether [`load`](Theme::load) treats this as a path.
    pub(crate) fn is_path(name: &str) -> bool {
        name.contains('/') || name.ends_with(".toml")
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn style(&self, role: Role) -> Style {
        self.styles[role.index()]
    }

    /// Returns the theme with boards of lines instead of coloured ones, which take three times as many bytes.
    pub(crate) fn without_boards(&self) -> Theme {
        let mut theme = self.clone();
        for role in [Role::Wood, Role::Hollow, Role::Felt, Role::SquareDark, Role::SquareLight] {
            theme.styles[role.index()].bg = None;
        }
        theme
    }

    /// Returns the style of a heat map's cell, from 0 (low) to 1 (high); other levels are clamped. Draw it with a
    /// [shade](Glyphs::shade) of the same level, so that it is readable without colour.
    pub(crate) fn heat(&self, level: f64) -> Style {
        let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, 1.0) };
        self.heat[(level * (HEAT_STEPS - 1) as f64).round() as usize]
    }

    /// Returns the background of a heat map's cell without text, from 0 (little contrast) to 1; `None` where colours are too few to
    /// distinguish levels.
    pub(crate) fn heat_ground(&self, level: f64) -> Option<Color> {
        let last = self.heat_grounds.len().checked_sub(1)? as f64;
        let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, 1.0) };
        self.heat_grounds.get((level * last).round() as usize).copied()
    }

    /// Returns the names of the available themes: the built-in ones, then the user's by name.
    pub(crate) fn available(paths: &Paths) -> Vec<String> {
        let mut names: Vec<String> = BUILT_IN.iter().map(|(name, _)| name.to_string()).collect();
        let mut own: Vec<String> = paths
            .themes()
            .iter()
            .filter_map(|dir| std::fs::read_dir(dir).ok())
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".toml").map(str::to_string))
            .filter(|name| !names.contains(name))
            .collect();
        crate::sort::sort(&mut own);
        own.dedup();
        names.extend(own);
        names
    }
}

/// Returns the heat scale: interpolated if the colours have known values, else three steps. The terminal's own sixteen colours are
/// unknown and cannot be mixed.
fn heat(low: Style, high: Style, middle: Style, depth: ColorDepth) -> [Style; HEAT_STEPS] {
    std::array::from_fn(|i| {
        let t = i as f64 / (HEAT_STEPS - 1) as f64;
        let mixed = match (low.fg, high.fg) {
            (Some(a), Some(b)) if depth >= ColorDepth::Indexed && !(quantise::is_named(a) && quantise::is_named(b)) => {
                quantise::mix(a, b, t)
            }
            _ => None,
        };
        let style = match mixed {
            Some(color) => Style::new().fg(color),
            None if i < HEAT_STEPS / 3 => low,
            None if i < HEAT_STEPS - HEAT_STEPS / 3 => middle,
            None => high,
        };
        quantise::style(style, depth)
    })
}

/// Returns the backgrounds of a heat map: from that of the selection, which is near the terminal's, by the low to the high end.
fn heat_grounds(styles: &[Style], depth: ColorDepth) -> Vec<Color> {
    let style = |role: Role| styles[role.index()];
    let ends = [style(Role::Selection).bg, style(Role::HeatLow).fg, style(Role::HeatHigh).fg];
    let [Some(nought), Some(low), Some(high)] = ends else { return Vec::new() };
    if depth < ColorDepth::Indexed || ends.into_iter().flatten().any(quantise::is_named) {
        return Vec::new();
    }
    let last = (2 * HEAT_STEPS - 2) as f64;
    // Each part has steps in proportion to its difference in lightness.
    let difference = |a, b| quantise::lightness(a).zip(quantise::lightness(b)).map_or(1.0, |(a, b)| (a - b).abs());
    let lower = difference(nought, low);
    let upper = difference(low, high);
    let bend = lower / (lower + upper).max(f64::MIN_POSITIVE);
    let mixed = |step: usize| match step as f64 / last {
        t if t < bend => quantise::mix(nought, low, t / bend),
        t => quantise::mix(low, high, (t - bend) / (1.0 - bend).max(f64::MIN_POSITIVE)),
    };
    let grounds = (0..2 * HEAT_STEPS - 1).filter_map(mixed);
    grounds.filter_map(|color| quantise::style(Style::new().bg(color), depth).bg).collect()
}

#[cfg(test)]
mod tests;

macro_rules! roles {
    ($( #[doc = $about:literal] $name:ident = $key:literal, )+) => {
        /// The meaning of a part of the screen, styled by a [`Theme`](Theme).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Role { $( #[doc = $about] $name, )+ }

        impl Role {
            /// All roles in the order of the theme files.
            pub const ALL: &'static [Role] = &[$(Role::$name),+];

            /// Returns the name in theme files.
            pub fn key(self) -> &'static str {
                match self { $(Role::$name => $key),+ }
            }

            /// Returns the description of the role, for the documentation of themes.
            pub fn about(self) -> &'static str {
                match self { $(Role::$name => $about.trim_ascii()),+ }
            }
        }
    };
}

roles! {
    /// Plain text.
    Text = "text",
    /// Secondary text: units, hints, axis labels, board coordinates.
    Dim = "dim",
    /// Titles of frames and dialogs.
    Title = "title",
    /// The most important number or word, and the focus marker.
    Accent = "accent",
    /// Frames and rules.
    Border = "border",
    /// The focused frame.
    BorderFocus = "border_focus",
    /// The selected row, cell or pit.
    Selection = "selection",
    /// Key names in the footer and in help.
    Key = "key",
    /// Black on boards of squares: name, moves, score; dark.
    Black = "black",
    /// White on boards of squares: name, moves, score; light.
    White = "white",
    /// South: name, pits, score.
    South = "south",
    /// North: name, pits, score.
    North = "north",
    /// Seed counts that belong to neither side.
    Seeds = "seeds",
    /// Empty pits and illegal moves.
    Empty = "empty",
    /// The pit of the last move and the pits it sowed.
    LastMove = "last_move",
    /// Seeds being captured.
    Capture = "capture",
    /// Gains, success, normal operation.
    Good = "good",
    /// Losses, failures, errors.
    Bad = "bad",
    /// Warnings and notable differences.
    Warning = "warning",
    /// Bars of bar charts.
    Bar = "bar",
    /// Bars of negative values or of a second series.
    BarAlt = "bar_alt",
    /// The filled part of progress gauges.
    Gauge = "gauge",
    /// Inactive tabs.
    Tab = "tab",
    /// The active tab.
    TabActive = "tab_active",
    /// Text in the footer.
    Footer = "footer",
    /// The first curve of a chart, such as the best.
    Curve1 = "curve1",
    /// The second curve, such as the mean.
    Curve2 = "curve2",
    /// The third curve, such as the median.
    Curve3 = "curve3",
    /// The low end of heat maps; values between are interpolated.
    HeatLow = "heat_low",
    /// The high end of heat maps.
    HeatHigh = "heat_high",
    /// The wood of a board of pits: background and lines.
    Wood = "wood",
    /// The pits and stores in it: background.
    Hollow = "hollow",
    /// The board of Othello: background and lines. Without a background boards are drawn by lines alone.
    Felt = "felt",
    /// Dark squares of checkers: background and numbers.
    SquareDark = "square_dark",
    /// Light squares of checkers: background.
    SquareLight = "square_light",
    /// Pieces of Black on a coloured board.
    PieceDark = "piece_dark",
    /// Pieces of White on a coloured board.
    PieceLight = "piece_light",
    /// The page behind an open dialog.
    Shadow = "shadow",
    /// Background of dialogs, the command palette and help.
    Overlay = "overlay",
}

impl Role {
    pub(crate) fn from_key(key: &str) -> Option<Role> {
        Role::ALL.iter().copied().find(|role| role.key() == key)
    }

    fn index(self) -> usize {
        self as usize
    }
}

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

/// The value of `--color` and `ui.color`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColorChoice {
    /// By the environment.
    #[default]
    Auto,
    /// By the environment, ignoring `NO_COLOR`.
    Always,
    Never,
    Sixteen,
    Indexed,
    True,
}

super::settings::string_enum!(ColorChoice {
    "auto" => Auto,
    "always" => Always,
    "never" => Never,
    "16" => Sixteen,
    "256" => Indexed,
    "true" => True,
});

/// The colours of a terminal, from none to all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ColorDepth {
    /// Bold, dim, underline and reverse only.
    None,
    /// The 16 of the user's palette.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// 24 bits.
    True,
}

impl ColorDepth {
    /// Returns the depth for the terminal and the user's choice. `env` looks up an environment variable.
    ///
    /// An explicit depth overrides the environment.
    pub(crate) fn detect(env: impl Fn(&str) -> Option<String>, choice: ColorChoice) -> ColorDepth {
        let set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
        match choice {
            ColorChoice::Never => ColorDepth::None,
            ColorChoice::Sixteen => ColorDepth::Sixteen,
            ColorChoice::Indexed => ColorDepth::Indexed,
            ColorChoice::True => ColorDepth::True,
            ColorChoice::Always => ColorDepth::of_terminal(&env).max(ColorDepth::Sixteen),
            ColorChoice::Auto if set("NO_COLOR") => ColorDepth::None,
            ColorChoice::Auto => ColorDepth::of_terminal(&env),
        }
    }

    fn of_terminal(env: &impl Fn(&str) -> Option<String>) -> ColorDepth {
        let term = env("TERM").unwrap_or_default();
        let by_name = ColorDepth::of_name(&term);
        // GNU screen passes the outer terminal's COLORTERM on but not its colours; tmux translates colours for its client.
        let in_screen = env("STY").is_some() && env("TMUX").is_none() && term.starts_with("screen");
        let claims_all = env("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        match by_name {
            ColorDepth::Sixteen | ColorDepth::Indexed if claims_all && !in_screen && term != "linux" => {
                ColorDepth::True
            }
            _ => by_name,
        }
    }

    /// Returns the depth of a terminal of this name (`TERM`).
    fn of_name(term: &str) -> ColorDepth {
        const TRUE: &[&str] = &["xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot", "contour", "rio"];
        let family = |names: &[&str]| {
            names
                .iter()
                .any(|name| term.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
        };
        match term {
            "" | "dumb" | "unknown" => ColorDepth::None,
            _ if term.starts_with("vt") || term.ends_with("-m") || term.ends_with("-mono") => ColorDepth::None,
            _ if term.contains("-direct") || family(TRUE) => ColorDepth::True,
            _ if term.contains("256color") => ColorDepth::Indexed,
            _ => ColorDepth::Sixteen,
        }
    }
}
