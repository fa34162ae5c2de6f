//! Rows of runs for other programs: a CSV table with each run's name and settings in front of its rows.
//!
//! Shares are fractions in data for other programs; the columns in percent of `generations.csv` are converted here.

use mancalab_base::{Error, bail, csv};
use std::path::Path;

use super::reader::RunReader;
use super::run_dir::index::distinct_names;
use super::run_dir::{Columns, Manifest};
use crate::sanitize;

/// Suffixes of columns in percent, and of the exported columns.
const PERCENT: [&str; 2] = ["_percent", "_share"];

/// Writes a CSV table of several runs: a head, and a row per generation. A setting that a run's file omits is empty.
///
/// # Errors
/// A run cannot be read, or has other columns than the first; before any line is written, if possible.
pub fn csv(folders: &[impl AsRef<Path>], mut take: impl FnMut(&str)) -> Result<(), Error> {
    let named = folders.iter().zip(distinct_names(folders));
    let tables = named.map(|(folder, name)| Table::open(folder.as_ref(), name)).collect::<Result<Vec<_>, Error>>()?;
    let Some(first) = tables.first() else { return Ok(()) };
    let is_other = |table: &Table| table.kind != first.kind || table.rows.names != first.rows.names;
    if let Some((_, folder)) = tables.iter().zip(folders).find(|(table, _)| is_other(table)) {
        bail!("{} has other columns than the first run; export it by itself", sanitize::path(folder.as_ref()));
    }
    let mut keys: Vec<&String> = Vec::new();
    for (key, _) in tables.iter().flat_map(|table| &table.settings) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    // A column of the rows may have the name of a setting.
    let is_column = |key: &String| first.rows.names.contains(key);
    let named = keys.iter().map(|key| if is_column(key) { format!("{key}_setting") } else { (*key).clone() });
    let names = ["run", "preset", "seed"].map(str::to_owned).into_iter().chain(named);
    take(&csv::row(names.chain(first.rows.names.iter().cloned())));
    tables.iter().try_for_each(|table| {
        let front = table.front(&keys);
        table.rows.each(|row| {
            take(&format!("{front},{}\n", row.join(",")));
            Ok(())
        })
    })
}

/// The rows of a run, with shares as fractions.
pub struct Rows {
    columns: Columns,
    /// The names of the columns.
    pub names: Vec<String>,
}

impl Rows {
    /// # Errors
    /// There are no rows, or they cannot be read.
    pub fn open(folder: &Path) -> Result<Rows, Error> {
        Ok(Rows::convert(Columns::open(folder)?))
    }

    /// Converts the rows of one of the run's files.
    pub fn convert(columns: Columns) -> Rows {
        let [percent, share] = PERCENT;
        let name = |name: &String| name.strip_suffix(percent).map_or(name.clone(), |name| format!("{name}{share}"));
        Rows { names: columns.names.iter().map(name).collect(), columns }
    }

    /// Passes the fields of each row to `take` until the first error.
    ///
    /// # Errors
    /// They cannot be read, or that error.
    pub fn each(&self, mut take: impl FnMut(&[String]) -> Result<(), Error>) -> Result<(), Error> {
        let is_percent: Vec<bool> = self.columns.names.iter().map(|name| name.ends_with(PERCENT[0])).collect();
        self.columns.try_each(|row| {
            let field = |(index, field): (usize, &str)| match is_percent.get(index) {
                Some(true) => fraction(field),
                _ => field.to_owned(),
            };
            take(&row.split(',').enumerate().map(field).collect::<Vec<_>>())
        })
    }
}

/// Converts percent to a fraction, with two more decimals; other texts are unchanged.
fn fraction(percent: &str) -> String {
    let decimals = percent.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    percent.parse::<f64>().map_or(percent.to_owned(), |percent| format!("{:.*}", decimals + 2, percent / 100.0))
}

/// A run's part of the table.
struct Table {
    kind: String,
    /// Name, preset and seed.
    run: [String; 3],
    settings: Vec<(String, String)>,
    rows: Rows,
}

impl Table {
    fn open(folder: &Path, name: String) -> Result<Table, Error> {
        let reader = RunReader::open(folder)?;
        let Manifest { kind, preset, seed, .. } = reader.manifest().clone();
        let run = [name, preset, seed.to_string()];
        Ok(Table { kind, run, settings: reader.listed()?, rows: Rows::open(folder)? })
    }

    /// Returns the fields in front of each of its rows, with the settings of these keys.
    fn front(&self, keys: &[&String]) -> String {
        let value = |key: &&String| {
            let value = self.settings.iter().find(|(known, _)| known == *key).map(|(_, value)| flat(value));
            value.unwrap_or_default()
        };
        csv::line(self.run.iter().cloned().chain(keys.iter().map(value)))
    }
}

/// Returns the items of a setting that is a list; `None` if it is none.
pub fn items(setting: &str) -> Option<Vec<String>> {
    let list = toml::from_str::<toml::Table>(&format!("value = {setting}")).ok()?;
    let text = |item: &toml::Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
    Some(list.get("value")?.as_array()?.iter().map(text).collect())
}

/// The text of a setting in a cell; list items are separated by semicolons.
fn flat(setting: &str) -> String {
    items(setting).map_or_else(|| setting.to_owned(), |items| items.join(";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_fractions_and_lists_have_no_brackets() {
        assert_eq!(["13.697", "100", "-", "0.0"].map(fraction), ["0.13697", "1.00", "-", "0.000"]);
        assert_eq!(["[\"a:1\", \"b\"]", "[]", "64-64", "true"].map(flat), ["a:1;b", "", "64-64", "true"]);
    }
}
