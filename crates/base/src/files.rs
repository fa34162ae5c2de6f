//! Safe reading and atomic writing of files.
//!
//! Every file opened by name passes through here. A name may be that of an endless device, a pipe without a writer,
//! or a file of many gigabytes: only regular files are opened, without blocking, and each kind of file has a size
//! limit.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::LocalKey;
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::confined;

/// Kind of content, which determines the size limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// TOML written by users: config, themes, weights, `run.toml`.
    Document,
    /// A game or position.
    Game,
    /// A collection of games.
    Collection,
    /// A program of a player.
    Program,
    /// The complete state of a run.
    Checkpoint,
    /// A checkpoint of a run that another process computes, to be shown.
    Watched,
}

impl Kind {
    /// Returns the size limit in bytes.
    pub const fn most(self) -> u64 {
        match self {
            Kind::Document => 1 << 20,
            // The values of a review take some hundred bytes for each of its moves.
            Kind::Game => 8 << 20,
            Kind::Program | Kind::Collection => 64 << 20,
            Kind::Watched => 128 << 20,
            Kind::Checkpoint => 1 << 30,
        }
    }
}

thread_local! {
    /// Paths opened for reading on this thread, where they are noted.
    static NOTED: RefCell<Option<BTreeSet<PathBuf>>> = const { RefCell::new(None) };
    /// Files that this thread opens in place of others.
    static SUBSTITUTES: RefCell<BTreeMap<PathBuf, PathBuf>> = const { RefCell::new(BTreeMap::new()) };
}

/// Restores a thread-local value when it is dropped.
struct RestoreGuard<T: Default + 'static>(&'static LocalKey<RefCell<T>>, T);

impl<T: Default> Drop for RestoreGuard<T> {
    fn drop(&mut self) {
        self.0.set(std::mem::take(&mut self.1));
    }
}

/// Runs `work`; returns also the paths of all files that it opened for reading on this thread.
pub fn noting<T>(work: impl FnOnce() -> T) -> (T, BTreeSet<PathBuf>) {
    let restored = RestoreGuard(&NOTED, NOTED.replace(Some(BTreeSet::new())));
    let done = work();
    let noted = NOTED.take().unwrap_or_default();
    drop(restored);
    (done, noted)
}

/// Runs `work`; on this thread it opens the values of `substitutes` where it names their keys.
pub fn substituting<T>(substitutes: BTreeMap<PathBuf, PathBuf>, work: impl FnOnce() -> T) -> T {
    let _restored = RestoreGuard(&SUBSTITUTES, SUBSTITUTES.replace(substitutes));
    work()
}

/// The file to open for this path.
fn opened_for(path: &Path) -> PathBuf {
    NOTED.with_borrow_mut(|noted| {
        if let Some(noted) = noted {
            noted.insert(path.to_owned());
        }
    });
    SUBSTITUTES.with_borrow(|substitutes| substitutes.get(path).map_or_else(|| path.to_owned(), Clone::clone))
}

/// Opens a regular file with these options, without blocking.
///
/// # Errors
/// The system's error, or the path is a directory, a device, a pipe or a socket.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Opening a device may have side effects, so the type is checked before, and again on the open file, which
    // cannot be replaced.
    let path = confined::resolve(path)?;
    if let Ok(meta) = if path.is_confined() { fs::symlink_metadata(&path) } else { fs::metadata(&path) } {
        only_regular(&meta)?;
    }
    let no_follow = if path.is_confined() { OFlags::NOFOLLOW } else { OFlags::empty() };
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY | no_follow).bits() as i32;
    let file = options.custom_flags(flags).open(&path)?;
    only_regular(&file.metadata()?)?;
    Ok(file)
}

/// Returns the device and inode number, which identify a file under all its names. `None` if they cannot be read.
pub fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()))
}

/// Opens a regular file for reading.
///
/// # Errors
/// Those of [`open_with`].
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), &opened_for(path))
}

/// Returns `None` in place of the error that there is no such file.
///
/// # Errors
/// Any other error.
pub fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Reads a whole file of this kind.
///
/// # Errors
/// Those of [`open`], or the file exceeds the limit of its kind.
pub fn read(path: &Path, kind: Kind) -> io::Result<Vec<u8>> {
    read_opened(open(path)?, kind)
}

/// Reads the rest of an open file of this kind.
///
/// # Errors
/// The system's error, or the file exceeds the limit of its kind.
pub fn read_opened(file: File, kind: Kind) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(length.min(kind.most()) as usize);
    // The file may grow while it is read.
    file.take(kind.most() + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > kind.most() {
        let most = kind.most() >> 10;
        return Err(odd(format!("it is larger than {most} KiB, the limit for such a file")));
    }
    Ok(bytes)
}

/// Reads a whole file of this kind as text.
///
/// # Errors
/// Those of [`read`], or the file is not UTF-8 (with the place). Games may be in UTF-16.
pub fn read_text(path: &Path, kind: Kind) -> io::Result<String> {
    let bytes = read(path, kind)?;
    if let Some(text) = utf_16(&bytes).filter(|_| kind == Kind::Game) {
        return Ok(text);
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        let start = good.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let column = 1 + String::from_utf8_lossy(&good[start..]).chars().count();
        odd(format!("line {line}, column {column} is not UTF-8 text"))
    })
}

/// A text in UTF-16 without its mark, in either order of bytes; `None` if the bytes are no such text. Without a mark,
/// every other byte of its beginning is 0.
pub fn utf_16(bytes: &[u8]) -> Option<String> {
    const BEGINNING: usize = 64;
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    let is_zero = |at: usize| beginning.len() >= 2 && beginning.iter().skip(at).step_by(2).all(|&byte| byte == 0);
    let (is_little, text) = match bytes {
        [0xff, 0xfe, text @ ..] => (true, text),
        [0xfe, 0xff, text @ ..] => (false, text),
        _ if is_zero(0) == is_zero(1) => return None,
        _ => (is_zero(1), bytes),
    };
    let unit = |pair: &[u8]| {
        let pair = [pair[0], pair[1]];
        if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    };
    let units = text.chunks_exact(2).map(unit);
    char::decode_utf16(units).collect::<Result<_, _>>().ok()
}

/// Checks that metadata are those of a regular file.
///
/// # Errors
/// They are not; the error names the type.
pub fn only_regular(meta: &fs::Metadata) -> io::Result<()> {
    match meta.is_file() {
        true => Ok(()),
        false if meta.is_dir() => Err(odd("it is a directory, not a file".to_owned())),
        false if meta.is_symlink() => Err(odd("it is a link, not a regular file".to_owned())),
        false => Err(odd("it is a device, a pipe or a socket, not a regular file".to_owned())),
    }
}

fn odd(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// Writes `text` to `path` atomically: to a temporary file in the same directory, synced, then renamed. Creates
/// missing directories.
///
/// # Errors
/// The system's error; `path` is then unchanged.
pub fn write_atomic(path: &Path, text: &[u8]) -> io::Result<()> {
    sync_folder(put(path, text, true)?);
    Ok(())
}

/// Same as [`write_atomic`] without syncing: readers see the old file or the complete new one, which a power failure
/// may lose. For thousands of files that can be recomputed; call [`sync_folder`] after the last one.
///
/// # Errors
/// Those of [`write_atomic`].
pub fn write_whole(path: &Path, text: &[u8]) -> io::Result<()> {
    put(path, text, false).map(|_| ())
}

/// Writes a temporary file and renames it to `path`. Returns the directory.
fn put<'a>(path: &'a Path, text: &[u8], sync: bool) -> io::Result<&'a Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    confined::create_folders(folder)?;
    let resolved = confined::resolve(path)?;
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    // A rename would replace a device or a pipe by a file.
    fs::metadata(&resolved).map_or(Ok(()), |meta| only_regular(&meta))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = resolved.with_file_name(temporary);
    let written = write_new(&temporary, text, sync).and_then(|()| fs::rename(&temporary, &resolved));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map(|()| folder)
}

/// Overwrites a user's file and keeps its symbolic links and mode.
///
/// # Errors
/// The system's error, or the file is read-only or has several hard links, which a rename would separate; `path` is
/// then unchanged.
pub fn save(path: &Path, text: &[u8]) -> io::Result<()> {
    let Ok(meta) = fs::metadata(path) else { return write_atomic(path, text).inspect(|()| remove_left(path)) };
    if meta.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    if meta.nlink() > 1 {
        return Err(odd("it has several hard links".to_owned()));
    }
    // Symbolic links are resolved.
    let path = fs::canonicalize(path)?;
    write_atomic(&path, text)?;
    remove_left(&path);
    fs::set_permissions(&path, meta.permissions())
}

/// Age of a temporary file after which its process is not in the middle of a save, even if it is on another machine.
const LEFT: Duration = Duration::from_secs(60);

/// Removes the temporary files of saves of `path` by processes that were killed: `NAME.PID.tmp`, `NAME.PID-NUMBER.tmp` and so on.
/// Failures are ignored.
pub fn remove_left(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file = entry.file_name();
        let Some(pid) = file.to_str().and_then(|file| saved_by(file, name)) else { continue };
        let is_old = || {
            let modified = entry.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?;
            modified.elapsed().ok().filter(|age| *age > LEFT)
        };
        // A process of another user is there although it cannot be signalled.
        if test_kill_process(pid) == Err(Errno::SRCH) && is_old().is_some() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that saves `name` by the temporary file `file`; `None` if it is another file.
fn saved_by(file: &str, name: &str) -> Option<Pid> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let rest = file.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".tmp")?;
    let (pid, rest) = rest.split_at(digits(rest));
    // A new file has the number of the save too, and that of the process again.
    let is_own = rest.chars().all(|c| c.is_ascii_digit() || c == '-') || rest.ends_with(&format!(".tmp.{pid}"));
    Pid::from_raw(pid.parse().ok().filter(|_| is_own)?)
}

/// Creates a new file atomically. Of several concurrent processes exactly one succeeds.
///
/// # Errors
/// The system's error; `AlreadyExists` if the file exists.
pub fn save_new(path: &Path, text: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}-{}.tmp", std::process::id(), unique()));
    let temporary = PathBuf::from(temporary);
    write_atomic(&temporary, text)?;
    // A hard link, unlike a rename, never replaces another file.
    let linked = fs::hard_link(&temporary, path);
    let _ = fs::remove_file(&temporary);
    remove_left(path);
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // Fallback for file systems without hard links.
            let mut file = File::options().write(true).create_new(true).open(path)?;
            file.write_all(text).and_then(|()| file.sync_all())
        }
        linked => linked,
    }
}

/// Returns a different number on each call.
fn unique() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Changes files that belong together, which are created if missing. `change` gets their contents and changes them; those
/// that differ then are replaced atomically in this order. Locks make other processes that change them wait.
///
/// # Errors
/// Those of `change`, or the system's error; the last file is then unchanged.
pub fn rewrite<T, E: From<io::Error>>(
    paths: &[PathBuf],
    kind: Kind,
    change: impl FnOnce(&mut [Vec<u8>]) -> Result<T, E>,
) -> Result<T, E> {
    let locks = paths.iter().map(|path| lock(path)).collect::<io::Result<Vec<File>>>()?;
    let rewritten = || {
        let read = |file: &File| read_opened(file.try_clone()?, kind);
        let before = locks.iter().map(read).collect::<io::Result<Vec<Vec<u8>>>>()?;
        let mut after = before.clone();
        let done = change(&mut after)?;
        for ((path, after), before) in paths.iter().zip(&after).zip(&before) {
            if after != before {
                save(path, after)?;
            }
        }
        Ok(done)
    };
    let result = rewritten();
    if result.is_err() {
        // Those that the locks created.
        paths
            .iter()
            .filter(|path| fs::metadata(path).is_ok_and(|meta| meta.len() == 0))
            .for_each(|path| _ = fs::remove_file(path));
    }
    result
}

/// Opens a file, which is created if missing, and locks it until it is dropped.
fn lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    if let Ok(meta) = fs::metadata(path) {
        only_regular(&meta)?;
    }
    for _ in 0..MOST_TRIES {
        let file = File::options().read(true).append(true).create(true).open(path)?;
        flock(&file, FlockOperation::LockExclusive)?;
        // Another process may have replaced or removed the file during the wait for the lock.
        let own = file.metadata()?;
        let there = fs::metadata(path);
        if there.is_ok_and(|there| (own.dev(), own.ino()) == (there.dev(), there.ino())) {
            return Ok(file);
        }
    }
    Err(io::Error::other("others replace it again and again"))
}

/// Locks of a file that are taken before it is given up: each but the last was of a file that is there no longer.
const MOST_TRIES: usize = 1000;

/// Syncs a directory, which makes renames durable. Errors are ignored: some file systems do not support it.
pub fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

fn write_new(path: &Path, text: &[u8], sync: bool) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text)?;
    if sync { file.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests;

/// A file in the making: under a temporary name until it is complete. Dropping it leaves the old file as it was.
pub struct NewFile {
    file: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
}

impl NewFile {
    /// Begins a file that will replace `path`. Creates missing directories, and removes what killed processes left of earlier attempts.
    ///
    /// # Errors
    /// The system's error.
    pub fn begin(path: &Path) -> io::Result<NewFile> {
        confined::create_folders(path.parent().unwrap_or(Path::new(".")))?;
        remove_left(path);
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(format!(".{}-{}.tmp", std::process::id(), unique()));
        let temporary = PathBuf::from(temporary);
        let file = BufWriter::new(File::create(&temporary)?);
        Ok(NewFile { file, temporary, path: path.to_owned() })
    }

    /// # Errors
    /// The system's error.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Syncs the file and gives it its name.
    ///
    /// # Errors
    /// The system's error; the old file is then unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.temporary, &self.path)?;
        sync_folder(self.path.parent().unwrap_or(Path::new(".")));
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After `finish` there is none.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// A file that grows.
pub struct GrowingFile {
    path: PathBuf,
    /// Bytes of the complete lines that were read.
    read: u64,
}

impl GrowingFile {
    pub fn new(path: &Path) -> GrowingFile {
        GrowingFile { path: path.to_owned(), read: 0 }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the complete lines since the last call. A file that became shorter, because its run resumed from a checkpoint, is
    /// followed from its new end.
    ///
    /// # Errors
    /// The file cannot be read, or is not UTF-8.
    pub fn lines(&mut self) -> io::Result<Vec<String>> {
        let mut file = open(&self.path)?;
        self.read = self.read.min(file.metadata()?.len());
        file.seek(SeekFrom::Start(self.read))?;
        let mut new = String::new();
        file.read_to_string(&mut new)?;
        let whole = new.rfind('\n').map_or("", |end| &new[..=end]);
        self.read += whole.len() as u64;
        Ok(whole.lines().map(str::to_owned).collect())
    }
}
