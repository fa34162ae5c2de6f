//! The kinds of runs, and the list of them.
//!
//! A new kind needs a module that implements [`Run`](crate::job::Run) and [`Experiment`], and a line in [`KINDS`]; a
//! problem or a task needs a line in the list of its kind. Code for runs of all kinds, such as the command line, the
//! tabs and plans, uses [`Kind`], [`AnySettings`] and [`AnyRun`].

mod any_run;
mod any_settings;
mod experiment;

use mancalab_base::Error;
use std::path::Path;

pub use any_run::{AnyRun, AnyView, AnyWatched};
pub use any_settings::{AnySettings, DynSettings};
pub use experiment::Experiment;

use crate::arena::Tournament;
use crate::evolve::checkers::CheckersWeights;
use crate::evolve::ga::Ga;
use crate::evolve::gp::GpRun;
use crate::evolve::kalah::KalahRun;
use crate::evolve::kalah::hybrid::HybridWeights;
use crate::evolve::kalah::network::NetworkWeights;
use crate::evolve::kalah::weights::HeuristicWeights;
use crate::evolve::othello::OthelloProblem;
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::job::{Form, Manifest, RunReader};
use crate::patterns::PatternLearning;
use crate::settings::{Diagnostic, Table};
use crate::train::Training;

/// All kinds of runs.
pub static KINDS: &[Kind] = &[
    Kind::new::<KalahRun>(const { &[Member::new::<KalahRun>(), Member::new::<GpRun<OthelloProblem>>()] }),
    Kind::new::<Ga<HeuristicWeights>>(
        const {
            &[
                Member::new::<Ga<HeuristicWeights>>(),
                Member::new::<Ga<CheckersWeights>>(),
                Member::new::<Ga<HybridWeights>>(),
                Member::new::<Ga<NetworkWeights>>(),
            ]
        },
    ),
    Kind::new::<Training>(
        const {
            &[
                Member::new::<Training>(),
                Member::new::<PatternLearning<Othello>>(),
                Member::new::<PatternLearning<Checkers>>(),
            ]
        },
    ),
    Kind::new::<Tournament>(const { &[Member::new::<Tournament>()] }),
];

/// Erases types of settings. Not generic, so that a run is compiled here alone, optimised for speed.
macro_rules! erased {
    ($($settings:ty => $run:ty),+ $(,)?) => {
        $(impl From<$settings> for AnySettings {
            fn from(settings: $settings) -> AnySettings {
                AnySettings::new::<$run>(settings)
            }
        })+
    };
}
erased! {
    crate::evolve::kalah::Settings => KalahRun,
    crate::evolve::othello::Settings => GpRun<OthelloProblem>,
    crate::evolve::kalah::weights::WeightsSettings => Ga<HeuristicWeights>,
    crate::evolve::checkers::CheckersSettings => Ga<CheckersWeights>,
    crate::evolve::kalah::network::NetworkSettings => Ga<NetworkWeights>,
    crate::train::Settings => Training,
    crate::arena::Settings => Tournament,
}

/// Properties of the runs of a command; see [`Experiment`].
#[derive(Debug)]
pub struct Kind {
    pub command: &'static str,
    pub unit: &'static str,
    pub first: u64,
    pub count: &'static str,
    members: &'static [Member],
}

/// Runs with the same type of settings, among those of a command.
#[derive(Debug)]
struct Member {
    presets: &'static [(&'static str, &'static str)],
    curve: Option<&'static str>,
    preset: fn(&str) -> Option<(String, AnySettings)>,
    forms: fn() -> Vec<Form>,
    read: fn(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> AnySettings,
}

impl Member {
    const fn new<R: Experiment>() -> Member {
        Member {
            presets: R::PRESETS,
            curve: R::CURVE,
            preset: |name| R::preset(name).map(|settings| (R::title(&settings), AnySettings::new::<R>(settings))),
            forms: R::forms,
            read: |manifest, table, problems| AnySettings::new::<R>(R::read_settings(manifest, table, problems)),
        }
    }

    fn is(&self, word: &str) -> bool {
        (self.forms)().iter().any(|form| form.kind == word)
    }
}

impl Kind {
    const fn new<R: Experiment>(members: &'static [Member]) -> Kind {
        let command = R::COMMAND;
        let unit = R::UNIT;
        let first = R::FIRST;
        let count = R::COUNT;
        Kind { command, unit, first, count, members }
    }

    /// Returns the presets: (name, description).
    pub fn presets(&self) -> Vec<(&'static str, &'static str)> {
        self.members.iter().flat_map(|member| member.presets).copied().collect()
    }

    /// Returns the settings of a preset, with seed 1; `None` if the name is not in [`presets`](Kind::presets).
    pub fn preset(&self, name: &str) -> Option<AnySettings> {
        self.members.iter().find_map(|member| (member.preset)(name)).map(|(_, settings)| settings)
    }

    /// Returns example settings that together have all keys, each with its title; one if all presets have the same
    /// keys.
    pub fn samples(&self) -> Vec<(String, AnySettings)> {
        let mut samples: Vec<(String, AnySettings)> = Vec::new();
        for member in self.members {
            let Some((name, _)) = member.presets.first() else { continue };
            let Some((title, settings)) = (member.preset)(name) else { continue };
            // Two members may be for the same game.
            let is_taken = samples.iter().any(|(other, _)| *other == title);
            samples.push((if is_taken { (*name).to_owned() } else { title }, settings));
        }
        samples
    }

    /// Returns the column for comparing runs with these columns, if they have it.
    pub fn curve(&self, columns: &[String]) -> Option<&'static str> {
        let curves = self.members.iter().filter_map(|member| member.curve);
        curves.into_iter().find(|curve| columns.iter().any(|column| column == curve))
    }

    fn forms(&self) -> impl Iterator<Item = Form> {
        self.members.iter().flat_map(|member| (member.forms)())
    }

    /// Returns the values of `kind` in `run.toml`.
    pub fn words(&self) -> Vec<&'static str> {
        self.forms().map(|form| form.kind).collect()
    }

    /// Returns whether `word` is one of them.
    pub fn is(&self, word: &str) -> bool {
        self.members.iter().any(|member| member.is(word))
    }
}

/// Whether less is better in a column of `generations.csv`: errors and losses.
pub fn is_less_better(column: &str) -> bool {
    column.starts_with("error") || column.contains("loss")
}

/// Returns the kind of a command.
pub fn by_command(command: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.command == command)
}

/// Returns the kind with this word in `run.toml`.
pub fn by_word(word: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.is(word))
}

/// Returns the kind with this word in `run.toml`.
///
/// # Errors
/// This version does not know the kind.
pub fn known(word: &str) -> Result<&'static Kind, Error> {
    by_word(word).ok_or_else(|| format!("this version of mancalab has no runs of the kind '{word}'").into())
}

/// Returns the settings of the run in a directory.
///
/// # Errors
/// The directory cannot be read; the error lists all problems.
pub fn settings(folder: &Path) -> Result<AnySettings, Error> {
    RunReader::open(folder)?.settings::<AnyRun>()
}
