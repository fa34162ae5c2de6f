//! Signal handling: ending commands without a screen, and signals that end no command.

use std::io;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::player::external;
use crate::threads;

/// A signal this soon after the first is the same request: `timeout` signals both the process and its group, and after
/// a hangup both the kernel and the shell send SIGHUP.
const SAME: Duration = Duration::from_millis(300);

/// Makes a write beyond the maximum file size (`ulimit -f`) fail with an error, as on a full disk. By default SIGXFSZ
/// would end the process without a message, and without restoring the terminal.
///
/// # Errors
/// The system's error.
pub fn outlive_full_files() -> io::Result<()> {
    // A caught signal does not end the process; the flag is unused.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ())
}

/// The number of the first signal, 0 before it, and whether another one followed.
static NUMBER: AtomicUsize = AtomicUsize::new(0);
static AGAIN: AtomicBool = AtomicBool::new(false);

/// Time between the second signal and the exit, for reporting saved output.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Returns success, or the exit code of the signal that stopped the command.
pub fn exit_code() -> ExitCode {
    match received() {
        0 => ExitCode::SUCCESS,
        signal => ExitCode::from(128 + signal as u8),
    }
}

/// Catches SIGINT, SIGTERM and SIGHUP for [`received`]. A second signal ends the process after [`LAST_WORDS`].
///
/// # Errors
/// The system's error.
pub fn catch() -> io::Result<()> {
    catch_and(|| {})
}

/// The same, and calls `wake` after the first signal.
///
/// # Errors
/// The system's error.
pub fn catch_and(wake: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    threads::spawn("signals", move || {
        let mut first: Option<Instant> = None;
        for number in signals.forever() {
            match first {
                None => {
                    first = Some(Instant::now());
                    NUMBER.store(number as usize, Ordering::SeqCst);
                    wake();
                }
                Some(at) if at.elapsed() > SAME => {
                    AGAIN.store(true, Ordering::SeqCst);
                    thread::sleep(LAST_WORDS);
                    external::end_all();
                    process::exit(128 + number);
                }
                Some(_) => {}
            }
        }
    })?;
    Ok(())
}

/// Calls `clear` before SIGINT, SIGTERM or SIGHUP ends the process.
///
/// # Errors
/// The system's error.
pub fn clear_first(clear: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    threads::spawn("signals", move || {
        for number in signals.forever() {
            clear();
            external::end_all();
            let _ = emulate_default_handler(number);
        }
    })?;
    Ok(())
}

/// The number of the first signal, 0 before it.
pub fn received() -> usize {
    NUMBER.load(Ordering::SeqCst)
}

/// Whether a second signal arrived.
pub fn received_again() -> bool {
    AGAIN.load(Ordering::SeqCst)
}
