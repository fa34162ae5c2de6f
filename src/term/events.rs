//! What comes from outside: keys, the mouse, pastes, sizes, signals, and the end of the line.
//!
//! Three threads, all of them asleep until something happens. They can be left behind when the program ends. The input thread
//! must be one that can be: once its terminal is gone, crossterm spins on it at full speed and never returns. Nobody but the
//! watchdog notices that: it sleeps in a poll(2) that asks for nothing, which the kernel ends only at a hang-up.

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

/// Something to react to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A key went down, or repeats.
    Key(KeyEvent),
    /// A button, the wheel, or a drag.
    Mouse(MouseEvent),
    /// Text that was pasted and not typed.
    Paste(String),
    /// Width and height in cells. Several may come in a row; drawing finds out by itself.
    Resize(u16, u16),
    Signal(Signal),
    /// The terminal says only now what lies behind the text.
    Background(Shade),
    /// The terminal is gone, or whoever was there has left (SIGHUP). Save and exit with status 129 within a second, after which
    /// the process is ended (see [`Ending::give_grace`]).
    HangUp,
}

/// A signal, by what it asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// SIGTERM, SIGINT or SIGQUIT, by number: save and exit with status 128 + number within a second, after which the process is
    /// ended (see [`Ending::give_grace`]). (Ctrl-C at the keyboard is a key.)
    Terminate(i32),
    /// SIGTSTP: call [`Screen::suspend`](super::Screen::suspend).
    Suspend,
    /// SIGCONT after a stop that was not the program's own: call [`Screen::resume`](super::Screen::resume).
    Continue,
}

/// Exit statuses of programs that end by a signal are this plus its number.
const BY_SIGNAL: i32 = 128;

/// All that a session hears, from wherever its screen is.
#[derive(Clone)]
pub struct Events {
    /// In the order in which it happened. When the sender is gone, so is every way to reach the session.
    pub receiver: Receiver<Event>,
    /// Overtakes the rest.
    pub ending: Ending,
}

impl Events {
    /// What whoever holds the sender and the ending says.
    pub fn new(receiver: Receiver<Event>) -> Events {
        Events { receiver, ending: Ending::default() }
    }
}

/// Where the threads tell what they hear.
#[derive(Clone)]
struct Teller {
    tx: Sender<Event>,
    ending: Ending,
    /// A cut line is noticed in several ways, and told once.
    hung_up: Arc<AtomicBool>,
}

/// Starts to listen to the process's own terminal and to its signals: once in a process. The threads end when the receiver is gone
/// and something happens, or with the process.
///
/// # Errors
/// The signals cannot be caught, or a thread cannot be started.
pub fn listen() -> io::Result<Events> {
    let (tx, receiver) = unbounded();
    let events = Events::new(receiver);
    let signals = Signals::new([SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])?;
    let input = Teller { tx, ending: events.ending.clone(), hung_up: Arc::default() };
    let (signal, watchdog) = (input.clone(), input.clone());
    thread::Builder::new().name("signals".into()).spawn(move || hear_signals(signals, &signal))?;
    thread::Builder::new().name("input".into()).spawn(move || read_input(&input))?;
    thread::Builder::new().name("watchdog".into()).spawn(move || watch_for_hang_up(&watchdog))?;
    Ok(events)
}

fn read_input(teller: &Teller) {
    /// Failures in a row after which nothing more is to be expected from this terminal.
    const HOPELESS: u32 = 10;
    let mut failures = 0;
    let mut late = Late::default();
    while failures < HOPELESS {
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

/// The event in our own terms; `None` for what nobody asked for.
fn translate(event: TermEvent) -> Option<Event> {
    match event {
        TermEvent::Key(key) if key.kind != KeyEventKind::Release => Some(Event::Key(key)),
        TermEvent::Mouse(mouse) if mouse.kind != MouseEventKind::Moved => Some(Event::Mouse(mouse)),
        TermEvent::Paste(text) => Some(Event::Paste(text)),
        // Sizes are heard by the signal itself: crossterm listens only from its first read on, and would miss a window that is
        // put into its place while the program starts.
        _ => None,
    }
}

fn hear_signals(mut signals: Signals, teller: &Teller) {
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
            // The kernel sends one after the SIGHUP of a cut line.
            SIGCONT if modes::is_in_a_hurry() => continue,
            SIGCONT => Event::Signal(Signal::Continue),
            number => {
                tracing::info!("signal {number}");
                ending::count_down(&teller.ending, BY_SIGNAL + number);
                Event::Signal(Signal::Terminate(number))
            }
        };
        // Signals are heard for as long as the process lives: without a receiver the countdown still ends it.
        let _ = teller.tx.send(event);
    }
}

fn watch_for_hang_up(teller: &Teller) {
    let stdin = io::stdin();
    loop {
        // No events asked for: only what is always reported, a hang-up, an error or a closed descriptor, ends the wait.
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

impl Teller {
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
