//! Files that must never be half written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes `text` to `path` so that at any moment there is either the old file or the whole new one: into a temporary file
/// beside it, synced, then renamed. Missing folders are made.
///
/// # Errors
/// The system's, with nothing changed at `path`.
pub fn write_atomic(path: &Path, text: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = folder.join(temporary);
    let written = write_synced(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
        return written;
    }
    // The rename itself lasts only once the folder is on the disk; not every file system can sync a folder.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_synced(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files_and_leaves_nothing_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/game.txt");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir(&path).unwrap();
        assert!(write_atomic(&path, b"text").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
