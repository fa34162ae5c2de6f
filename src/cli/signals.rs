//! Being told to end, for commands without a screen.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The number of the signal that asked for the end, 0 as long as none did. A second one ends at once.
///
/// # Errors
/// The system's.
pub fn catch() -> io::Result<Arc<AtomicUsize>> {
    let (signal, asked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    for number in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&asked))?;
        signal_hook::flag::register(number, Arc::clone(&asked))?;
        signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize)?;
    }
    Ok(signal)
}
