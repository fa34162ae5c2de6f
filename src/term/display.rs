//! What a session draws on: the process's own terminal, or another that somebody sits at.

use std::io;

use ratatui::Frame;

use super::Notify;

/// A screen for one session. The event loop knows no other way to reach it.
pub trait Display {
    /// Draws a frame, of which only what has changed since the last need be sent.
    ///
    /// # Errors
    /// It cannot be written to; it is usually gone, and [`Event::HangUp`](super::Event::HangUp) on its way.
    fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>)) -> io::Result<()>;

    /// Forgets what is on the screen, so that the next frame is drawn from nothing.
    fn redraw(&mut self);

    /// Hands `text` to whatever the person at this screen pastes from.
    ///
    /// # Errors
    /// It cannot be written to.
    fn copy(&mut self, text: &str) -> io::Result<()>;

    /// Says what is in front, where the display has a place for it, such as the title of a window.
    ///
    /// # Errors
    /// It cannot be written to.
    fn title(&mut self, _text: &str) -> io::Result<()> {
        Ok(())
    }

    /// Calls the person at this screen, who may look elsewhere.
    ///
    /// # Errors
    /// It cannot be written to.
    fn announce(&mut self, _how: Notify, _text: &str) -> io::Result<()> {
        Ok(())
    }

    /// Gives the screen back for as long as the session is stopped, if its kind can be: an own terminal is, by a shell with job
    /// control.
    ///
    /// # Errors
    /// It cannot be taken over again.
    fn suspend(&mut self) -> io::Result<()>;

    /// Takes the screen over again after somebody else had it.
    ///
    /// # Errors
    /// It refuses.
    fn resume(&mut self) -> io::Result<()>;
}
