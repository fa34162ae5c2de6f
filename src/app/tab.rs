//! What a tab is to the app. The app knows tabs by this trait only; which there are says [`crate::tabs`].

use mancalab_base::Error;
use std::time::Instant;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::command::Commands;
use super::effect::Context;
use super::overlay::Answer;
use super::palette_item::PaletteSource;
use crate::job::{JobId, News};
use crate::ui::Look;

/// How what a tab works on is doing, for the tab bar and the terminal's title.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Badge {
    /// How much is done, from 0 to 1.
    Running(f64),
    /// The same of what waits to be gone on with.
    Paused(f64),
    /// It has ended since the tab was last looked at.
    Finished,
    /// The same, and not well.
    Failed,
}

impl Badge {
    /// Its mark, and its percent where it has one.
    pub fn texts(self, look: &Look) -> (&'static str, String) {
        let percent = |share: f64| format!("{}%", ((share * 100.0) as u32).min(100));
        match self {
            Badge::Running(share) => (look.glyphs.pointer, percent(share)),
            Badge::Paused(share) => (look.glyphs.pause, percent(share)),
            Badge::Finished => (look.glyphs.check, String::new()),
            Badge::Failed => ("!", String::new()),
        }
    }
}

/// A page of the program. Handlers change the tab's own state and push effects into the [`Context`]; they never block.
///
/// Its commands are a table of rows with handlers: every tab is [`Commanded`](super::command::Commanded).
pub trait Tab: Commands {
    /// The scope of its commands, lower case, as in `board`.
    fn scope(&self) -> &'static str;

    fn title(&self) -> &'static str;

    /// What it is about now, for the right end of the tab bar, such as the game's variant.
    fn subtitle(&self, look: &Look) -> String;

    /// What it shows that other tabs may want to know when they come to the front, such as the position on a board.
    fn offer(&self) -> Option<Answer> {
        None
    }

    /// It comes to the front; `offers` are what the other tabs [offer](Tab::offer).
    fn shown(&mut self, _offers: Vec<Answer>) {}

    /// How what it works on is doing; `None` where there is nothing to tell.
    fn badge(&self) -> Option<Badge> {
        None
    }

    /// Keys that are no commands, for the help: (keys, what they do).
    fn other_keys(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The same for the front of the footer, in a word or two.
    fn footer_keys(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Called once, before anything else.
    fn open(&mut self, _cx: &mut Context) {}

    /// Whether it wants this key for itself though it may be one of the app's, as digits are: the app's command gives way then.
    fn claims(&self, _key: KeyEvent) -> bool {
        false
    }

    /// A key before the key map sees it, for a tab in a mode of its own; true if the tab took it.
    fn capture(&mut self, _key: KeyEvent, _cx: &mut Context) -> bool {
        false
    }

    /// A key that is no command; true if the tab took it.
    fn key(&mut self, _key: KeyEvent, _cx: &mut Context) -> bool {
        false
    }

    fn mouse(&mut self, _mouse: MouseEvent, _cx: &mut Context) {}

    /// Whether pastes are for it, also those that come while a tab is in front that has no use for them.
    fn reads_pastes(&self) -> bool {
        false
    }

    fn paste(&mut self, _text: &str, _cx: &mut Context) {}

    /// How to find what it has that the palette offers by name; `None`: nothing.
    fn palette_items(&self, _cx: &Context) -> Option<PaletteSource> {
        None
    }

    /// News of a job it started.
    fn news(&mut self, _job: JobId, _news: News, _cx: &mut Context) {}

    /// The answer of a dialog it opened, whichever tab is in front by then.
    fn answer(&mut self, _answer: Answer, _cx: &mut Context) {}

    /// When it wants [`tick`](Tab::tick) next; `None`: never, which is what makes idling free.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn tick(&mut self, _cx: &mut Context) {}

    /// What would be lost or cut short by quitting now, as a sentence; `None`: nothing.
    fn unfinished(&self) -> Option<String> {
        None
    }

    /// Saves what it keeps from one start to the next; called on every way out, also a hang-up.
    ///
    /// # Errors
    /// What could not be saved and why, as a sentence.
    fn leave(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look);
}
