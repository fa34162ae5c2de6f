//! Follows a file of rows that somebody else writes, without keeping any of them.

use mancalab_base::Error;
use std::fs::File;
use std::io;
use std::path::PathBuf;

use super::csv::Lines;
use super::dir_handle::Id;
use crate::files;

/// A place in a file that grows.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    file: Option<Id>,
    /// Bytes already turned into lines, the header included.
    read: u64,
    /// The header, once it is there.
    pub header: Option<String>,
    /// Rows given away.
    pub rows: u64,
}

/// What has become of a file that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// It is as it was.
    None,
    /// There is more.
    More,
    /// It became shorter, because its run was resumed, or it is another: what was read of it no longer counts.
    Anew,
}

impl Tail {
    pub(crate) fn new(path: PathBuf) -> Tail {
        Tail { path, file: None, read: 0, header: None, rows: 0 }
    }

    /// Whether the file has grown, or has to be read from the start.
    ///
    /// # Errors
    /// It cannot be read; a file that is not there yet is an empty one.
    pub(crate) fn growth(&self) -> Result<Growth, Error> {
        let (length, id) = match self.open()? {
            Some(file) => (file.metadata().map_err(Error::cannot("read", &self.path))?.len(), Id::of(&file).ok()),
            None => (0, None),
        };
        Ok(match length {
            _ if length < self.read || (self.file.is_some() && id != self.file) => Growth::Anew,
            _ if length > self.read => Growth::More,
            _ => Growth::None,
        })
    }

    /// Gives the whole rows away that have come since. Gives whether there were any.
    ///
    /// # Errors
    /// It cannot be read, or what `take` says of a row, behind the place of its line.
    pub(crate) fn read(&mut self, mut take: impl FnMut(&str) -> Result<(), Error>) -> Result<bool, Error> {
        let Some(file) = self.open()? else { return Ok(false) };
        self.file = Id::of(&file).ok();
        let (before, number) = (self.read, self.header.is_some() as u64 + self.rows);
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
        match files::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            file => file.map(Some).map_err(Error::cannot("read", &self.path)),
        }
    }

    /// Forgets what was read.
    pub(crate) fn forget(&mut self) {
        *self = Tail::new(std::mem::take(&mut self.path));
    }
}
