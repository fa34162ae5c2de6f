//! Runs whose best are measured every few generations by games of another kind than those they are bred by.
//!
//! The results are a column of the run's rows, so that they are as durable, repeatable and exportable as the rest. No other
//! column depends on them.

use std::sync::Arc;

use mancalab_base::{Error, bail};

use super::run::{Progress, Row, Run, View, Watched};
use super::run_dir::Rows;
use crate::budget::Budget;
use crate::pool::Pool;
use crate::sanitize;

/// The last column of a measured run's rows.
pub const PANEL: &str = "panel_won_drawn_lost";

/// The field of a generation that is not measured.
const NOT_MEASURED: &str = "-";

/// Games that measure a run's best.
pub trait Measurement: Send {
    /// Returns the texts of the players that it meets.
    fn players(&self) -> Vec<String>;

    /// Returns whether a field could be the results of a measurement.
    fn is_valid(&self, field: &str) -> bool;

    /// Returns whether a generation is measured, after which the run `is_over` or not.
    fn is_due(&self, generation: u64, is_over: bool) -> bool;

    /// Starts the games of the best of the run's newest generation.
    ///
    /// # Errors
    /// They cannot be played: a sentence.
    fn begin(&mut self, run: &dyn Run) -> Result<(), Error>;

    /// Plays until the budget is spent or all games have ended; then returns the results as a field of a row.
    ///
    /// # Errors
    /// They cannot be played: a sentence.
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Result<Option<String>, Error>;
}

/// The results of a run's measurements.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    players: Arc<[String]>,
    /// Generations and their fields, in order.
    results: Arc<Vec<(u64, String)>>,
}

impl Measured {
    /// Starts the results against these players.
    pub(super) fn new(players: Vec<String>) -> Measured {
        Measured { players: players.into(), results: Arc::default() }
    }

    /// Returns the texts of the players; none of a run that is not measured.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Returns the measured generations with their fields.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &str)> {
        self.results.iter().map(|(generation, field)| (*generation, field.as_str()))
    }

    /// Returns the number of measured generations.
    pub fn count(&self) -> usize {
        self.results.len()
    }

    /// Adds the field of a generation, unless it says that there are no results.
    fn push(&mut self, generation: u64, field: &str) {
        if field != NOT_MEASURED {
            Arc::make_mut(&mut self.results).push((generation, field.to_owned()));
        }
    }
}

/// Returns a row without its last field, and that field.
///
/// # Errors
/// The field is missing or invalid.
fn divide<'a>(row: &'a str, measurement: &dyn Measurement) -> Result<(&'a str, &'a str), Error> {
    let (row, field) = row.rsplit_once(',').ok_or_else(|| Error::from("the row has no results of the panel"))?;
    if field != NOT_MEASURED && !measurement.is_valid(field) {
        bail!("{PANEL} is invalid (got {})", sanitize::inline(field));
    }
    Ok((row, field))
}

/// Returns rows without the results of a measurement, and these.
///
/// # Errors
/// A row cannot be read, and why.
pub(super) fn divided(rows: Rows<'_>, measurement: &dyn Measurement) -> Result<(Vec<String>, Measured), Error> {
    let mut measured = Measured::new(measurement.players());
    let mut plain = Vec::new();
    rows.each(|row| {
        let (row, field) = divide(row, measurement)?;
        measured.push(plain.len() as u64, field);
        plain.push(row.to_owned());
        Ok(())
    })?;
    Ok((plain, measured))
}

/// A run with its measurement.
pub(super) struct MeasuredRun {
    run: Box<dyn Run>,
    measurement: Box<dyn Measurement>,
    measured: Measured,
    /// The row of the newest generation while that is measured.
    pending: Option<Row>,
}

impl MeasuredRun {
    pub fn new(run: Box<dyn Run>, measurement: Box<dyn Measurement>, measured: Measured) -> MeasuredRun {
        MeasuredRun { run, measurement, measured, pending: None }
    }

    pub fn run(&self) -> &dyn Run {
        &*self.run
    }

    /// Returns the row with the field of its measurement.
    fn complete(&mut self, Row { values, timings }: Row, field: &str) -> Progress {
        if let Some(generation) = self.run.generation() {
            self.measured.push(generation, field);
        }
        Progress::Generation(Row { values: format!("{values},{field}"), timings })
    }

    /// Measures the newest generation, or completes its row at once.
    fn begin(&mut self, row: Row) -> Result<Option<Progress>, Error> {
        let is_over = self.run.is_over();
        if !self.run.generation().is_some_and(|generation| self.measurement.is_due(generation, is_over)) {
            return Ok(Some(self.complete(row, NOT_MEASURED)));
        }
        self.pending = Some(row);
        self.measurement.begin(&*self.run)?;
        Ok(None)
    }

    fn advance_measured(&mut self, pool: &Pool, budget: Budget) -> Result<Progress, Error> {
        if self.pending.is_none() {
            let progress = match self.run.advance(pool, budget) {
                Progress::Generation(row) => self.begin(row)?,
                progress => Some(progress),
            };
            if let Some(progress) = progress {
                return Ok(progress);
            }
        }
        let Some(field) = self.measurement.advance(pool, budget)? else { return Ok(Progress::Working) };
        Ok(self.pending.take().map_or(Progress::Working, |row| self.complete(row, &field)))
    }
}

impl Run for MeasuredRun {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        self.advance_measured(pool, budget).unwrap_or_else(Progress::Halted)
    }

    /// While a generation is measured it is not complete, and the state before it is gone: none can be saved.
    fn generation(&self) -> Option<u64> {
        self.run.generation().filter(|_| self.pending.is_none())
    }

    fn individuals(&self) -> String {
        self.run.individuals()
    }

    fn is_over(&self) -> bool {
        self.pending.is_none() && self.run.is_over()
    }

    fn save(&self, pool: &Pool) -> Vec<u8> {
        self.run.save(pool)
    }

    fn restore_timings(&mut self, timings: &str) {
        self.run.restore_timings(timings);
    }

    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        self.run.product()
    }

    fn best(&self) -> String {
        self.run.best()
    }

    fn view(&self) -> View {
        self.run.view().with_measured(self.measured.clone())
    }
}

/// The view of a measured run of another process.
pub(super) struct MeasuredRows {
    seen: Box<dyn Watched>,
    measurement: Box<dyn Measurement>,
    rows: u64,
    measured: Measured,
}

impl MeasuredRows {
    pub fn new(seen: Box<dyn Watched>, measurement: Box<dyn Measurement>) -> MeasuredRows {
        let measured = Measured::new(measurement.players());
        MeasuredRows { seen, measurement, rows: 0, measured }
    }

    pub fn seen(&self) -> &dyn Watched {
        &*self.seen
    }

    pub fn measured(&self) -> &Measured {
        &self.measured
    }
}

impl Watched for MeasuredRows {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        let (row, field) = divide(row, &*self.measurement)?;
        self.seen.row(row)?;
        self.measured.push(self.rows, field);
        self.rows += 1;
        Ok(())
    }

    fn timing(&mut self, row: &str) {
        self.seen.timing(row);
    }
}
