//! Computes the rows of a saved run again, in memory, and compares them with those in its folder.

use std::path::Path;

use mancalab_base::{Error, bail};

use super::fork::lineage;
use super::reader::RunReader;
use super::run::{Form, Progress, Run};
use super::run_dir::{Columns, Manifest, Rows};
use crate::budget::Budget;
use crate::pool::Pool;

/// The result of a comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Rows compared, without a difference but the last.
    pub compared: u64,
    /// Rows in the folder.
    pub rows: u64,
    /// Whether the computation was stopped before its end.
    pub is_stopped: bool,
    pub difference: Option<Difference>,
}

/// The first value that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The row, counted from 0.
    pub row: u64,
    pub column: String,
    pub saved: String,
    pub computed: String,
}

/// Computes up to `most` rows of the run in `folder` again; the run has one of the `forms`. Calls `goes_on` many times a second with
/// the numbers of rows compared and to compare; false stops.
///
/// # Errors
/// The run cannot be read or started, or is not reproducible.
pub fn verify(
    folder: &Path,
    forms: &[Form],
    most: u64,
    pool: &Pool,
    mut goes_on: impl FnMut(u64, u64) -> bool,
) -> Result<Comparison, Error> {
    let reader = RunReader::open(folder)?;
    let check = |manifest: &Manifest| match manifest.reproducible {
        true => Ok(()),
        false => Err(Error::from(
            "the run is not reproducible: it depends on limits of time, on threads that are not synchronized, or on another \
             program, so that other rows are expected",
        )),
    };
    check(reader.manifest())?;
    let columns = Columns::open(folder)?;
    let mut rows = 0;
    columns.each(|_| rows += 1)?;
    let count = rows.min(most);
    let mut lineage = lineage(folder, forms)?.into_iter().peekable();
    let Some((settings, mut until)) = lineage.next() else { bail!("there are no settings") };
    // Tournaments of earlier versions have no mark in their files.
    check(&settings.manifest())?;
    let mut run = settings.start()?;
    // A fork goes on from its parent's state and rows.
    let mut before = Vec::new();
    let mut verified = Comparison { compared: 0, rows, is_stopped: false, difference: None };
    let mut error = None;
    columns.each(|saved| {
        if verified.compared == count || verified.is_stopped || verified.difference.is_some() || error.is_some() {
            return;
        }
        if until.is_some_and(|until| verified.compared == until + 1)
            && let Some((settings, last)) = lineage.next()
        {
            match settings.restore(&run.save(pool), Rows::in_memory(&before)) {
                Ok(forked) => (run, until) = (forked, last),
                Err(reason) => return error = Some(reason),
            }
        }
        match next(&mut *run, pool, || goes_on(verified.compared, count)) {
            Ok(Some(computed)) => {
                if until.is_some() {
                    before.push(computed.clone());
                }
                verified.difference = difference(verified.compared, &columns.names, saved, &computed);
                verified.compared += 1;
            }
            Ok(None) => verified.is_stopped = true,
            Err(reason) => error = Some(reason),
        }
    })?;
    error.map_or(Ok(verified), Err)
}

/// Computes the next row; `None` if stopped.
pub(crate) fn next(run: &mut dyn Run, pool: &Pool, mut goes_on: impl FnMut() -> bool) -> Result<Option<String>, Error> {
    const STEP: std::time::Duration = std::time::Duration::from_millis(50);
    loop {
        if !goes_on() {
            return Ok(None);
        }
        match run.advance(pool, Budget::time(STEP)) {
            Progress::Working => {}
            Progress::Generation(row) => return Ok(Some(row.values)),
            Progress::Done => return Ok(Some(String::new())),
            Progress::Halted(reason) => return Err(reason),
        }
    }
}

/// Returns the first field that differs between two rows.
pub(crate) fn difference(row: u64, names: &[String], saved: &str, computed: &str) -> Option<Difference> {
    if saved == computed {
        return None;
    }
    let fields = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
    let own = fields(saved);
    let other = fields(computed);
    let field = |fields: &[String], at: usize| fields.get(at).cloned().unwrap_or_default();
    let at = (0..own.len().max(other.len())).find(|&at| field(&own, at) != field(&other, at))?;
    Some(Difference { row, column: field(names, at), saved: field(&own, at), computed: field(&other, at) })
}
