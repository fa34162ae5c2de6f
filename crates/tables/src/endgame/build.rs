//! Builds the file of an endgame table, whose positions are numbered and divided into layers.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use mancalab_base::pool::Pool;
use mancalab_base::{Error, bail, files, sanitize};
use rustix::fs::{FlockOperation, flock};

use super::TableRules;
use super::checkers;
use super::file::{self, HEADER, read_header};
use super::layer_file::Layer;
use super::layers::Layers;
use super::retrograde::Retrograde;
use super::slices::Slices;
use crate::budget::{Budget, Status};
use crate::rank::Ranks;

/// A table in the making. Each layer goes to a file with the ending `.part` as soon as it is complete, and the next build
/// of the same table resumes from that file.
pub struct TableBuilder {
    layers: Box<dyn LayerComputation>,
    rules: TableRules,
    numbering: Numbering,
    /// The number of layers.
    count: u8,
    pool: Pool,
    path: PathBuf,
    part: PathBuf,
    file: File,
    /// Layers in the file, and where they end.
    written: u8,
    end: u64,
}

/// The computation of a table's positions, one layer after another.
pub(super) trait LayerComputation: Send {
    /// The number of layers that are complete.
    fn complete(&self) -> u8;

    /// Part of the positions that are known, roughly.
    fn progress(&self) -> f64;

    /// The bytes of a complete layer.
    fn bytes(&self, layer: u8) -> Vec<u8>;

    /// Sets a layer, those before it being complete.
    fn restore(&mut self, layer: u8, bytes: &[u8]);

    /// Continues until the budget is spent or the next layer is complete; `Done` after the last one.
    fn step(&mut self, pool: &Pool, budget: Budget) -> Status;
}

/// The computation of a table; `None` if its positions do not fit.
fn layers(rules: TableRules, most: u8) -> Option<Box<dyn LayerComputation>> {
    Some(match rules {
        TableRules::Kalah(rules) => Box::new(Layers::new(rules, most)?),
        TableRules::Oware(rules) => Box::new(Retrograde::new(rules, most)?),
        TableRules::Awari(rules) => Box::new(Retrograde::new(rules, most)?),
        TableRules::Checkers => Box::new(checkers::Layers::new(most)?),
    })
}

/// The extent of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The number of positions.
    pub boards: u64,
    /// Bytes of the file, of checkers before compression.
    pub bytes: u64,
    /// About the bytes of memory to build it, of tables of bounds without their moves.
    pub memory: u64,
}

impl Size {
    /// The size of the table for boards of at most `most` seeds, or pieces.
    ///
    /// # Errors
    /// Such boards do not fit a table.
    pub fn compute(rules: TableRules, most: u8) -> Result<Size, Error> {
        let numbering = |most: u8| {
            let numbering = Numbering::new(rules, most)?;
            u32::try_from(numbering.count()).is_ok().then_some(numbering)
        };
        let extents = rules.extents();
        let Some(numbering) = Some(most).filter(|most| extents.contains(most)).and_then(numbering) else {
            let greatest = extents.clone().rev().find(|&most| numbering(most).is_some()).unwrap_or(0);
            let least = extents.start();
            let unit = rules.unit();
            let game = rules.extent();
            bail!("a table for {game} must have {least} to {greatest} {unit} (got {most})");
        };
        let layers: Vec<usize> = numbering.layers().iter().map(|positions| rules.width() * positions).collect();
        let records = layers.iter().sum::<usize>() as u64;
        let bytes = rules.encoding().end(HEADER as u64, &layers).unwrap_or(records);
        let greatest = layers.iter().max().map_or(0, |&bytes| bytes as u64);
        let work = if rules == TableRules::Checkers { checkers::Layers::WORK * greatest } else { 0 };
        Ok(Size { boards: numbering.count(), bytes, memory: records + work })
    }
}

impl TableBuilder {
    /// Begins or resumes the table in `folder` for boards of at most `most` seeds, or pieces, under these rules.
    ///
    /// # Errors
    /// Such boards do not fit a table; the file cannot be written; or another process builds it.
    pub fn new(folder: &Path, rules: TableRules, most: u8, pool: Pool) -> Result<TableBuilder, Error> {
        Size::compute(rules, most)?;
        let path = rules.path(folder);
        let part = path.with_extension(format!("{}.part", super::EXTENSION));
        fs::create_dir_all(folder).map_err(Error::cannot("create", folder))?;
        let options = &mut OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = files::open_with(options, &part).map_err(Error::cannot("write", &part))?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("another process builds {}", sanitize::path(&path));
        }
        let (Some(layers), Some(numbering)) = (layers(rules, most), Numbering::new(rules, most)) else {
            bail!("the boards do not fit a table")
        };
        let count = numbering.layers().len() as u8;
        let end = HEADER as u64;
        let mut builder = TableBuilder { layers, rules, numbering, count, pool, path, part, file, written: 0, end };
        builder.resume(most).map_err(Error::cannot("write", &builder.part.clone()))?;
        Ok(builder)
    }

    /// Restores the complete layers of the file, and removes what follows them.
    fn resume(&mut self, most: u8) -> std::io::Result<()> {
        if read_header(&self.file).is_ok_and(|(before, _)| before.is_for(self.rules)) {
            for positions in self.numbering.layers() {
                let bytes = self.rules.width() * positions;
                let layer = Layer::open(&self.file, self.end, bytes, self.rules.encoding());
                let Ok((layer, records)) = layer.and_then(|layer| layer.records(&self.file).map(|all| (layer, all)))
                else {
                    break;
                };
                self.layers.restore(self.written, &records);
                (self.written, self.end) = (self.written + 1, layer.end());
            }
        }
        self.file.set_len(self.end)?;
        self.file.write_all_at(&file::header(self.rules, most), 0)
    }

    /// Continues until the budget is spent or the table is complete, and in its place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn step(&mut self, budget: Budget) -> Result<Status, Error> {
        loop {
            let status = self.layers.step(&self.pool, budget);
            while self.written < self.layers.complete() {
                let bytes = self.layers.bytes(self.written);
                let end = self.rules.encoding().write(&self.file, self.end, &bytes);
                self.end = end.map_err(Error::cannot("write", &self.part))?;
                self.written += 1;
            }
            if status == Status::Done {
                self.finish().map_err(Error::cannot("write", &self.path))?;
                return Ok(Status::Done);
            }
            if budget.is_spent() {
                return Ok(Status::Running);
            }
        }
    }

    /// Moves the file to its place.
    fn finish(&self) -> std::io::Result<()> {
        self.file.sync_all()?;
        if self.part.exists() {
            fs::rename(&self.part, &self.path)?;
        }
        self.path.parent().map(files::sync_folder);
        Ok(())
    }

    /// Part of the boards that are known.
    pub fn progress(&self) -> f64 {
        self.layers.progress()
    }

    /// The number of layers in the file.
    pub fn written(&self) -> u8 {
        self.written
    }

    /// The name of a layer, of the last one if there are not so many.
    pub fn label(&self, layer: u8) -> String {
        self.numbering.label(layer.min(self.count - 1))
    }

    /// The table's path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The numbers of a table's positions.
pub(super) enum Numbering {
    /// Boards of pits: a layer for each number of seeds from 0 to the last.
    Pits(Ranks, u8),
    /// Positions of checkers: a layer for each two materials that steps connect.
    Squares(Slices),
}

impl Numbering {
    /// The numbers of positions with at most `most` seeds, or pieces; `None` if they do not fit.
    pub fn new(rules: TableRules, most: u8) -> Option<Numbering> {
        Some(match rules {
            TableRules::Checkers => Numbering::Squares(Slices::new(most)),
            _ => Numbering::Pits(Ranks::new(rules.pits().into(), most)?, most),
        })
    }

    /// Number of positions.
    pub fn count(&self) -> u64 {
        match self {
            Numbering::Pits(ranks, seeds) => ranks.count(*seeds),
            Numbering::Squares(slices) => slices.count(),
        }
    }

    /// Positions in each layer.
    pub fn layers(&self) -> Vec<usize> {
        match self {
            Numbering::Pits(ranks, seeds) => {
                (0..=*seeds).map(|seeds| (ranks.count(seeds) - ranks.first(seeds)) as usize).collect()
            }
            Numbering::Squares(slices) => slices.layers().map(|layer| slices.positions(layer)).collect(),
        }
    }

    /// The name of a layer, for messages.
    pub fn label(&self, layer: u8) -> String {
        match self {
            Numbering::Pits(..) => format!("boards with {layer} seeds"),
            Numbering::Squares(slices) => format!("positions of {}", slices.label(layer)),
        }
    }
}
