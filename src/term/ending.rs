//! Forced exits: panics, unhandled signals, a terminal that is gone.

use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::modes;
use crate::player::external;
use crate::threads;

/// Time for a regular exit after a request to end: a busy disk may take more than a second for the file of the game.
const GRACE: Duration = Duration::from_secs(2);

/// A session's request to end, delivered ahead of its queued events; clones refer to the same session.
#[derive(Clone, Default)]
pub struct Ending(Arc<EndRequest>);

#[derive(Default)]
struct EndRequest {
    /// The requested exit status; 0 before a request.
    status: AtomicU8,
    /// Milliseconds requested in addition to [`GRACE`].
    extra_ms: AtomicU64,
}

impl Ending {
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
pub(super) fn count_down(ending: &Ending, code: i32) {
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
