//! The terminal modes: setting and restoring them.
//!
//! The active modes are in statics and not in [`Screen`](super::Screen), because a panic and a signal must be able to restore them
//! from any thread.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::termios::tcgetpgrp;

/// The alternate screen, which every frame is drawn on.
const SCREEN: &[u8] = b"\x1b[?1049h";

/// What multiplexers and other programs may undo without notice, to be sent again: hidden cursor, bracketed paste, and mode 1036, in which
/// xterm sends Alt as ESC instead of adding 128 to the character. Not the keypad's own mode: without NumLock urxvt would send its arrows
/// as digits.
const MODES: &[u8] = b"\x1b[?25l\x1b[?2004h\x1b[?1036h";

/// Saves what of [`MODES`] the user's settings may have chosen, and restores it.
const META_KEPT: &[u8] = b"\x1b[?1036s";
const META_BACK: &[u8] = b"\x1b[?1036r";

/// Buttons and the wheel, with coordinates beyond 223. Not the mode that reports every movement: over SSH each report would be a
/// packet and a wake-up without use.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// Ends an incomplete frame.
const END_FRAME: &[u8] = b"\x1b[?2026l";

/// Ends bracketed paste, colours and the alternate screen, and shows the cursor. Without an alternate screen, as on consoles, the
/// screen is cleared.
const LEAVE: &[u8] = b"\x1b[?2004l\x1b[0m\x1b[2J\x1b[H\x1b[?1049l\x1b[?25h";

/// Saves the window's (and the icon's) title, and restores it. Terminals that cannot save it get an empty one.
const TITLE_KEPT: &[u8] = b"\x1b[22;0t";
const TITLE_BACK: &[u8] = b"\x1b]2;\x1b\\\x1b[23;0t";

/// Timeout for restoring the terminal, in milliseconds: a slow terminal gets this time, unless the program has to end within a
/// second.
const PATIENCE_MS: i64 = 3000;
const PATIENCE_AT_THE_END_MS: i64 = 250;

/// Polling interval for a request to end while the terminal accepts no output, in milliseconds.
const LOOK_MS: i64 = 50;

/// Whether the modes are active.
static ACTIVE: AtomicBool = AtomicBool::new(false);
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Whether the terminal has got a part of a frame.
static CUT: AtomicBool = AtomicBool::new(false);
/// Whether the terminal has saved the previous title and Alt's mode.
static KEPT: AtomicBool = AtomicBool::new(false);
/// Whether the program has been requested to end.
static HURRY: AtomicBool = AtomicBool::new(false);

/// Records the request to end; returns whether there had been one before.
pub(super) fn hurry() -> bool {
    HURRY.swap(true, Ordering::SeqCst)
}

pub(super) fn is_in_a_hurry() -> bool {
    HURRY.load(Ordering::SeqCst)
}

pub(super) fn is_active() -> bool {
    ACTIVE.load(Ordering::SeqCst)
}

/// Whether the terminal supports titles; consoles of some systems would print them.
pub(super) fn has_title() -> bool {
    !matches!(std::env::var("TERM").as_deref(), Err(_) | Ok("" | "linux" | "dumb"))
}

/// # Errors
/// Raw mode or writing fails; the terminal is restored then.
pub(super) fn enter(mouse: bool) -> io::Result<()> {
    ACTIVE.store(true, Ordering::SeqCst);
    MOUSE.store(mouse, Ordering::SeqCst);
    enter_again().inspect_err(|_| leave())
}

/// Sets the modes again, after another program may have changed them.
pub(super) fn enter_again() -> io::Result<()> {
    ACTIVE.store(true, Ordering::SeqCst);
    // crossterm caches the mode: only leaving raw mode makes it query the terminal again.
    let _ = disable_raw_mode();
    enable_raw_mode()?;
    let keeps = !KEPT.swap(true, Ordering::SeqCst);
    let title = if keeps && has_title() { TITLE_KEPT } else { b"" };
    let mouse = MOUSE.load(Ordering::SeqCst);
    let modes = if keeps { taking(mouse) } else { [SCREEN, &again(mouse)].concat() };
    write_all(std::io::stdout().as_fd(), &[title, &modes].concat())
}

/// Returns the modes of a terminal that is taken over.
pub(super) fn taking(mouse: bool) -> Vec<u8> {
    [META_KEPT, SCREEN, &again(mouse)].concat()
}

/// Returns the modes to send with a frame that is drawn completely, as on Ctrl-L: whoever asks for one may have a terminal without them.
/// The screen is not among them, because entering it again would forget where the cursor was before.
pub(super) fn again(mouse: bool) -> Vec<u8> {
    [MODES, if mouse { MOUSE_ON } else { b"" }].concat()
}

/// Returns what [`again`] is for the process's own terminal.
pub(super) fn with_redraw() -> Vec<u8> {
    again(MOUSE.load(Ordering::SeqCst))
}

/// Returns what ends the modes of [`taking`].
pub(super) fn giving_back(mouse: bool) -> Vec<u8> {
    [if mouse { MOUSE_OFF } else { b"" }, LEAVE, META_BACK].concat()
}

/// Writes a frame.
///
/// # Errors
/// Those of [`write_all`].
pub(super) fn write_frame(fd: BorrowedFd<'_>, bytes: &[u8]) -> io::Result<()> {
    CUT.store(true, Ordering::SeqCst);
    write_all(fd, bytes)?;
    CUT.store(false, Ordering::SeqCst);
    Ok(())
}

/// Undoes [`enter`], once, from any thread. Errors are ignored, because no caller could handle them; a terminal that accepts no
/// output gets none, so that leaving always terminates.
pub(super) fn leave() {
    if !ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    let stdout = std::io::stdout();
    let patience = if is_in_a_hurry() { PATIENCE_AT_THE_END_MS } else { PATIENCE_MS };
    if is_writable(stdout.as_fd(), patience) {
        let frame = if CUT.load(Ordering::SeqCst) { END_FRAME } else { b"" };
        let title = if KEPT.swap(false, Ordering::SeqCst) && has_title() { TITLE_BACK } else { b"" };
        let modes = giving_back(MOUSE.load(Ordering::SeqCst));
        let _ = write_all(stdout.as_fd(), &[frame, &modes, title].concat());
    }
    let _ = disable_raw_mode();
}

/// Whether the terminal accepts output within this time.
fn is_writable(fd: BorrowedFd<'_>, milliseconds: i64) -> bool {
    let timeout = Timespec { tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000 };
    let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::OUT)];
    poll(&mut fds, Some(&timeout)).is_ok() && fds[0].revents().contains(PollFlags::OUT)
}

/// Writes directly to the descriptor, because std's stdout would split a frame into lines. Waits for a non-blocking descriptor, but
/// only until the program is requested to end: saving then has priority over the rest of a frame.
///
/// # Errors
/// Those of write(2); `TimedOut` if the terminal accepts no output and the program is to end.
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

/// Opens the terminal with a file description of its own, for non-blocking writes that are independent of other users of stdout's,
/// such as a shell. Falls back to stdout if the system does not permit it.
///
/// # Errors
/// stdout is closed.
pub(super) fn own_tty() -> io::Result<OwnedFd> {
    let stdout = std::io::stdout();
    let open = |path: &str| {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::open(path, flags, Mode::empty()).ok()
    };
    // Only the controlling terminal has a foreground group; this name opens it even if it belongs to another user.
    let controlling = tcgetpgrp(stdout.as_fd()).is_ok().then(|| open("/dev/tty")).flatten();
    match controlling.or_else(|| open("/proc/self/fd/1")) {
        Some(own) => Ok(own),
        None => stdout.as_fd().try_clone_to_owned(),
    }
}
