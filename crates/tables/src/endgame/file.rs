//! The file of an endgame table, and its reader.
//!
//! A header of [`HEADER`] bytes is followed by the [layers](super::layer_file): for each number of seeds from 0, its boards by
//! rank, of some bytes each ([`TableRules::width`]); of checkers, the positions of each two materials.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::TableRules;
use super::build::Numbering;
use super::checkers::{self, PIECES, Value};
use super::layer_file::{Layer, LayerFile};
use super::retrograde::Bounds;
use super::slices::Placement;
use crate::game::Game as _;
use crate::game::checkers::Checkers;
use crate::game::kalah::{Kalah, total};
use crate::rank::{Board, MAX_SEEDS, Ranks};
use mancalab_base::codec::checksum;
use mancalab_base::{Error, files, sanitize};

pub(super) const HEADER: usize = 64;

const VERSION: u8 = 1;

/// Megabytes of blocks in memory.
const MEMORY: usize = 64;

/// An endgame table in a file, whose blocks are read when needed. Threads can share it.
pub struct EndgameTable {
    path: PathBuf,
    rules: TableRules,
    most: u8,
    numbering: Numbering,
    file: LayerFile,
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
        let (rules, most) = read_header(&file).map_err(odd)?;
        let numbering = Numbering::new(rules, most).ok_or_else(|| odd("it has too many seeds".into()))?;
        let length = file.metadata().map_err(Error::cannot("read", path))?.len();
        let layers = layers(&file, rules, &numbering, length).map_err(odd)?;
        Ok(EndgameTable {
            path: path.into(),
            rules,
            most,
            numbering,
            file: LayerFile::new(file, path, layers, megabytes),
        })
    }

    /// Rules of the table, of Kalah with any number of seeds at the start.
    pub fn rules(&self) -> TableRules {
        self.rules
    }

    /// The maximal number of seeds of a board, or of pieces.
    pub fn most(&self) -> u8 {
        self.most
    }

    /// The number of positions.
    pub fn boards(&self) -> u64 {
        self.numbering.count()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the part of the seeds in the pits that the side to move gains until the end of the game; `None` if there
    /// are too many, or reading fails. `board` is a [key](crate::game::Game::key): the mover's and the opponent's pits.
    pub fn share(&self, board: Board) -> Option<u8> {
        let left = self.left(board)?;
        self.get(left, self.ranks()?.rank(board))
    }

    /// Returns the bounds of the margin to come of a board of Oware or Awari, as [`share`](EndgameTable::share) does.
    pub fn bounds(&self, board: Board) -> Option<Bounds> {
        let left = self.left(board)?;
        self.record(left, self.ranks()?.rank(board)).map(Bounds::from_bytes)
    }

    /// Returns the value of a position of checkers; `None` if it is not in the table, or reading fails.
    #[inline]
    pub fn value(&self, pos: &Checkers) -> Option<Value> {
        self.value_of(checkers::board(pos))
    }

    /// Returns the value of a [board](checkers::board); see [`value`](EndgameTable::value).
    #[inline]
    pub fn value_of(&self, board: Board) -> Option<Value> {
        let Numbering::Squares(slices) = &self.numbering else { return None };
        let (layer, at) = slices.place(&Placement::of_board(board))?;
        self.file.record(layer, at).map(|[byte]| Value::from_byte(byte))
    }

    /// Returns whether the table has a board: of a game of pits the seeds of the mover's and of the opponent's pits, of checkers its
    /// [squares](checkers::board). A damaged table has none.
    #[inline]
    pub fn has(&self, board: Board) -> bool {
        let has = match &self.numbering {
            Numbering::Pits(..) => self.left(board).is_some(),
            Numbering::Squares(slices) => slices.has(&Placement::of_board(board)),
        };
        has && !self.is_damaged()
    }

    /// Whether a block could not be read or proved damaged. Then nothing more is read.
    #[inline]
    pub fn is_damaged(&self) -> bool {
        self.file.is_damaged()
    }

    /// The numbers of a table of pits.
    #[inline(always)]
    fn ranks(&self) -> Option<&Ranks> {
        if let Numbering::Pits(ranks, _) = &self.numbering { Some(ranks) } else { None }
    }

    /// The number of seeds of a board; `None` if it is not in the table.
    fn left(&self, board: Board) -> Option<u8> {
        let left: usize = board.iter().map(|&row| usize::from(total(row))).sum();
        u8::try_from(left).ok().filter(|&left| left <= self.most)
    }

    /// Returns the final margin of the side to move under best play; `None` as in [`share`](EndgameTable::share), or if
    /// the table is for other rules.
    pub fn margin(&self, pos: &Kalah) -> Option<i32> {
        if !self.rules.is_for(TableRules::Kalah(pos.rules())) {
            return None;
        }
        Some(pos.margin(pos.side()) + 2 * i32::from(self.share(pos.key())?) - pos.reach())
    }

    /// The share of the board with this number of seeds, at most [`most`](EndgameTable::most), and this rank.
    pub(crate) fn get(&self, seeds: u8, rank: u64) -> Option<u8> {
        self.record::<1>(seeds, rank).map(|[share]| share)
    }

    /// The bytes of a board, as many as its rules' [width](TableRules::width).
    fn record<const N: usize>(&self, seeds: u8, rank: u64) -> Option<[u8; N]> {
        self.file.record(seeds, (rank - self.ranks()?.first(seeds)) as usize)
    }

    /// The number of layers.
    pub fn layers(&self) -> u8 {
        self.file.count()
    }

    /// Returns the bytes of a layer: all boards with this many seeds, by rank, or the values of all positions of checkers
    /// with a material.
    ///
    /// # Errors
    /// They are damaged, or cannot be read.
    pub fn layer(&self, layer: u8) -> Result<Vec<u8>, Error> {
        self.file.records(layer).map_err(|error| {
            let path = sanitize::path(&self.path);
            let why = sanitize::reason(&error);
            format!("{path}: cannot use the {}: {why}", self.numbering.label(layer)).into()
        })
    }
}

/// The layers of a file of this length; an error is the reason for refusing it.
fn layers(file: &File, rules: TableRules, numbering: &Numbering, length: u64) -> Result<Vec<Layer>, String> {
    let encoding = rules.encoding();
    let positions = numbering.layers();
    let bytes: Vec<usize> = positions.iter().map(|positions| rules.width() * positions).collect();
    let check = |end: u64| {
        if end == length { Ok(()) } else { Err(format!("it has {length} bytes (expected {end})")) }
    };
    encoding.end(HEADER as u64, &bytes).map_or(Ok(()), check)?;
    let (mut layers, mut at): (Vec<Layer>, _) = (Vec::new(), HEADER as u64);
    for (bytes, number) in bytes.into_iter().zip(0..) {
        let damaged = |_| format!("the checksums of {} are damaged", numbering.label(number));
        let layer = Layer::open(file, at, bytes, encoding).map_err(damaged)?;
        at = layer.end();
        layers.push(layer);
    }
    check(at)?;
    Ok(layers)
}

pub(super) fn header(rules: TableRules, most: u8) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..16].copy_from_slice(rules.magic());
    header[16..20].copy_from_slice(&[VERSION, rules.pits(), rules.choice(), most]);
    let sum = checksum(&header[..HEADER - 8]);
    header[HEADER - 8..].copy_from_slice(&sum.to_le_bytes());
    header
}

/// The rules and the maximal number of seeds, or of pieces, of a table; an error is the reason for refusing it.
pub(super) fn read_header(file: &File) -> Result<(TableRules, u8), String> {
    let mut header = [0; HEADER];
    file.read_exact_at(&mut header, 0).map_err(|_| "it is not an endgame table".to_owned())?;
    let [version, pits, choice, most] = [header[16], header[17], header[18], header[19]];
    if !TableRules::MAGICS.iter().any(|magic| header[..16] == **magic) {
        return Err("it is not an endgame table".into());
    }
    if version != VERSION {
        return Err(format!("its version is {version} (expected {VERSION}); build it again"));
    }
    if checksum(&header[..HEADER - 8]).to_le_bytes() != header[HEADER - 8..] || most > MAX_SEEDS {
        return Err("its header is damaged".into());
    }
    let rules = TableRules::from_header(&header[..16], pits, choice).ok_or("its rules are unknown")?;
    if rules == TableRules::Checkers && !PIECES.contains(&most) {
        return Err("its header is damaged".into());
    }
    Ok((rules, most))
}
