//! Builds the file of an endgame table.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::super::rank::Ranks;
use super::TableRules;
use super::file::{self, HEADER, Layer, read_header};
use super::layers::Layers;
use super::retrograde::Retrograde;
use crate::budget::{Budget, Status};
use mancalab_base::pool::Pool;
use mancalab_base::{Error, bail, files, sanitize};

/// A table in the making. Each layer goes to a file with the ending `.part` as soon as it is complete, and the next build
/// of the same table resumes from that file.
pub struct TableBuilder {
    layers: Box<dyn Layered>,
    places: Vec<Layer>,
    pool: Pool,
    path: PathBuf,
    part: PathBuf,
    file: File,
    /// Layers in the file.
    written: u8,
}

/// The computation of a table's boards, one number of seeds after another.
pub(super) trait Layered: Send {
    /// The numbers of the boards.
    fn numbers(&self) -> &Ranks;

    /// The number of seeds up to which all boards are known.
    fn complete(&self) -> u8;

    /// Part of the boards that are known, roughly.
    fn progress(&self) -> f64;

    /// The bytes of the boards with this many seeds.
    fn bytes(&self, seeds: u8) -> Vec<u8>;

    /// Sets the boards with this many seeds, those with fewer being known.
    fn restore(&mut self, seeds: u8, bytes: &[u8]);

    /// Continues until the budget is spent or the next layer is complete; `Done` after the last one.
    fn step(&mut self, pool: &Pool, budget: Budget) -> Status;
}

/// The computation of a table; `None` if its boards do not fit.
fn layers(rules: TableRules, seeds: u8) -> Option<Box<dyn Layered>> {
    Some(match rules {
        TableRules::Kalah(rules) => Box::new(Layers::new(rules, seeds)?),
        TableRules::Oware(rules) => Box::new(Retrograde::new(rules, seeds)?),
        TableRules::Awari(rules) => Box::new(Retrograde::new(rules, seeds)?),
    })
}

/// The extent of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub boards: u64,
    /// Bytes of the file, and about those of memory to build it.
    pub bytes: u64,
}

impl Size {
    /// The size of the table for boards of at most `seeds` seeds.
    ///
    /// # Errors
    /// Such boards do not fit a table.
    pub fn of(rules: TableRules, seeds: u8) -> Result<Size, Error> {
        let ranks = |seeds: u8| {
            let ranks = Ranks::new(rules.pits().into(), seeds)?;
            u32::try_from(ranks.count(seeds)).is_ok().then_some(ranks)
        };
        let most = rules.most_seeds();
        let Some(ranks) = Some(seeds).filter(|seeds| (1..=most).contains(seeds)).and_then(ranks) else {
            let most = (1..=most).rev().find(|&seeds| ranks(seeds).is_some()).unwrap_or(0);
            bail!("a table for {} must have 1 to {most} seeds (got {seeds})", rules.extent());
        };
        let bytes = file::layers(&ranks, seeds, rules.width()).last().map_or(0, Layer::end);
        Ok(Size { boards: ranks.count(seeds), bytes })
    }
}

impl TableBuilder {
    /// Begins or resumes the table in `folder` for boards of at most `seeds` seeds under these rules.
    ///
    /// # Errors
    /// Such boards do not fit a table; the file cannot be written; or another process builds it.
    pub fn new(folder: &Path, rules: TableRules, seeds: u8, pool: Pool) -> Result<TableBuilder, Error> {
        Size::of(rules, seeds)?;
        let path = rules.path(folder);
        let part = path.with_extension(format!("{}.part", super::EXTENSION));
        fs::create_dir_all(folder).map_err(Error::cannot("create", folder))?;
        let options = &mut OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = files::open_with(options, &part).map_err(Error::cannot("write", &part))?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("another process builds {}", sanitize::path(&path));
        }
        let Some(layers) = layers(rules, seeds) else { bail!("the boards do not fit a table") };
        let places = file::layers(layers.numbers(), seeds, rules.width());
        let mut builder = TableBuilder { layers, places, pool, path, part, file, written: 0 };
        builder.resume(rules, seeds).map_err(Error::cannot("write", &builder.part.clone()))?;
        Ok(builder)
    }

    /// Restores the complete layers of the file, and removes what follows them.
    fn resume(&mut self, rules: TableRules, seeds: u8) -> std::io::Result<()> {
        if read_header(&self.file).is_ok_and(|(before, _)| before.is_for(rules)) {
            while let Some(bytes) = self.places.get(usize::from(self.written)).and_then(|at| at.read(&self.file).ok()) {
                self.layers.restore(self.written, &bytes);
                self.written += 1;
            }
        }
        let end = self.written.checked_sub(1).map_or(HEADER as u64, |last| self.places[usize::from(last)].end());
        self.file.set_len(end)?;
        self.file.write_all_at(&file::header(rules, seeds), 0)
    }

    /// Continues until the budget is spent or the table is complete, and in its place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn step(&mut self, budget: Budget) -> Result<Status, Error> {
        loop {
            let status = self.layers.step(&self.pool, budget);
            while self.written <= self.layers.complete() {
                let bytes = self.layers.bytes(self.written);
                let place = &self.places[usize::from(self.written)];
                place.write(&self.file, &bytes).map_err(Error::cannot("write", &self.part))?;
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

    /// The number of seeds up to which the boards are in the file; `None` before the first ones.
    pub fn seeds(&self) -> Option<u8> {
        self.written.checked_sub(1)
    }

    /// The number of seeds of the boards that are next.
    pub fn layer(&self) -> u8 {
        self.written.min(self.places.len() as u8 - 1)
    }

    /// The table's path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
