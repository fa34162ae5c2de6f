//! The terminal: entering and leaving it, drawing, and its events.
//!
//! Three guarantees: at every exit (a key, a signal, a panic, a hang-up) the terminal is restored. Nothing wakes up while nothing
//! happens. A terminal that is gone or has stopped reading can neither keep the process alive nor prevent it from saving.

mod decoder;
mod display;
mod encoder;
mod ending;
mod events;
mod keys;
mod modes;
mod notify;
mod pace;
mod probe;
#[cfg(feature = "serve")]
mod remote;
mod screen;
mod writer;

use std::fmt;
use std::io::IsTerminal;

pub use crate::theme::{ColorChoice, ColorDepth, Shade};
#[cfg(feature = "serve")]
pub(crate) use decoder::Decoder;
#[cfg(all(test, feature = "serve"))]
pub(crate) use decoder::PASTE;
pub use display::{Cursor, Display};
pub use ending::{Ending, exit_now, install_panic_hook};
pub use events::{Event, Events, Report, Signal, is_remote, listen};
pub use keys::Chord;
pub use notify::Notify;
pub use probe::{Query, Traits, is_in_screen, probe};
#[cfg(feature = "serve")]
pub(crate) use remote::{Remote, Sink};
pub use screen::{Options, Screen};

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
