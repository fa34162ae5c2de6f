//! The kinds of runs, and the one list of them.
//!
//! A kind is added by a module that implements [`Run`](crate::job::Run) and [`Experiment`], and a line in [`KINDS`]. Whoever handles runs of
//! all kinds, such as the command line, the tabs and plans, does so by a [`Kind`], [`AnySettings`] and [`AnyRun`].

mod any;
mod experiment;

use std::path::Path;

pub use any::{AnyRun, AnySettings, AnyView, AnyWatched, DynSettings};
pub use experiment::Experiment;

use crate::document::{Problem, Refusal, Table};
use crate::evolve::{problems, tasks};
use crate::job::{Form, Manifest, RunReader};
use crate::train::Training;

/// The kinds of runs there are.
pub static KINDS: [Kind; 4] = [
    Kind::of::<problems::AnyRun>(),
    Kind::of::<tasks::AnyRun>(),
    Kind::of::<Training>(),
    Kind::of::<crate::arena::Tournament>(),
];

/// What is known of a kind of run, see [`Experiment`].
#[derive(Debug)]
pub struct Kind {
    pub command: &'static str,
    pub unit: &'static str,
    pub first: u64,
    pub count: &'static str,
    pub curve: Option<&'static str>,
    pub presets: fn() -> Vec<(&'static str, &'static str)>,
    pub preset: fn(&str) -> Result<AnySettings, String>,
    pub samples: fn() -> Vec<(String, AnySettings)>,
    forms: fn() -> Vec<Form>,
    read: fn(&Manifest, &Table<'_>, &mut Vec<Problem>) -> AnySettings,
}

impl Kind {
    const fn of<R: Experiment>() -> Kind {
        Kind {
            command: R::COMMAND,
            unit: R::UNIT,
            first: R::FIRST,
            count: R::COUNT,
            curve: R::CURVE,
            presets: R::presets,
            preset: |name| R::preset(name).map(AnySettings::of::<R>),
            samples: || R::samples().into_iter().map(|(of, settings)| (of, AnySettings::of::<R>(settings))).collect(),
            forms: R::forms,
            read: |manifest, table, problems| AnySettings::of::<R>(R::read_settings(manifest, table, problems)),
        }
    }

    /// The kind's words in `run.toml`.
    pub fn words(&self) -> Vec<&'static str> {
        (self.forms)().iter().map(|form| form.kind).collect()
    }

    /// Whether this is one of its words.
    pub fn is(&self, word: &str) -> bool {
        self.words().contains(&word)
    }
}

/// The kind that a command drives.
pub fn by_command(command: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.command == command)
}

/// The kind with this word in `run.toml`.
pub fn by_word(word: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.is(word))
}

/// The kind with this word in `run.toml`.
///
/// # Errors
/// It is none that this version knows.
pub fn known(word: &str) -> Result<&'static Kind, Refusal> {
    by_word(word).ok_or_else(|| format!("this version of mancalab knows no runs of the kind '{word}'").into())
}

/// The settings of the run in a folder, and what is told of it besides.
///
/// # Errors
/// It cannot be read: all that is wrong.
pub fn settings(folder: &Path) -> Result<AnySettings, Refusal> {
    RunReader::open(folder)?.settings::<AnyRun>()
}
