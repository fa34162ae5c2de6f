//! The display of a session: the process's own terminal, or a remote one.

use std::io;
use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::Position;

use super::Notify;

/// The terminal's cursor after a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor {
    /// Its place; `None`: anywhere.
    pub position: Option<Position>,
    pub is_shown: bool,
}

/// A display for one session, and the event loop's only access to it.
pub trait Display {
    /// Draws a frame; only the changes since the last frame need to be sent. `render` returns the place of the cursor, which braille
    /// displays follow also while it is hidden.
    ///
    /// # Errors
    /// Writing fails; usually the terminal is gone, and [`Event::HangUp`](super::Event::HangUp) follows.
    fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>) -> Cursor) -> io::Result<()>;

    /// Returns when it takes the next frame; `None`: now. [`Event::Wake`](super::Event::Wake) or a report may come before.
    fn busy_until(&self, _now: Instant) -> Option<Instant> {
        None
    }

    /// Handles [`Report::Drawn`](super::Report::Drawn). The first measures the line: returns whether it is slow.
    fn measure(&mut self, _now: Instant) -> Option<bool> {
        None
    }

    /// Handles [`Report::Repeats`](super::Report::Repeats).
    fn repeat(&mut self) {}

    /// Whether it waits for reports that the terminal still sends when the session has ended.
    fn has_open_requests(&self) -> bool {
        false
    }

    /// Whether a frame should have few bytes, as on a slow line.
    fn spares_bytes(&self) -> bool {
        false
    }

    /// Discards the knowledge of the screen, so that the next frame is drawn completely.
    fn redraw(&mut self);

    /// Copies `text` to the clipboard of the user at this screen.
    ///
    /// # Errors
    /// Writing fails.
    fn copy(&mut self, text: &str) -> io::Result<()>;

    /// Sets the title of the display, if it has one, such as a window title.
    ///
    /// # Errors
    /// Writing fails.
    fn title(&mut self, _text: &str) -> io::Result<()> {
        Ok(())
    }

    /// Notifies the user at this screen.
    ///
    /// # Errors
    /// Writing fails.
    fn announce(&mut self, _how: Notify, _text: &str) -> io::Result<()> {
        Ok(())
    }

    /// Suspends the session and restores the screen meanwhile, if the display supports it: the process's own terminal does, under a
    /// shell with job control.
    ///
    /// # Errors
    /// The screen cannot be taken over again.
    fn suspend(&mut self) -> io::Result<()>;

    /// Takes the screen over again after another program used it.
    ///
    /// # Errors
    /// The terminal refuses.
    fn resume(&mut self) -> io::Result<()>;
}
