//! The rows of a run by columns, for any kind of run and any of its files with rows.

use mancalab_base::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::ROWS;
use super::csv::Lines;
use crate::files;

/// `generations.csv`, or another file with rows, of a run that another process may be writing.
pub struct Columns {
    path: PathBuf,
    file: File,
    header: String,
    /// The names in its header.
    pub names: Vec<String>,
}

impl Columns {
    /// Opens the rows of the generations.
    ///
    /// # Errors
    /// There are no rows, or they cannot be read.
    pub fn open(folder: &Path) -> Result<Columns, Error> {
        Columns::open_file(folder, ROWS)
    }

    /// Opens another of the run's files with rows, such as its timings.
    ///
    /// # Errors
    /// There are no rows, or they cannot be read.
    pub fn open_file(folder: &Path, name: &str) -> Result<Columns, Error> {
        let path = folder.join(name);
        let file = files::open(&path).map_err(Error::cannot("read", &path))?;
        let header = Lines::behind(&file, &path, 0, 0)?.next()?.map(str::to_owned);
        let header = header.ok_or_else(|| format!("{} has no header line yet", path.display()))?;
        let names = header.split(',').map(str::to_owned).collect();
        Ok(Columns { path, file, header, names })
    }

    /// Passes each complete row to `take`.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn each(&self, mut take: impl FnMut(&str)) -> Result<(), Error> {
        self.try_each(|row| {
            take(row);
            Ok(())
        })
    }

    /// Passes the complete rows to `take` until the first error.
    ///
    /// # Errors
    /// They cannot be read, or that error.
    pub fn try_each(&self, mut take: impl FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        let mut lines = Lines::behind(&self.file, &self.path, 0, 0)?;
        lines.header(&self.header)?;
        while let Some(row) = lines.next()? {
            take(row)?;
        }
        Ok(())
    }

    /// Returns the numbers of a column, counted from 0; NaN where there is none.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn numbers(&self, column: usize) -> Result<Vec<f64>, Error> {
        let mut numbers = Vec::new();
        let number = |row: &str| row.split(',').nth(column)?.parse().ok();
        self.each(|row| numbers.push(number(row).unwrap_or(f64::NAN)))?;
        Ok(numbers)
    }
}
