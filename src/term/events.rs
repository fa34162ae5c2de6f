//! Terminal events: keys, the mouse, pastes, sizes, signals, and hang-ups.
//!
//! Three threads, all asleep until an event. They need not be joined at exit. This is required of the input thread: once its
//! terminal is gone, crossterm spins at full speed and never returns. Only the watchdog notices a hang-up reliably: it sleeps in a
//! poll(2) without requested events, which the kernel ends only at a hang-up.

use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{Event as TermEvent, KeyEvent, KeyEventKind, MouseEvent, MouseEventKind};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::tcgetwinsize;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::background::{Late, Taken};
use super::ending::{self, Ending};
use super::{modes, screen};
use crate::theme::Shade;

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
    /// A late report of the terminal's background.
    Background(Shade),
    /// The terminal is gone, or its user has left (SIGHUP). Save and exit with status 129 within a second, after which the process
    /// is terminated (see [`Ending::give_grace`]).
    HangUp,
}

/// A signal, by its effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// SIGTERM, SIGINT or SIGQUIT, by number: save and exit with status 128 + number within a second, after which the process is
    /// terminated (see [`Ending::give_grace`]). (Ctrl-C at the keyboard is a key.)
    Terminate(i32),
    /// SIGTSTP: call [`Screen::suspend`](super::Screen::suspend).
    Suspend,
    /// SIGCONT after a stop by another process: call [`Screen::resume`](super::Screen::resume).
    Continue,
}

/// The exit status of a program ended by a signal is this plus the signal's number.
const BY_SIGNAL: i32 = 128;

/// The events of a session, independent of its display.
#[derive(Clone)]
pub struct Events {
    /// The events in their order. If the sender is gone, no event can reach the session.
    pub receiver: Receiver<Event>,
    /// The request to end, which overtakes the events.
    pub ending: Ending,
}

impl Events {
    /// Creates the events of a receiver; the holder of its sender and of `ending` produces them.
    pub fn new(receiver: Receiver<Event>) -> Events {
        Events { receiver, ending: Ending::default() }
    }
}

/// The sender of the threads' events.
#[derive(Clone)]
struct EventSender {
    tx: Sender<Event>,
    ending: Ending,
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
    let signals = Signals::new([SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])?;
    let input = EventSender { tx, ending: events.ending.clone(), hung_up: Arc::default() };
    let (signal, watchdog) = (input.clone(), input.clone());
    thread::Builder::new().name("signals".into()).spawn(move || hear_signals(signals, &signal))?;
    thread::Builder::new().name("input".into()).spawn(move || read_input(&input))?;
    thread::Builder::new().name("watchdog".into()).spawn(move || watch_for_hang_up(&watchdog))?;
    Ok(events)
}

fn read_input(teller: &EventSender) {
    /// Number of events that may wait.
    const QUEUED: usize = 10_000;
    /// Number of consecutive failures after which the terminal is given up.
    const HOPELESS: u32 = 10;
    let mut failures = 0;
    let mut late = Late::default();
    while failures < HOPELESS {
        // Faster input than can be handled waits in the terminal, not in memory.
        while teller.tx.len() > QUEUED {
            thread::sleep(Duration::from_millis(5));
        }
        match crossterm::event::read() {
            Ok(event) => {
                failures = 0;
                let heard = match late.take(&event) {
                    Taken::Not => translate(event),
                    Taken::Part => None,
                    Taken::End(shade) => Some(Event::Background(shade)),
                };
                if heard.is_some_and(|event| teller.tx.send(event).is_err()) {
                    return;
                }
            }
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(err) => {
                tracing::warn!("reading the terminal: {err}");
                failures += 1;
                thread::sleep(Duration::from_millis(100));
            }
        }
    }
    teller.hang_up();
}

/// Translates a crossterm event; `None` for unused events.
fn translate(event: TermEvent) -> Option<Event> {
    match event {
        TermEvent::Key(key) if key.kind != KeyEventKind::Release => Some(Event::Key(key)),
        TermEvent::Mouse(mouse) if mouse.kind != MouseEventKind::Moved => Some(Event::Mouse(mouse)),
        TermEvent::Paste(text) => Some(Event::Paste(text)),
        // Sizes come from the signal: crossterm listens only from its first read on, and would miss a resize during startup.
        _ => None,
    }
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
            // The kernel sends one after the SIGHUP of a hang-up.
            SIGCONT if modes::is_in_a_hurry() => continue,
            SIGCONT => Event::Signal(Signal::Continue),
            number => {
                tracing::info!("signal {number}");
                ending::count_down(&teller.ending, BY_SIGNAL + number);
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
        ending::count_down(&self.ending, BY_SIGNAL + SIGHUP);
        let _ = self.tx.send(Event::HangUp);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyModifiers};

    #[test]
    fn releases_and_movements_are_dropped() {
        let mut key = KeyEvent::new(KeyCode::Char('a'), KeyModifiers::NONE);
        assert_eq!(translate(TermEvent::Key(key)), Some(Event::Key(key)));
        key.kind = KeyEventKind::Release;
        assert_eq!(translate(TermEvent::Key(key)), None);
        let moved = MouseEvent { kind: MouseEventKind::Moved, column: 1, row: 1, modifiers: KeyModifiers::NONE };
        assert_eq!(translate(TermEvent::Mouse(moved)), None);
        assert_eq!(translate(TermEvent::FocusGained), None);
    }
}
