//! What a tab is to the app. The app knows tabs by this trait only; which there are says [`crate::tabs`].

use std::time::Instant;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::command::Command;
use super::effect::Context;
use super::overlay::Answer;
use crate::job::{JobId, News};
use crate::ui::Look;

/// A page of the program. Handlers change the tab's own state and push effects into the [`Context`]; they never block.
pub trait Tab {
    /// The scope of its commands, lower case, as in `board`.
    fn scope(&self) -> &'static str;

    fn title(&self) -> &'static str;

    /// What it is about now, for the right end of the tab bar, such as the game's variant.
    fn subtitle(&self, look: &Look) -> String;

    fn commands(&self) -> &'static [Command];

    /// Whether the command makes sense now; if not, the footer leaves it out.
    fn is_enabled(&self, _command: &str) -> bool {
        true
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

    /// Runs one of its own commands.
    fn run(&mut self, command: &str, cx: &mut Context);

    /// What the footer calls a command now, if not what the registry says: `pause` instead of `play`.
    fn footer_label(&self, _command: &str) -> Option<&'static str> {
        None
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

    fn paste(&mut self, _text: &str, _cx: &mut Context) {}

    /// News of a job it started.
    fn news(&mut self, _job: JobId, _news: News, _cx: &mut Context) {}

    /// The answer of a dialog it opened.
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
    fn leave(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look);
}
