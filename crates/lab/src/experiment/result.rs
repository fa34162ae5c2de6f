//! The result of a part.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use mancalab_base::Error;

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

/// Lines of a section of a file, with one piece in memory.
pub(crate) struct Lines {
    pieces: Pieces,
    bytes: Vec<u8>,
    /// Start of the next line, and its length once it is complete.
    line_start: usize,
    length: Option<usize>,
}

impl Lines {
    pub fn new(pieces: Pieces) -> Lines {
        Lines { pieces, bytes: Vec::new(), line_start: 0, length: None }
    }

    /// Loads the next line; returns false at the end.
    pub fn fill(&mut self) -> Result<bool, Error> {
        let mut from = self.line_start;
        while self.length.is_none() {
            if let Some(end) = self.bytes[from..].iter().position(|byte| *byte == b'\n') {
                self.length = Some(from + end - self.line_start);
                break;
            }
            self.bytes.drain(..self.line_start);
            (self.line_start, from) = (0, self.bytes.len());
            let more = self.pieces.next(&mut self.bytes);
            if !more.map_err(Error::cannot("read", self.pieces.path()))? {
                break;
            }
        }
        Ok(self.length.is_some())
    }

    pub fn line(&self) -> Result<&str, Error> {
        let line = &self.bytes[self.line_start..self.line_start + self.length.unwrap_or_default()];
        std::str::from_utf8(line).map_err(|_| "a line is not UTF-8 text".into())
    }

    pub fn pass(&mut self) {
        if let Some(length) = self.length.take() {
            self.line_start += length + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::{Half, PartResult};

    #[test]
    fn lines_come_back_wherever_a_piece_of_the_file_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        // A piece is 65536 bytes: lines that end just before, at and after its end, lines longer than several pieces,
        // empty lines, and a truncated one.
        for lengths in [
            &[65_534, 1, 0, 7][..],
            &[65_535, 5],
            &[65_536, 0, 0],
            &[65_537, 65_535],
            &[200_000, 3, 131_071, 1],
            &[0, 0, 0],
            &[],
        ] {
            for end in ["", "cut"] {
                let line =
                    |(number, length): (usize, &usize)| char::from(b'a' + number as u8).to_string().repeat(*length);
                let lines: Vec<String> = lengths.iter().enumerate().map(line).collect();
                let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
                let deterministic = text + end;
                let lengths_of_halves = [deterministic.len() as u64, 5];
                std::fs::write(&path, format!("head\n{deterministic}told\n")).unwrap();
                let found = PartResult { path: path.clone(), start: 5, lengths: lengths_of_halves };
                let mut read = Lines::new(found.pieces(Half::Deterministic));
                for line in &lines {
                    assert!(read.fill().unwrap() && read.fill().unwrap(), "{lengths:?}");
                    assert!(read.line().unwrap() == line, "{lengths:?}");
                    read.pass();
                }
                assert!(!read.fill().unwrap(), "a truncated line does not count: {lengths:?}");
                let mut nondeterministic = Lines::new(found.pieces(Half::Nondeterministic));
                assert!(nondeterministic.fill().unwrap() && nondeterministic.line().unwrap() == "told");
            }
        }
    }
}
