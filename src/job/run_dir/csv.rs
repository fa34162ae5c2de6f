//! Files of one row a generation, written at their end only. The first column is the generation, counted from 0 without a gap.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of rows, open for writing.
#[derive(Debug)]
pub struct Csv {
    path: PathBuf,
    file: File,
}

impl Csv {
    /// A new file with its header line.
    pub fn create(path: PathBuf, header: &str) -> io::Result<Csv> {
        let mut file = OpenOptions::new().create_new(true).append(true).open(&path)?;
        file.write_all(format!("{header}\n").as_bytes())?;
        Ok(Csv { path, file })
    }

    /// Opens a file that exists, without changing it; gives the whole rows it has. A last line without its end is none.
    ///
    /// # Errors
    /// It cannot be read, or has another header, or rows that are not the generations in their order: a sentence that
    /// names the file and, where there is one, the line.
    pub fn open(path: PathBuf, header: &str) -> Result<(Csv, Vec<String>), String> {
        let fail = |error: io::Error| format!("{}: {error}", path.display());
        let mut file = OpenOptions::new().read(true).append(true).open(&path).map_err(fail)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fail)?;
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        if lines.next() != Some(header) {
            return Err(format!("{}: line 1 is not the header of this version's rows, '{header}'", path.display()));
        }
        let rows: Vec<String> = lines.map(str::to_owned).collect();
        let odd = rows.iter().enumerate().find(|(index, row)| generation_of(row) != Some(*index as u64));
        if let Some((index, row)) = odd {
            let start: String = row.chars().take(20).collect();
            return Err(format!("{}: line {} is '{start}…', not generation {index}", path.display(), index + 2));
        }
        Ok((Csv { path, file }, rows))
    }

    /// Cuts off everything behind the first `rows` rows.
    pub fn truncate(&mut self, header: &str, rows: &[String]) -> io::Result<()> {
        let length = header.len() + 1 + rows.iter().map(|row| row.len() + 1).sum::<usize>();
        self.file.set_len(length as u64)
    }

    /// One write for one row, so that whoever reads meanwhile sees whole rows but for the last.
    pub fn append(&mut self, row: &str) -> io::Result<()> {
        self.file.write_all(format!("{row}\n").as_bytes())
    }

    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn generation_of(row: &str) -> Option<u64> {
    row.split(',').next()?.parse().ok()
}

/// Follows a file of rows that somebody else writes.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    /// Bytes already turned into rows, the header included.
    read: u64,
    /// The header, once it is there.
    pub header: Option<String>,
    pub rows: Vec<String>,
}

impl Tail {
    pub fn new(path: PathBuf) -> Tail {
        Tail { path, read: 0, header: None, rows: Vec::new() }
    }

    /// Reads what has come since; a file that became shorter, because its run was resumed, is read again from the start.
    /// Gives whether anything changed.
    ///
    /// # Errors
    /// The system's; a file that is not there yet is none.
    pub fn poll(&mut self) -> io::Result<bool> {
        let mut file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            file => file?,
        };
        let length = file.metadata()?.len();
        let restarted = length < self.read;
        if restarted {
            *self = Tail::new(std::mem::take(&mut self.path));
        }
        if length == self.read {
            return Ok(restarted);
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        file.take(length - self.read).read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        self.read += whole as u64;
        let text = String::from_utf8_lossy(&bytes[..whole]);
        for line in text.lines() {
            match self.header {
                None => self.header = Some(line.to_owned()),
                Some(_) => self.rows.push(line.to_owned()),
            }
        }
        Ok(restarted || whole > 0)
    }
}
