//! The one list of problems that programs are bred for.
//!
//! A problem is added by a folder that implements [`Problem`] and [`Shown`] and a line in the call of `problems!` below. Macros make
//! [`AnySettings`] and [`AnyRun`], which are all that the command line, the tab and the list of runs know of them, and `AnyEpoch`, an
//! island's share of a run.

use std::path::Path;
use std::sync::Arc;

use super::any::{self, any_of};
pub use super::gp::islands::{self, Epoch, EpochProgress};
use super::gp::{GpRun, History, Merits, Problem, Tableau};
use super::gp::{problem::Settings as _, view::Seen};
use super::shown::{self, AnyProgram, AnyView, Shown};
use crate::crew::Crew;
use crate::document::{Field, Listed, Problem as Mistake, Refusal, Table};
use crate::game::{Side, Variant};
use crate::job::{Form, Manifest, Progress, Row, Rows, Run, RunJob, Watched};
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

            /// See [`GpRun::take_epoch`].
            ///
            /// # Errors
            /// What is given are not the finished results of all islands in the next epoch, or `row` gave the error: a sentence.
            pub(crate) fn take_epoch(
                &mut self,
                results_of_all_islands: &[&[u8]],
                row: &mut dyn FnMut(Row) -> Result<(), String>,
            ) -> Result<Progress, String> {
                match &mut self.run { $(Inner::$name(run) => run.take_epoch(results_of_all_islands, row)),+ }
            }
        }

        /// An epoch of one island of a run of any problem; see [`Epoch`].
        pub(crate) struct AnyEpoch(InnerEpoch);

        enum InnerEpoch { $($name(Box<Epoch<$problem>>)),+ }

        impl AnySettings {
            /// See [`islands::check`].
            ///
            /// # Errors
            /// The run cannot be computed island by island: a sentence that names the setting which stands in the way.
            pub(crate) fn check_islands(&self) -> Result<(), String> {
                match self { $(AnySettings::$name(settings) => islands::check::<$problem>(settings)),+ }
            }
        }

        impl AnyEpoch {
            /// See [`Epoch::begin`].
            ///
            /// # Errors
            /// There is no such epoch, or what is given is not what it has to begin from: a sentence.
            pub(crate) fn begin(
                settings: &AnySettings,
                island: u32,
                epoch: u64,
                own: Option<&[u8]>,
                neighbour: Option<&[u8]>,
            ) -> Result<AnyEpoch, String> {
                let inner = match settings {
                    $(AnySettings::$name(settings) => {
                        InnerEpoch::$name(Box::new(Epoch::begin(settings, island, epoch, own, neighbour)?))
                    }),+
                };
                Ok(AnyEpoch(inner))
            }

            /// See [`Epoch::resume`].
            ///
            /// # Errors
            /// As [`begin`](AnyEpoch::begin), or `saved` is not of this epoch: a sentence.
            pub(crate) fn resume(
                settings: &AnySettings,
                island: u32,
                epoch: u64,
                own: Option<&[u8]>,
                neighbour: Option<&[u8]>,
                saved: &[u8],
            ) -> Result<AnyEpoch, String> {
                let inner = match settings {
                    $(AnySettings::$name(settings) => {
                        InnerEpoch::$name(Box::new(Epoch::resume(settings, island, epoch, own, neighbour, saved)?))
                    }),+
                };
                Ok(AnyEpoch(inner))
            }

            /// See [`Epoch::advance`].
            pub(crate) fn advance(&mut self, crew: &Crew, budget: Budget) -> EpochProgress {
                match &mut self.0 { $(InnerEpoch::$name(epoch) => epoch.advance(crew, budget)),+ }
            }

            /// See [`Epoch::generations`].
            pub(crate) fn generations(&self) -> (u64, u64) {
                match &self.0 { $(InnerEpoch::$name(epoch) => epoch.generations()),+ }
            }

            /// See [`Epoch::save`].
            pub(crate) fn save(&self) -> Vec<u8> {
                match &self.0 { $(InnerEpoch::$name(epoch) => epoch.save()),+ }
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
    /// How many islands breed apart.
    pub(crate) fn islands(&self) -> u32 {
        self.tableau().islands
    }

    /// How many epochs each of them has, at least one.
    pub(crate) fn epochs(&self) -> u64 {
        islands::epochs(self.tableau())
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
