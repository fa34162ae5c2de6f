//! Endgame tables: the exact shares of all boards with few seeds, in files.
//!
//! A [`TableBuilder`] computes a table, an [`EndgameTable`] reads one, and [`find`] returns the one for a game's rules
//! from the folder set by [`set_folder`].

mod build;
mod cache;
mod file;
mod halves;
mod layers;
mod oracle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use build::{Size, TableBuilder};
pub use file::EndgameTable;
pub(super) use oracle::Endgames;

use crate::game::kalah::{Capture, End, Rules};
use mancalab_base::Error;

/// Ending of the files' names.
pub const EXTENSION: &str = "endgames";

/// Tables by path.
type Opened = BTreeMap<PathBuf, Arc<EndgameTable>>;

/// The folder of the process, and the tables opened so far.
static TABLES: Mutex<(Option<PathBuf>, Opened)> = Mutex::new((None, BTreeMap::new()));

/// Sets the folder of the tables that all solvers of this process use; `None`: they use none.
pub fn set_folder(folder: Option<PathBuf>) {
    *TABLES.lock().unwrap_or_else(PoisonError::into_inner) = (folder, BTreeMap::new());
}

/// Returns the table for these rules, if there is one. It stays open.
///
/// # Errors
/// The table's file is not usable; see [`EndgameTable::open`].
pub fn find(rules: Rules) -> Result<Option<Arc<EndgameTable>>, Error> {
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(path) = tables.0.as_ref().map(|folder| path(folder, rules)) else { return Ok(None) };
    if rules.end() != End::Either || !path.exists() {
        return Ok(None);
    }
    if let Some(table) = tables.1.get(&path) {
        return Ok(Some(Arc::clone(table)));
    }
    let table = Arc::new(EndgameTable::open(&path)?);
    if !is_for(table.rules(), rules) {
        mancalab_base::bail!("cannot use {}: it is for {}", mancalab_base::sanitize::path(&path), name(table.rules()));
    }
    tables.1.insert(path, Arc::clone(&table));
    Ok(Some(table))
}

/// The name of a table: the rules without the seeds at the start, such as `kalah-6-standard`.
pub fn name(rules: Rules) -> String {
    let capture = if rules.capture() == Capture::Empty { "empty" } else { "standard" };
    format!("kalah-{}-{capture}", rules.pits())
}

/// The path of a table in a folder.
pub fn path(folder: &Path, rules: Rules) -> PathBuf {
    folder.join(format!("{}.{EXTENSION}", name(rules)))
}

/// Whether shares under the first rules are those under the second.
fn is_for(table: Rules, rules: Rules) -> bool {
    table.pits() == rules.pits() && table.capture() == rules.capture() && rules.end() == End::Either
}
