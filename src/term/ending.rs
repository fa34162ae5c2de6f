//! Ends that are not chosen: panics, signals that nobody answers, a terminal that is gone.

use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::modes;

/// How long the program has to end by itself once it has been told to.
const GRACE: Duration = Duration::from_secs(1);

/// Whether a session has been told to end, ahead of all that it has still to hear; clones are about the same session.
#[derive(Clone, Default)]
pub struct Ending(Arc<Told>);

#[derive(Default)]
struct Told {
    /// The exit status to end with; 0 as long as nobody said so.
    status: AtomicU8,
    /// Milliseconds that were asked for on top of [`GRACE`].
    extra_ms: AtomicU64,
}

impl Ending {
    /// Tells the session to end with this exit status; the first one counts.
    pub fn tell(&self, status: u8) {
        let _ = self.0.status.compare_exchange(0, status, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// The exit status with which it has been told to end, as soon as it has: the event that says so may stand behind a thousand
    /// keys.
    pub(crate) fn told(&self) -> Option<u8> {
        Some(self.0.status.load(Ordering::SeqCst)).filter(|status| *status != 0)
    }

    /// Asks for more time before the end is forced, from a session that is ending but has something to save first.
    pub fn give_grace(&self, time: Duration) {
        self.0.extra_ms.fetch_max(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }

    fn limit(&self) -> Duration {
        GRACE + Duration::from_millis(self.0.extra_ms.load(Ordering::SeqCst))
    }
}

/// Tells the session on the process's own terminal to end, and starts the countdown to the end of the process, the first time it
/// is called. `code` is the exit status.
pub(super) fn count_down(ending: &Ending, code: i32) {
    // The first one counts; its status is there before anybody can ask for it.
    ending.tell(u8::try_from(code).unwrap_or(u8::MAX));
    if modes::hurry() {
        return;
    }
    let (started, ending) = (Instant::now(), ending.clone());
    let last = move || {
        loop {
            let limit = ending.limit();
            match limit.checked_sub(started.elapsed()) {
                Some(rest) if !rest.is_zero() => thread::sleep(rest),
                _ => break,
            }
        }
        tracing::error!("told to end, and still here: ending now");
        exit_now(code);
    };
    if thread::Builder::new().name("last-resort".into()).spawn(last).is_err() {
        exit_now(code);
    }
}

/// Leaves the terminal as far as it lets itself be left, and ends the process, from any thread.
pub fn exit_now(code: i32) -> ! {
    modes::leave();
    process::exit(code)
}

/// Makes panics fit a program that has the screen. To be called on the thread that draws.
///
/// A panic there gives the terminal back first and then says what happened and where the log is. A panic on another thread
/// goes to the log only: the screen is not its own, and whoever started the thread tells of its failure. While no screen is
/// in use panics are told as usual, and logged.
pub fn install_panic_hook(log: Option<&Path>) {
    let drawing = thread::current().id();
    let log: Option<PathBuf> = log.map(Path::to_path_buf);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let trace = std::backtrace::Backtrace::force_capture();
        tracing::error!("thread '{}' panicked: {}\n{trace}", thread::current().name().unwrap_or("?"), told(info));
        if !modes::is_active() {
            usual(info);
        } else if thread::current().id() == drawing {
            modes::leave();
            // Not eprintln!, which panics when stderr is gone.
            let mut stderr = std::io::stderr();
            let _ = writeln!(stderr, "mancalab has stopped because of a mistake in it: {}", told(info));
            if let Some(log) = &log {
                let _ = writeln!(stderr, "more is in the log: {}", crate::sanitize::path(log));
            }
        }
    }));
}

/// The message and the place.
fn told(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("(no message)");
    match info.location() {
        Some(at) => format!("{message} ({}:{})", at.file(), at.line()),
        None => message.to_string(),
    }
}
