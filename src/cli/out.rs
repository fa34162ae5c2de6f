//! What commands without a screen say: the one place where anything is written to standard output or standard error.
//!
//! A disk may be full, a reader gone, a terminal hung up. None of that is a reason to lose work: nothing here fails or panics.
//! What cannot be told on standard error is not told. Standard output is for results, so the first write that fails is
//! remembered, nothing more is written there, and [`ended`] says at the end of the command what was not written and why; that
//! the reader has gone, as `head` does, is nobody's mistake. Everything passes [`plain`] on its way.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Mutex;

use serde_json::Value;

use crate::plain;

/// Why standard output was given up, once it was.
static GIVEN_UP: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes to standard output, and gives whether it still takes anything: work that is for the reader's eyes alone can end if
/// it does not.
pub fn result(text: &str) -> bool {
    script(plain::lines(text).as_bytes())
}

/// A line on standard output.
pub fn line(text: &str) -> bool {
    result(&format!("{text}\n"))
}

/// An object in a line on standard output.
pub fn json(object: &Value) -> bool {
    line(&plain::json(&object.to_string()))
}

/// An object in many lines, for [`result`].
pub fn pretty(object: &Value) -> String {
    format!("{}\n", plain::json(&format!("{object:#}")))
}

/// Writes what is the program's own and meant for other programs, as it is.
pub fn script(bytes: &[u8]) -> bool {
    // A thread that panicked here would have left the state as it was.
    let mut given_up = GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if given_up.is_none() {
        let mut out = io::stdout().lock();
        *given_up = out.write_all(bytes).and_then(|()| out.flush()).err();
    }
    given_up.is_none()
}

/// Remembers a failure of whoever wrote to standard output by himself.
pub fn gave_up(error: io::Error) {
    GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
}

/// A line on standard error.
pub fn tell(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(format!("{}\n", plain::lines(text)).as_bytes()).and_then(|()| err.flush());
}

/// A line on standard error in the place of the last one of these; an empty one clears it. For terminals.
pub fn live(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(format!("\r\x1b[K{}", plain::word(text)).as_bytes()).and_then(|()| err.flush());
}

/// The exit status of a command that would end with `code`: if standard output could not be written, says so, and a command
/// that has done all else is a failure after all.
pub fn ended(code: ExitCode) -> ExitCode {
    let given_up = GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    match given_up {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(&format!("mancalab: standard output: {}; what stands there is not whole", plain::reason(&error)));
            if code == ExitCode::SUCCESS { ExitCode::from(2) } else { code }
        }
        _ => code,
    }
}
