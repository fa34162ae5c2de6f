//! The file of an endgame table, and its reader.
//!
//! A header of [`HEADER`] bytes is followed by the layers: for each number of seeds from 0, its boards by rank, of some
//! bytes each ([`TableRules::width`]), the checksums of their blocks, and the checksum of these checksums. So a table of some seeds is
//! the beginning of one of more, apart from the header, and each block is checked when it is read.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::rank::{MAX_SEEDS, Ranks};
use super::super::window::Board;
use super::TableRules;
use super::cache::{BLOCK, Cache};
use super::retrograde::Bounds;
use crate::game::Game as _;
use crate::game::kalah::{Kalah, total};
use mancalab_base::codec::checksum;
use mancalab_base::{Error, files, sanitize};

pub(super) const HEADER: usize = 64;

const VERSION: u8 = 1;

/// Megabytes of blocks in memory.
const MEMORY: usize = 64;

/// An endgame table in a file, whose blocks are read when needed. Threads can share it.
pub struct EndgameTable {
    path: PathBuf,
    file: File,
    rules: TableRules,
    seeds: u8,
    ranks: Ranks,
    layers: Vec<Layer>,
    cache: Cache,
    /// Whether reading failed or a block's checksum was wrong. Then the table is no longer used.
    is_damaged: AtomicBool,
}

/// The boards with one number of seeds.
pub(super) struct Layer {
    /// Its place in the file.
    pub at: u64,
    /// The rank of its first board, and the bytes of its boards.
    first: u64,
    bytes: usize,
    /// The number of its first block in the whole table.
    block: usize,
    sums: Vec<u64>,
}

impl EndgameTable {
    /// Opens a table.
    ///
    /// # Errors
    /// The file cannot be read, is not a table or one of another version, or its header or length are damaged.
    pub fn open(path: &Path) -> Result<EndgameTable, Error> {
        EndgameTable::open_with(path, MEMORY)
    }

    /// Opens a table, of which at most `megabytes` are held in memory.
    ///
    /// # Errors
    /// Those of [`open`](EndgameTable::open).
    pub fn open_with(path: &Path, megabytes: usize) -> Result<EndgameTable, Error> {
        let file = files::open_with(OpenOptions::new().read(true), path).map_err(Error::cannot("read", path))?;
        let odd = |why: String| Error::from(format!("cannot use {}: {why}", sanitize::path(path)));
        let (rules, seeds) = read_header(&file).map_err(odd)?;
        let ranks = Ranks::new(rules.pits().into(), seeds).ok_or_else(|| odd("it has too many seeds".into()))?;
        let mut layers = layers(&ranks, seeds, rules.width());
        let length = file.metadata().map_err(Error::cannot("read", path))?.len();
        let end = layers.last().map_or(0, Layer::end);
        if length != end {
            return Err(odd(format!("it has {length} bytes (expected {end})")));
        }
        for (layer, seeds) in layers.iter_mut().zip(0..) {
            let damaged = |_| odd(format!("the checksums of boards with {seeds} seeds are damaged"));
            layer.sums = layer.read_sums(&file).map_err(damaged)?;
        }
        let blocks = layers.last().map_or(0, |layer| layer.block + layer.sums.len());
        let cache = Cache::new(blocks, megabytes);
        Ok(EndgameTable { path: path.into(), file, rules, seeds, ranks, layers, cache, is_damaged: false.into() })
    }

    /// Rules of the table, of Kalah with any number of seeds at the start.
    pub fn rules(&self) -> TableRules {
        self.rules
    }

    /// The maximal number of seeds of a board.
    pub fn seeds(&self) -> u8 {
        self.seeds
    }

    /// The number of boards.
    pub fn boards(&self) -> u64 {
        self.ranks.count(self.seeds)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the part of the seeds in the pits that the side to move gains until the end of the game; `None` if there
    /// are too many, or reading fails. `board` is a [key](crate::game::Game::key): the mover's and the opponent's pits.
    pub fn share(&self, board: Board) -> Option<u8> {
        self.get(self.left(board)?, self.ranks.of(board))
    }

    /// Returns the bounds of the margin to come of a board of Oware or Awari, as [`share`](EndgameTable::share) does.
    pub fn bounds(&self, board: Board) -> Option<Bounds> {
        self.record(self.left(board)?, self.ranks.of(board)).map(Bounds::from_bytes)
    }

    /// The number of seeds of a board; `None` if it is not in the table.
    pub(in super::super::super) fn left(&self, board: Board) -> Option<u8> {
        let left: usize = board.iter().map(|&row| usize::from(total(row))).sum();
        u8::try_from(left).ok().filter(|&left| left <= self.seeds)
    }

    /// Returns the final margin of the side to move under best play; `None` as in [`share`](EndgameTable::share), or if
    /// the table is for other rules.
    pub fn margin(&self, pos: &Kalah) -> Option<i32> {
        if !self.rules.is_for(TableRules::Kalah(pos.rules())) {
            return None;
        }
        Some(pos.margin(pos.side()) + 2 * i32::from(self.share(pos.key())?) - pos.reach())
    }

    /// The share of the board with this number of seeds, at most [`seeds`](EndgameTable::seeds), and this rank.
    pub(in super::super) fn get(&self, seeds: u8, rank: u64) -> Option<u8> {
        self.record::<1>(seeds, rank).map(|[share]| share)
    }

    /// The bytes of a board, as many as its rules' [width](TableRules::width).
    fn record<const N: usize>(&self, seeds: u8, rank: u64) -> Option<[u8; N]> {
        if self.is_damaged.load(Ordering::Relaxed) {
            return None;
        }
        let layer = &self.layers[usize::from(seeds)];
        // A block is a multiple of a board's bytes.
        let at = N * (rank - layer.first) as usize;
        let number = at / BLOCK;
        let record = self.cache.bytes(layer.block + number, at % BLOCK, || {
            let mut bytes = vec![0; BLOCK.min(layer.bytes - number * BLOCK)].into_boxed_slice();
            self.file.read_exact_at(&mut bytes, layer.at + (number * BLOCK) as u64).ok()?;
            (checksum(&bytes) == layer.sums[number]).then_some(bytes)
        });
        self.is_damaged.fetch_or(record.is_none(), Ordering::Relaxed);
        record
    }

    /// Returns the bytes of all boards with this many seeds, by rank.
    ///
    /// # Errors
    /// They are damaged, or cannot be read.
    pub fn layer(&self, seeds: u8) -> Result<Vec<u8>, Error> {
        self.layers[usize::from(seeds)].read(&self.file).map_err(|error| {
            let (path, why) = (sanitize::path(&self.path), sanitize::reason(&error));
            format!("{path}: cannot use the boards with {seeds} seeds: {why}").into()
        })
    }
}

impl Layer {
    fn blocks(&self) -> usize {
        self.bytes.div_ceil(BLOCK)
    }

    pub fn end(&self) -> u64 {
        self.at + self.bytes as u64 + 8 * (self.blocks() as u64 + 1)
    }

    fn read_sums(&self, file: &File) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; 8 * (self.blocks() + 1)];
        file.read_exact_at(&mut bytes, self.at + self.bytes as u64)?;
        let (sums, sum) = bytes.split_at(8 * self.blocks());
        if checksum(sums).to_le_bytes() != *sum {
            return Err(damaged());
        }
        Ok(sums.as_chunks::<8>().0.iter().map(|sum| u64::from_le_bytes(*sum)).collect())
    }

    /// Reads the boards and checks them.
    pub fn read(&self, file: &File) -> io::Result<Vec<u8>> {
        let (sums, mut bytes) = (self.read_sums(file)?, vec![0; self.bytes]);
        file.read_exact_at(&mut bytes, self.at)?;
        let is_whole = bytes.chunks(BLOCK).zip(sums).all(|(block, sum)| checksum(block) == sum);
        if is_whole { Ok(bytes) } else { Err(damaged()) }
    }

    /// Writes the boards and their checksums.
    pub fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        let mut sums: Vec<u8> = bytes.chunks(BLOCK).flat_map(|block| checksum(block).to_le_bytes()).collect();
        sums.extend(checksum(&sums).to_le_bytes());
        file.write_all_at(bytes, self.at)?;
        file.write_all_at(&sums, self.at + bytes.len() as u64)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a checksum is wrong")
}

/// The places of all layers, without their checksums.
pub(super) fn layers(ranks: &Ranks, seeds: u8, width: usize) -> Vec<Layer> {
    let (mut layers, mut first, mut at, mut block) = (Vec::new(), 0, HEADER as u64, 0);
    for seeds in 0..=seeds {
        let bytes = width * (ranks.count(seeds) - first) as usize;
        let layer = Layer { at, first, bytes, block, sums: Vec::new() };
        (first, at, block) = (ranks.count(seeds), layer.end(), block + layer.blocks());
        layers.push(layer);
    }
    layers
}

pub(super) fn header(rules: TableRules, seeds: u8) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..16].copy_from_slice(rules.magic());
    header[16..20].copy_from_slice(&[VERSION, rules.pits(), rules.choice(), seeds]);
    let sum = checksum(&header[..HEADER - 8]);
    header[HEADER - 8..].copy_from_slice(&sum.to_le_bytes());
    header
}

/// The rules and the maximal number of seeds of a table; an error is the reason for refusing it.
pub(super) fn read_header(file: &File) -> Result<(TableRules, u8), String> {
    let mut header = [0; HEADER];
    file.read_exact_at(&mut header, 0).map_err(|_| "it is not an endgame table".to_owned())?;
    let [version, pits, choice, seeds] = [header[16], header[17], header[18], header[19]];
    if !TableRules::MAGICS.iter().any(|magic| header[..16] == **magic) {
        return Err("it is not an endgame table".into());
    }
    if version != VERSION {
        return Err(format!("its version is {version} (expected {VERSION}); build it again"));
    }
    if checksum(&header[..HEADER - 8]).to_le_bytes() != header[HEADER - 8..] || seeds > MAX_SEEDS {
        return Err("its header is damaged".into());
    }
    let rules = TableRules::from_header(&header[..16], pits, choice).ok_or("its rules are unknown")?;
    Ok((rules, seeds))
}
