//! The terminal: entering and leaving it, drawing, and its events.
//!
//! Three guarantees: at every exit (a key, a signal, a panic, a hang-up) the terminal is restored. Nothing wakes up while nothing
//! happens. A terminal that is gone or has stopped reading can neither keep the process alive nor prevent it from saving.

mod decoder;
mod encoder;
mod events;
mod keys;
mod modes;
mod pace;
mod probe;
#[cfg(feature = "serve")]
mod remote;
mod screen;
mod writer;

use std::fmt;
use std::io::{self, IsTerminal};
use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::Position;

pub use super::theme::{ColorChoice, ColorDepth, Shade};
pub use events::{EndHandle, Event, Events, Report, Signal, exit_now, install_panic_hook, is_remote, listen};
pub use keys::Chord;
pub use probe::{Query, Traits, is_in_screen, probe};
pub use screen::{Options, Screen};

#[cfg(feature = "serve")]
pub(crate) use decoder::Decoder;
#[cfg(all(test, feature = "serve"))]
pub(crate) use decoder::PASTE;
#[cfg(feature = "serve")]
pub(crate) use remote::{Remote, Sink};

/// Returns width and height of a cell in pixels, where the terminal reports its own.
pub(crate) fn cell_size(size: &ratatui::backend::WindowSize) -> Option<(u16, u16)> {
    let cell = |pixels: u16, cells: u16| pixels.checked_div(cells).filter(|cell| (2..=200).contains(cell));
    Some((cell(size.pixels.width, size.columns_rows.width)?, cell(size.pixels.height, size.columns_rows.height)?))
}

/// The same for the process's own terminal.
pub(crate) fn own_cell_size() -> Option<(u16, u16)> {
    use ratatui::backend::Backend as _;
    ratatui::backend::CrosstermBackend::new(std::io::stdout()).window_size().ok().and_then(|size| cell_size(&size))
}

/// The error for a missing terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTerminal {
    /// "stdin" or "stdout".
    stream: &'static str,
}

impl fmt::Display for NoTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = match self.stream {
            "stdin" => "start it without a pipe or `<`",
            _ => "start it without a pipe or `>`",
        };
        write!(
            f,
            "mancalab needs a terminal: {} is not one; {cause}, and over SSH with `ssh -t`\n\
             Without a terminal, `mancalab play --lines` plays by lines; `mancalab --help` lists other commands.",
            self.stream
        )
    }
}

impl std::error::Error for NoTerminal {}

/// Checks that stdin and stdout are a terminal.
///
/// # Errors
/// stdin or stdout is not a terminal; the message names the remedy.
pub fn require_tty() -> Result<(), NoTerminal> {
    if !std::io::stdin().is_terminal() {
        return Err(NoTerminal { stream: "stdin" });
    }
    if !std::io::stdout().is_terminal() {
        return Err(NoTerminal { stream: "stdout" });
    }
    Ok(())
}

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
    /// Writing fails; usually the terminal is gone, and [`Event::HangUp`] follows.
    fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>) -> Cursor) -> io::Result<()>;

    /// Returns when it takes the next frame; `None`: now. [`Event::Wake`] or a report may come before.
    fn busy_until(&self, _now: Instant) -> Option<Instant> {
        None
    }

    /// Handles [`Report::Drawn`]. The first measures the line: returns whether it is slow.
    fn measure(&mut self, _now: Instant) -> Option<bool> {
        None
    }

    /// Handles [`Report::Repeats`].
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

/// The method of `ui.notify` for the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notify {
    Off,
    /// The bell, which most terminals turn into a sound, a mark on their tab, or a flash.
    #[default]
    Bell,
    /// OSC 9, which iTerm2, WezTerm, Ghostty and Windows Terminal show on the desktop.
    Osc9,
    /// OSC 777, which foot, Ghostty, urxvt and terminals of VTE show.
    Osc777,
}

impl Notify {
    /// Returns the bytes to send. tmux needs a sequence for the outer terminal wrapped, and unwraps it if its `allow-passthrough`
    /// is on.
    fn bytes(self, text: &str, in_tmux: bool) -> Vec<u8> {
        let text = plain(text);
        // OSC 777 separates its parts by semicolons.
        let sequence = match self {
            Notify::Off => return Vec::new(),
            Notify::Bell => return b"\x07".to_vec(),
            Notify::Osc9 => format!("\x1b]9;{text}\x1b\\"),
            Notify::Osc777 => format!("\x1b]777;notify;mancalab;{}\x1b\\", text.replace(';', ",")),
        };
        match in_tmux {
            true => format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b")).into_bytes(),
            false => sequence.into_bytes(),
        }
    }
}

super::settings::string_enum!(Notify { "off" => Off, "bell" => Bell, "osc9" => Osc9, "osc777" => Osc777 });

/// Returns the sequence that sets the window's title (OSC 2).
fn title(text: &str) -> Vec<u8> {
    format!("\x1b]2;{}\x1b\\", plain(text)).into_bytes()
}

/// Removes control characters, which would end the sequence or act on the terminal. Names of runs are names of folders, which may
/// contain any character.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !super::sanitize::is_hidden(*c)).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_sequence() {
        let text = "a\x1b\\b\x07c;d\u{9c}";
        let of = |how: Notify, in_tmux| String::from_utf8(how.bytes(text, in_tmux)).unwrap();
        assert_eq!(of(Notify::Off, false), "");
        assert_eq!(of(Notify::Bell, true), "\x07");
        assert_eq!(of(Notify::Osc9, false), "\x1b]9;a\\bc;d\x1b\\");
        assert_eq!(of(Notify::Osc777, false), "\x1b]777;notify;mancalab;a\\bc,d\x1b\\");
        assert_eq!(of(Notify::Osc9, true), "\x1bPtmux;\x1b\x1b]9;a\\bc;d\x1b\x1b\\\x1b\\");
        assert_eq!(title(text), b"\x1b]2;a\\bc;d\x1b\\");
    }
}
