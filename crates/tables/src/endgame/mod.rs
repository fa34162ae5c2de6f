//! Endgame tables: the results of all positions with few seeds or pieces, in files. For Kalah they are exact shares, for
//! Oware and Awari [bounds](Bounds), for [checkers] wins, draws and losses with their distance.
//!
//! A [`TableBuilder`] computes a table, an [`EndgameTable`] reads one, and [`find`] returns the one for a game's rules
//! from the folder set by [`set_folder`].

mod build;
pub mod checkers;
#[cfg(test)]
mod checkers_tests;
mod file;
mod layer_file;
mod layers;
pub mod outcomes;
mod retrograde;
mod rules;
mod slices;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mancalab_base::pool::Pool;
use mancalab_base::{Error, bail, sanitize};

use super::budget::{Budget, Status};
use super::game::kalah::{Capture, Rules};
use build::LayerComputation as _;
use layers::Layers;

pub use build::{Size, TableBuilder};
pub use file::EndgameTable;
pub use retrograde::Bounds;
pub use rules::TableRules;

/// Ending of the files' names.
pub const EXTENSION: &str = "endgames";

/// Tables by path.
type OpenTables = BTreeMap<PathBuf, Arc<EndgameTable>>;

/// The folder of the process, and the tables opened so far.
static TABLES: Mutex<(Option<PathBuf>, OpenTables)> = Mutex::new((None, BTreeMap::new()));

/// Sets the folder of the tables that all solvers of this process use; `None`: they use none.
pub fn set_folder(folder: Option<PathBuf>) {
    *TABLES.lock().unwrap_or_else(PoisonError::into_inner) = (folder, BTreeMap::new());
}

/// Lines about tables that have proved damaged, until they are taken.
static DAMAGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Returns a line for each table that has proved damaged since the last call.
pub fn take_damaged() -> Vec<String> {
    std::mem::take(&mut DAMAGED.lock().unwrap_or_else(PoisonError::into_inner))
}

fn report_damaged(table: &Path) {
    let name = sanitize::shell_path(Path::new(table.file_stem().unwrap_or_default()));
    let line =
        format!("{} is damaged and not used any more; check it: mancalab tables verify {name}", sanitize::path(table));
    DAMAGED.lock().unwrap_or_else(PoisonError::into_inner).push(line);
}

/// Returns the table for these rules, if there is one that has not proved damaged. It stays open.
///
/// # Errors
/// The table's file is not usable; see [`EndgameTable::open`].
pub fn find(rules: TableRules) -> Result<Option<Arc<EndgameTable>>, Error> {
    let found = if rules.is_for(rules) { find_named(&rules.name())? } else { None };
    Ok(found.filter(|table| !table.is_damaged()))
}

/// Returns the table with this [name](TableRules::name), as [`find`] does, even if it has proved damaged.
///
/// # Errors
/// Those of [`find`].
pub fn find_named(name: &str) -> Result<Option<Arc<EndgameTable>>, Error> {
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(path) = tables.0.as_ref().map(|folder| path(folder, name)) else { return Ok(None) };
    if !path.exists() {
        return Ok(None);
    }
    if let Some(table) = tables.1.get(&path) {
        return Ok(Some(Arc::clone(table)));
    }
    let table = Arc::new(open(&path)?);
    tables.1.insert(path, Arc::clone(&table));
    Ok(Some(table))
}

/// Opens a table whose file has the name of its rules.
///
/// # Errors
/// Those of [`EndgameTable::open`], or the table is for other rules than the file's name says.
pub fn open(path: &Path) -> Result<EndgameTable, Error> {
    let table = EndgameTable::open(path)?;
    let name = table.rules().name();
    if path.file_stem().is_none_or(|stem| stem != name.as_str()) {
        bail!("cannot use {}: it is for {name}", sanitize::path(path));
    }
    Ok(table)
}

/// The path of a table in a folder.
fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.{EXTENSION}"))
}

/// Maximal number of boards in memory, of a byte each, unless a quarter of the transposition table's memory is more.
const MOST_BOARDS: u64 = 150_000_000;
/// The greatest part of the seeds that they may have, in percent. With more, computing them takes longer than it saves; under the empty rule,
/// searches are smaller.
const PERCENT: u8 = 40;
const PERCENT_EMPTY: u8 = 38;

/// The same where a table has them: reading is faster than computing, and memory faster than the table's blocks.
const MOST_READ: u64 = 250_000_000;
const PERCENT_READ: u8 = 50;

/// Maximal duration of a step of the computation.
const STEP: Duration = Duration::from_millis(10);

pub(crate) struct Endgames {
    layers: Layers,
    table: Option<Arc<EndgameTable>>,
    /// Maximal number of seeds of the boards in memory, and of all.
    few: u8,
    most: u8,
}

impl Endgames {
    /// Exact shares for searches from boards with `left` seeds, beside a transposition table of at most `megabytes`, a quarter of which they
    /// may take too; `None` if there is no memory for their numbers.
    pub fn new(rules: Rules, left: u8, megabytes: usize, table: Option<Arc<EndgameTable>>) -> Option<Endgames> {
        let affordable = (megabytes as u64) << 18;
        let fitting = |percent: u8, most: u64, seeds: u8| {
            let few = seeds.min((u16::from(left) * u16::from(percent) / 100) as u8);
            (0..=few).rev().find(|&few| Layers::count(rules, few) <= most).unwrap_or(0)
        };
        let read = table.as_ref().map_or(0, |table| fitting(PERCENT_READ, MOST_READ.max(affordable), table.most()));
        let percent = if rules.capture() == Capture::Empty { PERCENT_EMPTY } else { PERCENT };
        let few = fitting(percent, MOST_BOARDS.max(affordable), left).max(read);
        let mut layers = Layers::new(rules, few)?;
        // A small table ends before the boards that are worth computing.
        if let Some(table) = &table {
            let read = (0..=few.min(table.most())).map_while(|seeds| Some((seeds, table.layer(seeds).ok()?)));
            read.for_each(|(seeds, bytes)| layers.restore(seeds, &bytes));
        }
        let most = table.as_ref().map_or(few, |table| table.most().max(few));
        Some(Endgames { layers, table, few, most })
    }

    /// Continues the computation of the boards in memory, and returns whether all are known.
    pub fn is_ready(&mut self, pool: &Pool) -> bool {
        self.layers.complete() > self.few || self.layers.step(pool, Budget::time(STEP)) == Status::Done
    }

    /// Begins to fetch the share of a board, and returns whether it is in memory.
    #[inline(always)]
    pub fn prefetch(&self, rank: u64, left: u8) -> bool {
        if left <= self.few {
            self.layers.prefetch(rank as usize);
        }
        left <= self.few
    }

    /// The exact share of a board, by rank and number of seeds, if it is known.
    #[inline(always)]
    pub fn get(&self, rank: u64, left: u8) -> Option<u8> {
        if left <= self.few {
            Some(self.layers.get(rank as usize))
        } else if left <= self.most {
            self.table.as_ref()?.get(left, rank)
        } else {
            None
        }
    }
}
