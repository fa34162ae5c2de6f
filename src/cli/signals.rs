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

/// The number of the signal that asked for the end, 0 as long as none did. One more ends at once.
///
/// # Errors
/// The system's.
pub fn catch() -> io::Result<Arc<AtomicUsize>> {
    let told = Arc::new(AtomicUsize::new(0));
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let tell = Arc::clone(&told);
    thread::Builder::new().name("signals".into()).spawn(move || {
        let mut first: Option<Instant> = None;
        for number in signals.forever() {
            match first {
                None => {
                    first = Some(Instant::now());
                    tell.store(number as usize, Ordering::Relaxed);
                }
                Some(at) if at.elapsed() > SAME => process::exit(128 + number),
                Some(_) => {}
            }
        }
    })?;
    Ok(told)
}
