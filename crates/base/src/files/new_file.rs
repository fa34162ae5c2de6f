//! A file that is written in pieces, such as one larger than memory should hold.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::{remove_left, sync_folder, unique};
use crate::confined;

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
