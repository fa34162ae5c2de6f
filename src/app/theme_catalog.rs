//! The looks that a person can choose from, and which of them is worn.
//!
//! The app knows no theme by name and opens no file: [`ThemeCatalog`] does both, on other threads.

use mancalab_base::Error;
use std::time::Instant;

use super::App;
use super::effect::Tone;
use super::work::Owner;
use crate::job::background::Answer;
use crate::theme::Shade;
use crate::ui::Look;

/// All looks there are. Asking may open files, so that it is done on another thread than the one that draws.
pub trait ThemeCatalog: Send + Sync {
    /// The names of the themes, in the order in which they are offered.
    fn names(&self) -> Vec<String>;

    /// # Errors
    /// Why the theme of this name cannot be read, for people; of several lines if it is a file that is wrong.
    fn load(&self, name: &str) -> Result<Look, Error>;

    /// The look for this background, if it is the background that decides.
    fn suiting(&self, _background: Shade) -> Option<Look> {
        None
    }
}

/// A look that suits the background, which the terminal has told late.
struct Suiting(Option<Look>);

impl App {
    /// The terminal says what its background is: whoever has chosen a theme meanwhile keeps it.
    pub(super) fn suit(&mut self, background: Shade, now: Instant) {
        let looks = self.looks.clone();
        self.start_errand(Owner::App, Box::new(move || Box::new(Suiting(looks.suiting(background)))), now);
    }

    /// What came of an background of the app's own.
    pub(super) fn take_look(&mut self, found: Option<Answer>) {
        if let Some(Ok(found)) = found.map(|found| found.downcast::<Suiting>())
            && let Suiting(Some(look)) = *found
            && !self.chosen
        {
            self.look = look;
        }
    }

    /// Puts on the look that a person has chosen.
    pub(super) fn wear(&mut self, look: Look, now: Instant) {
        self.chosen = true;
        self.look = look;
        self.notice(Tone::Info, format!("Theme: {}", self.look.theme.name()), now);
    }

    /// The look that everything is drawn in now: a dialog may show another.
    pub(super) fn shown_look(&self) -> Option<Look> {
        self.layers.last().and_then(|layer| layer.overlay.look()).cloned()
    }
}
