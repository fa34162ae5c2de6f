//! A folder that is held on to: everything in it is reached through the folder that was opened, never through its path again.
//!
//! A path may come to lead elsewhere while a run is written: the folder is renamed, or deleted and another made in its place.
//! What is written then still goes into the folder that was opened, and never into one of somebody else's.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::confined;
use crate::files::{Kind, only_regular, read_opened};

/// A folder, open.
#[derive(Debug)]
pub struct DirHandle {
    path: PathBuf,
    folder: OwnedFd,
    id: Id,
    /// Its files must not be links, see [`confined`].
    is_confined: bool,
}

/// Which file or folder it is, whatever its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id {
    device: u64,
    inode: u64,
}

impl Id {
    pub(crate) fn of(file: &File) -> io::Result<Id> {
        let meta = file.metadata()?;
        Ok(Id { device: meta.dev(), inode: meta.ino() })
    }

    fn of_stat(stat: &Stat) -> Id {
        // How wide the two are differs from system to system.
        #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
        Id { device: stat.st_dev as u64, inode: stat.st_ino as u64 }
    }
}

impl DirHandle {
    /// # Errors
    /// The system's; it is no folder.
    pub(crate) fn open(path: &Path) -> io::Result<DirHandle> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let resolved = confined::resolve_folder(path)?;
        let folder = rustix::fs::openat(CWD, &*resolved, flags, Mode::empty())?;
        let id = Id::of_stat(&rustix::fs::fstat(&folder)?);
        Ok(DirHandle { path: path.to_owned(), folder, id, is_confined: resolved.is_confined() })
    }

    /// The path it was opened by.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What people know a file in it by.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether its path still leads to it.
    pub(crate) fn is_in_place(&self) -> bool {
        rustix::fs::stat(&self.path).is_ok_and(|stat| Id::of_stat(&stat) == self.id)
    }

    /// Another handle on the same folder.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn again(&self) -> io::Result<DirHandle> {
        Ok(DirHandle {
            path: self.path.clone(),
            folder: self.folder.try_clone()?,
            id: self.id,
            is_confined: self.is_confined,
        })
    }

    /// Which file has this name now; `None` if none has.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn find(&self, name: &str) -> io::Result<Option<Id>> {
        match rustix::fs::statat(&self.folder, name, AtFlags::empty()) {
            Ok(stat) => Ok(Some(Id::of_stat(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether anything has this name, or cannot be told not to.
    pub(crate) fn has(&self, name: &str) -> bool {
        rustix::fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).err() != Some(Errno::NOENT)
    }

    /// Opens a regular file, without ever waiting for it; what `flags` may create is readable by all.
    ///
    /// # Errors
    /// The system's, or it is no regular file.
    pub(crate) fn open_file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        if flags.contains(OFlags::CREATE) {
            step()?;
        }
        // To open a device can do something to it, so it is looked at before; and once more when it cannot be exchanged any more.
        if let Ok(stat) = rustix::fs::statat(&self.folder, name, AtFlags::empty())
            && !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file()
        {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let no_follow = if self.is_confined { OFlags::NOFOLLOW } else { OFlags::empty() };
        let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY | no_follow;
        let file = File::from(rustix::fs::openat(&self.folder, name, flags, Mode::from_raw_mode(0o666))?);
        only_regular(&file.metadata()?)?;
        Ok(file)
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// As [`open_file`](DirHandle::open_file), or it is larger than its kind may be.
    pub(crate) fn read(&self, name: &str, kind: Kind) -> io::Result<Vec<u8>> {
        read_opened(self.open_file(name, OFlags::RDONLY)?, kind)
    }

    /// # Errors
    /// The system's.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        Ok(rustix::fs::renameat(&self.folder, from, &self.folder, to)?)
    }

    /// Gives a file one more name.
    ///
    /// # Errors
    /// The system's; not every file system has links.
    pub(crate) fn link(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        Ok(rustix::fs::linkat(&self.folder, from, &self.folder, to, AtFlags::empty())?)
    }

    /// # Errors
    /// The system's; that there is no such file is none.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        step()?;
        match rustix::fs::unlinkat(&self.folder, name, AtFlags::empty()) {
            Err(Errno::NOENT) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The names of all that is in it and whose names are texts, in no order.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let entries = Dir::read_from(self.folder.as_fd())?;
        let name =
            |entry: rustix::io::Result<rustix::fs::DirEntry>| Some(entry.ok()?.file_name().to_str().ok()?.to_owned());
        Ok(entries.filter_map(name).collect())
    }

    /// Writes a file so that at any moment there is either the old one or the whole new one.
    ///
    /// # Errors
    /// The system's, with nothing changed under `name`.
    pub(crate) fn write_atomic(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        self.prepare(name, parts)?.settle()
    }

    /// Writes what is to replace a file: whole, and on the disk, but still under another name.
    ///
    /// # Errors
    /// The system's, with nothing left behind.
    pub(crate) fn prepare<'a>(&'a self, name: &'a str, parts: &[&[u8]]) -> io::Result<Prepared<'a>> {
        let temporary = format!("{name}.{}.tmp", std::process::id());
        let file = self.open_file(&temporary, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?;
        let prepared = Prepared { held: self, name, temporary, settled: false };
        parts.iter().try_for_each(|part| write(&file, part))?;
        step()?;
        file.sync_all()?;
        Ok(prepared)
    }
}

/// A file that waits for the name it is to have. Dropped, it is gone.
pub struct Prepared<'a> {
    held: &'a DirHandle,
    name: &'a str,
    temporary: String,
    settled: bool,
}

impl Prepared<'_> {
    /// Gives it its name.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn settle(mut self) -> io::Result<()> {
        self.held.rename(&self.temporary, self.name)?;
        self.settled = true;
        // The rename itself lasts only once the folder is on the disk, which not every file system can do.
        if step().is_ok() {
            let _ = rustix::fs::fsync(&self.held.folder);
        }
        Ok(())
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        if !self.settled {
            let _ = self.held.remove(&self.temporary);
        }
    }
}

/// Whether a name is that of a [`Prepared`] file for one of `names`, left behind by a process that was killed.
pub(crate) fn is_left_behind(name: &str, names: &[&str]) -> bool {
    let parts = name.strip_suffix(".tmp").and_then(|name| name.rsplit_once('.'));
    parts.is_some_and(|(of, process)| {
        names.contains(&of) && !process.is_empty() && process.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Writes all of it to the end of a file that was opened to append.
///
/// # Errors
/// The system's.
pub(crate) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    if let Some(failed) = faults::write() {
        // A process that is killed, or finds the disk full, may have written a part.
        if failed.is_first {
            file.write_all(&bytes[..bytes.len() / 2])?;
        }
        return Err(failed.error);
    }
    file.write_all(bytes)
}

/// Cuts a file off.
///
/// # Errors
/// The system's.
pub(crate) fn cut(file: &File, length: u64) -> io::Result<()> {
    step()?;
    file.set_len(length)
}

/// Comes before every change to the disk, so that tests can end a process there.
fn step() -> io::Result<()> {
    #[cfg(test)]
    faults::step()?;
    Ok(())
}

/// The end of a process, or of the room on the disk, after any number of changes.
#[cfg(test)]
pub mod faults {
    use std::cell::Cell;
    use std::io;

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Fault {
        /// Nothing is changed any more.
        Killed,
        /// Nothing is written any more, but files can still be cut, renamed and removed.
        Full,
    }

    thread_local! {
        static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
        /// Steps that still succeed.
        static LEFT: Cell<u64> = const { Cell::new(0) };
        static CAME: Cell<bool> = const { Cell::new(false) };
    }

    /// Lets so many more steps of this thread succeed, and the others fail.
    pub(crate) fn after(steps: u64, fault: Fault) {
        FAULT.set(Some(fault));
        LEFT.set(steps);
        CAME.set(false);
    }

    /// All steps succeed again. Gives whether any failed.
    pub(crate) fn end() -> bool {
        FAULT.set(None);
        CAME.replace(false)
    }

    pub(super) struct Failed {
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

    pub(super) fn write() -> Option<Failed> {
        FAULT.get().and_then(|fault| fail(if fault == Fault::Killed { "killed" } else { "no space left on device" }))
    }

    fn fail(why: &str) -> Option<Failed> {
        match LEFT.get() {
            0 => Some(Failed { error: io::Error::other(why), is_first: !CAME.replace(true) }),
            left => {
                LEFT.set(left - 1);
                None
            }
        }
    }
}
