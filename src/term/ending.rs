//! Ends that are not chosen: panics, signals that nobody answers, a terminal that is gone.

use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::modes;

/// How long the program has to end by itself once it has been told to.
const GRACE: Duration = Duration::from_secs(1);

/// The exit status to end with; 0 as long as nobody was told to.
static CODE: AtomicU8 = AtomicU8::new(0);
/// Milliseconds that were asked for on top of [`GRACE`].
static EXTRA_MS: AtomicU64 = AtomicU64::new(0);

/// Asks for more time before the process is ended, from a program that is ending but has something to save first.
pub fn give_grace(time: Duration) {
    EXTRA_MS.fetch_max(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
}

/// Starts the countdown to the end of the process, the first time it is called. `code` is the exit status.
pub(super) fn count_down(code: i32) {
    // The first one counts; its status is there before anybody can ask for it.
    let status = u8::try_from(code).unwrap_or(u8::MAX);
    let _ = CODE.compare_exchange(0, status, Ordering::SeqCst, Ordering::SeqCst);
    if modes::hurry() {
        return;
    }
    let started = Instant::now();
    let last = move || {
        loop {
            let limit = GRACE + Duration::from_millis(EXTRA_MS.load(Ordering::SeqCst));
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

/// The exit status with which the program has been told to end, as soon as it has: the event that says so may stand behind a
/// thousand keys.
pub fn told_to_end() -> Option<u8> {
    modes::is_in_a_hurry().then(|| CODE.load(Ordering::SeqCst))
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
                let _ = writeln!(stderr, "more is in the log: {}", crate::plain::path(log));
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
