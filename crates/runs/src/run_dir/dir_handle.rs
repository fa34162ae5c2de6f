//! An open folder, whose files are reached through its handle and never through its path again.
//!
//! A path may lead elsewhere while a run is written: the folder is renamed, or deleted and replaced. Writes still go to
//! the opened folder, never to another one.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::confined;
use crate::files::{Kind, only_regular, read_opened};

/// An open folder.
#[derive(Debug)]
pub struct DirHandle {
    path: PathBuf,
    folder: OwnedFd,
    id: Id,
}

/// The identity of a file or folder, regardless of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id {
    device: u64,
    inode: u64,
}

impl Id {
    pub(crate) fn read(file: &File) -> io::Result<Id> {
        let meta = file.metadata()?;
        Ok(Id { device: meta.dev(), inode: meta.ino() })
    }

    fn of_stat(stat: &Stat) -> Id {
        // Their widths differ between systems.
        #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
        Id { device: stat.st_dev as u64, inode: stat.st_ino as u64 }
    }
}

impl DirHandle {
    /// # Errors
    /// The system's error; it is not a folder.
    pub(crate) fn open(path: &Path) -> io::Result<DirHandle> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let resolved = confined::resolve_folder(path)?;
        let folder = rustix::fs::openat(CWD, &*resolved, flags, Mode::empty())?;
        let id = Id::of_stat(&rustix::fs::fstat(&folder)?);
        Ok(DirHandle { path: path.to_owned(), folder, id })
    }

    /// Returns the path it was opened by.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a file in it, for messages.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns whether its path still leads to it.
    pub(crate) fn is_in_place(&self) -> bool {
        rustix::fs::stat(&self.path).is_ok_and(|stat| Id::of_stat(&stat) == self.id)
    }

    /// Returns another handle of the same folder.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn again(&self) -> io::Result<DirHandle> {
        Ok(DirHandle { path: self.path.clone(), folder: self.folder.try_clone()?, id: self.id })
    }

    /// Returns the identity of the file with this name; `None` if there is none.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn find(&self, name: &str) -> io::Result<Option<Id>> {
        match rustix::fs::statat(&self.folder, name, AtFlags::empty()) {
            Ok(stat) => Ok(Some(Id::of_stat(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns whether this name is or may be taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        rustix::fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).err() != Some(Errno::NOENT)
    }

    /// Opens a regular file without blocking; a created file is readable by all. A link is not followed: whoever made the folder may
    /// have put it there.
    ///
    /// # Errors
    /// The system's error, or it is not a regular file.
    pub(crate) fn open_file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        if flags.contains(OFlags::CREATE) {
            step()?;
        }
        // Opening a device may have side effects, so the type is checked before, and again on the open file.
        if let Ok(stat) = rustix::fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW)
            && !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file()
        {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
        let file = File::from(rustix::fs::openat(&self.folder, name, flags, Mode::from_raw_mode(0o666))?);
        only_regular(&file.metadata()?)?;
        Ok(file)
    }

    /// Reads a complete file.
    ///
    /// # Errors
    /// Those of [`open_file`](DirHandle::open_file), or it is larger than its kind allows.
    pub(crate) fn read(&self, name: &str, kind: Kind) -> io::Result<Vec<u8>> {
        read_opened(self.open_file(name, OFlags::RDONLY)?, kind)
    }

    /// # Errors
    /// The system's.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        Ok(rustix::fs::renameat(&self.folder, from, &self.folder, to)?)
    }

    /// Adds a name to a file.
    ///
    /// # Errors
    /// The system's error; not every file system has hard links.
    pub(crate) fn link(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        Ok(rustix::fs::linkat(&self.folder, from, &self.folder, to, AtFlags::empty())?)
    }

    /// # Errors
    /// The system's error; a missing file is not an error.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        step()?;
        match rustix::fs::unlinkat(&self.folder, name, AtFlags::empty()) {
            Err(Errno::NOENT) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the names in it that are UTF-8, in no order.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let entries = Dir::read_from(self.folder.as_fd())?;
        let name =
            |entry: rustix::io::Result<rustix::fs::DirEntry>| Some(entry.ok()?.file_name().to_str().ok()?.to_owned());
        Ok(entries.filter_map(name).collect())
    }

    /// Writes a file atomically: readers see the old one or the new one.
    ///
    /// # Errors
    /// The system's error, with nothing changed under `name`.
    pub(crate) fn write_atomic(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        self.prepare(name, parts)?.settle()
    }

    /// Writes the replacement of a file to disk under a temporary name.
    ///
    /// # Errors
    /// The system's error, with nothing left behind.
    pub(crate) fn prepare<'a>(&'a self, name: &'a str, parts: &[&[u8]]) -> io::Result<PreparedFile<'a>> {
        let temporary = format!("{name}.{}.tmp", std::process::id());
        let file = self.open_file(&temporary, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?;
        let prepared = PreparedFile { held: self, name, temporary, settled: false };
        parts.iter().try_for_each(|part| write(&file, part))?;
        step()?;
        file.sync_all()?;
        Ok(prepared)
    }
}

/// A written file without its final name. Dropping deletes it.
pub struct PreparedFile<'a> {
    held: &'a DirHandle,
    name: &'a str,
    temporary: String,
    settled: bool,
}

impl PreparedFile<'_> {
    /// Renames it to its final name.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn settle(mut self) -> io::Result<()> {
        self.held.rename(&self.temporary, self.name)?;
        self.settled = true;
        // The rename is durable only once the folder is synced, which not every file system can do.
        if step().is_ok() {
            let _ = rustix::fs::fsync(&self.held.folder);
        }
        Ok(())
    }
}

impl Drop for PreparedFile<'_> {
    fn drop(&mut self) {
        if !self.settled {
            let _ = self.held.remove(&self.temporary);
        }
    }
}

/// Returns whether a name is that of a [`PreparedFile`] for one of `names`, left by a killed process.
pub(crate) fn is_left_behind(name: &str, names: &[&str]) -> bool {
    let parts = name.strip_suffix(".tmp").and_then(|name| name.rsplit_once('.'));
    parts.is_some_and(|(of, process)| {
        names.contains(&of) && !process.is_empty() && process.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Appends all bytes to a file.
///
/// # Errors
/// The system's error.
pub(crate) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    if let Some(failed) = faults::write() {
        // A killed process, or a full disk, may write a part.
        if failed.is_first {
            file.write_all(&bytes[..bytes.len() / 2])?;
        }
        return Err(failed.error);
    }
    file.write_all(bytes)
}

/// Truncates a file.
///
/// # Errors
/// The system's error.
pub(crate) fn cut(file: &File, length: u64) -> io::Result<()> {
    step()?;
    file.set_len(length)
}

/// Called before every change to the disk, so that tests can interrupt there.
fn step() -> io::Result<()> {
    #[cfg(test)]
    faults::step()?;
    Ok(())
}

/// The end of a process, or of the disk space, after any number of changes.
#[cfg(test)]
pub mod faults {
    use std::cell::Cell;
    use std::io;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Fault {
        /// Nothing is changed any more.
        Killed,
        /// Nothing is written any more, but files can be truncated, renamed and removed.
        Full,
    }

    thread_local! {
        static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
        /// Remaining successful steps.
        static LEFT: Cell<u64> = const { Cell::new(0) };
        static CAME: Cell<bool> = const { Cell::new(false) };
    }

    /// Lets this many steps of the thread succeed, and the others fail.
    pub(crate) fn after(steps: u64, fault: Fault) {
        FAULT.set(Some(fault));
        LEFT.set(steps);
        CAME.set(false);
    }

    /// Lets all steps succeed again. Returns whether any failed.
    pub(crate) fn end() -> bool {
        FAULT.set(None);
        CAME.replace(false)
    }

    pub(super) struct WriteFailure {
        pub error: io::Error,
        pub is_first: bool,
    }

    pub(super) fn step() -> io::Result<()> {
        if FAULT.get() == Some(Fault::Killed) {
            fail("killed").map_or(Ok(()), |failed| Err(failed.error))
        } else {
            Ok(())
        }
    }

    pub(super) fn write() -> Option<WriteFailure> {
        FAULT.get().and_then(|fault| fail(if fault == Fault::Killed { "killed" } else { "no space left on device" }))
    }

    fn fail(why: &str) -> Option<WriteFailure> {
        match LEFT.get() {
            0 => Some(WriteFailure { error: io::Error::other(why), is_first: !CAME.replace(true) }),
            left => {
                LEFT.set(left - 1);
                None
            }
        }
    }
}
