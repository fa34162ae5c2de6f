//! Files with a row per generation, which are only appended to. The first column is the generation, from 0.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use mancalab_base::{Error, bail};
use rustix::fs::OFlags;

use super::ROWS;
use super::checkpoint::Prefix;
use super::dir_handle::{self, DirHandle, Id};
use crate::{files, sanitize};

/// Maximum length of a row in bytes, so that a file without line ends does not fill the memory.
pub(crate) const LONGEST_ROW: u64 = 16 << 20;

/// A file of rows, open for writing.
#[derive(Debug)]
pub struct Csv {
    name: &'static str,
    path: PathBuf,
    file: File,
    /// Its length, unless another process wrote to it.
    length: u64,
}

impl Csv {
    /// Creates or truncates a file and writes the header line.
    pub(crate) fn begin(held: &DirHandle, name: &'static str, header: &str) -> io::Result<Csv> {
        let file = held.open_file(name, OFlags::RDWR | OFlags::APPEND | OFlags::CREATE)?;
        dir_handle::cut(&file, 0)?;
        let mut csv = Csv { name, path: held.path_of(name), file, length: 0 };
        csv.append(header)?;
        Ok(csv)
    }

    /// Continues a file that was opened for reading and appending after its first `length` bytes.
    pub(crate) fn go_on(held: &DirHandle, name: &'static str, file: File, length: u64) -> io::Result<Csv> {
        if file.metadata()?.len() != length {
            dir_handle::cut(&file, length)?;
        }
        Ok(Csv { name, path: held.path_of(name), file, length })
    }

    /// Writes a row in one call, so that concurrent readers see complete rows except for the last.
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

    /// Returns whether it still has its name and length, so that no other process changed it.
    pub(crate) fn is_own(&self, held: &DirHandle) -> io::Result<bool> {
        Ok(held.find(self.name)? == Some(Id::read(&self.file)?) && self.file.metadata()?.len() == self.length)
    }
}

/// The result of scanning a file of rows.
#[derive(Default, Debug)]
pub struct Scan {
    /// Complete rows in it. A last line without its end does not count.
    pub rows: u64,
    /// The rows of the wanted generations.
    pub kept: Prefix,
    /// The end of these, in bytes.
    pub end: u64,
}

/// Scans an open file of rows for the generations before `keep`; with `may_miss` some may be missing.
///
/// # Errors
/// It cannot be read, has another header, or has rows out of order: a sentence with the file and, if possible, the
/// line.
pub(crate) fn scan(file: &File, path: &Path, header: &str, keep: u64, may_miss: bool) -> Result<Scan, Error> {
    let mut lines = Lines::behind(file, path, 0, 0)?;
    lines.header(header)?;
    let mut scan = Scan { end: lines.read, ..Scan::default() };
    let mut next = 0;
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

/// Returns whether a row begins with its number in canonical form.
fn generation_of(row: &[u8]) -> Option<u64> {
    let digits = row.split(|&byte| byte == b',').next()?;
    let is_plain = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0'));
    is_plain.then_some(digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok())
}

/// The complete lines of a file, in turn.
pub(super) struct Lines<'a> {
    from: BufReader<&'a File>,
    path: &'a Path,
    line: Vec<u8>,
    /// Lines read so far, and their bytes.
    pub(super) number: u64,
    pub(super) read: u64,
}

impl<'a> Lines<'a> {
    /// Starts after the first `number` lines in `read` bytes.
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

    /// Returns the next line without its end.
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

/// The rows of a run up to its checkpoint in turn, so that they are never all in memory.
pub struct Rows<'a> {
    from: From<'a>,
    count: u64,
}

enum From<'a> {
    File(Lines<'a>),
    Texts(&'a [String]),
}

impl<'a> Rows<'a> {
    /// Rows in memory.
    pub fn in_memory(rows: &'a [String]) -> Rows<'a> {
        Rows { from: From::Texts(rows), count: rows.len() as u64 }
    }

    /// The first `count` rows of an open file that has at least as many.
    pub(super) fn of_file(file: &'a File, path: &'a Path, header: &str, count: u64) -> Result<Rows<'a>, Error> {
        let mut lines = Lines::behind(file, path, 0, 0)?;
        lines.header(header)?;
        Ok(Rows { from: From::File(lines), count })
    }

    /// Returns their number.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Reads all rows, at least one; `read` gets a row and the number of those before it. Returns them with the text
    /// of the newest.
    ///
    /// # Errors
    /// The error of `read` with the line's place; or there are none, or they cannot be read.
    pub fn all<T>(self, read: impl Fn(&str, usize) -> Result<T, Error>) -> Result<(Vec<T>, String), Error> {
        let mut all = Vec::new();
        let mut newest = String::new();
        self.each(|row| {
            row.clone_into(&mut newest);
            all.push(read(row, all.len())?);
            Ok(())
        })?;
        if all.is_empty() { Err(format!("{} has no rows", super::ROWS).into()) } else { Ok((all, newest)) }
    }

    /// Passes each row to `take`.
    ///
    /// # Errors
    /// The error of `take` with the line's place; or they cannot be read.
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

/// `generations.csv`, or another file with rows, of a run that another process may be writing.
pub struct Columns {
    path: PathBuf,
    file: File,
    header: String,
    /// The names in its header.
    pub names: Vec<String>,
}

impl Columns {
    /// Opens the rows of the generations.
    ///
    /// # Errors
    /// There are no rows, or they cannot be read.
    pub fn open(folder: &Path) -> Result<Columns, Error> {
        Columns::open_file(folder, ROWS)
    }

    /// Opens another of the run's files with rows, such as its timings.
    ///
    /// # Errors
    /// There are no rows, or they cannot be read.
    pub fn open_file(folder: &Path, name: &str) -> Result<Columns, Error> {
        let path = folder.join(name);
        let file = files::open(&path).map_err(Error::cannot("read", &path))?;
        let header = Lines::behind(&file, &path, 0, 0)?.next()?.map(str::to_owned);
        let header = header.ok_or_else(|| format!("{} has no header line yet", path.display()))?;
        let names = header.split(',').map(str::to_owned).collect();
        Ok(Columns { path, file, header, names })
    }

    /// Passes each complete row to `take`.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn each(&self, mut take: impl FnMut(&str)) -> Result<(), Error> {
        self.try_each(|row| {
            take(row);
            Ok(())
        })
    }

    /// Passes the complete rows to `take` until the first error.
    ///
    /// # Errors
    /// They cannot be read, or that error.
    pub fn try_each(&self, mut take: impl FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        let mut lines = Lines::behind(&self.file, &self.path, 0, 0)?;
        lines.header(&self.header)?;
        while let Some(row) = lines.next()? {
            take(row)?;
        }
        Ok(())
    }

    /// Returns the numbers of a column, counted from 0; NaN where there is none.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn numbers(&self, column: usize) -> Result<Vec<f64>, Error> {
        let mut numbers = Vec::new();
        let number = |row: &str| row.split(',').nth(column)?.parse().ok();
        self.each(|row| numbers.push(number(row).unwrap_or(f64::NAN)))?;
        Ok(numbers)
    }
}

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
