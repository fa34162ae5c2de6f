//! What a long run has to say of itself: it computes, and knows nothing of its directory.

use super::run_dir::{self, Manifest, Rows};
use crate::budget::Budget;
use crate::pool::Pool;
use crate::settings::{Problem, Table};
use mancalab_base::Error;

/// A computation in generations (of a population, or the rounds of a tournament) that can be stopped after any of them and taken up again, on any machine.
///
/// What it computes follows from its settings alone: not from threads, budgets, clocks, or from being stopped and restored.
pub trait Run: Send + Sized + 'static {
    /// All that decides what is computed.
    type Settings: Clone + Send;
    /// What there is to see, cheap to make and to copy.
    type View: Clone + Send + 'static;
    /// What there is to see of one that another process writes.
    type Watched: Watched<Self::Settings>;

    /// What the files of such runs are like; of all kinds, if there are several, of which [`manifest`](Run::manifest) says the one
    /// that a run is.
    fn forms() -> Vec<Form>;

    fn manifest(settings: &Self::Settings) -> Manifest;

    /// The header line of `generations.csv`: names with their units, the first being the generation.
    fn columns(settings: &Self::Settings) -> &'static str;

    /// The settings as lines of TOML, for [`read_settings`](Run::read_settings).
    fn settings_text(settings: &Self::Settings) -> String;

    /// Reads what [`settings_text`](Run::settings_text) wrote, and notes what is wrong with it; what it gives then is not used.
    fn read_settings(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Problem>) -> Self::Settings;

    /// What the settings name and is read from elsewhere, such as a player's file: what people call it, and a checksum of what it
    /// holds, which must not change in the middle of a run.
    fn files(_settings: &Self::Settings) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// The settings of a run that goes on until this generation and gives the same rows up to where one with these `settings`
    /// ends.
    ///
    /// # Errors
    /// There is none: a sentence that names the setting which stands in the way.
    fn extended(settings: &Self::Settings, generations: u64) -> Result<Self::Settings, Error>;

    /// # Errors
    /// The settings cannot be run with: a sentence.
    fn start(settings: Self::Settings) -> Result<Self, Error>;

    /// Works on with this pool until the budget is spent, and no further than to the end of a generation.
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress;

    /// The newest generation that has ended.
    fn generation(&self) -> Option<u64>;

    /// All generations have ended, or no more are needed.
    fn is_over(&self) -> bool;

    /// The whole state as of the end of that generation; work on the next may be left out.
    fn save(&self, pool: &Pool) -> Vec<u8>;

    /// The run that [`save`](Run::save)d `state`; `rows` are the rows up to then, as [`advance`](Run::advance) gave them.
    ///
    /// # Errors
    /// The state makes no sense, or is another than the rows tell: a sentence.
    fn restore(settings: Self::Settings, state: &[u8], rows: Rows<'_>) -> Result<Self, Error>;

    /// What there is to see of a run that another process writes: what the `state` of its newest checkpoint tells beside what has
    /// been `seen` of its rows. `None` if the rows tell all there is, or the state makes no sense.
    fn view_from_checkpoint(_settings: &Self::Settings, _state: &[u8], _seen: &Self::Watched) -> Option<Self::View> {
        None
    }

    /// Takes in a row of `timings.csv` of a run that is taken up: what is told of the time before, and nothing follows from.
    fn restore_timings(&mut self, _timings: &str) {}

    /// What the run makes for other programs, as of the end of that generation: the name of its file beside the checkpoint, and what
    /// it holds. `None` if there is no such thing.
    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        None
    }

    /// The best so far for people: a first line that tells it in short, then whatever there is to keep.
    fn best(&self) -> String;

    fn view(&self) -> Self::View;
}

/// What the files of a kind of run are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// What runs, in a word.
    pub kind: &'static str,
    /// Goes up with every change to what [`save`](Run::save) writes.
    pub format: u32,
    /// The header line of `timings.csv`, the first being the generation.
    pub timing_columns: &'static str,
    /// The settings that no row follows from, only whether the run may go on: people may change them in `run.toml`.
    pub free: &'static [&'static str],
}

/// What is seen of a run that another process writes, made of its rows as they come.
pub trait Watched<S>: Sized + Send + 'static {
    /// Before the first row.
    fn begin(settings: S) -> Self;

    /// Takes in the next row of `generations.csv`.
    ///
    /// # Errors
    /// It is no such row: a sentence.
    fn row(&mut self, row: &str) -> Result<(), Error>;

    /// Takes in the next row of `timings.csv`, of which what it cannot tell is left out.
    fn timing(&mut self, row: &str);
}

/// How far [`Run::advance`] came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The budget is spent.
    Working,
    /// A generation has ended.
    Generation(Row),
    /// All generations have, or no more are needed; nothing more happens.
    Done,
    /// The next generation cannot be made with these settings: why, and what to do, in a sentence. Those that have ended are whole.
    Halted(Error),
}

/// The rows of a generation, without line ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub values: String,
    pub timings: String,
}

/// What there is to see of a run and of its directory.
#[derive(Clone, PartialEq, Debug)]
pub struct RunView<V> {
    pub run: V,
    /// The newest checkpoint; `None` before the first, or without a directory.
    pub saved: Option<run_dir::Saved>,
    /// Why the run had to stop, such as a full disk.
    pub error: Option<Error>,
}
