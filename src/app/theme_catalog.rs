//! The looks to choose from, and the current one.
//!
//! The app knows no theme by name and opens no file: [`ThemeCatalog`] does both, on other threads. [`ThemeFiles`] is the catalog of a
//! person's themes.

use mancalab_base::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::place::Whose;
use super::tab::Tone;
use super::work::Owner;
use super::{App, Stale, TerminalRequest};
use crate::config::Config;
use crate::job::background::TaskResult;
use crate::paths::Paths;
use crate::pictures::{GraphicsChoice, Pictures, Protocol};
use crate::settings::{Report, quoted};
use crate::term::{self, Query, Traits};
use crate::theme::{AUTO, ColorDepth, GlyphChoice, Glyphs, Shade, Theme, suiting};
use crate::ui::Look;

/// The catalog of looks. Its methods may open files and are called off the drawing thread.
pub trait ThemeCatalog: Send + Sync {
    /// Returns the names of the themes, in display order.
    fn names(&self) -> Vec<String>;

    /// # Errors
    /// The theme cannot be read; the message has several lines for an invalid file.
    fn load(&self, name: &str) -> Result<Look, Error>;

    /// Returns the look for this background, if the theme depends on the background.
    fn suiting(&self, _background: Shade) -> Option<Look> {
        None
    }

    /// Draws with ASCII from now on.
    fn use_ascii(&self) {}
}

/// Themes by name, for the terminal's capabilities, including the user's own.
pub struct ThemeFiles {
    /// The configured theme.
    wanted: String,
    depth: ColorDepth,
    glyphs: Glyphs,
    /// The glyphs are a choice of the program, which the terminal may refute.
    tries_glyphs: bool,
    /// The terminal draws the glyphs two cells wide.
    is_wide: AtomicBool,
    graphics: GraphicsChoice,
    /// Whether `graphics` depends on the terminal's type.
    asks_type: bool,
    paths: Paths,
}

impl ThemeFiles {
    /// The themes for a terminal with these variables of the environment.
    pub fn new(config: &Config, paths: &Paths, env: impl Fn(&str) -> Option<String>) -> ThemeFiles {
        let glyphs = Glyphs::detect(&env, config.ui.glyphs);
        ThemeFiles {
            wanted: config.ui.theme.clone(),
            depth: ColorDepth::detect(&env, config.ui.color),
            tries_glyphs: config.ui.glyphs == GlyphChoice::Auto && glyphs.has_blocks(),
            glyphs,
            is_wide: AtomicBool::new(false),
            asks_type: config.ui.graphics.depends_on_type(&env),
            graphics: config.ui.graphics,
            paths: paths.clone(),
        }
    }

    /// What the first look depends on: of theme `auto` the terminal's background, of glyphs `auto` their width.
    pub fn wanted(&self) -> Query {
        let depends = self.wanted == AUTO && self.depth > ColorDepth::Sixteen;
        Query { background: depends, width: self.tries_glyphs, sixels: self.asks_type }
    }

    /// The first look on a terminal with these traits.
    ///
    /// # Errors
    /// The configured theme cannot be read.
    pub fn first(&self, traits: Traits) -> Result<Look, Report> {
        self.is_wide.store(traits.is_wide, Ordering::SeqCst);
        self.read(if self.wanted == AUTO { suiting(traits.background, self.depth) } else { &self.wanted })
    }

    /// Returns the pictures of boards for a terminal with these traits, if it shows any.
    pub fn pictures(&self, traits: Traits, env: impl Fn(&str) -> Option<String>) -> Option<Pictures> {
        let protocol = self.graphics.protocol(traits.has_sixels, env).filter(|_| self.depth > ColorDepth::Sixteen)?;
        let cell = term::own_cell_size();
        // Sixels are as large as their pixels: of cells of unknown size they would cover the neighbours.
        let is_possible = protocol == Protocol::Kitty || self.graphics == GraphicsChoice::Sixel || cell.is_some();
        is_possible.then(|| Pictures::new(protocol, cell))
    }

    fn read(&self, name: &str) -> Result<Look, Report> {
        let theme = Theme::load(name, self.depth, &self.paths)?;
        let is_wide = self.is_wide.load(Ordering::SeqCst);
        Ok(Look::new(theme, if is_wide { Glyphs::ascii() } else { self.glyphs.clone() }))
    }
}

impl ThemeCatalog for ThemeFiles {
    fn names(&self) -> Vec<String> {
        Theme::available(&self.paths)
    }

    fn load(&self, name: &str) -> Result<Look, Error> {
        Ok(self.read(name)?)
    }

    fn suiting(&self, background: Shade) -> Option<Look> {
        let decides = self.wanted == AUTO;
        decides.then(|| self.read(suiting(Some(background), self.depth)).ok()).flatten()
    }

    fn use_ascii(&self) {
        self.is_wide.store(true, Ordering::SeqCst);
    }
}

/// Time for a late report of the background.
const HINT_AFTER: Duration = Duration::from_secs(1);

/// A look for the background, which the terminal reported late.
struct SuitableLook(Option<Look>);

impl App {
    /// Handles a late report of the terminal's background; a theme chosen by the user meanwhile is kept.
    pub(super) fn suit(&mut self, background: Shade, now: Instant) {
        self.appearance.theme_hint = None;
        let looks = self.appearance.looks.clone();
        self.start_task(Owner::App, Box::new(move || Box::new(SuitableLook(looks.suiting(background)))), now);
    }

    /// Handles a late report that the terminal draws lines two cells wide, which has torn the screen.
    pub(super) fn draw_in_ascii(&mut self) {
        self.appearance.looks.use_ascii();
        self.appearance.look.glyphs = Glyphs::ascii();
        self.requests.push(TerminalRequest::Redraw);
    }

    /// Says soon, and only once for this person, how the theme is changed: the background is unknown, and no theme was chosen.
    pub fn guess_theme(&mut self, now: Instant) {
        let config = &self.config;
        let is_chosen = config.is_set("ui", "theme") || config.preferences.has_theme;
        self.appearance.theme_hint = (!is_chosen).then_some(now + HINT_AFTER);
    }

    /// Says how the theme is changed if it is time, but not over a dialog or another notice.
    pub(super) fn hint_at_theme(&mut self, now: Instant) {
        if !self.may_hint() || self.appearance.theme_hint.is_none_or(|at| at > now) {
            return;
        }
        self.appearance.theme_hint = None;
        let row = self.keymap.table(Whose::App).find(|(_, label)| label.id == "app.theme");
        let key = row.and_then(|(place, _)| self.keymap.keys(place).first());
        let Some(key) = key.filter(|_| !self.appearance.chosen).map(|key| key.label(&self.appearance.look.glyphs))
        else {
            return;
        };
        self.notice(Tone::Info, format!("Colours hard to read? {key} changes the theme"), now);
        self.mark(Stale::Input);
        self.remember("ui", "theme", quoted(AUTO), now);
    }

    /// Whether nothing else is shown for which the hint would have to wait.
    pub(super) fn may_hint(&self) -> bool {
        self.layers.is_empty() && self.notice.is_none() && !self.frame.too_small
    }

    /// Handles the result of the app's own background task.
    pub(super) fn take_app_result(&mut self, found: Option<TaskResult>, now: Instant) {
        let Some(found) = found else { return };
        match found.downcast::<SuitableLook>() {
            Ok(found) => {
                if let SuitableLook(Some(look)) = *found
                    && !self.appearance.chosen
                {
                    self.appearance.look.theme = look.theme;
                }
            }
            Err(other) => {
                if let Ok(Err(reason)) = other.downcast::<Result<(), Error>>().map(|result| *result) {
                    self.notice(Tone::Bad, reason.to_string(), now);
                }
            }
        }
    }

    /// Applies the look chosen by the user.
    pub(super) fn wear(&mut self, name: &str, look: Look, now: Instant) {
        // The glyphs are those of the terminal, whose report may have come while the theme was read.
        (self.appearance.chosen, self.appearance.look.theme) = (true, look.theme);
        self.notice(Tone::Info, format!("Theme: {}", self.appearance.look.theme.name()), now);
        self.remember("ui", "theme", quoted(name), now);
    }

    /// Returns the current look for drawing, which a dialog may override.
    pub(super) fn shown_look(&self) -> Option<Look> {
        self.layers.last().and_then(|layer| layer.overlay.look()).cloned()
    }
}
