//! The one list of problems that programs are bred for.
//!
//! A problem is added by a folder that implements [`Problem`] and [`Shown`] and a line in the call of `problems!` below. The macro makes
//! [`AnySettings`] and [`AnyRun`], which are all that the command line, the tab and the list of runs know of them.

use std::path::Path;
use std::sync::Arc;

use super::gp::{GpRun, History, Merits, Problem, Tableau};
use super::gp::{problem::Settings as _, view::Seen};
use super::shown::{self, AnyProgram, AnyView, Shown};
use crate::crew::Crew;
use crate::document::{Listed, Problem as Mistake, Refusal, Report, Table, nearest};
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

/// A run of any problem as it stands, with its settings.
#[derive(Clone)]
pub struct Sight {
    pub settings: Arc<AnySettings>,
    pub view: Arc<dyn AnyView>,
}

macro_rules! problems {
    ($($name:ident($problem:ty)),+ $(,)?) => {
        /// The settings of a run of any problem.
        #[derive(Clone, PartialEq, Debug)]
        pub enum AnySettings { $($name(<$problem as Problem>::Settings)),+ }

        /// A run of any problem.
        pub struct AnyRun {
            settings: Arc<AnySettings>,
            run: Inner,
        }

        enum Inner { $($name(Box<GpRun<$problem>>)),+ }

        impl AnySettings {
            /// The presets of all problems: (name, what it is).
            pub fn presets() -> Vec<(&'static str, &'static str)> {
                [$(<$problem>::PRESETS),+].into_iter().flatten().copied().collect()
            }

            /// For each problem the settings of its first preset.
            pub fn of_all() -> Vec<AnySettings> {
                let all = [$(<$problem>::preset(<$problem>::PRESETS[0].0).map(AnySettings::$name)),+];
                all.into_iter().flatten().collect()
            }

            /// The settings of a preset, with seed 1; [`CUSTOM`] is none.
            ///
            /// # Errors
            /// No preset is called so.
            pub fn preset(name: &str) -> Result<AnySettings, String> {
                $(if let Some(settings) = <$problem>::preset(name) {
                    return Ok(AnySettings::$name(settings));
                })+
                Err(unknown(name))
            }

            /// The words that a setting takes, if it is one of a few.
            pub fn words(&self, key: &str) -> Vec<&'static str> {
                match self { $(AnySettings::$name(_) => <$problem>::words(key)),+ }
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

        impl Listed for AnySettings {
            fn list(&self) -> Vec<(&'static str, &'static str, String)> {
                match self { $(AnySettings::$name(settings) => settings.list()),+ }
            }

            fn set(&mut self, key: &str, value: &str) -> Result<(), Refusal> {
                match self { $(AnySettings::$name(settings) => settings.set(key, value)),+ }
            }

            fn before(&self, key: &str) -> Option<&'static str> {
                match self { $(AnySettings::$name(settings) => settings.before(key)),+ }
            }
        }

        impl AnyRun {
            /// What there is to see, without what is cheap to leave out.
            pub fn sight(&self) -> Arc<dyn AnyView> {
                match &self.run { $(Inner::$name(run) => Arc::new(run.view())),+ }
            }

            pub fn history(&self) -> &History {
                match &self.run { $(Inner::$name(run) => run.history()),+ }
            }

            /// The fitness of the best program so far, and the rest of what is known of it.
            pub fn best_so_far(&self) -> Option<&Merits> {
                match &self.run { $(Inner::$name(run) => run.best_so_far().map(|best| &best.individual.merits)),+ }
            }
        }

        impl Run for AnyRun {
            const KINDS: &'static [&'static str] = &[$(<$problem>::KIND),+];
            const FORMAT: u32 = 1;
            const TIMING_COLUMNS: &'static str = super::gp::run::TIMING_COLUMNS;
            const FREE: &'static [&'static str] = super::gp::run::FREE;
            type Settings = AnySettings;
            type View = Sight;
            type Watched = Seen;

            fn manifest(settings: &AnySettings) -> Manifest {
                match settings { $(AnySettings::$name(settings) => GpRun::<$problem>::manifest(settings)),+ }
            }

            fn columns(settings: &AnySettings) -> &'static str {
                match settings { $(AnySettings::$name(settings) => GpRun::<$problem>::columns(settings)),+ }
            }

            fn settings_text(settings: &AnySettings) -> String {
                settings.to_text()
            }

            /// The kind says which problem it is.
            fn read_settings(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Mistake>) -> AnySettings {
                $(if manifest.kind == <$problem>::KIND {
                    return AnySettings::$name(GpRun::<$problem>::read_settings(manifest, table, problems));
                })+
                problems.push(Mistake::new(table.at(), format!("no problem has the kind '{}'", manifest.kind)));
                AnySettings::default()
            }

            fn files(settings: &AnySettings) -> Vec<(String, u64)> {
                match settings { $(AnySettings::$name(settings) => settings.files()),+ }
            }

            fn extended(settings: &AnySettings, generations: u64) -> Result<AnySettings, String> {
                match settings {
                    $(AnySettings::$name(settings) => GpRun::<$problem>::extended(settings, generations).map(AnySettings::$name)),+
                }
            }

            fn start(settings: AnySettings) -> Result<AnyRun, String> {
                let run = match settings.clone() { $(AnySettings::$name(settings) => Inner::$name(Box::new(GpRun::start(settings)?))),+ };
                Ok(AnyRun { settings: Arc::new(settings), run })
            }

            fn advance(&mut self, crew: &Crew, budget: Budget) -> Progress {
                match &mut self.run { $(Inner::$name(run) => run.advance(crew, budget)),+ }
            }

            fn generation(&self) -> Option<u64> {
                match &self.run { $(Inner::$name(run) => run.generation()),+ }
            }

            fn is_over(&self) -> bool {
                match &self.run { $(Inner::$name(run) => run.is_over()),+ }
            }

            fn save(&self, crew: &Crew) -> Vec<u8> {
                match &self.run { $(Inner::$name(run) => run.save(crew)),+ }
            }

            fn restore(settings: AnySettings, state: &[u8], rows: Rows<'_>) -> Result<AnyRun, String> {
                let run = match settings.clone() {
                    $(AnySettings::$name(settings) => Inner::$name(Box::new(GpRun::restore(settings, state, rows)?))),+
                };
                Ok(AnyRun { settings: Arc::new(settings), run })
            }

            fn glimpse(settings: &AnySettings, state: &[u8], seen: &Seen) -> Option<Sight> {
                let view: Arc<dyn AnyView> = match settings {
                    $(AnySettings::$name(settings) => Arc::new(GpRun::<$problem>::glimpse(settings, state, seen)?)),+
                };
                Some(Sight { settings: Arc::new(settings.clone()), view })
            }

            fn recall(&mut self, timings: &str) {
                match &mut self.run { $(Inner::$name(run) => run.recall(timings)),+ }
            }

            fn best(&self) -> String {
                match &self.run { $(Inner::$name(run) => run.best()),+ }
            }

            fn view(&self) -> Sight {
                Sight { settings: Arc::clone(&self.settings), view: self.sight() }
            }
        }
    };
}
use problems;

/// That no preset has this name.
fn unknown(name: &str) -> String {
    let names: Vec<&str> = AnySettings::presets().iter().map(|(name, _)| *name).collect();
    let near = nearest(name, names.iter().copied());
    let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    format!("no preset is called '{name}'{hint}; known: {}, {CUSTOM}", names.join(", "))
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

impl AnyRun {
    pub fn settings(&self) -> &AnySettings {
        &self.settings
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
