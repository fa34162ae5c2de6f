//! The modes that the terminal is put into, and out of again.
//!
//! What is in force is kept in statics and not in [`Screen`](super::Screen): a panic and a signal must be able to undo it from
//! wherever they happen.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::termios::tcgetpgrp;

/// Alternate screen, no cursor, pastes told from typing.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h";

/// Buttons and the wheel, with coordinates beyond 223. Not the mode that reports every movement: over SSH each would be a
/// packet and a wake-up that nobody uses.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// Ends a frame that was cut short, pastes, colours and the alternate screen, and shows the cursor. Where there is no
/// alternate screen, as on consoles, the screen is left empty.
const LEAVE: &[u8] = b"\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[2J\x1b[H\x1b[?1049l\x1b[?25h";

/// Keeps the window's title (and the icon's), and gives it back. Where there is nothing to keep it in, it is left empty.
const TITLE_KEPT: &[u8] = b"\x1b[22;0t";
const TITLE_BACK: &[u8] = b"\x1b]2;\x1b\\\x1b[23;0t";

/// How long a terminal may keep a farewell waiting, in milliseconds: a slow one gets its time, but not from a program that is told
/// to end within a second.
const PATIENCE_MS: i64 = 3000;
const PATIENCE_AT_THE_END_MS: i64 = 250;

/// While a terminal takes nothing: how often to look whether the program is told to end, in milliseconds.
const LOOK_MS: i64 = 50;

/// Whether the modes are in force.
static ACTIVE: AtomicBool = AtomicBool::new(false);
static MOUSE: AtomicBool = AtomicBool::new(false);
/// The title that was there before is kept by the terminal.
static TITLED: AtomicBool = AtomicBool::new(false);
/// Whether the program has been told to end.
static HURRY: AtomicBool = AtomicBool::new(false);

/// Remembers that the program has been told to end; whether it had been before.
pub(super) fn hurry() -> bool {
    HURRY.swap(true, Ordering::SeqCst)
}

pub(super) fn is_in_a_hurry() -> bool {
    HURRY.load(Ordering::SeqCst)
}

pub(super) fn is_active() -> bool {
    ACTIVE.load(Ordering::SeqCst)
}

/// Whether the terminal is known to take a title, and does not print it as the consoles of some systems do.
pub(super) fn has_title() -> bool {
    !matches!(std::env::var("TERM").as_deref(), Err(_) | Ok("" | "linux" | "dumb"))
}

/// # Errors
/// The terminal refuses raw mode or to be written to; nothing is left behind then.
pub(super) fn enter(mouse: bool) -> io::Result<()> {
    ACTIVE.store(true, Ordering::SeqCst);
    MOUSE.store(mouse, Ordering::SeqCst);
    enter_again().inspect_err(|_| leave())
}

/// Puts the modes in force once more, after whoever had the terminal in between may have changed them.
pub(super) fn enter_again() -> io::Result<()> {
    ACTIVE.store(true, Ordering::SeqCst);
    // crossterm believes that it knows the mode: only leaving raw mode makes it look at the terminal again.
    let _ = disable_raw_mode();
    enable_raw_mode()?;
    let mouse = if MOUSE.load(Ordering::SeqCst) { MOUSE_ON } else { b"" };
    let keeps = has_title() && !TITLED.swap(true, Ordering::SeqCst);
    let title = if keeps { TITLE_KEPT } else { b"" };
    write_all(std::io::stdout().as_fd(), &[title, ENTER, mouse].concat())
}

/// Undoes what [`enter`] did, once, from any thread. Errors are of no use to anyone by then; and a terminal that takes no
/// bytes gets none, so that leaving always comes to an end.
pub(super) fn leave() {
    if !ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    let stdout = std::io::stdout();
    let patience = if is_in_a_hurry() { PATIENCE_AT_THE_END_MS } else { PATIENCE_MS };
    if is_writable(stdout.as_fd(), patience) {
        let mouse = if MOUSE.load(Ordering::SeqCst) { MOUSE_OFF } else { b"" };
        let title = if TITLED.swap(false, Ordering::SeqCst) { TITLE_BACK } else { b"" };
        let _ = write_all(stdout.as_fd(), &[mouse, LEAVE, title].concat());
    }
    let _ = disable_raw_mode();
}

/// Whether the terminal takes bytes, or will within this time.
fn is_writable(fd: BorrowedFd<'_>, milliseconds: i64) -> bool {
    let timeout = Timespec { tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000 };
    let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::OUT)];
    poll(&mut fds, Some(&timeout)).is_ok() && fds[0].revents().contains(PollFlags::OUT)
}

/// Writes past std's stdout, which would cut a frame into lines. A descriptor that does not block is waited for, but no longer
/// than until the program is told to end: then what it has to save is worth more than the rest of a frame.
///
/// # Errors
/// As write(2); `TimedOut` if the terminal takes nothing more and the program is to end.
pub(super) fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(fd, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) if is_in_a_hurry() => return Err(io::ErrorKind::TimedOut.into()),
            Err(rustix::io::Errno::AGAIN) => _ = is_writable(fd, LOOK_MS),
            Err(err) => return Err(err.into()),
        }
    }
    Ok(())
}

/// The terminal by a description of its own, which can be written to without blocking: what others do to stdout's, such as a shell
/// that shares it, and what is done to this one, stay apart. Where the system does not give one, stdout itself.
///
/// # Errors
/// stdout is closed.
pub(super) fn own_tty() -> io::Result<OwnedFd> {
    let stdout = std::io::stdout();
    let open = |path: &str| {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::open(path, flags, Mode::empty()).ok()
    };
    // Only the controlling terminal has such a group; it can be opened by this name even if it belongs to somebody else.
    let controlling = tcgetpgrp(stdout.as_fd()).is_ok().then(|| open("/dev/tty")).flatten();
    match controlling.or_else(|| open("/proc/self/fd/1")) {
        Some(own) => Ok(own),
        None => stdout.as_fd().try_clone_to_owned(),
    }
}
