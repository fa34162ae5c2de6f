//! The lines that another process appends to a file, such as the rows of a run.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::open;

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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_are_read_once_and_only_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let mut rows = GrowingFile::new(&path);
        assert!(rows.lines().is_err());
        fs::write(&path, "a\nb\nc").unwrap();
        assert_eq!(rows.lines().unwrap(), ["a", "b"]);
        fs::write(&path, "a\nb\ncd\n").unwrap();
        assert_eq!(rows.lines().unwrap(), ["cd"]);
        assert!(rows.lines().unwrap().is_empty());
        // Resumed from an earlier row.
        fs::write(&path, "a\n").unwrap();
        assert!(rows.lines().unwrap().is_empty());
        fs::write(&path, "a\ne\n").unwrap();
        assert_eq!(rows.lines().unwrap(), ["e"]);
    }
}
