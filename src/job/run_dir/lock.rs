//! The lock of a run: one process writes, whoever else wants to is told which one.
//!
//! The lock is the system's, on the file `lock`, so it ends with the process however that ends, and a process number that is
//! used again confuses nobody. The file's text names the holder for people.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use crate::plain;

const FILE: &str = "lock";

/// Whoever looks whether a run is being written holds the lock for an instant; a writer waits that long.
const PATIENCE: Duration = Duration::from_millis(300);

/// Held until dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// # Errors
    /// Names the process that holds it, or says why it cannot be had.
    pub fn take(folder: &Path) -> Result<Lock, String> {
        let path = folder.join(FILE);
        let fail = |error: io::Error| format!("cannot lock {}: {error}", path.display());
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path).map_err(fail)?;
        let deadline = Instant::now() + PATIENCE;
        while let Err(error) = flock(&file, FlockOperation::NonBlockingLockExclusive) {
            if error != rustix::io::Errno::WOULDBLOCK && error != rustix::io::Errno::INTR {
                return Err(fail(error.into()));
            }
            if Instant::now() >= deadline {
                let holder = named(&path).unwrap_or_else(|| "another process".to_owned());
                return Err(format!(
                    "{} is being written by {holder}; look at it with: mancalab watch {}",
                    plain::path(folder),
                    plain::shell_path(folder)
                ));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut lock = Lock { file };
        lock.write(&format!("process {} on {}\n", std::process::id(), host())).map_err(fail)?;
        Ok(lock)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.write("");
    }
}

/// Who writes the run in `folder` now, such as `process 4711 on dolomite`; `None` if nobody does.
pub fn holder(folder: &Path) -> Option<String> {
    let path = folder.join(FILE);
    let file = File::open(&path).ok()?;
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Ok(()) => None,
        Err(_) => Some(named(&path).unwrap_or_else(|| "another process".to_owned())),
    }
}

fn named(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(256).read_to_string(&mut text).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_told_who_the_first_is() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(holder(folder.path()), None);
        let lock = Lock::take(folder.path()).unwrap();
        let name = format!("process {}", std::process::id());
        assert!(holder(folder.path()).unwrap().starts_with(&name));
        assert!(Lock::take(folder.path()).unwrap_err().contains(&name));
        drop(lock);
        assert_eq!(holder(folder.path()), None);
        Lock::take(folder.path()).unwrap();
    }

    #[test]
    fn the_lock_of_a_dead_process_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "process 1 on elsewhere\n").unwrap();
        assert_eq!(holder(folder.path()), None);
        Lock::take(folder.path()).unwrap();
    }
}
