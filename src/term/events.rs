//! What comes from outside: keys, the mouse, pastes, sizes, signals, and the end of the line.
//!
//! Three threads, all of them asleep until something happens. They can be left behind when the program ends. The input thread
//! must be one that can be: once its terminal is gone, crossterm spins on it at full speed and never returns. Nobody but the
//! watchdog notices that: it sleeps in a poll(2) that asks for nothing, which the kernel ends only at a hang-up.

use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;
use crossterm::event::{Event as TermEvent, KeyEvent, KeyEventKind, MouseEvent, MouseEventKind};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::tcgetwinsize;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::{ending, modes, screen};

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
    /// The terminal is gone, or whoever was there has left (SIGHUP). Save and exit with status 129 within a second, after which
    /// the process is ended (see [`give_grace`](super::give_grace)).
    HangUp,
}

/// A signal, by what it asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// SIGTERM, SIGINT or SIGQUIT, by number: save and exit with status 128 + number within a second, after which the process is
    /// ended (see [`give_grace`](super::give_grace)). (Ctrl-C at the keyboard is a key.)
    Terminate(i32),
    /// SIGTSTP: call [`Screen::suspend`](super::Screen::suspend).
    Suspend,
    /// SIGCONT after a stop that was not the program's own: call [`Screen::resume`](super::Screen::resume).
    Continue,
}

/// Exit statuses of programs that end by a signal are this plus its number.
const BY_SIGNAL: i32 = 128;

/// Starts to send what happens to `tx`. The threads end when the receiver is gone and something happens, or with the process.
///
/// # Errors
/// The signals cannot be caught, or a thread cannot be started.
pub fn spawn_events(tx: Sender<Event>) -> io::Result<()> {
    let signals = Signals::new([SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])?;
    let (input, signal, watchdog) = (tx.clone(), tx.clone(), tx);
    thread::Builder::new().name("signals".into()).spawn(move || hear_signals(signals, &signal))?;
    thread::Builder::new().name("input".into()).spawn(move || read_input(&input))?;
    thread::Builder::new().name("watchdog".into()).spawn(move || watch_for_hang_up(&watchdog))?;
    Ok(())
}

fn read_input(tx: &Sender<Event>) {
    /// Failures in a row after which nothing more is to be expected from this terminal.
    const HOPELESS: u32 = 10;
    let mut failures = 0;
    while failures < HOPELESS {
        match crossterm::event::read() {
            Ok(event) => {
                failures = 0;
                if translate(event).is_some_and(|event| tx.send(event).is_err()) {
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
    hang_up(tx);
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

fn hear_signals(mut signals: Signals, tx: &Sender<Event>) {
    for signal in signals.forever() {
        let event = match signal {
            SIGHUP => {
                hang_up(tx);
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
                ending::count_down(BY_SIGNAL + number);
                Event::Signal(Signal::Terminate(number))
            }
        };
        // Signals are heard for as long as the process lives: without a receiver the countdown still ends it.
        let _ = tx.send(event);
    }
}

fn watch_for_hang_up(tx: &Sender<Event>) {
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
    hang_up(tx);
}

/// Told once, though a cut line is noticed in several ways.
fn hang_up(tx: &Sender<Event>) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if TOLD.swap(true, Ordering::SeqCst) {
        return;
    }
    tracing::info!("the terminal has hung up");
    ending::count_down(BY_SIGNAL + SIGHUP);
    let _ = tx.send(Event::HangUp);
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
