//! Threads that outlive their starter.
//!
//! Dropping the handle of a thread detaches it. If the thread ends at the same time, glibc may use its memory after it is freed.
//! So the handles are kept, and joined once the threads have ended.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

static KEPT: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Starts a thread without a handle to wait for it, and joins those started earlier that have ended.
///
/// # Errors
/// The system has no free thread.
pub fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    for ended in kept.extract_if(.., |thread| thread.is_finished()) {
        // Its panic has been reported by the hook.
        let _ = ended.join();
    }
    kept.push(Builder::new().name(name.to_owned()).spawn(body)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn threads_are_joined_once_they_have_ended() {
        let deadline = Instant::now() + Duration::from_secs(60);
        for _ in 0..100 {
            spawn("brief", || ()).unwrap();
        }
        while KEPT.lock().unwrap().len() > 1 {
            assert!(Instant::now() < deadline);
            spawn("brief", || ()).unwrap();
        }
        spawn("brief", || panic!("as told")).unwrap();
        spawn("brief", || ()).unwrap();
    }
}
