//! What commands without a screen say: the one place where anything is written to standard output or standard error.
//!
//! A disk may be full, a reader gone, a terminal hung up. None of that is a reason to lose work: nothing here fails or panics.
//! What cannot be told on standard error is not told. Standard output is for results, so the first write that fails is
//! remembered, nothing more is written there, and [`ended`] says at the end of the command what was not written and why; that
//! the reader has gone, as `head` does, is nobody's mistake. Everything passes [`plain`] on its way.

use std::io::{self, Write};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use serde::Serialize;
use serde_json::Value;

use super::signals;
use crate::sanitize;

static OUT: Stream = Stream { number: 1, own: OnceLock::new(), stuck: AtomicBool::new(false) };
static ERR: Stream = Stream { number: 2, own: OnceLock::new(), stuck: AtomicBool::new(false) };

/// Standard output or standard error.
struct Stream {
    number: i32,
    /// A description of its own of a pipe or a terminal, which can be written to without blocking; `None` for what never blocks,
    /// and where there is none to be had.
    own: OnceLock<Option<OwnedFd>>,
    /// Nobody reads it, and the command is to end.
    stuck: AtomicBool,
}

/// How long a reader that is slow may take once the command is told to end, and between two looks at whether it is.
const PATIENCE: Duration = Duration::from_millis(300);
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

impl Stream {
    /// Writes all of it. A reader that is slow is waited for, but no longer than until the command is told to end: what it has to
    /// keep is worth more than what it has to say.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        if self.stuck.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let Some(own) = self.own.get_or_init(|| self.open()) else { return self.write_blocking(bytes) };
        let (mut rest, mut until) = (bytes, None);
        while !rest.is_empty() {
            match rustix::io::write(own, rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => rest = &rest[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    let is_told = signals::told() != 0;
                    if is_told && Instant::now() > *until.get_or_insert_with(|| Instant::now() + PATIENCE) {
                        self.stuck.store(true, Ordering::Relaxed);
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    let _ = poll(&mut [PollFd::from_borrowed_fd(own.as_fd(), PollFlags::OUT)], Some(&LOOK));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn write_blocking(&self, bytes: &[u8]) -> io::Result<()> {
        match self.number {
            1 => io::stdout().lock().write_all(bytes).and_then(|()| io::stdout().flush()),
            _ => io::stderr().lock().write_all(bytes),
        }
    }

    /// Files are left as they are: a description of its own would have a place of its own in them.
    fn open(&self) -> Option<OwnedFd> {
        let (out, err) = (io::stdout(), io::stderr());
        let fd = if self.number == 1 { out.as_fd() } else { err.as_fd() };
        let is_pipe = rustix::fs::fstat(fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
        if !is_pipe && !rustix::termios::isatty(fd) {
            return None;
        }
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::open(format!("/proc/self/fd/{}", self.number), flags, Mode::empty()).ok()
    }
}

/// Why standard output was given up, once it was.
static GIVEN_UP: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes to standard output, and gives whether it still takes anything: work that is for the reader's eyes alone can end if
/// it does not.
pub fn result(text: &str) -> bool {
    script(sanitize::multiline(text).as_bytes())
}

/// A line on standard output.
pub fn line(text: &str) -> bool {
    result(&format!("{text}\n"))
}

/// An object in a line on standard output.
pub fn json(object: &impl Serialize) -> bool {
    result(&in_a_line(object))
}

/// An object in a line, for [`result`].
pub fn in_a_line(object: &impl Serialize) -> String {
    format!("{}\n", sanitize::json(&value(object).to_string()))
}

/// An object in many lines, for [`result`].
pub fn pretty(object: &impl Serialize) -> String {
    format!("{}\n", sanitize::json(&format!("{:#}", value(object))))
}

/// As a tree, which orders keys, so that an object's text does not depend on how it is declared. What this program writes are
/// texts, numbers, lists and objects with texts for keys, all of which have a form.
pub fn value(object: &impl Serialize) -> Value {
    serde_json::to_value(object).unwrap_or_default()
}

/// Writes what is the program's own and meant for other programs, as it is.
pub fn script(bytes: &[u8]) -> bool {
    // A thread that panicked here would have left the state as it was.
    let mut given_up = GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if given_up.is_none() {
        *given_up = OUT.write(bytes).err();
    }
    given_up.is_none()
}

/// Remembers a failure of whoever wrote to standard output by himself.
pub fn gave_up(error: io::Error) {
    GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
}

/// A line on standard error.
pub fn tell(text: &str) {
    let _ = ERR.write(format!("{}\n", sanitize::multiline(text)).as_bytes());
}

/// A line on standard error in the place of the last one of these; an empty one clears it. For terminals; see [`live`](super::live).
///
/// The cursor is left where the line begins: a terminal that is made narrower breaks a line that is too long, and keeps its cursor
/// in front of the whole.
pub fn redraw(text: &str) {
    let _ = ERR.write(format!("\r{}\x1b[J\r", sanitize::inline(text)).as_bytes());
}

/// How many columns the terminal at standard error has; `None` if it is none, or does not say.
pub fn columns() -> Option<u16> {
    columns_of(io::stderr().as_fd())
}

/// The same of standard output.
pub fn columns_of_result() -> Option<u16> {
    columns_of(io::stdout().as_fd())
}

fn columns_of(fd: BorrowedFd<'_>) -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(fd).ok()?;
    Some(size.ws_col).filter(|columns| *columns > 0)
}

/// The exit status of a command that would end with `code`: if standard output could not be written, says so, and a command
/// that has done all else is a failure after all.
pub fn ended(code: ExitCode) -> ExitCode {
    let given_up = GIVEN_UP.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    match given_up {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(&format!("mancalab: standard output: {}; what stands there is not whole", sanitize::reason(&error)));
            if code == ExitCode::SUCCESS { ExitCode::from(2) } else { code }
        }
        _ => code,
    }
}
