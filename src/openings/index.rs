//! The index of a database: a file with the moves of every position of its games' first moves, and their results.
//!
//! ```text
//! magic and version  8 bytes
//! blocks             entries by position and move, each block with its checksum
//! table              the source's name, size and date; games; first position and length of each block
//! its length and checksum, 8 bytes each
//! ```
//!
//! An entry is the difference to the key before it, the move, and four counts, as variable-length integers. Entries are sorted within a
//! segment, the moves of some 35,000 games: building holds one segment in memory, and a query reads a block or two of each. The
//! file is written under another name until it is complete, and belongs to one state of its source.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use mancalab_base::{Error, bail};

use super::{Counts, Event, PLIES, PositionCounts, events};
use crate::budget::Budget;
use crate::codec::{Decoder, Encoder, checksum};
use crate::files::{self, Kind, NewFile};
use crate::game::Variant;
use crate::game::notation::{Format, Games};
use crate::sanitize;

/// Name and version of the format. Another version is another number of plies or another key, too.
const MAGIC: [u8; 8] = *b"MANCOP01";

/// Moves of a segment, of 16 bytes each while it is built, and entries of a block. Tests have many of both.
const SEGMENT: usize = if cfg!(test) { 200 } else { 1 << 20 };
const BLOCK: usize = if cfg!(test) { 5 } else { 128 };

/// Bytes of the table's length and checksum.
const TAIL: u64 = 16;

/// Greatest length of a table, of some 400 million entries.
const TABLE: u64 = 64 << 20;

/// The state of a source: another size or date is another source.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stamp {
    path: String,
    size: u64,
    /// Nanoseconds since 1970.
    changed: i64,
}

impl Stamp {
    fn read(path: &Path) -> Result<Stamp, Error> {
        let meta = fs::metadata(path).map_err(|error| unread(path, &error))?;
        let changed = meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec());
        Ok(Stamp { path: path.display().to_string(), size: meta.len(), changed })
    }
}

fn unread(path: &Path, error: &std::io::Error) -> Error {
    format!("cannot read {}: {}", path.display(), sanitize::reason(error)).into()
}

/// A block of a segment: first key, offset, length.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u64,
    offset: u64,
    length: u64,
}

/// The table at the end of an index.
#[derive(Debug)]
struct Table {
    stamp: Stamp,
    games: u64,
    /// Games that were left out or end early, and the first error.
    invalid: u64,
    error: String,
    segments: Vec<Vec<Block>>,
}

impl Table {
    fn to_bytes(&self) -> Vec<u8> {
        let mut to = Encoder::new();
        to.text(&self.stamp.path);
        to.u64(self.stamp.size);
        to.i64(self.stamp.changed);
        to.u64(self.games);
        to.u64(self.invalid);
        to.text(&self.error);
        to.small(self.segments.len() as u64);
        for segment in &self.segments {
            to.small(segment.len() as u64);
            for block in segment {
                to.u64(block.first);
                to.small(block.length);
            }
        }
        to.finish()
    }

    fn read(bytes: &[u8]) -> Result<Table, Error> {
        let mut from = Decoder::new(bytes);
        let stamp = Stamp { path: from.text()?, size: from.u64()?, changed: from.i64()? };
        let games = from.u64()?;
        let invalid = from.u64()?;
        let error = from.text()?;
        let mut offset = MAGIC.len() as u64;
        let mut segments = Vec::new();
        for _ in 0..from.count()? {
            let mut segment = Vec::new();
            for _ in 0..from.count()? {
                let block = Block { first: from.u64()?, length: from.small()?, offset };
                offset = offset.checked_add(block.length).ok_or("a block of the index is too long")?;
                segment.push(block);
            }
            segments.push(segment);
        }
        from.end()?;
        Ok(Table { stamp, games, invalid, error, segments })
    }
}

/// An open index.
#[derive(Debug)]
pub(crate) struct Index {
    file: File,
    path: PathBuf,
    table: Table,
}

impl Index {
    /// Opens the index of a source; `None` if it must be built: it is missing, damaged, of another version or of another state of the
    /// source.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn open(source: &Path, path: &Path) -> Result<Option<Index>, Error> {
        let stamp = Stamp::read(source)?;
        Ok(Index::read(path).ok().filter(|index| index.table.stamp == stamp))
    }

    fn read(path: &Path) -> Result<Index, Error> {
        let refused = |error: std::io::Error| unread(path, &error);
        let file = files::open(path).map_err(refused)?;
        let mut magic = [0; MAGIC.len()];
        file.read_exact_at(&mut magic, 0).map_err(refused)?;
        let end = file.metadata().map_err(refused)?.len().checked_sub(TAIL).ok_or("the index is too short")?;
        let mut tail = [0; TAIL as usize];
        file.read_exact_at(&mut tail, end).map_err(refused)?;
        let mut tail = Decoder::new(&tail);
        let length = tail.u64()?;
        let sum = tail.u64()?;
        if magic != MAGIC || length > end.min(TABLE) {
            bail!("{}: not an index of this version", path.display());
        }
        let mut table = vec![0; length as usize];
        file.read_exact_at(&mut table, end - length).map_err(refused)?;
        if checksum(&table) != sum {
            bail!("{}: the index is damaged", path.display());
        }
        Ok(Index { file, path: path.to_owned(), table: Table::read(&table)? })
    }

    /// Name of the source.
    pub fn name(&self) -> &str {
        self.table.stamp.path.rsplit('/').next().unwrap_or_default()
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.table.games
    }

    /// The games that were left out or end early, with the first error; `None` if there are none.
    pub fn invalid(&self) -> Option<String> {
        let Table { invalid, error, .. } = &self.table;
        let rest = match invalid {
            0 => return None,
            1 => String::new(),
            more => format!(" ({more} invalid games)"),
        };
        Some(format!("{}, {error}{rest}", self.name()))
    }

    /// Adds the moves of a position.
    ///
    /// # Errors
    /// The file is damaged or cannot be read; it is then removed, so that it is built again.
    pub fn add(&self, hash: u64, to: &mut PositionCounts) -> Result<(), Error> {
        self.table.segments.iter().try_for_each(|segment| self.add_of(segment, hash, to)).inspect_err(|_| {
            let _ = fs::remove_file(&self.path);
        })
    }

    fn add_of(&self, segment: &[Block], hash: u64, to: &mut PositionCounts) -> Result<(), Error> {
        // The block before the first that begins with the key may end with it.
        let from = segment.partition_point(|block| block.first < hash).saturating_sub(1);
        for block in segment[from..].iter().take_while(|block| block.first <= hash) {
            let bytes = self.block(block)?;
            let mut from = Decoder::new(&bytes);
            let mut key = 0u64;
            while !from.is_empty() {
                key = key.wrapping_add(from.small()?);
                let mv = from.small()?;
                let mut counts = Counts::default();
                for count in &mut counts.0 {
                    *count = from.small()?;
                }
                if key == hash {
                    to.of_move(mv as u16).add(&counts);
                }
            }
        }
        Ok(())
    }

    fn block(&self, block: &Block) -> Result<Vec<u8>, Error> {
        let damaged = || format!("{}: the index is damaged at byte {}", self.path.display(), block.offset);
        let mut bytes = vec![0; block.length as usize];
        self.file.read_exact_at(&mut bytes, block.offset).map_err(|_| damaged())?;
        let content = bytes.len().checked_sub(8).ok_or_else(damaged)?;
        let sum = bytes.split_off(content);
        if checksum(&bytes).to_le_bytes() != sum[..] {
            return Err(damaged().into());
        }
        Ok(bytes)
    }
}

/// An index that is being built.
pub(super) struct IndexBuilder {
    games: Games,
    next: usize,
    usual: Variant,
    moves: Vec<Event>,
    file: NewFile,
    written: u64,
    path: PathBuf,
    table: Table,
}

impl IndexBuilder {
    /// Begins the index of a source. Games without headers are of `usual` if possible.
    ///
    /// # Errors
    /// The source or the index, the reason, and what is accepted.
    pub fn begin(source: &Path, path: &Path, usual: Variant) -> Result<IndexBuilder, Error> {
        // The stamp of before: if the source changes meanwhile, the index is built again.
        let stamp = Stamp::read(source)?;
        let games = games_of(source, usual)?;
        let refused = |error| Error::from(format!("cannot write {}: {}", path.display(), sanitize::reason(&error)));
        let mut file = NewFile::begin(path).map_err(refused)?;
        file.write(&MAGIC).map_err(refused)?;
        let table = Table { stamp, games: 0, invalid: 0, error: String::new(), segments: Vec::new() };
        let moves = Vec::new();
        let written = MAGIC.len() as u64;
        Ok(IndexBuilder { games, next: 0, usual, moves, file, written, path: path.to_owned(), table })
    }

    /// Games that were read, and all.
    pub fn progress(&self) -> (usize, usize) {
        (self.next, self.games.len())
    }

    /// Reads games until the budget is spent; returns whether all were read.
    ///
    /// # Errors
    /// The index could not be written.
    pub fn step(&mut self, budget: Budget) -> Result<bool, Error> {
        while self.next < self.games.len() {
            match self.games.read(self.next, self.usual) {
                Ok(record) => self.moves.extend(events(&record)),
                Err(broken) => {
                    if self.table.invalid == 0 {
                        self.table.error = sanitize::inline(&broken.to_string()).to_string();
                    }
                    self.table.invalid += 1;
                    self.moves.extend(broken.begun.iter().flat_map(|record| events(record)));
                }
            }
            self.next += 1;
            if self.moves.len() + PLIES > SEGMENT {
                self.write_segment()?;
            }
            if budget.is_spent() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn write_segment(&mut self) -> Result<(), Error> {
        self.moves.sort_unstable();
        let mut segment = Vec::new();
        let mut entries = self.moves.chunk_by(|one, other| one >> 8 == other >> 8).peekable();
        while let Some(first) = entries.peek() {
            let first = (first[0] >> 64) as u64;
            let mut to = Encoder::new();
            let mut before = 0;
            for entry in entries.by_ref().take(BLOCK) {
                let key = (entry[0] >> 64) as u64;
                to.small(key - before);
                to.small((entry[0] >> 8) as u64 & 0xffff);
                let mut counts = Counts::default();
                entry.iter().for_each(|event| counts.0[(event & 3) as usize] += 1);
                counts.0.iter().for_each(|count| to.small(*count));
                before = key;
            }
            let mut bytes = to.finish();
            bytes.extend(checksum(&bytes).to_le_bytes());
            segment.push(Block { first, offset: self.written, length: bytes.len() as u64 });
            self.written += bytes.len() as u64;
            self.file.write(&bytes).map_err(Error::cannot("write", &self.path))?;
        }
        self.moves.clear();
        self.table.segments.push(segment);
        Ok(())
    }

    /// Writes the rest and opens the index.
    ///
    /// # Errors
    /// The index could not be written.
    pub fn finish(mut self) -> Result<Index, Error> {
        self.write_segment()?;
        self.table.games = self.games.len() as u64;
        let table = self.table.to_bytes();
        let mut tail = Encoder::new();
        tail.u64(table.len() as u64);
        tail.u64(checksum(&table));
        let IndexBuilder { mut file, path, .. } = self;
        let written = file.write(&table).and_then(|()| file.write(&tail.finish())).and_then(|()| file.finish());
        written.map_err(Error::cannot("write", &path))?;
        Index::read(&path)
    }
}

/// Opens a collection without the names of its players.
fn games_of(source: &Path, usual: Variant) -> Result<Games, Error> {
    let bytes = files::read(source, Kind::Collection).map_err(|error| unread(source, &error))?;
    let Some(format) = Format::of_path(source).or_else(|| Format::of_content(&bytes, usual)) else {
        bail!(
            "{}: not a collection of games; expected WTHOR (.wtb), PDN, PGN of Othello, GGF or transcripts",
            source.display()
        );
    };
    let mut files = vec![Vec::new(); format.beside.len()];
    files.push(bytes);
    let games = format.open(files).map_err(|error| format!("{}: {error}", source.display()))?;
    if games.is_empty() {
        bail!("{}: it contains no games", source.display());
    }
    Ok(games)
}
