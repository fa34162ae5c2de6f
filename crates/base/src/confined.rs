//! Folders that others may have made, such as a plan's: below them no link is followed.
//!
//! A link in such a folder could lead a write or a deletion anywhere. Every path below a [confined](confine) folder is resolved
//! component by component from that folder, each opened without following links, and used through the open folder that holds
//! it (`/proc/self/fd`), so that replacing a part meanwhile changes nothing. Systems without `/proc` use the checked path.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::ops::Deref;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use rustix::fs::{CWD, Dir, Mode, OFlags, mkdirat, openat};
use rustix::io::Errno;

static ROOTS: RwLock<BTreeSet<PathBuf>> = RwLock::new(BTreeSet::new());

/// Confines all paths that begin with `root`, for the rest of the process. A relative path is confined as it is written.
pub fn confine(root: &Path) {
    if ROOTS.read().unwrap_or_else(PoisonError::into_inner).contains(root) {
        return;
    }
    ROOTS.write().unwrap_or_else(PoisonError::into_inner).insert(root.to_owned());
}

/// The confined folder that a path is below of, and the rest of the path.
fn root_of(path: &Path) -> Option<(PathBuf, &Path)> {
    let roots = ROOTS.read().unwrap_or_else(PoisonError::into_inner);
    let root = path.ancestors().skip(1).filter(|root| roots.contains(*root)).last()?;
    Some((root.to_owned(), path.strip_prefix(root).ok()?))
}

/// A path to use at once; below a confined folder it leads through the open folder that it holds.
pub struct ResolvedPath {
    path: PathBuf,
    folder: Option<OwnedFd>,
}

impl ResolvedPath {
    fn plain(path: &Path) -> ResolvedPath {
        ResolvedPath { path: path.to_owned(), folder: None }
    }

    /// Returns whether the path is below a confined folder, and its last component must not be a link.
    pub fn is_confined(&self) -> bool {
        self.folder.is_some()
    }
}

impl Deref for ResolvedPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for ResolvedPath {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

/// Resolves the folder that a path is in; the last component is left as it is.
///
/// # Errors
/// A part below the confined folder is a link or not a folder: which; or the system's.
pub fn resolve(path: &Path) -> io::Result<ResolvedPath> {
    let Some((root, rest)) = root_of(path) else { return Ok(ResolvedPath::plain(path)) };
    let name = rest.file_name().ok_or_else(|| outside(path))?.to_owned();
    let folder = walk(&root, rest.parent().unwrap_or(Path::new("")), false)?;
    Ok(ResolvedPath { path: through(&folder, path.parent().unwrap_or(&root)).join(name), folder: Some(folder) })
}

/// Resolves a folder, its last component included.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_folder(path: &Path) -> io::Result<ResolvedPath> {
    let Some((root, rest)) = root_of(path) else { return Ok(ResolvedPath::plain(path)) };
    let folder = walk(&root, rest, false)?;
    Ok(ResolvedPath { path: through(&folder, path), folder: Some(folder) })
}

/// Creates a folder and all missing ones above it.
///
/// # Errors
/// As [`resolve`]; `NotADirectory` if something else is in the folder's place.
pub fn create_folders(path: &Path) -> io::Result<()> {
    let created = match root_of(path) {
        None => fs::create_dir_all(path),
        Some((root, rest)) => walk(&root, rest, true).map(drop),
    };
    // Otherwise whoever looks for a free name in the folder takes the folder for a taken name.
    created.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(io::ErrorKind::NotADirectory, format!("{} is not a folder", path.display()))
        }
        _ => error,
    })
}

/// Returns the names of all that is in a folder, in no order.
///
/// # Errors
/// As [`resolve`].
pub fn names(path: &Path) -> io::Result<Vec<OsString>> {
    let folder =
        openat(CWD, &*resolve_folder(path)?, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let name = |entry: rustix::io::Result<rustix::fs::DirEntry>| {
        Some(OsStr::from_bytes(entry.ok()?.file_name().to_bytes()).to_owned())
    };
    Ok(Dir::new(folder)?.filter_map(name).filter(|name| name != "." && name != "..").collect())
}

/// Deletes a folder with all that is in it, but no link's target.
///
/// # Errors
/// As [`resolve`].
pub fn remove_tree(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(resolve(path)?)
}

/// Opens the folder `rest` below `root`, one component at a time; creates missing ones if `creates`.
fn walk(root: &Path, rest: &Path, creates: bool) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    if creates {
        fs::create_dir_all(root)?;
    }
    let mut folder = openat(CWD, root, flags, Mode::empty())?;
    let mut at = root.to_owned();
    for component in rest.components() {
        let Component::Normal(name) = component else { return Err(outside(&root.join(rest))) };
        at.push(name);
        if creates {
            match mkdirat(&folder, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        folder = openat(&folder, name, flags | OFlags::NOFOLLOW, Mode::empty()).map_err(|error| match error {
            // Linux reports a link here as not a folder.
            Errno::LOOP | Errno::NOTDIR | Errno::MLINK => {
                let text = format!("{} is a link or not a folder, and is not followed", at.display());
                io::Error::new(io::ErrorKind::InvalidInput, text)
            }
            error => error.into(),
        })?;
    }
    Ok(folder)
}

/// A path through an open folder, or the path it was opened by where the system has no such paths.
fn through(folder: &OwnedFd, path: &Path) -> PathBuf {
    let open = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
    if open.exists() { open } else { path.to_owned() }
}

fn outside(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{} leads out of its folder", path.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::files::{self, Kind};

    #[test]
    fn links_below_a_confined_folder_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let [link, file] = [root.join("link"), root.join("file")];
        symlink(other.path(), &link).unwrap();
        fs::write(other.path().join("theirs"), "x").unwrap();
        symlink(other.path().join("theirs"), &file).unwrap();
        assert!(files::write_atomic(&link.join("new"), b"x").is_ok(), "unconfined");
        confine(&root);
        for error in [
            files::write_atomic(&link.join("sub/new"), b"x").unwrap_err(),
            files::read(&link.join("theirs"), Kind::Game).map(drop).unwrap_err(),
            create_folders(&link.join("sub")).unwrap_err(),
            names(&link).map(drop).unwrap_err(),
            remove_tree(&link.join("sub")).unwrap_err(),
        ] {
            assert!(error.to_string().contains("is a link or not a folder"), "{error}");
        }
        assert!(files::read(&file, Kind::Game).is_err(), "a file that is a link");
        assert!(files::write_atomic(&root.join("sub/../../x"), b"x").is_err());
        // A link is replaced and deleted, its target is not.
        files::write_atomic(&file, b"own").unwrap();
        let _ = remove_tree(&link);
        assert_eq!(fs::read(other.path().join("theirs")).unwrap(), b"x");
        assert_eq!(files::read(&file, Kind::Game).unwrap(), b"own");
        create_folders(&root.join("a/b")).unwrap();
        files::write_atomic(&root.join("a/b/c"), b"y").unwrap();
        assert_eq!(names(&root.join("a/b")).unwrap(), ["c"]);
        remove_tree(&root.join("a")).unwrap();
        assert!(!root.join("a").exists());
    }
}
