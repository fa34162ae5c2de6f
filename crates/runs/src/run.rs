//! The interface of long runs: their settings, and the computation, which does not know its folder.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::conduct::Conduct;
use super::measured::{self, Measured, MeasuredRows, MeasuredRun, Measurement, PANEL};
use super::run_dir::{self, Manifest, Rows};
use crate::budget::Budget;
use crate::pool::Pool;
use crate::settings::{Diagnostic, KeyedSettings, Table};
use mancalab_base::Error;

/// Everything that determines the results of a run, and how such runs are started, restored and read.
pub trait RunSettings: KeyedSettings + Any + Send + Sync {
    /// Returns a copy.
    fn boxed(&self) -> Box<dyn RunSettings>;

    /// Returns the file format of these runs.
    fn form(&self) -> Form;

    fn manifest(&self) -> Manifest;

    /// Returns the columns of `generations.csv` without those of a [`Measurement`]: names with units, the generation first.
    fn columns(&self) -> &'static str;

    /// Returns the header line of `individuals.csv`; `None` if such runs have no individuals.
    fn individual_columns(&self) -> Option<&'static str> {
        None
    }

    /// Returns the files that the settings name, such as a player's: a name for users and a checksum of the content,
    /// which must not change during the run.
    fn files(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// Returns how the run is conducted.
    fn conduct(&self) -> Conduct;

    /// Returns the description of a setting that is not [keyed](KeyedSettings).
    fn about_unlisted(&self, key: &str) -> Option<&'static str> {
        match key {
            "seed" => Some("decides all random choices; the same seed and settings give the same run"),
            "generations" => Some("number of generations after the initial one"),
            _ => None,
        }
    }

    /// Returns the offered values of a setting: all, or typical ones.
    fn offers(&self, key: &str) -> Vec<String> {
        self.words(key).into_iter().map(str::to_owned).collect()
    }

    /// Checks the combination of settings.
    ///
    /// # Errors
    /// Settings that exclude each other; the error describes what is accepted.
    fn check(&self) -> Result<(), Error>;

    /// Checks whether a run with the settings `parent` can go on with these.
    ///
    /// # Errors
    /// A setting differs whose change would contradict what the run has computed: a sentence that names it.
    fn check_fork(&self, _parent: &dyn RunSettings) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the settings of a longer run with the same rows as far as this one goes. By default no row depends on the
    /// number of generations.
    ///
    /// # Errors
    /// A setting does not allow a longer run with the same rows: a sentence that names it.
    fn extended(&self, generations: u64) -> Result<Box<dyn RunSettings>, Error> {
        let mut settings = self.boxed();
        settings.set("generations", &generations.to_string())?;
        Ok(settings)
    }

    /// Returns the games by which the run's best are measured; `None` if they are not.
    ///
    /// # Errors
    /// The settings of the measurement cannot be used: a sentence.
    fn measurement(&self) -> Result<Option<Box<dyn Measurement>>, Error> {
        Ok(None)
    }

    /// Starts a run without its [measurement](RunSettings::measurement).
    ///
    /// # Errors
    /// The settings cannot be used: a sentence.
    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error>;

    /// Restores a run without its measurement from a saved `state`; `rows` are those up to then, as from [`Run::advance`].
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error>;

    /// Returns the view of a run of another process, before its first row, without its measurement.
    fn watch_unmeasured(&self) -> Box<dyn Watched>;

    /// Returns the view of a run of another process from the `state` of its newest checkpoint and the view `seen` of
    /// its rows. `None` if the rows suffice, or the state is invalid.
    fn view_from_checkpoint(&self, _state: &[u8], _seen: &dyn Watched) -> Option<View> {
        None
    }
}

/// A computation in generations (of a population, or rounds of a tournament) that can be stopped after any of them and
/// resumed on any machine.
///
/// Its results depend on its settings alone, not on threads, budgets, clocks or interruptions.
pub trait Run: Any + Send {
    /// Computes until the budget is spent or a generation ends.
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress;

    /// Returns the newest complete generation.
    fn generation(&self) -> Option<u64>;

    /// Returns the individuals of that generation as CSV rows, a line each without the last line end.
    fn individuals(&self) -> String {
        String::new()
    }

    /// Returns whether all generations are complete, or no more are needed.
    fn is_over(&self) -> bool;

    /// Returns the complete state as of the end of that generation; work on the next may be omitted.
    fn save(&self, pool: &Pool) -> Vec<u8>;

    /// Reads a row of `timings.csv` of a resumed run; affects only displayed times.
    fn restore_timings(&mut self, _timings: &str) {}

    /// Returns the run's output for other programs as of the end of that generation: the name of its file beside the
    /// checkpoint, and the content. `None` if there is none.
    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        None
    }

    /// Returns the best so far for users: a first line with a summary, then the details.
    fn best(&self) -> String;

    /// Returns a view for display, cheap to create and clone.
    fn view(&self) -> View;
}

/// The view of a run of another process, built from its rows.
pub trait Watched: Any + Send {
    /// Adds a row of `generations.csv`.
    ///
    /// # Errors
    /// The row is invalid: a sentence.
    fn row(&mut self, row: &str) -> Result<(), Error>;

    /// Adds a row of `timings.csv`; invalid fields are ignored.
    fn timing(&mut self, row: &str);
}

/// A view of a run of any kind, for display.
#[derive(Clone)]
pub struct View {
    run: Arc<dyn Any + Send + Sync>,
    measured: Measured,
}

/// The file format of a kind of run, and how its settings are read.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The kind, in a word.
    pub kind: &'static str,
    /// Increases with every change to the output of [`save`](Run::save).
    pub format: u32,
    /// The header line of `timings.csv`, the generation first.
    pub timing_columns: &'static str,
    /// Settings that affect no row, only whether the run can continue: users may change them in `run.toml`, as well as those of
    /// [`Conduct`].
    pub free: &'static [&'static str],
    /// The column of `generations.csv` that tells how far a run is, for comparing runs and ending them; `None` if there is none.
    pub curve: Option<&'static str>,
    /// Reads `[settings]` of `run.toml` and notes problems; the result is used only without problems.
    pub read: fn(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> Box<dyn RunSettings>,
}

impl Form {
    /// Returns the unit of the rows: `generation`, or `round` of tournaments.
    pub fn unit(&self) -> &'static str {
        self.timing_columns.split(',').next().unwrap_or_default()
    }

    /// Returns the number of a row for users: generations count from 0, rounds from 1.
    pub(super) fn number(&self, row: u64) -> u64 {
        row + u64::from(self.unit() == "round")
    }
}

impl View {
    pub fn new<V: Send + Sync + 'static>(view: V) -> View {
        View { run: Arc::new(view), measured: Measured::default() }
    }

    pub(super) fn with_measured(self, measured: Measured) -> View {
        View { measured, ..self }
    }

    /// Returns the view as its own type.
    pub fn get<V: 'static>(&self) -> Option<&V> {
        self.run.downcast_ref()
    }

    /// Returns the results of the run's measurements.
    pub fn measured(&self) -> &Measured {
        &self.measured
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("View")
    }
}

impl dyn Run {
    /// Returns the run as its own type.
    pub fn get<R: Run>(&self) -> Option<&R> {
        let run: &dyn Any = self;
        run.downcast_ref::<MeasuredRun>().map_or_else(|| run.downcast_ref(), |measured| measured.run().get())
    }
}

impl dyn Watched {
    /// Returns the view as its own type.
    pub fn get<W: Watched>(&self) -> Option<&W> {
        let watched: &dyn Any = self;
        self.with_measurement().map_or_else(|| watched.downcast_ref(), |rows| rows.seen().get())
    }

    /// Returns the results of the run's measurements.
    pub fn measured(&self) -> Measured {
        self.with_measurement().map(|rows| rows.measured().clone()).unwrap_or_default()
    }

    fn with_measurement(&self) -> Option<&MeasuredRows> {
        let watched: &dyn Any = self;
        watched.downcast_ref()
    }
}

impl dyn RunSettings {
    /// Returns the settings as their own type.
    pub fn get<S: RunSettings>(&self) -> Option<&S> {
        let settings: &dyn Any = self;
        settings.downcast_ref()
    }

    /// Returns the header line of `generations.csv`.
    pub fn header(&self) -> String {
        match self.measurement() {
            Ok(Some(_)) => format!("{},{PANEL}", self.columns()),
            _ => self.columns().to_owned(),
        }
    }

    /// Starts a run.
    ///
    /// # Errors
    /// The settings cannot be used: a sentence.
    pub fn start(&self) -> Result<Box<dyn Run>, Error> {
        let run = self.start_unmeasured()?;
        let Some(measurement) = self.measurement()? else { return Ok(run) };
        let measured = Measured::new(measurement.players());
        Ok(Box::new(MeasuredRun::new(run, measurement, measured)))
    }

    /// Restores a run from a saved `state`; `rows` are those up to then, as from [`Run::advance`].
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    pub fn restore(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        let Some(measurement) = self.measurement()? else { return self.restore_unmeasured(state, rows) };
        let (rows, measured) = measured::divided(rows, &*measurement)?;
        let run = self.restore_unmeasured(state, Rows::in_memory(&rows))?;
        Ok(Box::new(MeasuredRun::new(run, measurement, measured)))
    }

    /// Returns the view of a run of another process, before its first row.
    pub fn watch(&self) -> Box<dyn Watched> {
        let seen = self.watch_unmeasured();
        match self.measurement() {
            Ok(Some(measurement)) => Box::new(MeasuredRows::new(seen, measurement)),
            _ => seen,
        }
    }

    /// Returns the view of a run of another process from the `state` of its newest checkpoint and the view `seen` of its rows; see
    /// [`RunSettings::view_from_checkpoint`].
    pub fn view_of_checkpoint(&self, state: &[u8], seen: &dyn Watched) -> Option<View> {
        Some(self.view_from_checkpoint(state, seen)?.with_measured(seen.measured()))
    }

    /// Returns the description of a setting, with its range.
    pub fn about(&self, key: &str) -> &'static str {
        let listed = || self.list().into_iter().find(|(known, ..)| *known == key).map_or("", |(_, about, _)| about);
        self.about_unlisted(key).unwrap_or_else(listed)
    }
}

impl<S: RunSettings> From<S> for Box<dyn RunSettings> {
    fn from(settings: S) -> Box<dyn RunSettings> {
        Box::new(settings)
    }
}

impl Clone for Box<dyn RunSettings> {
    fn clone(&self) -> Box<dyn RunSettings> {
        (**self).boxed()
    }
}

impl PartialEq for dyn RunSettings {
    fn eq(&self, other: &dyn RunSettings) -> bool {
        let parts = |settings: &dyn RunSettings| {
            let Manifest { kind, preset, seed, generations, .. } = settings.manifest();
            (kind, preset, seed, generations, settings.to_text())
        };
        parts(self) == parts(other)
    }
}

impl fmt::Debug for dyn RunSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Manifest { seed, generations, .. } = self.manifest();
        let list = self.list().into_iter().map(|(key, _, value)| (key, value));
        let head = [("seed", seed.to_string()), ("generations", generations.to_string())];
        f.debug_map().entries(head.into_iter().chain(list)).finish()
    }
}

/// The result of [`Run::advance`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The budget is spent.
    Working,
    /// A generation is complete.
    Generation(Row),
    /// All generations are complete, or no more are needed.
    Done,
    /// The next generation cannot be computed with these settings: why, and what to do. Complete ones are valid.
    Halted(Error),
}

/// The rows of a generation, without line ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub values: String,
    pub timings: String,
}

/// The view of a run and of its folder.
#[derive(Clone, Debug)]
pub struct RunView {
    pub run: View,
    /// The newest checkpoint; `None` before the first, or without a folder.
    pub saved: Option<run_dir::SavedGeneration>,
    /// Why the run had to stop, such as a full disk.
    pub error: Option<Error>,
}
