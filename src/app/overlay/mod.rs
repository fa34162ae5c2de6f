//! Overlays over the tabs: help, palette, questions, the tabs' dialogs. The topmost takes all keys.

pub mod confirm;
pub mod help;
pub mod palette;
pub mod themes;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::place::Place;
pub use crate::job::background::TaskResult;
use crate::job::background::Work;
use crate::ui::Look;

/// The outcome of an input.
pub enum Outcome {
    Stay,
    Close,
    /// Close and run this command.
    Run(Place),
    /// Close, activate the tab with this index, and send it this answer, as if from its own dialog.
    Give(usize, TaskResult),
    /// Close and apply the look of the theme with this name.
    ApplyTheme(String, Box<Look>),
    /// Close and send this answer to the tab that opened the overlay, which downcasts it.
    TaskResult(TaskResult),
    /// Stay open, run this in the background, and receive the result. Keys and pastes are held until then; only closing does not
    /// wait.
    Background(Work),
    /// Close and quit the program, whose runs go on in processes of their own or are only saved.
    Quit {
        runs_go_on: bool,
    },
}

/// A window over the tabs. By default `Esc` and `q` close it.
pub trait Overlay {
    /// Called on opening; returns an initial background task, such as listing files. Keys are held as for [`Outcome::Background`].
    fn begin(&mut self) -> Option<Work> {
        None
    }

    fn key(&mut self, key: KeyEvent) -> Outcome;

    fn mouse(&mut self, _mouse: MouseEvent) -> Outcome {
        Outcome::Stay
    }

    fn paste(&mut self, _text: &str) {}

    /// Handles the result of its background task.
    fn answer(&mut self, _answer: TaskResult) -> Outcome {
        Outcome::Stay
    }

    /// The overlay is closed during its background task; returns whether that writes files, so that its result, as an
    /// [`Outcome::TaskResult`], is still wanted.
    fn closes_writing(&mut self) -> bool {
        false
    }

    /// Receives the unfinished work, a sentence each, whenever a job has reported.
    fn unfinished(&mut self, _reasons: &[String]) {}

    /// Returns the look of the page below while this overlay is topmost; `None` for the current look, shaded.
    fn look(&self) -> Option<&Look> {
        None
    }

    /// Draws over `area`, the whole screen. Returns the position of the text cursor, if it is shown.
    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)>;
}
