//! The interface of a problem that programs are bred for, and the scores it measures besides fitness, with their names in files and on the screen.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use mancalab_base::Error;
use serde::Serialize;

use super::genome::Genome;
use super::tableau::Tableau;
use super::view::EvolutionView;
use crate::budget::{Budget, Status};
use crate::codec::Decoder;
use crate::job::View;
use crate::job::measured::Measurement;
use crate::pool::Pool;
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::settings::{Entry, KeyedSettings, SettingsTable as _};

/// The evaluation of a program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// At least 0; higher is better.
    pub fitness: f64,
    /// The measured scores, in the order of the problem's [`Measures`].
    pub scores: Scores,
    /// A hash of the behaviour, equal for programs that behaved the same in every case.
    pub behaviour: u64,
}

/// Statistics of a problem's memo table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memo {
    /// Number of lookups.
    pub asked: u64,
    /// Number of lookups without a stored result.
    pub missed: u64,
    /// Number of stored results.
    pub kept: u64,
    /// Time spent computing missing results; part of the evaluation time.
    pub spent: Duration,
}

impl Memo {
    /// Returns the hit rate, from 0 to 1.
    pub fn hit_rate(&self) -> f64 {
        if self.asked == 0 { 0.0 } else { 1.0 - self.missed as f64 / self.asked as f64 }
    }
}

/// A problem with its settings. The outcome of a program depends on the program, the settings and, if the problem
/// [changes](Problem::changes), the number of the generation.
pub trait Problem: Send + Sized + 'static {
    type Language: Language;
    type Settings: Settings;
    /// Programs being evaluated.
    type Batch: Send;

    /// The kind of the runs, for their directories.
    const KIND: &'static str;
    /// Creates the problem.
    ///
    /// # Errors
    /// Returns an error if the settings are invalid.
    fn new(settings: &Self::Settings) -> Result<Self, Error>;

    /// Returns default settings, into which the settings of a run are read.
    fn unread(preset: &str, seed: u64, generations: u64) -> Self::Settings;

    /// Returns the grammars of an individual's trees, one per tree, at least one.
    ///
    /// # Errors
    /// Returns an error if the settings name an unknown function.
    fn grammars(settings: &Self::Settings) -> Result<Vec<Grammar<Self::Language>>, Error>;

    /// Returns whether the task differs between generations, so that all programs are evaluated again in each.
    fn changes(&self) -> bool {
        false
    }

    /// Returns whether fitness is comparable only within a generation, so that the best so far is the best of the newest one.
    fn is_relative(&self) -> bool {
        false
    }

    /// Returns the number of champions, the fittest programs of the previous generation, that it wants to
    /// [meet](Problem::meet). A problem with champions must [change](Problem::changes).
    fn champions_wanted(&self) -> usize {
        0
    }

    /// Receives the fittest distinct programs of the previous generation, fittest first, before each generation but the first:
    /// as many as [wanted](Problem::champions_wanted), or fewer if there are not enough.
    fn meet(&mut self, _champions: Vec<Arc<Genome<Self::Language>>>) {}

    /// Starts the evaluation of programs of this generation.
    fn begin(&mut self, programs: Vec<Arc<Genome<Self::Language>>>, generation: u64) -> Self::Batch;

    /// Evaluates until the budget is spent or the batch is complete.
    fn advance(&mut self, batch: &mut Self::Batch, pool: &Pool, budget: Budget) -> Status;

    /// Returns why the batch cannot be evaluated, once; it is not complete then.
    fn failure(&mut self) -> Option<Error> {
        None
    }

    /// Returns the number of evaluated programs.
    fn evaluated(batch: &Self::Batch) -> usize;

    /// Takes the results of a complete batch in single cases, in the order of the programs, where the settings
    /// [need](Settings::needs_cases) them: at least one of each.
    fn cases(_batch: &mut Self::Batch) -> Vec<Arc<[f64]>> {
        Vec::new()
    }

    /// Returns the outcomes of a complete batch, in the order of the programs.
    fn finish(batch: Self::Batch) -> Vec<Outcome>;

    /// Returns statistics since the start or the resumption of the run; zeros for a problem without a memo table.
    fn memo(&self) -> Memo {
        Memo::default()
    }

    /// Returns the program in the format of its player's files, without a final newline.
    fn text(settings: &Self::Settings, program: &Genome<Self::Language>) -> String;

    /// Parses the program in a text written by [`text`](Problem::text).
    ///
    /// # Errors
    /// There is no program of a run with these settings.
    fn read(settings: &Self::Settings, text: &str) -> Result<Genome<Self::Language>, Error>;

    /// Returns the simplified program in short form, and its number of nodes.
    fn simplified(settings: &Self::Settings, program: &Genome<Self::Language>) -> (String, usize);

    /// Returns the games by which the best of generations are measured; `None` if they are not. See [`RunSettings::measurement`](crate::job::RunSettings::measurement).
    ///
    /// # Errors
    /// The settings of the measurement cannot be used: a sentence.
    fn measurement(_settings: &Self::Settings) -> Result<Option<Box<dyn Measurement>>, Error> {
        Ok(None)
    }

    /// Converts the view of a run to what is displayed, which a crate above may know.
    fn to_view(view: EvolutionView<Self>) -> View;
}

/// Settings of a problem, including the tableau. Flags, forms and files read and write the [keyed](KeyedSettings) ones.
pub trait Settings: KeyedSettings + Clone + Send + Sync + 'static {
    fn tableau(&self) -> &Tableau;

    fn tableau_mut(&mut self) -> &mut Tableau;

    /// Returns the preset they started from.
    fn preset(&self) -> &str;

    /// Checks settings that depend on each other.
    ///
    /// # Errors
    /// Returns an error with what is accepted.
    fn check(&self) -> Result<(), Error> {
        self.tableau().check()
    }

    /// Returns whether the settings alone determine the outcomes.
    fn is_reproducible(&self) -> bool {
        true
    }

    /// Returns the measures of each program.
    fn measures(&self) -> &'static Measures;

    /// Whether programs have results in single cases, such as opponents.
    const HAS_CASES: bool = false;

    /// Returns whether selection needs the results in single cases.
    fn needs_cases(&self) -> bool {
        self.tableau().needs_cases()
    }

    /// Returns whether a program with these scores ends the run.
    fn is_reached(&self, _scores: &Scores) -> bool {
        false
    }

    /// Returns the files that the settings name; see [`RunSettings::files`](crate::job::RunSettings::files).
    fn files(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}

/// Returns the tableau's entries as entries of a problem's settings. They precede its own.
pub fn tableau_entries<S: Settings>() -> Vec<Entry<S>> {
    Tableau::entries_of(S::tableau, S::tableau_mut)
}

/// Maximum number of measures.
pub const MOST: usize = 4;

/// The measures of a problem.
#[derive(Debug)]
pub struct Measures {
    /// In the order of the scores.
    pub all: &'static [Measure],
    /// The header of `generations.csv`.
    pub columns: &'static str,
    /// The header of `individuals.csv`.
    pub individual_columns: &'static str,
}

/// A measure.
#[derive(Debug)]
pub struct Measure {
    /// The name in files, with its unit; prefixed with `best_` there.
    pub name: &'static str,
    /// The short name, for column headings and after a number.
    pub short: &'static str,
    /// What it counts, such as `seeds moving first`.
    pub about: &'static str,
}

/// Creates [`Measures`] from names, short names and descriptions.
#[macro_export]
macro_rules! measures {
    ($(($name:literal, $short:literal, $about:literal)),+ $(,)?) => {
        $crate::gp::Measures {
            all: &[$($crate::gp::Measure { name: $name, short: $short, about: $about }),+],
            columns: concat!(
                "generation,best_fitness_points,upper_quartile_fitness_points,median_fitness_points,",
                "lower_quartile_fitness_points,worst_fitness_points,mean_fitness_points,",
                $("best_", $name, ",",)+
                "best_size_nodes,best_depth_nodes,mean_size_nodes,largest_size_nodes,mean_depth_nodes,largest_depth_nodes,",
                "unique_programs_count,unique_behaviours_count,best_operator_name,best_born_generation,best_parent1_rank,",
                "best_parent2_rank"
            ),
            individual_columns: concat!(
                "generation,rank,fitness_points,",
                $($name, ",",)+
                "size_nodes,depth_nodes,operator_name,born_generation,birth_operator_name,parent1_rank,parent2_rank,program"
            ),
        }
    };
}

/// The scores of a program.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Scores {
    values: [f64; MOST],
    count: u8,
}

impl Scores {
    /// Takes the first [`MOST`] scores.
    pub fn new(scores: &[f64]) -> Scores {
        let mut values = [0.0; MOST];
        let count = scores.len().min(MOST);
        values[..count].copy_from_slice(&scores[..count]);
        Scores { values, count: count as u8 }
    }

    /// Decodes this number of scores.
    pub(super) fn decode(from: &mut Decoder<'_>, count: usize) -> Result<Scores, Error> {
        let scores = (0..count).map(|_| from.f64()).collect::<Result<Vec<f64>, Error>>()?;
        Ok(Scores::new(&scores))
    }
}

impl Deref for Scores {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.values[..usize::from(self.count)]
    }
}

impl DerefMut for Scores {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.values[..usize::from(self.count)]
    }
}

impl Serialize for Scores {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl Measures {
    /// Returns the scores as text, such as `41 first, 37 second`.
    pub fn to_text(&self, scores: &[f64], number: fn(f64) -> String) -> String {
        let one = |(score, measure): (&f64, &Measure)| format!("{} {}", number(*score), measure.short);
        scores.iter().zip(self.all).map(one).collect::<Vec<_>>().join(", ")
    }
}
