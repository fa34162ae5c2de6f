//! Files of one row a generation, written at their end only. The first column is the generation, counted from 0.

use mancalab_base::{Error, bail};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::dir_handle::{self, DirHandle, Id};
use super::prefix::Prefix;
use crate::sanitize;

/// No row is longer, in bytes, so that a file without line ends fills no memory.
pub(crate) const LONGEST_ROW: u64 = 16 << 20;

/// A file of rows, open for writing.
#[derive(Debug)]
pub struct Csv {
    name: &'static str,
    path: PathBuf,
    file: File,
    /// How long it is, if nobody else wrote to it.
    length: u64,
}

impl Csv {
    /// A file with its header line and nothing else, whether there was one or not.
    pub(crate) fn begin(held: &DirHandle, name: &'static str, header: &str) -> io::Result<Csv> {
        let file = held.open_file(name, OFlags::RDWR | OFlags::APPEND | OFlags::CREATE)?;
        dir_handle::cut(&file, 0)?;
        let mut csv = Csv { name, path: held.path_of(name), file, length: 0 };
        csv.append(header)?;
        Ok(csv)
    }

    /// Goes on with a file that was opened to be read and to be appended to, behind its first `length` bytes.
    pub(crate) fn go_on(held: &DirHandle, name: &'static str, file: File, length: u64) -> io::Result<Csv> {
        if file.metadata()?.len() != length {
            dir_handle::cut(&file, length)?;
        }
        Ok(Csv { name, path: held.path_of(name), file, length })
    }

    /// One write for one row, so that whoever reads meanwhile sees whole rows but for the last.
    pub(crate) fn append(&mut self, row: &str) -> io::Result<()> {
        let line = format!("{row}\n");
        dir_handle::write(&self.file, line.as_bytes())?;
        self.length += line.len() as u64;
        Ok(())
    }

    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it still has its name and is as long as it was written, so that nobody else did anything to it.
    pub(crate) fn is_own(&self, held: &DirHandle) -> io::Result<bool> {
        Ok(held.find(self.name)? == Some(Id::of(&self.file)?) && self.file.metadata()?.len() == self.length)
    }
}

/// What a look through a file of rows found.
#[derive(Default, Debug)]
pub struct Scan {
    /// Whole rows in it. A last line without its end is none.
    pub rows: u64,
    /// The rows of the generations that are wanted.
    pub kept: Prefix,
    /// Where these end, in bytes.
    pub end: u64,
}

/// Looks through an open file of rows, of which those of the generations before `keep` are wanted. Some `may_miss`, or all are there.
///
/// # Errors
/// It cannot be read, or has another header, or rows that are not the generations in their order: a sentence that names the
/// file and, where there is one, the line.
pub(crate) fn scan(file: &File, path: &Path, header: &str, keep: u64, may_miss: bool) -> Result<Scan, Error> {
    let mut lines = Lines::behind(file, path, 0, 0)?;
    lines.header(header)?;
    let (mut scan, mut next) = (Scan { end: lines.read, ..Scan::default() }, 0);
    while let Some(row) = lines.next()? {
        let row = row.as_bytes();
        let generation = generation_of(row).filter(|&own| own == next || (may_miss && own > next));
        let Some(generation) = generation else {
            let start: String = String::from_utf8_lossy(row).chars().take(20).collect();
            bail!("{}: line {} is '{start}…', not generation {next}", sanitize::path(path), lines.number);
        };
        if generation < keep {
            scan.kept.add(row);
            scan.end = lines.read;
        }
        scan.rows += 1;
        next = generation.saturating_add(1);
    }
    Ok(scan)
}

/// A row begins with its number, written as every number is.
fn generation_of(row: &[u8]) -> Option<u64> {
    let digits = row.split(|&byte| byte == b',').next()?;
    let is_plain = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0'));
    is_plain.then_some(digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok())
}

/// The whole lines of a file, one after the other.
pub(super) struct Lines<'a> {
    from: BufReader<&'a File>,
    path: &'a Path,
    line: Vec<u8>,
    /// Lines that were read, and the bytes that they took.
    number: u64,
    pub(super) read: u64,
}

impl<'a> Lines<'a> {
    /// Those behind the first lines, `number` of them in `read` bytes.
    pub(super) fn behind(mut file: &'a File, path: &'a Path, number: u64, read: u64) -> Result<Lines<'a>, Error> {
        file.seek(SeekFrom::Start(read)).map_err(Error::cannot("read", path))?;
        let from = BufReader::with_capacity(1 << 16, file);
        Ok(Lines { from, path, line: Vec::new(), number, read })
    }

    pub(super) fn header(&mut self, header: &str) -> Result<(), Error> {
        if self.next()? == Some(header) {
            return Ok(());
        }
        Err(format!("{}: line 1 is not the header of this version's rows, '{header}'", self.path.display()).into())
    }

    /// The next, without its end.
    pub(super) fn next(&mut self) -> Result<Option<&str>, Error> {
        let odd = |number: u64, what: &str| format!("{}: line {} {what}", self.path.display(), number + 1);
        self.line.clear();
        let read = (&mut self.from).take(LONGEST_ROW + 1).read_until(b'\n', &mut self.line);
        let count = read.map_err(Error::cannot("read", self.path))?;
        if self.line.pop() != Some(b'\n') {
            let too_long = count as u64 > LONGEST_ROW;
            return if too_long { Err(odd(self.number, "is longer than any row").into()) } else { Ok(None) };
        }
        let number = self.number;
        (self.number, self.read) = (number + 1, self.read + count as u64);
        std::str::from_utf8(&self.line).map(Some).map_err(|_| odd(number, "is not UTF-8 text").into())
    }
}

/// The rows of a run up to its checkpoint, one after the other, so that those of a long run are never in memory together.
pub struct Rows<'a> {
    from: From<'a>,
    count: u64,
}

enum From<'a> {
    File(Lines<'a>),
    Texts(&'a [String]),
}

impl<'a> Rows<'a> {
    /// These.
    pub fn of(rows: &'a [String]) -> Rows<'a> {
        Rows { from: From::Texts(rows), count: rows.len() as u64 }
    }

    /// The first `count` of an open file that has at least as many.
    pub(super) fn of_file(file: &'a File, path: &'a Path, header: &str, count: u64) -> Result<Rows<'a>, Error> {
        let mut lines = Lines::behind(file, path, 0, 0)?;
        lines.header(header)?;
        Ok(Rows { from: From::File(lines), count })
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Gives them away, from the first to the last.
    ///
    /// # Errors
    /// What `take` says of one, behind the place of its line; or they cannot be read.
    pub fn each(self, mut take: impl FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        // Lines are counted from 1, and the first is the header.
        let mut given = |index: u64, row: &str| {
            take(row).map_err(|reason| Error::from(format!("{}, line {}: {reason}", super::ROWS, index + 2)))
        };
        match self.from {
            From::Texts(rows) => (0..).zip(rows).try_for_each(|(index, row)| given(index, row)),
            From::File(mut lines) => (0..self.count).try_for_each(|index| {
                let row = lines.next()?.ok_or_else(|| format!("{} became shorter while it was read", super::ROWS))?;
                given(index, row)
            }),
        }
    }
}
