//! The looks to choose from, and the current one.
//!
//! The app knows no theme by name and opens no file: [`ThemeCatalog`] does both, on other threads. [`ThemeFiles`] is the catalog of a
//! person's themes.

use mancalab_base::Error;
use std::time::Instant;

use super::App;
use super::effect::Tone;
use super::work::Owner;
use crate::config::Config;
use crate::job::background::TaskResult;
use crate::paths::Paths;
use crate::settings::{Report, quoted};
use crate::theme::{AUTO, ColorDepth, Glyphs, Shade, Theme, suiting};
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
}

/// Themes by name, for the terminal's capabilities, including the user's own.
pub struct ThemeFiles {
    /// The configured theme.
    wanted: String,
    depth: ColorDepth,
    glyphs: Glyphs,
    paths: Paths,
}

impl ThemeFiles {
    /// The themes for a terminal with these variables of the environment.
    pub fn new(config: &Config, paths: &Paths, env: impl Fn(&str) -> Option<String>) -> ThemeFiles {
        ThemeFiles {
            wanted: config.ui.theme.clone(),
            depth: ColorDepth::detect(&env, config.ui.color),
            glyphs: Glyphs::detect(&env, config.ui.glyphs),
            paths: paths.clone(),
        }
    }

    /// The first look. For theme `auto`, queries the terminal's background.
    ///
    /// # Errors
    /// The configured theme cannot be read.
    pub fn first(&self, background: impl FnOnce() -> Option<Shade>) -> Result<Look, Report> {
        if self.wanted != AUTO {
            return self.read(&self.wanted);
        }
        let background = if self.depth > ColorDepth::Sixteen { background() } else { None };
        self.read(suiting(background, self.depth))
    }

    fn read(&self, name: &str) -> Result<Look, Report> {
        let theme = Theme::load(name, self.depth, &self.paths)?;
        Ok(Look { theme, glyphs: self.glyphs.clone() })
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
}

/// A look for the background, which the terminal reported late.
struct Suiting(Option<Look>);

impl App {
    /// Handles a late report of the terminal's background; a theme chosen by the user meanwhile is kept.
    pub(super) fn suit(&mut self, background: Shade, now: Instant) {
        let looks = self.looks.clone();
        self.start_task(Owner::App, Box::new(move || Box::new(Suiting(looks.suiting(background)))), now);
    }

    /// Handles the result of the app's own background task.
    pub(super) fn take_app_result(&mut self, found: Option<TaskResult>, now: Instant) {
        let Some(found) = found else { return };
        match found.downcast::<Suiting>() {
            Ok(found) => {
                if let Suiting(Some(look)) = *found
                    && !self.chosen
                {
                    self.look = look;
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
        self.chosen = true;
        self.look = look;
        self.notice(Tone::Info, format!("Theme: {}", self.look.theme.name()), now);
        self.remember("ui", "theme", quoted(name), now);
    }

    /// Returns the current look for drawing, which a dialog may override.
    pub(super) fn shown_look(&self) -> Option<Look> {
        self.layers.last().and_then(|layer| layer.overlay.look()).cloned()
    }
}
