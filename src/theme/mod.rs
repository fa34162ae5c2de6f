//! What the screen looks like: roles, and the themes that colour them.
//!
//! The rest of the program says what a thing means ([`Role`]) and never what colour it has. A [`Theme`] is a palette of named
//! colours and a style for every role; it is read from TOML, may inherit from another, and is fitted once, when it is
//! loaded, to what the terminal can show ([`ColorDepth`]). Without colour there is one theme, `mono`, which keeps apart by
//! bold, dim, underline and reverse what must not be confused. Themes of the user are read, never written.

mod auto;
mod depth;
mod file;
mod glyphs;
mod quantise;
mod role;
use ratatui::style::Style;

use crate::paths::Paths;
use crate::settings::Report;
use file::Definition;

pub use auto::Shade;
pub(crate) use auto::{AUTO, suiting};
pub use depth::{ColorChoice, ColorDepth};
pub use glyphs::{GlyphChoice, Glyphs};
pub use role::Role;

/// The themes that come with the program: name, text. The first is the usual one, and what every other theme builds on.
pub(crate) const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("sixteen", include_str!("../../themes/sixteen.toml")),
    ("okabe-ito", include_str!("../../themes/okabe-ito.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
];

/// Shades of the heat scale.
const HEAT_STEPS: usize = 9;

/// A style for every role, ready for the terminal.
#[derive(Clone, PartialEq, Debug)]
pub struct Theme {
    name: String,
    styles: Vec<Style>,
    heat: [Style; HEAT_STEPS],
}

impl Theme {
    /// Loads a theme by its name, or from a file if `name` is a path (it has a `/` in it or ends in `.toml`).
    ///
    /// A file `NAME.toml` among the person's own themes comes before the built-in theme of that name, and may inherit from it. At
    /// [`ColorDepth::None`] the named theme is only checked, and `mono` is what comes back.
    ///
    /// # Errors
    /// No such theme (naming those that exist), a file that cannot be read, or everything that is wrong with its text.
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

    /// The built-in theme `dark`, or `mono` where there is no colour: for tests, and when there is nothing to choose.
    pub fn usual(depth: ColorDepth) -> Theme {
        Theme::load(BUILT_IN[0].0, depth, &Paths::default()).unwrap_or_else(|_| Theme::plain())
    }

    /// Nothing but the terminal's own text.
    fn plain() -> Theme {
        Theme { name: "plain".into(), styles: vec![Style::new(); Role::ALL.len()], heat: [Style::new(); HEAT_STEPS] }
    }

    fn build(name: &str, chain: &[Definition], depth: ColorDepth) -> Result<Theme, Report> {
        let mut theme = Theme::plain();
        theme.name = chain.first().and_then(|leaf| leaf.name.clone()).unwrap_or_else(|| name.to_string());
        let styles = file::resolve(chain)?;
        theme.heat =
            heat(styles[Role::HeatLow.index()], styles[Role::HeatHigh.index()], styles[Role::Text.index()], depth);
        theme.styles = styles.into_iter().map(|style| quantise::style(style, depth)).collect();
        Ok(theme)
    }

    /// Whether [`load`](Theme::load) takes this for a path and not for a name.
    pub(crate) fn is_path(name: &str) -> bool {
        name.contains('/') || name.ends_with(".toml")
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn style(&self, role: Role) -> Style {
        self.styles[role.index()]
    }

    /// The style of a cell of a heat map, from 0 (low) to 1 (high); what lies outside counts as the nearer end. Draw it with
    /// a [shade](Glyphs::shade) of the same level, so that it can be read without colour.
    pub(crate) fn heat(&self, level: f64) -> Style {
        let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, 1.0) };
        self.heat[(level * (HEAT_STEPS - 1) as f64).round() as usize]
    }

    /// The names of the themes that can be loaded: the built-in ones, then the user's others by name.
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
        own.sort();
        own.dedup();
        names.extend(own);
        names
    }
}

/// The heat scale: mixed where colours can be mixed, else three steps. Two of the terminal's own sixteen cannot: what they look
/// like is the terminal's business, and whoever chose them wants no others.
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

#[cfg(test)]
mod tests;
