//! Advisory lock on a run's folder. A second writer gets the holder's process.
//!
//! It is the system's lock on the file `lock`, so it ends with the process in any case, and a reused process id does
//! not matter. The file's text names the holder for users.

use mancalab_base::{Error, bail};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};

use super::dir_handle::{DirHandle, Id};
use crate::files;

use crate::sanitize;

pub(super) const FILE: &str = "lock";

/// Suffix of the text while the run is paused.
const PAUSED: &str = ", paused";

/// A holder that has not written its name yet, or no longer has one.
const UNNAMED: &str = "another process";

/// Checking whether a run is being written takes the lock for an instant; a writer waits that long.
const PATIENCE: Duration = Duration::from_millis(300);

/// A lock, held until dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    folder: DirHandle,
    /// The file did not exist before, and is removed with the lock unless this is [kept](Lock::keep).
    is_new: bool,
}

impl Lock {
    /// # Errors
    /// The process that holds it, or why it cannot be taken.
    pub(crate) fn take(held: &DirHandle) -> Result<Lock, Error> {
        let path = held.path_of(FILE);
        let fail = Error::cannot("lock", &path);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let is_new = !held.has(FILE);
            let file = held.open_file(FILE, OFlags::RDWR | OFlags::CREATE).map_err(fail)?;
            wait_for(&file, deadline).map_err(fail)?.then_some(()).ok_or_else(|| {
                let holder = named(&path).unwrap_or_else(|| UNNAMED.to_owned());
                let folder = sanitize::path(held.path());
                let typed = sanitize::shell_path(held.path());
                format!("{folder} is being written by {holder}; look at it with: mancalab runs watch {typed}")
            })?;
            let folder = held.again().map_err(fail)?;
            let mut lock = Lock { file, folder, is_new: false };
            // The previous holder may have removed the file; a lock on it is void.
            if lock.holds().map_err(fail)? {
                lock.is_new = is_new;
                lock.mark(false).map_err(fail)?;
                return Ok(lock);
            }
            if Instant::now() >= deadline {
                bail!("cannot lock {}: others take it away again and again", path.display());
            }
        }
    }

    /// Returns whether its file is still the one in the folder.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn holds(&self) -> io::Result<bool> {
        Ok(self.folder.find(FILE)? == Some(Id::read(&self.file)?))
    }

    /// Keeps the file when the lock is released.
    pub(crate) fn keep(&mut self) {
        self.is_new = false;
    }

    /// Writes the holder's process, and whether its run is paused.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn mark(&mut self, is_paused: bool) -> io::Result<()> {
        let paused = if is_paused { PAUSED } else { "" };
        self.write(&format!("{}{paused}\n", this_process()))
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
        if self.is_new && self.holds().unwrap_or(false) {
            let _ = self.folder.remove(FILE);
        }
    }
}

/// Waits until the file is locked; false on a timeout.
fn wait_for(file: &File, deadline: Instant) -> io::Result<bool> {
    while let Err(error) = flock(file, FlockOperation::NonBlockingLockExclusive) {
        if error != rustix::io::Errno::WOULDBLOCK && error != rustix::io::Errno::INTR {
            return Err(error.into());
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(true)
}

/// The state of a run's lock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Holder {
    None,
    /// A process ended without releasing it, such as one killed by `kill -9`.
    Crashed,
    /// A process, such as `process 4711 on dolomite`, and whether its run is paused.
    Process(String, bool),
}

/// Returns the holder of the lock of the run in `folder`.
pub(crate) fn holder(folder: &Path) -> Holder {
    let path = folder.join(FILE);
    let Ok(file) = files::open(&path) else { return Holder::None };
    let is_free = flock(&file, FlockOperation::NonBlockingLockShared).is_ok();
    match named(&path) {
        None if is_free => Holder::None,
        Some(_) if is_free => Holder::Crashed,
        None => Holder::Process(UNNAMED.to_owned(), false),
        Some(text) => match text.strip_suffix(PAUSED) {
            Some(process) => Holder::Process(process.to_owned(), true),
            None => Holder::Process(text, false),
        },
    }
}

fn named(path: &Path) -> Option<String> {
    let mut text = String::new();
    files::open(path).ok()?.take(256).read_to_string(&mut text).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The name of this process, which stays the same when the machine gets another name.
fn this_process() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        format!("process {} on {}", std::process::id(), rustix::system::uname().nodename().to_string_lossy())
    });
    &NAME
}

/// Returns whether a writer of a run may release it soon once this process stops its runs: it is this process, or takes or
/// releases the lock just now.
pub(crate) fn may_be_ours(writer: &str) -> bool {
    writer == UNNAMED || writer == this_process()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_reported_who_the_first_is() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(holder(folder.path()), Holder::None);
        let held = DirHandle::open(folder.path()).unwrap();
        let mut lock = Lock::take(&held).unwrap();
        lock.keep();
        let name = format!("process {}", std::process::id());
        assert!(matches!(holder(folder.path()), Holder::Process(process, false) if process.starts_with(&name)));
        lock.mark(true).unwrap();
        assert!(matches!(holder(folder.path()), Holder::Process(process, true) if !process.contains("paused")));
        assert!(Lock::take(&held).unwrap_err().to_string().contains(&name));
        assert!(lock.holds().unwrap());
        drop(lock);
        assert_eq!(holder(folder.path()), Holder::None);
        let lock = Lock::take(&held).unwrap();
        std::fs::remove_file(folder.path().join(FILE)).unwrap();
        assert!(!lock.holds().unwrap());
    }

    #[test]
    fn a_lock_that_is_not_kept_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let held = DirHandle::open(folder.path()).unwrap();
        drop(Lock::take(&held).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        Lock::take(&held).unwrap().keep();
        drop(Lock::take(&held).unwrap());
        assert_eq!(std::fs::read(folder.path().join(FILE)).unwrap(), b"");
    }

    #[test]
    fn the_lock_of_a_dead_process_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "process 1 on elsewhere\n").unwrap();
        assert_eq!(holder(folder.path()), Holder::Crashed);
        Lock::take(&DirHandle::open(folder.path()).unwrap()).unwrap();
    }
}
