//! Terminal events: keys, the mouse, pastes, sizes, signals, and hang-ups.
//!
//! Three threads, all asleep until an event. They need not be joined at exit. The watchdog notices a hang-up even while the input
//! waits for the session: it sleeps in a poll(2) without requested events, which the kernel ends only at a hang-up.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{process, thread};

use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{KeyEvent, MouseEvent};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::tcgetwinsize;
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::Signals;

use super::probe::{self, Leftover};
use super::{modes, screen};
use crate::player::external;
use crate::theme::Shade;
use crate::threads;

/// An event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A key press or repeat.
    Key(KeyEvent),
    /// A button, the wheel, or a drag.
    Mouse(MouseEvent),
    /// Pasted text.
    Paste(String),
    /// Width and height in cells. Several may follow each other; drawing reads the size itself.
    Resize(u16, u16),
    Signal(Signal),
    /// Something outside the session has changed, or a slow display takes frames again: the tabs that are due are ticked.
    Wake,
    Report(Report),
    /// The terminal is gone, or its user has left (SIGHUP). Save and exit with status 129 within a second, after which the process
    /// is terminated (see [`EndHandle::give_grace`]).
    HangUp,
}

/// A report of the terminal: its answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report {
    /// Its background.
    Background(Shade),
    /// It draws lines two cells wide.
    Wide,
    /// It repeats a character on request (REP).
    Repeats,
    /// It has drawn what was sent before the [request](super::Display::measure).
    Drawn,
    /// The place of the cursor, from 1; only while [awaited](super::decoder::Decoder::await_cursor).
    Cursor { row: u16, column: u16 },
    /// Its type, and whether it shows sixels.
    Type { has_sixels: bool },
}

/// A signal, by its effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// One of [`ENDING`] but SIGHUP, by number: save and exit with status 128 + number within a second, after which the process is
    /// terminated (see [`EndHandle::give_grace`]). (Ctrl-C at the keyboard is a key.)
    Terminate(i32),
    /// SIGTSTP: call [`Screen::suspend`](super::Screen::suspend).
    Suspend,
    /// SIGCONT after a stop by another process: call [`Screen::resume`](super::Screen::resume).
    Continue,
}

/// The signals that would end the program: those sent by people, by job schedulers (SIGUSR1, SIGUSR2) and at a limit (`ulimit -t`).
/// Those that report a fault of the program itself are not among them: it could not go on from there.
const ENDING: [i32; 13] =
    [SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGSYS, SIGABRT];

/// The exit status of a program ended by a signal is this plus the signal's number.
const BY_SIGNAL: i32 = 128;

/// The events of a session, independent of its display.
#[derive(Clone)]
pub struct Events {
    /// The events in their order. If the sender is gone, no event can reach the session.
    pub receiver: Receiver<Event>,
    /// The request to end, which overtakes the events.
    pub ending: EndHandle,
}

impl Events {
    /// Creates the events of a receiver; the holder of its sender and of `ending` produces them.
    pub fn new(receiver: Receiver<Event>) -> Events {
        Events { receiver, ending: EndHandle::default() }
    }
}

/// The sender of the threads' events.
#[derive(Clone)]
struct EventSender {
    tx: Sender<Event>,
    ending: EndHandle,
    /// A hang-up has been reported; several threads notice it.
    hung_up: Arc<AtomicBool>,
}

/// Starts the threads for the process's own terminal and its signals; call once per process. The threads end at the first event
/// without a receiver, or with the process.
///
/// # Errors
/// The signal handlers cannot be installed, or a thread cannot be started.
pub fn listen() -> io::Result<Events> {
    let (tx, receiver) = unbounded();
    let events = Events::new(receiver);
    let signals = Signals::new(ENDING.iter().chain(&[SIGTSTP, SIGCONT, SIGWINCH, SIGXFSZ]))?;
    let input = EventSender { tx, ending: events.ending.clone(), hung_up: Arc::default() };
    let signal = input.clone();
    let watchdog = input.clone();
    threads::spawn("signals", move || hear_signals(signals, &signal))?;
    threads::spawn("input", move || read_input(&input))?;
    threads::spawn("watchdog", move || watch_for_hang_up(&watchdog))?;
    Ok(events)
}

fn read_input(teller: &EventSender) {
    /// Number of events that may wait.
    const QUEUED: usize = 10_000;
    /// Number of consecutive failures after which the terminal is given up.
    const HOPELESS: u32 = 10;
    let Leftover { mut decoder, mut pending, typed } = probe::take_left();
    let stdin = io::stdin();
    let mut failures = 0;
    let mut bytes = [0; 4096];
    let hold = escape_time();
    typed.into_iter().for_each(|event| _ = teller.tx.send(event));
    while failures < HOPELESS {
        // Faster input than can be handled waits in the terminal, not in memory.
        while teller.tx.len() > QUEUED {
            thread::sleep(Duration::from_millis(5));
        }
        let mut is_gone = false;
        let take = |event: Event| {
            if let Some(event) = pending.take(event) {
                is_gone |= teller.tx.send(event).is_err();
            }
        };
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        let heard = match poll(&mut fds, decoder.holds_escape().then_some(&hold)) {
            Ok(0) => {
                decoder.release(Instant::now(), take);
                Ok(())
            }
            Ok(_) => match rustix::io::read(&stdin, &mut bytes) {
                Ok(0) => Err(Errno::IO),
                Ok(length) => {
                    decoder.decode(&bytes[..length], Instant::now(), take);
                    Ok(())
                }
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        match heard {
            _ if is_gone => return,
            Ok(()) => failures = 0,
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => {
                tracing::warn!("reading the terminal: {error}");
                failures += 1;
                thread::sleep(Duration::from_millis(100));
            }
        }
    }
    teller.hang_up();
}

/// How long an ESC waits for the rest of a sequence: longer on a line that delays and splits what is sent.
fn escape_time() -> Timespec {
    Timespec { tv_sec: 0, tv_nsec: if is_remote() { 100_000_000 } else { 25_000_000 } }
}

/// Whether a line of SSH leads to the terminal.
pub fn is_remote() -> bool {
    std::env::var_os("SSH_CONNECTION").is_some()
}

fn hear_signals(mut signals: Signals, teller: &EventSender) {
    for signal in signals.forever() {
        let event = match signal {
            SIGHUP => {
                teller.hang_up();
                continue;
            }
            SIGTSTP => Event::Signal(Signal::Suspend),
            SIGWINCH => match tcgetwinsize(io::stdout()) {
                Ok(size) => Event::Resize(size.ws_col, size.ws_row),
                Err(_) => continue,
            },
            SIGCONT if screen::STOPPED.swap(false, Ordering::SeqCst) => continue,
            // The write beyond the limit fails, which is reported where it was tried.
            SIGXFSZ => continue,
            // The kernel sends one after the SIGHUP of a hang-up.
            SIGCONT if modes::is_in_a_hurry() => continue,
            SIGCONT => Event::Signal(Signal::Continue),
            number => {
                tracing::info!("signal {number}");
                count_down(&teller.ending, BY_SIGNAL + number);
                Event::Signal(Signal::Terminate(number))
            }
        };
        // Signals are handled for the lifetime of the process: without a receiver the countdown still ends it.
        let _ = teller.tx.send(event);
    }
}

fn watch_for_hang_up(teller: &EventSender) {
    let stdin = io::stdin();
    loop {
        // No requested events: only those that are always reported (hang-up, error, closed descriptor) end the wait.
        let mut fds = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::empty())];
        match poll(&mut fds, None) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => break,
            Err(err) => {
                tracing::warn!("watching the terminal: {err}");
                return;
            }
        }
    }
    teller.hang_up();
}

impl EventSender {
    fn hang_up(&self) {
        if self.hung_up.swap(true, Ordering::SeqCst) {
            return;
        }
        tracing::info!("the terminal has hung up");
        count_down(&self.ending, BY_SIGNAL + SIGHUP);
        let _ = self.tx.send(Event::HangUp);
    }
}

/// Time for a regular exit after a request to end: a busy disk may take more than a second for the file of the game.
const GRACE: Duration = Duration::from_secs(2);

/// A session's request to end, delivered ahead of its queued events; clones refer to the same session.
#[derive(Clone, Default)]
pub struct EndHandle(Arc<EndRequest>);

#[derive(Default)]
struct EndRequest {
    /// The requested exit status; 0 before a request.
    status: AtomicU8,
    /// Milliseconds requested in addition to [`GRACE`].
    extra_ms: AtomicU64,
}

impl EndHandle {
    /// Requests the session to end with this exit status; the first request counts.
    pub fn send(&self, status: u8) {
        let _ = self.0.status.compare_exchange(0, status, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Returns the requested exit status immediately; the event of the request may be queued behind a thousand keys.
    pub(crate) fn requested(&self) -> Option<u8> {
        Some(self.0.status.load(Ordering::SeqCst)).filter(|status| *status != 0)
    }

    /// Extends the time before the forced exit, for a session that still has to save something.
    pub fn give_grace(&self, time: Duration) {
        self.0.extra_ms.fetch_max(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }

    fn limit(&self) -> Duration {
        GRACE + Duration::from_millis(self.0.extra_ms.load(Ordering::SeqCst))
    }
}

/// On the first call, requests the session on the process's own terminal to end with exit status `code`, and starts the countdown
/// to the forced exit of the process.
fn count_down(ending: &EndHandle, code: i32) {
    // The first request counts; its status is set before any reader can see the request.
    ending.send(u8::try_from(code).unwrap_or(u8::MAX));
    if modes::hurry() {
        return;
    }
    let started = Instant::now();
    let ending = ending.clone();
    let last = move || {
        loop {
            let limit = ending.limit();
            match limit.checked_sub(started.elapsed()) {
                Some(rest) if !rest.is_zero() => thread::sleep(rest),
                _ => break,
            }
        }
        tracing::error!("no regular exit in time after a request to end: exiting now");
        exit_now(code);
    };
    if threads::spawn("last-resort", last).is_err() {
        exit_now(code);
    }
}

/// Restores the terminal as far as possible and exits the process, from any thread.
pub fn exit_now(code: i32) -> ! {
    modes::leave();
    external::end_all();
    process::exit(code)
}

/// Installs a panic hook for a program that controls the screen. Call on the drawing thread.
///
/// A panic on that thread restores the terminal, then prints the message and the path of the log. A panic on another thread only
/// goes to the log: that thread does not own the screen, and its failure is reported by the code that started it. While no screen
/// is in use, panics are printed as usual, and logged.
pub fn install_panic_hook(log: Option<&Path>) {
    let drawing = thread::current().id();
    let log: Option<PathBuf> = log.map(Path::to_path_buf);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let trace = std::backtrace::Backtrace::force_capture();
        tracing::error!("thread '{}' panicked: {}\n{trace}", thread::current().name().unwrap_or("?"), panic_text(info));
        if !modes::is_active() {
            usual(info);
        } else if thread::current().id() == drawing {
            modes::leave();
            // Not eprintln!, which panics when stderr is closed.
            let mut stderr = std::io::stderr();
            let _ = writeln!(stderr, "mancalab has stopped because of a bug: {}", panic_text(info));
            if let Some(log) = &log {
                let _ = writeln!(stderr, "details are in the log: {}", crate::sanitize::path(log));
            }
        }
    }));
}

/// Returns the panic's message and location.
fn panic_text(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("(no message)");
    match info.location() {
        Some(at) => format!("{message} ({}:{})", at.file(), at.line()),
        None => message.to_string(),
    }
}
