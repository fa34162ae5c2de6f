//! Being told to end, for commands without a screen; and what no command should end by.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// A signal this soon after the first is the same wish told twice: `timeout` sends its own to the process and to its group, and
/// when a line is cut both the kernel and the shell say so.
const SAME: Duration = Duration::from_millis(300);

/// Has a write beyond the greatest size of a file (`ulimit -f`) fail with an error, which is told, as on a full disk; by the
/// signal the process would end without a word, the screen still taken over.
///
/// # Errors
/// The system's.
pub fn outlive_full_files() -> io::Result<()> {
    // What is caught does not end the process; nobody looks at the flag.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ())
}

/// The signal that asked for the end, 0 as long as none did, and whether one more came since.
static NUMBER: AtomicUsize = AtomicUsize::new(0);
static AGAIN: AtomicBool = AtomicBool::new(false);

/// How long a command that was told twice may take to say what it has kept.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Has SIGINT, SIGTERM and SIGHUP be told by [`told`] instead of ending the process; one more ends it all the same, soon.
///
/// # Errors
/// The system's.
pub fn catch() -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        let mut first: Option<Instant> = None;
        for number in signals.forever() {
            match first {
                None => {
                    first = Some(Instant::now());
                    NUMBER.store(number as usize, Ordering::SeqCst);
                }
                Some(at) if at.elapsed() > SAME => {
                    AGAIN.store(true, Ordering::SeqCst);
                    thread::sleep(LAST_WORDS);
                    process::exit(128 + number);
                }
                Some(_) => {}
            }
        }
    })?;
    Ok(())
}

/// Has SIGINT, SIGTERM and SIGHUP end the process as they do, after `clear`.
///
/// # Errors
/// The system's.
pub fn clear_first(clear: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        for number in signals.forever() {
            clear();
            let _ = emulate_default_handler(number);
        }
    })?;
    Ok(())
}

/// The number of the signal that asked for the end, 0 as long as none did.
pub fn told() -> usize {
    NUMBER.load(Ordering::SeqCst)
}

/// Whether the end was asked for once more.
pub fn told_again() -> bool {
    AGAIN.load(Ordering::SeqCst)
}
