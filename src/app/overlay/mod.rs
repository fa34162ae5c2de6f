//! Windows over the tabs: help, palette, questions, the tabs' dialogs. The topmost takes all keys.

pub mod confirm;
pub mod help;
pub mod palette;

use std::any::Any;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::Look;

/// What a dialog gives back to the tab that opened it; the tab knows what to `downcast` to.
pub type Answer = Box<dyn Any>;

/// What an overlay wants after a key.
pub enum Outcome {
    Stay,
    Close,
    /// Close and run this command.
    Run(&'static str),
    /// Close and give the tab this.
    Answer(Answer),
    /// Close and leave the program.
    Quit,
}

/// A window over the tabs. `Esc` and `q` close it unless it says otherwise.
pub trait Overlay {
    fn key(&mut self, key: KeyEvent) -> Outcome;

    fn mouse(&mut self, _mouse: MouseEvent) -> Outcome {
        Outcome::Stay
    }

    fn paste(&mut self, _text: &str) {}

    /// Draws over `area`, the whole screen. Gives the place of the text cursor, if one is shown.
    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)>;
}
