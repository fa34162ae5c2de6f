//! Follows a file of rows that another process writes, without keeping any.

use mancalab_base::Error;
use std::fs::File;
use std::path::PathBuf;

use super::csv::Lines;
use super::dir_handle::Id;
use crate::files;

/// A position in a growing file.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    file: Option<Id>,
    /// Bytes already read as lines, with the header.
    read: u64,
    /// The header, once it exists.
    pub header: Option<String>,
    /// Rows passed on.
    pub rows: u64,
}

/// The change of a followed file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// Unchanged.
    None,
    /// It has grown.
    More,
    /// It was truncated by a resumption, or replaced: previous reads are void.
    Anew,
}

impl Tail {
    pub(crate) fn new(path: PathBuf) -> Tail {
        Tail { path, file: None, read: 0, header: None, rows: 0 }
    }

    /// Returns whether the file has grown or must be read from the start.
    ///
    /// # Errors
    /// It cannot be read; a missing file counts as empty.
    pub(crate) fn growth(&self) -> Result<Growth, Error> {
        let (length, id) = match self.open()? {
            Some(file) => (file.metadata().map_err(Error::cannot("read", &self.path))?.len(), Id::read(&file).ok()),
            None => (0, None),
        };
        Ok(match length {
            _ if length < self.read || (self.file.is_some() && id != self.file) => Growth::Anew,
            _ if length > self.read => Growth::More,
            _ => Growth::None,
        })
    }

    /// Passes new complete rows to `take`. Returns whether there were any.
    ///
    /// # Errors
    /// It cannot be read, or the error of `take` with the line's place.
    pub(crate) fn read(&mut self, mut take: impl FnMut(&str) -> Result<(), Error>) -> Result<bool, Error> {
        let Some(file) = self.open()? else { return Ok(false) };
        self.file = Id::read(&file).ok();
        let before = self.read;
        let number = self.header.is_some() as u64 + self.rows;
        let mut lines = Lines::behind(&file, &self.path, number, before)?;
        while let Some(line) = lines.next()? {
            if self.header.is_none() {
                self.header = Some(line.to_owned());
            } else {
                take(line).map_err(|reason| {
                    let name = self.path.file_name().unwrap_or_default().to_string_lossy();
                    format!("{name}, line {}: {reason}", self.rows + 2)
                })?;
                self.rows += 1;
            }
            self.read = lines.read;
        }
        Ok(self.read > before)
    }

    fn open(&self) -> Result<Option<File>, Error> {
        files::if_there(files::open(&self.path)).map_err(Error::cannot("read", &self.path))
    }

    /// Drops what was read.
    pub(crate) fn forget(&mut self) {
        *self = Tail::new(std::mem::take(&mut self.path));
    }
}
