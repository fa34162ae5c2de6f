//! The one list of problems that programs are bred for.
//!
//! A problem is added by a folder that implements [`Problem`] and [`Shown`] and a line in the call of `problems!` below. Macros make
//! [`AnySettings`] and [`AnyRun`], which are all that the command line, the tab and the list of runs know of them.

use std::path::Path;
use std::sync::Arc;

use super::any::{self, any_of};
use super::gp::{GpRun, History, Merits, Problem, Tableau};
use super::gp::{problem::Settings as _, view::Seen};
use super::shown::{self, AnyProgram, AnyView, Shown};
use crate::crew::Crew;
use crate::document::{Listed, Problem as Mistake, Refusal, Report, Table};
use crate::game::{Side, Variant};
use crate::job::{Manifest, Progress, Rows, Run, RunJob, Watched};
use crate::player::Spec;
use crate::step::Budget;

problems! {
    Kalah(super::kalah::KalahProblem),
    Othello(super::othello::OthelloProblem),
}

/// The name of the settings in config's `[evolution]`.
pub const CUSTOM: &str = "custom";

/// The job that drives a run of any problem.
pub type AnyJob = RunJob<AnyRun>;

macro_rules! problems {
    ($($name:ident($problem:ty)),+ $(,)?) => {
        any_of! {
            GpRun: $($name($problem)),+;
            "problem", watched as Seen, seen as Arc<dyn AnyView>, made by Arc::new, presets unknown to unknown
        }

        impl AnySettings {
            /// For each problem the settings of its first preset.
            pub fn of_all() -> Vec<AnySettings> {
                let all = [$(<$problem>::preset(<$problem>::PRESETS[0].0).map(AnySettings::$name)),+];
                all.into_iter().flatten().collect()
            }

            pub fn tableau(&self) -> &Tableau {
                match self { $(AnySettings::$name(settings) => settings.tableau()),+ }
            }

            pub fn tableau_mut(&mut self) -> &mut Tableau {
                match self { $(AnySettings::$name(settings) => &mut settings.tableau),+ }
            }

            /// See [`Shown::game`].
            pub fn game(&self) -> Variant {
                match self { $(AnySettings::$name(settings) => <$problem>::game(settings)),+ }
            }

            /// See [`Shown::side`].
            pub fn side(&self) -> Side {
                match self { $(AnySettings::$name(settings) => <$problem>::side(settings)),+ }
            }

            /// See [`Shown::opponent`].
            ///
            /// # Errors
            /// It cannot be named: a sentence.
            pub fn opponent(&self) -> Result<Spec, Refusal> {
                match self { $(AnySettings::$name(settings) => <$problem>::opponent(settings)),+ }
            }

            /// See [`Shown::PLAYER`].
            pub fn player_word(&self) -> &'static str {
                match self { $(AnySettings::$name(_) => <$problem>::PLAYER),+ }
            }

            /// The player who reads a program from a file.
            ///
            /// # Errors
            /// The file cannot be read, or holds no program: why.
            pub fn player(&self, file: &Path) -> Result<Spec, Refusal> {
                match self { $(AnySettings::$name(_) => shown::player::<$problem>(file)),+ }
            }

            /// The program in the text of a file; `None` if there is none.
            pub fn program_in(&self, text: &str) -> Option<Arc<dyn AnyProgram>> {
                match self { $(AnySettings::$name(settings) => shown::program_in::<$problem>(settings, text)),+ }
            }

            fn history(&self) -> History {
                match self { $(AnySettings::$name(settings) => History::new(settings.measures())),+ }
            }
        }

        impl AnyRun {
            pub fn history(&self) -> &History {
                match &self.run { $(Inner::$name(run) => run.history()),+ }
            }

            /// The fitness of the best program so far, and the rest of what is known of it.
            pub fn best_so_far(&self) -> Option<&Merits> {
                match &self.run { $(Inner::$name(run) => run.best_so_far().map(|best| &best.individual.merits)),+ }
            }
        }
    };
}
use problems;

/// That no preset has this name; [`CUSTOM`] is none.
fn unknown(name: &str) -> String {
    any::unknown(name, AnySettings::presets().into_iter().map(|(name, _)| name), &[CUSTOM])
}

impl Default for AnySettings {
    /// Those of the first preset but one: the paper's second run.
    fn default() -> AnySettings {
        AnySettings::Kalah(super::kalah::Settings::default())
    }
}

impl AnySettings {
    /// Sets what a text such as `mutation = 2` says, seed and generations included; a value that is no TOML is taken as a text:
    /// `selection=tournament:4`.
    ///
    /// # Errors
    /// What is wrong with it, with the place.
    pub fn set_text(&mut self, text: &str) -> Result<(), Report> {
        self.read_line(text, Tableau::COMMON)
    }
}

impl Watched<AnySettings> for Seen {
    fn begin(settings: AnySettings) -> Seen {
        Seen::of(settings.history())
    }

    fn row(&mut self, row: &str) -> Result<(), String> {
        self.read_row(row)
    }

    fn timing(&mut self, row: &str) {
        self.read_timing(row);
    }
}
