//! The interface of a long run, which computes without knowing its folder.

use super::run_dir::{self, Manifest, Rows};
use crate::budget::Budget;
use crate::pool::Pool;
use crate::settings::{Diagnostic, Table};
use mancalab_base::Error;

/// A computation in generations (of a population, or rounds of a tournament) that can be stopped after any of them and
/// resumed on any machine.
///
/// Its results depend on its settings alone, not on threads, budgets, clocks or interruptions.
pub trait Run: Send + Sized + 'static {
    /// Everything that determines the results.
    type Settings: Clone + Send;
    /// A view for display, cheap to create and clone.
    type View: Clone + Send + 'static;
    /// The view of a run that another process computes.
    type Watched: Watched<Self::Settings>;

    /// Returns the file formats of such runs, one for each kind; [`manifest`](Run::manifest) names a run's kind.
    fn forms() -> Vec<Form>;

    fn manifest(settings: &Self::Settings) -> Manifest;

    /// Returns the header line of `generations.csv`: column names with units, the generation first.
    fn columns(settings: &Self::Settings) -> &'static str;

    /// Returns the header line of `individuals.csv`; `None` if such runs have no individuals.
    fn individual_columns(_settings: &Self::Settings) -> Option<&'static str> {
        None
    }

    /// Returns the settings as lines of TOML, for [`read_settings`](Run::read_settings).
    fn settings_text(settings: &Self::Settings) -> String;

    /// Reads the output of [`settings_text`](Run::settings_text) and notes problems; the result is used only without
    /// problems.
    fn read_settings(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Self::Settings;

    /// Returns the files that the settings name, such as a player's: a name for users and a checksum of the content,
    /// which must not change during the run.
    fn files(_settings: &Self::Settings) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// Returns the settings of a longer run with the same rows as far as this one goes.
    ///
    /// # Errors
    /// A setting does not allow a longer run with the same rows: a sentence that names it.
    fn extended(settings: &Self::Settings, generations: u64) -> Result<Self::Settings, Error>;

    /// # Errors
    /// The settings cannot be used: a sentence.
    fn start(settings: Self::Settings) -> Result<Self, Error>;

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

    /// Restores a run from a saved `state`; `rows` are those up to then, as from [`advance`](Run::advance).
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    fn restore(settings: Self::Settings, state: &[u8], rows: Rows<'_>) -> Result<Self, Error>;

    /// Returns the view of a run of another process from the `state` of its newest checkpoint and the view `seen` of
    /// its rows. `None` if the rows suffice, or the state is invalid.
    fn view_from_checkpoint(_settings: &Self::Settings, _state: &[u8], _seen: &Self::Watched) -> Option<Self::View> {
        None
    }

    /// Reads a row of `timings.csv` of a resumed run; affects only displayed times.
    fn restore_timings(&mut self, _timings: &str) {}

    /// Returns the run's output for other programs as of the end of that generation: the name of its file beside the
    /// checkpoint, and the content. `None` if there is none.
    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        None
    }

    /// Returns the best so far for users: a first line with a summary, then the details.
    fn best(&self) -> String;

    fn view(&self) -> Self::View;
}

/// The file format of a kind of run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// The kind, in a word.
    pub kind: &'static str,
    /// Increases with every change to the output of [`save`](Run::save).
    pub format: u32,
    /// The header line of `timings.csv`, the generation first.
    pub timing_columns: &'static str,
    /// Settings that affect no row, only whether the run can continue: users may change them in `run.toml`.
    pub free: &'static [&'static str],
}

/// The view of a run of another process, built from its rows.
pub trait Watched<S>: Sized + Send + 'static {
    /// Creates the view before the first row.
    fn begin(settings: S) -> Self;

    /// Adds a row of `generations.csv`.
    ///
    /// # Errors
    /// The row is invalid: a sentence.
    fn row(&mut self, row: &str) -> Result<(), Error>;

    /// Adds a row of `timings.csv`; invalid fields are ignored.
    fn timing(&mut self, row: &str);
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
#[derive(Clone, PartialEq, Debug)]
pub struct RunView<V> {
    pub run: V,
    /// The newest checkpoint; `None` before the first, or without a folder.
    pub saved: Option<run_dir::SavedGeneration>,
    /// Why the run had to stop, such as a full disk.
    pub error: Option<Error>,
}
