//! Windows over the tabs: help, palette, questions, the tabs' dialogs. The topmost takes all keys.

pub mod confirm;
pub mod help;
pub mod palette;
mod rank;
pub mod themes;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::command::Place;
pub use crate::job::background::Answer;
use crate::job::background::Work;
use crate::ui::Look;

/// What an overlay wants after a key.
pub enum Outcome {
    Stay,
    Close,
    /// Close and run this command.
    Run(Place),
    /// Close, bring the tab with this number to the front, and give it this as if it were the answer of a dialog of its own.
    Give(usize, Answer),
    /// Close and put on this look.
    ApplyTheme(Box<Look>),
    /// Close and give the tab that opened it this, which knows what to `downcast` to.
    Answer(Answer),
    /// Stay, have this done on another thread, and be given what comes of it. Keys and pastes wait for that, as if it had taken no
    /// time; only leaving does not.
    Background(Work),
    /// Close and leave the program.
    Quit,
}

/// A window over the tabs. `Esc` and `q` close it unless it says otherwise.
pub trait Overlay {
    /// Called when it opens: something to find out first, such as which files there are. Keys wait for it as for
    /// [`Outcome::Background`].
    fn begin(&mut self) -> Option<Work> {
        None
    }

    fn key(&mut self, key: KeyEvent) -> Outcome;

    fn mouse(&mut self, _mouse: MouseEvent) -> Outcome {
        Outcome::Stay
    }

    fn paste(&mut self, _text: &str) {}

    /// What came of its background.
    fn answer(&mut self, _answer: Answer) -> Outcome {
        Outcome::Stay
    }

    /// Told what is unfinished, a sentence each, whenever a job has ended.
    fn unfinished(&mut self, _reasons: &[String]) {}

    /// The look in which the page below is drawn while this is on top; `None`: as always, in its shadow.
    fn look(&self) -> Option<&Look> {
        None
    }

    /// Draws over `area`, the whole screen. Gives the place of the text cursor, if one is shown.
    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)>;
}
