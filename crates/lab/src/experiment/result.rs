//! The result of a part.

use mancalab_base::Error;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use crate::files;

/// Bytes per read.
pub(crate) const PIECE: usize = 1 << 16;

/// The contents of a result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The deterministic output: depends only on the plan and the unit's number.
    pub deterministic: Vec<u8>,
    /// The nondeterministic output, such as times.
    pub nondeterministic: Vec<u8>,
}

/// A half of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    Deterministic,
    Nondeterministic,
}

/// A body in a file: after `start` bytes, the halves of these `lengths` one after the other.
#[derive(Clone, Debug)]
pub struct PartResult {
    pub(crate) path: PathBuf,
    pub(crate) start: u64,
    pub(crate) lengths: [u64; 2],
}

/// A section of a file, read in pieces. The file is closed between reads, as results can outnumber the open files that
/// a process may have.
#[derive(Debug)]
pub struct Pieces {
    path: PathBuf,
    offset: u64,
    left: u64,
}

impl PartResult {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of a half, in bytes.
    pub fn length(&self, half: Half) -> u64 {
        self.lengths[half as usize]
    }

    /// Reads one half of the body.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, half: Half) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::with_capacity(self.length(half) as usize);
        let mut pieces = self.pieces(half);
        while pieces.next(&mut bytes).map_err(Error::cannot("read", &self.path))? {}
        Ok(bytes)
    }

    /// Returns one half of the body in pieces.
    pub fn pieces(&self, half: Half) -> Pieces {
        let offset = match half {
            Half::Deterministic => self.start,
            Half::Nondeterministic => self.start + self.lengths[0],
        };
        Pieces { path: self.path.clone(), offset, left: self.length(half) }
    }
}

impl Pieces {
    /// Appends the next piece; returns false at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next(&mut self, out: &mut Vec<u8>) -> io::Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        let mut file: File = files::open(&self.path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let read = file.take(self.left.min(PIECE as u64)).read_to_end(out)? as u64;
        if read == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it was truncated while it was read"));
        }
        self.offset += read;
        self.left -= read;
        Ok(true)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}
