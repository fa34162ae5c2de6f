//! The layers of a table in its file: records in blocks with checksums, as they are or compressed.
//!
//! Each layer follows the one before, so a table is the beginning of one with more layers, and a build resumes after the
//! last layer that is whole. A block is checked, and decompressed, when it is read.
//!
//! A plain layer has its blocks first, then their checksums and the checksum of these. A compressed one begins with the
//! stored length (4 bytes) and the checksum (8 bytes) of each block and the checksum of these, and the blocks follow. All
//! numbers are little-endian.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use mancalab_base::codec::checksum;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::report_damaged;

/// Level of compression: values take a quarter of their bytes, and half as many as with LZ4.
const LEVEL: u8 = 8;

/// Maximum bytes of a stored block: what does not shrink grows by a few.
const MOST_STORED: usize = 2 * BLOCK;

/// How blocks are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockEncoding {
    Plain,
    Deflate,
}

/// A layer, and where its blocks are.
pub(super) struct Layer {
    /// Bytes of its records.
    bytes: usize,
    blocks: Vec<Block>,
    encoding: BlockEncoding,
    /// The place after it in the file.
    end: u64,
}

/// A block in the file: its place, its stored length and the checksum of what is stored.
struct Block {
    offset: u64,
    length: usize,
    sum: u64,
}

impl BlockEncoding {
    /// Bytes of the list of blocks.
    fn list(self, blocks: usize) -> usize {
        8 + blocks * if self == BlockEncoding::Plain { 8 } else { 12 }
    }

    /// The end of layers with this many bytes each that begin at `at`; `None` if it depends on their contents.
    pub fn end(self, at: u64, layers: &[usize]) -> Option<u64> {
        let whole = |bytes: &usize| (bytes + self.list(bytes.div_ceil(BLOCK))) as u64;
        (self == BlockEncoding::Plain).then(|| at + layers.iter().map(whole).sum::<u64>())
    }

    fn pack(self, block: &[u8]) -> Vec<u8> {
        match self {
            BlockEncoding::Plain => block.to_vec(),
            BlockEncoding::Deflate => compress_to_vec(block, LEVEL),
        }
    }

    /// The block with this many bytes.
    fn unpack(self, stored: Vec<u8>, bytes: usize) -> io::Result<Vec<u8>> {
        let block = match self {
            BlockEncoding::Plain => stored,
            BlockEncoding::Deflate => decompress_to_vec_with_limit(&stored, bytes).map_err(|_| damaged())?,
        };
        if block.len() == bytes { Ok(block) } else { Err(damaged()) }
    }

    /// Writes a layer at this place, and returns its end.
    pub fn write(self, file: &File, at: u64, records: &[u8]) -> io::Result<u64> {
        let blocks: Vec<Vec<u8>> = records.chunks(BLOCK).map(|block| self.pack(block)).collect();
        let mut list = Vec::new();
        for block in &blocks {
            if self == BlockEncoding::Deflate {
                list.extend((block.len() as u32).to_le_bytes());
            }
            list.extend(checksum(block).to_le_bytes());
        }
        list.extend(checksum(&list).to_le_bytes());
        let stored = match self {
            BlockEncoding::Plain => [blocks.concat(), list].concat(),
            BlockEncoding::Deflate => [list, blocks.concat()].concat(),
        };
        file.write_all_at(&stored, at)?;
        Ok(at + stored.len() as u64)
    }
}

impl Layer {
    /// Reads where the blocks of a layer with this many bytes are.
    ///
    /// # Errors
    /// The file is too short, or the list of blocks is damaged.
    pub fn open(file: &File, at: u64, bytes: usize, encoding: BlockEncoding) -> io::Result<Layer> {
        let number = bytes.div_ceil(BLOCK);
        let (mut first, place) = match encoding {
            BlockEncoding::Plain => (at, at + bytes as u64),
            BlockEncoding::Deflate => (at + encoding.list(number) as u64, at),
        };
        let mut list = vec![0; encoding.list(number)];
        file.read_exact_at(&mut list, place)?;
        let (list, sum) = list.split_at(list.len() - 8);
        if checksum(list).to_le_bytes() != *sum {
            return Err(damaged());
        }
        let mut blocks = Vec::with_capacity(number);
        for (nth, entry) in list.chunks_exact(list.len().checked_div(number).unwrap_or(1).max(1)).enumerate() {
            let (length, sum) = entry.split_at(entry.len() - 8);
            let stored = length.first_chunk().map(|length| u32::from_le_bytes(*length) as usize);
            let length = stored.unwrap_or(BLOCK.min(bytes - nth * BLOCK));
            if length > MOST_STORED {
                return Err(damaged());
            }
            blocks.push(Block {
                offset: first,
                length,
                sum: u64::from_le_bytes(sum.try_into().map_err(|_| damaged())?),
            });
            first += length as u64;
        }
        let end = first.max(place + encoding.list(number) as u64);
        Ok(Layer { bytes, blocks, encoding, end })
    }

    /// The place after the layer.
    pub fn end(&self) -> u64 {
        self.end
    }

    fn block(&self, file: &File, number: usize) -> io::Result<Vec<u8>> {
        let Block { offset: at, length, sum } = self.blocks[number];
        let mut stored = vec![0; length];
        file.read_exact_at(&mut stored, at)?;
        if checksum(&stored) != sum {
            return Err(damaged());
        }
        self.encoding.unpack(stored, BLOCK.min(self.bytes - number * BLOCK))
    }

    /// Reads and checks the records.
    ///
    /// # Errors
    /// A block is damaged, or the file is too short.
    pub fn records(&self, file: &File) -> io::Result<Vec<u8>> {
        let mut records = Vec::with_capacity(self.bytes);
        for number in 0..self.blocks.len() {
            records.extend(self.block(file, number)?);
        }
        Ok(records)
    }
}

/// The layers of a table, whose blocks are read when needed. Threads can share it.
pub(super) struct LayerFile {
    file: File,
    path: PathBuf,
    layers: Vec<Layer>,
    /// The number of each layer's first block in the whole file.
    first: Vec<usize>,
    cache: Cache,
    /// Whether reading failed or a block's checksum was wrong. Then the table is no longer used.
    is_damaged: AtomicBool,
}

impl LayerFile {
    /// These layers, of which at most `megabytes` are held in memory.
    pub fn new(file: File, path: &Path, layers: Vec<Layer>, megabytes: usize) -> LayerFile {
        let mut first = Vec::new();
        let mut blocks = 0;
        for layer in &layers {
            first.push(blocks);
            blocks += layer.blocks.len();
        }
        LayerFile {
            file,
            path: path.into(),
            layers,
            first,
            cache: Cache::new(blocks, megabytes),
            is_damaged: false.into(),
        }
    }

    /// Record number `at` of a layer, of `N` bytes, of which a block is a multiple; `None` if reading fails now or failed before.
    pub fn record<const N: usize>(&self, layer: u8, at: usize) -> Option<[u8; N]> {
        if self.is_damaged() {
            return None;
        }
        let number = N * at / BLOCK;
        let at = N * at % BLOCK;
        let layer = usize::from(layer);
        let record = self.cache.bytes(self.first[layer] + number, at, || {
            self.layers[layer].block(&self.file, number).ok().map(Vec::into_boxed_slice)
        });
        if record.is_none() {
            self.give_up();
        }
        record
    }

    fn give_up(&self) {
        if !self.is_damaged.swap(true, Ordering::Relaxed) {
            report_damaged(&self.path);
        }
    }

    #[inline]
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Reads and checks all records of a layer.
    ///
    /// # Errors
    /// They are damaged, or cannot be read.
    pub fn records(&self, layer: u8) -> io::Result<Vec<u8>> {
        self.layers[usize::from(layer)].records(&self.file).inspect_err(|_| self.give_up())
    }

    /// The number of layers.
    pub fn count(&self) -> u8 {
        self.layers.len() as u8
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a checksum is wrong")
}

/// Bytes of a block.
const BLOCK: usize = 1 << 14;

/// Blocks by number. Each has one place, which it shares with others where not all fit.
pub(super) struct Cache(Vec<Mutex<Place>>);

#[derive(Default)]
struct Place {
    block: usize,
    /// Empty: no block.
    bytes: Box<[u8]>,
}

impl Cache {
    /// A cache of `blocks` blocks in at most `megabytes`.
    pub fn new(blocks: usize, megabytes: usize) -> Cache {
        let fitting = megabytes.saturating_mul((1 << 20) / BLOCK).max(1);
        Cache((0..blocks.min(fitting)).map(|_| Mutex::default()).collect())
    }

    /// Returns bytes of a block, which `read` reads if it is not in memory; `None` if it cannot.
    pub fn bytes<const N: usize>(
        &self,
        block: usize,
        at: usize,
        read: impl FnOnce() -> Option<Box<[u8]>>,
    ) -> Option<[u8; N]> {
        let place = &self.0[block % self.0.len()];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        if place.bytes.is_empty() || place.block != block {
            *place = Place { block, bytes: read()? };
        }
        place.bytes.get(at..)?.first_chunk().copied()
    }
}
