//! The terminal: entering and leaving it, drawing on it, and everything that comes from it.
//!
//! Three things are held to here. Whatever ends the program (a key, a signal, a panic, a line that was cut), the terminal is
//! left as it was found. Nothing wakes up while nothing happens. And a terminal that is gone or has stopped reading can
//! neither keep the process alive nor keep it from saving what it has.

mod background;
mod display;
mod ending;
mod events;
mod keys;
mod modes;
mod notify;
mod screen;
mod writer;

use std::fmt;
use std::io::IsTerminal;

pub use crate::theme::{ColorChoice, ColorDepth, Shade};
pub use background::background;
pub use display::Display;
pub use ending::{Ending, exit_now, install_panic_hook};
pub use events::{Event, Events, Signal, listen};
pub use keys::Chord;
pub use notify::Notify;
pub use screen::{Options, Screen};

/// There is no terminal to play on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTerminal {
    /// "stdin" or "stdout".
    stream: &'static str,
}

impl fmt::Display for NoTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = match self.stream {
            "stdin" => "start it without a pipe or `<` before it",
            _ => "start it without a pipe or `>` behind it",
        };
        write!(
            f,
            "mancalab needs a terminal: {} is not one; {cause}, over SSH with `ssh -t`, or use a command that needs no screen \
             (see `mancalab --help`)",
            self.stream
        )
    }
}

impl std::error::Error for NoTerminal {}

/// Makes sure that there is somebody to read the screen and to press keys.
///
/// # Errors
/// stdin or stdout is not a terminal; the message says what to do.
pub fn require_tty() -> Result<(), NoTerminal> {
    if !std::io::stdin().is_terminal() {
        return Err(NoTerminal { stream: "stdin" });
    }
    if !std::io::stdout().is_terminal() {
        return Err(NoTerminal { stream: "stdout" });
    }
    Ok(())
}
