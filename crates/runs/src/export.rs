//! The rows of runs as one table for other programs: in front of each row the run's name and all of its settings.

use mancalab_base::{Error, bail};
use std::path::Path;

use super::reader::RunReader;
use super::run_dir::{Columns, Manifest};
use crate::sanitize;

/// Gives the lines of a CSV table of several runs away, with their ends: a head, and a row for each of their generations.
///
/// # Errors
/// A run cannot be read, or has other columns than the first; before any line is given if that can be known.
pub fn csv(folders: &[impl AsRef<Path>], mut take: impl FnMut(&str)) -> Result<(), Error> {
    let tables = folders.iter().map(|folder| Table::open(folder.as_ref())).collect::<Result<Vec<_>, Error>>()?;
    let Some(first) = tables.first() else { return Ok(()) };
    if let Some((_, folder)) = tables.iter().zip(folders).find(|(table, _)| table.head != first.head) {
        bail!("{} has other columns than the first run; export it by itself", sanitize::path(folder.as_ref()));
    }
    take(&first.head);
    tables.iter().try_for_each(|table| table.columns.each(|row| take(&format!("{},{row}\n", table.front))))
}

/// A run's part of the table.
struct Table {
    head: String,
    /// What stands in front of each of its rows.
    front: String,
    columns: Columns,
}

impl Table {
    fn open(folder: &Path) -> Result<Table, Error> {
        let reader = RunReader::open(folder)?;
        let Manifest { preset, seed, .. } = reader.manifest();
        let columns = Columns::open(folder)?;
        let (keys, values): (Vec<String>, Vec<String>) = reader.listed()?.into_iter().unzip();
        // A column of the rows may be named like a setting.
        let named = |key: String| if columns.names.contains(&key) { format!("{key}_setting") } else { key };
        let names = ["run", "preset", "seed"].map(str::to_owned).into_iter().chain(keys.into_iter().map(named));
        let head = line(names.chain(columns.names.iter().cloned())) + "\n";
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let front = line([name, preset.clone(), seed.to_string()].into_iter().chain(values));
        Ok(Table { head, front, columns })
    }
}

/// Fields with commas between them, in quotes where they have to be.
fn line(fields: impl Iterator<Item = String>) -> String {
    let field = |text: String| {
        let odd = text.contains([',', '"', '\n', '\r']);
        if odd { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
    };
    fields.map(field).collect::<Vec<_>>().join(",")
}
