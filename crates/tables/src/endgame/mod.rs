//! Endgame tables: the results of all positions with few seeds or pieces, in files. For Kalah they are exact shares, for
//! Oware and Awari [bounds](Bounds), for [checkers] wins, draws and losses with their distance.
//!
//! A [`TableBuilder`] computes a table, an [`EndgameTable`] reads one, and [`find`] returns the one for a game's rules
//! from the folder set by [`set_folder`].

mod build;
pub mod checkers;
mod file;
mod layer_file;
mod layers;
mod numbering;
mod oracle;
mod retrograde;
mod rules;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use build::{Size, TableBuilder};
pub use file::EndgameTable;
pub(crate) use oracle::Endgames;
pub use retrograde::Bounds;
pub use rules::TableRules;

use mancalab_base::{Error, bail, sanitize};

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
