//! The one list of what the genetic algorithm over numbers tunes.
//!
//! A task is added by a folder that implements [`Task`] and a line in the call of `tasks!` below. Macros make [`AnySettings`] and
//! [`AnyRun`], which are all that the command line, the tab and the list of runs know of them.

use std::sync::Arc;

use super::any::{self, any_of};
use super::ga::bracket::Pairing;
use super::ga::play::GameKey;
use super::ga::{Bracket, Ga, GaView, Gene, Genome, Past, Ranked, Task};
use crate::crew::Crew;
use crate::document::{Field, Listed, Problem as Mistake, Refusal, Table};
use crate::game::record::Record;
use crate::game::{Move, Variant};
use crate::job::{Form, Manifest, Progress, Rows, Run, RunJob, Watched};
use crate::kinds::Experiment;
use crate::step::Budget;

tasks! {
    KalahWeights(super::kalah::weights::HeuristicWeights),
    CheckersWeights(super::checkers::CheckersWeights),
    KalahHybrid(super::kalah::hybrid::HybridWeights),
}

/// The job that drives a run of any task.
pub type AnyJob = RunJob<AnyRun>;

/// What a task's genes weigh, for people.
pub struct Labels {
    /// A short name, and a few words.
    pub genes: Vec<(&'static str, &'static str)>,
    /// Between which values each ended in the source, if it says so.
    pub published: Option<Vec<(f64, f64)>>,
    /// See [`Task::RELATIVE`].
    pub relative: bool,
    /// See [`Task::is_knockout`].
    pub knockout: bool,
}

macro_rules! tasks {
    ($($name:ident($task:ty)),+ $(,)?) => {
        any_of! {
            Ga: $($name($task)),+;
            "task", watched as GaView, seen as GaView, made by std::convert::identity, presets unknown to unknown
        }

        impl AnySettings {
            /// For each task the settings of its usual preset.
            pub fn of_all() -> Vec<AnySettings> {
                vec![$(AnySettings::$name(<$task>::settings())),+]
            }

            /// The preset they started from.
            pub fn preset_name(&self) -> &str {
                match self { $(AnySettings::$name(settings) => &settings.preset),+ }
            }

            pub fn seed(&self) -> u64 {
                match self { $(AnySettings::$name(settings) => settings.seed),+ }
            }

            /// Generations after the first, number 0.
            pub fn generations(&self) -> u64 {
                match self { $(AnySettings::$name(settings) => settings.generations),+ }
            }

            /// # Errors
            /// Which settings do not go together.
            pub fn check(&self) -> Result<(), String> {
                match self { $(AnySettings::$name(settings) => settings.check()),+ }
            }

            pub fn genes(&self) -> Vec<Gene> {
                match self { $(AnySettings::$name(settings) => settings.task.genes()),+ }
            }

            pub fn labels(&self) -> Labels {
                match self {
                    $(AnySettings::$name(settings) => Labels {
                        genes: <$task>::labels(),
                        published: <$task>::published(),
                        relative: <$task>::RELATIVE,
                        knockout: settings.task.is_knockout(),
                    }),+
                }
            }

            /// See [`Task::game`].
            pub fn game(&self) -> Variant {
                match self { $(AnySettings::$name(settings) => settings.task.game()),+ }
            }

            /// See [`Task::player`].
            pub fn player(&self, genome: &Genome) -> String {
                match self { $(AnySettings::$name(settings) => settings.task.player(genome)),+ }
            }

            /// See [`Task::yardstick`].
            pub fn yardstick(&self) -> String {
                match self { $(AnySettings::$name(settings) => settings.task.yardstick()),+ }
            }

            /// See [`Task::replay`].
            fn replay(&self, key: GameKey, genomes: [&Genome; 2]) -> Option<Vec<Move>> {
                match self { $(AnySettings::$name(settings) => settings.task.replay(key, genomes)),+ }
            }

            /// See [`Task::file_text`].
            pub fn file_text(&self, genome: &Genome, origin: &[(&str, String)]) -> String {
                match self { $(AnySettings::$name(settings) => settings.task.file_text(genome, origin)),+ }
            }
        }

        impl AnyRun {
            /// A row for each generation that has been judged.
            pub fn past(&self) -> &[Past] {
                match &self.run { $(Inner::$name(run) => run.past()),+ }
            }
        }
    };
}
use tasks;

/// That no preset has this name.
fn unknown(name: &str) -> String {
    any::unknown(name, AnySettings::presets().into_iter().map(|(name, _)| name), &[])
}

impl Default for AnySettings {
    /// Those of the first preset.
    fn default() -> AnySettings {
        AnySettings::KalahWeights(super::kalah::weights::HeuristicWeights::settings())
    }
}

impl AnySettings {
    /// A game of a pairing of this bracket, played again, and who played it: South, then North. `None` if `ranking` is not that of the
    /// bracket, or if games of the task are not to be looked at. It takes as long as the game took.
    pub fn record(
        &self,
        bracket: &Bracket,
        pairing: &Pairing,
        game: usize,
        ranking: &[Ranked],
    ) -> Option<(Record, [String; 2])> {
        let first = pairing.first_in(game);
        let genome = |which: usize| {
            let member = ranking.iter().find(|ranked| ranked.individual.id == pairing.members[which]);
            member.map(|ranked| &ranked.individual.genome)
        };
        let genomes = [genome(first)?, genome(1 - first)?];
        let (seed, generation, number) = (self.seed(), bracket.generation, game as u64);
        let key = GameKey { seed, generation, pairing: pairing.number, game: number, opening: number / 2 };
        let players = genomes.map(|genome| self.player(genome));
        let mut record = Record::new(self.game(), players.clone(), None);
        let is_legal = self.replay(key, genomes)?.into_iter().all(|mv| record.play(mv));
        is_legal.then_some((record, players))
    }

    /// A genome as a file to keep, with where it comes from; `fitness` in percent.
    pub fn kept_text(&self, ranked: &Ranked, fitness: f64) -> String {
        let origin = [
            ("preset", self.preset_name().to_owned()),
            ("seed", self.seed().to_string()),
            ("genome", format!("{}, born in generation {}", ranked.individual.id, ranked.individual.born)),
            ("fitness", format!("{fitness:.1} % of the points in its generation")),
        ];
        self.file_text(&ranked.individual.genome, &origin)
    }
}

impl Watched<AnySettings> for GaView {
    fn begin(settings: AnySettings) -> GaView {
        GaView::of(settings.genes().len(), settings.generations())
    }

    fn row(&mut self, row: &str) -> Result<(), String> {
        self.read_row(row)
    }

    fn timing(&mut self, row: &str) {
        self.read_timing(row);
    }
}

impl Experiment for AnyRun {
    const COMMAND: &'static str = "tune";
    const CURVE: Option<&'static str> = Some("best_percent");

    fn presets() -> Vec<(&'static str, &'static str)> {
        AnySettings::presets()
    }

    fn preset(name: &str) -> Result<AnySettings, String> {
        AnySettings::preset(name)
    }

    fn samples() -> Vec<(String, AnySettings)> {
        AnySettings::of_all().into_iter().map(|settings| (settings.game().title().to_owned(), settings)).collect()
    }

    fn offers(settings: &AnySettings, key: &str) -> Vec<String> {
        settings.words(key).into_iter().map(str::to_owned).collect()
    }

    fn check(settings: &AnySettings) -> Result<(), String> {
        settings.check()
    }
}
